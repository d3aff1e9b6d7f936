/* tables.c: writes the rows of queries as objects and arrays. Knows no column. */
#include <stdlib.h>
#include <string.h>

#include "page/document.h"
#include "report/formats.h"
#include "report/report.h"

enum { COLUMN_MAX = 64 };

/* A query of a report that is being written. */
struct table {
	const struct mp_page *page;
	const struct mp_report *report;
	const struct mp_report_row *each; /* the current row of @each */
	int (*work)(struct table *t, struct mp_error *err);
	struct mp_query *rows;
	struct mp_out *out;
	bool first;
	bool is_text[COLUMN_MAX]; /* a column has a text */
};

static int take_row(void *user, const struct mp_report_row *row, struct mp_error *err)
{
	struct table *t = user;

	t->each = row;
	return t->work(t, err);
}

/* Call `work` for each row of @each of all reports of a folder. */
static int each_table(
    const char *folder, struct table *t, int (*work)(struct table *t, struct mp_error *err), struct mp_error *err)
{
	struct table of_report = *t;
	struct mp_reports reports;
	char kinds[192];
	int status = 0;

	if (mp_reports_load_folder(&reports, folder, t->page->family, MP_STYLE_DEFAULT, err))
		return -1;
	of_report.work = work;
	for (size_t i = 0; i < reports.count && status >= 0; i++) {
		of_report.report = &reports.items[i];
		status = mp_report_withheld(of_report.report, t->page->db, kinds, sizeof(kinds), err);
		if (!status) /* else the notes of the page say so */
			status = mp_report_each(of_report.report, t->page->db, take_row, &of_report, err);
	}
	t->first = of_report.first;
	mp_reports_free(&reports);
	return status < 0 ? -1 : 0;
}

static int open_rows(struct table *t, struct mp_error *err)
{
	t->rows = NULL;
	if (!t->report->rows.text)
		return 0;
	if (mp_report_query(&t->rows, t->page->db, &t->report->rows, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	if (mp_report_bind_thresholds(t->rows, t->report, err) || mp_report_bind(t->rows, t->each, err)) {
		mp_query_close(t->rows);
		return -1;
	}
	return 0;
}

/* Write the columns of @each as members. */
static void put_members(struct table *t)
{
	for (int i = 0; i < t->each->count; i++)
		if (t->each->titles[i][0] != '_') {
			mp_put_key(t->out, t->first, t->each->titles[i]);
			mp_put_value(t->out, &t->each->values[i]);
			t->first = false;
		}
}

static int put_objects(struct table *t, struct mp_error *err)
{
	int status;

	if (open_rows(t, err))
		return -1;
	while ((status = mp_query_next(t->rows, err)) == 1) {
		mp_out_text(t->out, t->first ? "\n{" : ",\n{");
		t->first = false;
		for (int i = 0; i < mp_query_column_count(t->rows); i++) {
			const struct mp_value v = mp_query_value(t->rows, i);

			mp_put_key(t->out, i == 0, mp_query_title(t->rows, i));
			mp_put_value(t->out, &v);
		}
		mp_out_char(t->out, '}');
	}
	mp_query_close(t->rows);
	return status;
}

int mp_objects_put(const struct mp_page *page, const char *folder, bool *any, struct mp_out *out, struct mp_error *err)
{
	struct table t = {.page = page, .out = out, .first = !*any};
	int status = each_table(folder, &t, put_objects, err);

	*any = !t.first;
	return status;
}

/* Write all rows as arrays. */
static int put_arrays(struct table *t, struct mp_error *err)
{
	int status, columns = mp_query_column_count(t->rows);
	bool first = true;

	if (columns > COLUMN_MAX)
		return mp_fail(err, "schema/%s: more than %d columns", t->report->path, (int)COLUMN_MAX);
	mp_out_char(t->out, '[');
	while ((status = mp_query_next(t->rows, err)) == 1) {
		mp_out_text(t->out, first ? "\n[" : ",\n[");
		first = false;
		for (int i = 0; i < columns; i++) {
			const struct mp_value v = mp_query_value(t->rows, i);

			t->is_text[i] = t->is_text[i] || v.type == MP_TEXT;
			if (i)
				mp_out_char(t->out, ',');
			mp_put_value(t->out, &v);
		}
		mp_out_char(t->out, ']');
	}
	mp_out_char(t->out, ']');
	return status;
}

/* A title is "key:Title(unit)"; the unit "share" is that of a number from 0 to 1. */
static void put_column(struct mp_out *out, const char *title, bool is_text)
{
	size_t key = strcspn(title, ":");
	const char *name = title[key] ? title + key + 1 : title, *unit = strchr(name, '(');
	size_t len = unit ? strcspn(unit + 1, ")") : 0;
	bool is_share = len == strlen("share") && strncmp(unit + 1, "share", len) == 0;

	mp_out_text(out, "{\"key\": ");
	mp_json_string(out, title, key);
	mp_put_key(out, false, "title");
	mp_json_string(out, name, unit ? (size_t)(unit - name) : strlen(name));
	mp_put_key(out, false, "unit");
	if (unit && !is_share)
		mp_json_string(out, unit + 1, len);
	else
		mp_out_text(out, "null");
	mp_put_text(out, "type", is_share ? "share" : is_text ? "text" : "number");
	mp_out_char(out, '}');
}

static int put_operators(struct table *t, struct mp_error *err)
{
	int status;

	put_members(t);
	if (open_rows(t, err))
		return -1;
	mp_put_key(t->out, t->first, "rows");
	status = put_arrays(t, err);
	mp_put_key(t->out, false, "columns");
	mp_out_char(t->out, '[');
	for (int i = 0; i < mp_query_column_count(t->rows) && !status; i++) {
		mp_out_text(t->out, i ? ", " : "");
		put_column(t->out, mp_query_title(t->rows, i), t->is_text[i]);
	}
	mp_out_char(t->out, ']');
	mp_query_close(t->rows);
	return status;
}

static int put_roofline(struct table *t, struct mp_error *err)
{
	int status;

	mp_out_char(t->out, '{');
	put_members(t);
	mp_put_key(t->out, false, "points");
	mp_out_char(t->out, '[');
	t->first = true;
	status = put_objects(t, err);
	mp_out_text(t->out, "]}");
	t->first = false;
	return status;
}

int mp_roofline_put(const struct mp_page *page, struct mp_out *out, struct mp_error *err)
{
	struct table t = {.page = page, .out = out, .first = true};
	int status = each_table("page/roofline", &t, put_roofline, err);

	if (t.first)
		mp_out_text(out, "null");
	return status;
}

int mp_operators_put(const struct mp_page *page, struct mp_out *out, struct mp_error *err)
{
	struct table t = {.page = page, .out = out, .first = true};
	int status;

	mp_out_char(out, '{');
	status = each_table("page/operators", &t, put_operators, err);
	mp_out_char(out, '}');
	return status;
}

static int put_job(struct table *t, struct mp_error *err)
{
	int status = 0;

	put_members(t);
	if (open_rows(t, err))
		return -1;
	if (t->rows) {
		mp_put_key(t->out, false, "settings");
		status = put_arrays(t, err);
	}
	mp_query_close(t->rows);
	return status;
}

int mp_job_put(const struct mp_page *page, struct mp_out *out, struct mp_error *err)
{
	struct table t = {.page = page, .out = out};
	int status;

	mp_out_text(out, "{\"name\": ");
	mp_json_string(out, page->job, strlen(page->job));
	mp_put_text(out, "family", page->family);
	status = each_table("page/job", &t, put_job, err);
	mp_out_char(out, '}');
	return status;
}
