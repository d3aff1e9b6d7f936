/*
 * writer.h: what every output format of a report implements.
 *
 * A report arrives as sections; each has a heading (for people), keys (for
 * machines: the identity of the section), column titles and rows. Calls come
 * in the order section, row..., end. A NULL cell is a value that does not
 * exist: writers print N/A, or null. A row whose first cell is the text "-" is a total. MP_LIST_SEPARATOR in a text
 * cell separates the items of a list. A title that begins with '/' belongs, in a table, into the cell of the column
 * before it; other formats drop the '/' and keep the column. All functions return 0, or -1 with err filled. Values are
 * borrowed for the call, keys and titles until the section's end.
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
	const char *heading; /* lines below the title, '\n' between them; may be "" */
	const char *absent;  /* why there are no rows; NULL when there are */
	const char *const *key_names;
	const struct mp_value *keys;
	int key_count;
	const char *const *titles; /* of the columns */
	int column_count;          /* 0: the heading is all there is */
};

/* "none" is an answer, not a lack of data. */
static inline bool mp_section_is_none(const struct mp_section *s)
{
	return s->absent && strncmp(s->absent, "none", 4) == 0;
}

static inline bool mp_is_dash(const struct mp_value *v)
{
	return v->type == MP_TEXT && v->len == 1 && v->text[0] == '-';
}

static inline bool mp_row_is_total(const struct mp_value *cells)
{
	return mp_is_dash(&cells[0]);
}

struct mp_writer {
	int (*section)(struct mp_writer *w, const struct mp_section *s, struct mp_error *err);
	int (*row)(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err);
	/* `omitted`: rows that the caller left out of this section. */
	int (*end)(struct mp_writer *w, int64_t omitted, struct mp_error *err);
	/*
	 * Another one, for rows of the same section that go to another output; free() it; NULL: no memory. Writers
	 * whose rows depend on those before them, and that do not write to an mp_out, have no such function.
	 */
	struct mp_writer *(*fork)(const struct mp_writer *w, struct mp_out *out);
};

#endif
