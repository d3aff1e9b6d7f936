/* dynamic.c: commands on standard input become times in a file. */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "recorder/session.h"

/* A time is written this long before it comes, so that no recorder has passed it without knowing. */
enum { AHEAD_NS = 20 * 1000 * 1000, LOOK_NS = 100 * 1000 * 1000, SECOND_NS = 1000 * 1000 * 1000, LINE_SIZE = 64 };

struct dynamic {
	int fd;
	bool ended; /* no further commands are read */
	char line[LINE_SIZE];
	size_t len;
};

static int open_times(struct dynamic **dynamic, int dirfd, const char *path, int flags, struct mp_error *err)
{
	struct dynamic *d = calloc(1, sizeof(*d));

	*dynamic = NULL;
	if (!d)
		return mp_fail_memory(err, "the commands of a recording");
	/* without O_NONBLOCK a FIFO would wait for a reader; a regular file never waits */
	d->fd = openat(dirfd, path, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | flags, 0600);
	if (d->fd < 0) {
		free(d);
		return mp_fail_errno(err, "cannot open '%s'", path);
	}
	*dynamic = d;
	return 0;
}

int dynamic_open(struct dynamic **dynamic, int dirfd, const char *name, struct mp_error *err)
{
	return open_times(dynamic, dirfd, name, O_CREAT | O_EXCL, err);
}

static bool is_own(const struct stat *st)
{
	return st->st_uid == geteuid();
}

/* The path comes from another process: nothing but a file of times of this user is written to. */
static bool is_times(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && is_own(&st) && (st.st_mode & 077) == 0 &&
	       st.st_size % MP_WINDOWS_LINE == 0;
}

int dynamic_attach(struct dynamic **dynamic, pid_t pid, char **output, struct mp_error *err)
{
	char path[64], *windows;
	struct stat st;
	int status;

	*dynamic = NULL;
	*output = NULL;
	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	if (stat(path, &st))
		return errno == ENOENT ? mp_fail(err, "process %d not found", (int)pid)
				       : mp_fail_errno(err, "cannot find process %d", (int)pid);
	if (!is_own(&st))
		return mp_fail(err, "process %d is another user's", (int)pid);
	if (mp_environment_of_process(pid, output, &windows, err))
		return -1;
	status = open_times(dynamic, AT_FDCWD, windows, 0, err);
	if (!status && !is_times((*dynamic)->fd)) {
		status = mp_fail(err, "'%s' is not a file of times of a recording", windows);
		dynamic_close(*dynamic);
		*dynamic = NULL;
	}
	free(windows);
	return status;
}

/* Begin or end a window soon, and wait until then. */
static int turn(struct dynamic *d, off_t count, const char *said, struct mp_error *err)
{
	struct timespec ahead = {0, AHEAD_NS}, t;
	char text[MP_WINDOWS_LINE + 1];
	uint64_t ns;

	if (count >= MP_WINDOWS_MAX) {
		message_warning("no more than %d commands are recorded", MP_WINDOWS_MAX);
		return 0;
	}
	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	ns = (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec + AHEAD_NS;
	snprintf(text, sizeof(text), "%*llu\n", MP_WINDOWS_LINE - 1, (unsigned long long)ns);
	if (write(d->fd, text, MP_WINDOWS_LINE) != MP_WINDOWS_LINE)
		return mp_fail_errno(err, "cannot write the times of the recording");
	nanosleep(&ahead, NULL);
	printf("[INFO] %s\n", said);
	fflush(stdout);
	return 0;
}

/* Do a command when `count` times are in the file: after an odd number the program is being recorded. */
static int obey(struct dynamic *d, const char *command, off_t count, struct mp_error *err)
{
	bool on = count % 2, quit = strcmp(command, "quit") == 0;

	d->ended = d->ended || quit;
	if (quit && !on)
		return 0;
	if (quit || strcmp(command, "stop") == 0) {
		if (on)
			return turn(d, count, "Recording stopped.", err);
		message_warning("stop: nothing is being recorded");
	} else if (strcmp(command, "start") == 0) {
		if (!on)
			return turn(d, count, "Recording started.", err);
		message_warning("start: the recording has started already");
	} else if (*command) {
		message_warning("unknown command '%s': start, stop or quit", command);
	}
	return 0;
}

/* The lock is held until the time has come, so that times ascend whoever writes them. */
static int obey_locked(struct dynamic *d, const char *command, struct mp_error *err)
{
	struct stat st;
	int status;

	if (flock(d->fd, LOCK_EX) || fstat(d->fd, &st))
		return mp_fail_errno(err, "cannot lock the times of the recording");
	status = obey(d, command, st.st_size / MP_WINDOWS_LINE, err);
	flock(d->fd, LOCK_UN); /* an unlock of an open file does not fail */
	return status;
}

/* Take one byte of the input. Of a line that is too long the begin counts. */
static int take_byte(struct dynamic *d, char byte, struct mp_error *err)
{
	if (byte != '\n') {
		if (d->len + 1 < sizeof(d->line) && (unsigned char)byte > ' ')
			d->line[d->len++] = byte;
		return 0;
	}
	d->line[d->len] = '\0';
	d->len = 0;
	return obey_locked(d, d->line, err);
}

int dynamic_take(struct dynamic *d, int64_t *wait_ns, struct mp_error *err)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	char bytes[256];
	ssize_t n;

	while (!d->ended && poll(&input, 1, 0) > 0) {
		n = read(STDIN_FILENO, bytes, sizeof(bytes));
		if (n < 0 && errno == EINTR)
			continue;
		d->ended = n <= 0;
		for (ssize_t i = 0; i < n && !d->ended; i++)
			if (take_byte(d, bytes[i], err))
				return -1;
	}
	if (!d->ended && *wait_ns > LOOK_NS)
		*wait_ns = LOOK_NS;
	return 0;
}

int dynamic_follow(struct dynamic *d, pid_t pid, bool *ended, struct mp_error *err)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	int64_t wait_ns = LOOK_NS;

	*ended = false;
	while (!d->ended && !*ended) {
		poll(&input, 1, LOOK_NS / 1000000);
		*ended = kill(pid, 0) && errno == ESRCH;
		if (!*ended && dynamic_take(d, &wait_ns, err))
			return -1;
	}
	return 0;
}

void dynamic_close(struct dynamic *d)
{
	if (!d)
		return;
	close(d->fd); /* every time was written at once */
	free(d);
}
