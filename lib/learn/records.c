/* records.c: reads aicore records, the inferences that they are of, and the layers of their models. */
#include "learn/records.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/schema.h"
#include "base/vec.h"

static bool is_of(const struct mp_job_file *f, const char *table)
{
	return f->state == MP_FILE_RAW && strcmp(f->layout->table, table) == 0;
}

static size_t count_records(const struct mp_job_file *f)
{
	return (size_t)f->size / f->layout->size;
}

/* Call `see` with each record of a file, numbered from `index` on. A file that cannot be opened has none. */
static int each_record(const struct mp_job *job, const struct mp_job_file *f, size_t index,
    int (*see)(void *user, struct mp_reader *reader, size_t index), void *user, struct mp_error *err)
{
	struct mp_reader *reader;
	int fd = mp_job_open_file(job, f), status;

	if (fd < 0)
		return 0;
	status = mp_reader_open(&reader, fd, f->layout, mp_job_clock(job, f), NULL, err);
	if (!status) {
		while (!status && index < MP_RECORDS_MAX && mp_reader_next(reader))
			status = see(user, reader, index++);
		if (status)
			mp_error_set_memory(err, "records");
		mp_reader_close(reader);
	}
	close(fd); /* read only: nothing to lose */
	return status;
}

int mp_records_each(const struct mp_job *job, int (*see)(void *user, struct mp_reader *reader, size_t index),
    void *user, struct mp_error *err)
{
	size_t first = 0;

	for (size_t i = 0; i < job->file_count; i++)
		if (is_of(&job->files[i], "aicore_task")) {
			if (each_record(job, &job->files[i], first, see, user, err))
				return -1;
			first += count_records(&job->files[i]);
		}
	return 0;
}

/* Records of a part of a file are those of an inference. One that is not wholly read is left out. */
static int add_inference(struct mp_records *r, const struct mp_job *job, const struct mp_job_file *f,
    const struct mp_identity *identity, size_t first, size_t end)
{
	struct mp_inference *last;

	if (first >= end || end > r->words.count)
		return 0;
	if (!mp_vec_room(r->inferences, r->inference_count, 1))
		return -1;
	last = &r->inferences[r->inference_count++];
	*last = (struct mp_inference){
	    .identity = *identity, .core_mhz = mp_job_clock(job, f)->core_mhz, .first = first, .count = end - first};
	for (size_t i = first; i < end; i++)
		last->ticks += r->words.ticks[i];
	return 0;
}

/*
 * Markers describe portions of a file, one behind the other. A file of one inference, whose marker tells fewer bytes,
 * has an earlier one before; what no marker describes is left out.
 */
static int add_inferences(
    struct mp_records *r, const struct mp_job *job, const struct mp_job_file *f, size_t first, struct mp_error *err)
{
	size_t size = f->layout->size, count = count_records(f), at = 0;
	int status = 0;

	if (!f->marker_count || f->markers[0].bytes < 0)
		status = add_inference(r, job, f, &f->identity, first, first + count);
	else if (f->identity.model[0] && f->markers[0].bytes < f->size)
		at = count - (size_t)f->markers[0].bytes / size;
	for (size_t i = 0; !status && i < f->marker_count && f->markers[i].bytes >= 0; i++) {
		size_t told = (size_t)f->markers[i].bytes / size, end = told < count - at ? at + told : count;

		status = add_inference(r, job, f, &f->markers[i].identity, first + at, first + end);
		at = end;
	}
	return status ? mp_fail_memory(err, "inferences") : 0;
}

/* Room for the records of all files, and the bytes of the hardware in each. */
static int make_room(struct mp_records *r, const struct mp_job *job, struct mp_error *err)
{
	struct mp_learn_words *w = &r->words;
	const struct mp_layout *l;

	for (size_t i = 0; i < job->file_count; i++)
		if (is_of(&job->files[i], "aicore_task")) {
			r->layout = job->files[i].layout;
			w->count += count_records(&job->files[i]);
		}
	l = r->layout;
	if (!l)
		return 0;
	r->is_cut = w->count > MP_RECORDS_MAX;
	w->count = r->is_cut ? MP_RECORDS_MAX : w->count;
	w->hardware = calloc(l->size + 1, sizeof(*w->hardware));
	if (!w->hardware)
		return mp_fail_memory(err, "records");
	for (int i = 0; i < l->pad_count; i++)
		memset(w->hardware + l->pads[i].offset, 1, l->pads[i].width);
	for (int i = 0; i < l->column_count; i++)
		if (l->columns[i].assumed)
			memset(
			    w->hardware + l->fields[l->columns[i].from].offset, 1, l->fields[l->columns[i].from].width);
	for (w->low = 0; w->low < l->size && !w->hardware[w->low]; w->low++)
		;
	for (w->span = l->size - w->low; w->span && !w->hardware[w->low + w->span - 1]; w->span--)
		;
	w->bytes = calloc(w->count + 1, w->span + 8);
	w->ticks = calloc(w->count + 1, sizeof(*w->ticks));
	r->tasks = calloc(w->count + 1, sizeof(*r->tasks));
	return w->bytes && w->ticks && r->tasks ? 0 : mp_fail_memory(err, "records");
}

static uint32_t number_of(struct mp_reader *reader, const struct mp_layout *l, const char *column)
{
	return (uint32_t)mp_int_of(mp_reader_value(reader, mp_layout_column(l, column)));
}

static int see_record(void *user, struct mp_reader *reader, size_t index)
{
	struct mp_records *r = user;
	int64_t offset;
	const unsigned char *bytes = mp_reader_bytes(reader, &offset);

	if (index >= r->words.count) /* the file has grown */
		return 0;
	memcpy(r->words.bytes + index * r->words.span, bytes + r->words.low, r->words.span);
	r->words.ticks[index] = number_of(reader, r->layout, "ticks");
	r->tasks[index].task_id = number_of(reader, r->layout, "task_id");
	r->tasks[index].seg_id = number_of(reader, r->layout, "seg_id");
	return 0;
}

/* Whether a type is in the line "KIND: TYPE, TYPE, ..." of schema/learn/types.txt. */
static bool is_type(const char *kind, struct mp_value type)
{
	const char *at = strstr(mp_schema_text("learn/types.txt"), kind);

	for (at += at ? strlen(kind) : 0; at && *at == ' '; at += strcspn(at, ",\n"), at += *at == ',') {
		at++;
		if (type.type == MP_TEXT && strcspn(at, ",\n") == type.len && memcmp(at, type.text, type.len) == 0)
			return true;
	}
	return false;
}

struct layers {
	struct mp_records *records;
	const struct mp_layout *layout;
};

static int see_layer(void *user, struct mp_reader *reader, size_t index)
{
	const struct layers *l = user;
	struct mp_records *r = l->records;
	struct mp_value type = mp_reader_value(reader, mp_layout_column(l->layout, "type"));

	(void)index;
	if (mp_reader_value(reader, mp_layout_column(l->layout, "task_id")).type != MP_INT) /* it has no record */
		return 0;
	if (!mp_vec_room(r->layers, r->layer_count, 1))
		return -1;
	r->layers[r->layer_count++] = (struct mp_layer){.task_id = number_of(reader, l->layout, "task_id"),
	    .seg_id = number_of(reader, l->layout, "seg_id"),
	    .layer_id = number_of(reader, l->layout, "layer_id"),
	    .is_matrix = is_type("\nmatrix:", type),
	    .is_input = is_type("\ninput:", type)};
	return 0;
}

static int compare_layers(const void *a, const void *b)
{
	const struct mp_layer *x = a, *y = b;

	if (x->task_id != y->task_id)
		return x->task_id < y->task_id ? -1 : 1;
	if (x->seg_id != y->seg_id)
		return x->seg_id < y->seg_id ? -1 : 1;
	return x->layer_id < y->layer_id ? -1 : x->layer_id > y->layer_id;
}

/* Read the layers of a model, and give them to its inferences. */
static int read_layers(
    struct mp_records *r, const struct mp_job *job, const struct mp_job_file *f, struct mp_error *err)
{
	size_t first = r->layer_count;

	if (each_record(job, f, first, see_layer, &(struct layers){r, f->layout}, err))
		return -1;
	if (r->layer_count > first)
		qsort(r->layers + first, r->layer_count - first, sizeof(*r->layers), compare_layers);
	for (size_t i = 0; i < r->inference_count; i++)
		if (r->inferences[i].identity.model_id == f->identity.model_id &&
		    strcmp(r->inferences[i].identity.model, f->identity.model) == 0) {
			r->inferences[i].first_layer = first;
			r->inferences[i].layer_count = r->layer_count - first;
		}
	return 0;
}

int mp_records_read(struct mp_records *r, const struct mp_job *job, struct mp_error *err)
{
	size_t first = 0;
	int status;

	memset(r, 0, sizeof(*r));
	status = make_room(r, job, err) || (r->layout && mp_records_each(job, see_record, r, err));
	for (size_t i = 0; !status && i < job->file_count; i++)
		if (is_of(&job->files[i], "aicore_task")) {
			status = add_inferences(r, job, &job->files[i], first, err);
			first += count_records(&job->files[i]);
		}
	for (size_t i = 0; !status && i < job->file_count; i++)
		if (is_of(&job->files[i], "layer_item"))
			status = read_layers(r, job, &job->files[i], err);
	if (status)
		mp_records_free(r);
	return status ? -1 : 0;
}

void mp_records_free(struct mp_records *r)
{
	free(r->words.hardware);
	free(r->words.bytes);
	free(r->words.ticks);
	free(r->tasks);
	free(r->inferences);
	free(r->layers);
	memset(r, 0, sizeof(*r));
}

/* The first layer from `low` on that is not before a task; `behind`: not before the end of it. */
static size_t find_layer(const struct mp_records *r, size_t low, size_t high, const struct mp_task *task, bool behind)
{
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		const struct mp_layer *l = &r->layers[mid];
		bool same = l->task_id == task->task_id, all = task->seg_id == MP_NO_SEG;

		if (l->task_id < task->task_id || (same && !all && l->seg_id < task->seg_id) ||
		    (behind && same && (all || l->seg_id == task->seg_id)))
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

size_t mp_records_layers(
    const struct mp_records *r, const struct mp_inference *inference, size_t record, const struct mp_layer **first)
{
	const struct mp_task *task = &r->tasks[record];
	size_t end = inference->first_layer + inference->layer_count;
	size_t low = find_layer(r, inference->first_layer, end, task, false);

	*first = inference->layer_count ? r->layers + low : NULL;
	return find_layer(r, low, end, task, true) - low;
}
