/*
 * lanes.c: first fit over a few lanes with nesting, and a heap of lanes without nesting behind them. Real data overlaps
 * little, so the first lane fits nearly always.
 */
#include "report/timeline.h"

#include <stdlib.h>

#include "base/vec.h"

enum { NESTING_LANES = 16, DEPTH_MAX = 256 };

/* The ends of the open events of a lane, outermost first. */
struct nest {
	int depth;
	size_t deepest; /* so far */
	int64_t *ends;
};

/* A lane without nesting, free again at end_ns. */
struct flat {
	int64_t end_ns;
	int64_t lane;
};

struct mp_lanes {
	bool begun;
	int64_t last_start_ns, last_end_ns;
	struct nest nests[NESTING_LANES];
	struct flat *heap; /* earliest end first */
	size_t heap_count;
};

int mp_lanes_create(struct mp_lanes **lanes, struct mp_error *err)
{
	*lanes = calloc(1, sizeof(**lanes));
	return *lanes ? 0 : mp_fail_memory(err, "the lanes of a timeline");
}

void mp_lanes_free(struct mp_lanes *lanes)
{
	if (!lanes)
		return;
	for (int i = 0; i < NESTING_LANES; i++)
		free(lanes->nests[i].ends);
	free(lanes->heap);
	free(lanes);
}

bool mp_lanes_in_order(const struct mp_lanes *lanes, int64_t start_ns, int64_t end_ns)
{
	return !lanes->begun || start_ns > lanes->last_start_ns ||
	       (start_ns == lanes->last_start_ns && end_ns <= lanes->last_end_ns);
}

/* Returns 1 when placed, 0 when the event does not fit, -1 when out of memory. */
static int place_nested(struct nest *n, int64_t start_ns, int64_t end_ns)
{
	while (n->depth && n->ends[n->depth - 1] <= start_ns)
		n->depth--;
	if (n->depth == DEPTH_MAX || (n->depth && n->ends[n->depth - 1] < end_ns))
		return 0;
	if (!mp_vec_reach(n->ends, &n->deepest, (size_t)n->depth + 1))
		return -1;
	n->ends[n->depth++] = end_ns;
	return 1;
}

static void sift_down(struct flat *heap, size_t count, size_t at)
{
	for (;;) {
		size_t child = 2 * at + 1;
		struct flat swap = heap[at];

		if (child >= count)
			return;
		if (child + 1 < count && heap[child + 1].end_ns < heap[child].end_ns)
			child++;
		if (heap[at].end_ns <= heap[child].end_ns)
			return;
		heap[at] = heap[child];
		heap[child] = swap;
		at = child;
	}
}

static void sift_up(struct flat *heap, size_t at)
{
	while (at && heap[at].end_ns < heap[(at - 1) / 2].end_ns) {
		struct flat swap = heap[at];

		heap[at] = heap[(at - 1) / 2];
		heap[(at - 1) / 2] = swap;
		at = (at - 1) / 2;
	}
}

int64_t mp_lanes_place(struct mp_lanes *lanes, int64_t start_ns, int64_t end_ns, struct mp_error *err)
{
	lanes->begun = true;
	lanes->last_start_ns = start_ns;
	lanes->last_end_ns = end_ns;
	for (int i = 0; i < NESTING_LANES; i++) {
		int placed = place_nested(&lanes->nests[i], start_ns, end_ns);

		if (placed)
			return placed > 0 ? i : mp_fail_memory(err, "the lanes of a timeline");
	}
	if (lanes->heap_count && lanes->heap[0].end_ns <= start_ns) {
		int64_t lane = lanes->heap[0].lane;

		lanes->heap[0].end_ns = end_ns;
		sift_down(lanes->heap, lanes->heap_count, 0);
		return lane;
	}
	if (!mp_vec_room(lanes->heap, lanes->heap_count, 1))
		return mp_fail_memory(err, "the lanes of a timeline");
	lanes->heap[lanes->heap_count] = (struct flat){end_ns, NESTING_LANES + (int64_t)lanes->heap_count};
	sift_up(lanes->heap, lanes->heap_count++);
	return NESTING_LANES + (int64_t)lanes->heap_count - 1;
}
