/* report_rows.c: prepares the rows of a report with columns left out, or sorted by a column. */
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A user may name a column by its full title or without the unit, in any case. */
static bool title_matches(const char *title, const char *name)
{
	size_t len = strcspn(title, "("), name_len = strlen(name);

	return strcasecmp(title, name) == 0 || (len == name_len && strncasecmp(title, name, len) == 0);
}

/* "time" stands for the column that the report defines. */
int mp_report_find_title(const struct mp_report *r, const struct mp_query *rows, const char *name)
{
	const char *wanted = strcasecmp(name, "time") == 0 ? r->time : name;

	for (int i = 0; *wanted && i < mp_query_column_count(rows); i++) {
		const char *title = mp_query_title(rows, i);

		if (title_matches(title + (title[0] == '/'), wanted))
			return i;
	}
	return -1;
}

static void quote_name(char *dst, size_t size, const char *title)
{
	size_t n = 0;

	for (; *title && n + 2 < size; title++) {
		if (*title == '"')
			dst[n++] = '"';
		dst[n++] = *title;
	}
	dst[n] = '\0';
}

/*
 * Write the ORDER BY: largest numbers first, even when stored as text; then texts in order of bytes. A total (first
 * cell '-') precedes all.
 */
static void put_order(char *order, size_t size, const struct mp_query *rows, int column)
{
	char by[160], first[160];

	quote_name(by, sizeof(by), mp_query_title(rows, column));
	quote_name(first, sizeof(first), mp_query_title(rows, 0));
	snprintf(order, size,
	    ")\nORDER BY \"%s\" IS NOT '-', \"%s\" IS NULL,"
	    " CASE WHEN typeof(\"%s\") <> 'text' OR (\"%s\" GLOB '[-0-9]*[0-9]*' OR \"%s\" GLOB '[0-9]') AND substr(\"%s\", 2) NOT GLOB '*[^0-9.]*'"
	    " THEN CAST(\"%s\" AS NUMERIC) END DESC NULLS LAST, \"%s\"",
	    first, by, by, by, by, by, by, by);
}

/* Mark the columns that @without names. */
static int mark_without(
    bool *drop, int columns, struct mp_query *without, const struct mp_query *rows, struct mp_error *err)
{
	int status;

	while ((status = mp_query_next(without, err)) == 1) {
		struct mp_value v = mp_query_value(without, 0);

		for (int i = 0; v.type == MP_TEXT && i < columns; i++)
			drop[i] = drop[i] || (v.len == strlen(mp_query_title(rows, i)) &&
						 memcmp(v.text, mp_query_title(rows, i), v.len) == 0);
	}
	return status;
}

/* Write "SELECT the columns that @without leaves FROM (". SQLite then does not compute the other columns. */
static int put_columns(char *select, size_t size, const struct mp_report *r, struct mp_db *db,
    const struct mp_report_row *each, const struct mp_query *rows, enum mp_style style, struct mp_error *err)
{
	size_t used = (size_t)snprintf(select, size, "SELECT ");
	int columns = mp_query_column_count(rows), status, kept = 0;
	bool drop[MP_REPORT_COLUMN_MAX] = {false};
	struct mp_query *without;
	char name[160];

	if (columns > MP_REPORT_COLUMN_MAX)
		return mp_fail(err, "schema/%s: more than %d columns", r->path, MP_REPORT_COLUMN_MAX);
	if (mp_report_query(&without, db, &r->without, "", "", style, err))
		return -1;
	status = mp_report_bind(without, each, err) ? -1 : mark_without(drop, columns, without, rows, err);
	for (int i = 0; !status && i < columns && used < size; i++) {
		if (drop[i])
			continue;
		quote_name(name, sizeof(name), mp_query_title(rows, i));
		used += (size_t)snprintf(select + used, size - used, "%s\"%s\"", kept++ ? ", " : "", name);
	}
	mp_query_close(without);
	if (!status && used < size)
		used += (size_t)snprintf(select + used, size - used, " FROM (");
	if (!status && (used >= size || !kept))
		status = mp_fail(err, "schema/%s: no column is left, or too many", r->path);
	return status;
}

/* The SQL around @rows that chooses columns, or sorts. */
struct around {
	char select[16384], order[2048];
};

static int open_around(struct mp_query **rows, struct around *a, int column, const struct mp_report *r,
    struct mp_db *db, const struct mp_report_row *each, const struct mp_section_options *o, struct mp_error *err)
{
	int status = 0;

	strcpy(a->select, "SELECT * FROM (");
	strcpy(a->order, ")");
	if (column >= 0)
		put_order(a->order, sizeof(a->order), *rows, column);
	if (r->without.text)
		status = put_columns(a->select, sizeof(a->select), r, db, each, *rows, o->style, err);
	mp_query_close(*rows);
	*rows = NULL;
	return status ? -1 : mp_report_rows(rows, db, &r->rows, a->select, a->order, o->style, err);
}

int mp_report_open_rows(struct mp_query **rows, const struct mp_report *r, struct mp_db *db,
    const struct mp_report_row *each, const struct mp_section_options *o, struct mp_error *err)
{
	struct around *a;
	int column, status;

	if (mp_report_rows(rows, db, &r->rows, "", "", o->style, err))
		return -1;
	column = o->sort ? mp_report_find_title(r, *rows, o->sort) : -1;
	if (column < 0 && !r->without.text)
		return 0;
	a = malloc(sizeof(*a));
	if (!a) {
		mp_query_close(*rows);
		*rows = NULL;
		return mp_fail_memory(err, "a query");
	}
	status = open_around(rows, a, column, r, db, each, o, err);
	free(a);
	return status;
}
