/* reader_judge.c: what is odd in the values of a record, without decoding those that cannot be. */
#include "raw/reader_internal.h"

/* Counts up to the limit make times that are far from the end of their range, whatever the origin; 0 where that is hard to say. */
static uint64_t limit_of(struct mp_scale scale)
{
	const uint64_t quarter = (uint64_t)INT64_MAX / 4;
	unsigned __int128 limit;

	if (!scale.num || scale.origin_ns < 0 || (uint64_t)scale.origin_ns > quarter)
		return 0;
	limit = (unsigned __int128)quarter * scale.den / scale.num;
	if (limit > quarter)
		limit = quarter;
	return scale.origin_count > limit ? 0 : (uint64_t)limit;
}

static bool may_be_odd(const struct mp_reader *r, const struct mp_column *c)
{
	const struct mp_field *f = &r->layout->fields[c->kind == MP_COLUMN_FIELD ? c->from : 0];

	if (c->kind == MP_COLUMN_TIME || c->kind == MP_COLUMN_DURATION)
		return r->scales[c->unit].den != 0;
	if (c->kind != MP_COLUMN_FIELD || f->kind == MP_FIELD_CHARS || f->kind == MP_FIELD_MIXED)
		return true;
	return f->kind == MP_FIELD_UINT && f->mask > (uint64_t)INT64_MAX;
}

void mp_reader_find_doubts(struct mp_reader *r)
{
	for (int unit = 0; unit < 5; unit++)
		r->limits[unit] = limit_of(r->scales[unit]);
	for (int i = 0; i < r->layout->column_count; i++)
		if (may_be_odd(r, &r->layout->columns[i]))
			r->doubts[r->doubt_count++] = (unsigned char)i;
}

static uint64_t bits(const struct mp_reader *r, int index)
{
	const struct mp_field *f = &r->layout->fields[index];

	return mp_load(r->record + f->offset, f->width, r->layout->big_endian) >> f->shift & f->mask;
}

static bool is_doubtful(const struct mp_reader *r, const struct mp_column *c)
{
	uint64_t from, to;

	switch (c->kind) {
	case MP_COLUMN_TIME:
		return bits(r, c->from) > r->limits[c->unit];
	case MP_COLUMN_DURATION:
		from = bits(r, c->from);
		to = bits(r, c->to);
		return to < from || to - from > r->limits[c->unit];
	case MP_COLUMN_FIELD:
		return r->layout->fields[c->from].kind != MP_FIELD_UINT || bits(r, c->from) > (uint64_t)INT64_MAX;
	default:
		return true;
	}
}

void mp_reader_judge(struct mp_reader *reader)
{
	bool uncounted = reader->uncounted;

	reader->uncounted = false;
	for (int i = 0; i < reader->doubt_count; i++)
		if (is_doubtful(reader, &reader->layout->columns[reader->doubts[i]]))
			mp_reader_value(reader, reader->doubts[i]);
	reader->uncounted = uncounted;
}
