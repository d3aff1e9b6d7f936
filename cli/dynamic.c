/* dynamic.c: commands on standard input become times in a file, or messages to processes that listen. */
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
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
#include "recorder/attach.h"
#include "recorder/session.h"

/* A time is written this long before it comes, so that no recorder has passed it without knowing. */
enum { AHEAD_NS = 20 * 1000 * 1000, LOOK_NS = 100 * 1000 * 1000, SECOND_NS = 1000 * 1000 * 1000, LINE_SIZE = 64 };

enum { PROCESSES_MAX = 256, TRIES = 20 };

struct dynamic {
	int fd;            /* of the file; -1: the process listens */
	pid_t pid;         /* of the program that another msprof, or the user, has started; 0: ours */
	char *settings;    /* for a process that listens */
	const char *place; /* for its results */
	bool on;           /* it records */
	bool ended;        /* no further commands are read */
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
	d->pid = 0;
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

int dynamic_find(pid_t pid, bool *listens, struct mp_error *err)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	if (stat(path, &st))
		return errno == ENOENT ? mp_fail(err, "process %d not found", (int)pid)
				       : mp_fail_errno(err, "cannot find process %d", (int)pid);
	if (!is_own(&st))
		return mp_fail(err, "process %d is another user's", (int)pid);
	*listens = mp_environment_may_attach(pid);
	return 0;
}

int dynamic_listener(struct dynamic **dynamic, pid_t pid, const char *place, const char *settings, struct mp_error *err)
{
	struct dynamic *d = calloc(1, sizeof(*d));

	*dynamic = NULL;
	if (d)
		d->settings = strdup(settings);
	if (!d || !d->settings) {
		free(d);
		return mp_fail_memory(err, "the commands of a recording");
	}
	d->fd = -1;
	d->pid = pid;
	d->place = place;
	*dynamic = d;
	return 0;
}

int dynamic_attach(struct dynamic **dynamic, pid_t pid, char **output, struct mp_error *err)
{
	char *windows;
	int status;

	*dynamic = NULL;
	*output = NULL;
	if (mp_environment_of_process(pid, output, &windows, err))
		return -1;
	status = open_times(dynamic, AT_FDCWD, windows, 0, err);
	if (!status && !is_times((*dynamic)->fd)) {
		status = mp_fail(err, "'%s' is not a file of times of a recording", windows);
		dynamic_close(*dynamic);
		*dynamic = NULL;
	}
	if (!status)
		(*dynamic)->pid = pid;
	free(windows);
	return status;
}

/* Tell users, and scripts, which wait for the second line. */
static void acknowledge(const struct dynamic *d, const char *said, const char *command)
{
	if (said)
		printf("[INFO] %s\n", said);
	if (d->pid)
		printf("dynamic profiling for pid %d %s success\n", (int)d->pid, command);
	else
		printf("dynamic profiling %s success......\n", command);
	fflush(stdout);
}

/* The process and all its descendants. Returns how many. */
static int family_of(pid_t pid, pid_t family[PROCESSES_MAX])
{
	int count = 1;

	family[0] = pid;
	for (int i = 0; i < count; i++) {
		char path[64];
		FILE *children;
		int child;

		snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)family[i], (int)family[i]);
		children = fopen(path, "re");
		while (children && count < PROCESSES_MAX && fscanf(children, "%d", &child) == 1)
			family[count++] = child;
		if (children)
			fclose(children); /* only read: nothing can be lost */
	}
	return count;
}

/* The process listens from its first call on: wait for it a while. */
static int tell_first(const struct dynamic *d, const char *text, char answer[MP_ATTACH_ANSWER], struct mp_error *err)
{
	int status = 1;

	for (int i = 0; status > 0 && i < TRIES; i++) {
		if (i)
			nanosleep(&(struct timespec){0, LOOK_NS}, NULL);
		status = mp_attach_send(d->pid, text, answer, err);
	}
	if (status > 0)
		return mp_fail(err,
		    "process %d does not listen: it has made no call yet, or runs without libmsprof_preload.so",
		    (int)d->pid);
	return status;
}

/* The answer is "ok RESULT". */
static void say_saved(const struct dynamic *d, const char *answer)
{
	char path[PATH_MAX + MP_ATTACH_ANSWER];

	snprintf(path, sizeof(path), "%s/%s", d->place, answer + strlen("ok "));
	message_told("Process profiling data complete. Data is saved in", path);
}

/* Tell the process, and those of its descendants that listen, to start or to stop. */
static int tell(struct dynamic *d, const char *command, const char *said, struct mp_error *err)
{
	char answer[MP_ATTACH_ANSWER], *text = NULL;
	pid_t family[PROCESSES_MAX];
	struct mp_error other;
	size_t size;
	int count, status;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return mp_fail_memory(err, "a command");
	fprintf(f, "%s%s%s", command, d->on ? "" : " ", d->on ? "" : d->settings);
	if (fclose(f)) {
		free(text);
		return mp_fail_memory(err, "a command");
	}
	status = tell_first(d, text, answer, err);
	if (!status && d->on)
		say_saved(d, answer);
	count = status ? 0 : family_of(d->pid, family);
	for (int i = 1; i < count; i++)
		if (mp_attach_send(family[i], text, answer, &other) == 0 && d->on)
			say_saved(d, answer);
	free(text);
	if (status)
		return -1;
	d->on = !d->on;
	acknowledge(d, said, command);
	return 0;
}

/* Begin or end a window soon, and wait until then. */
static int turn(struct dynamic *d, off_t count, const char *command, const char *said, struct mp_error *err)
{
	struct timespec ahead = {0, AHEAD_NS}, t;
	char text[MP_WINDOWS_LINE + 1];
	uint64_t ns;

	if (d->fd < 0)
		return tell(d, command, said, err);

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
	acknowledge(d, said, command);
	return 0;
}

/* Do a command when `count` times are in the file: after an odd number the program is being recorded. */
static int obey(struct dynamic *d, const char *command, off_t count, struct mp_error *err)
{
	bool on = d->fd < 0 ? d->on : count % 2, quit = strcmp(command, "quit") == 0;

	d->ended = d->ended || quit;
	if (quit && !on)
		return 0;
	if (quit || strcmp(command, "stop") == 0) {
		if (on)
			return turn(d, count, "stop", "Recording stopped.", err);
		message_warning("stop: nothing is being recorded");
	} else if (strcmp(command, "start") == 0) {
		if (!on)
			return turn(d, count, "start", "Recording started.", err);
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

	if (d->fd < 0)
		return obey(d, command, 0, err);
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
	if (obey_locked(d, d->line, err))
		return -1;
	if (d->ended)
		acknowledge(d, NULL, "quit");
	return 0;
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
	if (d->fd >= 0)
		close(d->fd); /* every time was written at once */
	free(d->settings);
	free(d);
}
