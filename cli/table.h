/*
 * table.h: prints reports as tables for people, in the "fancy_grid" style.
 *
 * A table is a struct mp_writer that prints to an mp_out of the caller. It
 * keeps the first rows of a section (at most 1,000, at most 16 MiB) to choose
 * the widths of the columns, and prints later rows with these widths. So memory
 * does not grow with the number of rows. Where a grid is wider than the terminal
 * it leaves out columns, if the section says which decide; else columns are
 * wrapped, and where that does not help, each row becomes a list of
 * "Title : value" lines. Foreign text is sanitised. Widths are Unicode's
 * (table_widths.h), in any locale. One thread at a time; free with table_free.
 */
#ifndef MSPROF_TABLE_H
#define MSPROF_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/out.h"
#include "report/writer.h"

struct text_table;

struct table_options {
	int width; /* of the terminal; 0: unlimited */
	bool colour;
	bool ascii;   /* lines of ASCII */
	bool plain;   /* '?' in place of all characters that are not of ASCII */
	bool compact; /* no lines between rows of one line each, and no joined columns */
};

/* Create a table that prints to `out`. */
int table_create(struct text_table **t, struct mp_out *out, const struct table_options *opt, struct mp_error *err);

/* Choose for the next sections: true: a text too wide for its column keeps one line, its last part. */
void table_shorten(struct text_table *t, bool shorten);

/* The writer for reports; lives as long as the table. */
struct mp_writer *table_writer(struct text_table *t);

/* Free the table; NULL is allowed. Printed rows stay in `out`. */
void table_free(struct text_table *t);

/*
 * Below: the geometry (table_layout.c), of use to table.c only.
 *
 * The text of a cell is sanitised, so control characters can structure it:
 * TABLE_NEWLINE ends a line; TABLE_JOIN separates joined values and prints as '/'.
 */
#define TABLE_NEWLINE '\n'
#define TABLE_JOIN '\x1e'

/* The characters after which text may be wrapped. Names are words joined by these; titles keep units like GB/s. */
#define TABLE_TEXT_BREAKS "\x1e/_-, "
#define TABLE_TITLE_BREAKS " "

/* The least width of a text column, and of a terminal. */
enum { TABLE_COLUMN_MIN = 6, TABLE_WIDTH_MIN = 20 };

/* Widths of a text: of its longest line, and of its longest piece that wrapping should keep whole. */
struct table_extent {
	int line;
	int piece;
};

enum table_kind { TABLE_UNKNOWN, TABLE_NUMBER_OF_TOTAL, TABLE_NUMBER, TABLE_TEXT };

struct table_column {
	int first; /* its first column in the report, and the number of joined columns */
	int joined;
	enum table_kind kind;
	struct table_extent head;
	struct table_extent body;
	int weight;       /* a table that is too narrow leaves out those with the largest one first; 0: never */
	bool is_hidden;   /* left out */
	int width;        /* of its text in a grid, as table_layout_fit chose */
	const char *rest; /* of the cell that is being printed; NULL: all is printed */
};

/* A printed line: `len` bytes, `width` columns; `next` is the start of the next line, NULL at the end. */
struct table_line {
	size_t len;
	int width;
	const char *next;
};

/* Copy foreign text of `len` bytes, made safe; at most `most` bytes, the last ones an ellipsis where it is cut. Returns
 * the length. */
size_t table_text_safe(char *dst, size_t most, const char *s, size_t len, bool plain, const char *ellipsis);

/* The weight of a column: the place of its title in a list with commas; others weigh more, the last ones most. */
int table_column_weight(const char *list, const char *title, int column);

bool table_column_numeric(const struct table_column *c);

/* The characters after which a cell of the column may be wrapped; numbers wrap only where they were joined. */
const char *table_column_breaks(const struct table_column *c);

/* Measure a text that may be wrapped after the characters of `breaks`. */
struct table_extent table_extent_of(const char *s, const char *breaks);

/* Take a row into account: its values, and the text of each column of the table, one after the other. */
void table_columns_measure(struct table_column *columns, int count, const struct mp_value *cells, const char *texts);

/* Cut the next line of at most `width` columns (0: any) from s; spaces at the cut are dropped. */
struct table_line table_line_next(const char *s, const char *breaks, int width);

/* Whether each measured cell fits into its column, as one line where it has no newline; or only those of numbers. */
bool table_cells_fit(const struct table_column *columns, int count, bool numbers_only);

/* Shorten a text without a newline to `width` columns, at least 2, in place: returns "..", and its last part. */
char *table_text_shorten(char *s, int width);

/*
 * Choose the widths for a grid of at most `width` columns (0: any). `growing`:
 * rows that were not measured will follow. `shorten`: texts are shortened rather than
 * numbers wrapped. False if no grid is narrow enough.
 */
bool table_layout_fit(struct table_column *columns, int count, int width, bool growing, bool shorten);

/* Hide columns with a weight, until the rest fits with whole numbers and texts of a comfortable width. Returns how many
 * are hidden. */
int table_layout_hide(struct table_column *columns, int count, int width, bool growing, bool shorten);

#endif
