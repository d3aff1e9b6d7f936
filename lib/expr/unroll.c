/*
 * unroll.c: reads small tables of a join, and makes a row of nodes for each combination of their rows: copies of the
 * nodes of the statement with constants in place of columns. The value of a copy is that of the node.
 */
#include "expr/expr.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { CHILDREN_MAX = 64, ROWS_MAX = 2048, COMBINATIONS_MAX = 4 * ROWS_MAX, UNKNOWN = -2 };

/* A row of nodes; its terms are in mp_expr_unroll.terms. */
struct node_row {
	int condition; /* -1: none */
	int skip;      /* the next row of the pass with another condition */
};

struct pass {
	int from, to; /* rows */
};

struct mp_expr_unroll {
	/* The nodes of the statement itself, without those that are made: */
	int node_count, child_count;
	/* A run: */
	struct node_row *rows;
	struct pass *passes;
	int *terms;
	int row_count, pass_count;
	int pass, at;
	int copies[MP_EXPR_MAX]; /* for each node of the statement its copy, or UNKNOWN */
};

void mp_expr_unroll_free(struct mp_expr_unroll *u)
{
	if (!u)
		return;
	free(u->rows);
	free(u->passes);
	free(u->terms);
	free(u);
}

static bool is_constant(const struct mp_expr_query *q, int node)
{
	return q->nodes[node].op == MP_EXPR_CONSTANT;
}

static bool is_null(const struct mp_expr_query *q, int node)
{
	return is_constant(q, node) && q->nodes[node].value.type == MP_NULL;
}

/* Returns whether a truth value is known: texts would need a conversion. */
static bool is_decided(const struct mp_expr_query *q, int node)
{
	return is_constant(q, node) && q->nodes[node].value.type < MP_TEXT;
}

/* Returns whether a constant counts as true. Texts do not: SQLite would convert them. */
static bool is_true(const struct mp_expr *expr)
{
	return expr->value.type == MP_INT ? expr->value.i != 0 : expr->value.type == MP_REAL && expr->value.d != 0;
}

/* Add a node; a number or NULL whose children are constants is computed now. */
static int add(struct mp_expr_query *q, const struct mp_expr *what, const int *children, int count)
{
	bool all = count > 0 && what->op != MP_EXPR_WORD && what->op != MP_EXPR_PEEK; /* these depend on more */
	int node = mp_expr_add(q, what, children, count);
	struct mp_value v;

	for (int i = 0; i < count; i++)
		all = all && children[i] >= 0 && is_constant(q, children[i]);
	if (node < 0 || !all)
		return node;
	v = *q->nodes[node].compute(q, &q->nodes[node]);
	return v.type < MP_TEXT ? mp_expr_constant(q, v) : node;
}

static bool is_int(const struct mp_expr_query *q, int node, int64_t i)
{
	return is_constant(q, node) && q->nodes[node].value.type == MP_INT && q->nodes[node].value.i == i;
}

/*
 * Returns whether an operator leaves its first child, a computed number, as it is: x * 1, x / 1, (x + 0) + 0. The last
 * 0 alone goes, because -0.0 + 0 is 0.0.
 */
static bool is_idle(const struct mp_expr_query *q, unsigned op, const int *children)
{
	const struct mp_expr *expr = &q->nodes[children[0]];

	if (expr->op < MP_EXPR_ADD || expr->op > MP_EXPR_DIVIDE)
		return false;
	if (op == MP_EXPR_MULTIPLY || op == MP_EXPR_DIVIDE)
		return is_int(q, children[1], 1);
	return op == MP_EXPR_ADD && expr->op == MP_EXPR_ADD && is_int(q, children[1], 0) &&
	       is_int(q, q->children[expr->first + 1], 0);
}

static int clone(struct mp_expr_query *q, int *copies, int node);

/* CASE: branches that are never taken are dropped, and the first one that is always taken ends it. */
static int clone_case(struct mp_expr_query *q, int *copies, const struct mp_expr *expr)
{
	const int *from = q->children + expr->first;
	int children[CHILDREN_MAX + 1], count = 0, base = -1, i = expr->flag;

	if (expr->flag) {
		base = children[count++] = clone(q, copies, from[0]);
		if (base < 0)
			return -1;
	}
	for (; i + 1 < expr->count; i += 2) {
		int when = clone(q, copies, from[i]), test = when;

		if (expr->flag && when >= 0)
			test = add(q, &(struct mp_expr){.op = MP_EXPR_EQUAL}, (int[]){base, when}, 2);
		if (test < 0)
			return -1;
		if (is_decided(q, test) && !is_true(&q->nodes[test]))
			continue;
		if (is_decided(q, test))
			break; /* its THEN is the ELSE of what is left */
		children[count++] = when;
		children[count++] = clone(q, copies, from[i + 1]);
	}
	i += i + 1 < expr->count;
	children[count] = i < expr->count ? clone(q, copies, from[i]) : mp_expr_constant(q, mp_null());
	if (count == expr->flag)
		return children[count];
	return add(q, &(struct mp_expr){.op = MP_EXPR_CASE, .flag = expr->flag}, children, count + 1);
}

/* COALESCE: NULLs are dropped, and the first other constant ends it. */
static int clone_coalesce(struct mp_expr_query *q, int *copies, const struct mp_expr *expr)
{
	int children[CHILDREN_MAX], count = 0;

	for (int i = 0; i < expr->count; i++) {
		int child = clone(q, copies, q->children[expr->first + i]);

		if (child < 0)
			return -1;
		if (is_null(q, child))
			continue;
		children[count++] = child;
		if (is_constant(q, child))
			break;
	}
	if (count < 2)
		return count ? children[0] : mp_expr_constant(q, mp_null());
	return add(q, &(struct mp_expr){.op = MP_EXPR_COALESCE}, children, count);
}

/* pick(n, ...) with a known n is one of its arguments. Returns UNKNOWN where n is not known. */
static int clone_pick(struct mp_expr_query *q, int *copies, const struct mp_expr *expr)
{
	int n = clone(q, copies, q->children[expr->first]);
	struct mp_value v;

	if (n < 0 || !is_constant(q, n))
		return n < 0 ? -1 : UNKNOWN;
	v = q->nodes[n].value;
	return v.type != MP_INT || v.i < 0 || v.i >= expr->count - 1
		   ? mp_expr_constant(q, mp_null())
		   : clone(q, copies, q->children[expr->first + 1 + (int)v.i]);
}

static int clone_children(struct mp_expr_query *q, int *copies, const struct mp_expr *expr, int node)
{
	int children[CHILDREN_MAX];
	bool same = true, null = false;

	if (expr->count > CHILDREN_MAX)
		return -1;
	for (int i = 0; i < expr->count; i++) {
		int child = q->children[expr->first + i];

		children[i] = clone(q, copies, child);
		if (children[i] < 0)
			return -1;
		same = same && children[i] == child;
		null = null || is_null(q, children[i]);
	}
	if (same)
		return node;
	if (null && expr->op >= MP_EXPR_ADD && expr->op <= MP_EXPR_UNEQUAL)
		return mp_expr_constant(q, mp_null());
	if (is_idle(q, expr->op, children))
		return children[0];
	return add(q,
	    &(struct mp_expr){.op = expr->op, .flag = expr->flag, .number = expr->number, .words = expr->words},
	    children, expr->count);
}

/* Returns the copy of a node, which is the node itself where nothing changes, or -1 when there is no room. */
static int clone(struct mp_expr_query *q, int *copies, int node)
{
	const struct mp_expr expr = q->nodes[node];
	int copy = UNKNOWN;

	if (copies[node] != UNKNOWN)
		return copies[node];
	if (!expr.count)
		copy = node;
	else if (expr.op == MP_EXPR_CASE)
		copy = clone_case(q, copies, &expr);
	else if (expr.op == MP_EXPR_COALESCE)
		copy = clone_coalesce(q, copies, &expr);
	else if (expr.op == MP_EXPR_PICK)
		copy = clone_pick(q, copies, &expr);
	if (copy == UNKNOWN)
		copy = clone_children(q, copies, &expr, node);
	copies[node] = copy;
	return copy;
}

bool mp_expr_is_small(const struct mp_expr_query *q, const struct mp_expr *expr, void *user)
{
	(void)q, (void)user;
	return expr->small;
}

/* Copy the row of the statement to the end of the table. The query keeps the texts. */
static bool add_row(struct mp_expr_table *t, struct mp_expr_query *q, sqlite3_stmt *rows)
{
	const size_t count = (size_t)t->columns.count;
	struct mp_value *row;

	if (!mp_vec_room(t->values, (size_t)t->row_count * count, count))
		return false;
	row = t->values + (size_t)t->row_count++ * count;
	for (size_t i = 0; i < count; i++) {
		row[i] = mp_column_value(sqlite3_column_value(rows, (int)i));
		if (row[i].type >= MP_TEXT) {
			char *room = mp_expr_room(q, row[i].len);

			if (!room)
				return false;
			memcpy(room, row[i].text, row[i].len);
			row[i].text = room;
		}
	}
	return true;
}

/* Read all rows of a table. Returns 1, 0 when there are too many, -1 on error. */
static int read_rows(struct mp_expr_table *t, struct mp_expr_query *q, struct mp_error *err)
{
	char *sql = sqlite3_mprintf("SELECT * FROM temp.\"%.*w\"", (int)t->name.len, t->name.text);
	sqlite3_stmt *rows = NULL;
	int status = sql ? sqlite3_prepare_v2(q->db->handle, sql, -1, &rows, NULL) : SQLITE_NOMEM;
	bool fits;

	sqlite3_free(sql);
	if (status)
		return mp_db_fail(q->db, err, "cannot query");
	t->row_count = t->row = 0;
	fits = sqlite3_column_count(rows) == t->columns.count; /* none is hidden */
	while (fits && (status = sqlite3_step(rows)) == SQLITE_ROW)
		fits = t->row_count < ROWS_MAX && add_row(t, q, rows);
	sqlite3_finalize(rows); /* repeats the error of the last step */
	return !fits ? 0 : status == SQLITE_DONE ? 1 : mp_db_fail(q->db, err, "cannot query");
}

/* Step to the next combination of rows of the tables from..to of FROM. Returns false after the last. */
static bool step(struct mp_expr_scan *s, int from, int to)
{
	for (int i = to; i-- > from;) {
		struct mp_expr_table *t = &s->tables[i];

		if (++t->row < t->row_count)
			return true;
		t->row = 0;
	}
	return false;
}

/* Put the values of the combination in place of the columns. */
static void set_columns(struct mp_expr_unroll *u, struct mp_expr_query *q)
{
	for (int i = 0; i < u->node_count; i++)
		u->copies[i] = UNKNOWN;
	for (int i = 0; i < q->scan->table_count; i++) {
		const struct mp_expr_table *t = &q->scan->tables[i];

		for (int k = 0; i != q->scan->scanned && k < t->wanted_count; k++)
			u->copies[t->nodes[k]] =
			    mp_expr_constant(q, t->values[t->row * t->columns.count + t->wanted[k].column]);
	}
}

/* Make the condition of a row of nodes. Returns 1, 0 when it is never true, -1 when there is no room. */
static int make_condition(struct mp_expr_unroll *u, struct mp_expr_query *q, int *condition)
{
	*condition = -1;
	for (int i = 0; i < q->scan->node_count; i++) {
		int node = q->scan->nodes[i];

		if (!mp_expr_any(q, node, mp_expr_is_small, NULL))
			continue;
		node = clone(q, u->copies, node);
		if (node < 0)
			return -1;
		if (is_decided(q, node)) {
			if (!is_true(&q->nodes[node]))
				return 0;
			continue;
		}
		*condition = *condition < 0
				 ? node
				 : mp_expr_add(q, &(struct mp_expr){.op = MP_EXPR_AND}, (int[]){*condition, node}, 2);
		if (*condition < 0)
			return -1;
	}
	return 1;
}

/* Make the row of nodes of the combination. Returns false when there is no room. */
static bool make_row(struct mp_expr_unroll *u, struct mp_expr_query *q)
{
	const size_t count = (size_t)u->row_count, terms = (size_t)q->term_count;
	int condition, status;

	if (u->row_count == ROWS_MAX || !mp_vec_room(u->rows, count, 1) || !mp_vec_room(u->terms, count * terms, terms))
		return false;
	set_columns(u, q);
	status = make_condition(u, q, &condition);
	if (status < 1)
		return status == 0;
	for (size_t i = 0; i < terms; i++) {
		int node = clone(q, u->copies, q->terms[i]);

		if (node < 0)
			return false;
		u->terms[count * terms + i] = node;
	}
	u->rows[u->row_count++] = (struct node_row){condition, 0};
	return true;
}

/* A condition that fails fails for all rows next to each other that have it. */
static void make_skips(struct mp_expr_unroll *u, const struct pass *p)
{
	for (int i = p->to; i-- > p->from;)
		u->rows[i].skip =
		    i + 1 < p->to && u->rows[i + 1].condition == u->rows[i].condition ? u->rows[i + 1].skip : i + 1;
}

/* Returns false when there is no room. */
static bool make_rows(struct mp_expr_unroll *u, struct mp_expr_query *q)
{
	struct mp_expr_scan *s = q->scan;
	int combinations = 0;

	do {
		struct pass p = {u->row_count, 0};

		do
			if (++combinations > COMBINATIONS_MAX || !make_row(u, q))
				return false;
		while (step(s, s->scanned + 1, s->table_count));
		p.to = u->row_count;
		make_skips(u, &p);
		if (p.to == p.from)
			continue;
		if (!mp_vec_room(u->passes, (size_t)u->pass_count, 1))
			return false;
		u->passes[u->pass_count++] = p;
	} while (step(s, 0, s->scanned));
	return true;
}

int mp_expr_unroll_begin(struct mp_expr_query *q, struct mp_error *err)
{
	struct mp_expr_unroll *u = q->unroll;
	bool empty = false;
	int status = 1;

	if (u) {
		mp_expr_forget(q, u->node_count, u->child_count);
	} else {
		u = q->unroll = calloc(1, sizeof(*u));
		if (!u)
			return mp_fail_memory(err, "a query");
		u->node_count = q->node_count;
		u->child_count = q->child_count;
	}
	for (int i = 0; status == 1 && i < q->scan->table_count; i++) {
		if (i == q->scan->scanned)
			continue;
		status = read_rows(&q->scan->tables[i], q, err);
		empty = empty || !q->scan->tables[i].row_count;
	}
	u->row_count = u->pass_count = 0;
	if (status == 1 && !empty && !make_rows(u, q)) {
		mp_expr_forget(q, u->node_count, u->child_count);
		status = 0;
	}
	u->pass = -1;
	return status;
}

void mp_expr_unroll_count(const struct mp_expr_query *q, int *uses)
{
	const struct mp_expr_unroll *u = q->unroll;

	for (int i = 0; i < u->row_count; i++) {
		if (u->rows[i].condition >= 0)
			uses[u->rows[i].condition]++;
		for (int k = 0; k < q->term_count; k++)
			uses[u->terms[i * q->term_count + k]]++;
	}
}

/* Begin the first or the next pass, before its first row of the scan. Returns false after the last. */
static bool begin_pass(struct mp_expr_query *q)
{
	struct mp_expr_unroll *u = q->unroll;

	if (u->pass + 1 >= u->pass_count)
		return false;
	u->at = u->passes[++u->pass].to;
	q->scan->begun = false;
	return true;
}

/* Compute the next row of nodes for the row of the scan into q->results. Returns false after the last. */
static bool compute_next(struct mp_expr_query *q)
{
	struct mp_expr_unroll *u = q->unroll;
	int to = u->passes[u->pass].to;

	while (u->at < to && !q->rows.failed) {
		const struct node_row *row = &u->rows[u->at];
		const int *terms = &u->terms[u->at * q->term_count];

		if (row->condition >= 0 && !mp_expr_holds(q, row->condition)) {
			u->at = row->skip;
			continue;
		}
		u->at++;
		for (int i = 0; i < q->term_count; i++)
			q->results[i] = mp_expr_get(q, &q->nodes[terms[i]]);
		return true;
	}
	return false;
}

int mp_expr_unroll_next(struct mp_expr_query *q, struct mp_error *err)
{
	struct mp_expr_unroll *u = q->unroll;
	int status;

	if (u->pass < 0 && !begin_pass(q))
		return 0;
	while (!compute_next(q)) {
		if (q->rows.failed)
			return 1;
		status = mp_expr_scan_next(q, err);
		if (status < 0)
			return -1;
		if (status == 1)
			u->at = u->passes[u->pass].from;
		else if (!begin_pass(q))
			return 0;
	}
	return 1;
}
