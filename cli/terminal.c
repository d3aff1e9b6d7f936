/* terminal.c: reads the terminal and the environment, and draws a line of progress: after half a second of work, at
 * most five times a second. */
#define _GNU_SOURCE /* strcasestr */
#include "terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

static int screen = STDOUT_FILENO;

#define WIDTH_USUAL 80
#define WIDTH_MAX 10000

/* COLUMNS, or 0 where it is missing or invalid. */
static int columns_env(void)
{
	const char *text = getenv("COLUMNS");
	char *end;
	long value;

	if (!text || *text < '0' || *text > '9')
		return 0;
	value = strtol(text, &end, 10);
	return *end == '\0' && value > 0 && value <= WIDTH_MAX ? (int)value : 0;
}

static int width_of(int fd)
{
	struct winsize size;
	int width;

	/* Serial lines and terminals of CI jobs report zero columns. */
	if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		return size.ws_col;
	width = columns_env();
	return width > 0 ? width : WIDTH_USUAL;
}

static bool colour_wanted(void)
{
	const char *no_color = getenv("NO_COLOR");
	const char *type = getenv("TERM");

	/* no-color.org: set and not empty, whatever the value. */
	if (no_color && *no_color)
		return false;
	return type && *type && strcmp(type, "dumb") != 0;
}

const char *term_other_locale(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);

		if (value && *value)
			return strcasestr(value, "UTF-8") || strcasestr(value, "UTF8") ? NULL : value;
	}
	return NULL; /* without a locale UTF-8 is assumed */
}

struct term term_inspect(int fd)
{
	const char *lines = getenv("MSPROF_LINES");
	const bool other = term_other_locale();
	struct term term = {.tty = isatty(fd) == 1,
	    .ascii = other || (lines && strcmp(lines, "ascii") == 0),
	    .plain = other && !charset_is_open()};

	if (term.tty) {
		term.width = width_of(fd);
		term.colour = colour_wanted();
	}
	return term;
}

struct term term_output(void)
{
	return term_inspect(screen);
}

void term_page(int fd)
{
	screen = fd;
}

static int64_t ms_between(const struct timespec *a, const struct timespec *b)
{
	return (int64_t)(b->tv_sec - a->tv_sec) * 1000 + (b->tv_nsec - a->tv_nsec) / 1000000;
}

bool progress_begin(struct progress *p, bool quiet, const char *what, const char *name)
{
	char safe[sizeof(p->name)];

	memset(p, 0, sizeof(*p));
	p->active = !quiet && term_inspect(STDERR_FILENO).tty;
	p->what = what;
	mp_sanitise(safe, sizeof(safe), name, strlen(name));
	charset_text(p->name, sizeof(p->name), safe);
	clock_gettime(CLOCK_MONOTONIC, &p->begun);
	p->last = p->begun;
	return p->active;
}

bool progress_is_due(struct progress *p)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!p->active || ms_between(&p->begun, &now) < 500 || ms_between(&p->last, &now) < 200)
		return false;
	p->last = now;
	p->shown = true;
	return true;
}

void progress_update(void *user, int64_t done, int64_t total)
{
	struct progress *p = user;

	if (!progress_is_due(p))
		return;
	fprintf(stderr, "\r%s %s: %3d %%", p->what, p->name, total > 0 ? (int)((double)done / (double)total * 100) : 0);
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
