/* lanes.c: a sweep over the slices of a track. */
#include "page/lanes.h"

#include <stddef.h>

void mp_lanes_advance(struct mp_lanes *l, int64_t to_ns,
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

int mp_lanes_put(struct mp_lanes *l, const struct mp_lane *slice)
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

const struct mp_lane *mp_lanes_around(const struct mp_lanes *l, int64_t end_ns)
{
	for (int i = l->used; i-- > 0;)
		if (l->items[i].end_ns > l->now_ns && l->items[i].end_ns >= end_ns)
			return &l->items[i];
	return NULL;
}
