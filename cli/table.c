/*
 * table.c: keeps the first rows of a section, then prints grids or records.
 * Must not know where rows come from, nor what their columns mean.
 */
#include "table_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"

enum { ROWS_KEPT = 1000 };

/* Fewer rows are kept where cells are huge. */
static const size_t BYTES_KEPT = (size_t)16 << 20;

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

static void rule_print(struct text_table *t, const struct rule *rule)
{
	for (int i = 0; i < t->column_count; i++) {
		if (t->columns[i].is_hidden) /* never the first */
			continue;
		mp_out_text(t->out, i == 0 ? rule->left : rule->cross);
		table_repeat(t->out, rule->fill, t->columns[i].width + 2);
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
			table_repeat(t->out, " ", c->width - line.width);
		cell_line_print(t, text, line.len);
		if (!right)
			table_repeat(t->out, " ", c->width - line.width);
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
		at = TABLE_RECORD_INDENT;
		table_repeat(t->out, " ", at);
	}
	table_paragraph_print(t, value, at, TABLE_RECORD_INDENT, breaks);
}

/* Like grid_row_print, but with a line for every value; joined values are separated. */
static char *record_print(struct text_table *t, char *texts)
{
	const char *titles = t->text;

	table_repeat(t->out, t->glyphs->between.fill, t->opt.width);
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
	if (table_text_reserve(t, 1, err))
		return -1;
	table_heading_print(t, s);
	if (s->absent || s->column_count == 0)
		return 0;
	if (table_columns_prepare(t, s, err))
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
	if (table_text_reserve(t, t->value_count, err))
		return -1;
	start = t->used;
	table_row_append(t, cells);
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
	table_paragraph_print(t, names, 0, TABLE_RECORD_INDENT, TABLE_TITLE_BREAKS);
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
		table_paragraph_print(t, more, 0, TABLE_RECORD_INDENT, TABLE_TITLE_BREAKS);
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
