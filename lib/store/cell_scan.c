/* cell_scan.c: which statements can be read from b-trees, and their rows. */
#include "store/cell_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "store/btree.h"

enum { TABLES = 2, CONDITIONS_MAX = 24, TABLE_COLUMNS_MAX = 128, KEY = -1, UNKNOWN = -2 };

struct table {
	struct mp_token name, alias;
	struct mp_btree *tree;
	char columns[TABLE_COLUMNS_MAX][64];
	bool real[TABLE_COLUMNS_MAX];
	int column_count;
	int key; /* the column that is the rowid; KEY: none has its name */
	struct mp_btree_column wanted[MP_CELL_COLUMN_MAX]; /* in their order */
	int wanted_count;
	struct mp_scalar *keys[MP_CELL_COLUMN_MAX]; /* where its rowid goes */
	int key_count;
};

struct mp_cell_scan {
	struct table tables[TABLES];
	int table_count;
	bool by_source; /* the tables are those of the query in FROM */
	int nodes[CONDITIONS_MAX + 3], node_count; /* what must hold, then: */
	int condition_count;
	int order, link[2]; /* nodes of ORDER BY, of ON; or -1 */
	struct mp_scalar *linked; /* the value that is the key of the second table's row */
	/* of a run */
	int64_t first, last; /* rowids */
	bool begun;
	int active[CONDITIONS_MAX], active_count; /* conditions that are not the same in all rows */
};

static bool is_name(const struct mp_token *t)
{
	return t->kind == MP_TOKEN_NAME || t->kind == MP_TOKEN_QUOTED;
}

/* name [[AS] alias], and what comes next in *t. */
static bool take_table(struct mp_range *from, struct table *table, struct mp_token *t)
{
	static const char *const words[] = {"JOIN", "INNER", "LEFT", "CROSS", "NATURAL", "ON", "USING", "RIGHT", "FULL", "INDEXED", "NOT"};

	table->name = mp_token_next(from);
	*t = mp_token_next(from);
	if (mp_token_is(t, "AS"))
		*t = mp_token_next(from);
	table->alias = table->name;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (mp_token_is(t, words[i]))
			return table->name.kind == MP_TOKEN_NAME;
	if (is_name(t)) {
		table->alias = *t;
		*t = mp_token_next(from);
	}
	return table->name.kind == MP_TOKEN_NAME;
}

/* table, or table JOIN table ON a = b: what follows ON is left in *on. */
static bool take_tables(struct mp_cell_scan *s, struct mp_range from, struct mp_range *on)
{
	struct mp_token t;

	on->at = NULL;
	if (!take_table(&from, &s->tables[0], &t))
		return false;
	s->table_count = 1;
	if (t.kind == MP_TOKEN_END)
		return true;
	if (!mp_token_is(&t, "JOIN") || !take_table(&from, &s->tables[1], &t))
		return false;
	s->table_count = 2;
	*on = from;
	return mp_token_is(&t, "ON");
}

/* FROM is the query whose terms were put in: that one's tables count. A common table by the name of a table is none. */
static bool find_tables(struct mp_cell_scan *s, const struct mp_select *select, const struct mp_cell_source *source, struct mp_range *on)
{
	struct mp_range from = select->from;
	struct mp_token t;

	s->by_source = source && source->count;
	if (select->limited || select->commons > s->by_source)
		return false;
	if (!s->by_source)
		return take_tables(s, select->from, on);
	t = mp_token_next(&from);
	if (mp_token_is(&t, "(") || !take_tables(s, select->source_from, on))
		return false;
	t = mp_token_next(&from);
	if (mp_token_is(&t, "AS"))
		t = mp_token_next(&from);
	if (is_name(&t))
		t = mp_token_next(&from);
	return t.kind == MP_TOKEN_END;
}

static int read_columns(struct table *table, struct mp_query *q, struct mp_error *err)
{
	int status;

	table->key = KEY;
	table->column_count = 0;
	while ((status = mp_query_next(q, err)) == 1) {
		struct mp_value name = mp_query_value(q, 0), type = mp_query_value(q, 1);
		int i = table->column_count++;

		if (i == TABLE_COLUMNS_MAX || name.len >= sizeof(table->columns[0]))
			return 0;
		snprintf(table->columns[i], sizeof(table->columns[i]), "%.*s", (int)name.len, name.text);
		table->real[i] = type.len == 4 && memcmp(type.text, "REAL", 4) == 0;
		if (mp_query_value(q, 2).i) {
			if (table->key != KEY || type.len != 7 || memcmp(type.text, "INTEGER", 7) != 0)
				return 0;
			table->key = i;
		}
	}
	return status < 0 ? -1 : table->column_count > 0;
}

/* A table of the file whose rows nothing but their key puts in order: 1. */
static int open_table(struct table *table, struct mp_cells *c, struct mp_error *err)
{
	static const char about[] = "SELECT rootpage FROM main.sqlite_schema WHERE type = 'table' AND name = :name AND sql NOT LIKE '%WITHOUT ROWID%'"
				    " AND NOT EXISTS (SELECT 1 FROM temp.sqlite_schema WHERE name = :name COLLATE NOCASE)"
				    " AND NOT EXISTS (SELECT 1 FROM main.sqlite_schema WHERE tbl_name = :name COLLATE NOCASE AND type <> 'table')";
	static const char columns[] = "SELECT name, type, pk FROM pragma_table_info(:name)";
	char name[64];
	struct mp_query *q;
	int64_t root = 0;
	int status;

	if (table->name.len >= sizeof(name))
		return 0;
	snprintf(name, sizeof(name), "%.*s", (int)table->name.len, table->name.text);
	if (mp_query_open(&q, c->db, about, sizeof(about) - 1, err))
		return -1;
	status = mp_query_bind_text(q, "name", name, err) ? -1 : mp_query_next(q, err);
	if (status == 1)
		root = mp_query_value(q, 0).i;
	mp_query_close(q);
	if (status != 1 || mp_btree_open(&table->tree, c->db, root, err) || !table->tree)
		return status < 0 || table->tree ? -1 : 0;
	if (mp_query_open(&q, c->db, columns, sizeof(columns) - 1, err))
		return -1;
	status = mp_query_bind_text(q, "name", name, err) ? -1 : read_columns(table, q, err);
	mp_query_close(q);
	return status;
}

/* The range as a node, all of it. */
static int parse_all(struct mp_cells *c, struct mp_range range, const struct mp_cell_source *source, bool inner)
{
	int node = mp_cell_parse(c, &range, source, inner);

	return mp_token_next(&range).kind == MP_TOKEN_END ? node : -1;
}

/* a AND b AND c, one by one. */
static bool add_conditions(struct mp_cell_scan *s, const struct mp_cells *c, int node)
{
	if (node < 0)
		return false;
	if (c->nodes[node].op == MP_CELL_AND)
		return add_conditions(s, c, c->nodes[node].a) && add_conditions(s, c, c->nodes[node].b);
	if (s->condition_count == CONDITIONS_MAX)
		return false;
	s->nodes[s->condition_count++] = node;
	return true;
}

static bool parse_clauses(struct mp_cell_scan *s, struct mp_cells *c, const struct mp_select *select, const struct mp_cell_source *source, struct mp_range on)
{
	const struct mp_cell_source *names = s->by_source ? source : NULL;
	int node = -1;

	s->order = s->link[0] = -1;
	if ((select->where.at && !add_conditions(s, c, parse_all(c, select->where, names, false))) ||
	    (s->by_source && select->source_where.at && !add_conditions(s, c, parse_all(c, select->source_where, NULL, true))))
		return false;
	if (select->order.at) {
		struct mp_range order = select->order;
		struct mp_token by = mp_token_next(&order);

		s->order = mp_token_is(&by, "BY") ? parse_all(c, order, names, false) : -1;
		if (s->order < 0 || c->nodes[s->order].op != MP_CELL_COLUMN)
			return false;
	}
	if (on.at) {
		node = parse_all(c, on, NULL, s->by_source);
		if (node < 0 || c->nodes[node].op != MP_CELL_EQUAL)
			return false;
		s->link[0] = c->nodes[node].a;
		s->link[1] = c->nodes[node].b;
	}
	s->node_count = s->condition_count;
	if (s->order >= 0)
		s->nodes[s->node_count++] = s->order;
	for (int i = 0; i < 2 && s->link[0] >= 0; i++)
		s->nodes[s->node_count++] = s->link[i];
	return true;
}

int mp_cell_scan_open(struct mp_cell_scan **scan, struct mp_cells *c, const struct mp_select *select, const struct mp_cell_source *source, struct mp_error *err)
{
	struct mp_cell_scan *s;
	struct mp_range on;
	int status = 1;

	*scan = NULL;
	if (!c->db->fixed || c->db->foreign)
		return 0;
	s = calloc(1, sizeof(*s));
	if (!s)
		return mp_fail_memory(err, "a query");
	if (!find_tables(s, select, source, &on))
		status = 0;
	for (int i = 0; status == 1 && i < s->table_count; i++)
		status = open_table(&s->tables[i], c, err);
	if (status == 1 && parse_clauses(s, c, select, source, on))
		*scan = s;
	else
		mp_cell_scan_close(s);
	return status < 0 ? -1 : 0;
}

void mp_cell_scan_close(struct mp_cell_scan *s)
{
	for (int i = 0; s && i < TABLES; i++)
		mp_btree_close(s->tables[i].tree);
	free(s);
}

int mp_cell_scan_nodes(const struct mp_cell_scan *s, const int **nodes)
{
	*nodes = s->nodes;
	return s->node_count;
}

static int column_named(const struct table *t, const struct mp_token *name)
{
	static const char *const keys[] = {"rowid", "oid", "_rowid_"};

	for (int i = 0; i < t->column_count; i++)
		if (mp_token_is_name(name, t->columns[i], strlen(t->columns[i])))
			return i == t->key ? KEY : i;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (mp_token_is_name(name, keys[i], strlen(keys[i])))
			return KEY;
	return UNKNOWN;
}

/* Which column of which table a column of the statement is. */
static bool find_column(const struct mp_cell_scan *s, const struct mp_cell_column *column, int *table, int *number)
{
	struct mp_range text = {column->text, column->text + column->len};
	struct mp_token first = mp_token_next(&text), dot = mp_token_next(&text), last = mp_token_next(&text);
	bool is_qualified = dot.kind != MP_TOKEN_END;
	int found = 0;

	if (column->inner != s->by_source)
		return false;
	for (int i = 0; i < s->table_count; i++) {
		const struct table *t = &s->tables[i];
		int at;

		if (is_qualified && !mp_token_is_name(&first, t->alias.text, t->alias.len))
			continue;
		at = column_named(t, is_qualified ? &last : &first);
		if (at == UNKNOWN)
			continue;
		*table = i;
		*number = at;
		found++;
	}
	return found == 1;
}

/* In their order: the row is read from front to end. */
static void want(struct table *t, int column, struct mp_scalar *value)
{
	int i = t->wanted_count++;

	for (; i > 0 && t->wanted[i - 1].column > column; i--)
		t->wanted[i] = t->wanted[i - 1];
	t->wanted[i] = (struct mp_btree_column){column, t->real[column], value};
}

/* The key of the second table is what a column of the first one says. */
static bool settle_link(struct mp_cell_scan *s, struct mp_cells *c)
{
	int table[2], number[2], own;

	if (s->table_count == 1)
		return true;
	for (int i = 0; i < 2; i++)
		if (c->nodes[s->link[i]].op != MP_CELL_COLUMN || !find_column(s, &c->columns[c->nodes[s->link[i]].number], &table[i], &number[i]))
			return false;
	own = table[0] == 1 ? 0 : 1;
	s->linked = &c->nodes[s->link[!own]].value;
	return table[own] == 1 && number[own] == KEY && table[!own] == 0;
}

bool mp_cell_scan_settle(struct mp_cell_scan *s, struct mp_cells *c)
{
	int table, number;

	for (int i = 0; i < c->term_count; i++)
		if (c->terms[i].node < 0)
			return false;
	if (!settle_link(s, c))
		return false;
	if (s->order >= 0 && (!find_column(s, &c->columns[c->nodes[s->order].number], &table, &number) || table != 0 || number != KEY))
		return false;
	for (int i = 0; i < c->column_count; i++) {
		struct mp_cell *cell = &c->nodes[c->columns[i].node];
		struct table *t;

		if (!find_column(s, &c->columns[i], &table, &number))
			return false;
		t = &s->tables[table];
		if (number == KEY)
			t->keys[t->key_count++] = &cell->value;
		else
			want(t, number, &cell->value);
	}
	return true;
}

/* A column of it that is the key of the first table. */
static bool is_key(const struct mp_cell_scan *s, const struct mp_cells *c, int node)
{
	for (int i = 0; i < s->tables[0].key_count; i++)
		if (s->tables[0].keys[i] == &c->nodes[node].value)
			return true;
	return false;
}

/* key >= number, key <= number: from where to where to read. */
static bool take_bound(struct mp_cell_scan *s, const struct mp_cells *c, const struct mp_cell *cell)
{
	const struct mp_cell *bound = &c->nodes[cell->b];

	if ((cell->op != MP_CELL_AT_LEAST && cell->op != MP_CELL_AT_MOST) || !is_key(s, c, cell->a) || !bound->known || bound->value.type != MP_INT)
		return false;
	if (cell->op == MP_CELL_AT_LEAST && bound->value.i > s->first)
		s->first = bound->value.i;
	if (cell->op == MP_CELL_AT_MOST && bound->value.i < s->last)
		s->last = bound->value.i;
	return true;
}

static bool has_text(const struct mp_cells *c, int node)
{
	const struct mp_cell *cell = &c->nodes[node];

	if (cell->op == MP_CELL_PARAMETER && c->parameters[cell->number].value.type >= MP_TEXT)
		return true;
	for (int i = 0; i < cell->count; i++)
		if (has_text(c, c->kids[cell->first + i]))
			return true;
	return false;
}

bool mp_cell_scan_begin(struct mp_cell_scan *s, const struct mp_cells *c)
{
	s->first = INT64_MIN;
	s->last = INT64_MAX;
	s->begun = false;
	s->active_count = 0;
	for (int i = 0; i < s->condition_count; i++) {
		if (has_text(c, s->nodes[i]))
			return false;
		if (take_bound(s, c, &c->nodes[s->nodes[i]]))
			continue;
		s->active[s->active_count++] = s->nodes[i];
	}
	return true;
}

/* The current row of a table as values. */
static int give(struct table *t, struct mp_error *err)
{
	for (int i = 0; i < t->key_count; i++)
		*t->keys[i] = (struct mp_scalar){.i = mp_btree_rowid(t->tree), .type = MP_INT};
	return mp_btree_columns(t->tree, t->wanted, t->wanted_count, err);
}

int mp_cell_scan_next(struct mp_cell_scan *s, struct mp_error *err)
{
	struct table *t = &s->tables[0];
	int status;

	for (;;) {
		if (s->first > s->last)
			return 0;
		status = s->begun ? mp_btree_next(t->tree, err) : mp_btree_seek(t->tree, s->first, err);
		s->begun = true;
		if (status != 1)
			return status;
		if (mp_btree_rowid(t->tree) > s->last)
			return 0;
		if (give(t, err))
			return -1;
		if (s->table_count == 1)
			return 1;
		/* a column that holds no integer holds nobody's key */
		status = s->linked->type == MP_INT ? mp_btree_seek(s->tables[1].tree, s->linked->i, err) : 0;
		if (status < 0)
			return -1;
		if (status == 1 && mp_btree_rowid(s->tables[1].tree) == s->linked->i)
			return give(&s->tables[1], err) ? -1 : 1;
	}
}

bool mp_cell_scan_passes(const struct mp_cell_scan *s, struct mp_cells *c)
{
	for (int i = 0; i < s->active_count; i++) {
		struct mp_scalar v = mp_cell_value(c, s->active[i]);

		if (v.type == MP_INT ? !v.i : mp_cell_real(c, v) == 0) /* NULL is no */
			return false;
	}
	return true;
}
