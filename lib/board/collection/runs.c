/* runs.c: runs the program as often as asked for, and fetches, or throws away, what each run made. */
#include "board/collection/collect_internal.h"

/* A run of several, or the only one. */
struct turn {
	const char *kind;
	int at, of;
	int after; /* runs that are still to be made */
	bool only; /* there is no other run and no warm-up */
};

static void tell_begin(struct mp_collect *c, const struct turn *t)
{
	if (t->only)
		mp_collect_say(c, MP_COLLECT_INFO, "running '%s' in '%s'", c->main_name, c->run_dir);
	else
		mp_collect_say(c, MP_COLLECT_INFO, "%s %d of %d: running '%s' in '%s'", t->kind, t->at, t->of,
		    c->main_name, c->run_dir);
}

/* JOBs since `first` are of a run that failed or was stopped: a comparison would take them for samples. */
static void tell_failed(struct mp_collect *c, const struct turn *t, size_t first)
{
	for (size_t i = first; i < c->done_count; i++)
		mp_collect_say(c, MP_COLLECT_WARNING, "%s is of a run that failed: it is not a sample", c->done[i]);
	if (t->after)
		mp_collect_say(c, MP_COLLECT_WARNING, "%s %d of %d did not succeed: %d further run%s not made", t->kind,
		    t->at, t->of, t->after, t->after == 1 ? " is" : "s are");
	else
		mp_collect_say(c, MP_COLLECT_WARNING, "%s %d of %d did not succeed", t->kind, t->at, t->of);
}

/* Files that were left out of a JOB end no repetition. */
static bool failed(const struct mp_collect *c)
{
	return (c->outcome & ~(unsigned)MP_COLLECT_DAMAGED) != 0;
}

/* Returns 0 when another run may follow, 1 when none should, -1 when the program did not run to its end. */
static int take_turn(struct mp_collect *c, const struct turn *t, struct mp_error *err)
{
	size_t first = c->done_count;

	if (c->done_count && mp_collect_interrupts(c) > 0) {
		c->outcome |= MP_COLLECT_INTERRUPTED;
		return 1;
	}
	tell_begin(c, t);
	if (mp_collect_program(c, err))
		return -1;
	if (c->warm_up && !failed(c))
		mp_collect_jobs_discard(c);
	else
		mp_collect_jobs_pull(c);
	if (!failed(c))
		return 0;
	if (!t->only)
		tell_failed(c, t, first);
	return 1;
}

int mp_collect_runs(struct mp_collect *c, struct mp_error *err)
{
	const int warm_ups = c->options->discard, runs = c->options->repeat > 1 ? c->options->repeat : 1;
	int status = 0;

	c->warm_up = true;
	for (int i = 1; i <= warm_ups && !status; i++)
		status = take_turn(c, &(struct turn){"warm-up", i, warm_ups, warm_ups - i + runs, false}, err);
	c->warm_up = false;
	for (int i = 1; i <= runs && !status; i++) {
		c->runs_left = runs - i;
		if (mp_collect_record_write(c, err))
			return -1;
		status = take_turn(c, &(struct turn){"run", i, runs, runs - i, runs == 1 && !warm_ups}, err);
		if (status < 0)
			c->unfinished = true;
	}
	return status < 0 ? -1 : 0;
}
