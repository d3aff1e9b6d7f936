/*
 * widen.c: numbers that are wider than the rows of a table show. A table that was cut may show small numbers only,
 * whose upper bytes are zero; the other records say how wide they are.
 */
#include "learn/search.h"

/* The bytes that a wider number has more: `from` to `to` of a record. Returns false where there is no room. */
static bool wider(struct mp_place *place, const struct mp_solution *s, unsigned *from, unsigned *to)
{
	unsigned width = mp_type_width(place->type);

	if (place->type >= MP_TYPE_U64)
		return false;
	*from = s->shape.big_endian ? place->offset - width : place->offset + width;
	if ((s->shape.big_endian && place->offset < width) || *from + width > s->shape.record)
		return false;
	*to = *from + width;
	place->type++;
	place->offset = s->shape.big_endian ? *from : place->offset;
	for (unsigned at = *from; at < *to; at++)
		if (mp_is_column(s, at) || (s->paired && at == s->tag_offset))
			return false;
	return true;
}

/*
 * Returns whether a unit is a record as the layout has them: whole records behind the header, and with the bytes of all
 * records. Behind damage these bytes may be no record.
 */
static bool is_record(const struct mp_raw *raw, const struct mp_solution *s, const struct mp_match_found *match,
    size_t header, size_t unit)
{
	const struct mp_unit_of_row *u = &s->units.items[unit];
	size_t at = (size_t)(u->own - raw->bytes) - raw->parts[u->part].begin;

	for (unsigned i = 0; i < match->count; i++)
		if (u->own[match->offsets[i]] != match->values[i])
			return false;
	return at >= header && (at - header) % s->shape.record == 0 &&
	       (!match->has_kind || u->own[match->kind_offset] == match->kind);
}

static bool is_zero(const unsigned char *own, unsigned from, unsigned to)
{
	for (; from < to; from++)
		if (own[from])
			return false;
	return true;
}

/* Make a number as wide as all records say, where the rows of tables are no wider. Returns whether it became wider. */
static bool widen(struct mp_place *place, const struct mp_raw *raw, const struct mp_solution *s,
    const struct mp_match_found *match, size_t header)
{
	struct mp_place wide = *place;
	unsigned from, to;
	bool grown = false;

	while (wider(&wide, s, &from, &to)) {
		bool any = false;

		for (size_t i = 0; i < s->units.count; i++) {
			bool zero = is_zero(s->units.items[i].own, from, to);

			if (!zero && s->mapped[i] & MP_MAPPED_FULLY)
				return grown;
			any |= !zero && is_record(raw, s, match, header, i);
		}
		if (any)
			*place = wide;
		grown |= any;
	}
	return grown;
}

bool mp_is_counter(enum mp_meaning meaning)
{
	return (meaning >= MP_MEANS_MAC_BUSY && meaning <= MP_MEANS_WLD) || meaning == MP_MEANS_READ ||
	       meaning == MP_MEANS_WRITE;
}

/* Returns whether a table has the sum of a column. */
static bool has_total(const struct mp_views *views, enum mp_meaning meaning)
{
	for (size_t v = 0; v < views->count; v++) {
		int column = views->items[v].columns[meaning];

		if (column >= 0 && views->items[v].ref->total && views->items[v].ref->total[column].is_number)
			return true;
	}
	return false;
}

int mp_widen(struct mp_found *found, const struct mp_raw *raw, const struct mp_views *views, struct mp_solution *s,
    struct mp_error *err)
{
	size_t header = mp_find_header(raw, s);
	struct mp_match_found match;

	mp_find_match(&match, s);
	for (size_t i = 0; i < s->part_count; i++) {
		struct mp_candidate *c = &s->parts[i].candidate;

		if (!mp_is_counter(s->parts[i].meaning) || !s->parts[i].found || c->has_minus ||
		    c->relation == MP_AS_SHARE || c->place.type > MP_TYPE_U64 || c->place.offset >= s->shape.record ||
		    !widen(&c->place, raw, s, &match, header))
			continue;
		/* the proof compares sums; without one nothing tells whether the number is that wide */
		if (!has_total(views, s->parts[i].meaning) &&
		    mp_found_missing(found, err, "no table tells how wide %s is: its rows have small numbers only",
			s->parts[i].column))
			return -1;
	}
	return 0;
}
