/* reference_table.c: makes tables of the cells that a reader gives. Knows no format of files. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/memory.h"
#include "learn/reference_internal.h"

int mp_reading_no_memory(struct mp_reading *r, struct mp_error *err)
{
	r->no_memory = true;
	return mp_fail_memory(err, "references");
}

int mp_reading_refuse(struct mp_reading *r, struct mp_error *err, const char *fmt, ...)
{
	struct mp_references *refs = r->refs;
	char **more = mp_learn_realloc(refs->refused, (refs->refused_count + 1) * sizeof(char *));
	struct mp_error sentence;
	va_list args;

	if (!more)
		return mp_reading_no_memory(r, err);
	refs->refused = more;
	va_start(args, fmt);
	vsnprintf(sentence.text, sizeof(sentence.text), fmt, args);
	va_end(args);
	more[refs->refused_count] = strdup(sentence.text);
	if (!more[refs->refused_count])
		return mp_reading_no_memory(r, err);
	refs->refused_count++;
	return 0;
}

/* Store a text, or say what is missing for it. */
static int put_text(struct mp_reading *r, const char **stored, const char *text, size_t len, struct mp_error *err)
{
	*stored = mp_texts_put(r->texts, text, len);
	if (*stored)
		return 0;
	if (mp_texts_full(r->texts))
		return mp_fail(err, "the references have more than %d MiB of texts", MP_REFERENCE_TEXT_MAX >> 20);
	return mp_reading_no_memory(r, err);
}

static int count_cells(struct mp_reading *r, size_t more, struct mp_error *err)
{
	if (more > MP_REFERENCE_CELL_MAX - r->cell_count)
		return mp_fail(err, "the references have more than %d cells", MP_REFERENCE_CELL_MAX);
	r->cell_count += more;
	return 0;
}

/* FILE, FILE#2 or FILE:PART. */
static int put_name(
    struct mp_reading *r, const char **name, const char *part, size_t part_len, size_t index, struct mp_error *err)
{
	size_t size = strlen(r->file) + part_len + 32;
	char *text = mp_learn_malloc(size);
	int status;

	if (!text)
		return mp_reading_no_memory(r, err);
	if (part)
		snprintf(text, size, "%s:%.*s", r->file, (int)part_len, part);
	else if (index)
		snprintf(text, size, "%s#%zu", r->file, index + 1);
	else
		snprintf(text, size, "%s", r->file);
	status = put_text(r, name, text, strlen(text), err);
	free(text);
	return status;
}

int mp_table_begin(
    struct mp_reading *r, const char *part, size_t part_len, bool is_trace, size_t *index, struct mp_error *err)
{
	struct mp_table *more;

	if (count_cells(r, 1, err)) /* so that there is an end to empty tables as well */
		return -1;
	more = mp_learn_realloc(r->tables, (r->table_count + 1) * sizeof(*more));
	if (!more)
		return mp_reading_no_memory(r, err);
	r->tables = more;
	*index = r->table_count;
	memset(&more[*index], 0, sizeof(*more));
	more[*index].ref.is_trace = is_trace;
	r->table_count++;
	return put_name(r, &more[*index].ref.name, part, part_len, *index, err);
}

int mp_table_column(struct mp_reading *r, size_t index, const char *title, size_t len, struct mp_error *err)
{
	struct mp_table *t = &r->tables[index];
	struct mp_reference_column *column;

	if (t->ref.column_count == MP_REFERENCE_COLUMN_MAX)
		return mp_fail(err, "more than %d columns", MP_REFERENCE_COLUMN_MAX);
	if (count_cells(r, 1, err))
		return -1;
	if (t->ref.column_count == t->column_room) {
		int room = t->column_room ? 2 * t->column_room : 8;
		struct mp_reference_column *more = mp_learn_realloc(t->ref.columns, (size_t)room * sizeof(*more));

		if (!more)
			return mp_reading_no_memory(r, err);
		t->ref.columns = more;
		t->column_room = room;
	}
	column = &t->ref.columns[t->ref.column_count];
	*column = (struct mp_reference_column){.title = "", .unit = 1};
	if (put_text(r, &column->title, title, strnlen(title, len), err))
		return -1;
	t->ref.column_count++;
	return 0;
}

int mp_table_row(struct mp_reading *r, size_t index, struct mp_cell **row, struct mp_error *err)
{
	struct mp_table *t = &r->tables[index];
	size_t columns = (size_t)t->ref.column_count, used = t->ref.row_count * columns;

	if (count_cells(r, columns, err))
		return -1;
	if (t->cell_room - used < columns) {
		size_t room = 2 * t->cell_room > 64 * columns ? 2 * t->cell_room : 64 * columns;
		struct mp_cell *more = mp_learn_realloc(t->ref.cells, room * sizeof(*more));

		if (!more)
			return mp_reading_no_memory(r, err);
		t->ref.cells = more;
		t->cell_room = room;
	}
	*row = t->ref.cells + used;
	for (size_t i = 0; i < columns; i++)
		(*row)[i] = (struct mp_cell){.text = ""};
	t->ref.row_count++;
	return 0;
}

int mp_table_set(struct mp_reading *r, struct mp_cell *cell, const char *text, size_t len, struct mp_error *err)
{
	len = strnlen(text, len);
	if (put_text(r, &cell->text, text, len, err))
		return -1;
	cell->is_number = mp_decimal_read(text, len, &cell->value, &cell->decimals);
	return 0;
}

void mp_tables_drop(struct mp_reading *r)
{
	for (size_t i = 0; i < r->table_count; i++) {
		free(r->tables[i].ref.columns);
		free(r->tables[i].ref.cells);
	}
	free(r->tables);
	r->tables = NULL;
	r->table_count = 0;
}

int mp_reference_column(const struct mp_reference *ref, enum mp_meaning meaning)
{
	for (int i = 0; i < ref->column_count; i++)
		if (ref->columns[i].meaning == meaning)
			return i;
	return -1;
}

static bool has(const struct mp_reference *ref, enum mp_meaning meaning)
{
	return mp_reference_column(ref, meaning) >= 0;
}

static bool has_counter(const struct mp_reference *ref)
{
	for (enum mp_meaning m = MP_MEANS_MAC_BUSY; m <= MP_MEANS_TOTAL; m++)
		if (has(ref, m))
			return true;
	return false;
}

static bool has_layer(const struct mp_reference *ref)
{
	return has(ref, MP_MEANS_LAYER_ID) || has(ref, MP_MEANS_LAYER_NAME) || has(ref, MP_MEANS_ORI_NAME);
}

/* Whether the meanings of the columns are those of a table of this kind. */
static bool is_of_kind(const struct mp_reference *ref, enum mp_reference_kind kind)
{
	bool caller = has(ref, MP_MEANS_PID) || has(ref, MP_MEANS_TID) || has(ref, MP_MEANS_KIND);
	bool time = has(ref, MP_MEANS_TIME) || has(ref, MP_MEANS_START);

	switch (kind) {
	case MP_TABLE_CALL_SUMS:
		return has(ref, MP_MEANS_COUNT) && has(ref, MP_MEANS_CALL_NAME) && caller;
	case MP_TABLE_TASK_SUMS:
		return has(ref, MP_MEANS_COUNT) && has(ref, MP_MEANS_LAYER_TYPE);
	case MP_TABLE_CALLS:
		return time && caller && !has(ref, MP_MEANS_TASK_ID) && !has(ref, MP_MEANS_LAYER_TYPE) &&
		       !has_layer(ref) && !has_counter(ref);
	case MP_TABLE_TASKS:
		return (time && (has(ref, MP_MEANS_TASK_ID) || has_layer(ref) || has_counter(ref))) ||
		       (has(ref, MP_MEANS_TASK_ID) && has_counter(ref));
	default:
		return true;
	}
}

/* A title may mean another thing in each kind of table: take the first kind that its own meanings confirm. */
static void find_kind(const struct mp_titles *titles, struct mp_reference *ref)
{
	static const enum mp_reference_kind kinds[] = {
	    MP_TABLE_CALL_SUMS, MP_TABLE_TASK_SUMS, MP_TABLE_CALLS, MP_TABLE_TASKS, MP_TABLE_OTHER};

	for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
		ref->kind = kinds[k];
		for (int i = 0; i < ref->column_count; i++)
			mp_titles_find(titles, &ref->columns[i], ref->kind, ref->is_trace);
		if (is_of_kind(ref, ref->kind))
			return;
	}
}

static bool identifies(enum mp_meaning meaning)
{
	return (meaning >= MP_MEANS_TASK_ID && meaning <= MP_MEANS_ORI_NAME) || meaning == MP_MEANS_PID ||
	       meaning == MP_MEANS_TID || meaning == MP_MEANS_KIND || meaning == MP_MEANS_CALL_NAME;
}

/* "-" in each column that identifies. */
static bool is_total(const struct mp_reference *ref, size_t row)
{
	bool any = false;

	for (int i = 0; i < ref->column_count; i++) {
		if (!identifies(ref->columns[i].meaning))
			continue;
		if (strcmp(mp_reference_cell(ref, row, i)->text, "-") != 0)
			return false;
		any = true;
	}
	return any;
}

/* Move the first row of totals behind the rows; leave out further ones. */
static void move_total(struct mp_reference *ref)
{
	struct mp_cell total[MP_REFERENCE_COLUMN_MAX];
	size_t columns = (size_t)ref->column_count, kept = 0;
	bool found = false;

	for (size_t row = 0; row < ref->row_count; row++) {
		struct mp_cell *from = ref->cells + row * columns;

		if (!is_total(ref, row)) {
			if (kept < row)
				memcpy(ref->cells + kept * columns, from, columns * sizeof(*from));
			kept++;
		} else if (!found) {
			memcpy(total, from, columns * sizeof(*from));
			found = true;
		}
	}
	if (found) {
		memcpy(ref->cells + kept * columns, total, columns * sizeof(*total));
		ref->total = ref->cells + kept * columns;
	}
	ref->row_count = kept;
}

int mp_cell_decimals(const struct mp_cell *cell)
{
	int decimals = cell->decimals;

	for (int64_t v = cell->value; decimals > 0 && v % 10 == 0; v /= 10)
		decimals--;
	return decimals;
}

static void find_decimals(struct mp_reference *ref)
{
	size_t rows = ref->row_count + (ref->total ? 1 : 0);

	for (size_t row = 0; row < rows; row++)
		for (int i = 0; i < ref->column_count; i++) {
			const struct mp_cell *cell = mp_reference_cell(ref, row, i);

			if (cell->is_number && mp_cell_decimals(cell) > ref->columns[i].decimals)
				ref->columns[i].decimals = mp_cell_decimals(cell);
		}
}

/* Give back the room that the cells do not need. */
static void fit_cells(struct mp_table *t)
{
	size_t used = t->ref.row_count * (size_t)t->ref.column_count;
	struct mp_cell *less = used ? mp_learn_realloc(t->ref.cells, used * sizeof(*less)) : NULL;

	if (less)
		t->ref.cells = less;
}

int mp_tables_finish(struct mp_reading *r, struct mp_error *err)
{
	struct mp_references *refs = r->refs;
	struct mp_reference *more;

	if (!r->table_count)
		return 0;
	more = mp_learn_realloc(refs->items, (refs->count + r->table_count) * sizeof(*more));
	if (!more)
		return mp_reading_no_memory(r, err);
	refs->items = more;
	for (size_t i = 0; i < r->table_count; i++) {
		struct mp_table *t = &r->tables[i];

		if (t->extra_rows &&
		    mp_reading_refuse(r, err, "'%s': %zu rows have more cells than titles and are left out",
			t->ref.name, t->extra_rows))
			return -1;
	}
	for (size_t i = 0; i < r->table_count; i++) {
		struct mp_table *t = &r->tables[i];

		fit_cells(t);
		find_kind(&r->titles, &t->ref);
		mp_titles_identify(&r->titles, r->file, &t->ref.identity);
		move_total(&t->ref);
		find_decimals(&t->ref);
		refs->items[refs->count++] = t->ref;
	}
	free(r->tables);
	r->tables = NULL;
	r->table_count = 0;
	return 0;
}
