/* row.c: binds parameters, reads the rows of a scan, and computes the expressions of each row. */
#include "expr/expr.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool all_constant(const struct mp_expr_query *q, const struct mp_expr *expr)
{
	for (int i = 0; i < expr->count; i++) {
		const struct mp_expr *child = &q->nodes[q->children[expr->first + i]];

		if (!child->at || child->op == MP_EXPR_COLUMN || child->op == MP_EXPR_ROW_NUMBER)
			return false;
	}
	return expr->count > 0 && expr->op != MP_EXPR_WORD && expr->op != MP_EXPR_PEEK;
}

/* Mark a value as the same in all rows. */
static void settle(struct mp_expr *expr)
{
	expr->at = &expr->value;
	if (expr->value.type == MP_TEXT)
		expr->value.marks = (uint16_t)(mp_text_marks(expr->value.text, expr->value.len) | MP_MARK_STAYS);
}

/* Find nodes that several terms, conditions or nodes use. Parents come after their children. */
static void find_shared(struct mp_expr_query *q)
{
	int *uses = q->shared; /* which is not used before they are known */

	memset(uses, 0, (size_t)q->node_count * sizeof(*uses));
	if (q->unrolled)
		mp_expr_unroll_count(q, uses);
	for (int i = 0; q->scan && i < q->scan->node_count; i++)
		uses[q->scan->nodes[i]]++;
	for (int i = 0; i < q->term_count && !q->unrolled; i++)
		uses[q->terms[i]]++;
	for (int i = q->node_count - 1; i >= 0; i--) {
		struct mp_expr *expr = &q->nodes[i];

		for (int k = 0; uses[i] && k < expr->count; k++)
			uses[q->children[expr->first + k]]++;
		/* a row of a scan may give several rows, whose numbers differ */
		expr->shared = uses[i] > 1 && expr->count && !expr->numbered;
	}
}

/* Computes a shared node once: `at` has the place of the value until the next row. */
static const struct mp_value *keep(struct mp_expr_query *q, struct mp_expr *expr)
{
	expr->at = expr->handler(q, expr);
	return expr->at;
}

/* Compute the nodes with the same value in all rows. Children come before their parents. */
static void fold(struct mp_expr_query *q)
{
	find_shared(q);
	q->shared_count = 0;
	q->numbered = NULL;
	for (int i = 0; i < q->node_count; i++) {
		struct mp_expr *expr = &q->nodes[i];

		if (expr->op == MP_EXPR_PARAMETER)
			expr->value = q->parameters[expr->number];
		else if (expr->op == MP_EXPR_ROW_NUMBER)
			q->numbered = expr;
		expr->at = expr->count == 0 ? &expr->value : NULL;
		expr->compute = expr->shared ? keep : expr->handler;
		if (expr->op == MP_EXPR_CONSTANT || expr->op == MP_EXPR_PARAMETER) {
			settle(expr);
		} else if (all_constant(q, expr)) {
			expr->value = *expr->compute(q, expr);
			settle(expr);
		} else if (expr->shared) {
			q->shared[q->shared_count++] = i;
		}
	}
	q->live_count = 0;
	for (int i = 0; i < q->term_count; i++) {
		q->results[i] = q->nodes[q->terms[i]].at;
		if (!q->results[i])
			q->live[q->live_count++] = i;
	}
	mp_expr_clear(&q->kept);
	q->kept = q->scratch; /* the texts of these nodes */
	memset(&q->scratch, 0, sizeof(q->scratch));
	q->folded = true;
}

/* Forget the values of the last row. */
static void begin_row(struct mp_expr_query *q)
{
	if (q->db->words_out)
		mp_words_release(q->db);
	mp_expr_reuse(&q->scratch);
	for (int i = 0; i < q->shared_count; i++)
		q->nodes[q->shared[i]].at = NULL;
}

/* Take the next row from the statement. */
static int step(struct mp_expr_query *q, struct mp_error *err)
{
	int status = sqlite3_step(q->statement);

	if (status != SQLITE_ROW)
		return status == SQLITE_DONE ? 0 : mp_db_fail(q->db, err, "cannot query");
	begin_row(q);
	for (int i = 0; i < q->column_count; i++)
		q->nodes[q->columns[i].node].value = mp_column_value(sqlite3_column_value(q->statement, i));
	return 1;
}

/* Returns whether the condition holds in all rows. */
static bool always_holds(const struct mp_expr *expr)
{
	return expr->op != MP_EXPR_COLUMN && expr->at && expr->at->type == MP_INT && expr->at->i;
}

/* Returns whether a node is the key of the scanned table. */
static bool is_key(const struct mp_expr_scan *s, const struct mp_expr *expr)
{
	const struct mp_expr_table *t = &s->tables[s->scanned];

	for (int i = 0; i < t->wanted_count && t->wanted[i].column == MP_BTREE_ROWID; i++)
		if (t->wanted[i].value == &expr->value)
			return true;
	return false;
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

static bool is_text(const struct mp_expr_query *q, const struct mp_expr *expr, void *user)
{
	(void)user;
	return expr->op == MP_EXPR_PARAMETER && q->parameters[expr->number].type >= MP_TEXT;
}

/* Prepare a run of the scan. Returns false when a condition has a text parameter: SQLite must run then. */
static bool begin_scan(struct mp_expr_query *q)
{
	struct mp_expr_scan *s = q->scan;

	s->first = INT64_MIN;
	s->last = INT64_MAX;
	s->begun = false;
	s->active_count = 0;
	for (int i = 0; i < s->condition_count; i++) {
		const struct mp_expr *expr = &q->nodes[s->nodes[i]];

		if (mp_expr_any(q, s->nodes[i], is_text, NULL))
			return false;
		/* the rows of nodes have the conditions on small tables */
		if (!mp_expr_any(q, s->nodes[i], mp_expr_is_small, NULL) && !take_bound(s, expr) && !always_holds(expr))
			s->active[s->active_count++] = s->nodes[i];
	}
	return true;
}

/* Load the next row of the scanned table, without testing the conditions. */
static int next_scanned(struct mp_expr_scan *s, struct mp_error *err)
{
	struct mp_expr_table *t = &s->tables[s->scanned];
	bool begun = s->begun;
	int status;

	s->begun = true;
	if (t->source)
		return !begun && t->source->begin(t->source, t->wanted, t->wanted_count, err)
			   ? -1
			   : t->source->rows.next(&t->source->rows, err);
	if (s->first > s->last)
		return 0;
	status = begun ? mp_btree_next(t->tree, err) : mp_btree_seek(t->tree, s->first, err);
	if (status != 1 || mp_btree_rowid(t->tree) > s->last)
		return status < 0 ? -1 : 0;
	return mp_btree_columns(t->tree, t->wanted, t->wanted_count, err) ? -1 : 1;
}

int mp_expr_scan_next(struct mp_expr_query *q, struct mp_error *err)
{
	const struct mp_expr_scan *s = q->scan;

	for (;;) {
		int status = next_scanned(q->scan, err), passed = 0;

		if (status != 1)
			return status;
		begin_row(q);
		while (passed < s->active_count && mp_expr_holds(q, s->active[passed])) /* NULL does not pass */
			passed++;
		if (passed == s->active_count || q->rows.failed)
			return 1;
	}
}

/* Prepare a run. Values computed here are the same in all rows. */
static int begin(struct mp_expr_query *q, struct mp_error *err)
{
	const bool crossed = q->scan && q->scan->table_count > 1;

	q->unrolled = false;
	if (crossed) {
		int status = mp_expr_unroll_begin(q, err);

		if (status < 0)
			return -1;
		q->unrolled = status == 1;
		q->folded = false;
	}
	if (!q->folded)
		fold(q);
	begin_row(q);
	if (q->numbered)
		q->numbered->value = mp_int(0);
	q->scans = q->scan && q->unrolled == crossed && begin_scan(q);
	q->rows.alone = q->scans;
	q->begun = true;
	return 0;
}

static int next_plain(struct mp_expr_query *q, struct mp_error *err)
{
	int status = q->scans ? mp_expr_scan_next(q, err) : step(q, err);

	for (int i = 0; status == 1 && i < q->live_count; i++)
		q->results[q->live[i]] = mp_expr_at(q, q->terms[q->live[i]]);
	return status;
}

int mp_expr_next(struct mp_rows *rows, struct mp_error *err)
{
	struct mp_expr_query *q = (struct mp_expr_query *)rows;
	int status;

	if (!q->begun && begin(q, err))
		return -1;
	if (q->numbered)
		q->numbered->value.i++;
	status = q->scans && q->unrolled ? mp_expr_unroll_next(q, err) : next_plain(q, err);
	if (status != 1 || !q->rows.failed)
		return status;
	*err = q->error;
	return mp_failed();
}

int mp_expr_rewind(struct mp_engine_rows *rows)
{
	struct mp_expr_query *q = (struct mp_expr_query *)rows;

	q->begun = false;
	return sqlite3_reset(q->statement);
}

int mp_expr_bind(struct mp_engine_rows *rows, int number, const struct mp_value *v, struct mp_error *err)
{
	struct mp_expr_query *q = (struct mp_expr_query *)rows;
	const char *name = sqlite3_bind_parameter_name(q->whole, number);
	int own = name ? sqlite3_bind_parameter_index(q->statement, name) : 0;

	if (own && mp_bind(q->statement, own, *v))
		return mp_db_fail(q->db, err, "cannot query");
	if (number > MP_EXPR_PARAMETER_MAX)
		return 0;
	free(q->texts[number]);
	q->texts[number] = NULL;
	q->parameters[number] = *v;
	q->folded = false;
	if (v->type < MP_TEXT)
		return 0;
	q->texts[number] = malloc(v->len + 1);
	if (!q->texts[number])
		return mp_fail_memory(err, "a query");
	memcpy(q->texts[number], v->text, v->len);
	q->parameters[number].text = q->texts[number];
	return 0;
}
