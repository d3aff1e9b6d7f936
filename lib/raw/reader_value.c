/*
 * reader_value.c: values that no plan gives: texts, items, numbers that may be unusual, and columns that are computed
 * from fields, exactly. Never moves to another record.
 */
#include "raw/reader_internal.h"

#include <stdio.h>

#include "base/text.h"

uint64_t mp_reader_bits(const struct mp_reader *r, int field)
{
	const struct mp_field *f = &r->layout->fields[field];

	return mp_load(r->record + f->offset, f->width, r->layout->big_endian) >> f->shift & f->mask;
}

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

static struct mp_value text_of(struct mp_reader *r, const char *s, size_t len)
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
		return text_of(r, s, strnlen(s, f->width - 8));
	return digits_of(r, mp_load(at + 8, 8, r->layout->big_endian));
}

static struct mp_value field_value(struct mp_reader *r, int index)
{
	const struct mp_field *f = &r->layout->fields[index];
	uint64_t bits;

	if (f->kind == MP_FIELD_CHARS) {
		const char *s = (const char *)r->record + f->offset;

		return text_of(r, s, strnlen(s, f->width));
	}
	if (f->kind == MP_FIELD_MIXED)
		return mixed_value(r, f);
	if (f->kind == MP_FIELD_BYTES)
		return (struct mp_value){
		    .type = MP_BLOB, .text = (const char *)r->record + f->offset, .len = (uint32_t)f->width};
	bits = mp_reader_bits(r, index);
	if (f->kind == MP_FIELD_HASH)
		return number((int64_t)bits);
	if (f->kind == MP_FIELD_SINT) {
		unsigned unused = 64 - (unsigned)f->width * 8;

		return number((int64_t)(bits << unused) >> unused);
	}
	if (bits > (uint64_t)INT64_MAX) {
		r->tally.out_of_range += !r->uncounted;
		bits = (uint64_t)INT64_MAX;
	}
	return number((int64_t)bits);
}

static struct mp_value capture_value(struct mp_reader *r, int index)
{
	const struct mp_capture *c = &r->captures[index];
	int64_t v = 0;

	if (!c->len || r->layout->columns[index].is_text)
		return text_of(r, c->text, c->len);
	if (!(r->layout->columns[index].is_hash ? mp_capture_hash : mp_capture_int)(c, &v)) {
		r->tally.out_of_range += !r->uncounted;
		v = INT64_MAX;
	}
	return number(v);
}

static const char CUT[] = "an item cut short by the end of the file";

const char *mp_reader_parse_item(
    const struct mp_layout *l, const unsigned char *p, size_t have, struct mp_reader_item *item)
{
	uint64_t tag, form;

	*item = (struct mp_reader_item){.tag = 0};
	if (have < l->tag_width)
		return CUT;
	tag = mp_load(p, l->tag_width, l->big_endian);
	form = l->form_shift == l->tag_width * 8 ? 1 : tag >> l->form_shift;
	if (!form || form > (uint64_t)l->form_count)
		return "no item begins here";
	*item = (struct mp_reader_item){.tag = tag & ((UINT64_C(1) << l->form_shift) - 1),
	    .is_bytes = l->forms[form - 1].is_bytes,
	    .head = l->tag_width,
	    .len = l->forms[form - 1].width};
	if (!item->is_bytes)
		return NULL;
	item->head += (size_t)item->len;
	if (have < item->head) {
		item->tag = 0;
		return CUT;
	}
	item->len = mp_load(p + l->tag_width, (size_t)item->len, l->big_endian);
	return NULL;
}

static struct mp_value item_value(struct mp_reader *r, const struct mp_column *column)
{
	const struct mp_layout *l = r->layout;
	struct mp_reader_item item;
	uint64_t number;

	for (size_t at = l->size; at < r->record_len; at += item.head + (size_t)item.len) {
		const unsigned char *p = r->record + at;

		mp_reader_parse_item(l, p, r->record_len - at, &item); /* the reader checked all of them */
		if (item.tag != column->num)
			continue;
		if (item.is_bytes != column->is_text)
			break;
		if (item.is_bytes && l->size && !item.len)
			return mp_text("", 0);
		if (item.is_bytes)
			return text_of(
			    r, (const char *)p + item.head, strnlen((const char *)p + item.head, (size_t)item.len));
		number = mp_load(p + item.head, (size_t)item.len, l->big_endian);
		if (number > (uint64_t)INT64_MAX) {
			r->tally.out_of_range += !r->uncounted;
			number = (uint64_t)INT64_MAX;
		}
		return (struct mp_value){.type = MP_INT, .i = (int64_t)number};
	}
	return (struct mp_value){.type = MP_NULL};
}

struct mp_value mp_reader_slow_value(struct mp_reader *reader, int index)
{
	const struct mp_column *c = &reader->layout->columns[index];

	switch (c->kind) {
	case MP_COLUMN_FIELD:
		return field_value(reader, c->from);
	case MP_COLUMN_CAPTURE:
		return capture_value(reader, index);
	case MP_COLUMN_ITEM:
		return item_value(reader, c);
	default:
		return derived(reader, index);
	}
}
