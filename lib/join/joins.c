/* joins.c: reads and checks schema/sql/prof/joins.sql. Joins nothing. */
#include "join/feed.h"

#include <stdio.h>
#include <string.h>

#define FILE_NAME "schema/sql/prof/joins.sql"

static const struct {
	const char *name;
	int columns;
} known[MP_JOIN_COUNT] = {{"runs", MP_LOG_CONTEXT}, {"sub-runs", MP_LOG_COUNT}, {"launches", MP_LAUNCH_COUNT},
    {"operators", MP_OPERATOR_COUNT}, {"counters", MP_COUNTERS_COUNT}, {"calls", MP_CALL_COUNT}};

/* Splits the list of columns. */
static int read_columns(struct mp_join_table *t, const char *name, struct mp_value list, struct mp_error *err)
{
	const char *at = list.text, *end = list.text + list.len;

	t->count = 0;
	while (at < end) {
		const char *blank = memchr(at, ' ', (size_t)(end - at));
		size_t len = (size_t)((blank ? blank : end) - at);

		if (t->count == MP_JOIN_COLUMN_MAX || !len || len >= MP_NAME_SIZE)
			return mp_fail(err, FILE_NAME ": part '%s': invalid list of columns", name);
		memcpy(t->columns[t->count], at, len);
		t->columns[t->count++][len] = '\0';
		at += len + (blank != NULL);
	}
	return 0;
}

/* Reads a row of the parts. */
static int take_part(struct mp_join_table *t, const char *name, int columns, struct mp_query *q, struct mp_error *err)
{
	struct mp_value records = mp_query_value(q, 0);

	if (records.type != MP_TEXT || records.len >= MP_NAME_SIZE || mp_query_value(q, 1).type != MP_INT ||
	    mp_query_value(q, 2).type != MP_TEXT)
		return mp_fail(err, FILE_NAME ": part '%s': invalid table, of_device or columns", name);
	snprintf(t->records, sizeof(t->records), "%.*s", (int)records.len, records.text);
	t->of_device = mp_query_int(q, 1) != 0;
	if (read_columns(t, name, mp_query_value(q, 2), err))
		return -1;
	if (t->count != columns)
		return mp_fail(err, FILE_NAME ": part '%s' has %d columns, not %d", name, t->count, columns);
	return 0;
}

static int read_part(struct mp_join_table *t, const char *name, int columns, struct mp_db *db, struct mp_error *err)
{
	static const char sql[] = "SELECT records, of_device, columns FROM temp.joined WHERE part = ?";
	struct mp_query *q;
	int status = mp_query_ask(&q, db, sql, MP_VALUES(mp_string(name)), err);

	if (status == 1)
		status = take_part(t, name, columns, q, err);
	else if (!status)
		status = mp_fail(err, FILE_NAME ": part '%s' not found", name);
	mp_query_close(q);
	return status;
}

static int check_columns(const struct mp_join_table *t, struct mp_db *db, struct mp_error *err)
{
	struct mp_row_columns columns;

	if (mp_row_columns_read(&columns, db->handle, "main", t->records))
		return mp_db_fail(db, err, "cannot query");
	for (int i = 0; i < t->count; i++)
		if (strcmp(t->columns[i], "-") != 0 && mp_row_columns_find(&columns, t->columns[i]) < 0)
			return mp_fail(err, FILE_NAME ": column '%s.%s' not found", t->records, t->columns[i]);
	return 0;
}

int mp_joins_read(struct mp_joins *joins, struct mp_db *db, struct mp_error *err)
{
	for (int i = 0; i < MP_JOIN_COUNT; i++)
		if (read_part(&joins->tables[i], known[i].name, known[i].columns, db, err) ||
		    check_columns(&joins->tables[i], db, err))
			return -1;
	return 0;
}

int mp_joins_find(const struct mp_joins *joins, const struct mp_layout *layout)
{
	for (int i = 0; layout->family == MP_FAMILY_PROF && i < MP_JOIN_COUNT; i++)
		if (strcmp(layout->table, joins->tables[i].records) == 0)
			return i;
	return -1;
}
