/* calls_spread.c: rows of statistics that say the same of all calls of a name become rows of calls. */
#include <stdlib.h>
#include <string.h>

#include "learn/calls_internal.h"
#include "learn/memory.h"

/* Returns whether all rows of a unit's name say the same, and sets what they say. */
static bool all_say(struct mp_call_rows *rows, size_t view, uint32_t name, enum mp_meaning meaning, int64_t *value)
{
	struct mp_says says;
	bool any = false;

	for (size_t i = 0; i < rows->views.items[view].count; i++) {
		if (rows->names[view][i] != name)
			continue;
		if (!mp_view_says(&rows->views.items[view], i, meaning, &says) ||
		    (any && (int64_t)says.value != *value))
			return false;
		*value = (int64_t)says.value;
		any = true;
	}
	return any;
}

static bool is_ambiguous(struct mp_call_rows *rows, enum mp_meaning meaning)
{
	int64_t value;

	for (size_t v = 0; v < rows->views.count; v++)
		for (size_t i = 0; i < rows->views.items[v].count; i++)
			if (rows->names[v][i] != MP_NO_NAME && !all_say(rows, v, rows->names[v][i], meaning, &value))
				return true;
	return false;
}

int mp_call_sums_spread(struct mp_call_spread *spread, struct mp_call_rows *rows, const struct mp_units *units,
    const uint32_t *names, struct mp_error *err)
{
	static const enum mp_meaning means[] = {MP_MEANS_KIND, MP_MEANS_PID, MP_MEANS_TID};
	struct mp_view *view = &spread->views.items[0];

	memset(spread, 0, sizeof(*spread));
	spread->views.count = 1;
	spread->ref = (struct mp_reference){.name = rows->refs[0].name, .columns = spread->columns, .column_count = 3};
	spread->ref.cells = mp_learn_calloc(3 * units->count + 1, sizeof(*spread->ref.cells));
	view->rows = mp_learn_malloc((units->count + 1) * sizeof(*view->rows));
	view->units = mp_learn_malloc((units->count + 1) * sizeof(*view->units));
	view->ref = &spread->ref;
	if (!spread->ref.cells || !view->rows || !view->units)
		return mp_fail_memory(err, "rows of calls");
	for (int m = 0; m < MP_MEANS_COUNT_OF; m++)
		view->columns[m] = -1;
	for (int k = 0; k < 3; k++) {
		spread->columns[k] = (struct mp_reference_column){.title = "", .meaning = means[k], .unit = 1};
		if (!is_ambiguous(rows, means[k]))
			view->columns[means[k]] = k;
	}
	for (size_t u = 0; u < units->count; u++) {
		struct mp_cell *cells = &spread->ref.cells[3 * view->count];

		for (size_t v = 0; v < rows->views.count && names[u] != MP_NO_NAME; v++) {
			if (!mp_view_is_of(&rows->views.items[v], &units->raw->parts[units->items[u].part]))
				continue;
			for (int k = 0; k < 3; k++)
				cells[k].is_number = all_say(rows, v, names[u], means[k], &cells[k].value);
			break;
		}
		view->rows[view->count] = (uint32_t)view->count;
		view->units[view->count++] = (uint32_t)u;
	}
	spread->ref.row_count = view->count;
	return 0;
}

void mp_call_spread_free(struct mp_call_spread *spread)
{
	free(spread->ref.cells);
	mp_views_free(&spread->views);
}
