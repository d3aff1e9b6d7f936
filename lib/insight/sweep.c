/* sweep.c: one pass over sorted intervals. Knows neither steps nor operators. */
#include "insight/sweep.h"

int64_t mp_span_ns(int64_t start_ns, int64_t end_ns)
{
	int64_t span;

	return __builtin_sub_overflow(end_ns, start_ns, &span) ? (end_ns < start_ns ? INT64_MIN : INT64_MAX) : span;
}

int64_t mp_add_ns(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? (b < 0 ? INT64_MIN : INT64_MAX) : sum;
}

/* A stretch of time in which the same classes are active. */
struct state {
	const struct mp_sweep *sweep;
	struct mp_window *windows;
	size_t count, at;                         /* the first window that ends after `now_ns` */
	int64_t now_ns;                           /* all time before is done */
	int64_t end_ns[MP_CLASS_MAX];             /* of the intervals so far */
	uint32_t op[MP_CLASS_MAX];                /* the operator that ends then */
	const struct mp_interval *before, *after; /* the last one so far, and the next one */
};

/* Add [now, to) to a window that overlaps it; `class` is the lowest active one, or -1. */
static void add(struct state *s, struct mp_window *w, int class, int64_t to)
{
	int64_t from = w->start_ns > s->now_ns ? w->start_ns : s->now_ns;
	int64_t end = w->end_ns < to ? w->end_ns : to, ns = mp_span_ns(from, end);

	if (ns <= 0)
		return;
	if (class < 0) {
		const struct mp_gap gap = {w->id, from, end, s->before, s->after};

		w->idle_ns = mp_add_ns(w->idle_ns, ns);
		w->gaps++;
		if (s->sweep->gap)
			s->sweep->gap(s->sweep->user, &gap);
		return;
	}
	w->alone_ns[class] = mp_add_ns(w->alone_ns[class], ns);
	if (s->sweep->alone)
		s->sweep->alone(s->sweep->user, s->op[class], ns);
	for (int k = class; k < MP_CLASS_MAX; k++)
		if (s->end_ns[k] > from)
			w->own_ns[k] =
			    mp_add_ns(w->own_ns[k], mp_span_ns(from, s->end_ns[k] < end ? s->end_ns[k] : end));
}

/* All time before `to` is known. */
static void advance(struct state *s, int64_t to)
{
	while (s->now_ns < to) {
		int64_t until = to;
		int class = 0;

		while (class < MP_CLASS_MAX && s->end_ns[class] <= s->now_ns)
			class ++;
		if (class == MP_CLASS_MAX)
			class = -1;
		else if (s->end_ns[class] < until)
			until = s->end_ns[class];
		while (s->at < s->count && s->windows[s->at].end_ns <= s->now_ns)
			s->at++;
		for (size_t i = s->at; i < s->count && s->windows[i].start_ns < until; i++)
			add(s, &s->windows[i], class, until);
		s->now_ns = until;
	}
}

void mp_sweep(const struct mp_sweep *sweep, struct mp_window *windows, size_t count)
{
	struct state s = {.sweep = sweep, .windows = windows, .count = count};

	if (!count)
		return;
	s.now_ns = windows[0].start_ns;
	for (int k = 0; k < MP_CLASS_MAX; k++)
		s.end_ns[k] = INT64_MIN;
	for (size_t i = 0; i < sweep->intervals->count; i++) {
		const struct mp_interval *t = mp_intervals_at(sweep->intervals, i);
		int class = sweep->class_of(sweep->user, t->op);

		s.after = t;
		advance(&s, t->start_ns);
		if (t->end_ns > s.end_ns[class]) {
			s.end_ns[class] = t->end_ns;
			s.op[class] = t->op;
		}
		if (!s.before || t->end_ns >= s.before->end_ns)
			s.before = t;
	}
	s.after = NULL;
	advance(&s, windows[count - 1].end_ns);
}
