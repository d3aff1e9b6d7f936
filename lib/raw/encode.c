/*
 * encode.c: writes the fields of one record at the offsets of the layout. Tests that decode with the same layouts
 * cannot prove an offset right: they only prove that both sides agree.
 */
#include "raw/encode.h"

#include <string.h>

#include "base/text.h"

static uint64_t load(const unsigned char *p, size_t width, bool big_endian)
{
	uint64_t v = 0;

	for (size_t i = 0; i < width; i++)
		v = v << 8 | p[big_endian ? i : width - 1 - i];
	return v;
}

static void store(unsigned char *p, size_t width, bool big_endian, uint64_t v)
{
	if (!big_endian)
		mp_store_little(p, width, v);
	for (size_t i = 0; big_endian && i < width; i++)
		p[width - 1 - i] = (unsigned char)(v >> 8 * i & 0xff);
}

static unsigned char plain_bytes(const struct mp_layout *layout, const struct mp_field *f)
{
	bool is_whole = f->width < 8 ? f->mask == (UINT64_C(1) << 8 * f->width) - 1 : f->mask == UINT64_MAX;
	bool is_number = f->kind == MP_FIELD_UINT || f->kind == MP_FIELD_HASH;

	return is_number && is_whole && !f->shift && !layout->big_endian ? (unsigned char)f->width : 0;
}

static const struct mp_layout *find_layout(const struct mp_layouts *set, const char *name)
{
	for (size_t i = 0; i < set->count; i++)
		if (strcmp(set->items[i]->name, name) == 0 && set->items[i]->kind == MP_RECORD_BINARY)
			return set->items[i];
	return NULL;
}

int mp_encoder_init(struct mp_encoder *e, const struct mp_layouts *set, const char *layout, const char *const *names,
    int count, struct mp_error *err)
{
	memset(e, 0, sizeof(*e));
	e->layout = find_layout(set, layout);
	if (!e->layout)
		return mp_fail(err, "the layouts have no binary record '%s'", layout);
	for (int i = 0; i < count; i++) {
		int index = mp_layout_field(e->layout, names[i]);

		if (index < 0)
			return mp_fail(err, "layout '%s' has no field '%s'", layout, names[i]);
		e->slots[i] = &e->layout->fields[index];
		e->plain[i] = plain_bytes(e->layout, e->slots[i]);
	}
	for (int i = 0; i < e->layout->match_count; i++) {
		const struct mp_match *m = &e->layout->matches[i];

		unsigned char *at = e->blank + m->offset;

		/* two matches may share a number, with different bits */
		store(at, m->width, e->layout->big_endian,
		    load(at, m->width, e->layout->big_endian) | m->value << m->shift);
	}
	return 0;
}

void mp_encoder_begin(struct mp_encoder *e, unsigned char *record)
{
	e->record = record;
	memcpy(record, e->blank, e->layout->size);
}

static void misfit(struct mp_encoder *e, const struct mp_field *f)
{
	if (!e->misfit)
		e->misfit = f;
}

uint64_t mp_field_get(const struct mp_layout *layout, const struct mp_field *field, const unsigned char *record)
{
	return load(record + field->offset, field->width, layout->big_endian) >> field->shift & field->mask;
}

/* Other bits of the same bytes may belong to another field. */
void mp_field_set(const struct mp_layout *layout, const struct mp_field *field, unsigned char *record, uint64_t value)
{
	unsigned char *at = record + field->offset;
	uint64_t others = load(at, field->width, layout->big_endian) & ~(field->mask << field->shift);

	store(at, field->width, layout->big_endian, others | (value & field->mask) << field->shift);
}

void mp_encoder_number_of_any_form(struct mp_encoder *e, int slot, uint64_t value)
{
	const struct mp_field *f = e->slots[slot];
	uint64_t largest = f->kind == MP_FIELD_SINT ? f->mask >> 1 : f->mask;

	if (f->kind == MP_FIELD_CHARS || f->kind == MP_FIELD_BYTES || f->kind == MP_FIELD_MIXED || value > largest)
		misfit(e, f);
	else
		mp_field_set(e->layout, f, e->record, value);
}

void mp_encoder_text(struct mp_encoder *e, int slot, const char *text, size_t len)
{
	const struct mp_field *f = e->slots[slot];

	if (f->kind == MP_FIELD_MIXED && len <= f->width - 8) {
		e->record[f->offset] = 1;
		memcpy(e->record + f->offset + 8, text, len);
		return;
	}
	/* A text as long as its field has no NUL; readers must accept that. */
	if ((f->kind != MP_FIELD_CHARS && f->kind != MP_FIELD_BYTES) || len > f->width)
		misfit(e, f);
	else
		memcpy(e->record + f->offset, text, len);
}

void mp_encoder_cut(struct mp_encoder *e, int slot, const char *text)
{
	mp_encoder_text(e, slot, text, mp_cut(text, e->slots[slot]->width));
}

int mp_encoder_check(const struct mp_encoder *e, struct mp_error *err)
{
	if (e->misfit)
		return mp_fail(err, "a value does not fit field '%s' of layout '%s'", e->misfit->name, e->layout->name);
	return 0;
}
