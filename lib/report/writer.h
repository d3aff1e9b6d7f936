/*
 * writer.h: the interface that every output format of a report implements.
 *
 * A report arrives as sections. A section has a heading (for people), keys (for machines: the identity of the section),
 * column titles and rows. Calls come in the order section, row..., end. A NULL cell is a missing value: writers print
 * N/A, or null. A row with the text "-" in its first cell is a total. MP_LIST_SEPARATOR separates the items of a list
 * in a text cell. In a table of the vendor's style, a title that begins with '/' joins the cell of the column before;
 * others drop the '/' and keep the column. All functions return 0, or -1 with err. Values are borrowed for the call,
 * keys and titles until the end of the section.
 */
#ifndef MP_REPORT_WRITER_H
#define MP_REPORT_WRITER_H

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/out.h"
#include "base/value.h"

struct mp_section {
	const char *title;   /* "AA Core Metrics" */
	const char *heading; /* lines below the title, separated by '\n'; may be "" */
	const char *absent;  /* why there are no rows; NULL when there are rows */
	const char *const *key_names;
	const struct mp_value *keys;
	int key_count;
	const char *const *titles; /* of the columns */
	int column_count;          /* 0: the section is its heading only */
	const char *decides; /* titles by their weight, separated by commas: a table that is too narrow leaves others
				out; or NULL */
};

/* Returns whether the reason for no rows is "none", which is an answer and not a lack of data. */
static inline bool mp_section_is_none(const struct mp_section *s)
{
	return s->absent && strncmp(s->absent, "none", 4) == 0;
}

/* Returns whether a value is the text "-". */
static inline bool mp_is_dash(const struct mp_value *v)
{
	return v->type == MP_TEXT && v->len == 1 && v->text[0] == '-';
}

/* Returns whether a row is a total. */
static inline bool mp_row_is_total(const struct mp_value *cells)
{
	return mp_is_dash(&cells[0]);
}

struct mp_writer {
	int (*section)(struct mp_writer *w, const struct mp_section *s, struct mp_error *err);
	int (*row)(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err);
	/* `omitted`: number of rows that the caller left out of this section. */
	int (*end)(struct mp_writer *w, int64_t omitted, struct mp_error *err);
	/*
	 * Make another writer for rows of the same section that go to another output; the caller frees it with free().
	 * NULL: out of memory. A writer has no `fork` when its rows depend on earlier rows, or when it does not write
	 * to an mp_out.
	 */
	struct mp_writer *(*fork)(const struct mp_writer *w, struct mp_out *out);
};

#endif
