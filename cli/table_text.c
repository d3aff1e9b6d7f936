/* table_text.c: the texts of a table, kept and made safe, and what is printed above it. */
#include <string.h>

#include "base/number.h"
#include "base/say.h"
#include "base/text.h"
#include "base/vec.h"
#include "table_internal.h"

#define CYAN "\033[36m"
#define COLOUR_END "\033[0m"

enum { CELL_MAX = 4096 };

int table_text_reserve(struct text_table *t, int count, struct mp_error *err)
{
	const size_t wanted = t->used + (size_t)count * (CELL_MAX + 1);

	return mp_vec_reach(t->text, &t->most, wanted) ? 0 : mp_fail_memory(err, "the rows of a table");
}

static void text_append(struct text_table *t, const char *bytes, size_t len)
{
	memcpy(t->text + t->used, bytes, len);
	t->used += len;
}

/* Append foreign text, made safe. */
static void text_append_foreign(struct text_table *t, const char *s, size_t len)
{
	t->used += table_text_safe(t->text + t->used, CELL_MAX, s, len, t->opt.plain, t->glyphs->ellipsis);
}

static void text_append_value(struct text_table *t, const struct mp_value *v)
{
	switch (v->type) {
	case MP_NULL:
	case MP_BLOB:
		text_append(t, "N/A", 3);
		break;
	case MP_INT:
		t->used += mp_number_int(t->text + t->used, v->i);
		break;
	case MP_REAL:
		t->used += mp_number_real(t->text + t->used, v->d);
		break;
	case MP_TEXT:
		text_append_foreign(t, v->text, v->len);
		break;
	}
}

void table_row_append(struct text_table *t, const struct mp_value *cells)
{
	for (int i = 0; i < t->column_count; i++) {
		const struct table_column *c = &t->columns[i];

		for (int k = 0; k < c->joined; k++) {
			if (k > 0)
				t->text[t->used++] = TABLE_JOIN;
			text_append_value(t, &cells[c->first + k]);
		}
		t->text[t->used++] = '\0';
	}
}

int table_columns_prepare(struct text_table *t, const struct mp_section *s, struct mp_error *err)
{
	const char *text_at;

	if (!mp_vec_room(t->columns, 0, (size_t)s->column_count))
		return mp_fail_memory(err, "the columns of a table");
	t->column_count = 0;
	t->value_count = s->column_count;
	t->used = 0;
	if (table_text_reserve(t, s->column_count, err))
		return -1;
	for (int i = 0; i < s->column_count; i++) {
		const char *title = s->titles[i];

		if (i > 0 && *title == '/' && !t->opt.compact) { /* it joins the column before */
			t->columns[t->column_count - 1].joined++;
			t->text[t->used - 1] = TABLE_NEWLINE;
		} else {
			t->columns[t->column_count++] = (struct table_column){.first = i, .joined = 1};
		}
		title += *title == '/';
		text_append_foreign(t, title, strlen(title));
		t->text[t->used++] = '\0';
	}
	t->rows_at = t->used;
	t->rows_kept = 0;
	t->hidden = 0;
	text_at = t->text;
	for (int i = 0; i < t->column_count; i++) {
		t->columns[i].head = table_extent_of(text_at, TABLE_TITLE_BREAKS);
		t->columns[i].weight = s->decides && i > 0 ? table_column_weight(s->decides, text_at, i) : 0;
		text_at += strlen(text_at) + 1;
	}
	return 0;
}

void table_repeat(struct mp_out *out, const char *unit, int count)
{
	char run[4 * 64];
	size_t len = strlen(unit);

	for (size_t i = 0; i < sizeof(run) / len && i < (size_t)count; i++)
		memcpy(run + i * len, unit, len);
	for (; count > 0; count -= 64)
		mp_out_write(out, run, len * (size_t)(count < 64 ? count : 64));
}

void table_paragraph_print(struct text_table *t, const char *text, int at, int indent, const char *breaks)
{
	while (text) {
		int room = t->opt.width > at + TABLE_COLUMN_MIN ? t->opt.width - at : TABLE_COLUMN_MIN;
		struct table_line line = table_line_next(text, breaks, t->opt.width > 0 ? room : 0);

		mp_out_write(t->out, text, line.len);
		mp_out_char(t->out, '\n');
		text = line.next;
		at = indent;
		if (text)
			table_repeat(t->out, " ", indent);
	}
}

/* As table_paragraph_print, for a foreign line; uses the room for rows. */
static void line_print(struct text_table *t, const char *s, size_t len, int at, int indent)
{
	t->used = 0;
	text_append_foreign(t, s, len);
	t->text[t->used] = '\0';
	table_paragraph_print(t, t->text, at, indent, TABLE_TEXT_BREAKS);
}

/* Print a title, and a colon behind its last line. */
static void title_print(struct text_table *t, const char *title, const char *colon)
{
	int room = t->opt.width - table_extent_of(colon, "").line;

	t->used = 0;
	text_append_foreign(t, title, strlen(title));
	t->text[t->used] = '\0';
	room = t->opt.width <= 0 ? 0 : room > TABLE_COLUMN_MIN ? room : TABLE_COLUMN_MIN;
	for (const char *text = t->text; text;) {
		struct table_line line = table_line_next(text, TABLE_TEXT_BREAKS, room);

		mp_out_text(t->out, t->opt.colour ? CYAN : "");
		mp_out_write(t->out, text, line.len);
		text = line.next;
		mp_out_text(t->out, text ? "" : colon);
		mp_out_text(t->out, t->opt.colour ? COLOUR_END : "");
		mp_out_text(t->out, text ? "\n" : "");
	}
}

/* A section that is only a heading stands on one line, and its title is a word: "Frequency : 700 Mhz". */
void table_heading_print(struct text_table *t, const struct mp_section *s)
{
	const bool is_line = s->column_count == 0 && !s->absent && *s->heading;
	const char *title = is_line ? mp_say_word(s->title) : s->title, *colon = mp_say_word(is_line ? " : " : " :");
	int at = *title && is_line ? table_extent_of(title, "").line + table_extent_of(colon, "").line : 0;

	if (*title) {
		title_print(t, title, colon);
		mp_out_text(t->out, is_line ? "" : "\n");
	}
	for (const char *line = s->heading; *line; line += *line == '\n') {
		size_t len = strcspn(line, "\n");

		line_print(t, line, len, at, TABLE_RECORD_INDENT);
		line += len;
		at = 0;
	}
	if (s->absent) {
		const char *label = mp_section_is_none(s) ? "  " : mp_say_word("  no data: ");
		char said[1024];
		const char *absent = mp_say_found(said, sizeof(said), s->absent);

		mp_out_text(t->out, label);
		line_print(t, absent, strlen(absent), table_extent_of(label, "").line, TABLE_RECORD_INDENT);
	}
}
