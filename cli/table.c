/*
 * table.c: keeps the first rows of a section, then prints grids or records.
 * Must not know where rows come from, nor what their columns mean.
 */
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/number.h"
#include "base/say.h"
#include "base/vec.h"

#define CYAN "\033[36m"
#define COLOUR_END "\033[0m"

enum { ROWS_KEPT = 1000, CELL_MAX = 4096, RECORD_INDENT = 4 };

/* Fewer rows are kept where cells are huge. */
static const size_t BYTES_KEPT = (size_t)16 << 20;

enum mode { MODE_CLOSED, MODE_MEASURE, MODE_GRID, MODE_RECORD };

struct rule {
	const char *left, *fill, *cross, *right;
};

struct glyphs {
	struct rule top, below_titles, between, bottom;
	const char *bar, *ellipsis;
};

static const struct glyphs fancy = {.top = {"╒", "═", "╤", "╕"},
    .below_titles = {"╞", "═", "╪", "╡"},
    .between = {"├", "─", "┼", "┤"},
    .bottom = {"╘", "═", "╧", "╛"},
    .bar = "│",
    .ellipsis = "…"};
static const struct glyphs ascii = {.top = {"+", "-", "+", "+"},
    .below_titles = {"+", "=", "+", "+"},
    .between = {"+", "-", "+", "+"},
    .bottom = {"+", "-", "+", "+"},
    .bar = "|",
    .ellipsis = "..."};

struct text_table {
	struct mp_writer writer; /* first, so that a pointer to it is one to the table */
	struct mp_out *out;
	struct table_options opt;
	const struct glyphs *glyphs;
	enum mode mode;
	struct table_column *columns;
	int column_count;
	int value_count; /* columns of the report, more than column_count where columns are joined */
	/* The titles of all columns, from `rows_at` on the cells of the rows kept: each ends with a NUL. */
	char *text;
	size_t used, most, rows_at; /* most: bytes of text so far */
	int rows_kept;
	int hidden; /* columns that are left out */
	bool row_printed, shorten;
	bool ruled; /* lines between the rows of a grid */
};

/* ---- keeping text ---- */

/* Make room for `count` values of CELL_MAX bytes, each with a byte that ends it. */
static int text_reserve(struct text_table *t, int count, struct mp_error *err)
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

/* Append a row as one text for each column of the table. */
static void row_append(struct text_table *t, const struct mp_value *cells)
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

/* Keep the titles, those of one column as lines of one text, and start to measure. */
static int columns_prepare(struct text_table *t, const struct mp_section *s, struct mp_error *err)
{
	const char *text_at;

	if (!mp_vec_room(t->columns, 0, (size_t)s->column_count))
		return mp_fail_memory(err, "the columns of a table");
	t->column_count = 0;
	t->value_count = s->column_count;
	t->used = 0;
	if (text_reserve(t, s->column_count, err))
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

/* ---- printing ---- */

/* Print a character of at most four bytes `count` times. */
static void repeat(struct mp_out *out, const char *unit, int count)
{
	char run[4 * 64];
	size_t len = strlen(unit);

	for (size_t i = 0; i < sizeof(run) / len && i < (size_t)count; i++)
		memcpy(run + i * len, unit, len);
	for (; count > 0; count -= 64)
		mp_out_write(out, run, len * (size_t)(count < 64 ? count : 64));
}

/* Print text that begins in column `at` of the line; later lines begin at `indent`. */
static void paragraph_print(struct text_table *t, const char *text, int at, int indent, const char *breaks)
{
	while (text) {
		int room = t->opt.width > at + TABLE_COLUMN_MIN ? t->opt.width - at : TABLE_COLUMN_MIN;
		struct table_line line = table_line_next(text, breaks, t->opt.width > 0 ? room : 0);

		mp_out_write(t->out, text, line.len);
		mp_out_char(t->out, '\n');
		text = line.next;
		at = indent;
		if (text)
			repeat(t->out, " ", indent);
	}
}

/* As paragraph_print, for a foreign line; uses the room for rows. */
static void line_print(struct text_table *t, const char *s, size_t len, int at, int indent)
{
	t->used = 0;
	text_append_foreign(t, s, len);
	t->text[t->used] = '\0';
	paragraph_print(t, t->text, at, indent, TABLE_TEXT_BREAKS);
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
static void heading_print(struct text_table *t, const struct mp_section *s)
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

		line_print(t, line, len, at, RECORD_INDENT);
		line += len;
		at = 0;
	}
	if (s->absent) {
		const char *label = mp_section_is_none(s) ? "  " : mp_say_word("  no data: ");
		char said[1024];
		const char *absent = mp_say_found(said, sizeof(said), s->absent);

		mp_out_text(t->out, label);
		line_print(t, absent, strlen(absent), table_extent_of(label, "").line, RECORD_INDENT);
	}
}

static void rule_print(struct text_table *t, const struct rule *rule)
{
	for (int i = 0; i < t->column_count; i++) {
		if (t->columns[i].is_hidden) /* never the first */
			continue;
		mp_out_text(t->out, i == 0 ? rule->left : rule->cross);
		repeat(t->out, rule->fill, t->columns[i].width + 2);
	}
	mp_out_text(t->out, rule->right);
	mp_out_char(t->out, '\n');
}

static void cell_line_print(struct text_table *t, const char *s, size_t len)
{
	const char *join;

	while ((join = memchr(s, TABLE_JOIN, len))) {
		mp_out_write(t->out, s, (size_t)(join - s));
		mp_out_char(t->out, '/');
		len -= (size_t)(join - s) + 1;
		s = join + 1;
	}
	mp_out_write(t->out, s, len);
}

/* Print the next line of the cells of a row; true while there is more. */
static bool grid_line_print(struct text_table *t, bool head)
{
	bool more = false;

	for (int i = 0; i < t->column_count; i++) {
		struct table_column *c = &t->columns[i];
		const char *text = c->rest ? c->rest : "";
		const char *breaks = head ? TABLE_TITLE_BREAKS : table_column_breaks(c);
		struct table_line line = table_line_next(text, breaks, c->width);
		bool right = table_column_numeric(c);

		if (c->is_hidden)
			continue;
		mp_out_text(t->out, t->glyphs->bar);
		mp_out_char(t->out, ' ');
		if (right)
			repeat(t->out, " ", c->width - line.width);
		cell_line_print(t, text, line.len);
		if (!right)
			repeat(t->out, " ", c->width - line.width);
		mp_out_char(t->out, ' ');
		c->rest = line.next;
		more = more || c->rest;
	}
	mp_out_text(t->out, t->glyphs->bar);
	mp_out_char(t->out, '\n');
	return more;
}

/* Print the cells that begin at `texts`; returns where the next row does. */
static char *grid_row_print(struct text_table *t, char *texts, bool head)
{
	for (int i = 0; i < t->column_count; i++) {
		char *next = texts + strlen(texts) + 1;

		if (t->shorten && !head && !t->columns[i].is_hidden && !table_column_numeric(&t->columns[i]))
			texts = table_text_shorten(texts, t->columns[i].width);
		t->columns[i].rest = texts;
		texts = next;
	}
	while (grid_line_print(t, head))
		;
	return texts;
}

/* "Title : value"; a value that would be cut beside its title goes below it. */
static void record_line_print(
    struct text_table *t, const char *title, size_t title_len, int title_width, const char *value, const char *breaks)
{
	struct table_extent extent = table_extent_of(value, breaks);
	const char *colon = mp_say_word(" : ");
	int at = title_width + table_extent_of(colon, "").line, room = t->opt.width - at;
	const bool is_below = extent.piece > room || (extent.line > room && room < TABLE_COLUMN_MIN);

	if (is_below || !*value)
		colon = t->opt.width && title_width + 2 > t->opt.width ? ":" : mp_say_word(" :");
	mp_out_write(t->out, title, title_len);
	mp_out_text(t->out, colon);
	if (is_below) {
		mp_out_char(t->out, '\n');
		at = RECORD_INDENT;
		repeat(t->out, " ", at);
	}
	paragraph_print(t, value, at, RECORD_INDENT, breaks);
}

/* Like grid_row_print, but with a line for every value; joined values are separated. */
static char *record_print(struct text_table *t, char *texts)
{
	const char *titles = t->text;

	repeat(t->out, t->glyphs->between.fill, t->opt.width);
	mp_out_char(t->out, '\n');
	for (int i = 0; i < t->column_count; i++) {
		const char *title = titles;
		char *value = texts;

		titles += strlen(titles) + 1;
		texts += strlen(texts) + 1;
		while (value && title) {
			struct table_line line = table_line_next(title, "", 0);
			char *join = strchr(value, TABLE_JOIN);

			if (join)
				*join = '\0';
			record_line_print(t, title, line.len, line.width, value, table_column_breaks(&t->columns[i]));
			title = line.next;
			value = join ? join + 1 : NULL;
		}
	}
	return texts;
}

static char *row_print(struct text_table *t, char *texts)
{
	if (t->mode == MODE_RECORD)
		return record_print(t, texts);
	if (t->row_printed && t->ruled)
		rule_print(t, &t->glyphs->between);
	t->row_printed = true;
	return grid_row_print(t, texts, false);
}

/* Choose the widths and print the kept rows; `growing`: more rows will follow. */
static void rows_kept_print(struct text_table *t, bool growing)
{
	char *texts;

	t->hidden = table_layout_hide(t->columns, t->column_count, t->opt.width, growing, t->shorten);
	t->mode =
	    table_layout_fit(t->columns, t->column_count, t->opt.width, growing, t->shorten) ? MODE_GRID : MODE_RECORD;
	t->row_printed = false;
	t->ruled = !t->opt.compact || growing || !table_cells_fit(t->columns, t->column_count, t->shorten) ||
		   memchr(t->text + t->rows_at, TABLE_NEWLINE, t->used - t->rows_at);
	if (t->mode == MODE_GRID) {
		rule_print(t, &t->glyphs->top);
		grid_row_print(t, t->text, true);
		rule_print(t, &t->glyphs->below_titles);
	} else if (t->rows_kept == 0) {
		mp_out_text(t->out, "  no rows\n");
	}
	texts = t->text + t->rows_at;
	for (int i = 0; i < t->rows_kept; i++)
		texts = row_print(t, texts);
	t->used = t->rows_at;
}

/* ---- the writer ---- */

static int table_section(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	struct text_table *t = (struct text_table *)w;

	t->mode = MODE_CLOSED;
	t->used = 0;
	if (text_reserve(t, 1, err))
		return -1;
	heading_print(t, s);
	if (s->absent || s->column_count == 0)
		return 0;
	if (columns_prepare(t, s, err))
		return -1;
	t->mode = MODE_MEASURE;
	return 0;
}

static int table_row(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	struct text_table *t = (struct text_table *)w;
	size_t start;

	if (t->mode == MODE_CLOSED)
		return 0;
	if (t->mode == MODE_MEASURE && (t->rows_kept == ROWS_KEPT || t->used - t->rows_at > BYTES_KEPT))
		rows_kept_print(t, true);
	if (text_reserve(t, t->value_count, err))
		return -1;
	start = t->used;
	row_append(t, cells);
	if (t->mode == MODE_MEASURE) {
		table_columns_measure(t->columns, t->column_count, cells, t->text + start);
		t->rows_kept++;
	} else {
		row_print(t, t->text + start);
		t->used = t->rows_at;
	}
	return 0;
}

/* Name the columns that are left out. */
static void hidden_print(struct text_table *t)
{
	char names[1024];
	const char *title = t->text;
	size_t used = (size_t)snprintf(
	    names, sizeof(names), "  %s %s", t->glyphs->ellipsis, mp_say_word("more columns (--columns): "));
	int left = t->hidden;

	for (int i = 0; i < t->column_count && used < sizeof(names); i++, title += strlen(title) + 1)
		if (t->columns[i].is_hidden)
			used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", title, --left ? ", " : "");
	paragraph_print(t, names, 0, RECORD_INDENT, TABLE_TITLE_BREAKS);
}

static int table_end(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	struct text_table *t = (struct text_table *)w;

	if (t->mode == MODE_MEASURE)
		rows_kept_print(t, false);
	if (t->mode == MODE_GRID)
		rule_print(t, &t->glyphs->bottom);
	if (t->mode == MODE_GRID && t->hidden)
		hidden_print(t);
	t->mode = MODE_CLOSED;
	if (omitted > 0) {
		char rows[80], said[160], more[180];

		snprintf(rows, sizeof(rows), "%lld more row%s (--top 0 shows all)", (long long)omitted,
		    omitted == 1 ? "" : "s");
		snprintf(more, sizeof(more), "  %s %s", t->glyphs->ellipsis, mp_say_found(said, sizeof(said), rows));
		paragraph_print(t, more, 0, RECORD_INDENT, TABLE_TITLE_BREAKS);
	}
	mp_out_char(t->out, '\n');
	/* Flush each section: the reader sees it at once, and a closed pipe ends the command. */
	return mp_out_flush(t->out, err);
}

int table_create(struct text_table **t, struct mp_out *out, const struct table_options *opt, struct mp_error *err)
{
	*t = calloc(1, sizeof(**t));
	if (!*t)
		return mp_fail_memory(err, "a table");
	(*t)->writer = (struct mp_writer){table_section, table_row, table_end, NULL};
	(*t)->out = out;
	(*t)->opt = *opt;
	(*t)->glyphs = opt->ascii ? &ascii : &fancy;
	if (opt->width > 0 && opt->width < TABLE_WIDTH_MIN)
		(*t)->opt.width = TABLE_WIDTH_MIN;
	return 0;
}

void table_shorten(struct text_table *t, bool shorten)
{
	t->shorten = shorten;
}

struct mp_writer *table_writer(struct text_table *t)
{
	return &t->writer;
}

void table_free(struct text_table *t)
{
	if (!t)
		return;
	free(t->columns);
	free(t->text);
	free(t);
}
