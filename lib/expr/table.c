/* table.c: finds the columns of a table, and reads rows from a b-tree or a row source. */
#include "expr/expr.h"

#include <stdio.h>
#include <string.h>

static bool is(struct mp_value type, const char *word)
{
	return type.len == strlen(word) && memcmp(type.text, word, type.len) == 0;
}

/* Returns whether the stored value of a column is its value, or needs only the conversion to REAL. */
static bool is_known(struct mp_value type)
{
	return is(type, "INTEGER") || is(type, "REAL") || is(type, "TEXT") || is(type, "BLOB") || is(type, "NUMERIC") ||
	       !type.len;
}

/* Read the columns in the order of storage; `status` is that of the first row. Returns 0 for computed columns and
 * defaults: only SQLite can read these. */
static int read_columns(struct mp_expr_table *table, struct mp_query *q, int status, struct mp_error *err)
{
	table->key = MP_TABLE_KEY;
	table->column_count = 0;
	for (; status == 1; status = mp_query_next(q, err)) {
		struct mp_value name = mp_query_value(q, 0), type = mp_query_value(q, 1);
		int i = table->column_count++;

		if (i == MP_TABLE_COLUMNS_MAX || name.len >= sizeof(table->columns[0]) || !is_known(type) ||
		    mp_query_int(q, 3))
			return 0;
		snprintf(table->columns[i], sizeof(table->columns[i]), "%.*s", (int)name.len, name.text);
		table->real[i] = is(type, "REAL");
		table->integer[i] = is(type, "INTEGER");
		if (mp_query_int(q, 2)) {
			if (table->key != MP_TABLE_KEY || !table->integer[i])
				return 0;
			table->key = i;
		}
	}
	return status < 0 ? -1 : table->column_count > 0;
}

/* Open a table of the file without indices and collations. Returns 1, 0 when only SQLite can read the table, or -1. */
static int open_tree(struct mp_expr_table *table, struct mp_db *db, const char *name, struct mp_error *err)
{
	static const char about[] =
	    "SELECT rootpage FROM main.sqlite_schema WHERE type = 'table' AND name = ?1 AND sql NOT LIKE '%WITHOUT ROWID%' AND sql NOT LIKE '%COLLATE%'"
	    " AND NOT EXISTS (SELECT 1 FROM temp.sqlite_schema WHERE name = ?1 COLLATE NOCASE)"
	    " AND NOT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE tbl_name = ?1 COLLATE NOCASE AND type <> 'table')";
	static const char columns[] =
	    "SELECT name, type, pk, hidden OR dflt_value IS NOT NULL FROM pragma_table_xinfo(?, 'main') ORDER BY cid";
	struct mp_query *q;
	int status = mp_query_ask(&q, db, about, MP_VALUES(mp_string(name)), err);
	int64_t root = status == 1 ? mp_query_int(q, 0) : 0;

	mp_query_close(q);
	if (status == 1)
		status = mp_btree_open(&table->tree, db->handle, db->path, root, err) ? -1 : table->tree != NULL;
	if (status != 1)
		return status;
	status = mp_query_ask(&q, db, columns, MP_VALUES(mp_string(name)), err);
	status = read_columns(table, q, status, err);
	mp_query_close(q);
	return status;
}

int mp_expr_table_open(struct mp_expr_table *table, struct mp_db *db, struct mp_error *err)
{
	char name[64];

	if (table->name.len >= sizeof(name))
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)table->name.len, table->name.text);
	if (!table->is_temporary)
		return db->fixed && !db->foreign && !(db->plain & MP_PLAIN_LEAVES) ? open_tree(table, db, name, err)
										   : 0;
	if (!db->source || strcmp(name, db->source->table) != 0)
		return 0;
	table->source = db->source;
	return 1;
}

void mp_expr_table_close(struct mp_expr_table *table)
{
	mp_btree_close(table->tree);
}

static int find_in_source(const struct mp_source *source, const struct mp_token *name)
{
	char text[64];
	int column;

	if (name->kind != MP_TOKEN_NAME || name->len >= sizeof(text))
		return MP_TABLE_NONE;
	snprintf(text, sizeof(text), "%.*s", (int)name->len, name->text);
	column = source->find(source, text);
	return column < 0 ? MP_TABLE_NONE : column;
}

int mp_expr_table_find(const struct mp_expr_table *t, const struct mp_token *name)
{
	static const char *const keys[] = {"rowid", "oid", "_rowid_"};

	if (t->source)
		return find_in_source(t->source, name);
	for (int i = 0; i < t->column_count; i++)
		if (mp_token_is_name(name, t->columns[i], strlen(t->columns[i])))
			return i == t->key ? MP_TABLE_KEY : i;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (mp_token_is_name(name, keys[i], strlen(keys[i])))
			return MP_TABLE_KEY;
	return MP_TABLE_NONE;
}

bool mp_expr_table_is_integer(const struct mp_expr_table *t, int column)
{
	return column == MP_TABLE_KEY || t->source || t->integer[column];
}

/* Keep the columns in the order of the table: a row is read from front to end. */
void mp_expr_table_want(struct mp_expr_table *t, int column, struct mp_value *value)
{
	int i = t->wanted_count;

	if (column == MP_TABLE_KEY) {
		t->keys[t->key_count++] = value;
		return;
	}
	for (; i > 0 && t->wanted[i - 1].column > column; i--) {
		t->wanted[i] = t->wanted[i - 1];
		t->values[i] = t->values[i - 1];
	}
	t->wanted[i] = (struct mp_btree_column){column, !t->source && t->real[column], value};
	t->values[i] = value;
	t->wanted_count++;
}

int mp_expr_table_seek(struct mp_expr_table *t, int64_t rowid, struct mp_error *err)
{
	int columns[MP_EXPR_COLUMN_MAX];

	if (!t->source)
		return mp_btree_seek(t->tree, rowid, err);
	for (int i = 0; i < t->wanted_count; i++)
		columns[i] = t->wanted[i].column;
	return t->source->begin(t->source, columns, t->values, t->wanted_count, err) ? -1 : mp_expr_table_next(t, err);
}

int mp_expr_table_next(struct mp_expr_table *t, struct mp_error *err)
{
	return t->source ? t->source->rows.next(&t->source->rows, err) : mp_btree_next(t->tree, err);
}

int64_t mp_expr_table_rowid(const struct mp_expr_table *t)
{
	return t->source ? 0 : mp_btree_rowid(t->tree);
}

int mp_expr_table_give(struct mp_expr_table *t, struct mp_error *err)
{
	if (t->source) /* it stores them as it moves */
		return 0;
	for (int i = 0; i < t->key_count; i++)
		*t->keys[i] = mp_int(mp_btree_rowid(t->tree));
	return mp_btree_columns(t->tree, t->wanted, t->wanted_count, err);
}
