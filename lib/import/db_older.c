/*
 * db_older.c: copies a database of another schema to a private database with the schema of this build. The copy has the
 * rows of the tables and columns that both schemas have; other columns are NULL, other tables are empty. A temporary
 * table older_T takes the rows of T instead, and older.sql moves them. Only plain tables and columns of the other
 * database are read, so its views, triggers and computed columns never run.
 */
#include <stdio.h>
#include <string.h>

#include "import/import_internal.h"
#include "store/sink.h"

/* The tables that take rows: schema, name, the name in the other database, and whether a table is WITHOUT ROWID. */
static const char TABLES[] =
    "SELECT 'main', name, name, sql LIKE '%WITHOUT ROWID%' FROM main.sqlite_schema WHERE type = 'table'"
    " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND 'older_' || name NOT IN (SELECT name FROM temp.sqlite_schema)"
    " UNION ALL SELECT 'temp', name, substr(name, 7), 0 FROM temp.sqlite_schema WHERE type = 'table' AND name GLOB 'older_*'";
static const char IS_PLAIN[] =
    "SELECT sql LIKE '%WITHOUT ROWID%' FROM main.sqlite_schema WHERE name = :name AND type = 'table' AND rootpage > 0";
static const char COLUMNS[] = "SELECT name FROM pragma_table_xinfo(:name, :schema) WHERE hidden = 0";

/* Databases before this version have other tables, whose rows older.sql moves. */
enum { SAME_TABLES_SINCE = 4 };

/* A table that takes rows. */
struct target {
	const char *schema, *name;
	const char *from; /* its name in the other database */
	bool keyed;       /* WITHOUT ROWID */
};

/* Get the first column of the first row of a query for a name. Returns 1, 0 when not found, -1 on error. */
static int ask(struct mp_db *db, const char *sql, const char *name, int64_t *value, struct mp_error *err)
{
	struct mp_query *q;
	int status = mp_query_ask(&q, db, sql, MP_VALUES(mp_string(name)), err);

	if (status == 1)
		*value = mp_query_int(q, 0);
	mp_query_close(q);
	return status;
}

/* Returns 1 when a table of the other database has a stored column of this name, 0 when not, -1 on error. */
static int has_column(struct mp_db *old, const char *table, const char *column, struct mp_error *err)
{
	static const char sql[] = "SELECT 1 FROM pragma_table_xinfo(?, 'main') WHERE hidden = 0 AND name = ?";
	struct mp_query *q;
	int status = mp_query_ask(&q, old, sql, MP_VALUES(mp_string(table), mp_string(column)), err);

	mp_query_close(q);
	return status;
}

/*
 * Returns a list of the columns that both tables have, after "rowid" when `rowid` is set; NULL on error. *count
 * receives their number, 0 when no column is common. Free the list with sqlite3_free.
 */
static char *common_columns(
    struct mp_db *db, struct mp_db *old, const struct target *to, bool rowid, int *count, struct mp_error *err)
{
	sqlite3_str *list = sqlite3_str_new(db->handle);
	struct mp_query *q;
	char *text;
	int status;

	*count = 0;
	if (rowid)
		sqlite3_str_appendall(list, "rowid");
	if (mp_query_open(&q, db, COLUMNS, sizeof(COLUMNS) - 1, err)) {
		sqlite3_free(sqlite3_str_finish(list));
		return NULL;
	}
	status =
	    mp_query_bind_text(q, "name", to->name, err) || mp_query_bind_text(q, "schema", to->schema, err) ? -1 : 1;
	while (status >= 0 && (status = mp_query_next(q, err)) == 1) {
		const char *column = mp_query_text(q, 0);
		int has = has_column(old, to->from, column, err);

		if (has == 1)
			sqlite3_str_appendf(list, "%s\"%w\"", sqlite3_str_length(list) ? "," : "", column);
		*count += has == 1;
		status = has < 0 ? -1 : status;
	}
	mp_query_close(q);
	*count += rowid && *count;
	text = sqlite3_str_finish(list);
	if (text && status == 0)
		return text;
	sqlite3_free(text);
	if (status == 0)
		mp_fail_memory(err, "a statement");
	return NULL;
}

static int copy_columns(
    struct mp_db *db, struct mp_db *old, const struct target *to, const char *columns, struct mp_error *err)
{
	char *select = sqlite3_mprintf("SELECT %s FROM main.\"%w\"", columns, to->from);
	struct mp_query *rows;
	int status =
	    select ? mp_query_open(&rows, old, select, strlen(select), err) : mp_fail_memory(err, "a statement");

	sqlite3_free(select);
	if (status)
		return -1;
	status = mp_sink_query(db, NULL, to->name, rows, err);
	mp_query_close(rows);
	return status;
}

/* Copy the rows of a table. A table that has rows is unchanged; a table that the other database lacks stays empty. */
static int copy_table(struct mp_db *db, struct mp_db *old, const struct target *to, struct mp_error *err)
{
	char *sql = sqlite3_mprintf("SELECT 1 FROM %s.\"%w\"", to->schema, to->name), *columns;
	int64_t filled, their_keyed = 0;
	int status = sql ? mp_db_number(db, sql, 0, &filled, err) : mp_fail_memory(err, "a statement"), count;

	sqlite3_free(sql);
	if (status || filled)
		return status;
	status = ask(old, IS_PLAIN, to->from, &their_keyed, err);
	if (status != 1)
		return status;
	columns = common_columns(db, old, to, !to->keyed && !their_keyed, &count, err);
	if (!columns)
		return -1;
	status = count ? copy_columns(db, old, to, columns, err) : 0;
	sqlite3_free(columns);
	return status;
}

/* Copy one table, or all with NULL. */
static int copy_tables(struct mp_db *db, struct mp_db *old, const char *only, struct mp_error *err)
{
	struct mp_query *tables;
	int status;

	if (mp_query_open(&tables, db, TABLES, sizeof(TABLES) - 1, err))
		return -1;
	while ((status = mp_query_next(tables, err)) == 1) {
		const struct target to = {mp_query_text(tables, 0), mp_query_text(tables, 1), mp_query_text(tables, 2),
		    mp_query_int(tables, 3) != 0};

		if ((!only || strcmp(to.from, only) == 0) && copy_table(db, old, &to, err)) {
			status = -1;
			break;
		}
	}
	mp_query_close(tables);
	return status;
}

int mp_db_renew(struct mp_db **renewed, struct mp_db *old, const char *only, struct mp_error *err)
{
	enum mp_family family = mp_db_family(old);
	struct mp_db *db;
	struct mp_error why;

	*renewed = NULL;
	if (mp_db_connect(&db, -1, old->path, err))
		return -1;
	if (mp_db_run(db,
		"PRAGMA main.page_size=16384; PRAGMA main.journal_mode=OFF; PRAGMA main.synchronous=OFF; BEGIN;",
		&why) ||
	    mp_db_make(db, family, MP_STEPS_TABLES, &why) ||
	    (old->version < SAME_TABLES_SINCE && mp_db_make(db, family, MP_STEPS("older_tables"), &why)) ||
	    copy_tables(db, old, only, &why) || mp_db_make(db, family, MP_STEPS("older"), &why) ||
	    mp_db_make(db, family, MP_STEPS_VIEWS, &why) || mp_db_run(db, "COMMIT;", &why)) {
		mp_db_close(db);
		return mp_fail_because(err, &why,
		    "'%s' has another schema than this msprof, and cannot be converted: %s", old->path, why.text);
	}
	db->version = MP_SCHEMA_VERSION;
	db->renewed = true;
	*renewed = db;
	return 0;
}
