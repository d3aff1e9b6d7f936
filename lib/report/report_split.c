/* report_split.c: the range of the key by which a query is divided. */
#include <stdio.h>
#include <string.h>

#include "report/report.h"

static bool value_of(const struct mp_report_row *row, const char *title, int64_t *value)
{
	for (int i = 0; i < row->count; i++)
		if (strcmp(row->titles[i], title) == 0) {
			*value = row->values[i].i;
			return row->values[i].type == MP_INT;
		}
	return false;
}

bool mp_report_within(const struct mp_sql *sql, const struct mp_report_row *each, struct mp_report_range *range)
{
	int64_t rows;

	if (!sql->within[0][0] || !value_of(each, sql->within[0], &range->first) ||
	    !value_of(each, sql->within[1], &range->last) || !value_of(each, sql->within[2], &rows))
		return false;
	range->rows = rows > 0 ? (uint64_t)rows : 0;
	return true;
}

int mp_report_split(const struct mp_sql *sql, struct mp_db *db, int64_t *first, int64_t *last, struct mp_error *err)
{
	int table = (int)strcspn(sql->split, "."), status;
	struct mp_query *q;
	char text[5 * sizeof(sql->split)];

	if (!sql->split[0])
		return 0;
	snprintf(text, sizeof(text), "SELECT (SELECT min(%s) FROM %.*s), (SELECT max(%s) FROM %.*s)", sql->split, table,
	    sql->split, sql->split, table, sql->split);
	if (mp_query_open(&q, db, text, strlen(text), err))
		return -1;
	status = mp_query_next(q, err);
	if (status == 1 && mp_query_value(q, 0).type == MP_INT) {
		*first = mp_query_int(q, 0);
		*last = mp_query_int(q, 1);
	} else if (status == 1) {
		status = 0;
	}
	mp_query_close(q);
	return status;
}
