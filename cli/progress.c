/* progress.c: draws the line after half a second of work, at most five times a second. */
#include "progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "term.h"

static int64_t ms_between(const struct timespec *a, const struct timespec *b)
{
	return (int64_t)(b->tv_sec - a->tv_sec) * 1000 + (b->tv_nsec - a->tv_nsec) / 1000000;
}

bool progress_begin(struct progress *p, bool quiet, const char *what, const char *name)
{
	memset(p, 0, sizeof(*p));
	p->active = !quiet && term_inspect(STDERR_FILENO).tty;
	p->what = what;
	mp_sanitise(p->name, sizeof(p->name), name, strlen(name));
	clock_gettime(CLOCK_MONOTONIC, &p->begun);
	p->last = p->begun;
	return p->active;
}

void progress_update(void *user, int64_t done, int64_t total)
{
	struct progress *p = user;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!p->active || ms_between(&p->begun, &now) < 500 || ms_between(&p->last, &now) < 200)
		return;
	p->last = now;
	p->shown = true;
	fprintf(stderr, "\r%s %s: %3d %%", p->what, p->name, total > 0 ? (int)((double)done / (double)total * 100) : 0);
	fflush(stderr);
}

void progress_end(struct progress *p)
{
	if (p->shown)
		fputs("\r\033[K", stderr);
	p->shown = false;
}
