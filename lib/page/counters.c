/* counters.c: reads curves, and thins them. Knows no counter. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/say.h"
#include "insight/sweep.h"
#include "page/document.h"
#include "page/strip.h"
#include "report/formats.h"
#include "report/report.h"

/* Columns of a query: the time, and a value of each curve. */
enum { CURVES_MAX = 8 };

struct curves {
	const struct mp_page *page;
	const struct mp_report *report; /* the current one */
	struct mp_out *out;
	int64_t begin_ns;
	bool any; /* a curve was written */
	struct mp_thin thins[CURVES_MAX];
};

static bool read_number(const struct mp_value *v, double *number)
{
	*number = v->type == MP_INT ? (double)v->i : v->d;
	return v->type == MP_INT || (v->type == MP_REAL && isfinite(v->d));
}

static int read_points(struct curves *c, struct mp_query *rows, bool is_second, struct mp_error *err)
{
	struct mp_value values[CURVES_MAX + 1];
	int columns = mp_query_column_count(rows), status;
	double number;

	while ((status = mp_query_next(rows, err)) == 1) {
		mp_query_row(rows, values, columns);
		for (int i = 1; i < columns && values[0].type == MP_INT; i++) {
			struct mp_thin *t = &c->thins[i - 1];

			if (!read_number(&values[i], &number) || (is_second && !mp_thin_is_many(t)))
				continue;
			if (!(is_second ? mp_thin_add : mp_thin_look)(t, values[0].i, number))
				return mp_fail_memory(err, "curves");
		}
	}
	return status;
}

/* A title is "Name(unit)". */
static void put_curve(struct curves *c, const struct mp_thin *t, const char *title, const struct mp_value *track)
{
	size_t len = strcspn(title, "("), unit = strcspn(title + len, ")");
	struct mp_value named = *track;
	char name[256], said[256];

	mp_out_text(c->out, c->any ? ",\n{\"name\": " : "\n{\"name\": ");
	c->any = true;
	mp_json_string(c->out, title, len);
	mp_put_key(c->out, false, "unit");
	mp_json_string(c->out, title + len + (unit > 0), unit ? unit - 1 : 0);
	mp_put_key(c->out, false, "track");
	if (track->type == MP_TEXT && track->len < sizeof(name)) {
		snprintf(name, sizeof(name), "%.*s", (int)track->len, track->text);
		named = mp_string(mp_say_found(said, sizeof(said), name));
	}
	mp_put_value(c->out, &named);
	mp_put_int(c->out, "samples", (int64_t)t->seen);
	mp_put_key(c->out, false, "time_ns");
	for (size_t i = 0; i < t->count; i++) {
		mp_out_char(c->out, i ? ',' : '[');
		mp_out_int(c->out, mp_span_ns(c->begin_ns, t->points[i].time_ns));
	}
	mp_out_char(c->out, ']');
	mp_put_key(c->out, false, "value");
	for (size_t i = 0; i < t->count; i++) {
		const struct mp_value v = {.type = MP_REAL, .d = t->points[i].value};

		mp_out_char(c->out, i ? ',' : '[');
		mp_put_value(c->out, &v);
	}
	mp_out_text(c->out, "]}");
}

/* All points of the queries; in a second pass those of curves with many. */
static int read_all(struct curves *c, struct mp_query *const *queries, int count, bool is_second, struct mp_error *err)
{
	for (int i = 0; i < count; i++) {
		if (is_second)
			mp_query_rewind(queries[i]);
		if (read_points(c, queries[i], is_second, err))
			return -1;
	}
	return 0;
}

static int put_curves(
    struct curves *c, struct mp_query *const *queries, int count, const struct mp_value *track, struct mp_error *err)
{
	int columns = mp_query_column_count(queries[0]), status = read_all(c, queries, count, false, err);
	bool is_many = false;

	for (int i = 1; i < columns; i++)
		is_many = is_many || mp_thin_is_many(&c->thins[i - 1]);
	if (!status && is_many)
		status = read_all(c, queries, count, true, err);
	for (int i = 1; i < columns; i++) {
		struct mp_thin *t = &c->thins[i - 1];

		mp_thin_end(t);
		if (!status && t->count)
			put_curve(c, t, mp_query_title(queries[0], i), track);
		mp_thin_free(t);
	}
	return status;
}

/* Prepare @rows and each @layer, which have the same columns, for a row of @each. */
static int open_queries(struct curves *c, const struct mp_report *r, const struct mp_report_row *row,
    struct mp_query **queries, struct mp_error *err)
{
	for (int i = 0; i <= r->layer_count; i++) {
		const struct mp_sql *sql = i ? &r->layers[i - 1] : &r->rows;

		if (mp_report_rows(&queries[i], c->page->db, sql, "", "", MP_STYLE_DEFAULT, err) ||
		    mp_report_bind(queries[i], row, err))
			return -1;
		if (mp_query_column_count(queries[i]) > CURVES_MAX + 1 ||
		    mp_query_column_count(queries[i]) != mp_query_column_count(queries[0]))
			return mp_fail(
			    err, "schema/%s: more than %d curves, or others in a layer", r->path, (int)CURVES_MAX);
	}
	return 0;
}

static int put_each(void *user, const struct mp_report_row *row, struct mp_error *err)
{
	struct mp_query *queries[1 + MP_REPORT_LAYER_MAX] = {NULL};
	struct curves *c = user;
	const struct mp_report *r = c->report;
	int status =
	    open_queries(c, r, row, queries, err) || put_curves(c, queries, 1 + r->layer_count, &row->values[0], err)
		? -1
		: 0;

	for (int i = 0; i <= r->layer_count; i++)
		mp_query_close(queries[i]);
	return status;
}

/* The curves of a report; none of data that contradicts itself, as the notes of the page say. */
static int put_report(struct curves *c, const struct mp_report *r, struct mp_error *err)
{
	char kinds[192];
	int status = mp_report_withheld(r, c->page->db, kinds, sizeof(kinds), err);

	c->report = r;
	if (status)
		return status < 0 ? -1 : 0;
	return mp_report_each(r, c->page->db, put_each, c, err);
}

int mp_counters_put(const struct mp_page *page, int64_t begin_ns, struct mp_out *out, struct mp_error *err)
{
	struct curves c = {.page = page, .out = out, .begin_ns = begin_ns};
	struct mp_reports reports;
	int status = 0;

	if (mp_reports_load_folder(&reports, "page/counters", page->family, MP_STYLE_DEFAULT, err))
		return -1;
	mp_out_char(out, '[');
	for (size_t i = 0; i < reports.count && !status; i++)
		status = put_report(&c, &reports.items[i], err);
	mp_out_char(out, ']');
	mp_reports_free(&reports);
	return status;
}
