/* scan.c: selects statements whose rows can be read from b-trees or a row source, and finds their columns there. */
#include "expr/expr.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parse [schema.]name [[AS] alias]. *t receives the next token. */
static bool take_table(struct mp_range *from, struct mp_expr_table *table, struct mp_token *t)
{
	table->name = mp_token_next(from);
	*t = mp_token_next(from);
	if ((mp_token_is(&table->name, "temp") || mp_token_is(&table->name, "main")) && mp_token_is(t, ".")) {
		table->is_temporary = mp_token_is(&table->name, "temp");
		table->name = mp_token_next(from);
		*t = mp_token_next(from);
	}
	table->alias = mp_select_alias(from, t);
	if (!table->alias.len)
		table->alias = table->name;
	return table->name.kind == MP_TOKEN_NAME;
}

/* Take the text up to the next CROSS, which *t becomes, or to the end. */
static struct mp_range take_condition(struct mp_range *from, struct mp_token *t)
{
	struct mp_range condition = *from;
	int depth = 0;

	while ((*t = mp_token_next(from)).kind != MP_TOKEN_END) {
		depth += mp_token_is(t, "(") - mp_token_is(t, ")");
		if (!depth && mp_token_is(t, "CROSS")) {
			condition.end = t->text;
			break;
		}
	}
	return condition;
}

/*
 * Parse table, or table CROSS JOIN table [ON condition] ..., where each table may have a condition in on. Returns false
 * for other text.
 */
static bool take_tables(struct mp_expr_scan *s, struct mp_range text, struct mp_range *on)
{
	struct mp_token t;

	while (s->table_count < MP_EXPR_TABLES_MAX && take_table(&text, &s->tables[s->table_count], &t)) {
		if (mp_token_is(&t, "ON"))
			on[s->table_count] = take_condition(&text, &t);
		s->table_count++;
		if (t.kind == MP_TOKEN_END)
			return true;
		if (!mp_token_is(&t, "CROSS"))
			return false;
		t = mp_token_next(&text);
		if (!mp_token_is(&t, "JOIN"))
			return false;
	}
	return false;
}

/*
 * Find the tables of FROM, or of the query in FROM. Another common table expression could hide a table. Returns false
 * when a scan cannot serve the statement.
 */
static bool find_tables(struct mp_expr_scan *s, const struct mp_select *select, struct mp_range *on)
{
	struct mp_range text = select->from;
	struct mp_token t;

	if (select->limited || select->commons > s->by_source)
		return false;
	if (!s->by_source)
		return take_tables(s, text, on);
	t = mp_token_next(&text);
	if (mp_token_is(&t, "("))
		return false;
	t = mp_token_next(&text);
	mp_select_alias(&text, &t);
	return t.kind == MP_TOKEN_END && take_tables(s, select->source_from, on);
}

/*
 * Take the columns in the order of storage. Returns 1; 0 where a row is not stored as it is, by computed columns and
 * defaults: only SQLite can read it.
 */
static int read_columns(struct mp_expr_table *t, struct mp_db *db, const char *name, struct mp_error *err)
{
	int status = mp_row_columns_read(&t->columns, db->handle, t->is_temporary ? "temp" : "main", name);

	if (status)
		return status == SQLITE_TOOBIG ? 0 : mp_db_fail(db, err, "cannot query");
	t->key = -1;
	for (int i = 0; i < t->columns.count && !t->is_temporary; i++) {
		const struct mp_row_column *c = &t->columns.items[i];

		if (c->declared == MP_DECLARED_OTHER || c->is_filled ||
		    (c->is_key && (t->key >= 0 || c->declared != MP_DECLARED_INTEGER)))
			return 0;
		if (c->is_key)
			t->key = i;
	}
	return t->columns.count > 0;
}

/* Open a table of the file without indices and collations. Returns 1, 0 when only SQLite can read the table, or -1. */
static int open_tree(struct mp_expr_table *table, struct mp_db *db, const char *name, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT rootpage FROM main.sqlite_schema WHERE type = 'table' AND name = ?1 AND sql NOT LIKE '%WITHOUT ROWID%' AND sql NOT LIKE '%COLLATE%'"
	    " AND NOT EXISTS (SELECT 1 FROM temp.sqlite_schema WHERE name = ?1 COLLATE NOCASE)"
	    " AND NOT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE tbl_name = ?1 COLLATE NOCASE AND type <> 'table')";
	struct mp_query *q;
	int status = mp_query_ask(&q, db, sql, MP_VALUES(mp_string(name)), err);
	int64_t root = status == 1 ? mp_query_int(q, 0) : 0;

	mp_query_close(q);
	if (status == 1)
		status = mp_btree_open(&table->tree, db->handle, db->path, root, err) ? -1 : table->tree != NULL;
	return status == 1 ? read_columns(table, db, name, err) : status;
}

/*
 * Open a table. Returns 1; 0 when only SQLite can read the table, or when rows may come in another order than by rowid;
 * -1 on error.
 */
static int open_table(const struct mp_expr_scan *s, struct mp_expr_table *table, struct mp_db *db, struct mp_error *err)
{
	char name[64];

	if (table->name.len >= sizeof(name))
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)table->name.len, table->name.text);
	if (!table->is_temporary)
		return db->fixed && !db->foreign && !(db->plain & MP_PLAIN_LEAVES) ? open_tree(table, db, name, err)
										   : 0;
	if (s->table_count == 1) {
		if (!db->source || strcmp(name, db->source->table) != 0)
			return 0;
		table->source = db->source;
	}
	return read_columns(table, db, name, err);
}

/* Open all tables. Beside small ones there is one that is scanned. Returns as open_table. */
static int open_tables(struct mp_expr_scan *s, struct mp_db *db, struct mp_error *err)
{
	int status = 1, scanned = 0;

	for (int i = 0; status == 1 && i < s->table_count; i++) {
		status = open_table(s, &s->tables[i], db, err);
		if (s->tables[i].is_temporary && s->table_count > 1)
			continue;
		s->scanned = i;
		scanned++;
	}
	return status == 1 ? scanned == 1 : status;
}

/* Add each part of a AND b AND c as a condition. */
static bool add_conditions(struct mp_expr_scan *s, const struct mp_expr_query *q, int node)
{
	if (node < 0)
		return false;
	if (q->nodes[node].op == MP_EXPR_AND)
		return add_conditions(s, q, q->children[q->nodes[node].first]) &&
		       add_conditions(s, q, q->children[q->nodes[node].first + 1]);
	if (s->condition_count == MP_EXPR_CONDITIONS_MAX)
		return false;
	s->nodes[s->condition_count++] = node;
	return true;
}

static bool parse_clauses(struct mp_expr_scan *s, struct mp_expr_query *q, const struct mp_select *select,
    const struct mp_expr_source *source, const struct mp_range *on)
{
	const struct mp_expr_source *names = s->by_source ? source : NULL;
	struct mp_range order = select->order;
	struct mp_token by;

	for (int i = 0; i < s->table_count; i++)
		if (on[i].at && !add_conditions(s, q, mp_expr_parse(q, on[i], NULL, s->by_source)))
			return false;
	if ((select->where.at && !add_conditions(s, q, mp_expr_parse(q, select->where, names, false))) ||
	    (s->by_source && select->source_where.at &&
		!add_conditions(s, q, mp_expr_parse(q, select->source_where, NULL, true))))
		return false;
	s->node_count = s->condition_count;
	if (!order.at)
		return true;
	by = mp_token_next(&order);
	s->nodes[s->node_count] = mp_token_is(&by, "BY") ? mp_expr_parse(q, order, names, false) : -1;
	return s->nodes[s->node_count] >= 0 && q->nodes[s->nodes[s->node_count++]].op == MP_EXPR_COLUMN;
}

int mp_expr_scan_open(
    struct mp_expr_query *q, const struct mp_select *select, const struct mp_expr_source *source, struct mp_error *err)
{
	struct mp_range on[MP_EXPR_TABLES_MAX] = {{NULL, NULL}};
	struct mp_expr_scan *s;
	int status;

	if (!q->db->fixed && !q->db->source)
		return 0;
	s = q->scan = calloc(1, sizeof(*s));
	if (!s)
		return mp_fail_memory(err, "a query");
	s->by_source = source->count > 0;
	status = find_tables(s, select, on) ? open_tables(s, q->db, err) : 0;
	if (status != 1 || !parse_clauses(s, q, select, source, on))
		mp_expr_scan_close(q);
	return status < 0 ? -1 : 0;
}

void mp_expr_scan_close(struct mp_expr_query *q)
{
	for (int i = 0; q->scan && i < q->scan->table_count; i++) {
		mp_btree_close(q->scan->tables[i].tree);
		free(q->scan->tables[i].values);
	}
	free(q->scan);
	q->scan = NULL;
	mp_expr_unroll_free(q->unroll);
	q->unroll = NULL;
}

enum { NONE = -2 };

/* Returns the number of a column of a table, MP_BTREE_ROWID, or NONE when not found. */
static int find_in_table(const struct mp_expr_table *t, const struct mp_token *name)
{
	static const char *const keys[] = {"rowid", "oid", "_rowid_"};

	for (int i = 0; i < t->columns.count; i++)
		if (mp_token_is_name(name, t->columns.items[i].name, strlen(t->columns.items[i].name)))
			return i == t->key ? MP_BTREE_ROWID : i;
	for (size_t i = 0; t->tree && i < sizeof(keys) / sizeof(keys[0]); i++)
		if (mp_token_is_name(name, keys[i], strlen(keys[i])))
			return MP_BTREE_ROWID;
	return NONE;
}

/* Find the table and the column of a column of the statement. Returns false when not found once. */
static bool find_column(struct mp_expr_query *q, int column, struct mp_expr_table **table, int *number)
{
	const struct mp_expr_column *c = &q->columns[column];
	struct mp_range text = c->text;
	struct mp_token first = mp_token_next(&text), dot = mp_token_next(&text), last = mp_token_next(&text);
	bool is_qualified = dot.kind != MP_TOKEN_END;
	int found = 0;

	if (c->inner != q->scan->by_source)
		return false;
	for (int i = 0; i < q->scan->table_count; i++) {
		struct mp_expr_table *t = &q->scan->tables[i];
		int at;

		if (is_qualified && !mp_token_is_name(&first, t->alias.text, t->alias.len))
			continue;
		at = find_in_table(t, is_qualified ? &last : &first);
		if (at == NONE)
			continue;
		*table = t;
		*number = at;
		found++;
	}
	return found == 1;
}

/* Choose a column, in the order of the table: a row is read from front to end. */
static void want(struct mp_expr_query *q, struct mp_expr_table *t, int column, int node)
{
	int i = t->wanted_count++;

	for (; i > 0 && t->wanted[i - 1].column > column; i--) {
		t->wanted[i] = t->wanted[i - 1];
		t->nodes[i] = t->nodes[i - 1];
	}
	t->wanted[i] = (struct mp_wanted){
	    column, column >= 0 && t->columns.items[column].declared == MP_DECLARED_REAL, &q->nodes[node].value};
	t->nodes[i] = node;
	q->nodes[node].small = t != &q->scan->tables[q->scan->scanned];
}

bool mp_expr_scan_settle(struct mp_expr_query *q)
{
	struct mp_expr_scan *s = q->scan;
	struct mp_expr_table *table;
	int number;

	/* by the key of the table that is named first */
	if (s->node_count > s->condition_count &&
	    (!find_column(q, q->nodes[s->nodes[s->condition_count]].number, &table, &number) || s->scanned ||
		table != s->tables || number != MP_BTREE_ROWID))
		return false;
	for (int i = 0; i < q->column_count; i++) {
		if (q->columns[i].whole || !find_column(q, i, &table, &number))
			return false;
		want(q, table, number, q->columns[i].node);
	}
	return true;
}
