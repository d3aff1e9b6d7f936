/* attach.c: a thread that listens for commands, and the other end. */
#define _GNU_SOURCE /* accept4, struct ucred, secure_getenv */
#include "recorder/attach.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "base/thread.h"
#include "recorder/log.h"
#include "recorder/table.h"

enum { WAIT_S = 30, NAP_NS = 100000000 };

static void (*do_command)(const char *command, char answer[MP_ATTACH_ANSWER]);

bool mp_attach_is_wanted(void)
{
	const char *mode = secure_getenv(MP_ATTACH_VARIABLE);

	return mode && strcmp(mode, MP_ATTACH_MODE) == 0;
}

/* Returns the size of the address. Its first byte is 0: it has no file. */
static socklen_t address_of(pid_t pid, struct sockaddr_un *address)
{
	int len;

	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	len = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1, "msprof-dynamic-%ld", (long)pid);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)len);
}

/* Whether the other end is a process of this user, or root's; *pid receives its number. */
static bool is_own(int fd, pid_t *pid)
{
	struct ucred other;
	socklen_t size = sizeof(other);

	if (getsockopt(mp_fd_use(fd), SOL_SOCKET, SO_PEERCRED, &other, &size))
		return false;
	*pid = other.pid;
	return other.uid == geteuid() || other.uid == 0;
}

static void limit_waits(int fd)
{
	struct timeval limit = {.tv_sec = WAIT_S};

	(void)setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit)); /* without it an end waits longer */
	(void)setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof(limit));
}

/* Read a text up to the end that the other side sends. Returns its length, or -1. */
static ssize_t receive(int fd, char *text, size_t size)
{
	size_t used = 0;
	ssize_t got = 1;

	while (used + 1 < size && got) {
		got = recv(mp_fd_use(fd), text + used, size - 1 - used, 0);
		if (got < 0 && errno != EINTR)
			return -1;
		used += got > 0 ? (size_t)got : 0;
	}
	text[used] = '\0';
	return (ssize_t)used;
}

static int send_all(int fd, const char *text, size_t len)
{
	while (len) {
		ssize_t sent = send(mp_fd_use(fd), text, len, MSG_NOSIGNAL);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			return -1;
		text += sent;
		len -= (size_t)sent;
	}
	return shutdown(mp_fd_use(fd), SHUT_WR);
}

static void answer(int fd)
{
	static char command[MP_ATTACH_TEXT]; /* one thread */
	char text[MP_ATTACH_ANSWER] = "error the command is no text";
	pid_t pid;

	limit_waits(fd);
	if (!is_own(fd, &pid) || receive(fd, command, sizeof(command)) <= 0)
		return;
	do_command(command, text);
	(void)send_all(fd, text, strlen(text)); /* who asked may be gone */
}

static int begin_to_listen(void)
{
	struct sockaddr_un address;
	socklen_t size = address_of(getpid(), &address);
	int fd = mp_fd_hold(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));

	if (fd >= 0 && bind(fd, (struct sockaddr *)&address, size) == 0 && listen(fd, 4) == 0)
		return fd;
	mp_log(MP_LOG_WARNING, "cannot listen for 'msprof --dynamic=on --pid': %s", strerror(errno));
	mp_fd_drop(fd);
	return -1;
}

/*
 * The next connection, or -1 where the socket is of no use any more. Without a free descriptor or memory a connection
 * stays in the queue, and nothing tells when there is one again.
 */
static int next_connection(int fd)
{
	int from;

	for (;;) {
		from = mp_fd_hold(accept4(mp_fd_use(fd), NULL, NULL, SOCK_CLOEXEC));
		if (from >= 0)
			return from;
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS)
			nanosleep(&(struct timespec){.tv_nsec = NAP_NS}, NULL);
		else if (errno != EINTR && errno != ECONNABORTED)
			return -1;
	}
}

static void *run(void *unused)
{
	int fd, from;

	(void)unused;
	mp_log_later();
	mp_table_take(-1);
	mp_table_lead(MP_TABLE_LISTENER);
	fd = begin_to_listen();
	while (fd >= 0 && (from = next_connection(fd)) >= 0) {
		answer(from);
		mp_fd_drop(from);
	}
	mp_fd_drop(fd);
	mp_table_end();
	return NULL;
}

void mp_attach_listen(void (*obey)(const char *command, char answer[MP_ATTACH_ANSWER]))
{
	pthread_t thread;
	int code;

	mp_log_begin(); /* while this thread has standard error */
	do_command = obey;
	code = mp_thread_start(&thread, run, NULL);
	if (code)
		mp_log(MP_LOG_WARNING, "cannot listen for 'msprof --dynamic=on --pid': %s", strerror(code));
	else
		pthread_detach(thread);
}

static int exchange(int fd, pid_t pid, const char *command, char text[MP_ATTACH_ANSWER], struct mp_error *err)
{
	pid_t other = 0;
	ssize_t got;

	limit_waits(fd);
	if (!is_own(fd, &other) || other != pid || fcntl(fd, F_SETFL, 0))
		return mp_fail(err, "process %d does not answer at its address", (int)pid);
	got = send_all(fd, command, strlen(command)) ? -1 : receive(fd, text, MP_ATTACH_ANSWER);
	if (got <= 0)
		return got ? mp_fail_errno(err, "process %d does not answer", (int)pid)
			   : mp_fail(err, "process %d does not answer", (int)pid);
	if (strncmp(text, "ok ", 3) == 0)
		return 0;
	return mp_fail(err, "process %d: %s", (int)pid, strncmp(text, "error ", 6) == 0 ? text + 6 : text);
}

int mp_attach_send(pid_t pid, const char *command, char text[MP_ATTACH_ANSWER], struct mp_error *err)
{
	struct sockaddr_un address;
	socklen_t size = address_of(pid, &address);
	/* whoever took the address may accept nobody: the connection is there at once, or not at all */
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0), status;

	if (fd < 0)
		return mp_fail_errno(err, "cannot ask process %d", (int)pid);
	if (connect(fd, (struct sockaddr *)&address, size))
		status = errno == ECONNREFUSED || errno == EAGAIN
			     ? 1
			     : mp_fail_errno(err, "cannot ask process %d", (int)pid);
	else
		status = exchange(fd, pid, command, text, err);
	close(fd); /* the answer is there, or an error */
	return status;
}
