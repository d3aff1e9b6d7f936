/* layout_derived.c: parses the statements that compute columns from fields: times, durations, values, shares. */
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

/* The field of a name. "start.FIELD" of a pair becomes a field of its own when it is named first; -1: unknown. */
static int find_field(struct mp_layout_words *p, const char *name)
{
	struct mp_layout *l = p->layout;
	int field = mp_layout_field(l, name), base;

	if (field >= 0 || !l->paired || strncmp(name, "start.", 6) != 0)
		return field;
	base = mp_layout_field(l, name + 6);
	if (base < 0 || l->field_count == MP_FIELD_MAX)
		return -1;
	l->fields[l->field_count] = l->fields[base];
	memcpy(l->fields[l->field_count].name, name, strlen(name) + 1);
	l->fields[l->field_count].stored = false;
	l->fields[l->field_count].of_start = true;
	return l->field_count++;
}

/* A field that may have one of the kinds; `what` names them. */
static int word_field(struct mp_layout_words *p, int index, unsigned kinds, const char *what, int *field)
{
	char name[MP_NAME_SIZE];

	if (mp_layout_words_name(p, index, name))
		return -1;
	*field = find_field(p, name);
	if (*field < 0 || !(kinds & 1u << p->layout->fields[*field].kind))
		return mp_layout_words_refuse_at(p, what, index);
	return 0;
}

static int word_unsigned(struct mp_layout_words *p, int index, int *field)
{
	return word_field(p, index, 1u << MP_FIELD_UINT, "unknown unsigned field:", field);
}

static int word_number(struct mp_layout_words *p, int index, int *field)
{
	return word_field(p, index, 1u << MP_FIELD_UINT | 1u << MP_FIELD_SINT | 1u << MP_FIELD_FLOAT,
	    "unknown field of a number:", field);
}

/* The number after `prefix` in a word such as "unit=50mhz": `rest` follows the number. */
static bool word_count(
    const struct mp_layout_words *p, int index, const char *prefix, const char *rest, uint64_t max, uint64_t *count)
{
	const struct mp_word *w = &p->words[index];
	size_t at = strlen(prefix), tail = strlen(rest);

	*count = 0;
	if (index >= p->count || w->len <= at + tail || memcmp(w->text, prefix, at) != 0 ||
	    memcmp(w->text + w->len - tail, rest, tail) != 0)
		return false;
	for (; at < w->len - tail; at++) {
		if (w->text[at] < '0' || w->text[at] > '9')
			return false;
		*count = *count * 10 + (uint64_t)(w->text[at] - '0');
		if (*count > max)
			return false;
	}
	return *count > 0;
}

static int word_unit(struct mp_layout_words *p, int index, enum mp_unit *unit)
{
	static const char *const names[] = {
	    "unit=ns", "unit=us", "unit=tick100", "unit=counter", "unit=host", "unit=cycle"};
	uint64_t mhz;

	for (int i = 0; i < (int)(sizeof(names) / sizeof(names[0])); i++)
		if (mp_layout_words_is(p, index, names[i])) {
			*unit = (enum mp_unit)i;
			return 0;
		}
	if (word_count(p, index, "unit=", "mhz", MP_UNIT_MHZ_MAX, &mhz)) {
		*unit = (enum mp_unit)(MP_UNIT_MHZ + mhz - 1);
		return 0;
	}
	return mp_layout_words_refuse(p,
	    "expected unit=ns, unit=us, unit=tick100, unit=cycle, unit=counter, unit=host, or unit=Nmhz of 1 to 1000");
}

int mp_layout_key_sequence(struct mp_layout_words *p)
{
	return word_unsigned(p, 1, &p->layout->sequence);
}

int mp_layout_key_time(struct mp_layout_words *p)
{
	struct mp_column c = {.kind = MP_COLUMN_TIME};

	if (mp_layout_words_name(p, 1, c.name) || word_unsigned(p, 2, &c.from) || word_unit(p, 3, &c.unit))
		return -1;
	return mp_layout_add_column(p, c);
}

/* "NAME FIELD [FIELD] unit=UNIT" */
static int parse_duration(struct mp_layout_words *p, struct mp_column c)
{
	if (mp_layout_words_name(p, 1, c.name) || word_unsigned(p, 2, &c.from))
		return -1;
	c.single = p->count < 5 && !(p->count > 3 && memchr(p->words[3].text, '=', p->words[3].len) == NULL);
	c.to = c.from;
	if ((!c.single && word_unsigned(p, 3, &c.to)) || word_unit(p, c.single ? 3 : 4, &c.unit))
		return -1;
	return mp_layout_add_column(p, c);
}

int mp_layout_key_duration(struct mp_layout_words *p)
{
	return parse_duration(p, (struct mp_column){.kind = MP_COLUMN_DURATION});
}

int mp_layout_key_cycles(struct mp_layout_words *p)
{
	return parse_duration(p, (struct mp_column){.kind = MP_COLUMN_CYCLES});
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

/* "value NAME FIELD [minus FIELD] [scale=N/D]" */
int mp_layout_key_value(struct mp_layout_words *p)
{
	struct mp_column c = {
	    .kind = MP_COLUMN_VALUE, .single = !mp_layout_words_is(p, 3, "minus"), .num = 1, .den = 1};
	const struct mp_field *fields = p->layout->fields;
	int next = c.single ? 3 : 5;

	if (p->layout->kind == MP_RECORD_JSON)
		return mp_layout_key_json_value(p);
	if (mp_layout_words_name(p, 1, c.name) || word_number(p, 2, &c.to))
		return -1;
	c.from = c.to;
	if (!c.single && word_number(p, 4, &c.from))
		return -1;
	if ((fields[c.from].kind == MP_FIELD_FLOAT) != (fields[c.to].kind == MP_FIELD_FLOAT))
		return mp_layout_words_refuse(p, "a float and a whole number cannot be subtracted");
	if (next < p->count && word_scale(p, next, &c))
		return -1;
	if (next + 1 < p->count)
		return mp_layout_words_refuse_at(p, "unexpected", next + 1);
	return mp_layout_add_column(p, c);
}

/* "share NAME FIELD per=N" */
int mp_layout_key_share(struct mp_layout_words *p)
{
	struct mp_column c = {.kind = MP_COLUMN_SHARE, .single = true, .num = 1};

	if (mp_layout_words_name(p, 1, c.name) || word_number(p, 2, &c.from))
		return -1;
	c.to = c.from;
	if (!word_count(p, 3, "per=", "", UINT32_MAX, &c.den))
		return mp_layout_words_refuse(p, "expected per=N, of 1 to 4294967295");
	return mp_layout_add_column(p, c);
}

/* "FROM=TO" */
static int word_entry(struct mp_layout_words *p, int index, uint64_t mask, struct mp_map *entry)
{
	struct mp_word *w = &p->words[index], both = *w;
	const char *equal = memchr(both.text, '=', both.len);

	if (!equal || equal == both.text || equal + 1 == both.text + both.len)
		return mp_layout_words_refuse_at(p, "expected FROM=TO, of two numbers:", index);
	w->len = (size_t)(equal - both.text);
	if (mp_layout_words_number(p, index, mask, &entry->from))
		return -1;
	w->text = equal + 1;
	w->len = both.len - w->len - 1;
	return mp_layout_words_number(p, index, INT64_MAX, &entry->to);
}

/* "map NAME FIELD FROM=TO..." */
int mp_layout_key_map(struct mp_layout_words *p)
{
	struct mp_layout *l = p->layout;
	struct mp_column c = {.kind = MP_COLUMN_MAP, .single = true, .map = l->map_count};

	if (mp_layout_words_name(p, 1, c.name) || word_unsigned(p, 2, &c.from))
		return -1;
	c.to = c.from;
	if (p->count < 4)
		return mp_layout_words_refuse(p, "expected FROM=TO, of two numbers");
	for (int i = 3; i < p->count; i++) {
		struct mp_map *entry = &l->maps[l->map_count];

		if (l->map_count == MP_MAP_MAX)
			return mp_layout_words_refuse(p, "too many numbers in maps");
		if (word_entry(p, i, l->fields[c.from].mask, entry))
			return -1;
		for (int k = c.map; k < l->map_count; k++)
			if (l->maps[k].from == entry->from)
				return mp_layout_words_refuse(p, "a number is mapped twice");
		l->map_count++;
		c.map_count++;
	}
	return mp_layout_add_column(p, c);
}

/* "wrap FIELD..." */
int mp_layout_key_wrap(struct mp_layout_words *p)
{
	struct mp_layout *l = p->layout;

	if (l->wrap_count)
		return mp_layout_words_refuse(p, "wrap is given twice");
	if (p->count < 2)
		return mp_layout_words_refuse(p, "name missing");
	for (int i = 1; i < p->count; i++) {
		int field;

		if (word_unsigned(p, i, &field))
			return -1;
		if (l->fields[field].of_start) /* the same field, in the record before */
			field = mp_layout_field(l, l->fields[field].name + 6);
		if (l->fields[field].mask == UINT64_MAX)
			return mp_layout_words_refuse_at(p, "a field of 64 bits does not begin again:", i);
		for (int k = 0; k < l->wrap_count; k++)
			if (l->wraps[k] == field)
				return mp_layout_words_refuse_at(p, "field given twice:", i);
		l->wraps[l->wrap_count++] = field;
	}
	return 0;
}

/* "PREFIX=NUMBER" */
static int word_value(struct mp_layout_words *p, int index, const char *prefix, uint64_t max, uint64_t *value)
{
	size_t len = strlen(prefix);

	if (index >= p->count || p->words[index].len <= len || memcmp(p->words[index].text, prefix, len) != 0)
		return -1;
	p->words[index].text += len;
	p->words[index].len -= len;
	return mp_layout_words_number(p, index, max, value);
}

/* "key=FIELD[,FIELD...]" */
static int word_keys(struct mp_layout_words *p, int index)
{
	struct mp_layout *l = p->layout;
	struct mp_word all = p->words[index];
	size_t at = 4;

	if (index >= p->count || all.len < 5 || memcmp(all.text, "key=", 4) != 0)
		return mp_layout_words_refuse(p, "expected key=FIELD[,FIELD...]");
	while (at <= all.len) {
		const char *comma = memchr(all.text + at, ',', all.len - at);
		size_t len = (comma ? (size_t)(comma - all.text) : all.len) - at;

		if (l->key_count == MP_KEY_MAX)
			return mp_layout_words_refuse(p, "too many keys");
		p->words[index].text = all.text + at;
		p->words[index].len = len;
		if (word_unsigned(p, index, &l->keys[l->key_count++]))
			return -1;
		at += len + 1;
	}
	return 0;
}

/* "pair TYPE @OFFSET [bits LOW..HIGH] start=N end=N key=FIELD[,FIELD...]" */
int mp_layout_key_pair(struct mp_layout_words *p)
{
	struct mp_layout *l = p->layout;
	struct mp_field type = {.offset = 0};
	int next = 3;

	if (l->paired)
		return mp_layout_words_refuse(p, "pair is given twice");
	if (mp_layout_words_type(p, 1, &type) || mp_layout_words_offset(p, 2, &type.offset))
		return -1;
	if (mp_layout_words_is(p, 3, "bits")) {
		if (mp_layout_words_bits(p, 3, &type))
			return -1;
		next = 5;
	}
	if (type.kind != MP_FIELD_UINT || word_value(p, next, "start=", type.mask, &l->start.value) ||
	    word_value(p, next + 1, "end=", type.mask, &l->end) || l->start.value == l->end)
		return mp_layout_words_refuse(p,
		    "expected: pair TYPE @OFFSET [bits LOW..HIGH] start=N end=N key=FIELD[,FIELD...], of an unsigned "
		    "type and two numbers within it");
	if (word_keys(p, next + 2))
		return -1;
	if (next + 3 < p->count)
		return mp_layout_words_refuse_at(p, "unexpected", next + 3);
	l->start.offset = type.offset;
	l->start.width = type.width;
	l->start.shift = type.shift;
	l->start.mask = type.mask;
	l->paired = true;
	return 0;
}

const struct mp_column *mp_layout_duration(const struct mp_layout *layout)
{
	const struct mp_column *only = NULL;

	for (int i = 0; i < layout->column_count; i++) {
		if (layout->columns[i].kind != MP_COLUMN_DURATION)
			continue;
		if (only)
			return NULL;
		only = &layout->columns[i];
	}
	return only;
}

static bool is_core_unit(enum mp_unit unit)
{
	return unit == MP_UNIT_TICK100 || unit == MP_UNIT_CYCLE;
}

bool mp_column_needs_core(const struct mp_layout *layout, const struct mp_column *column)
{
	const struct mp_column *duration = mp_layout_duration(layout);

	switch (column->kind) {
	case MP_COLUMN_TIME:
	case MP_COLUMN_DURATION:
		return is_core_unit(column->unit);
	case MP_COLUMN_CYCLES:
		return !is_core_unit(column->unit);
	case MP_COLUMN_SHARE:
		return duration && !is_core_unit(duration->unit);
	default:
		return false;
	}
}
