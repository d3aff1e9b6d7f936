/* derive.c: finds the tasks and streams of rows by their layers, in the decoded layer.info. */
#include "learn/derive.h"

#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "import/import.h"
#include "learn/memory.h"
#include "store/db.h"

enum { NAME_SIZE = 128, NAMED_ROWS_MAX = 5000 };

/* A layer of a model, and the task that runs it. */
struct layer {
	int64_t model_id, id, task_id, stream_id;
	char name[NAME_SIZE];
};

struct layers {
	struct layer *items;
	size_t count;
	bool by_task; /* in order of model and task, else of model and layer */
};

static int load(struct layers *layers, struct mp_query *q, struct mp_error *err)
{
	size_t room = 0;
	int status;

	while ((status = mp_query_next(q, err)) == 1) {
		struct mp_value row[5];
		struct layer *l;

		if (layers->count == room) {
			struct layer *more = mp_learn_realloc(layers->items, (room ? 2 * room : 256) * sizeof(*more));

			if (!more)
				return mp_fail_memory(err, "layers");
			layers->items = more;
			room = room ? 2 * room : 256;
		}
		mp_query_row(q, row, 5);
		l = &layers->items[layers->count++];
		*l = (struct layer){.model_id = row[0].i,
		    .id = row[1].type == MP_INT ? row[1].i : -1,
		    .task_id = row[3].i,
		    .stream_id = row[4].i};
		if (row[2].type == MP_TEXT && row[2].len < NAME_SIZE)
			memcpy(l->name, row[2].text, row[2].len);
	}
	return status;
}

static int read_layers(
    struct layers *layers, const struct mp_job *job, const struct mp_layouts *layouts, struct mp_error *err)
{
	struct mp_import_options options = {.tool_version = "learn", .frequency_mhz = 1};
	const char *sql = mp_schema_text("learn/layers.sql");
	struct mp_job *own = NULL;
	struct mp_db *db = NULL;
	struct mp_query *q = NULL;
	int status = -1;

	/* what is asked for has no times: any frequency will do */
	if (!sql)
		return mp_fail(err, "no text 'schema/learn/layers.sql'");
	if (mp_job_open(&own, job->real_path, layouts, 1, err) == 0 &&
	    mp_import_private(&db, own, layouts, &options, err) == 0 &&
	    mp_query_open(&q, db, sql, strlen(sql), err) == 0)
		status = load(layers, q, err);
	mp_query_close(q);
	mp_db_close(db);
	mp_job_close(own);
	return status;
}

/* The text of the first item of a list, such as "4" of "4,5". */
static void first_item(char item[NAME_SIZE], const char *text)
{
	size_t len = strcspn(text, ",;|\n");

	len = len < NAME_SIZE ? len : NAME_SIZE - 1;
	memcpy(item, text, len);
	item[len] = '\0';
}

static int64_t number_of(const struct layer *l, bool by_task)
{
	return by_task ? l->task_id : l->id;
}

static int by_layer(const void *left, const void *right)
{
	const struct layer *a = left, *b = right;

	return a->model_id != b->model_id ? (a->model_id < b->model_id ? -1 : 1) : a->id < b->id ? -1 : a->id > b->id;
}

static int by_task(const void *left, const void *right)
{
	const struct layer *a = left, *b = right;

	return a->model_id != b->model_id ? (a->model_id < b->model_id ? -1 : 1)
	       : a->task_id < b->task_id  ? -1
					  : a->task_id > b->task_id;
}

/* The first layer of a model with this number or a larger one. */
static size_t first_of(const struct layers *layers, int64_t model_id, int64_t number)
{
	size_t low = 0, high = layers->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct layer *l = &layers->items[middle];

		if (l->model_id < model_id || (l->model_id == model_id && number_of(l, layers->by_task) < number))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The layer with a number, or the name `item`; NULL: not found, or of several tasks. */
static const struct layer *find(const struct layers *layers, int64_t model_id, const char *item, bool is_name)
{
	char *end;
	long long number = strtoll(item, &end, 10);
	const struct layer *found = NULL;

	if (!is_name && (!*item || *end))
		return NULL;
	for (size_t i = is_name || model_id < 0 ? 0 : first_of(layers, model_id, number); i < layers->count; i++) {
		const struct layer *l = &layers->items[i];
		bool same = is_name ? strcmp(l->name, item) == 0 : number_of(l, layers->by_task) == number;

		if (model_id >= 0 && l->model_id != model_id)
			continue;
		if (!same && !is_name && model_id >= 0)
			break;
		if (!same)
			continue;
		if (found && (found->task_id != l->task_id || found->stream_id != l->stream_id))
			return NULL;
		found = l;
	}
	return found;
}

static bool needs(const struct mp_reference *ref)
{
	return ref->kind == MP_TABLE_TASKS && ref->row_count &&
	       (mp_reference_column(ref, MP_MEANS_TASK_ID) < 0 || mp_reference_column(ref, MP_MEANS_STREAM_ID) < 0);
}

static void add_column(struct mp_reference *ref, enum mp_meaning meaning)
{
	ref->columns[ref->column_count++] =
	    (struct mp_reference_column){.title = mp_meaning_name(meaning), .meaning = meaning, .unit = 1};
}

/* Copy a table with two more columns, for the numbers of task and stream that it lacks; its total has no cells there.
 */
static int complete(
    struct mp_reference *to, const struct mp_reference *from, struct layers *layers, struct mp_error *err)
{
	int key = mp_reference_column(from, MP_MEANS_TASK_ID);
	bool is_name = false;
	size_t width = (size_t)from->column_count + 2;
	struct mp_cell nothing = {.text = ""};

	layers->by_task = key >= 0;
	qsort(layers->items, layers->count, sizeof(*layers->items), layers->by_task ? by_task : by_layer);
	if (key < 0)
		key = mp_reference_column(from, MP_MEANS_LAYER_ID);
	is_name = key < 0;
	if (is_name)
		key = mp_reference_column(from, MP_MEANS_LAYER_NAME);
	if (key < 0 || (is_name && from->row_count > NAMED_ROWS_MAX))
		return 0;
	*to = *from;
	to->columns = mp_learn_calloc(width, sizeof(*to->columns));
	to->cells = mp_learn_calloc(from->row_count * width, sizeof(*to->cells));
	if (!to->columns || !to->cells)
		return mp_fail_memory(err, "tables");
	memcpy(to->columns, from->columns, (size_t)from->column_count * sizeof(*to->columns));
	if (mp_reference_column(from, MP_MEANS_TASK_ID) < 0)
		add_column(to, MP_MEANS_TASK_ID);
	if (mp_reference_column(from, MP_MEANS_STREAM_ID) < 0)
		add_column(to, MP_MEANS_STREAM_ID);
	for (size_t row = 0; row < from->row_count; row++) {
		struct mp_cell *cells = &to->cells[row * (size_t)to->column_count];
		const struct layer *l;
		char item[NAME_SIZE];

		first_item(item, mp_reference_cell(from, row, key)->text);
		l = find(layers, from->identity.model_id, item, is_name);
		memcpy(cells, mp_reference_cell(from, row, 0), (size_t)from->column_count * sizeof(*cells));
		for (int c = from->column_count; c < to->column_count; c++) {
			bool is_task = to->columns[c].meaning == MP_MEANS_TASK_ID;

			cells[c] = nothing;
			cells[c].is_number = l != NULL;
			cells[c].value = !l ? 0 : is_task ? l->task_id : l->stream_id;
		}
	}
	return 0;
}

int mp_derive(struct mp_references *derived, const struct mp_references *refs, const struct mp_job *job,
    const struct mp_layouts *layouts, struct mp_error *err)
{
	struct layers layers = {.items = NULL};
	bool any = false;
	int status = 0;

	*derived = *refs;
	derived->items = mp_learn_calloc(refs->count + 1, sizeof(*derived->items));
	if (!derived->items)
		return mp_fail_memory(err, "tables");
	memcpy(derived->items, refs->items, refs->count * sizeof(*derived->items));
	for (size_t i = 0; i < refs->count; i++)
		any |= needs(&refs->items[i]);
	if (any)
		status = read_layers(&layers, job, layouts, err);
	for (size_t i = 0; i < refs->count && !status && layers.count; i++)
		if (needs(&refs->items[i]))
			status = complete(&derived->items[i], &refs->items[i], &layers, err);
	free(layers.items);
	if (status)
		mp_derived_free(derived, refs);
	return status;
}

void mp_derived_free(struct mp_references *derived, const struct mp_references *refs)
{
	for (size_t i = 0; derived->items && i < refs->count; i++)
		if (derived->items[i].columns != refs->items[i].columns) {
			free(derived->items[i].columns);
			free(derived->items[i].cells);
		}
	free(derived->items);
	derived->items = NULL;
}
