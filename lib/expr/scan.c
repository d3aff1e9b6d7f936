/* scan.c: selects statements whose rows can be read from b-trees or a row source, and reads the rows. */
#include "expr/expr.h"

#include <stdlib.h>
#include <string.h>

enum { TABLES = 2, SMALL_MAX = 4, CONDITIONS_MAX = 24 };

struct mp_expr_scan {
	struct mp_expr_table tables[TABLES];
	int table_count;
	struct mp_expr_unroll *unroll; /* the small tables that are joined, owned by the query; or NULL */
	struct mp_range on[SMALL_MAX]; /* the conditions of their joins */
	int on_count;
	bool by_source;                            /* the tables belong to the query in FROM */
	int nodes[CONDITIONS_MAX + 3], node_count; /* the conditions, then `order` and `link` */
	int condition_count;
	int order, link[2];      /* the node of ORDER BY, and both sides of ON; or -1 */
	struct mp_value *linked; /* the value of the first table that is the key of the second table */
	/* The state of a run: */
	int64_t first, last; /* the range of rowids to read */
	bool begun;
	bool small[CONDITIONS_MAX];               /* conditions on columns of small tables: the unroll has them */
	int active[CONDITIONS_MAX], active_count; /* the conditions to test in each row */
};

static bool is_name(const struct mp_token *t)
{
	return t->kind == MP_TOKEN_NAME || t->kind == MP_TOKEN_QUOTED;
}

/* Parse name [[AS] alias]. *t receives the next token. */
static bool take_table(struct mp_range *from, struct mp_expr_table *table, struct mp_token *t)
{
	static const char *const words[] = {
	    "JOIN", "INNER", "LEFT", "CROSS", "NATURAL", "ON", "USING", "RIGHT", "FULL", "INDEXED", "NOT"};

	table->name = mp_token_next(from);
	*t = mp_token_next(from);
	if ((mp_token_is(&table->name, "temp") || mp_token_is(&table->name, "main")) && mp_token_is(t, ".")) {
		table->is_temporary = mp_token_is(&table->name, "temp");
		table->name = mp_token_next(from);
		*t = mp_token_next(from);
	}
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
 * Parse table CROSS JOIN table [ON condition] ... of small temporary tables and one that is scanned. *t is the token
 * after the first one, which is s->tables[0]. Returns 1, 0 when a scan cannot serve the statement, -1 on error.
 */
static int take_small(
    struct mp_expr_scan *s, struct mp_expr_query *q, struct mp_range from, struct mp_token *t, struct mp_error *err)
{
	struct mp_expr_table *next = &s->tables[1]; /* a second table is not scanned here */
	int status = 1;

	memcpy(next, &s->tables[0], sizeof(*next));

	s->unroll = q->unroll = mp_expr_unroll_create();
	if (!s->unroll)
		return mp_fail_memory(err, "a query");
	for (;;) {
		if (next->is_temporary)
			status = mp_expr_unroll_add(s->unroll, q->db, &next->name, &next->alias, !s->table_count, err);
		else if (s->table_count++ == 0)
			memcpy(&s->tables[0], next, sizeof(*next));
		else
			return 0;
		if (status == 1 && mp_token_is(t, "ON")) {
			if (s->on_count == SMALL_MAX)
				return 0;
			s->on[s->on_count++] = take_condition(&from, t);
		}
		if (status != 1 || t->kind == MP_TOKEN_END)
			return status < 0 ? -1 : status && s->table_count == 1;
		if (!mp_token_is(t, "CROSS"))
			return 0;
		*t = mp_token_next(&from);
		memset(next, 0, sizeof(*next));
		if (!mp_token_is(t, "JOIN") || !take_table(&from, next, t))
			return 0;
	}
}

/*
 * Parse table, table JOIN table ON, or table CROSS JOIN small tables. *on receives the text after ON of the second
 * form. Returns 1, 0 when a scan cannot serve the statement, -1 on error.
 */
static int take_tables(
    struct mp_expr_scan *s, struct mp_expr_query *q, struct mp_range from, struct mp_range *on, struct mp_error *err)
{
	struct mp_token t;

	on->at = NULL;
	if (!take_table(&from, &s->tables[0], &t))
		return 0;
	if (mp_token_is(&t, "CROSS"))
		return q->db->fixed ? take_small(s, q, from, &t, err) : 0;
	s->table_count = 1;
	if (t.kind == MP_TOKEN_END)
		return 1;
	if (!mp_token_is(&t, "JOIN") || !take_table(&from, &s->tables[1], &t))
		return 0;
	s->table_count = 2;
	*on = from;
	return mp_token_is(&t, "ON");
}

/*
 * Find the tables of FROM, or of the query in FROM. Another common table expression could hide a table. Returns 1, 0
 * when a scan cannot serve the statement, -1 on error.
 */
static int find_tables(struct mp_expr_scan *s, struct mp_expr_query *q, const struct mp_select *select,
    const struct mp_expr_source *source, struct mp_range *on, struct mp_error *err)
{
	struct mp_range from = select->from;
	struct mp_token t;

	s->by_source = source && source->count;
	if (select->limited || select->commons > s->by_source)
		return 0;
	if (!s->by_source)
		return take_tables(s, q, select->from, on, err);
	t = mp_token_next(&from);
	if (mp_token_is(&t, "("))
		return 0;
	t = mp_token_next(&from);
	if (mp_token_is(&t, "AS"))
		t = mp_token_next(&from);
	if (is_name(&t))
		t = mp_token_next(&from);
	return t.kind == MP_TOKEN_END ? take_tables(s, q, select->source_from, on, err) : 0;
}

/* Parse the whole range. Returns the node, or -1. */
static int parse_all(struct mp_expr_query *q, struct mp_range range, const struct mp_expr_source *source, bool inner)
{
	int node = mp_expr_parse(q, &range, source, inner);

	return mp_token_next(&range).kind == MP_TOKEN_END ? node : -1;
}

/* Add each part of a AND b AND c as a condition. */
static bool add_conditions(struct mp_expr_scan *s, const struct mp_expr_query *q, int node)
{
	if (node < 0)
		return false;
	if (q->nodes[node].op == MP_EXPR_AND)
		return add_conditions(s, q, q->children[q->nodes[node].first]) &&
		       add_conditions(s, q, q->children[q->nodes[node].first + 1]);
	if (s->condition_count == CONDITIONS_MAX)
		return false;
	s->nodes[s->condition_count++] = node;
	return true;
}

static bool parse_clauses(struct mp_expr_scan *s, struct mp_expr_query *q, const struct mp_select *select,
    const struct mp_expr_source *source, struct mp_range on)
{
	const struct mp_expr_source *names = s->by_source ? source : NULL;
	int node = -1;

	s->order = s->link[0] = -1;
	for (int i = 0; i < s->on_count; i++)
		if (!add_conditions(s, q, parse_all(q, s->on[i], NULL, s->by_source)))
			return false;
	if ((select->where.at && !add_conditions(s, q, parse_all(q, select->where, names, false))) ||
	    (s->by_source && select->source_where.at &&
		!add_conditions(s, q, parse_all(q, select->source_where, NULL, true))))
		return false;
	if (select->order.at) {
		struct mp_range order = select->order;
		struct mp_token by = mp_token_next(&order);

		s->order = mp_token_is(&by, "BY") ? parse_all(q, order, names, false) : -1;
		if (s->order < 0 || q->nodes[s->order].op != MP_EXPR_COLUMN)
			return false;
	}
	if (on.at) {
		node = parse_all(q, on, NULL, s->by_source);
		if (node < 0 || q->nodes[node].op != MP_EXPR_EQUAL)
			return false;
		s->link[0] = q->children[q->nodes[node].first];
		s->link[1] = q->children[q->nodes[node].first + 1];
	}
	s->node_count = s->condition_count;
	if (s->order >= 0)
		s->nodes[s->node_count++] = s->order;
	for (int i = 0; i < 2 && s->link[0] >= 0; i++)
		s->nodes[s->node_count++] = s->link[i];
	return true;
}

int mp_expr_scan_open(struct mp_expr_scan **scan, struct mp_expr_query *q, const struct mp_select *select,
    const struct mp_expr_source *source, struct mp_error *err)
{
	struct mp_expr_scan *s;
	struct mp_range on;
	int status;

	*scan = NULL;
	if (!q->db->fixed && !q->db->source)
		return 0;
	s = calloc(1, sizeof(*s));
	if (!s)
		return mp_fail_memory(err, "a query");
	status = find_tables(s, q, select, source, &on, err);
	for (int i = 0; status == 1 && i < s->table_count; i++)
		status = mp_expr_table_open(&s->tables[i], q->db, err);
	if (status == 1 && parse_clauses(s, q, select, source, on))
		*scan = s;
	else
		mp_expr_scan_close(s);
	if (!*scan) {
		mp_expr_unroll_close(q->unroll);
		q->unroll = NULL;
	}
	return status < 0 ? -1 : 0;
}

void mp_expr_scan_close(struct mp_expr_scan *s)
{
	for (int i = 0; s && i < TABLES; i++)
		mp_expr_table_close(&s->tables[i]);
	free(s);
}

const struct mp_source *mp_expr_scan_source(const struct mp_expr_scan *s)
{
	return s->tables[0].source;
}

int mp_expr_scan_nodes(const struct mp_expr_scan *s, const int **nodes)
{
	*nodes = s->nodes;
	return s->node_count;
}

/* Find the table and the column of a column of the statement. Returns false when not found once. */
static bool find_column(const struct mp_expr_scan *s, const struct mp_expr_column *column, int *table, int *number)
{
	struct mp_range text = {column->text, column->text + column->len};
	struct mp_token first = mp_token_next(&text), dot = mp_token_next(&text), last = mp_token_next(&text);
	bool is_qualified = dot.kind != MP_TOKEN_END;
	int found = 0;

	if (column->inner != s->by_source)
		return false;
	for (int i = 0; i < s->table_count; i++) {
		const struct mp_expr_table *t = &s->tables[i];
		int at;

		if (is_qualified && !mp_token_is_name(&first, t->alias.text, t->alias.len))
			continue;
		at = mp_expr_table_find(t, is_qualified ? &last : &first);
		if (at == MP_TABLE_NONE)
			continue;
		*table = i;
		*number = at;
		found++;
	}
	if (s->unroll) {
		int small = mp_expr_unroll_find(
		    s->unroll, is_qualified ? &first : NULL, is_qualified ? &last : &first, table, number);

		*table += small ? TABLES : 0; /* small tables have numbers after those of the others */
		found += small;
	}
	return found == 1;
}

/*
 * Check that ON compares the key of the second table with an integer column of the first table. SQLite would convert
 * other values before comparing.
 */
static bool settle_link(struct mp_expr_scan *s, struct mp_expr_query *q)
{
	int table[2], number[2], own;

	if (s->table_count == 1)
		return true;
	for (int i = 0; i < 2; i++)
		if (q->nodes[s->link[i]].op != MP_EXPR_COLUMN ||
		    !find_column(s, &q->columns[q->nodes[s->link[i]].number], &table[i], &number[i]))
			return false;
	own = table[0] == 1 ? 0 : 1;
	s->linked = &q->nodes[s->link[!own]].value;
	return table[own] == 1 && number[own] == MP_TABLE_KEY && table[!own] == 0 &&
	       mp_expr_table_is_integer(&s->tables[0], number[!own]);
}

bool mp_expr_scan_settle(struct mp_expr_scan *s, struct mp_expr_query *q)
{
	int table, number;

	for (int i = 0; i < q->term_count; i++)
		if (q->terms[i].node < 0)
			return false;
	if (!settle_link(s, q) || (s->order >= 0 && s->unroll && mp_expr_unroll_is_outer(s->unroll)))
		return false;
	if (s->order >= 0 && (!find_column(s, &q->columns[q->nodes[s->order].number], &table, &number) || table != 0 ||
				 number != MP_TABLE_KEY))
		return false;
	for (int i = 0; i < q->column_count; i++) {
		struct mp_expr *expr = &q->nodes[q->columns[i].node];

		if (!find_column(s, &q->columns[i], &table, &number))
			return false;
		if (table < TABLES)
			mp_expr_table_want(&s->tables[table], number, &expr->value);
		else
			mp_expr_unroll_want(s->unroll, table - TABLES, number, q->columns[i].node);
	}
	for (int i = 0; i < s->condition_count; i++)
		s->small[i] = s->unroll && mp_expr_unroll_has(s->unroll, q, s->nodes[i]);
	return true;
}

/* Returns whether a node is the key of the first table. */
static bool is_key(const struct mp_expr_scan *s, const struct mp_expr *expr)
{
	for (int i = 0; i < s->tables[0].key_count; i++)
		if (s->tables[0].keys[i] == &expr->value)
			return true;
	return false;
}

/* Returns whether the condition holds in all rows. */
static bool always_holds(const struct mp_expr *expr)
{
	return expr->op != MP_EXPR_COLUMN && expr->at && expr->at->type == MP_INT && expr->at->i;
}

/* Narrow the range of rowids by key >= number or key <= number. Returns false for other conditions. */
static bool take_bound(struct mp_expr_scan *s, const struct mp_expr *expr)
{
	const struct mp_expr *bound = expr->b;

	if ((expr->op != MP_EXPR_AT_LEAST && expr->op != MP_EXPR_AT_MOST) || !is_key(s, expr->a) || !bound->at ||
	    bound->value.type != MP_INT)
		return false;
	if (expr->op == MP_EXPR_AT_LEAST && bound->value.i > s->first)
		s->first = bound->value.i;
	if (expr->op == MP_EXPR_AT_MOST && bound->value.i < s->last)
		s->last = bound->value.i;
	return true;
}

static bool has_text(const struct mp_expr_query *q, int node)
{
	const struct mp_expr *expr = &q->nodes[node];

	if (expr->op == MP_EXPR_PARAMETER && q->parameters[expr->number].type >= MP_TEXT)
		return true;
	for (int i = 0; i < expr->count; i++)
		if (has_text(q, q->children[expr->first + i]))
			return true;
	return false;
}

bool mp_expr_scan_begin(struct mp_expr_scan *s, const struct mp_expr_query *q)
{
	s->first = INT64_MIN;
	s->last = INT64_MAX;
	s->begun = false;
	s->active_count = 0;
	for (int i = 0; i < s->condition_count; i++) {
		if (has_text(q, s->nodes[i]))
			return false;
		if (s->small[i])
			continue;
		if (take_bound(s, &q->nodes[s->nodes[i]]) || always_holds(&q->nodes[s->nodes[i]]))
			continue;
		s->active[s->active_count++] = s->nodes[i];
	}
	return true;
}

int mp_expr_scan_next(struct mp_expr_scan *s, struct mp_error *err)
{
	struct mp_expr_table *t = &s->tables[0], *other = &s->tables[1];
	int status;

	for (;;) {
		if (s->first > s->last)
			return 0;
		status = s->begun ? mp_expr_table_next(t, err) : mp_expr_table_seek(t, s->first, err);
		s->begun = true;
		if (status != 1)
			return status;
		if (mp_expr_table_rowid(t) > s->last)
			return 0;
		if (mp_expr_table_give(t, err))
			return -1;
		if (s->table_count == 1)
			return 1;
		/* a value that is not an integer equals no key */
		status = s->linked->type == MP_INT ? mp_expr_table_seek(other, s->linked->i, err) : 0;
		if (status < 0)
			return -1;
		if (status == 1 && mp_expr_table_rowid(other) == s->linked->i)
			return mp_expr_table_give(other, err) ? -1 : 1;
	}
}

bool mp_expr_scan_passes(const struct mp_expr_scan *s, struct mp_expr_query *q)
{
	for (int i = 0; i < s->active_count; i++)
		if (!mp_expr_holds(q, s->active[i])) /* NULL does not pass */
			return false;
	return true;
}

void mp_expr_scan_again(struct mp_expr_scan *s)
{
	s->begun = false;
}
