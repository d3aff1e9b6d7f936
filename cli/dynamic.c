/* dynamic.c: commands on standard input become messages to processes that listen (recorder/attach.h). */
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
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/vec.h"
#include "command.h"
#include "recorder/attach.h"
#include "recorder/session.h"

enum { LOOK_NS = 100 * 1000 * 1000, LINE_SIZE = 64, TRIES = 20 };

struct dynamic {
	int dirfd;      /* the directory between us and the processes of our program (session.h); -1: it is not ours */
	pid_t pid;      /* of a program that another msprof, or the user, has started; 0: ours */
	char *settings; /* of a window */
	const char *place; /* for the results of a program that is not ours */
	bool on;           /* it records */
	bool started;      /* it has recorded */
	bool ended;        /* no further commands are read */
	char line[LINE_SIZE];
	size_t len;
};

int dynamic_open(struct dynamic **dynamic, const struct dynamic_target *target, struct mp_error *err)
{
	struct dynamic *d = calloc(1, sizeof(*d));

	*dynamic = NULL;
	if (d)
		d->settings = strdup(target->settings);
	if (!d || !d->settings) {
		free(d);
		return mp_fail_memory(err, "the commands of a recording");
	}
	d->dirfd = target->dirfd;
	d->pid = target->pid;
	d->place = target->place;
	*dynamic = d;
	return 0;
}

int dynamic_find(pid_t pid, struct mp_error *err)
{
	char path[64];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%d", (int)pid);
	if (stat(path, &st))
		return errno == ENOENT ? mp_fail(err, "process %d not found", (int)pid)
				       : mp_fail_errno(err, "cannot find process %d", (int)pid);
	if (st.st_uid != geteuid())
		return mp_fail(err, "process %d is another user's", (int)pid);
	return mp_environment_may_attach(pid, err) ? 0 : -1;
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

/* Numbers of processes; free the items. */
struct family {
	pid_t *items;
	size_t count;
};

/* Add the numbers in a text file, and close the file; NULL: add nothing. Returns false when out of memory. */
static bool add_numbers(struct family *family, FILE *file)
{
	bool good = true;
	int number;

	while (good && file && fscanf(file, "%d", &number) == 1) {
		good = mp_vec_room(family->items, family->count, 1) && family->items;
		if (good)
			family->items[family->count++] = number;
	}
	if (file)
		fclose(file); /* only read: nothing can be lost */
	return good;
}

/* Those that listen in our program; else the process and all its descendants. */
static int find_family(const struct dynamic *d, struct family *family, struct mp_error *err)
{
	bool good;
	int fd;

	*family = (struct family){NULL, 0};
	if (d->dirfd >= 0) {
		fd = mp_dir_open_file(d->dirfd, MP_DYNAMIC_LISTENERS, NULL);
		good = add_numbers(family, fd < 0 ? NULL : fdopen(fd, "r"));
	} else {
		good = mp_vec_room(family->items, 0, 1) && family->items;
		if (good)
			family->items[family->count++] = d->pid;
	}
	for (size_t i = 0; good && d->dirfd < 0 && i < family->count; i++) {
		char path[64];

		snprintf(path, sizeof(path), "/proc/%d/task/%d/children", (int)family->items[i], (int)family->items[i]);
		good = add_numbers(family, fopen(path, "re"));
	}
	return good ? 0 : mp_fail_memory(err, "the processes of the program");
}

/* The answer is "ok RESULT". */
static void say_saved(const struct dynamic *d, const char *answer)
{
	char path[PATH_MAX + MP_ATTACH_ANSWER];

	snprintf(path, sizeof(path), "%s/%s", d->place, answer + strlen("ok "));
	message_told("Process profiling data complete. Data is saved in", path);
}

/* What came of a command. */
struct told {
	int done, silent;    /* processes that did it; that do not listen */
	struct mp_error err; /* of another one; "" */
};

/* A process of ours says first that it will listen. */
static void tell_one(const struct dynamic *d, pid_t pid, const char *text, struct told *told)
{
	char answer[MP_ATTACH_ANSWER];
	struct mp_error err = {.text = ""};
	int status = 1;

	for (int i = 0; status > 0 && i < TRIES && (i == 0 || (d->dirfd >= 0 && kill(pid, 0) == 0)); i++) {
		if (i)
			nanosleep(&(struct timespec){0, LOOK_NS}, NULL);
		status = mp_attach_send(pid, text, answer, &err);
	}
	told->silent += status > 0;
	told->done += status == 0;
	if (status < 0)
		told->err = err;
	if (status == 0 && d->on && d->place)
		say_saved(d, answer);
}

static int tell_family(const struct dynamic *d, const char *text, struct told *told, struct mp_error *err)
{
	struct family family;
	int status = find_family(d, &family, err);

	*told = (struct told){.err.text = ""};
	for (size_t i = 0; !status && i < family.count; i++)
		tell_one(d, family.items[i], text, told);
	free(family.items);
	return status;
}

/*
 * A program that is not ours listens from its first call on: wait for it a while. Returns 0, -1 with err, or 1 with err
 * when all processes of our program refuse: it goes on.
 */
static int tell_all(const struct dynamic *d, const char *text, struct mp_error *err)
{
	struct told told = {.done = 0};

	for (int i = 0; !told.done && !told.err.text[0] && i < TRIES; i++) {
		if (i)
			nanosleep(&(struct timespec){0, LOOK_NS}, NULL);
		if (tell_family(d, text, &told, err))
			return -1;
		if (d->dirfd >= 0)
			break;
	}
	if (told.done && told.err.text[0] && !d->on)
		message_warning("%s", told.err.text);
	if (told.done || (d->dirfd >= 0 && (!told.err.text[0] || d->on)))
		return 0;
	if (!told.err.text[0])
		return mp_fail(err,
		    "process %d does not listen: it has made no call yet, or runs without libmsprof_preload.so",
		    (int)d->pid);
	*err = told.err;
	return d->dirfd >= 0 ? 1 : -1;
}

/* For processes of our program that have not called yet. */
static int leave_window(const struct dynamic *d, bool on, struct mp_error *err)
{
	static const char part[] = "." MP_DYNAMIC_WINDOW;
	int fd, status;

	if (!on && unlinkat(d->dirfd, MP_DYNAMIC_WINDOW, 0) && errno != ENOENT)
		return mp_fail_errno(err, "cannot remove the settings of the recording");
	if (!on)
		return 0;
	fd = openat(d->dirfd, part, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
	status = fd < 0 || write(fd, d->settings, strlen(d->settings)) != (ssize_t)strlen(d->settings);
	if (fd >= 0 && close(fd))
		status = 1;
	if (status || renameat(d->dirfd, part, d->dirfd, MP_DYNAMIC_WINDOW))
		return mp_fail_errno(err, "cannot write the settings of the recording");
	return 0;
}

/* Begin or end a window. */
static int turn(struct dynamic *d, const char *command, const char *said, struct mp_error *err)
{
	size_t len = strlen(command) + 1, size = len + strlen(d->settings) + 1;
	char *text = size < MP_ATTACH_TEXT ? malloc(size) : NULL;
	int status;

	if (size >= MP_ATTACH_TEXT)
		return mp_fail(err, "the settings of the recording are too long");
	if (!text)
		return mp_fail_memory(err, "a command");
	snprintf(text, size, "%s ", command);
	memcpy(text + len, d->settings, size - len);
	status = (d->dirfd >= 0 && leave_window(d, !d->on, err)) ? -1 : tell_all(d, text, err);
	free(text);
	if (status > 0) {
		message_warning("%s", err->text);
		return leave_window(d, false, err);
	}
	if (status)
		return -1;
	d->on = !d->on;
	d->started = true;
	acknowledge(d, said, command);
	return 0;
}

static int obey(struct dynamic *d, const char *command, struct mp_error *err)
{
	bool quit = strcmp(command, "quit") == 0;

	d->ended = d->ended || quit;
	if (quit && !d->on)
		return 0;
	if (quit || strcmp(command, "stop") == 0) {
		if (d->on)
			return turn(d, "stop", "Recording stopped.", err);
		message_warning("stop: nothing is being recorded");
	} else if (strcmp(command, "start") == 0) {
		if (!d->on)
			return turn(d, "start", "Recording started.", err);
		message_warning("start: the recording has started already");
	} else if (*command) {
		message_warning("unknown command '%s': start, stop or quit", command);
	}
	return 0;
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
	if (obey(d, d->line, err))
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

bool dynamic_has_started(const struct dynamic *d)
{
	return d->started;
}

void dynamic_close(struct dynamic *d)
{
	if (!d)
		return;
	free(d->settings);
	free(d);
}
