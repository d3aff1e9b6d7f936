/* level.c: bins of time. Knows no track. */
#include "page/level.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/wide.h"

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
