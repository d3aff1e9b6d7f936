/* report_rows.c: reads rows of a report, and prepares them with columns left out or joined, or sorted by a column. */
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int mp_report_each(
    const struct mp_report *report, struct mp_db *db, mp_report_take *take, void *user, struct mp_error *err)
{
	struct mp_report_row *row = malloc(sizeof(*row));
	struct mp_query *q = NULL;
	int status = row ? 0 : mp_fail_memory(err, "rows");

	if (!status)
		status = mp_report_query(&q, db, &report->each, "", "", MP_STYLE_DEFAULT, err) ||
				 mp_report_bind_thresholds(q, report, err)
			     ? -1
			     : 0;
	while (!status && (status = mp_query_next(q, err)) == 1)
		status = mp_report_row(row, q, err) || take(user, row, err) ? -1 : 0;
	mp_query_close(q);
	free(row);
	return status;
}

int mp_report_values(const struct mp_sql *sql, struct mp_db *db, const struct mp_report_row *each, int columns,
    mp_report_take_values *take, void *user, struct mp_error *err)
{
	struct mp_value values[MP_REPORT_COLUMN_MAX];
	struct mp_query *q;
	int status;

	if (mp_report_rows(&q, db, sql, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	status = each && mp_report_bind(q, each, err) ? -1 : 0;
	if (!status && mp_query_column_count(q) != columns)
		status = mp_fail(err, "schema/%s: not %d columns", sql->path, columns);
	while (!status && (status = mp_query_next(q, err)) == 1) {
		mp_query_row(q, values, columns);
		status = take(user, values, err);
	}
	mp_query_close(q);
	return status;
}

/* A user may name a column by its full title or without the unit, in any case. */
static bool title_matches(const char *title, const char *name)
{
	size_t len = strcspn(title, "("), name_len = strlen(name);

	return strcasecmp(title, name) == 0 || (len == name_len && strncasecmp(title, name, len) == 0);
}

/* "time" stands for the column that the report defines. */
int mp_report_find_title(const struct mp_report *r, const struct mp_query *rows, const char *name)
{
	const char *wanted = strcasecmp(name, "time") == 0 ? r->table.time : name;

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
static int mark_without(bool *drop, const struct mp_report *r, struct mp_db *db, const struct mp_report_row *each,
    const struct mp_query *rows, enum mp_style style, struct mp_error *err)
{
	struct mp_query *without;
	int status;

	if (mp_report_query(&without, db, &r->table.without, "", "", style, err))
		return -1;
	status = mp_report_bind(without, each, err);
	while (!status && (status = mp_query_next(without, err)) == 1) {
		struct mp_value v = mp_query_value(without, 0);

		status = 0;
		for (int i = 0; v.type == MP_TEXT && i < mp_query_column_count(rows); i++)
			drop[i] = drop[i] || (v.len == strlen(mp_query_title(rows, i)) &&
						 memcmp(v.text, mp_query_title(rows, i), v.len) == 0);
	}
	mp_query_close(without);
	return status;
}

size_t mp_report_next_name(char *name, size_t size, const char *list)
{
	size_t len = strcspn(list, ","), from = strspn(list, " "), to = len;

	while (to > from && list[to - 1] == ' ')
		to--;
	snprintf(name, size, "%.*s", from < to ? (int)(to - from) : 0, list + from);
	return len + (list[len] == ',');
}

/* Mark the columns that the user's list does not name, but for the first. Returns false when the table has no column of
 * the list. */
static bool mark_unlisted(bool *drop, const struct mp_report *r, const struct mp_query *rows, const char *list)
{
	bool any = false;
	char name[160];

	for (int i = 1; i < mp_query_column_count(rows); i++)
		drop[i] = true;
	while (*list) {
		int column;

		list += mp_report_next_name(name, sizeof(name), list);
		column = mp_report_find_title(r, rows, name);
		if (column >= 0)
			drop[column] = false;
		any = any || column >= 0;
	}
	return any;
}

/* Write a column and its title. */
static size_t put_name(char *select, size_t size, const char *title, const char *as)
{
	char name[160], other[160];

	quote_name(name, sizeof(name), title);
	quote_name(other, sizeof(other), as);
	return (size_t)snprintf(select, size, "\"%s\" AS \"%s\"", name, other);
}

/* Write "SELECT the columns that are left FROM (". SQLite then does not compute the other columns. */
static int put_columns(char *select, size_t size, const struct mp_report *r, struct mp_db *db,
    const struct mp_report_row *each, const struct mp_query *rows, const struct mp_section_options *o,
    struct mp_error *err)
{
	size_t used = (size_t)snprintf(select, size, "SELECT ");
	int columns = mp_query_column_count(rows), kept = 0;
	bool drop[MP_REPORT_COLUMN_MAX] = {false};

	if (columns > MP_REPORT_COLUMN_MAX)
		return mp_fail(err, "schema/%s: more than %d columns", r->path, MP_REPORT_COLUMN_MAX);
	if (!o->columns || !mark_unlisted(drop, r, rows, o->columns)) {
		memset(drop, 0, sizeof(drop));
		if (r->table.without.text && mark_without(drop, r, db, each, rows, o->style, err))
			return -1;
	}
	for (int i = 0; i < columns && used < size; i++) {
		const char *title = mp_query_title(rows, i);
		/* A column that was joined to one that is gone stands alone. */
		const bool alone = i == 0 || drop[i - 1];

		if (drop[i])
			continue;
		if (kept++)
			used += (size_t)snprintf(select + used, size - used, ", ");
		if (used < size)
			used += put_name(select + used, size - used, title, title + (i && alone && *title == '/'));
	}
	if (used < size)
		used += (size_t)snprintf(select + used, size - used, " FROM (");
	return used >= size || !kept ? mp_fail(err, "schema/%s: no column is left, or too many", r->path) : 0;
}

static bool has_choice(const struct mp_report *r, const struct mp_section_options *o)
{
	return r->table.without.text || o->columns;
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
	if (has_choice(r, o))
		status = put_columns(a->select, sizeof(a->select), r, db, each, *rows, o, err);
	mp_query_close(*rows);
	*rows = NULL;
	return status || mp_report_rows(rows, db, &r->rows, a->select, a->order, o->style, err) ? -1 : 0;
}

static int bind_thresholds(struct mp_query **rows, const struct mp_report *r, struct mp_error *err)
{
	if (mp_report_bind_thresholds(*rows, r, err) == 0)
		return 0;
	mp_query_close(*rows);
	*rows = NULL;
	return -1;
}

int mp_report_open_rows(struct mp_query **rows, const struct mp_report *r, struct mp_db *db,
    const struct mp_report_row *each, const struct mp_section_options *o, struct mp_error *err)
{
	struct around *a;
	int column, status;

	if (mp_report_rows(rows, db, &r->rows, "", "", o->style, err))
		return -1;
	column = o->sort ? mp_report_find_title(r, *rows, o->sort) : -1;
	if (column < 0 && !has_choice(r, o))
		return bind_thresholds(rows, r, err);
	a = malloc(sizeof(*a));
	if (!a) {
		mp_query_close(*rows);
		*rows = NULL;
		return mp_fail_memory(err, "a query");
	}
	status = open_around(rows, a, column, r, db, each, o, err);
	free(a);
	return status ? -1 : bind_thresholds(rows, r, err);
}

int mp_report_refuse_rows(const char *path, const char *what, struct mp_error *err)
{
	return mp_fail(
	    err, "schema/%s: %s: the database was changed or is damaged; 'msprof import' makes it anew", path, what);
}

int mp_report_withheld(const struct mp_report *report, struct mp_db *db, char *why, size_t size, struct mp_error *err)
{
	static const char sql[] = "SELECT group_concat(what, ', ') FROM standing WHERE standing = 'contradicted'"
				  " AND instr(' ' || :needs || ' ', ' ' || about || ' ')";
	struct mp_query *q;
	int status;

	if (!report->needs[0])
		return 0;
	status = mp_query_ask(&q, db, sql, MP_VALUES(mp_string(report->needs)), err);
	if (status == 1) {
		const struct mp_value kinds = mp_query_value(q, 0);

		status = kinds.type == MP_TEXT;
		if (status)
			snprintf(why, size, "%.*s", (int)kinds.len, kinds.text);
	}
	mp_query_close(q);
	return status;
}
