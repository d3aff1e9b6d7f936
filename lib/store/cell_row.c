/* cell_row.c: parameters, and the cells of row after row. */
#include "store/cells.h"

#include <stdlib.h>
#include <string.h>

static bool all_constant(const struct mp_cells *c, const struct mp_cell *cell)
{
	for (int i = 0; i < cell->count; i++) {
		const struct mp_cell *kid = &c->nodes[c->kids[cell->first + i]];

		if (!kid->known || kid->op == MP_CELL_COLUMN)
			return false;
	}
	return cell->count > 0 && cell->op != MP_CELL_WORD;
}

/* Compute once what is the same in all rows: kids come before their parents. */
static void fold(struct mp_cells *c)
{
	c->shared_count = 0;
	for (int i = 0; i < c->node_count; i++) {
		struct mp_cell *cell = &c->nodes[i];

		if (cell->op == MP_CELL_PARAMETER)
			cell->value = c->parameters[cell->number].value;
		cell->known = cell->count == 0;
		if (all_constant(c, cell)) {
			cell->value = cell->compute(c, cell);
			cell->known = true;
		} else if (cell->shared) {
			c->shared[c->shared_count++] = i;
		}
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

int mp_cells_compute(struct mp_cells *c, struct mp_error *err)
{
	if (!c->folded)
		fold(c);
	mp_words_release(c->db);
	mp_cell_reuse(&c->scratch);
	for (int i = 0; i < c->shared_count; i++)
		c->nodes[c->shared[i]].known = false;
	for (int i = 0; i < c->column_count; i++)
		if (c->columns[i].node >= 0)
			c->nodes[c->columns[i].node].value = given(c, i);
	for (int i = 0; i < c->term_count; i++) {
		const struct mp_cell_term *t = &c->terms[i];

		c->cells[i] = t->node < 0 ? given(c, t->column) : mp_cell_value(c, t->node);
	}
	if (!c->failed)
		return 0;
	*err = c->error;
	return mp_failed();
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
