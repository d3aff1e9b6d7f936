/* calls_kinds.c: bytes that tell records of calls from records of other kinds, and from damage. */
#include <string.h>

#include "learn/calls_internal.h"

enum { MARKS_MAX = 4 };

/* How well a byte tells records with names from others. 0: not at all. */
static size_t kind_score(const struct mp_call_grid *g, size_t at, unsigned char *value)
{
	size_t counts[256] = {0}, named = 0, apart = 0, different = 0;

	for (size_t u = 0; u < g->units.count; u++)
		if (g->names[u] != MP_NO_NAME) {
			counts[g->units.items[u].own[at]]++;
			named++;
		}
	for (unsigned v = 0; v < 256; v++)
		if (counts[v] > counts[*value])
			*value = (unsigned char)v;
	if (counts[*value] * 20 < named * 19)
		return 0;
	memset(counts, 0, sizeof(counts));
	for (size_t u = 0; u < g->units.count; u++)
		if (g->names[u] == MP_NO_NAME) {
			apart += g->units.items[u].own[at] != *value;
			different += counts[g->units.items[u].own[at]]++ == 0;
		}
	/* the byte of a kind has few values, and is seldom 0 */
	return apart * 600 + (different < 256 ? 256 - different : 0) + (*value ? 64 : 0);
}

/* Find the byte that records of other kinds lack. Returns whether there is one, or no other kind. */
bool mp_call_find_kind(const struct mp_call_grid *g, struct mp_solution *s)
{
	size_t best = 0, others = 0;

	for (size_t u = 0; u < g->units.count; u++)
		others += g->names[u] == MP_NO_NAME;
	/* a few records are damaged ones */
	if (others * 20 < g->units.count)
		return true;
	for (size_t at = 0; at < g->record; at++) {
		struct mp_place place = {(unsigned)at, MP_TYPE_U8};
		unsigned char value = 0;
		size_t score = mp_call_place_is_taken(s, place) ? 0 : kind_score(g, at, &value);

		if (score <= best)
			continue;
		best = score;
		s->tagged = true;
		s->kind_offset = (unsigned)at;
		s->kind = value;
	}
	return best / 600 * 10 >= others * 9;
}

/* Returns whether records were moved by damage, or a few were lost. */
bool mp_call_is_damaged(const struct mp_call_hunt *h, const struct mp_call_grid *g)
{
	size_t others = 0;

	for (size_t u = 0; u < g->units.count; u++)
		others += g->names[u] == MP_NO_NAME;
	for (size_t i = 1; i < h->spots.count; i++)
		if (h->spots.items[i].part == h->spots.items[i - 1].part &&
		    (h->spots.items[i].at - h->spots.items[i - 1].at) % g->record != 0)
			return true;
	return others > 0 && others * 8 < g->units.count;
}

/* Returns whether nearly all records have the same byte here. */
static bool is_mark(const struct mp_call_grid *g, size_t at, unsigned char value)
{
	size_t same = 0;

	for (size_t u = 0; u < g->units.count; u++) {
		same += g->units.items[u].own[at] == value;
		if (g->names[u] != MP_NO_NAME && g->units.items[u].own[at] != value)
			return false;
	}
	return same * 10 >= g->units.count * 9;
}

/* Bytes by which records are found again behind damage. */
void mp_call_find_marks(const struct mp_call_grid *g, struct mp_solution *s)
{
	for (size_t at = 0; at < g->record && g->units.count && s->mark_count < MARKS_MAX; at++) {
		struct mp_place place = {(unsigned)at, MP_TYPE_U8};
		unsigned char value = 0;

		for (size_t u = 0; u < g->units.count && !value; u++)
			value = g->names[u] != MP_NO_NAME ? g->units.items[u].own[at] : 0;
		if (!value || mp_call_place_is_taken(s, place) || !is_mark(g, at, value))
			continue;
		s->mark_offsets[s->mark_count] = (unsigned)at;
		s->marks[s->mark_count++] = value;
	}
}
