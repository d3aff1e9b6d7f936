/* sink.c: adds rows to a table by a bulk or by INSERT. Knows no table. */
#include "store/sink.h"

#include <string.h>

int mp_db_open_bulks(
    struct mp_bulks **bulks, struct mp_db *db, const char *schema, const char *path, int fd, struct mp_error *err)
{
	const struct mp_bulk_file file = {db->handle, schema, path, fd, &db->full};

	*bulks = NULL;
	return db->plain & MP_PLAIN_PAGES ? 0 : mp_bulks_open(bulks, &file, err);
}

static int open_insert(
    struct mp_sink *s, struct mp_db *db, const char *table, const char *const *columns, struct mp_error *err)
{
	sqlite3_str *sql = sqlite3_str_new(db->handle);
	char *text;
	int status;

	sqlite3_str_appendf(sql, "INSERT INTO \"%w\"(", table);
	for (int i = 0; i < s->count; i++)
		sqlite3_str_appendf(sql, "%s\"%w\"", i ? ", " : "", columns[i]);
	for (int i = 0; i < s->count; i++)
		sqlite3_str_appendall(sql, i ? ", ?" : ") VALUES(?");
	sqlite3_str_appendall(sql, ")");
	text = sqlite3_str_finish(sql);
	if (!text)
		return mp_fail_memory(err, "a statement");
	status = mp_query_open(&s->insert, db, text, strlen(text), err);
	sqlite3_free(text);
	return status;
}

static int open_bulk(struct mp_sink *s, const char *table, const char *const *columns, struct mp_error *err)
{
	static const struct mp_value null = {.i = 0, .type = MP_NULL};

	for (int i = 0; i < MP_BULK_COLUMN_MAX; i++)
		s->row[i] = &null;
	s->is_whole = s->count == s->bulk->count;
	for (int i = 0; i < s->count; i++) {
		s->to[i] = mp_bulk_column(s->bulk, columns[i]);
		s->is_whole = s->is_whole && s->to[i] == i;
		if (s->to[i] < 0)
			return mp_fail(err, "table '%s': column '%s' not found", table, columns[i]);
	}
	return 0;
}

int mp_sink_open(struct mp_sink *s, struct mp_db *db, struct mp_bulks *bulks, const char *table,
    const char *const *columns, int count, struct mp_error *err)
{
	s->count = count;
	s->is_whole = false;
	s->insert = NULL;
	s->bulk = NULL;
	if (count > MP_BULK_COLUMN_MAX)
		return mp_fail(err, "table '%s': too many columns", table);
	if (bulks && mp_bulk_find(&s->bulk, bulks, table, err))
		return -1;
	return s->bulk ? open_bulk(s, table, columns, err) : open_insert(s, db, table, columns, err);
}

int mp_sink_put(struct mp_sink *s, const struct mp_value *const *values, struct mp_error *err)
{
	if (s->is_whole)
		return mp_bulk_add(s->bulk, values, err);
	if (!s->bulk)
		return mp_query_put_row(s->insert, values, s->count, err);
	for (int i = 0; i < s->count; i++)
		s->row[s->to[i]] = values[i];
	return mp_bulk_add(s->bulk, s->row, err);
}

int mp_sink_take(struct mp_sink *s, struct mp_rows *rows, struct mp_error *err)
{
	int status;

	while ((status = rows->next(rows, err)) == 1)
		if (mp_sink_put(s, rows->values, err))
			return -1;
	return status;
}

void mp_sink_close(struct mp_sink *s)
{
	mp_query_close(s->insert);
	s->insert = NULL;
}

int mp_sink_query(struct mp_db *db, struct mp_bulks *bulks, const char *table, struct mp_query *q, struct mp_error *err)
{
	const char *columns[MP_BULK_COLUMN_MAX] = {NULL};
	int count = mp_query_column_count(q), status;
	struct mp_sink sink;

	for (int i = 0; i < count && i < MP_BULK_COLUMN_MAX; i++)
		columns[i] = mp_query_title(q, i);
	if (mp_sink_open(&sink, db, bulks, table, columns, count, err))
		return -1;
	status = mp_sink_take(&sink, mp_query_rows(q), err);
	mp_sink_close(&sink);
	return status;
}
