/* report_columns.c: columns that depend on the data: a query gives their SQL terms. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "report/report.h"

static const char PLACE[] = "{columns}";

struct text_buffer {
	char *bytes;
	size_t used; /* without the NUL behind the text */
};

static int append(struct text_buffer *t, const char *s, size_t len, struct mp_error *err)
{
	if (!mp_vec_room(t->bytes, t->used, len + 1))
		return mp_fail_memory(err, "a query");
	memcpy(t->bytes + t->used, s, len);
	t->used += len;
	t->bytes[t->used] = '\0';
	return 0;
}

/* Append `, TERM AS "TITLE"`. Both come from the schema, not from the data. */
static int append_column(struct text_buffer *t, const struct mp_query *q, struct mp_error *err)
{
	struct mp_value term = mp_query_value(q, 0), title = mp_query_value(q, 1);

	return append(t, ", ", 2, err) || append(t, term.text, term.len, err) || append(t, " AS \"", 5, err) ||
		       append(t, title.text, title.len, err) || append(t, "\"", 1, err)
		   ? -1
		   : 0;
}

static const char *find_place(const struct mp_sql *sql)
{
	const char *at = sql->text ? strstr(sql->text, PLACE) : NULL;

	return at && at < sql->text + sql->len ? at : NULL;
}

int mp_report_add_columns(struct mp_report *report, char **text, struct mp_db *db, const struct mp_query *each,
    enum mp_style style, struct mp_error *err)
{
	const char *place = find_place(&report->rows);
	struct text_buffer t = {NULL, 0};
	struct mp_report_row given;
	struct mp_query *q;
	int status;

	if (!place)
		return mp_fail(err, "schema/%s: no {columns} in @rows", report->path);
	if (mp_report_row(&given, each, err) || mp_report_query(&q, db, &report->columns, "", "", style, err))
		return -1;
	status = mp_report_bind(q, &given, err)
		     ? -1
		     : append(&t, report->rows.text, (size_t)(place - report->rows.text), err);
	while (!status && (status = mp_query_next(q, err)) == 1)
		status = append_column(&t, q, err);
	mp_query_close(q);
	place += strlen(PLACE);
	if (status || append(&t, place, report->rows.len - (size_t)(place - report->rows.text), err)) {
		free(t.bytes);
		return -1;
	}
	report->rows.text = *text = t.bytes;
	report->rows.len = t.used;
	return 0;
}
