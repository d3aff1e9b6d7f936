/*
 * fuzz_layout.c: any text as a layout from a user's --layouts DIR. An accepted layout decodes the text itself, so that
 * a bound missing in the parser becomes a read outside the record.
 */
#include "fuzz.h"

#include "base/text.h"
#include "raw/reader.h"

static void check_binary(const struct mp_layout *l)
{
	CHECK(l->size >= 1 && l->size <= MP_RECORD_SIZE_MAX);
	for (int i = 0; i < l->field_count; i++) {
		CHECK(l->fields[i].width >= 1 && l->fields[i].offset + l->fields[i].width <= l->size);
		CHECK(l->fields[i].kind == MP_FIELD_CHARS || l->fields[i].shift < 8 * l->fields[i].width);
	}
	for (int i = 0; i < l->holds_count; i++) {
		CHECK(l->holds[i].field >= 0 && l->holds[i].field < l->field_count);
		CHECK(l->holds[i].other >= -1 && l->holds[i].other < l->field_count && l->holds[i].scale >= 1);
	}
	for (int i = 0; i < l->agrees_count; i++) {
		CHECK(l->agrees[i].field >= 0 && l->agrees[i].field < l->field_count);
		CHECK(l->agrees[i].fact <= offsetof(struct mp_identity, slice));
	}
	for (int i = 0; i < l->match_count; i++)
		CHECK(l->matches[i].width >= 1 && l->matches[i].offset + l->matches[i].width <= l->size);
	for (int i = 0; i < l->pad_count; i++)
		CHECK(l->pads[i].width >= 1 && l->pads[i].offset + l->pads[i].width <= l->size);
	for (int i = 0; i < l->map_count; i++) {
		CHECK(l->columns[l->maps[i].column].kind == MP_COLUMN_MAP);
		CHECK(!l->maps[i].text == !l->columns[l->maps[i].column].is_text);
		CHECK(!l->maps[i].text || mp_utf8_valid(l->maps[i].text, (size_t)l->maps[i].to));
	}
	CHECK(l->sequence < l->field_count);
}

static void check_items(const struct mp_layout *l)
{
	CHECK(l->form_count >= 1 && l->form_count <= MP_FORM_MAX && l->form_shift < 8 * l->tag_width);
	CHECK(l->each && l->each >> l->form_shift == 0 && l->is_model == !l->file_count);
	for (int i = 0; i < l->form_count; i++)
		CHECK(l->forms[i].width >= 1 && l->forms[i].width <= (l->forms[i].is_bytes ? 4 : 8));
	for (int i = 0; i < l->column_count; i++)
		CHECK(l->columns[i].kind == MP_COLUMN_ITEM && l->columns[i].num >> l->form_shift == 0);
}

static void check_layout(const struct mp_layout *l)
{
	CHECK(l->file_count >= !l->is_model && l->file_count <= MP_FILE_PATTERN_MAX);
	CHECK(l->column_count >= 1 && l->column_count <= MP_COLUMN_MAX);
	CHECK(l->version >= 1 && strlen(l->name) > 0 && strlen(l->table) > 0);
	if (l->kind == MP_RECORD_BINARY)
		check_binary(l);
	if (l->kind == MP_RECORD_ITEMS)
		check_items(l);
	for (int i = 0; i < l->column_count; i++) {
		const struct mp_column *c = &l->columns[i];

		CHECK(mp_layout_column(l, c->name) == i);
		if (l->kind == MP_RECORD_BINARY)
			CHECK(c->unit <= MP_UNIT_HOST && c->from >= 0 && c->to >= 0 && c->to <= l->field_count &&
			      (c->kind == MP_COLUMN_CONSTANT || (c->from < l->field_count && c->to < l->field_count)));
	}
}

static void decode(const struct mp_layout *l, int fd)
{
	static const struct mp_clock clock = {.core_mhz = 700, .counter_mhz = 100};
	struct mp_reader *r;
	struct mp_error err;
	const struct mp_tally *t;

	CHECK(mp_reader_open(&r, fd, l, &clock, NULL, &err) == 0);
	while (mp_reader_next(r))
		for (int i = 0; i < l->column_count; i++) {
			struct mp_value v = mp_reader_value(r, i);

			CHECK(v.type != MP_TEXT || mp_utf8_valid(v.text, v.len));
		}
	t = mp_reader_tally(r);
	CHECK(t->size == t->record_bytes + t->blank_bytes + t->damaged_bytes);
	for (int i = 0; i < l->holds_count; i++)
		CHECK(t->broken[i] >= 0 && t->broken[i] <= t->records);
	CHECK(t->disagree == 0); /* nothing is told */
	mp_reader_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mp_layouts set = {0};
	struct mp_error err = {.text = ""};
	char *text = malloc(size + 1);

	CHECK(text);
	memcpy(text, data, size);
	text[size] = '\0';
	if (mp_layouts_parse(&set, "fuzz.rec", text, &err)) {
		CHECK(strncmp(err.text, "fuzz.rec:", 9) == 0 && err.text[9] >= '1' && err.text[9] <= '9');
	} else {
		int fd = memory_file(data, size);

		for (size_t i = 0; i < set.count; i++) {
			check_layout(set.items[i]);
			decode(set.items[i], fd);
		}
		for (int i = 0; i < set.soc_count; i++)
			CHECK(mp_layouts_soc(&set, set.socs[i].name) == i && set.socs[i].title[0]);
		CHECK(mp_layouts_finish(&set, &err) == 0 || err.text[0]);
		close(fd);
	}
	mp_layouts_free(&set);
	free(text);
	return 0;
}
