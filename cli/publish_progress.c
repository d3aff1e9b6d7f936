/* publish_progress.c: draws the line after half a second of work, at most five times a second. */
#include "publish_progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "terminal.h"

static double seconds_between(const struct timespec *a, const struct timespec *b)
{
	return (double)(b->tv_sec - a->tv_sec) + (double)(b->tv_nsec - a->tv_nsec) / 1e9;
}

void publish_progress_begin(struct publish_progress *p, struct publish_counts *counts, size_t jobs, bool quiet)
{
	memset(p, 0, sizeof(*p));
	p->counts = counts;
	p->jobs = jobs;
	p->active = !quiet && term_inspect(STDERR_FILENO).tty;
	clock_gettime(CLOCK_MONOTONIC, &p->begun);
	p->last = p->begun;
}

/* "3 of 10 jobs, 1234 rows, 0.5 M rows/s": tasks where there are any, else rows. */
static void describe(const struct publish_progress *p, double seconds, char *text, size_t size)
{
	long long tasks = atomic_load(&p->counts->tasks), rows = atomic_load(&p->counts->rows);
	long long amount = tasks ? tasks : rows;

	snprintf(text, size, "%lld of %zu jobs, %lld %s, %.2f M/s", (long long)atomic_load(&p->counts->stored), p->jobs,
	    amount, tasks ? "tasks" : "rows", seconds > 0 ? (double)amount / seconds / 1e6 : 0.0);
}

void publish_progress_update(struct publish_progress *p)
{
	struct timespec now;
	char text[160];

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (!p->active || seconds_between(&p->begun, &now) < 0.5 || seconds_between(&p->last, &now) < 0.2)
		return;
	p->last = now;
	p->shown = true;
	describe(p, seconds_between(&p->begun, &now), text, sizeof(text));
	fprintf(stderr, "\r\033[Kpublishing: %s", text);
	fflush(stderr);
}

void publish_progress_end(struct publish_progress *p, const struct options *options)
{
	struct timespec now;
	char text[160];

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (p->shown)
		fputs("\r\033[K", stderr);
	describe(p, seconds_between(&p->begun, &now), text, sizeof(text));
	message_info(options, "published %s", text);
}
