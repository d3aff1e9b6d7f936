/* sweep.c: one pass over sorted intervals. Knows neither steps nor operators. */
#include "insight/sweep.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/dir.h"

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
	struct mp_sweep_window *windows;
	size_t count, at;                         /* the first window that ends after `now_ns` */
	int64_t now_ns;                           /* all time before is done */
	int64_t end_ns[MP_CLASS_MAX];             /* of the intervals so far */
	uint32_t op[MP_CLASS_MAX];                /* the operator that ends then */
	const struct mp_interval *before, *after; /* the last one so far, and the next one */
};

/* Add [now, to) to a window that overlaps it; `class` is the lowest active one, or -1. */
static void add(struct state *s, struct mp_sweep_window *w, int class, int64_t to)
{
	int64_t from = w->start_ns > s->now_ns ? w->start_ns : s->now_ns;
	int64_t end = w->end_ns < to ? w->end_ns : to, ns = mp_span_ns(from, end);

	if (ns <= 0)
		return;
	if (class < 0) {
		const struct mp_idle_gap gap = {w->id, from, end, s->before, s->after};

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

void mp_sweep(const struct mp_sweep *sweep, struct mp_windows *windows)
{
	struct state s = {.sweep = sweep, .windows = windows->items, .count = windows->count};

	if (!s.count)
		return;
	s.now_ns = s.windows[0].start_ns;
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
	advance(&s, s.windows[s.count - 1].end_ns);
}

static int add_window(struct mp_windows *w, struct mp_sweep_window window, struct mp_error *err)
{
	if (!mp_vec_room(w->items, w->count, 1))
		return mp_fail_memory(err, "steps");
	w->items[w->count++] = window;
	return 0;
}

int mp_windows_read(struct mp_windows *w, struct mp_db *db, int64_t track, struct mp_error *err)
{
	static const char sql[] = "SELECT id, start_ns, end_ns FROM temp.range WHERE track = :track ORDER BY start_ns";
	struct mp_query *q;
	int status = mp_query_ask(&q, db, sql, MP_VALUES(mp_int(track)), err);

	for (w->count = 0; status == 1; status = mp_query_next(q, err))
		if (add_window(w,
			(struct mp_sweep_window){
			    .id = mp_query_int(q, 0), .start_ns = mp_query_int(q, 1), .end_ns = mp_query_int(q, 2)},
			err)) {
			status = -1;
			break;
		}
	mp_query_close(q);
	return status;
}

int mp_windows_whole(struct mp_windows *w, int64_t track, struct mp_intervals *v, struct mp_error *err)
{
	struct mp_sweep_window whole = {.id = track, .start_ns = mp_intervals_at(v, 0)->start_ns};

	whole.end_ns = whole.start_ns;
	for (size_t i = 0; i < v->count; i++) {
		const struct mp_interval *t = mp_intervals_at(v, i);

		if (t->end_ns > whole.end_ns)
			whole.end_ns = t->end_ns;
	}
	return add_window(w, whole, err);
}

void mp_windows_free(struct mp_windows *w)
{
	free(w->items);
	*w = (struct mp_windows){.count = 0};
}

/* Keeps the longest of many gaps in bounded memory. */

static int longest_first(const void *a, const void *b)
{
	const struct mp_kept_gap *x = a, *y = b;
	int64_t x_ns = mp_span_ns(x->start_ns, x->end_ns), y_ns = mp_span_ns(y->start_ns, y->end_ns);

	if (x_ns != y_ns)
		return x_ns > y_ns ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->window < y->window ? -1 : x->window > y->window;
}

void mp_gaps_finish(struct mp_gaps *gaps)
{
	qsort(gaps->kept, (size_t)gaps->count, sizeof(gaps->kept[0]), longest_first);
	if (gaps->count > MP_GAPS_KEPT)
		gaps->count = MP_GAPS_KEPT;
}

enum mp_gap_reason mp_gap_reason(const struct mp_idle_gap *gap)
{
	if (!gap->after)
		return MP_GAP_END;
	if (gap->after->launch_ns == INT64_MIN)
		return MP_GAP_UNLINKED;
	return gap->after->launch_ns >= gap->start_ns ? MP_GAP_HOST_LATE : MP_GAP_DEVICE_WAIT;
}

void mp_gaps_add(struct mp_gaps *gaps, const struct mp_idle_gap *gap, enum mp_gap_reason reason)
{
	const struct mp_kept_gap kept = {.window = gap->window,
	    .start_ns = gap->start_ns,
	    .end_ns = gap->end_ns,
	    .reason = reason,
	    .before_op = gap->before ? (int64_t)gap->before->op : -1,
	    .before_row = gap->before ? (int64_t)gap->before->row : -1,
	    .after_op = gap->after ? (int64_t)gap->after->op : -1,
	    .after_row = gap->after ? (int64_t)gap->after->row : -1,
	    .launch_ns = gap->after ? gap->after->launch_ns : INT64_MIN};

	gaps->number[reason]++;
	gaps->total_ns[reason] = mp_add_ns(gaps->total_ns[reason], mp_span_ns(gap->start_ns, gap->end_ns));
	/* after a sort the last one kept is the shortest that counts */
	if (gaps->is_full && longest_first(&kept, &gaps->kept[MP_GAPS_KEPT - 1]) > 0)
		return;
	if (gaps->count == 2 * MP_GAPS_KEPT) {
		mp_gaps_finish(gaps);
		gaps->is_full = true;
	}
	gaps->kept[gaps->count++] = kept;
}

/* The union of intervals, read once. */

static int read_next(struct mp_coverage *c, struct mp_error *err)
{
	int status = mp_query_next(c->query, err);

	c->more = status == 1;
	if (c->more) {
		c->next_start_ns = mp_query_int(c->query, 0);
		c->next_end_ns = mp_query_int(c->query, 1);
	}
	return status < 0 ? -1 : 0;
}

static void add_next(struct mp_coverage *c)
{
	if (c->next_start_ns > c->end_ns) {
		c->before_ns = mp_add_ns(c->before_ns, mp_span_ns(c->start_ns, c->end_ns));
		c->start_ns = c->next_start_ns;
		c->end_ns = c->next_start_ns;
	}
	if (c->next_end_ns > c->end_ns)
		c->end_ns = c->next_end_ns;
}

int mp_coverage_until(struct mp_coverage *c, int64_t at_ns, int64_t *covered_ns, struct mp_error *err)
{
	int64_t end_ns;

	if (!c->begun) {
		c->begun = true;
		if (read_next(c, err))
			return -1;
		c->start_ns = c->end_ns = c->next_start_ns;
	}
	while (c->more && c->next_start_ns < at_ns) {
		add_next(c);
		if (read_next(c, err))
			return -1;
	}
	end_ns = c->end_ns < at_ns ? c->end_ns : at_ns;
	*covered_ns = end_ns > c->start_ns ? mp_add_ns(c->before_ns, mp_span_ns(c->start_ns, end_ns)) : c->before_ns;
	return 0;
}

/* An array of intervals, and its sort. */

/* Make room for one more. */
static bool grow(struct mp_intervals *v)
{
	if ((v->count + 1) * sizeof(struct mp_interval) <= v->array.room)
		return true;
	if (!v->dir)
		v->dir = mp_dir_open_temporary() + 1; /* without one the array stays in memory */
	return mp_big_grow(&v->array, v->dir - 1);
}

bool mp_intervals_add(struct mp_intervals *v, const struct mp_interval *interval)
{
	if (!grow(v))
		return false;
	*mp_intervals_at(v, v->count++) = *interval;
	return true;
}

void mp_intervals_free(struct mp_intervals *v)
{
	mp_big_free(&v->array);
	if (v->dir)
		close(v->dir - 1); /* no data was written through this descriptor */
	*v = (struct mp_intervals){.count = 0};
}

static int by_start(const void *a, const void *b)
{
	const struct mp_interval *x = a, *y = b;

	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

bool mp_intervals_sort(struct mp_intervals *v)
{
	return mp_big_sort(&v->array, v->count, sizeof(struct mp_interval), by_start, v->dir - 1);
}
