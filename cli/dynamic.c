/* dynamic.c: commands on standard input become times in a file. */
#include "dynamic.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "recorder/windows.h"

/* A time is written this long before it comes, so that no recorder has passed it without knowing. */
enum { AHEAD_NS = 20 * 1000 * 1000, LOOK_NS = 100 * 1000 * 1000, SECOND_NS = 1000 * 1000 * 1000, LINE_SIZE = 64 };

struct dynamic {
	int fd;
	unsigned count; /* of times */
	bool ended;     /* there are no further commands */
	char line[LINE_SIZE];
	size_t len;
};

int dynamic_open(struct dynamic **dynamic, int dirfd, const char *name, struct mp_error *err)
{
	struct dynamic *d = calloc(1, sizeof(*d));

	*dynamic = NULL;
	if (!d)
		return mp_fail_memory(err, "the commands of a recording");
	d->fd = openat(dirfd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
	if (d->fd < 0) {
		free(d);
		return mp_fail_errno(err, "cannot create '%s'", name);
	}
	*dynamic = d;
	return 0;
}

/* Begin or end a window soon, and wait until then. */
static int turn(struct dynamic *d, const char *said, struct mp_error *err)
{
	struct timespec ahead = {0, AHEAD_NS}, t;
	char text[MP_WINDOWS_LINE + 1];
	uint64_t ns;

	if (d->count == MP_WINDOWS_MAX) {
		message_warning("no more than %d commands are recorded", MP_WINDOWS_MAX);
		return 0;
	}
	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	ns = (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec + AHEAD_NS;
	snprintf(text, sizeof(text), "%*llu\n", MP_WINDOWS_LINE - 1, (unsigned long long)ns);
	if (write(d->fd, text, MP_WINDOWS_LINE) != MP_WINDOWS_LINE)
		return mp_fail_errno(err, "cannot write the times of the recording");
	d->count++;
	nanosleep(&ahead, NULL);
	printf("[INFO] %s\n", said);
	fflush(stdout);
	return 0;
}

static int obey(struct dynamic *d, const char *command, struct mp_error *err)
{
	bool on = d->count % 2, quit = strcmp(command, "quit") == 0;

	d->ended = d->ended || quit;
	if (quit && !on)
		return 0;
	if (quit || strcmp(command, "stop") == 0) {
		if (on)
			return turn(d, "Recording stopped.", err);
		message_warning("stop: nothing is being recorded");
	} else if (strcmp(command, "start") == 0) {
		if (!on)
			return turn(d, "Recording started.", err);
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
	return obey(d, d->line, err);
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

void dynamic_close(struct dynamic *d)
{
	if (!d)
		return;
	close(d->fd); /* every time was written at once */
	free(d);
}
