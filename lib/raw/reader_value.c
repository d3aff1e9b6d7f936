/*
 * reader_value.c: gives the columns of the current record, and those that are computed from fields, exactly. Never
 * moves to another record.
 */
#include "raw/reader_internal.h"

#include <stdio.h>

#include "base/text.h"

static struct mp_value number(int64_t v)
{
	return (struct mp_value){.type = MP_INT, .i = v};
}

/* count * by.num / by.den, rounded half to even; what does not fit is counted. */
static int64_t scaled(struct mp_reader *r, struct mp_scale by, uint64_t count)
{
	int64_t value;

	if (!mp_scale_ns(by, count, &value))
		r->tally.out_of_range += !r->uncounted;
	return value;
}

static struct mp_value value_of(struct mp_reader *r, const struct mp_column *c, struct mp_scale by)
{
	uint64_t to = mp_reader_bits(r, c->to), from = c->from == c->to ? 0 : mp_reader_bits(r, c->from);

	return number(to < from ? -scaled(r, by, from - to) : scaled(r, by, to - from));
}

/* A number of parts of the cycles of the record. */
static struct mp_value share_of(struct mp_reader *r, const struct mp_column *c, struct mp_scale by)
{
	uint64_t ticks = mp_reader_bits(r, mp_layout_begin(r->layout)->from), parts;

	if (__builtin_mul_overflow(ticks, by.num, &parts)) {
		r->tally.out_of_range += !r->uncounted;
		return number(INT64_MAX);
	}
	by.num = parts;
	return number(scaled(r, by, mp_reader_bits(r, c->from)));
}

static int64_t time_at(struct mp_reader *r, struct mp_scale by, int field)
{
	int64_t ns;

	if (!mp_scale_time(by, mp_reader_bits(r, field), &ns))
		r->tally.out_of_range += !r->uncounted;
	return ns;
}

/* The difference of two rounded moments, so that what follows without a gap never overlaps. */
static struct mp_value duration_of(struct mp_reader *r, const struct mp_column *c, struct mp_scale by)
{
	int64_t from = time_at(r, by, c->from), to = time_at(r, by, c->to), ns;

	r->tally.negative += mp_reader_bits(r, c->to) < mp_reader_bits(r, c->from) && !r->uncounted;
	return number(__builtin_sub_overflow(to, from, &ns) ? INT64_MAX : ns);
}

/* The entry of a number in the map of a column, or NULL. */
static const struct mp_layout_map *entry_of(const struct mp_layout *l, int column, uint64_t from)
{
	for (int i = 0; i < l->map_count; i++)
		if (l->maps[i].column == column && l->maps[i].from == from)
			return &l->maps[i];
	return NULL;
}

/* Of several maps of a field that lack a number, the first one counts it. */
static bool counts_unknown(const struct mp_reader *r, int index, uint64_t from)
{
	const struct mp_column *columns = r->layout->columns;

	for (int i = 0; i < index; i++)
		if (columns[i].kind == MP_COLUMN_MAP && columns[i].from == columns[index].from &&
		    !entry_of(r->layout, i, from))
			return false;
	return !r->uncounted;
}

/* Room for a text that lives as long as the record. The buffer holds all texts of one record. */
static char *scratch_for(struct mp_reader *r, size_t size)
{
	char *at;

	if (size > sizeof(r->scratch) - r->scratch_used) /* a value was requested twice */
		r->scratch_used = 0;
	at = r->scratch + r->scratch_used;
	r->scratch_used += size;
	return at;
}

/* The digits of a number, as a text. */
static struct mp_value digits_of(struct mp_reader *r, uint64_t number)
{
	char *digits = scratch_for(r, 24);
	int n = snprintf(digits, 24, "%llu", (unsigned long long)number);

	return mp_text(digits, (size_t)n);
}

/* A number that the map lacks is counted. A map of texts gives its digits. */
static struct mp_value map_of(struct mp_reader *r, int index)
{
	const struct mp_column *c = &r->layout->columns[index];
	uint64_t from = mp_reader_bits(r, c->from);
	const struct mp_layout_map *m = entry_of(r->layout, index, from);

	if (m && m->text)
		return mp_text(m->text, (size_t)m->to);
	if (m)
		return number((int64_t)m->to);
	r->tally.unmapped += counts_unknown(r, index, from);
	return c->is_text ? digits_of(r, from) : (struct mp_value){.type = MP_NULL};
}

/* The value of a column that is computed from fields. */
static struct mp_value derived(struct mp_reader *r, int index)
{
	const struct mp_column *c = &r->layout->columns[index];
	struct mp_scale by = r->scales[index];

	if (c->kind == MP_COLUMN_MAP)
		return map_of(r, index);
	if (c->kind == MP_COLUMN_CONSTANT)
		return number((int64_t)c->num);
	if (!by.den)
		return (struct mp_value){.type = MP_NULL};
	switch (c->kind) {
	case MP_COLUMN_BEGIN:
		return number(r->begin_ns);
	case MP_COLUMN_SPAN:
		return number(r->span_ns);
	case MP_COLUMN_VALUE:
		return value_of(r, c, by);
	case MP_COLUMN_SHARE:
		return share_of(r, c, by);
	case MP_COLUMN_DURATION:
		return duration_of(r, c, by);
	default:
		return number(time_at(r, by, c->from));
	}
}

static struct mp_value int_value(int64_t v)
{
	return (struct mp_value){.type = MP_INT, .i = v};
}

struct mp_value mp_reader_text(struct mp_reader *r, const char *s, size_t len)
{
	if (!len)
		return (struct mp_value){.type = MP_NULL};
	if (!mp_utf8_valid(s, len)) {
		r->tally.bad_text += !r->uncounted;
		char *to = scratch_for(r, 4 * len + 1);

		len = mp_sanitise(to, 4 * len + 1, s, len);
		s = to;
	}
	return mp_text(s, len);
}

/* A name, or the digits of its hash. */
static struct mp_value mixed_value(struct mp_reader *r, const struct mp_field *f)
{
	const unsigned char *at = r->record + f->offset;
	const char *s = (const char *)at + 8;

	if (at[0])
		return mp_reader_text(r, s, strnlen(s, f->width - 8));
	return digits_of(r, mp_load(at + 8, 8, r->layout->big_endian));
}

static struct mp_value field_value(struct mp_reader *r, int index)
{
	const struct mp_field *f = &r->layout->fields[index];
	uint64_t bits;

	if (f->kind == MP_FIELD_CHARS) {
		const char *s = (const char *)r->record + f->offset;

		return mp_reader_text(r, s, strnlen(s, f->width));
	}
	if (f->kind == MP_FIELD_MIXED)
		return mixed_value(r, f);
	if (f->kind == MP_FIELD_BYTES)
		return (struct mp_value){
		    .type = MP_BLOB, .text = (const char *)r->record + f->offset, .len = (uint32_t)f->width};
	bits = mp_reader_bits(r, index);
	if (f->kind == MP_FIELD_HASH)
		return int_value((int64_t)bits);
	if (f->kind == MP_FIELD_SINT) {
		unsigned unused = 64 - (unsigned)f->width * 8;

		return int_value((int64_t)(bits << unused) >> unused);
	}
	if (bits > (uint64_t)INT64_MAX) {
		r->tally.out_of_range += !r->uncounted;
		bits = (uint64_t)INT64_MAX;
	}
	return int_value((int64_t)bits);
}

static struct mp_value capture_value(struct mp_reader *r, int index)
{
	const struct mp_capture *c = &r->captures[index];
	int64_t v = 0;

	if (!c->len || r->layout->columns[index].is_text)
		return mp_reader_text(r, c->text, c->len);
	if (!(r->layout->columns[index].is_hash ? mp_capture_hash : mp_capture_int)(c, &v)) {
		r->tally.out_of_range += !r->uncounted;
		v = INT64_MAX;
	}
	return int_value(v);
}

/* Rare: in its callers it would take registers of what is common. */
__attribute__((noinline)) static struct mp_value slow_value(struct mp_reader *reader, int index)
{
	const struct mp_column *c = &reader->layout->columns[index];

	switch (c->kind) {
	case MP_COLUMN_FIELD:
		return field_value(reader, c->from);
	case MP_COLUMN_CAPTURE:
		return capture_value(reader, index);
	case MP_COLUMN_ITEM:
		return mp_reader_item(reader, c);
	default:
		return derived(reader, index);
	}
}

/* span * num / den, cut or rounded half to even. Up to a plan's limit 64 bits suffice. */
static int64_t scale_span(const struct mp_scale *scale, uint64_t span, bool before)
{
	uint64_t scaled = span * scale->num, quotient = scaled / scale->den, rest = scaled % scale->den;

	if (scale->cut)
		return (int64_t)(quotient + mp_scale_cut(scale, rest, before));
	return (int64_t)(quotient + (rest > scale->den - rest || (rest == scale->den - rest && (quotient & 1))));
}

static int64_t scale_time(const struct mp_scale *scale, uint64_t count)
{
	return count < scale->origin_count ? scale->origin_ns - scale_span(scale, scale->origin_count - count, true)
					   : scale->origin_ns + scale_span(scale, count - scale->origin_count, false);
}

/* Decode by the plan of a column when the number cannot be unusual. */
static inline bool planned_number(
    const unsigned char *record, bool big_endian, const struct mp_plan *plan, int64_t *value)
{
	uint64_t from, to;

	if (!mp_plan_count(record, big_endian, plan, &from, &to))
		return false;
	switch (plan->kind) {
	case MP_PLAN_GIVEN:
		*value = *plan->given;
		return true;
	case MP_PLAN_TIME:
		*value = scale_time(&plan->scale, from);
		return true;
	case MP_PLAN_DURATION:
		*value = scale_time(&plan->scale, to) - scale_time(&plan->scale, from);
		return true;
	case MP_PLAN_DIFFERENCE:
		*value = (int64_t)((to - from) * plan->num);
		return true;
	default:
		*value = (int64_t)(from * plan->num + plan->add);
		return true;
	}
}

struct mp_value mp_reader_value(struct mp_reader *reader, int index)
{
	int64_t value;

	if (planned_number(reader->record, reader->layout->big_endian, mp_plan_of(reader, index), &value))
		return int_value(value);
	return slow_value(reader, index);
}

int64_t mp_reader_number(struct mp_reader *reader, int index)
{
	int64_t value;

	if (planned_number(reader->record, reader->layout->big_endian, mp_plan_of(reader, index), &value))
		return value;
	return mp_int_of(slow_value(reader, index));
}

/* Handle columns that are not plain numbers. Returns true when the column has no number. */
static bool is_null(struct mp_reader *reader, int column, int64_t *value)
{
	struct mp_value v;

	if (planned_number(reader->record, reader->layout->big_endian, mp_plan_of(reader, column), value))
		return false;
	v = slow_value(reader, column);
	*value = mp_int_of(v);
	return v.type != MP_INT;
}

/* Inlined once for each byte order, so that the byte order is a constant. */
__attribute__((always_inline)) static inline void numbers(
    struct mp_reader *reader, bool big_endian, const signed char *columns, int count, int64_t *values, bool *nulls)
{
	const unsigned char *record = reader->record;
	const struct mp_plan *plans = mp_plan_of(reader, 0);

	for (int i = 0; i < count; i++) {
		const struct mp_plan *plan = &plans[columns[i]];
		uint64_t number;

		if (plan->kind == MP_PLAN_NUMBER &&
		    (number = mp_bits_load(record, big_endian, &plan->from)) <= plan->limit) {
			values[i] = (int64_t)(number * plan->num + plan->add);
			nulls[i] = false;
		} else if (plan->kind == MP_PLAN_DIFFERENCE && planned_number(record, big_endian, plan, &values[i])) {
			nulls[i] = false;
		} else if (columns[i] < 0) {
			values[i] = 0;
			nulls[i] = true;
		} else {
			nulls[i] = is_null(reader, columns[i], &values[i]);
		}
	}
}

void mp_reader_numbers(struct mp_reader *reader, const signed char *columns, int count, int64_t *values, bool *nulls)
{
	if (reader->layout->big_endian)
		numbers(reader, true, columns, count, values, nulls);
	else
		numbers(reader, false, columns, count, values, nulls);
}

void mp_reader_count(struct mp_reader *reader, bool count)
{
	reader->uncounted = !count;
}

/* Counts unusual values of a record, and decodes only columns that can have them. */

/* A number with its highest bit set is too large to be stored unchanged. */
static void count_wide(struct mp_reader *r)
{
	for (int i = 0; i < r->wide_count; i++)
		r->tally.out_of_range +=
		    mp_bits_load(r->record, r->layout->big_endian, &r->wide[i]) > (uint64_t)INT64_MAX;
}

void mp_reader_check(struct mp_reader *reader)
{
	const unsigned char *record = reader->record;
	bool uncounted = reader->uncounted, big_endian = reader->layout->big_endian;
	uint64_t all = 0, from, to;

	for (int i = 0; i < reader->wide_count; i++)
		all |= mp_bits_load(record, big_endian, &reader->wide[i]);
	if (all > (uint64_t)INT64_MAX)
		count_wide(reader);
	reader->uncounted = false;
	for (int i = 0; i < reader->doubt_count; i++)
		if (!mp_plan_count(record, big_endian, mp_plan_of(reader, reader->doubts[i]), &from, &to))
			mp_reader_value(reader, reader->doubts[i]);
	reader->uncounted = uncounted;
}
