/* expr_row.c: binds parameters, and computes the expressions of each row. */
#include "fast/expr_scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool all_constant(const struct mp_expr_query *c, const struct mp_expr *expr)
{
	for (int i = 0; i < expr->count; i++) {
		const struct mp_expr *child = &c->nodes[c->children[expr->first + i]];

		if (!child->at || child->op == MP_EXPR_COLUMN)
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
static void find_shared(struct mp_expr_query *c)
{
	int uses[MP_EXPR_MAX] = {0}, count;
	const int *nodes;

	count = c->scan ? mp_expr_scan_nodes(c->scan, &nodes) : 0;
	for (int i = 0; i < count; i++)
		uses[nodes[i]]++;
	for (int i = 0; i < c->term_count; i++)
		if (c->terms[i].node >= 0)
			uses[c->terms[i].node]++;
	for (int i = c->node_count - 1; i >= 0; i--) {
		struct mp_expr *expr = &c->nodes[i];

		for (int k = 0; uses[i] && k < expr->count; k++) {
			int child = c->children[expr->first + k];

			uses[child]++;
		}
		expr->shared = uses[i] > 1 && expr->count;
	}
}

/* Computes a shared node once: `at` has the place of the value until the next row. */
static const struct mp_scalar *keep(struct mp_expr_query *c, struct mp_expr *expr)
{
	expr->at = mp_expr_handler_of(expr)(c, expr);
	return expr->at;
}

/* Compute the nodes with the same value in all rows. Children come before their parents. */
static void fold(struct mp_expr_query *c)
{
	find_shared(c);
	c->shared_count = 0;
	for (int i = 0; i < c->node_count; i++) {
		struct mp_expr *expr = &c->nodes[i];

		if (expr->op == MP_EXPR_PARAMETER)
			expr->value = c->parameters[expr->number].value;
		expr->at = expr->count == 0 ? &expr->value : NULL;
		expr->compute = expr->shared ? keep : mp_expr_handler_of(expr);
		if (expr->op == MP_EXPR_CONSTANT || expr->op == MP_EXPR_PARAMETER) {
			settle(expr);
		} else if (all_constant(c, expr)) {
			expr->value = *expr->compute(c, expr);
			settle(expr);
		} else if (expr->shared) {
			c->shared[c->shared_count++] = i;
		}
	}
	c->live_count = 0;
	for (int i = 0; i < c->term_count; i++) {
		struct mp_expr_term *t = &c->terms[i];

		c->results[i] = t->node < 0 ? &t->value : c->nodes[t->node].at;
		if (t->node < 0 || !c->results[i])
			c->live[c->live_count++] = (struct mp_expr_live){t->node < 0 ? NULL : &c->nodes[t->node], i};
	}
	mp_expr_clear(&c->kept);
	c->kept = c->scratch; /* the texts of these nodes */
	memset(&c->scratch, 0, sizeof(c->scratch));
	c->folded = true;
}

/* Returns a column of the statement. */
static struct mp_scalar given(const struct mp_expr_query *c, int column)
{
	return mp_scalar_of(sqlite3_column_value(c->statement, column));
}

/* Forget the values of the last row. */
static void begin_row(struct mp_expr_query *c)
{
	mp_words_release(c->db);
	mp_expr_reuse(&c->scratch);
	for (int i = 0; i < c->shared_count; i++)
		c->nodes[c->shared[i]].at = NULL;
}

/* Take the next row from the statement. */
static int step(struct mp_expr_query *c, struct mp_error *err)
{
	int status = sqlite3_step(c->statement);

	if (status != SQLITE_ROW)
		return status == SQLITE_DONE ? 0 : mp_db_fail(c->db, err, "cannot query");
	begin_row(c);
	for (int i = 0; i < c->column_count; i++)
		if (c->columns[i].node >= 0)
			c->nodes[c->columns[i].node].value = given(c, i);
	return 1;
}

/* Take the next row that meets the conditions from the scan. */
static int scan(struct mp_expr_query *c, struct mp_error *err)
{
	int status;

	do {
		status = mp_expr_scan_next(c->scan, err);
		if (status == 1)
			begin_row(c);
	} while (status == 1 && !mp_expr_scan_passes(c->scan, c) && !c->rows.failed);
	return status;
}

int mp_expr_query_next(struct mp_expr_query *c, struct mp_error *err)
{
	int status;

	if (!c->folded)
		fold(c);
	if (!c->begun) {
		begin_row(c); /* values computed so far are the same in all rows */
		c->scans = c->scan && mp_expr_scan_begin(c->scan, c);
		c->begun = true;
	}
	status = c->scans ? scan(c, err) : step(c, err);
	if (status != 1)
		return status;
	for (int i = 0; i < c->live_count; i++) {
		const struct mp_expr_live *live = &c->live[i];

		if (live->expr)
			c->results[live->term] = mp_expr_get(c, live->expr);
		else
			c->terms[live->term].value = given(c, c->terms[live->term].column);
	}
	if (!c->rows.failed)
		return 1;
	*err = c->error;
	return mp_failed();
}

int mp_expr_query_rewind(struct mp_expr_query *c)
{
	c->begun = false;
	return sqlite3_reset(c->statement);
}

int mp_expr_query_bind(struct mp_expr_query *c, const char *name, const struct mp_value *v, struct mp_error *err)
{
	for (int i = 0; i < c->parameter_count; i++) {
		struct mp_expr_parameter *p = &c->parameters[i];

		if (strcmp(p->name, name) != 0)
			continue;
		free(p->text);
		p->text = NULL;
		p->value = mp_scalar_from(v);
		c->folded = false;
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

void mp_expr_query_unbind(struct mp_expr_query *c)
{
	for (int i = 0; i < MP_EXPR_PARAMETER_MAX; i++) {
		free(c->parameters[i].text);
		c->parameters[i].text = NULL;
		c->parameters[i].value = mp_null();
	}
	c->folded = false;
}
