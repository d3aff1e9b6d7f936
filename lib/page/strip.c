/* strip.c: one pass over the slices of a track. */
#include "page/strip.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "insight/sweep.h"

static int longest_first(const void *a, const void *b)
{
	const struct mp_kept *x = a, *y = b;

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
	const struct mp_kept *x = a, *y = b;

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

static bool add_mark(struct mp_strip *s, const struct mp_kept *mark)
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
	struct mp_kept mark = {.start_ns = start_ns, .dur_ns = end_ns - start_ns, .name = name};
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
