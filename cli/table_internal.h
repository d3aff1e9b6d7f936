/* table_internal.h: what the parts of a table share: its texts, and what stands above it; its rows. */
#ifndef MSPROF_TABLE_INTERNAL_H
#define MSPROF_TABLE_INTERNAL_H

#include "table.h"

enum { TABLE_RECORD_INDENT = 4 };

enum mode { MODE_CLOSED, MODE_MEASURE, MODE_GRID, MODE_RECORD };

struct rule {
	const char *left, *fill, *cross, *right;
};

struct glyphs {
	struct rule top, below_titles, between, bottom;
	const char *bar, *ellipsis;
};

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

/* Make room for `count` values, each with a byte that ends it. */
int table_text_reserve(struct text_table *t, int count, struct mp_error *err);

/* Append a row as one text for each column of the table. */
void table_row_append(struct text_table *t, const struct mp_value *cells);

/* Keep the titles, those of one column as lines of one text, and start to measure. */
int table_columns_prepare(struct text_table *t, const struct mp_section *s, struct mp_error *err);

/* Print a character of at most four bytes `count` times. */
void table_repeat(struct mp_out *out, const char *unit, int count);

/* Print text that begins in column `at` of the line; later lines begin at `indent`. */
void table_paragraph_print(struct text_table *t, const char *text, int at, int indent, const char *breaks);

/* Print the title and the heading of a section, and why it has no data. */
void table_heading_print(struct text_table *t, const struct mp_section *s);

#endif
