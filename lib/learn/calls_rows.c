/* calls_rows.c: what references say of calls, and the records that their rows are of. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "learn/calls_internal.h"
#include "learn/memory.h"

enum { TRIES = 256 };

/* The number of a kind in our tables: of the view api_calls. 0: a kind without a number. */
static int64_t number_of_kind(const char *text)
{
	static const char *const kinds[] = {"op", "model", "runtime", "others", "msproftx"};

	for (int i = 0; i < 5; i++)
		if (strcasecmp(text, kinds[i]) == 0)
			return i + 1;
	return 0;
}

/* A copy of a reference, with kinds as numbers. */
static int copy_reference(struct mp_reference *copy, const struct mp_reference *ref, struct mp_error *err)
{
	size_t cells = ref->row_count * (size_t)ref->column_count;
	int kind = mp_reference_column(ref, MP_MEANS_KIND);

	*copy = *ref;
	copy->cells = mp_learn_malloc((cells + 1) * sizeof(*copy->cells));
	if (!copy->cells)
		return mp_fail_memory(err, "rows of references");
	memcpy(copy->cells, ref->cells, cells * sizeof(*copy->cells));
	for (size_t row = 0; kind >= 0 && row < ref->row_count; row++) {
		struct mp_cell *cell = &copy->cells[row * (size_t)ref->column_count + (size_t)kind];

		if (cell->is_number)
			continue;
		cell->value = number_of_kind(cell->text);
		cell->is_number = cell->value != 0;
		cell->decimals = 0;
	}
	return 0;
}

static int add_view(
    struct mp_call_rows *rows, const struct mp_reference *ref, const struct mp_call_names *names, struct mp_error *err)
{
	size_t v = rows->views.count;
	struct mp_view *view = &rows->views.items[v];
	int column = mp_reference_column(ref, MP_MEANS_CALL_NAME);

	if (copy_reference(&rows->refs[v], ref, err))
		return -1;
	*view = (struct mp_view){.ref = &rows->refs[v], .count = ref->row_count};
	rows->views.count++;
	for (int m = 0; m < MP_MEANS_COUNT_OF; m++)
		view->columns[m] = mp_reference_column(ref, (enum mp_meaning)m);
	view->rows = mp_learn_malloc((view->count + 1) * sizeof(*view->rows));
	view->units = mp_learn_malloc((view->count + 1) * sizeof(*view->units));
	rows->names[v] = mp_learn_malloc((view->count + 1) * sizeof(*rows->names[v]));
	if (!view->rows || !view->units || !rows->names[v])
		return mp_fail_memory(err, "rows of references");
	column = column >= 0 ? column : view->columns[MP_MEANS_EVENT_NAME];
	for (size_t i = 0; i < view->count; i++) {
		const char *text = column < 0 ? "" : mp_reference_cell(ref, i, column)->text;

		view->rows[i] = (uint32_t)i;
		view->units[i] = MP_NO_UNIT;
		rows->names[v][i] = mp_call_name_find(names, text, strlen(text));
	}
	return 0;
}

int mp_call_rows_read(struct mp_call_rows *rows, const struct mp_references *refs, const struct mp_call_names *names,
    struct mp_error *err)
{
	static const enum mp_reference_kind kinds[] = {MP_TABLE_CALLS, MP_TABLE_CALL_SUMS};

	memset(rows, 0, sizeof(*rows));
	for (int k = 0; k < 2 && rows->views.count == 0; k++) {
		rows->is_sums = kinds[k] == MP_TABLE_CALL_SUMS;
		for (size_t i = 0; i < refs->count && rows->views.count < MP_VIEW_MAX; i++) {
			const struct mp_reference *ref = &refs->items[i];

			if (ref->kind == kinds[k] && ref->row_count && ref->row_count < MP_NO_UNIT &&
			    add_view(rows, ref, names, err))
				return -1;
		}
	}
	return 0;
}

bool mp_call_has_sums(const struct mp_references *refs)
{
	for (size_t i = 0; i < refs->count; i++)
		if (refs->items[i].kind == MP_TABLE_CALL_SUMS && refs->items[i].row_count)
			return true;
	return false;
}

void mp_call_rows_free(struct mp_call_rows *rows)
{
	for (size_t v = 0; v < rows->views.count; v++) {
		free(rows->refs[v].cells);
		free(rows->names[v]);
	}
	mp_views_free(&rows->views);
}

void mp_call_rows_count(size_t *counts, const struct mp_call_rows *rows)
{
	for (size_t v = 0; v < rows->views.count; v++) {
		const struct mp_view *view = &rows->views.items[v];
		struct mp_says says;

		for (size_t i = 0; i < view->count; i++)
			if (rows->names[v][i] != MP_NO_NAME)
				counts[rows->names[v][i]] +=
				    rows->is_sums && mp_view_says(view, i, MP_MEANS_COUNT, &says) ? (size_t)says.value
												  : 1;
	}
}

/* A row or unit of a name, with what orders those of one name. */
struct named {
	uint32_t name, index;
	long double at;
};

static int by_name(const void *left, const void *right)
{
	const struct named *a = left, *b = right;

	if (a->name != b->name)
		return a->name < b->name ? -1 : 1;
	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

struct lists {
	struct named *rows, *units;
	size_t row_count, unit_count;
};

static bool is_unit_of(const struct mp_view *view, const struct mp_units *units, size_t u)
{
	return mp_view_is_of(view, &units->raw->parts[units->items[u].part]);
}

/* Sort the rows and units of a view by name. Returns false when there is no memory. */
static bool make_lists(struct lists *l, const struct mp_call_rows *rows, size_t v, const struct mp_units *units,
    const uint32_t *names, enum mp_call_order order)
{
	const struct mp_view *view = &rows->views.items[v];
	struct mp_says says;

	*l = (struct lists){.rows = mp_learn_malloc((view->count + 1) * sizeof(*l->rows)),
	    .units = mp_learn_malloc((units->count + 1) * sizeof(*l->units))};
	if (!l->rows || !l->units)
		return false;
	for (size_t i = 0; i < view->count; i++) {
		struct named *row = &l->rows[l->row_count];

		*row = (struct named){.name = rows->names[v][i], .index = (uint32_t)i};
		if (mp_view_says(view, i, MP_MEANS_START, &says))
			row->at = says.value;
		if (order == MP_CALLS_BY_END && mp_view_says(view, i, MP_MEANS_TIME, &says))
			row->at += says.value;
		l->row_count += row->name != MP_NO_NAME;
	}
	for (size_t u = 0; u < units->count; u++)
		if (names[u] != MP_NO_NAME && is_unit_of(view, units, u))
			l->units[l->unit_count++] = (struct named){.name = names[u], .index = (uint32_t)u};
	qsort(l->rows, l->row_count, sizeof(*l->rows), by_name);
	qsort(l->units, l->unit_count, sizeof(*l->units), by_name);
	return true;
}

/* The end of the entries with the name of entry `from`. */
static size_t end_of(const struct named *list, size_t count, size_t from)
{
	size_t to = from;

	while (to < count && list[to].name == list[from].name)
		to++;
	return to;
}

/* Told the rows and units of one name. Returns how many rows have got units. */
typedef size_t match_name(void *user, struct mp_view *view, const struct named *rows, size_t row_count,
    const struct named *units, size_t unit_count);

static size_t match_lists(const struct lists *l, struct mp_view *view, match_name *match, void *user)
{
	size_t u = 0, count = 0;

	for (size_t r = 0; r < l->row_count;) {
		size_t to = end_of(l->rows, l->row_count, r), end;

		while (u < l->unit_count && l->units[u].name < l->rows[r].name)
			u++;
		end = u;
		if (u < l->unit_count && l->units[u].name == l->rows[r].name)
			end = end_of(l->units, l->unit_count, u);
		count += match(user, view, l->rows + r, to - r, l->units + u, end - u);
		r = to;
		u = end;
	}
	return count;
}

static size_t match_in_order(void *user, struct mp_view *view, const struct named *rows, size_t row_count,
    const struct named *units, size_t unit_count)
{
	const bool *all = user;
	size_t count = row_count < unit_count ? row_count : unit_count;

	if (row_count != unit_count && !*all)
		return 0;
	for (size_t i = 0; i < count; i++)
		view->units[rows[i].index] = units[i].index;
	return count;
}

struct by_time {
	const struct mp_units *units;
	const struct mp_times *times;
	unsigned char *used; /* a flag for each unit */
};

/* Returns whether a unit has the duration that a row says. */
static bool took(const struct by_time *t, const struct mp_view *view, size_t row, size_t unit)
{
	struct mp_says says;
	long double over;
	int64_t count;

	if (!mp_view_says(view, row, MP_MEANS_TIME, &says))
		return true;
	if (!mp_times_count(t->times, t->units, unit, &count))
		return false;
	over = (long double)count * mp_times_scales(t->units, unit, t->times->unit).ns - says.value;
	return over >= -says.half && over < says.cut;
}

static size_t match_by_time(void *user, struct mp_view *view, const struct named *rows, size_t row_count,
    const struct named *units, size_t unit_count)
{
	struct by_time *t = user;
	size_t first = 0, count = 0;

	for (size_t u = 0; u < unit_count; u++)
		t->used[units[u].index] = 0;
	for (size_t r = 0; r < row_count; r++) {
		size_t tries = 0;

		while (first < unit_count && t->used[units[first].index])
			first++;
		for (size_t u = first; u < unit_count && tries < TRIES; u++) {
			if (t->used[units[u].index])
				continue;
			tries++;
			if (!took(t, view, rows[r].index, units[u].index))
				continue;
			t->used[units[u].index] = 1;
			view->units[rows[r].index] = units[u].index;
			count++;
			break;
		}
	}
	return count;
}

static void unmap(struct mp_view *view)
{
	for (size_t i = 0; i < view->count; i++)
		view->units[i] = MP_NO_UNIT;
}

static size_t map(struct mp_call_rows *rows, const struct mp_units *units, const uint32_t *names,
    enum mp_call_order order, match_name *match, void *user)
{
	size_t count = 0;

	for (size_t v = 0; v < rows->views.count; v++) {
		struct lists l;

		unmap(&rows->views.items[v]);
		if (make_lists(&l, rows, v, units, names, order))
			count += match_lists(&l, &rows->views.items[v], match, user);
		free(l.rows);
		free(l.units);
	}
	return count;
}

size_t mp_call_rows_map(
    struct mp_call_rows *rows, const struct mp_units *units, const uint32_t *names, enum mp_call_order order)
{
	bool all = false;
	size_t count = map(rows, units, names, order, match_in_order, &all);

	if (count >= 2)
		return count;
	all = true;
	return map(rows, units, names, order, match_in_order, &all);
}

size_t mp_call_rows_map_by_time(
    struct mp_call_rows *rows, const struct mp_units *units, const uint32_t *names, const struct mp_times *times)
{
	struct by_time t = {.units = units, .times = times};
	size_t count = 0;

	t.used = mp_learn_calloc(units->count + 1, 1);
	if (t.used)
		count = map(rows, units, names, MP_CALLS_BY_START, match_by_time, &t);
	free(t.used);
	return count;
}
