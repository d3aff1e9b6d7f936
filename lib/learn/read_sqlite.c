/* read_sqlite.c: reads the tables of an SQLite file that have a known title. Knows no table by name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "learn/memory.h"
#include "learn/reference_internal.h"
#include "store/db.h"

/* SELECT * FROM "NAME", with quotes doubled. NULL: no memory. */
static char *select_all(const char *name, size_t len)
{
	static const char begin[] = "SELECT * FROM main.\"";
	char *sql = mp_learn_malloc(sizeof(begin) + 2 * len + 2), *out = sql;

	if (!sql)
		return NULL;
	memcpy(out, begin, sizeof(begin) - 1);
	out += sizeof(begin) - 1;
	for (size_t i = 0; i < len; i++) {
		if (name[i] == '"')
			*out++ = '"';
		*out++ = name[i];
	}
	*out++ = '"';
	*out = '\0';
	return sql;
}

static int set_cell(struct mp_reading *r, struct mp_cell *cell, const struct mp_value *v, struct mp_error *err)
{
	char number[MP_NUMBER_SIZE];
	size_t len;

	switch (v->type) {
	case MP_INT:
		return mp_table_set(r, cell, number, mp_number_int(number, v->i), err);
	case MP_REAL:
		len = mp_number_real(number, v->d);
		if (len > 2 && strcmp(number + len - 2, ".0") == 0)
			len -= 2; /* a double does not tell */
		return mp_table_set(r, cell, number, len, err);
	case MP_TEXT:
		return mp_table_set(r, cell, v->text, v->len, err);
	default:
		return 0;
	}
}

static bool has_known_title(const struct mp_reading *r, const struct mp_query *rows)
{
	for (int i = 0; i < mp_query_column_count(rows); i++)
		if (mp_titles_know(&r->titles, mp_query_title(rows, i)))
			return true;
	return false;
}

static int take_rows(struct mp_reading *r, struct mp_query *rows, const char *name, size_t len, struct mp_error *err)
{
	struct mp_cell *row;
	size_t index;
	int status;

	if (!has_known_title(r, rows))
		return 0;
	if (mp_table_begin(r, name, len, false, &index, err))
		return -1;
	for (int i = 0; i < mp_query_column_count(rows); i++)
		if (mp_table_column(r, index, mp_query_title(rows, i), strlen(mp_query_title(rows, i)), err))
			return -1;
	while ((status = mp_query_next(rows, err)) == 1) {
		if (mp_table_row(r, index, &row, err))
			return -1;
		for (int i = 0; i < mp_query_column_count(rows); i++) {
			struct mp_value v = mp_query_value(rows, i);

			if (set_cell(r, &row[i], &v, err))
				return -1;
		}
	}
	return status;
}

static int take_table(struct mp_reading *r, struct mp_db *db, const char *name, size_t len, struct mp_error *err)
{
	char *sql = select_all(name, len);
	struct mp_query *rows;
	int status;

	if (!sql)
		return mp_reading_no_memory(r, err);
	status = mp_query_open(&rows, db, sql, strlen(sql), err);
	free(sql);
	if (status)
		return -1;
	status = take_rows(r, rows, name, len, err);
	mp_query_close(rows);
	return status;
}

static int take_tables(struct mp_reading *r, struct mp_db *db, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT CAST(name AS TEXT) FROM main.sqlite_master WHERE type = 'table'"
	    " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%' ORDER BY name";
	struct mp_query *names;
	int status;

	if (mp_query_open(&names, db, sql, sizeof(sql) - 1, err))
		return -1;
	while ((status = mp_query_next(names, err)) == 1) {
		struct mp_value name = mp_query_value(names, 0);

		if (name.type == MP_TEXT && take_table(r, db, name.text, strnlen(name.text, name.len), err)) {
			status = -1;
			break;
		}
	}
	mp_query_close(names);
	if (!status && !r->table_count)
		return mp_fail(err, "no table in it has a known title");
	return status;
}

int mp_sqlite_read(struct mp_reading *r, int dirfd, const char *name, struct mp_error *err)
{
	struct mp_db *db;
	int status;

	if (mp_db_open_foreign(&db, dirfd, name, r->file, err))
		return -1;
	status = take_tables(r, db, err);
	mp_db_close(db);
	return status;
}
