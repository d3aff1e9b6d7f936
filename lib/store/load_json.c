/*
 * load_json.c: the values of JSON objects as rows. A table of records with a column `line` gets a temporary view
 * TABLE_value, which scripts of schema/sql read: the columns of the table, from whichever layouts filled it.
 */
#include <stdio.h>
#include <string.h>

#include "store/connection.h"
#include "store/load.h"

static const struct mp_json_value *value_named(const struct mp_layout *l, const char *name)
{
	for (int i = 0; i < l->value_count; i++)
		if (strcmp(l->values[i].name, name) == 0)
			return &l->values[i];
	return NULL;
}

static bool has_column(const struct mp_layout *l, const char *name)
{
	return mp_layout_column(l, name) >= 0;
}

/* An array becomes its items, separated as lists are. `path` is an expression. */
static void add_value(sqlite3_str *sql, const char *object, const char *path)
{
	sqlite3_str_appendf(sql,
	    "CASE json_type(%s, %s) WHEN 'array' THEN (SELECT group_concat(value, char(31)) FROM json_each(%s, %s))"
	    " ELSE json_extract(%s, %s) END",
	    object, path, object, path, object, path);
}

/* Returns whether there was memory. */
static bool add_zipped(sqlite3_str *sql, const char *path)
{
	char *item = sqlite3_mprintf("%s || '[' || e.key || ']'", path);

	if (!item)
		return false;
	sqlite3_str_appendf(sql, "CASE json_type(l.line, %s) WHEN 'array' THEN ", path);
	add_value(sql, "l.line", item);
	sqlite3_str_appendf(sql, " ELSE json_extract(l.line, %s) END", path);
	sqlite3_free(item);
	return true;
}

/* Returns whether there was memory: a statement knows that of its own text alone. */
static bool add_column(sqlite3_str *sql, const struct mp_layout *l, const char *name)
{
	const struct mp_json_value *v = value_named(l, name);
	char *path = v ? sqlite3_mprintf("%Q", v->path) : NULL;
	bool done = path || !v;

	sqlite3_str_appendall(sql, ", ");
	if (l->kind != MP_RECORD_JSON && has_column(l, name))
		sqlite3_str_appendf(sql, "l.\"%w\"", name);
	else if (!path)
		sqlite3_str_appendall(sql, "NULL");
	else if (v->kind == MP_JSON_KEY)
		sqlite3_str_appendall(sql, l->has_each || l->is_zip ? "e.key" : "NULL");
	else if (v->kind == MP_JSON_ELEMENT && strcmp(v->path, "$") == 0)
		sqlite3_str_appendall(sql, "e.value");
	else if (l->is_zip)
		done = add_zipped(sql, path);
	else
		add_value(sql, v->kind == MP_JSON_ELEMENT ? "e.value" : "l.line", path);
	sqlite3_str_appendf(sql, " AS \"%w\"", name);
	sqlite3_free(path);
	return done;
}

/* Returns whether values lie within the elements, which then must be objects or arrays. */
static bool looks_into(const struct mp_layout *l)
{
	for (int i = 0; i < l->value_count; i++)
		if (l->values[i].kind == MP_JSON_ELEMENT && strcmp(l->values[i].path, "$") != 0)
			return true;
	return false;
}

/* The rows of one layout: `row` is the same for rows that replace those of an earlier one. Returns whether there was
 * memory. */
static bool add_layout(sqlite3_str *sql, const struct mp_layout *l, const char *columns)
{
	bool lists = l->has_each || l->is_zip;
	const char *list = l->has_each ? l->each : l->is_zip ? l->values[0].path : "";
	bool done = true;

	sqlite3_str_appendf(sql, "SELECT s.id AS source_id, l.rowid AS line_row, %s AS row, %s AS position",
	    lists ? "l.rowid" : "s.first_row",
	    lists ? "CASE typeof(e.key) WHEN 'integer' THEN e.key ELSE e.id END" : "l.rowid - s.first_row");
	if (!lists)
		sqlite3_str_appendall(sql, ", 1 AS listed");
	else
		sqlite3_str_appendf(sql,
		    ", coalesce(json_type(l.line, %Q) = 'array', 0) OR EXISTS (SELECT 1 FROM json_each(l.line, %Q)"
		    " WHERE type IN ('object', 'array')) AS listed",
		    list, list);
	for (const char *at = columns; *at; at += strlen(at) + 1)
		done = add_column(sql, l, at) && done;
	sqlite3_str_appendf(sql, " FROM main.source s CROSS JOIN main.\"%w\" l", l->table);
	if (lists)
		sqlite3_str_appendf(sql, " LEFT JOIN json_each(l.line, %Q) e ON %s", list,
		    looks_into(l) ? "e.type IN ('object', 'array')" : "1");
	sqlite3_str_appendf(sql, " WHERE s.layout = %Q AND l.rowid BETWEEN s.first_row AND s.last_row", l->name);
	return done;
}

/* `columns`: names, each with its NUL, and another NUL. */
static int make_view(struct mp_load *load, const char *table, const char *columns, struct mp_error *err)
{
	sqlite3_str *sql = sqlite3_str_new(load->db->handle);
	bool any = false, done = true;

	sqlite3_str_appendf(sql, "CREATE TEMP VIEW \"%w_value\" AS ", table);
	for (size_t i = 0; i < load->layouts->count; i++) {
		const struct mp_layout *l = load->layouts->items[i];

		if (l->family != load->job->family || strcmp(l->table, table) != 0)
			continue;
		sqlite3_str_appendall(sql, any ? " UNION ALL " : "");
		done = add_layout(sql, l, columns) && done;
		any = true;
	}
	if (!any) {
		sqlite3_str_appendall(
		    sql, "SELECT 0 AS source_id, 0 AS line_row, 0 AS row, 0 AS position, 0 AS listed");
		for (const char *at = columns; *at; at += strlen(at) + 1)
			sqlite3_str_appendf(sql, ", NULL AS \"%w\"", at);
		sqlite3_str_appendall(sql, " WHERE 0");
	}
	if (!done) {
		sqlite3_free(sqlite3_str_finish(sql));
		return mp_fail_memory(err, "a statement");
	}
	return mp_db_run_built(load->db, sql, err);
}

int mp_load_make_values(struct mp_load *load, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT r.name, i.name FROM record_table r, pragma_table_info(r.name) i WHERE i.name <> 'line' AND r.name IN"
	    " (SELECT t.name FROM record_table t, pragma_table_info(t.name) c WHERE c.name = 'line') ORDER BY r.name, i.cid";
	char columns[MP_COLUMN_MAX * MP_NAME_SIZE] = "", table[MP_NAME_SIZE] = "";
	size_t used = 0;
	struct mp_query *q;
	int status;

	if (mp_query_open(&q, load->db, sql, sizeof(sql) - 1, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		const char *name = mp_query_value(q, 0).text, *column = mp_query_value(q, 1).text;

		if (strcmp(name, table) != 0) {
			if (table[0] && make_view(load, table, columns, err)) {
				status = -1;
				break;
			}
			snprintf(table, sizeof(table), "%s", name);
			used = 0;
		}
		if (used + strlen(column) + 2 > sizeof(columns))
			break;
		memcpy(columns + used, column, strlen(column) + 1);
		used += strlen(column) + 1;
		columns[used] = '\0';
	}
	mp_query_close(q);
	return status < 0 || (table[0] && make_view(load, table, columns, err)) ? -1 : 0;
}
