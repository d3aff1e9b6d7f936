/*
 * report.c: runs the queries of a report and feeds a writer. Knows neither the meaning of a report nor the format of a
 * writer.
 */
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/schema.h"
#include "base/text.h"
#include "report/split_rows.h"
#include "store/db.h"

enum { NAME_PART_MAX = 512 };

typedef int (*opener)(struct mp_query **q, struct mp_db *db, const char *sql, size_t len, struct mp_error *err);

static int open_query(struct mp_query **q, struct mp_db *db, opener open, const struct mp_sql *sql, const char *before,
    const char *after, enum mp_style style, struct mp_error *err)
{
	char *text;
	int status;

	*q = NULL;
	if (sql->once && mp_db_once(db, sql->once + strlen("-- @once "), err))
		return -1;
	text = mp_report_text(sql, before, after, mp_db_limits(db), err);
	if (!text)
		return -1;
	status = open(q, db, text, strlen(text), err);
	free(text);
	if (status)
		return mp_schema_locate(sql->path, sql->line, err);
	mp_query_locate(*q, sql->path, sql->line);
	if (mp_query_bind_text(*q, "style", style == MP_STYLE_VENDOR ? "vendor" : "default", err) ||
	    mp_query_bind_int(*q, "split_first", INT64_MIN, err) ||
	    mp_query_bind_int(*q, "split_last", INT64_MAX, err)) {
		mp_query_close(*q);
		*q = NULL;
		return -1;
	}
	return 0;
}

int mp_report_query(struct mp_query **q, struct mp_db *db, const struct mp_sql *sql, const char *before,
    const char *after, enum mp_style style, struct mp_error *err)
{
	return open_query(q, db, mp_query_open, sql, before, after, style, err);
}

int mp_report_rows(struct mp_query **q, struct mp_db *db, const struct mp_sql *sql, const char *before,
    const char *after, enum mp_style style, struct mp_error *err)
{
	return open_query(q, db, mp_query_open_rows, sql, before, after, style, err);
}

int mp_report_row(struct mp_report_row *row, const struct mp_query *q, struct mp_error *err)
{
	row->count = mp_query_column_count(q);
	if (row->count > MP_REPORT_COLUMN_MAX)
		return mp_fail(err, "a report query has more than %d columns", MP_REPORT_COLUMN_MAX);
	mp_query_row(q, row->values, row->count);
	for (int i = 0; i < row->count; i++)
		row->titles[i] = mp_query_title(q, i);
	return 0;
}

int mp_report_bind(struct mp_query *to, const struct mp_report_row *row, struct mp_error *err)
{
	for (int i = 0; i < row->count; i++)
		if (mp_query_bind(to, row->titles[i], &row->values[i], err))
			return -1;
	return 0;
}

int mp_report_bind_thresholds(struct mp_query *to, const struct mp_report *report, struct mp_error *err)
{
	for (int i = 0; i < report->threshold_count; i++) {
		const struct mp_value v = {.type = MP_REAL, .d = report->thresholds[i].value};

		if (mp_query_bind(to, report->thresholds[i].name, &v, err))
			return -1;
	}
	return 0;
}

static int find_column(const struct mp_query *q, const char *name)
{
	for (int i = 0; i < mp_query_column_count(q); i++)
		if (strcmp(mp_query_title(q, i), name) == 0)
			return i;
	return -1;
}

static int find_title(const struct mp_report_row *row, const char *name, size_t len)
{
	for (int i = 0; i < row->count; i++)
		if (strlen(row->titles[i]) == len && strncmp(row->titles[i], name, len) == 0)
			return i;
	return -1;
}

/* Write a value as text for a file or track name. Returns `size` when the text does not fit. */
static size_t put_value(char *dst, size_t size, struct mp_value v)
{
	char text[4 * NAME_PART_MAX + 1] = "unknown";
	size_t len = strlen(text);

	if (v.type == MP_INT)
		len = mp_number_int(text, v.i);
	else if (v.type == MP_REAL)
		len = mp_number_real(text, v.d);
	else if (v.type == MP_TEXT) /* sanitising makes at most four bytes of one byte */
		len = v.len <= NAME_PART_MAX ? mp_sanitise(text, sizeof(text), v.text, v.len) : size;
	if (len >= size)
		return size;
	memcpy(dst, text, len);
	return len;
}

int mp_report_name(char *dst, size_t size, const char *pattern, const struct mp_query *row, struct mp_error *err)
{
	struct mp_report_row held;

	return mp_report_row(&held, row, err) ? -1 : mp_report_fill(dst, size, pattern, &held, err);
}

int mp_report_fill(char *dst, size_t size, const char *pattern, const struct mp_report_row *row, struct mp_error *err)
{
	const char *whole = pattern;
	size_t used = 0;

	while (*pattern && used < size) {
		size_t len = *pattern == '{' ? strcspn(pattern, "}") : 0;
		int column = len ? find_title(row, pattern + 1, len - 1) : -1;

		if (!len) {
			dst[used++] = *pattern++;
			continue;
		}
		if (column < 0 || pattern[len] != '}')
			return mp_fail(err, "template '%s': no column '%.*s'", pattern, (int)len - 1, pattern + 1);
		used += put_value(dst + used, size - used, row->values[column]);
		if (used >= size)
			break;
		pattern += len + 1;
	}
	if (used >= size)
		return mp_fail(err, "name longer than %zu bytes: '%s'", size - 1, whole);
	dst[used] = '\0';
	for (size_t i = 0; i < used; i++)
		if (dst[i] == '/')
			dst[i] = '_';
	return 0;
}

/* Collect the columns of `each` that identify a section to a machine. Without a row they have no values. */
static int collect_keys(
    const struct mp_query *each, bool has_row, const char *job, const char **names, struct mp_value *values)
{
	int count = 0;

	if (job) {
		names[count] = "job";
		values[count++] = mp_string(job);
	}
	for (int i = 0; i < mp_query_column_count(each) && count < MP_REPORT_COLUMN_MAX; i++) {
		const char *title = mp_query_title(each, i);

		if (title[0] == '_' || strcmp(title, "heading") == 0)
			continue;
		names[count] = title;
		values[count++] = has_row ? mp_query_value(each, i) : (struct mp_value){.type = MP_NULL};
	}
	return count;
}

/* Run @tally for a row of @each; @rows reads the result. */
static int run_tally(const struct mp_report *r, struct mp_db *db, const struct mp_report_row *each, enum mp_style style,
    struct mp_error *err)
{
	struct mp_query *q;
	int status;

	if (mp_report_rows(&q, db, &r->tally, "", "", style, err))
		return -1;
	status = mp_report_bind(q, each, err) ? -1 : mp_tally(db, q, err);
	mp_query_close(q);
	return status;
}

/* Set *omitted to the number of further rows, from the column _rows of @each or by counting. */
static int count_rest(
    struct mp_query *rows, const struct mp_query *each, int64_t shown, int64_t *omitted, struct mp_error *err)
{
	int column = find_column(each, "_rows");
	int status;

	if (column >= 0) {
		*omitted = mp_query_int(each, column) - shown;
		return 0;
	}
	*omitted = 1; /* the row that was fetched but not shown */
	while ((status = mp_query_next(rows, err)) == 1)
		++*omitted;
	return status;
}

/* The parts of a section; too large for a stack. */
struct room {
	struct mp_report report; /* with all its columns */
	const char *key_names[MP_REPORT_COLUMN_MAX], *titles[MP_REPORT_COLUMN_MAX];
	struct mp_value keys[MP_REPORT_COLUMN_MAX], cells[MP_REPORT_COLUMN_MAX];
	struct mp_report_row given;
	char heading[1024];
};

static int write_rows(struct mp_query *rows, const struct mp_query *each, int columns, struct mp_value *cells,
    const struct mp_section_options *o, struct mp_writer *w, struct mp_error *err)
{
	int64_t shown = 0, omitted = 0;
	int status;

	while ((status = mp_query_next(rows, err)) == 1) {
		mp_query_row(rows, cells, columns);
		if (!mp_row_is_total(cells)) {
			if (o->top && shown == o->top) {
				status = count_rest(rows, each, shown, &omitted, err);
				break;
			}
			shown++;
		}
		if (w->row(w, cells, err) || (o->out && mp_out_error(o->out, err)))
			return -1;
	}
	return status < 0 ? -1 : w->end(w, omitted, err);
}

struct section {
	const struct mp_report *report;
	const struct mp_report_row *each;
	const struct mp_section_options *options;
	const struct mp_writer *writer;
	int columns;
};

static int open_range(void *user, int query, struct mp_db *db, struct mp_query **rows, struct mp_error *err)
{
	const struct section *s = user;

	(void)query;
	return mp_report_open_rows(rows, s->report, db, s->each, s->options, err) || mp_report_bind(*rows, s->each, err)
		   ? -1
		   : 0;
}

static int write_range(
    void *user, int member, int query, struct mp_query *rows, struct mp_out *out, struct mp_error *err)
{
	struct mp_value cells[MP_REPORT_COLUMN_MAX] = {{.type = MP_NULL}};
	const struct section *s = user;
	struct mp_writer *w = s->writer->fork(s->writer, out);
	int status;

	(void)member, (void)query;
	if (!w)
		return mp_fail_memory(err, "a report");
	while ((status = mp_query_next(rows, err)) == 1) {
		mp_query_row(rows, cells, s->columns);
		if (w->row(w, cells, err) || mp_out_error(out, err)) {
			status = -1;
			break;
		}
	}
	free(w);
	return status;
}

/* Threads may share rows only when all rows are shown, unsorted. */
static bool is_shared(const struct mp_report *r, const struct mp_section_options *o, const struct mp_writer *w)
{
	return r->rows.split[0] && o->team && w->fork && !o->sort && !o->top;
}

static int write_shared(struct section *s, struct mp_writer *w, struct mp_error *err)
{
	const struct mp_split_rows split = {.count = 1,
	    .queries = {&s->report->rows},
	    .each = s->each,
	    .open = open_range,
	    .write = write_range,
	    .user = s};

	return mp_split_rows_write(&split, s->options->team, s->options->out, err) || w->end(w, 0, err) ? -1 : 0;
}

const char *mp_report_title(const struct mp_report *report, enum mp_style style)
{
	return style == MP_STYLE_VENDOR && report->vendor_title[0] ? report->vendor_title : report->title;
}

static int write_section(struct room *room, const struct mp_report *report, struct mp_db *db,
    const struct mp_query *each, const struct mp_section_options *options, struct mp_writer *writer,
    struct mp_error *err)
{
	struct mp_section s = {.title = mp_report_title(report, options->style),
	    .heading = room->heading,
	    .key_names = room->key_names,
	    .keys = room->keys,
	    .titles = room->titles,
	    .decides = report->table.decides[0] && !options->all && !options->columns ? report->table.decides : NULL};
	struct mp_query *rows = NULL;
	int column = find_column(each, "heading"), used = 0, status;

	if (options->contradicted)
		used = snprintf(room->heading, sizeof(room->heading), "contradicted: %s\n", options->contradicted);
	if (column >= 0 && mp_query_value(each, column).type == MP_TEXT)
		snprintf(room->heading + used, sizeof(room->heading) - (size_t)used, "%.*s",
		    (int)mp_text_of(mp_query_value(each, column)).len, mp_query_text(each, column));
	s.key_count = collect_keys(each, true, options->job, room->key_names, room->keys);
	if (mp_report_row(&room->given, each, err) ||
	    (report->tally.text && !options->titles_only && run_tally(report, db, &room->given, options->style, err)))
		return -1;
	if (report->rows.text) {
		if (mp_report_open_rows(&rows, report, db, &room->given, options, err))
			return -1;
		s.column_count = mp_query_column_count(rows);
		for (int i = 0; i < s.column_count && i < MP_REPORT_COLUMN_MAX; i++)
			room->titles[i] = mp_query_title(rows, i);
	}
	if (s.column_count > MP_REPORT_COLUMN_MAX)
		status = mp_fail(err, "schema/%s: more than %d columns", report->path, MP_REPORT_COLUMN_MAX);
	else if ((rows && mp_report_bind(rows, &room->given, err)) || writer->section(writer, &s, err))
		status = -1;
	else if (options->titles_only)
		status = writer->end(writer, 0, err);
	else if (rows && is_shared(report, options, writer))
		status =
		    write_shared(&(struct section){report, &room->given, options, writer, s.column_count}, writer, err);
	else
		status = rows ? write_rows(rows, each, s.column_count, room->cells, options, writer, err)
			      : writer->end(writer, 0, err);
	mp_query_close(rows);
	return status;
}

int mp_report_section(const struct mp_report *report, struct mp_db *db, const struct mp_query *each,
    const struct mp_section_options *options, struct mp_writer *writer, struct mp_error *err)
{
	struct room *room = calloc(1, sizeof(*room));
	char *text = NULL;
	int status = 0;

	if (!room)
		return mp_fail_memory(err, "a section");
	room->report = *report;
	if (report->table.columns.text)
		status = mp_report_add_columns(&room->report, &text, db, each, options->style, err);
	if (!status)
		status = write_section(room, &room->report, db, each, options, writer, err);
	free(room);
	free(text);
	return status;
}

/*
 * Write the section for a report without data: the reason, if there is one, or with `titles_only` its titles, except
 * those that depend on a row of `each`.
 */
static int write_absent(const struct mp_report *report, struct mp_db *db, const struct mp_query *each,
    const struct mp_section_options *o, struct mp_writer *w, struct mp_error *err)
{
	const struct mp_sql *sql = o->titles_only ? &report->rows : &report->why;
	struct room *room = calloc(1, sizeof(*room));
	char reason[256] = "no data";
	struct mp_section s = {
	    .title = mp_report_title(report, o->style), .heading = "", .absent = o->titles_only ? NULL : reason};
	struct mp_query *q = NULL;
	int status = 0;

	if (!room)
		return mp_fail_memory(err, "a section");
	s.titles = room->titles;
	s.keys = room->keys;
	s.key_names = room->key_names;
	s.key_count = collect_keys(each, false, o->job, room->key_names, room->keys);
	if (sql->text && !(o->titles_only && report->table.columns.text))
		status = mp_report_query(&q, db, sql, "", "", o->style, err);
	for (int i = 0; o->titles_only && q && i < mp_query_column_count(q) && i < MP_REPORT_COLUMN_MAX; i++)
		room->titles[s.column_count++] = mp_query_title(q, i);
	if (!status && !o->titles_only && (status = mp_query_next(q, err)) == 1 && mp_query_value(q, 0).type == MP_TEXT)
		snprintf(
		    reason, sizeof(reason), "%.*s", (int)mp_text_of(mp_query_value(q, 0)).len, mp_query_text(q, 0));
	if (status > 0 || o->titles_only)
		status = w->section(w, &s, err) || w->end(w, 0, err) ? -1 : 0;
	mp_query_close(q);
	free(room);
	return status;
}

/* Replace {columns} for the first row of @each. Returns 1 when @each has no row. */
static int expand_columns(struct mp_report *report, char **text, struct mp_db *db, struct mp_error *err)
{
	struct mp_query *each;
	int status;

	if (mp_report_query(&each, db, &report->each, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	status = mp_query_next(each, err);
	if (status == 1)
		status = mp_report_add_columns(report, text, db, each, MP_STYLE_DEFAULT, err);
	else if (!status)
		status = 1;
	mp_query_close(each);
	return status;
}

int mp_report_has_column(const struct mp_report *report, struct mp_db *db, const char *name, bool *has,
    void (*title)(void *user, const char *title), void *user, struct mp_error *err)
{
	struct mp_report whole = *report;
	struct mp_query *rows;
	char *text = NULL;
	int status;

	*has = false;
	if (!report->rows.text)
		return 0;
	status = report->table.columns.text ? expand_columns(&whole, &text, db, err) : 0;
	if (!status)
		status = mp_report_query(&rows, db, &whole.rows, "", "", MP_STYLE_DEFAULT, err);
	free(text);
	if (status)
		return status < 0 ? -1 : 0;
	*has = mp_report_find_title(report, rows, name) >= 0;
	for (int i = 0; !*has && i < mp_query_column_count(rows); i++) {
		const char *found = mp_query_title(rows, i);

		if (*found != '_')
			title(user, found + (*found == '/'));
	}
	mp_query_close(rows);
	return 0;
}

/* Write a section that says why there is no table. */
static int write_withheld(const struct mp_report *report, const char *kinds, const struct mp_section_options *o,
    struct mp_writer *w, struct mp_error *err)
{
	char reason[320];
	const struct mp_section s = {.title = mp_report_title(report, o->style), .heading = "", .absent = reason};

	snprintf(reason, sizeof(reason),
	    "withheld, since the data contradicts itself: %s; 'msprof check' tells how, --anyway prints it", kinds);
	return w->section(w, &s, err) || w->end(w, 0, err) ? -1 : 0;
}

int mp_report_show(const struct mp_report *report, struct mp_db *db, struct mp_section_options *options,
    struct mp_writer *writer, struct mp_error *err)
{
	struct mp_query *each;
	int64_t sections = 0;
	char kinds[192];
	int status = options->titles_only ? 0 : mp_report_withheld(report, db, kinds, sizeof(kinds), err);

	if (status < 0)
		return -1;
	if (status && !options->anyway)
		return write_withheld(report, kinds, options, writer, err);
	options->contradicted = status ? kinds : NULL;
	if (mp_report_query(&each, db, &report->each, "", "", options->style, err))
		return -1;
	while ((status = mp_query_next(each, err)) == 1) {
		sections++;
		if (mp_report_section(report, db, each, options, writer, err)) {
			status = -1;
			break;
		}
	}
	if (!status && !sections && (options->titles_only || (report->why.text && !options->only_rows)))
		status = write_absent(report, db, each, options, writer, err);
	mp_query_close(each);
	options->contradicted = NULL;
	return status < 0 ? -1 : 0;
}
