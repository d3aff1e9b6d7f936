/* view.c: rows of references as numbers with a tolerance, and the units that rows are of. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "learn/memory.h"
#include "learn/search.h"

enum { LOOK = 512, TRIES = 64, PROBES = 16, ID_MAX = 1 << 20 };
#define PRIME UINT64_C(2654435761)

/* Returns whether a row is of the AI CPU; rows without a type are not. */
static bool of_cpu(const struct mp_reference *ref, size_t row, int column)
{
	const char *text = column < 0 ? "" : mp_reference_cell(ref, row, column)->text;

	for (; *text; text++)
		if (strncasecmp(text, "cpu", 3) == 0)
			return true;
	return false;
}

static int make_view(
    struct mp_view *view, const struct mp_reference *ref, enum mp_rows_of rows_of, struct mp_error *err)
{
	memset(view, 0, sizeof(*view));
	view->ref = ref;
	for (int m = 0; m < MP_MEANS_COUNT_OF; m++)
		view->columns[m] = mp_reference_column(ref, (enum mp_meaning)m);
	view->rows = mp_learn_malloc((ref->row_count + 1) * sizeof(*view->rows));
	view->units = mp_learn_malloc((ref->row_count + 1) * sizeof(*view->units));
	if (!view->rows || !view->units) {
		free(view->rows);
		free(view->units);
		return mp_fail_memory(err, "rows of references");
	}
	for (size_t row = 0; row < ref->row_count && row < MP_NO_UNIT; row++)
		if (of_cpu(ref, row, view->columns[MP_MEANS_TASK_TYPE]) == (rows_of == MP_ROWS_OF_CPU)) {
			view->units[view->count] = MP_NO_UNIT;
			view->rows[view->count++] = (uint32_t)row;
		}
	return 0;
}

int mp_views_of_tasks(
    struct mp_views *views, const struct mp_references *refs, enum mp_rows_of rows_of, struct mp_error *err)
{
	views->count = 0;
	for (size_t i = 0; i < refs->count && views->count < MP_VIEW_MAX; i++) {
		struct mp_view *view = &views->items[views->count];

		if (refs->items[i].kind != MP_TABLE_TASKS)
			continue;
		if (make_view(view, &refs->items[i], rows_of, err))
			return -1;
		views->count++;
		if (view->count && view->columns[MP_MEANS_TIME] >= 0)
			continue;
		views->count--;
		free(view->rows);
		free(view->units);
	}
	return 0;
}

void mp_views_free(struct mp_views *views)
{
	for (size_t i = 0; i < views->count; i++) {
		free(views->items[i].rows);
		free(views->items[i].units);
		free(views->items[i].lookup);
		free(views->items[i].ids);
	}
	views->count = 0;
}

/* Returns whether numbers of a meaning are whole, and not rounded. */
static bool is_id(enum mp_meaning meaning)
{
	return meaning == MP_MEANS_TASK_ID || meaning == MP_MEANS_STREAM_ID || meaning == MP_MEANS_PID ||
	       meaning == MP_MEANS_TID;
}

bool mp_view_says(const struct mp_view *view, size_t i, enum mp_meaning meaning, struct mp_says *says)
{
	static const long double powers[] = {1e0L, 1e1L, 1e2L, 1e3L, 1e4L, 1e5L, 1e6L, 1e7L, 1e8L, 1e9L};
	int c = view->columns[meaning];
	const struct mp_reference_column *column;
	const struct mp_cell *cell;
	long double step;

	if (c < 0)
		return false;
	column = &view->ref->columns[c];
	cell = mp_reference_cell(view->ref, view->rows[i], c);
	if (!cell->is_number)
		return false;
	step = (long double)column->unit / powers[column->decimals];
	says->value = (long double)cell->value * (long double)column->unit / powers[cell->decimals];
	/* one part of 2^52 is what a double keeps */
	says->tiny = fabsl(says->value) * 2.3e-16L + step * 1e-9L;
	says->half = step / 2 + says->tiny;
	says->cut = step + says->tiny;
	if (is_id(meaning)) {
		says->half = 0.25L;
		says->cut = 0.25L;
	}
	return true;
}

bool mp_view_is_of(const struct mp_view *view, const struct mp_raw_part *part)
{
	const struct mp_identity *a = &view->ref->identity, *b = &part->file->identity;

	return (a->device_id < 0 || b->device_id < 0 || a->device_id == b->device_id) &&
	       (a->model_id < 0 || b->model_id < 0 || a->model_id == b->model_id) &&
	       (a->current_pic < 0 || b->current_pic < 0 || a->current_pic == b->current_pic) &&
	       (!a->model[0] || !b->model[0] || strcmp(a->model, b->model) == 0);
}

/* A row, the number by which its unit is found, and how far the unit's number may be below and above. */
struct mp_lookup {
	long double value, under, over, start;
	uint32_t row;
	uint32_t next; /* of the first row of a number: how many rows have units */
	uint32_t met;  /* of the first row of a number: how many units have it */
};

static int by_value(const void *left, const void *right)
{
	const struct mp_lookup *a = left, *b = right;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return a->row < b->row ? -1 : a->row > b->row;
}

/* Ids below ID_MAX are found without a search. Without memory they are searched. */
static void make_ids(struct mp_view *view, enum mp_meaning meaning)
{
	const struct mp_lookup *keys = view->lookup;
	size_t count = view->lookup_count;

	free(view->ids);
	view->ids = NULL;
	view->id_count = 0;
	if (!is_id(meaning) || !count || keys[0].value < 0 || keys[count - 1].value >= ID_MAX)
		return;
	view->ids = mp_learn_calloc((size_t)keys[count - 1].value + 1, sizeof(*view->ids));
	if (!view->ids)
		return;
	view->id_count = (size_t)keys[count - 1].value + 1;
	for (size_t i = count; i-- > 0;) {
		struct mp_id *id = &view->ids[(size_t)keys[i].value];

		id->first = (uint32_t)i;
		id->rows++;
	}
}

/* Sort the rows by a number, unless they are sorted by it already. */
static bool make_keys(struct mp_view *view, enum mp_meaning meaning, bool by_row)
{
	struct mp_lookup *keys = view->lookup;
	struct mp_says says;
	size_t count = 0;

	for (size_t i = 0; i < view->lookup_count; i++)
		keys[i].next = keys[i].met = 0;
	if (view->looked_up == meaning && view->by_row == by_row)
		return view->lookup_count > 0;
	if (!keys)
		keys = mp_learn_malloc((view->count + 1) * sizeof(*keys));
	view->lookup = keys;
	view->lookup_count = 0;
	if (!keys)
		return false;

	for (size_t i = 0; i < view->count; i++) {
		if (!mp_view_says(view, i, meaning, &says))
			continue;
		keys[count] =
		    (struct mp_lookup){.value = says.value, .under = says.half, .over = says.cut, .row = (uint32_t)i};
		if (!by_row && mp_view_says(view, i, MP_MEANS_START, &says))
			keys[count].start = says.value;
		count++;
	}
	qsort(keys, count, sizeof(*keys), by_value);
	view->lookup_count = count;
	view->looked_up = meaning;
	view->by_row = by_row;
	make_ids(view, meaning);
	return count > 0;
}

/* The first row with a number near x; NULL when not found. */
static struct mp_lookup *find(const struct mp_view *view, size_t count, long double x)
{
	struct mp_lookup *keys = view->lookup;
	size_t low = 0, high = count;

	if (view->id_count) {
		const struct mp_id *id = x >= 0 && x < (long double)view->id_count ? &view->ids[(size_t)x] : NULL;

		return id && id->rows ? &keys[id->first] : NULL;
	}
	/* most numbers of wrong places are far away */
	if (x > keys[count - 1].value + keys[count - 1].over || x < keys[0].value - keys[0].under)
		return NULL;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (keys[middle].value + keys[middle].over < x)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && x >= keys[low].value - keys[low].under ? &keys[low] : NULL;
}

/* The times of a unit in ns: -1 where they are not known. */
struct moment {
	long double took, start, turn;
};

/* Returns whether a row says the duration and the moment of a unit, or nothing of them. */
static bool took(const struct mp_view *view, size_t row, const struct moment *m)
{
	struct mp_says says;
	long double by;

	if (m->took < 0)
		return true;
	if (mp_view_says(view, row, MP_MEANS_TIME, &says) &&
	    !(m->took - says.value >= -says.half && m->took - says.value < says.cut))
		return false;
	if (m->start < 0 || !mp_view_says(view, row, MP_MEANS_START, &says))
		return true;
	by = m->start - says.value;
	if (m->turn > 0)
		by -= roundl(by / m->turn) * m->turn;
	return fabsl(by) <= says.cut + 1;
}

/*
 * Give the next row of a number, with these times, its unit. Returns whether it is the first of the
 * number.
 */
static bool give(
    struct mp_view *view, struct mp_lookup *first, const struct mp_lookup *end, size_t unit, const struct moment *m)
{
	uint32_t tries = 0;

	for (struct mp_lookup *row = first + first->next; row < end && row->value == first->value && tries < TRIES;
	     row++) {
		if (view->units[row->row] != MP_NO_UNIT)
			continue;
		tries++;
		if (!took(view, row->row, m))
			continue;
		view->units[row->row] = (uint32_t)unit;
		while (first + first->next < end && first[first->next].value == first->value &&
		       view->units[first[first->next].row] != MP_NO_UNIT)
			first->next++;
		return row == first;
	}
	return false;
}

/* Returns whether so few different numbers were found in the first units that the others are not worth a look. */
static bool hopeless(size_t looked, size_t different, size_t keys, size_t units)
{
	size_t expected = keys >= units ? LOOK : LOOK * keys / units;

	return looked == LOOK && different < 2 + expected / 16 && different < keys / 2;
}

static struct moment times_of(const struct mp_key *key, const struct mp_units *units, size_t u)
{
	struct moment m = {-1, -1, 0};
	const struct mp_times *t = key->times;
	long double ns;
	int64_t count;

	if (!t || !mp_times_count(t, units, u, &count))
		return m;
	ns = mp_times_scales(units, u, t->unit).ns;
	m.took = (long double)count * ns;
	if (!t->has_start || !t->start_exact || !mp_unit_read(units, u, t->start, &count))
		return m;
	ns = mp_times_scales(units, u, mp_times_start_unit(t)).ns;
	m.start = (long double)count * ns;
	m.turn = t->start.type == MP_TYPE_U32 ? 4294967296.0L * ns : 0;
	return m;
}

/* The number of a unit. Returns false when the unit has no number. */
static bool number(const struct mp_key *key, const struct mp_units *units, size_t u, long double ns, long double *x)
{
	int64_t v;

	if (key->meaning == MP_MEANS_TIME) {
		*x = ns;
		return ns >= 0;
	}
	if (!mp_unit_read(units, u, key->place, &v))
		return false;
	*x = (long double)v * key->scale;
	return true;
}

/*
 * Returns whether any of some units has the number of a row. Of a right place, PROBES units should; of noise, hardly
 * any. Units are taken from everywhere, as tables may be of a part of the records.
 */
static bool may_map(
    const struct mp_view *view, size_t count, const struct mp_units *units, const struct mp_key *key, const bool *is_of)
{
	size_t most = PROBES * (units->count / count + 1), looked = 0;

	for (size_t i = 0; i < units->count && looked < most; i++) {
		size_t u = (size_t)(i * PRIME % units->count);
		long double x;

		if (!is_of[units->items[u].part])
			continue;
		looked++;
		if (number(key, units, u, -1, &x) && find(view, count, x))
			return true;
	}
	return false;
}

/* Returns whether as many rows of small ids as the key demands get units, without giving them. */
static bool may_suffice(
    const struct mp_view *view, const struct mp_units *units, const struct mp_key *key, const bool *is_of)
{
	size_t mapped = 0, complete = 0;

	for (size_t i = 0; i < view->id_count; i++)
		view->ids[i].met = 0;
	for (size_t u = 0; u < units->count; u++) {
		int64_t v;

		if (is_of[units->items[u].part] && mp_unit_read(units, u, key->place, &v) &&
		    v < (int64_t)view->id_count)
			view->ids[v].met++;
	}
	for (size_t i = 0; i < view->id_count; i++) {
		const struct mp_id *id = &view->ids[i];

		mapped += id->met < id->rows ? id->met : id->rows;
		complete += id->met == id->rows ? id->rows : 0;
	}
	return mapped >= key->least && complete >= key->least_complete;
}

/* Returns whether a key is worth a look at all units. */
static bool is_worth(
    const struct mp_view *view, size_t count, const struct mp_units *units, const struct mp_key *key, const bool *is_of)
{
	if (key->times)
		return true;
	return may_map(view, count, units, key, is_of) &&
	       (!view->id_count || !key->least || may_suffice(view, units, key, is_of));
}

/* Rows of a number keep their units only if there are as many units as rows: else one may be missing between others. */
static void keep_complete(struct mp_view *view, const struct mp_lookup *keys, size_t count)
{
	for (size_t first = 0, end; first < count; first = end) {
		for (end = first + 1; end < count && keys[end].value == keys[first].value; end++)
			;
		for (size_t i = first; i < end && keys[first].met != end - first; i++)
			view->units[keys[i].row] = MP_NO_UNIT;
	}
}

size_t mp_view_complete(const struct mp_view *view)
{
	size_t complete = 0;

	for (size_t first = 0, end; first < view->lookup_count; first = end) {
		for (end = first + 1; end < view->lookup_count && view->lookup[end].value == view->lookup[first].value;
		     end++)
			;
		complete += view->lookup[first].met == end - first ? end - first : 0;
	}
	return complete;
}

size_t mp_view_map(
    struct mp_view *view, const struct mp_raw *raw, const struct mp_units *units, const struct mp_key *key)
{
	size_t count = make_keys(view, key->meaning, key->by_row) ? view->lookup_count : 0, different = 0, looked = 0;
	struct mp_lookup *keys = view->lookup;
	bool *is_of = mp_learn_calloc(raw->part_count + 1, sizeof(*is_of));

	for (size_t i = 0; is_of && i < raw->part_count; i++)
		is_of[i] = mp_view_is_of(view, &raw->parts[i]);
	for (size_t i = 0; i < view->count; i++)
		view->units[i] = MP_NO_UNIT;
	if (is_of && count && !is_worth(view, count, units, key, is_of))
		count = 0;
	for (size_t u = 0; is_of && count && u < units->count; u++) {
		struct mp_lookup *first;
		struct moment m;
		long double x;

		if (!is_of[units->items[u].part])
			continue;
		m = times_of(key, units, u);
		first = number(key, units, u, m.took, &x) ? find(view, count, x) : NULL;
		different += first && give(view, first, keys + count, u, &m);
		if (first)
			first->met++;
		if (hopeless(++looked, different, count, units->count))
			break;
	}
	free(is_of);
	if (key->complete)
		keep_complete(view, keys, count);
	return different;
}

void mp_view_map_in_order(struct mp_view *view, const struct mp_raw *raw, const struct mp_units *units)
{
	size_t u = 0;

	for (size_t i = 0; i < view->count; i++) {
		while (u < units->count && !mp_view_is_of(view, &raw->parts[units->items[u].part]))
			u++;
		view->units[i] = u < units->count ? (uint32_t)u++ : MP_NO_UNIT;
	}
}
