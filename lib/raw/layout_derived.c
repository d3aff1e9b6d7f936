/*
 * layout_derived.c: parses the statements that compute columns from fields (times, durations, values, shares, maps),
 * and those that describe items of tag, length and value.
 */
#include "raw/layout_words.h"

#include <stdio.h>
#include <string.h>

int mp_layout_add_column(struct mp_layout_words *p, struct mp_column column)
{
	struct mp_layout *l = p->layout;

	if (mp_layout_column(l, column.name) >= 0)
		return mp_layout_words_refuse(p, "column defined twice");
	if (l->column_count == MP_COLUMN_MAX)
		return mp_layout_words_refuse(p, "too many columns");
	l->columns[l->column_count++] = column;
	return 0;
}

int mp_layout_words_bits(struct mp_layout_words *p, int index, struct mp_field *f)
{
	unsigned low, high;
	int end = 0;

	if (!mp_layout_words_is(p, index, "bits"))
		return mp_layout_words_refuse_at(p, "unexpected", index);
	if (index + 1 >= p->count || f->kind != MP_FIELD_UINT ||
	    sscanf(p->words[index + 1].text, "%2u..%2u%n", &low, &high, &end) != 2 ||
	    (size_t)end != p->words[index + 1].len || low > high || high >= f->width * 8)
		return mp_layout_words_refuse(p, "expected bits LOW..HIGH within an unsigned type");
	f->shift = low;
	f->mask = high - low == 63 ? UINT64_MAX : (UINT64_C(1) << (high - low + 1)) - 1;
	return 0;
}

/* "NAME FIELD unit=UNIT" */
static int key_time(struct mp_layout_words *p)
{
	struct mp_column c = {.kind = MP_COLUMN_TIME};

	if (mp_layout_words_name(p, 1, c.name) || mp_layout_words_unsigned(p, 2, &c.from) ||
	    mp_layout_words_unit(p, 3, &c.unit))
		return -1;
	c.to = c.from;
	return mp_layout_add_column(p, c);
}

/* "duration NAME FIELD FIELD unit=UNIT" */
static int key_duration(struct mp_layout_words *p)
{
	struct mp_column c = {.kind = MP_COLUMN_DURATION};

	if (mp_layout_words_name(p, 1, c.name) || mp_layout_words_unsigned(p, 2, &c.from) ||
	    mp_layout_words_unsigned(p, 3, &c.to) || mp_layout_words_unit(p, 4, &c.unit))
		return -1;
	return mp_layout_add_column(p, c);
}

/* "follow START DURATION FIELD unit=UNIT": records without a start, one behind the other */
static int key_follow(struct mp_layout_words *p)
{
	struct mp_column start = {.kind = MP_COLUMN_BEGIN}, span = {.kind = MP_COLUMN_SPAN};

	if (mp_layout_begin(p->layout))
		return mp_layout_words_refuse(p, "follow is given twice");
	if (mp_layout_words_name(p, 1, start.name) || mp_layout_words_name(p, 2, span.name) ||
	    mp_layout_words_unsigned(p, 3, &start.from) || mp_layout_words_unit(p, 4, &start.unit))
		return -1;
	start.to = span.from = span.to = start.from;
	span.unit = start.unit;
	return mp_layout_add_column(p, start) ? -1 : mp_layout_add_column(p, span);
}

/* "scale=N/D" */
static int word_scale(struct mp_layout_words *p, int index, struct mp_column *c)
{
	char text[32];
	unsigned long long num, den;
	int end = 0;
	const struct mp_word *w = &p->words[index];

	if (w->len >= sizeof(text))
		return mp_layout_words_refuse_at(p, "expected scale=N/D, of 1 to 4294967295:", index);
	memcpy(text, w->text, w->len);
	text[w->len] = '\0';
	if (sscanf(text, "scale=%10llu/%10llu%n", &num, &den, &end) != 2 || (size_t)end != w->len || !num || !den ||
	    num > UINT32_MAX || den > UINT32_MAX || strpbrk(text, "+- "))
		return mp_layout_words_refuse_at(p, "expected scale=N/D, of 1 to 4294967295:", index);
	c->num = num;
	c->den = den;
	return 0;
}

/* "value NAME FIELD scale=N/D", or "value NAME FIELD minus FIELD [scale=N/D]" */
static int key_value(struct mp_layout_words *p)
{
	bool minus = mp_layout_words_is(p, 3, "minus");
	struct mp_column c = {.kind = MP_COLUMN_VALUE, .num = 1, .den = 1};
	int next = minus ? 5 : 3;

	if (mp_layout_words_name(p, 1, c.name) || mp_layout_words_unsigned(p, 2, &c.to))
		return -1;
	c.from = c.to;
	if (minus && mp_layout_words_unsigned(p, 4, &c.from))
		return -1;
	if (minus && c.from == c.to)
		return mp_layout_words_refuse(p, "a field minus itself");
	if (next < p->count && word_scale(p, next, &c))
		return -1;
	if (next + 1 < p->count)
		return mp_layout_words_refuse_at(p, "unexpected", next + 1);
	return mp_layout_add_column(p, c);
}

/* "share NAME FIELD per=N" */
static int key_share(struct mp_layout_words *p)
{
	struct mp_column c = {.kind = MP_COLUMN_SHARE, .num = 1};

	if (mp_layout_words_name(p, 1, c.name) || mp_layout_words_unsigned(p, 2, &c.from) ||
	    mp_layout_words_after(p, 3, "per=", UINT32_MAX, &c.den))
		return -1;
	c.to = c.from;
	return mp_layout_add_column(p, c);
}

/* "FROM=TO": a number, and a number or a text */
static int word_entry(struct mp_layout_words *p, int index, uint64_t mask, struct mp_layout_map *entry)
{
	struct mp_word *w = &p->words[index], both = *w;
	const char *equal = memchr(both.text, '=', both.len);

	if (!equal || equal == both.text || equal + 1 == both.text + both.len)
		return mp_layout_words_refuse_at(p, "expected FROM=TO, a number and a number or text:", index);
	w->len = (size_t)(equal - both.text);
	if (mp_layout_words_number(p, index, mask, &entry->from))
		return -1;
	w->text = equal + 1;
	w->len = both.len - w->len - 1;
	if (strchr("-0123456789", w->text[0]))
		return mp_layout_words_number(p, index, INT64_MAX, &entry->to);
	if (memchr(w->text, '"', w->len))
		return mp_layout_words_refuse_at(p, "a text of a map has no quotes:", index);
	entry->text = w->text;
	entry->to = w->len;
	return 0;
}

/* Add an entry to the map of the last column. */
static int add_entry(struct mp_layout_words *p, int column, int index)
{
	struct mp_layout *l = p->layout;
	struct mp_column *c = &l->columns[column];
	struct mp_layout_map entry = {.column = column};

	if (l->map_count == MP_MAP_MAX)
		return mp_layout_words_refuse(p, "too many numbers in maps");
	if (word_entry(p, index, l->fields[c->from].mask, &entry))
		return -1;
	for (int i = 0; i < l->map_count; i++) {
		if (l->maps[i].column != column)
			continue;
		if (l->maps[i].from == entry.from)
			return mp_layout_words_refuse(p, "a number is mapped twice");
		if (!l->maps[i].text != !entry.text)
			return mp_layout_words_refuse(p, "a map has numbers or texts, not both");
	}
	c->is_text = entry.text != NULL;
	l->maps[l->map_count++] = entry;
	return 0;
}

/* "map NAME FIELD FROM=TO..."; another line of the same column continues the map. */
static int key_map(struct mp_layout_words *p)
{
	struct mp_column c = {.kind = MP_COLUMN_MAP};
	int column;

	if (mp_layout_words_name(p, 1, c.name) || mp_layout_words_unsigned(p, 2, &c.from))
		return -1;
	c.to = c.from;
	if (p->count < 4)
		return mp_layout_words_refuse(p, "expected FROM=TO, a number and a number or text");
	column = mp_layout_column(p->layout, c.name);
	if (column < 0 || p->layout->columns[column].kind != MP_COLUMN_MAP ||
	    p->layout->columns[column].from != c.from) {
		if (mp_layout_add_column(p, c))
			return -1;
		column = p->layout->column_count - 1;
	}
	for (int i = 3; i < p->count; i++)
		if (add_entry(p, column, i))
			return -1;
	return 0;
}

/* "constant NAME N" */
static int key_constant(struct mp_layout_words *p)
{
	struct mp_column c = {.kind = MP_COLUMN_CONSTANT};

	if (mp_layout_words_name(p, 1, c.name) || mp_layout_words_number(p, 2, INT64_MAX, &c.num))
		return -1;
	return mp_layout_add_column(p, c);
}

const struct mp_column *mp_layout_begin(const struct mp_layout *layout)
{
	for (int i = 0; i < layout->column_count; i++)
		if (layout->columns[i].kind == MP_COLUMN_BEGIN)
			return &layout->columns[i];
	return NULL;
}

bool mp_column_needs_core(const struct mp_column *column)
{
	switch (column->kind) {
	case MP_COLUMN_TIME:
	case MP_COLUMN_DURATION:
	case MP_COLUMN_BEGIN:
	case MP_COLUMN_SPAN:
		return column->unit == MP_UNIT_TICK100;
	default:
		return false;
	}
}

/* "model begin u32 @OFFSET + u32 @OFFSET": where the items of a model file begin */
static int key_model(struct mp_layout_words *p)
{
	struct mp_layout *l = p->layout;

	if (p->count != 7 || !mp_layout_words_is(p, 1, "begin") || !mp_layout_words_is(p, 2, "u32") ||
	    !mp_layout_words_is(p, 4, "+") || !mp_layout_words_is(p, 5, "u32"))
		return mp_layout_words_refuse(p, "expected: model begin u32 @OFFSET + u32 @OFFSET");
	if (mp_layout_words_offset(p, 3, &l->begins[0]) || mp_layout_words_offset(p, 6, &l->begins[1]))
		return -1;
	l->is_model = true;
	return 0;
}

/* A form: "u16" is a number, "u16[]" are bytes after their number. */
static int word_form(struct mp_layout_words *p, int index, struct mp_form *form)
{
	struct mp_word *w = &p->words[index];
	struct mp_field type = {.offset = 0};

	form->is_bytes = w->len > 2 && memcmp(w->text + w->len - 2, "[]", 2) == 0;
	w->len -= form->is_bytes ? 2 : 0;
	if (mp_layout_words_type(p, index, &type))
		return -1;
	if (type.kind != MP_FIELD_UINT || (form->is_bytes && type.width == 8))
		return mp_layout_words_refuse_at(
		    p, "a form must be u8, u16, u32 or u64, or u8[], u16[] or u32[]:", index);
	form->width = type.width;
	return 0;
}

/* "tag TYPE FORM": all items have one form */
static int one_form(struct mp_layout_words *p, const struct mp_field *tag)
{
	struct mp_layout *l = p->layout;

	if (tag->kind != MP_FIELD_UINT || tag->width == 8)
		return mp_layout_words_refuse(p, "a tag must be u8, u16 or u32");
	l->tag_width = tag->width;
	l->form_shift = (unsigned)tag->width * 8;
	l->form_count = 1;
	return word_form(p, 2, &l->forms[0]);
}

/* "tag TYPE form LOW..HIGH FORM...": the forms 1, 2, ... */
static int key_tag(struct mp_layout_words *p)
{
	struct mp_layout *l = p->layout;
	struct mp_field tag = {.offset = 0};

	if (l->tag_width)
		return mp_layout_words_refuse(p, "tag is given twice");
	if (mp_layout_words_type(p, 1, &tag) || p->count < 3 ||
	    (mp_layout_words_is(p, 2, "form") ? p->count < 5 : p->count > 3))
		return mp_layout_words_refuse(p, "expected: tag TYPE form LOW..HIGH FORM..., or tag TYPE FORM");
	if (p->count == 3)
		return one_form(p, &tag);
	p->words[2].text = "bits";
	p->words[2].len = 4;
	if (mp_layout_words_bits(p, 2, &tag))
		return -1;
	if (tag.shift + (unsigned)__builtin_popcountll(tag.mask) != tag.width * 8 || tag.shift == 0)
		return mp_layout_words_refuse(p, "the form must be in the highest bits of the tag");
	l->tag_width = tag.width;
	l->form_shift = tag.shift;
	for (int i = 4; i < p->count; i++) {
		if (l->form_count == MP_FORM_MAX || (uint64_t)l->form_count + 1 > tag.mask)
			return mp_layout_words_refuse(p, "more forms than the tag tells apart");
		if (word_form(p, i, &l->forms[l->form_count]))
			return -1;
		l->form_count++;
	}
	return 0;
}

/* A number of an item: a tag without its form */
static int word_tag(struct mp_layout_words *p, int index, uint64_t *tag)
{
	if (!p->layout->tag_width)
		return mp_layout_words_refuse(p, "a tag line must come first");
	return mp_layout_words_number(p, index, (UINT64_C(1) << p->layout->form_shift) - 1, tag);
}

/* "each TAG" */
static int key_each(struct mp_layout_words *p)
{
	return word_tag(p, 1, &p->layout->each);
}

/* "item NAME number|text TAG" */
static int key_item(struct mp_layout_words *p)
{
	struct mp_column c = {.kind = MP_COLUMN_ITEM, .is_text = mp_layout_words_is(p, 2, "text")};

	if (p->count != 4 || (!c.is_text && !mp_layout_words_is(p, 2, "number")))
		return mp_layout_words_refuse(p, "expected: item NAME number|text TAG");
	if (mp_layout_words_name(p, 1, c.name) || word_tag(p, 3, &c.num))
		return -1;
	return mp_layout_add_column(p, c);
}

const struct mp_layout_keyword mp_layout_derived[] = {
    {"time", key_time, 1, 4},
    {"duration", key_duration, 1, 5},
    {"follow", key_follow, 1, 5},
    {"value", key_value, 1, 6},
    {"share", key_share, 1, 4},
    {"map", key_map, 1, MP_WORD_MAX},
    {"constant", key_constant, 1, 3},
    {"model", key_model, 4, 7},
    {"tag", key_tag, 4, MP_WORD_MAX},
    {"each", key_each, 4, 2},
    {"item", key_item, 4, 4},
    {.name = NULL},
};
