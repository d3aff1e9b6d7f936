/* layers_refs.c: what the references say of the layers of each task. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/layers_internal.h"
#include "learn/memory.h"

enum { ROW_MAX = 4096, READ_MAX = 1000000, TYPE_MAX = 4096 };

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_rows(const void *left, const void *right)
{
	const struct mp_layer_row *a = left, *b = right;
	int order = (a->file > b->file) - (a->file < b->file);

	order = order ? order : a->has_task - b->has_task;
	order = order ? order : (a->task > b->task) - (a->task < b->task);
	order = order ? order : a->has_stream - b->has_stream;
	order = order ? order : (a->stream > b->stream) - (a->stream < b->stream);
	for (int i = MP_PART_ID; !order && i < MP_PART_COUNT; i++)
		order = compare_texts(a->texts[i], b->texts[i]);
	return order ? order : compare_texts(a->event, b->event);
}

/* The file that a reference speaks of; -1: any, -2: it speaks of another model. */
static int file_of(const struct mp_reference *ref, const struct mp_file_set *set)
{
	if (ref->identity.model_id < 0 && !ref->identity.model[0])
		return -1;
	for (int i = 0; i < set->file_count; i++) {
		const struct mp_identity *id = &set->files[i]->identity;

		if ((ref->identity.model_id < 0 || ref->identity.model_id == id->model_id) &&
		    (!ref->identity.model[0] || strcmp(ref->identity.model, id->model) == 0))
			return i;
	}
	return -2;
}

static const char *text_at(const struct mp_reference *ref, size_t row, enum mp_meaning meaning)
{
	int column = mp_reference_column(ref, meaning);
	const char *text = column < 0 ? NULL : mp_reference_cell(ref, row, column)->text;

	return !text || !*text || strcmp(text, "N/A") == 0 || strcmp(text, "-") == 0 ? NULL : text;
}

static bool number_at(const struct mp_reference *ref, size_t row, enum mp_meaning meaning, int64_t *value)
{
	int column = mp_reference_column(ref, meaning);
	const struct mp_cell *cell = column < 0 ? NULL : mp_reference_cell(ref, row, column);

	if (!cell || !cell->is_number || cell->decimals)
		return false;
	*value = cell->value;
	return true;
}

static int add_row(
    struct mp_layer_rows *rows, const struct mp_reference *ref, size_t row, int file, struct mp_error *err)
{
	struct mp_layer_row r = {.file = file};

	r.has_task = number_at(ref, row, MP_MEANS_TASK_ID, &r.task);
	r.has_stream = number_at(ref, row, MP_MEANS_STREAM_ID, &r.stream);
	r.texts[MP_PART_ID] = text_at(ref, row, MP_MEANS_LAYER_ID);
	r.texts[MP_PART_NAME] = text_at(ref, row, MP_MEANS_LAYER_NAME);
	r.texts[MP_PART_TYPE] = text_at(ref, row, MP_MEANS_LAYER_TYPE);
	r.texts[MP_PART_ORI] = text_at(ref, row, MP_MEANS_ORI_NAME);
	r.event = ref->is_trace ? text_at(ref, row, MP_MEANS_EVENT_NAME) : NULL;
	if (!r.texts[MP_PART_ID] && !r.texts[MP_PART_NAME] && !r.texts[MP_PART_ORI] && !r.event)
		return 0;
	if (rows->count == rows->room) {
		size_t room = rows->room ? 2 * rows->room : 256;
		struct mp_layer_row *items = mp_learn_realloc(rows->items, room * sizeof(*items));

		if (!items)
			return mp_fail_memory(err, "references");
		rows->items = items;
		rows->room = room;
	}
	rows->items[rows->count++] = r;
	return 0;
}

/* Each row counts once, however often its task ran. */
static void unite(struct mp_layer_rows *rows)
{
	size_t kept = 0;

	if (rows->count)
		qsort(rows->items, rows->count, sizeof(*rows->items), compare_rows);
	for (size_t i = 0; i < rows->count && kept < ROW_MAX; i++)
		if (!kept || compare_rows(&rows->items[kept - 1], &rows->items[i]) != 0)
			rows->items[kept++] = rows->items[i];
	rows->count = kept;
}

static int compare_events(const void *left, const void *right)
{
	const struct mp_layer_row *const *a = left, *const *b = right;

	return strcmp((*a)->event, (*b)->event);
}

/* The only trace row of an event of this name. */
static const struct mp_layer_row *find_event(struct mp_layer_row **events, size_t count, const char *name)
{
	const struct mp_layer_row key = {.event = name}, *at = &key;
	struct mp_layer_row **found =
	    name ? bsearch(&at, events, count, sizeof(struct mp_layer_row *), compare_events) : NULL;

	if (!found)
		return NULL;
	for (size_t i = 0; i < 2; i++) {
		struct mp_layer_row **beside = i ? found + 1 : found - 1;

		if (beside >= events && beside < events + count && strcmp((*beside)->event, name) == 0 &&
		    (*beside)->task != (*found)->task)
			return NULL;
	}
	return *found;
}

/* A table that does not name its tasks gets them from a trace, whose events are the layers' names. */
static int take_tasks(struct mp_layer_rows *rows, struct mp_error *err)
{
	struct mp_layer_row **events = mp_learn_calloc(rows->count + 1, sizeof(struct mp_layer_row *));
	size_t count = 0;

	if (!events)
		return mp_fail_memory(err, "references");
	for (size_t i = 0; i < rows->count; i++)
		if (rows->items[i].event && rows->items[i].has_task)
			events[count++] = &rows->items[i];
	if (count)
		qsort(events, count, sizeof(struct mp_layer_row *), compare_events);
	for (size_t i = 0; i < rows->count && count; i++) {
		struct mp_layer_row *r = &rows->items[i];
		const struct mp_layer_row *event;

		if (r->has_task || r->event)
			continue;
		event = find_event(events, count, r->texts[MP_PART_ORI]);
		event = event ? event : find_event(events, count, r->texts[MP_PART_NAME]);
		if (!event)
			continue;
		r->has_task = true;
		r->task = event->task;
		if (!r->has_stream) {
			r->has_stream = event->has_stream;
			r->stream = event->stream;
		}
	}
	free(events);
	return 0;
}

/* Events count as original names where nothing else has these. */
static void count_parts(struct mp_layer_rows *rows)
{
	bool has_ori = false;

	for (size_t i = 0; i < rows->count; i++)
		has_ori = has_ori || rows->items[i].texts[MP_PART_ORI] || rows->items[i].texts[MP_PART_NAME];
	for (size_t i = 0; i < rows->count; i++) {
		struct mp_layer_row *r = &rows->items[i];

		if (!has_ori)
			r->texts[MP_PART_ORI] = r->event;
		rows->has_task = rows->has_task || r->has_task;
		rows->has_stream = rows->has_stream || (r->has_stream && r->stream);
		rows->says[MP_PART_TASK] += r->has_task;
		rows->says[MP_PART_STREAM] += r->has_stream;
		for (int k = MP_PART_ID; k < MP_PART_COUNT; k++)
			rows->says[k] += r->texts[k] != NULL;
	}
}

/* Where no task names its stream, statistics name the streams of each type of layers. */
static int read_types(
    struct mp_layer_rows *rows, const struct mp_references *refs, const struct mp_file_set *set, struct mp_error *err)
{
	rows->types = mp_learn_calloc(TYPE_MAX, sizeof(*rows->types));
	if (!rows->types)
		return mp_fail_memory(err, "references");
	for (size_t i = 0; i < refs->count; i++) {
		const struct mp_reference *ref = &refs->items[i];
		int file = ref->kind == MP_TABLE_TASK_SUMS ? file_of(ref, set) : -2;

		for (size_t row = 0; file >= 0 && row < ref->row_count && rows->type_count < TYPE_MAX; row++) {
			struct mp_type_stream t = {.file = file, .type = text_at(ref, row, MP_MEANS_LAYER_TYPE)};

			if (t.type && number_at(ref, row, MP_MEANS_STREAM_ID, &t.stream))
				rows->types[rows->type_count++] = t;
		}
	}
	return 0;
}

int mp_layer_rows_read(
    struct mp_layer_rows *rows, const struct mp_references *refs, const struct mp_file_set *set, struct mp_error *err)
{
	*rows = (struct mp_layer_rows){.count = 0};
	for (size_t i = 0; i < refs->count; i++) {
		const struct mp_reference *ref = &refs->items[i];
		int file = ref->kind == MP_TABLE_TASKS ? file_of(ref, set) : -2;

		for (size_t row = 0; file > -2 && row < ref->row_count && rows->count < READ_MAX; row++)
			if (add_row(rows, ref, row, file, err))
				return -1;
	}
	unite(rows);
	if (take_tasks(rows, err))
		return -1;
	count_parts(rows);
	return rows->says[MP_PART_STREAM] ? 0 : read_types(rows, refs, set, err);
}

void mp_layer_rows_free(struct mp_layer_rows *rows)
{
	free(rows->items);
	free(rows->types);
	*rows = (struct mp_layer_rows){.count = 0};
}
