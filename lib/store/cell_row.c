/* cell_row.c: parameters, and the cells of row after row. */
#include "store/cell_scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static bool all_constant(const struct mp_cells *c, const struct mp_cell *cell)
{
	for (int i = 0; i < cell->count; i++) {
		const struct mp_cell *kid = &c->nodes[c->kids[cell->first + i]];

		if (!kid->at || kid->op == MP_CELL_COLUMN)
			return false;
	}
	return cell->count > 0 && cell->op != MP_CELL_WORD && cell->op != MP_CELL_PEEK;
}

/* The value is the same in all rows, and so is its place. */
static void settle(struct mp_cell *cell)
{
	cell->at = &cell->value;
	if (cell->value.type == MP_TEXT)
		cell->value.marks = (uint16_t)(mp_text_marks(cell->value.text, cell->value.len) | MP_MARK_STAYS);
}

/* What is needed in several places of terms and conditions: parents come after their kids. */
static void find_shared(struct mp_cells *c)
{
	int uses[MP_CELL_MAX] = {0}, count;
	const int *nodes;

	count = c->scan ? mp_cell_scan_nodes(c->scan, &nodes) : 0;
	for (int i = 0; i < count; i++)
		uses[nodes[i]]++;
	for (int i = 0; i < c->term_count; i++)
		if (c->terms[i].node >= 0)
			uses[c->terms[i].node]++;
	for (int i = c->node_count - 1; i >= 0; i--) {
		struct mp_cell *cell = &c->nodes[i];

		for (int k = 0; uses[i] && k < cell->count; k++) {
			int kid = c->kids[cell->first + k];

			uses[kid]++;
		}
		cell->shared = uses[i] > 1 && cell->count;
	}
}

/* What computes a node that is shared: its value is there for the rest of the row. */
static const struct mp_scalar *keep(struct mp_cells *c, struct mp_cell *cell)
{
	cell->at = mp_cell_handler_of(cell)(c, cell);
	return cell->at;
}

/* Compute once what is the same in all rows: kids come before their parents. */
static void fold(struct mp_cells *c)
{
	find_shared(c);
	c->shared_count = 0;
	for (int i = 0; i < c->node_count; i++) {
		struct mp_cell *cell = &c->nodes[i];

		if (cell->op == MP_CELL_PARAMETER)
			cell->value = c->parameters[cell->number].value;
		cell->at = cell->count == 0 ? &cell->value : NULL;
		cell->compute = cell->shared ? keep : mp_cell_handler_of(cell);
		if (cell->op == MP_CELL_CONSTANT || cell->op == MP_CELL_PARAMETER) {
			settle(cell);
		} else if (all_constant(c, cell)) {
			cell->value = *cell->compute(c, cell);
			settle(cell);
		} else if (cell->shared) {
			c->shared[c->shared_count++] = i;
		}
	}
	c->live_count = 0;
	for (int i = 0; i < c->term_count; i++) {
		struct mp_cell_term *t = &c->terms[i];

		c->cells[i] = t->node < 0 ? &t->value : c->nodes[t->node].at;
		if (t->node < 0 || !c->cells[i])
			c->live[c->live_count++] = (struct mp_cell_live){t->node < 0 ? NULL : &c->nodes[t->node], i};
	}
	mp_cell_clear(&c->kept);
	c->kept = c->scratch; /* their texts */
	memset(&c->scratch, 0, sizeof(c->scratch));
	c->folded = true;
}

static struct mp_scalar given(const struct mp_cells *c, int column)
{
	return mp_scalar_of(sqlite3_column_value(c->statement, column));
}

/* What was computed of the last row is forgotten. */
static void begin_row(struct mp_cells *c)
{
	mp_words_release(c->db);
	mp_cell_reuse(&c->scratch);
	for (int i = 0; i < c->shared_count; i++)
		c->nodes[c->shared[i]].at = NULL;
}

/* The next row that the statement gives. */
static int step(struct mp_cells *c, struct mp_error *err)
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

/* The next row that meets the conditions. */
static int scan(struct mp_cells *c, struct mp_error *err)
{
	int status;

	do {
		status = mp_cell_scan_next(c->scan, err);
		if (status == 1)
			begin_row(c);
	} while (status == 1 && !mp_cell_scan_passes(c->scan, c) && !c->failed);
	return status;
}

int mp_cells_next(struct mp_cells *c, struct mp_error *err)
{
	int status;

	if (!c->folded)
		fold(c);
	if (!c->begun) {
		begin_row(c); /* what is known now is the same in all rows */
		c->scans = c->scan && mp_cell_scan_begin(c->scan, c);
		c->begun = true;
	}
	status = c->scans ? scan(c, err) : step(c, err);
	if (status != 1)
		return status;
	for (int i = 0; i < c->live_count; i++) {
		const struct mp_cell_live *live = &c->live[i];

		if (live->cell)
			c->cells[live->term] = mp_cell_get(c, live->cell);
		else
			c->terms[live->term].value = given(c, c->terms[live->term].column);
	}
	if (!c->failed)
		return 1;
	*err = c->error;
	return mp_failed();
}

int mp_cells_rewind(struct mp_cells *c)
{
	c->begun = false;
	return sqlite3_reset(c->statement);
}

int mp_cells_bind(struct mp_cells *c, const char *name, const struct mp_value *v, struct mp_error *err)
{
	for (int i = 0; i < c->parameter_count; i++) {
		struct mp_cell_parameter *p = &c->parameters[i];

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

void mp_cells_unbind(struct mp_cells *c)
{
	for (int i = 0; i < MP_CELL_PARAMETER_MAX; i++) {
		free(c->parameters[i].text);
		c->parameters[i].text = NULL;
		c->parameters[i].value = mp_null();
	}
	c->folded = false;
}
