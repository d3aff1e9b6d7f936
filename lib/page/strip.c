/* strip.c: one pass over the slices of a track. */
#include "page/strip.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/index.h"
#include "base/vec.h"
#include "base/wide.h"
#include "insight/sweep.h"

static int longest_first(const void *a, const void *b)
{
	const struct mp_strip_kept *x = a, *y = b;

	if (x->dur_ns != y->dur_ns)
		return x->dur_ns > y->dur_ns ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->depth != y->depth)
		return x->depth < y->depth ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

static int by_start(const void *a, const void *b)
{
	const struct mp_strip_kept *x = a, *y = b;

	return x->start_ns != y->start_ns ? (x->start_ns < y->start_ns ? -1 : 1) : longest_first(a, b);
}

void mp_strip_begin(struct mp_strip *s, struct mp_stacks *stacks)
{
	*s = (struct mp_strip){.stacks = stacks};
}

bool mp_strip_begin_levels(
    struct mp_strip *s, struct mp_stacks *stacks, size_t longest, int32_t bins, int64_t length_ns)
{
	const int32_t counts[MP_STRIP_LEVELS] = {MP_COARSE_BINS, bins};

	mp_strip_begin(s, stacks);
	s->longest = longest;
	for (int i = bins > MP_COARSE_BINS ? 0 : 1; i < MP_STRIP_LEVELS; i++)
		if (!mp_level_begin(&s->levels[s->level_count++], counts[i], length_ns))
			return false;
	return true;
}

static void add_stretch(void *user, int64_t from_ns, int64_t to_ns, const struct mp_lane *lane)
{
	struct mp_strip *s = user;

	for (int i = 0; i < s->level_count; i++)
		if (!mp_level_add(&s->levels[i], from_ns, to_ns, lane->name))
			s->is_failed = true;
	if (s->stacks && lane->node >= 0) {
		int64_t *self_ns = &s->stacks->nodes[lane->node].self_ns; /* of all threads */

		*self_ns = mp_add_ns(*self_ns, to_ns - from_ns);
	}
}

static void cut(struct mp_strip *s)
{
	qsort(s->marks, s->count, sizeof(*s->marks), longest_first);
	if (s->count > s->longest)
		s->count = s->longest;
}

static bool add_mark(struct mp_strip *s, const struct mp_strip_kept *mark)
{
	if (s->is_full && longest_first(mark, &s->marks[s->longest - 1]) > 0)
		return true;
	if (s->longest && s->count == 2 * s->longest) {
		cut(s);
		s->is_full = true;
	}
	if (!mp_vec_room(s->marks, s->count, 1))
		return false;
	s->marks[s->count++] = *mark;
	return true;
}

/* The node of a call of the host. */
static bool find_node(struct mp_strip *s, int64_t dur_ns, int64_t end_ns, struct mp_lane *lane)
{
	const struct mp_lane *around = mp_lanes_around(&s->lanes, end_ns);

	if (around && around->node < 0) {
		s->stacks->omitted++;
		return true;
	}
	return mp_stacks_add(s->stacks, around ? around->node : -1, lane->name, dur_ns, &lane->node);
}

bool mp_strip_add(struct mp_strip *s, int64_t start_ns, int64_t end_ns, uint32_t name)
{
	struct mp_strip_kept mark = {.start_ns = start_ns, .dur_ns = end_ns - start_ns, .name = name};
	struct mp_lane lane = {.end_ns = end_ns, .name = name, .node = -1};

	mp_lanes_advance(&s->lanes, start_ns, add_stretch, s);
	if (s->stacks && !find_node(s, mark.dur_ns, end_ns, &lane))
		return false;
	mark.depth = (uint32_t)mp_lanes_put(&s->lanes, &lane);
	for (int i = 0; i < s->level_count; i++)
		mp_level_start(&s->levels[i], start_ns);
	return add_mark(s, &mark) && !s->is_failed;
}

bool mp_strip_end(struct mp_strip *s)
{
	mp_lanes_advance(&s->lanes, INT64_MAX, add_stretch, s);
	for (int i = 0; i < s->level_count; i++)
		mp_level_end(&s->levels[i]);
	if (s->longest) {
		cut(s);
		qsort(s->marks, s->count, sizeof(*s->marks), by_start);
	}
	return !s->is_failed;
}

void mp_strip_free(struct mp_strip *s)
{
	for (int i = 0; i < s->level_count; i++)
		mp_level_free(&s->levels[i]);
	free(s->marks);
	memset(s, 0, sizeof(*s));
}

/* A sweep over the slices of a track. */

void mp_lanes_advance(struct mp_strip_lanes *l, int64_t to_ns,
    void (*stretch)(void *user, int64_t from_ns, int64_t to_ns, const struct mp_lane *lane), void *user)
{
	while (l->now_ns < to_ns) {
		const struct mp_lane *deepest;
		int64_t until = to_ns;

		while (l->used && l->items[l->used - 1].end_ns <= l->now_ns)
			l->used--;
		if (!l->used)
			break;
		deepest = &l->items[l->used - 1];
		if (deepest->end_ns < until)
			until = deepest->end_ns;
		stretch(user, l->now_ns, until, deepest);
		l->now_ns = until;
	}
	l->now_ns = to_ns;
	while (l->used && l->items[l->used - 1].end_ns <= to_ns)
		l->used--;
}

int mp_lanes_put(struct mp_strip_lanes *l, const struct mp_lane *slice)
{
	int at = 0;

	while (at < l->used && l->items[at].end_ns > l->now_ns)
		at++;
	if (at == MP_LANES_MAX)
		at--;
	l->items[at] = *slice;
	if (at == l->used)
		l->used++;
	return at;
}

const struct mp_lane *mp_lanes_around(const struct mp_strip_lanes *l, int64_t end_ns)
{
	for (int i = l->used; i-- > 0;)
		if (l->items[i].end_ns > l->now_ns && l->items[i].end_ns >= end_ns)
			return &l->items[i];
	return NULL;
}

/* Bins of time. Knows no track. */

enum { FIRST_ROOM = 64 };

/* Where a bin begins. */
static int64_t edge(const struct mp_level *l, int32_t bin)
{
	mp_wide rest, at = mp_wide_product((uint64_t)l->length_ns, (uint32_t)bin);

	return (int64_t)mp_wide_low(mp_wide_divide(at, mp_wide_of(0, (uint32_t)l->count), &rest));
}

/* Names of earlier bins count as free, so that a bin begins without clearing: base/index.h has no such places. */
static struct mp_bin_name *find(struct mp_bin_name *names, size_t room, int32_t bin, uint32_t name)
{
	size_t at = (size_t)mp_hash_mix(0, name) & (room - 1);

	while (names[at].bin == bin + 1 && names[at].name != name)
		at = (at + 1) & (room - 1);
	return &names[at];
}

static bool grow(struct mp_level *l)
{
	size_t room = l->room ? 2 * l->room : FIRST_ROOM;
	struct mp_bin_name *names = calloc(room, sizeof(*names));

	if (!names)
		return false;
	for (size_t i = 0; i < l->room; i++)
		if (l->names[i].bin == l->at + 1)
			*find(names, room, l->at, l->names[i].name) = l->names[i];
	free(l->names);
	l->names = names;
	l->room = room;
	return true;
}

bool mp_level_begin(struct mp_level *l, int32_t bins, int64_t length_ns)
{
	*l = (struct mp_level){.length_ns = length_ns, .count = bins};
	l->bins = calloc((size_t)bins, sizeof(*l->bins));
	if (!l->bins || !grow(l))
		return false;
	for (int32_t i = 0; i < bins; i++)
		l->bins[i].top = -1;
	l->end_ns = l->start_end_ns = edge(l, 1);
	return true;
}

/* Store the busy share of the current bin. */
static void finish(struct mp_level *l)
{
	int64_t width = l->end_ns - l->begin_ns;

	if (width > 0)
		l->bins[l->at].busy = (uint8_t)((255.0 * (double)l->busy_ns) / (double)width + 0.5);
	l->busy_ns = l->most_ns = 0;
	l->used = 0;
}

static bool add_part(struct mp_level *l, int64_t ns, uint32_t name)
{
	struct mp_bin *bin = &l->bins[l->at];
	struct mp_bin_name *n;

	if (2 * l->used >= l->room && !grow(l))
		return false;
	n = find(l->names, l->room, l->at, name);
	if (n->bin != l->at + 1) {
		*n = (struct mp_bin_name){name, l->at + 1, 0};
		l->used++;
	}
	n->ns += ns;
	l->busy_ns += ns;
	if (n->ns > l->most_ns || (n->ns == l->most_ns && (int32_t)name < bin->top)) {
		l->most_ns = n->ns;
		bin->top = (int32_t)name;
	}
	return true;
}

bool mp_level_add(struct mp_level *l, int64_t from_ns, int64_t to_ns, uint32_t name)
{
	while (from_ns < to_ns) {
		int64_t until;

		if (l->end_ns <= from_ns) {
			if (l->at + 1 == l->count)
				break;
			finish(l);
			l->at++;
			l->begin_ns = l->end_ns;
			l->end_ns = edge(l, l->at + 1);
			continue;
		}
		until = l->end_ns < to_ns ? l->end_ns : to_ns;
		if (!add_part(l, until - from_ns, name))
			return false;
		from_ns = until;
	}
	return true;
}

void mp_level_start(struct mp_level *l, int64_t start_ns)
{
	while (l->start_at + 1 < l->count && l->start_end_ns <= start_ns) {
		l->start_at++;
		l->start_end_ns = edge(l, l->start_at + 1);
	}
	l->bins[l->start_at].count++;
}

void mp_level_end(struct mp_level *l)
{
	finish(l);
}

void mp_level_free(struct mp_level *l)
{
	free(l->bins);
	free(l->names);
	memset(l, 0, sizeof(*l));
}

/* The least and the greatest value of each stretch of a curve. */

bool mp_thin_look(struct mp_thin *t, int64_t time_ns, double value)
{
	if (!t->points) {
		t->points = malloc(MP_THIN_POINTS * sizeof(*t->points));
		if (!t->points)
			return false;
	}
	if (!t->seen || time_ns < t->first_ns)
		t->first_ns = time_ns;
	if (!t->seen || time_ns > t->last_ns)
		t->last_ns = time_ns;
	if (t->seen < MP_THIN_POINTS)
		t->points[t->count++] = (struct mp_point){time_ns, value};
	t->seen++;
	return true;
}

bool mp_thin_add(struct mp_thin *t, int64_t time_ns, double value)
{
	const struct mp_point p = {time_ns, value};
	int64_t length_ns = mp_add_ns(mp_span_ns(t->first_ns, t->last_ns), 1);
	struct mp_strip_stretch *s;

	if (!t->stretches)
		t->stretches = calloc(MP_THIN_STRETCHES, sizeof(*t->stretches));
	if (!t->stretches)
		return false;
	s = &t->stretches[(size_t)((double)mp_span_ns(t->first_ns, time_ns) / (double)length_ns * MP_THIN_STRETCHES)];
	if (s == t->stretches + MP_THIN_STRETCHES)
		s--;
	if (!s->has_point || value < s->least.value || (value <= s->least.value && time_ns < s->least.time_ns))
		s->least = p;
	if (!s->has_point || value > s->most.value || (value >= s->most.value && time_ns < s->most.time_ns))
		s->most = p;
	s->has_point = true;
	return true;
}

static int by_time(const void *a, const void *b)
{
	const struct mp_point *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

void mp_thin_end(struct mp_thin *t)
{
	if (t->stretches)
		t->count = 0;
	for (size_t i = 0; t->stretches && i < MP_THIN_STRETCHES; i++) {
		const struct mp_strip_stretch *s = &t->stretches[i];

		if (!s->has_point)
			continue;
		t->points[t->count++] = s->least;
		if (by_time(&s->least, &s->most) != 0)
			t->points[t->count++] = s->most;
	}
	if (t->count)
		qsort(t->points, t->count, sizeof(*t->points), by_time);
}

void mp_thin_free(struct mp_thin *t)
{
	free(t->points);
	free(t->stretches);
	memset(t, 0, sizeof(*t));
}
