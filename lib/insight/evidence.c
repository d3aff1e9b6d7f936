/* evidence.c: copies the rows of a query. */
#include "insight/evidence.h"

#include <stdlib.h>
#include <string.h>

static int take_titles(struct mp_evidence *e, const struct mp_query *q, struct mp_error *err)
{
	int columns = mp_query_column_count(q);

	e->titles = calloc((size_t)columns, sizeof(*e->titles));
	e->cells = calloc((size_t)columns * MP_EVIDENCE_MAX, sizeof(*e->cells));
	if (!e->titles || !e->cells)
		return mp_fail_memory(err, "evidence");
	for (; e->columns < columns; e->columns++) {
		e->titles[e->columns] = strdup(mp_query_title(q, e->columns));
		if (!e->titles[e->columns])
			return mp_fail_memory(err, "evidence");
	}
	return 0;
}

static int take_row(struct mp_evidence *e, const struct mp_query *q, struct mp_error *err)
{
	struct mp_value *cells = e->cells + (size_t)e->rows * (size_t)e->columns;

	e->rows++;
	for (int i = 0; i < e->columns; i++) {
		const struct mp_value v = mp_query_value(q, i);
		char *text = v.type == MP_TEXT ? malloc(v.len + 1) : NULL;

		if (v.type == MP_TEXT && !text)
			return mp_fail_memory(err, "evidence");
		cells[i] = v;
		cells[i].marks = 0;
		if (text) {
			memcpy(text, v.text, v.len);
			text[v.len] = '\0';
			cells[i].text = text;
		}
	}
	return 0;
}

int mp_evidence_read(struct mp_evidence *e, const struct mp_report *rule, struct mp_db *db,
    const struct mp_report_row *each, struct mp_error *err)
{
	struct mp_query *q;
	int status;

	if (!rule->rows.text)
		return 0;
	if (mp_report_query(&q, db, &rule->rows, "", "", MP_STYLE_DEFAULT, err))
		return -1;
	status =
	    mp_report_bind_thresholds(q, rule, err) || mp_report_bind(q, each, err) || take_titles(e, q, err) ? -1 : 0;
	while (!status && e->rows < MP_EVIDENCE_MAX && (status = mp_query_next(q, err)) == 1)
		status = take_row(e, q, err);
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

void mp_evidence_free(struct mp_evidence *e)
{
	for (int i = 0; i < e->columns; i++)
		free(e->titles[i]);
	for (int i = 0; i < e->rows * e->columns; i++)
		if (e->cells[i].type == MP_TEXT)
			free((char *)(uintptr_t)e->cells[i].text);
	free(e->titles);
	free(e->cells);
	memset(e, 0, sizeof(*e));
}
