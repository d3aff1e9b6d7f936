/* places.c: joins the texts of a query, and replaces places by conditions. */
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* A buffer that grows. After an error `bytes` is NULL and nothing more is added. */
struct text {
	char *bytes;
	size_t used; /* without the NUL behind the text */
	bool failed;
};

static void add(struct text *t, const char *s, size_t len)
{
	if (t->failed)
		return;
	if (!mp_vec_room(t->bytes, t->used, len + 1)) {
		t->failed = true;
		return;
	}
	memcpy(t->bytes + t->used, s, len);
	t->used += len;
	t->bytes[t->used] = '\0';
}

static void add_text(struct text *t, const char *s)
{
	add(t, s, strlen(s));
}

/* One end of a range: ` AND (TERM) <= (SELECT to_ns FROM temp.time_range WHERE clock = 'CLOCK')`. */
static void add_bound(
    struct text *t, const char *term, size_t len, const char *compare, const char *clock, size_t clock_len)
{
	add_text(t, " AND (");
	add(t, term, len);
	add_text(t, compare);
	add(t, clock, clock_len);
	add_text(t, "')");
}

/* "CLOCK START; END" */
static void add_range(struct text *t, const char *at, const char *end)
{
	size_t clock_len = strcspn(at, " ");
	const char *start = at + clock_len + 1, *middle = memchr(start, ';', (size_t)(end - start));

	if (!middle) { /* no valid SQL: the query fails, and names its line */
		add(t, at, (size_t)(end - at));
		return;
	}
	add_bound(t, start, (size_t)(middle - start), ") <= (SELECT to_ns FROM temp.time_range WHERE clock = '", at,
	    clock_len);
	add_bound(t, middle + 1, (size_t)(end - middle - 1),
	    ") >= (SELECT from_ns FROM temp.time_range WHERE clock = '", at, clock_len);
}

static void add_device(struct text *t, const char *at, const char *end)
{
	add_text(t, " AND coalesce((");
	add(t, at, (size_t)(end - at));
	add_text(t, ") IN (SELECT device_id FROM temp.wanted_device), 1)");
}

static void add_model(struct text *t, const char *at, const char *end)
{
	add_text(t, " AND (");
	add(t, at, (size_t)(end - at));
	add_text(t, ") = (SELECT model_id FROM temp.choice)");
}

static void add_step(struct text *t, const char *at, const char *end)
{
	add_text(t, " AND (");
	add(t, at, (size_t)(end - at));
	add_text(t, ") = (SELECT step FROM temp.choice)");
}

static const struct place {
	const char *name;
	unsigned limit;
	void (*add)(struct text *t, const char *at, const char *end);
} PLACES[] = {{"{range ", MP_LIMIT_TIME, add_range}, {"{device ", MP_LIMIT_DEVICES, add_device},
    {"{model ", MP_LIMIT_MODEL, add_model}, {"{step ", MP_LIMIT_STEP, add_step}};

/* Returns the next place in at..end and its kind, or NULL. */
static const char *find_place(const char *at, const char *end, const struct place **kind)
{
	while ((at = memchr(at, '{', (size_t)(end - at))) != NULL) {
		for (size_t i = 0; i < sizeof(PLACES) / sizeof(PLACES[0]); i++)
			if (strncmp(at, PLACES[i].name, strlen(PLACES[i].name)) == 0) {
				*kind = &PLACES[i];
				return at;
			}
		at++;
	}
	return NULL;
}

static void add_sql(struct text *t, const char *at, size_t len, unsigned limits)
{
	const char *end = at + len, *place;
	const struct place *kind;

	while ((place = find_place(at, end, &kind)) != NULL) {
		const char *close = memchr(place, '}', (size_t)(end - place));

		if (!close)
			break;
		add(t, at, (size_t)(place - at));
		if (limits & kind->limit)
			kind->add(t, place + strlen(kind->name), close);
		at = close + 1;
	}
	add(t, at, (size_t)(end - at));
}

char *mp_report_text(
    const struct mp_sql *sql, const char *before, const char *after, unsigned limits, struct mp_error *err)
{
	struct text t = {0};

	add_text(&t, before);
	for (int i = 0; i < sql->use_count; i++)
		add_sql(&t, sql->use[i], strlen(sql->use[i]), limits);
	add_sql(&t, sql->text, sql->len, limits);
	add_text(&t, after);
	if (!t.failed)
		return t.bytes;
	free(t.bytes);
	mp_fail_memory(err, "a query");
	return NULL;
}

/* Columns that depend on the data: a query gives their SQL terms. */

static const char COLUMNS[] = "{columns}";

/* Append `, TERM AS "TITLE"`, without the comma behind SELECT. Both come from the schema, not from the data. */
static void add_column(struct text *t, const struct mp_query *q)
{
	static const char first[] = "SELECT ";
	const size_t len = sizeof(first) - 1;
	struct mp_value term = mp_query_value(q, 0), title = mp_query_value(q, 1);

	if (t->used < len || t->failed || memcmp(t->bytes + t->used - len, first, len) != 0)
		add_text(t, ", ");
	add(t, term.text, term.len);
	add_text(t, " AS \"");
	add(t, title.text, title.len);
	add_text(t, "\"");
}

static const char *find_columns(const struct mp_sql *sql)
{
	const char *at = sql->text ? strstr(sql->text, COLUMNS) : NULL;

	return at && at < sql->text + sql->len ? at : NULL;
}

int mp_report_add_columns(struct mp_report *report, char **text, struct mp_db *db, const struct mp_query *each,
    enum mp_style style, struct mp_error *err)
{
	const char *place = find_columns(&report->rows), *behind;
	struct text t = {0};
	struct mp_report_row given;
	struct mp_query *q;
	int status;

	if (!place)
		return mp_fail(err, "schema/%s: no {columns} in @rows", report->path);
	if (mp_report_row(&given, each, err) || mp_report_query(&q, db, &report->table.columns, "", "", style, err))
		return -1;
	status = mp_report_bind(q, &given, err) ? -1 : 1;
	add(&t, report->rows.text, (size_t)(place - report->rows.text));
	while (status == 1 && (status = mp_query_next(q, err)) == 1)
		add_column(&t, q);
	mp_query_close(q);
	behind = place + strlen(COLUMNS);
	add(&t, behind, report->rows.len - (size_t)(behind - report->rows.text));
	if (status || t.failed) {
		free(t.bytes);
		return status ? -1 : mp_fail_memory(err, "a query");
	}
	report->rows.text = *text = t.bytes;
	report->rows.len = t.used;
	return 0;
}
