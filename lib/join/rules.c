/* rules.c: the rows of a rule as a virtual table. Knows no rule. */
#include "join/rules.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "row/vtab.h"
#include "store/connection.h"

enum { QUERIES = sizeof(((struct mp_rule *)NULL)->inputs) / sizeof(int) };

struct mp_rule_call {
	const struct mp_rule *rule;
	struct mp_vtab_content *content;
	struct mp_map *maps[MP_RULE_MAPS]; /* those of all rules: one runs at a time */
	int used;
	int64_t *values; /* row after row */
	size_t count;
};

struct rule_table {
	struct mp_vtab base;
	int64_t *values;
	size_t rows;
};

int mp_rule_next(struct mp_rule_call *call, int query, int64_t *values, struct mp_error *err)
{
	int status = mp_vtab_next(call->content, query, err);

	for (int i = 0; status == 1 && i < call->rule->inputs[query]; i++)
		values[i] = sqlite3_column_int64(call->content->queries[query], i);
	return status;
}

int mp_rule_put(struct mp_rule_call *call, const int64_t *values, struct mp_error *err)
{
	size_t columns = (size_t)call->rule->column_count;

	if (!mp_vec_room(call->values, call->count, columns))
		return mp_fail_memory(err, "the rows of a rule");
	memcpy(call->values + call->count, values, columns * sizeof(*values));
	call->count += columns;
	return 0;
}

int mp_rule_all(struct mp_rule_call *call, int query, int64_t **rows, size_t *count, struct mp_error *err)
{
	const size_t columns = (size_t)call->rule->inputs[query];
	int status = 1;

	for (*rows = NULL, *count = 0;; ++*count) {
		if (!mp_vec_room(*rows, *count * columns, columns))
			return mp_fail_memory(err, "the rows of a rule");
		status = mp_rule_next(call, query, *rows + *count * columns, err);
		if (status != 1)
			return status;
	}
}

struct mp_map *mp_rule_map(struct mp_rule_call *call)
{
	return call->maps[call->used++];
}

static int check_queries(const struct mp_rule_call *call, struct mp_error *err)
{
	for (int i = 0; i < QUERIES; i++) {
		int columns = i < call->content->count ? sqlite3_column_count(call->content->queries[i]) : 0;

		if (columns != call->rule->inputs[i])
			return mp_fail(err, "%s: query %d has %d columns, not %d", call->rule->name, i + 1, columns,
			    call->rule->inputs[i]);
	}
	return 0;
}

static int apply(struct mp_rule_call *call, struct rule_table *t, struct mp_error *err)
{
	int status = check_queries(call, err) || call->rule->apply(call, err) ? -1 : 0;

	for (int i = 0; i < call->used; i++)
		mp_map_clear(call->maps[i]);
	t->values = call->values;
	t->rows = call->count / (size_t)call->rule->column_count;
	t->base.rows_to_come = (sqlite3_int64)t->rows + 1;
	t->base.columns = sqlite3_mprintf("%s", call->rule->columns);
	if (!status && !t->base.columns)
		return mp_fail_memory(err, "a table");
	return status;
}

static int make(struct mp_vtab *table, struct mp_vtab_content *content, struct mp_error *err)
{
	static const char *const names[MP_RULE_MAPS] = {"rule 1", "rule 2", "rule 3", "rule 4", "rule 5"};
	struct mp_rule_call call = {.rule = table->about, .content = content};

	if (!content->is_new)
		return mp_fail(err, "the rows of '%s' are gone", content->name);
	for (int i = 0; i < MP_RULE_MAPS; i++)
		if (!(call.maps[i] = mp_maps_find(table->maps, names[i])))
			return mp_fail(err, "too many maps");
	return apply(&call, (struct rule_table *)table, err);
}

static void drop(struct mp_vtab *table, bool gone)
{
	(void)gone;
	free(((struct rule_table *)table)->values);
}

static int next(struct mp_vtab_rows *rows, struct mp_error *err)
{
	const struct rule_table *t = (struct rule_table *)mp_vtab_of(rows);
	int columns = ((const struct mp_rule *)t->base.about)->column_count;

	(void)err;
	if (rows->number >= (int64_t)t->rows)
		return 0;
	for (int i = 0; i < columns; i++)
		rows->values[i] = mp_int(t->values[rows->number * columns + i]);
	return 1;
}

int mp_rule_register(struct mp_db *db, const struct mp_rule *rule, struct mp_error *err)
{
	static const struct mp_vtab_module module = {.table_size = sizeof(struct rule_table),
	    .rows_size = sizeof(struct mp_vtab_rows),
	    .make = make,
	    .drop = drop,
	    .next = next};

	return mp_vtab_register(db->handle, rule->name, &module, rule, db->maps)
		   ? mp_db_fail(db, err, "cannot register a rule")
		   : 0;
}
