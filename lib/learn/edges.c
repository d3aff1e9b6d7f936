/* edges.c: finds where the first record of a file begins, and which bytes tell records of tasks from others. */
#include <stdlib.h>
#include <string.h>

#include "learn/search.h"

enum { MATCH_MAX = 8 };

/* The bytes that are the same in all records of tasks, but for a few damaged ones. */
struct constants {
	bool is[MP_RECORD_SIZE_MAX];
	unsigned char value[MP_RECORD_SIZE_MAX];
	size_t count;
};

static void find_constants(struct constants *c, const struct mp_solution *s)
{
	memset(c, 0, sizeof(*c));
	for (size_t at = 0; at < s->shape.record; at++) {
		size_t counts[256] = {0}, all = 0, most = 0;

		for (size_t i = 0; i < s->units.count; i++)
			if (s->mapped[i]) {
				counts[s->units.items[i].own[at]]++;
				all++;
			}
		for (unsigned v = 0; v < 256; v++)
			if (counts[v] > most) {
				most = counts[v];
				c->value[at] = (unsigned char)v;
			}
		c->is[at] = all > 1 && most * 20 >= all * 19;
		c->count += c->is[at];
	}
}

/* Returns whether a record has nearly all of the constants. */
static bool alike(const struct constants *c, const unsigned char *own, size_t record)
{
	size_t same = 0;

	for (size_t at = 0; at < record; at++)
		same += c->is[at] && own[at] == c->value[at];
	return same * 10 >= c->count * 8;
}

/* Returns whether a number of a record lies over a byte. */
static bool is_of(const struct mp_solution *s, struct mp_place place, size_t at)
{
	size_t begin = place.offset % s->shape.record;

	return at >= begin && at < begin + mp_type_width(place.type);
}

bool mp_is_column(const struct mp_solution *s, size_t at)
{
	for (size_t i = 0; i < s->part_count; i++)
		if (s->parts[i].found && is_of(s, s->parts[i].candidate.place, at))
			return true;
	if (is_of(s, s->times.end, at) || (s->times.has_start && is_of(s, s->times.start, at)))
		return true;
	return at >= s->name_offset && at < s->name_offset + (s->name_width ? s->name_width : s->name_least);
}

/* Returns whether a record has no time and no number: zeros look like records whose other bytes are zero. */
static bool is_blank(const struct mp_solution *s, const unsigned char *own)
{
	for (size_t at = 0; at < s->shape.record; at++)
		if (own[at] && mp_is_column(s, at))
			return false;
	return true;
}

/* How many records of a file come before those of tasks, and do not look like them. */
static size_t leading(const struct constants *c, const struct mp_raw *raw, const struct mp_solution *s, size_t part)
{
	const unsigned char *bytes = raw->bytes + raw->parts[part].begin;
	size_t size = raw->parts[part].size, record = s->shape.record, end = size, count = 0;

	/* the first record with a row is no header, whatever it looks like */
	for (size_t i = 0; i < s->units.count; i++) {
		const struct mp_unit_of_row *u = &s->units.items[i];

		if (u->part != part || !s->mapped[i])
			continue;
		end = (size_t)(u->own - bytes) < end ? (size_t)(u->own - bytes) : end;
		if (u->start && (size_t)(u->start - bytes) < end)
			end = (size_t)(u->start - bytes);
	}
	for (size_t at = s->shape.phase; at < end && at + record <= size; at += record) {
		if (alike(c, bytes + at, record) && !is_blank(s, bytes + at))
			break;
		count++;
	}
	return count;
}

size_t mp_find_header(const struct mp_raw *raw, const struct mp_solution *s)
{
	struct constants c;
	size_t least = SIZE_MAX;

	find_constants(&c, s);
	if (c.count == 0)
		return s->shape.phase;
	for (size_t i = 0; i < raw->part_count; i++) {
		size_t count = leading(&c, raw, s, i);

		least = count < least ? count : least;
	}
	while (least > 0 && s->shape.phase + least * s->shape.record > MP_HEADER_MAX)
		least--;
	return s->shape.phase + least * s->shape.record;
}

static void add(struct mp_match_found *match, size_t offset, unsigned char value)
{
	for (unsigned i = 0; i < match->count; i++)
		if (match->offsets[i] == offset)
			return;
	if (match->count == MATCH_MAX)
		return;
	match->offsets[match->count] = (unsigned)offset;
	match->values[match->count++] = value;
}

static void set_kind(struct mp_match_found *match, size_t offset, unsigned char value)
{
	match->has_kind = true;
	match->kind_offset = (unsigned)offset;
	match->kind = value;
}

/* The byte that most records without rows lack: it tells kinds apart, if there are more kinds than one. */
static void find_kind(struct mp_match_found *match, const struct constants *c, const struct mp_solution *s)
{
	size_t best = 0, most = 0, others = 0;

	for (size_t i = 0; i < s->units.count; i++)
		others += !s->mapped[i] && !alike(c, s->units.items[i].own, s->shape.record);
	for (size_t at = 0; at < s->shape.record; at++) {
		size_t apart = 0, misses = 0;

		if (!c->is[at] || mp_is_column(s, at))
			continue;
		for (size_t i = 0; i < s->units.count; i++) {
			bool other = s->units.items[i].own[at] != c->value[at];

			apart += other && !s->mapped[i];
			misses += other && s->mapped[i];
		}
		/* a row may have been given the record of another kind; seldom */
		apart = apart > 8 * misses ? apart - 8 * misses : 0;
		if (apart > most) {
			most = apart;
			best = at;
		}
	}
	if (most == 0 || most * 50 <= s->units.count || most < others / 2)
		return;
	/* a byte that only tells records from the header */
	if (match->has_kind)
		add(match, match->kind_offset, match->kind);
	set_kind(match, best, c->value[best]);
}

void mp_find_match(struct mp_match_found *match, const struct mp_solution *s)
{
	struct constants c;

	find_constants(&c, s);
	*match = (struct mp_match_found){0};
	for (unsigned i = 0; i < s->mark_count; i++)
		add(match, s->mark_offsets[i], s->marks[i]);
	if (s->tagged)
		set_kind(match, s->kind_offset, s->kind);
	/* two bytes that are not 0 at the begin of a record are there to be recognised */
	if (s->shape.record > 2 && !(s->paired && s->tag_offset < 2) && c.is[0] && c.is[1] && c.value[0] &&
	    c.value[1] && !mp_is_column(s, 0) && !mp_is_column(s, 1)) {
		add(match, 0, c.value[0]);
		add(match, 1, c.value[1]);
	}
	/* without marks no record is found behind damage */
	for (unsigned i = 0; i < s->units.sync_count; i++)
		if (!mp_is_column(s, s->units.sync_offsets[i]))
			add(match, s->units.sync_offsets[i], s->units.sync_values[i]);
	if (!s->paired && !(s->tagged && s->is_of_calls))
		find_kind(match, &c, s);
	/* what all records have tells no kind */
	for (unsigned i = 0; i < match->count; i++)
		match->has_kind &= match->offsets[i] != match->kind_offset;
}
