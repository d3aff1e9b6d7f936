/* row.c: binds parameters, and computes the expressions of each row. */
#include "expr/scan.h"
#include "expr/unroll.h"

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
	int *uses = q->shared, count; /* which is not used before they are known */
	const int *nodes;

	memset(uses, 0, (size_t)q->node_count * sizeof(*uses));
	count = q->scan ? mp_expr_scan_nodes(q->scan, &nodes) : 0;
	if (q->unrolled)
		mp_expr_unroll_count(q->unroll, q, uses);
	for (int i = 0; i < count; i++)
		uses[nodes[i]]++;
	for (int i = 0; i < q->term_count && !q->unrolled; i++)
		if (q->terms[i].node >= 0)
			uses[q->terms[i].node]++;
	/* a row of a scan may give several rows, whose numbers differ */
	for (int i = 0; i < q->node_count; i++) {
		struct mp_expr *expr = &q->nodes[i];

		expr->numbered = expr->op == MP_EXPR_ROW_NUMBER;
		for (int k = 0; k < expr->count; k++)
			expr->numbered |= q->nodes[q->children[expr->first + k]].numbered;
	}
	for (int i = q->node_count - 1; i >= 0; i--) {
		struct mp_expr *expr = &q->nodes[i];

		for (int k = 0; uses[i] && k < expr->count; k++) {
			int child = q->children[expr->first + k];

			uses[child]++;
		}
		expr->shared = uses[i] > 1 && expr->count && !expr->numbered;
	}
}

/* Computes a shared node once: `at` has the place of the value until the next row. */
static const struct mp_value *keep(struct mp_expr_query *q, struct mp_expr *expr)
{
	expr->at = mp_expr_handler_of(expr)(q, expr);
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
			expr->value = q->parameters[expr->number].value;
		else if (expr->op == MP_EXPR_ROW_NUMBER)
			q->numbered = expr;
		expr->at = expr->count == 0 ? &expr->value : NULL;
		expr->compute = expr->shared ? keep : mp_expr_handler_of(expr);
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
		struct mp_expr_term *t = &q->terms[i];

		q->results[i] = t->node < 0 ? &t->value : q->nodes[t->node].at;
		if (t->node < 0 || !q->results[i])
			q->live[q->live_count++] = (struct mp_expr_live){t->node < 0 ? NULL : &q->nodes[t->node], i};
	}
	mp_expr_clear(&q->kept);
	q->kept = q->scratch; /* the texts of these nodes */
	memset(&q->scratch, 0, sizeof(q->scratch));
	q->folded = true;
}

/* Returns a column of the statement. */
static struct mp_value given(const struct mp_expr_query *q, int column)
{
	return mp_column_value(sqlite3_column_value(q->statement, column));
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
		if (q->columns[i].node >= 0)
			q->nodes[q->columns[i].node].value = given(q, i);
	return 1;
}

/* Take the next row that meets the conditions from the scan. */
static int scan(struct mp_expr_query *q, struct mp_error *err)
{
	int status;

	do {
		status = mp_expr_scan_next(q->scan, err);
		if (status == 1)
			begin_row(q);
	} while (status == 1 && !mp_expr_scan_passes(q->scan, q) && !q->rows.failed);
	return status;
}

/* Prepare a run. Values computed here are the same in all rows. */
static int begin(struct mp_expr_query *q, struct mp_error *err)
{
	const int *conditions;
	int count, status = 0;

	q->unrolled = false;
	if (q->unroll) {
		count = mp_expr_scan_nodes(q->scan, &conditions);
		status = mp_expr_unroll_begin(q->unroll, q, conditions, count, err);
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
	q->scans = q->scan && q->unrolled == (q->unroll != NULL) && mp_expr_scan_begin(q->scan, q);
	q->unrolled = q->unrolled && q->scans && mp_expr_unroll_pass(q->unroll);
	q->rows.alone = q->scans;
	q->begun = true;
	return 0;
}

/* Take the next row that the rows of small tables make of those of the scan, in all passes. */
static int next_unrolled(struct mp_expr_query *q, struct mp_error *err)
{
	int status;

	while (!mp_expr_unroll_next(q->unroll, q)) {
		if (q->rows.failed)
			return 1;
		status = scan(q, err);
		if (status < 0)
			return -1;
		if (status == 1)
			mp_expr_unroll_row(q->unroll);
		else if (!mp_expr_unroll_pass(q->unroll))
			return 0;
		else
			mp_expr_scan_again(q->scan);
	}
	return 1;
}

static int next_plain(struct mp_expr_query *q, struct mp_error *err)
{
	int status = q->scans ? scan(q, err) : step(q, err);

	for (int i = 0; status == 1 && i < q->live_count; i++) {
		const struct mp_expr_live *live = &q->live[i];

		if (live->expr)
			q->results[live->term] = mp_expr_get(q, live->expr);
		else
			q->terms[live->term].value = given(q, q->terms[live->term].column);
	}
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
	if (q->unroll && q->scans)
		status = q->unrolled ? next_unrolled(q, err) : 0;
	else
		status = next_plain(q, err);
	if (status != 1 || !q->rows.failed)
		return status;
	*err = q->error;
	return mp_failed();
}

int mp_expr_rewind(struct mp_engine_rows *rows)
{
	((struct mp_expr_query *)rows)->begun = false;
	return sqlite3_reset(rows->statement);
}

int mp_expr_bind(struct mp_engine_rows *rows, const char *name, const struct mp_value *v, struct mp_error *err)
{
	struct mp_expr_query *q = (struct mp_expr_query *)rows;

	for (int i = 0; i < q->parameter_count; i++) {
		struct mp_expr_parameter *p = &q->parameters[i];

		if (strcmp(p->name, name) != 0)
			continue;
		free(p->text);
		p->text = NULL;
		p->value = *v;
		q->folded = false;
		if (v->type < MP_TEXT)
			return 0;
		p->text = malloc(v->len + 1);
		if (!p->text)
			return mp_fail_memory(err, "a query");
		memcpy(p->text, v->text, v->len);
		p->value.text = p->text;
	}
	return 0;
}

void mp_expr_unbind(struct mp_engine_rows *rows)
{
	struct mp_expr_query *q = (struct mp_expr_query *)rows;

	for (int i = 0; i < MP_EXPR_PARAMETER_MAX; i++) {
		free(q->parameters[i].text);
		q->parameters[i].text = NULL;
		q->parameters[i].value = mp_null();
	}
	q->folded = false;
}
