/* merge.c: a skew heap, whose items lie where the caller wants them. */
#include "recorder/merge.h"

#include "recorder/recorder.h"

/* Join two heaps from the top down; each item on the way exchanges its sides, which keeps the way short. */
static struct mp_merge *join(struct mp_merge *a, struct mp_merge *b)
{
	struct mp_merge *top = NULL, **place = &top;

	while (a && b) {
		struct mp_merge *first = a->end_ns <= b->end_ns ? a : b, *rest = first->right;

		b = first == a ? b : a;
		a = rest;
		first->right = first->left;
		*place = first;
		place = &first->left;
	}
	*place = a ? a : b;
	return top;
}

static void look(struct mp_merge *item)
{
	const struct mp_ring_slot *slot = &item->ring->memory->slots[item->ring->next & item->ring->mask];

	item->end_ns = slot->kind == MP_EVENT_OP ? 0 : slot->end_ns;
}

void mp_merge_add(struct mp_merge **top, struct mp_merge *item, struct mp_ring *ring, uint64_t end)
{
	*item = (struct mp_merge){.ring = ring, .end = end};
	if (ring->next == end)
		return;
	look(item);
	*top = join(*top, item);
}

void mp_merge_next(struct mp_merge **top)
{
	struct mp_merge *item = *top, *rest;

	if (item->ring->next != item->end) {
		look(item);
		if ((!item->left || item->end_ns <= item->left->end_ns) &&
		    (!item->right || item->end_ns <= item->right->end_ns))
			return; /* a thread makes many events in turn */
	}
	rest = join(item->left, item->right);
	item->left = item->right = NULL;
	*top = item->ring->next != item->end ? join(rest, item) : rest;
}
