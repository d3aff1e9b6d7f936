/*
 * match.c: gives the rows of tables to records. A row fits a record by task id and time, or by time alone; its layer
 * ids decide between several records. A row that fits several is no evidence for places, but takes the next of them.
 */
#include "learn/match.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRIALS = 1024 };

struct keyed {
	uint32_t key, record; /* the task id, or the ticks */
};

struct matcher {
	const struct mp_table *table;
	const struct mp_records *records;
	const struct mp_inference *inference;
	struct keyed *order; /* records of the inference, by key */
	bool *used;          /* by record */
	bool by_ids;         /* the key is the task id, else the ticks */
};

struct mp_exact mp_exact_time(const struct mp_table *t, uint64_t ticks, int64_t core_mhz)
{
	return (struct mp_exact){
	    (__int128)ticks * 100000, (__int128)core_mhz * t->columns[t->column_of[MP_MEANS_TIME]].unit};
}

static int compare_keys(const void *a, const void *b)
{
	const struct keyed *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return x->record < y->record ? -1 : x->record > y->record;
}

/* The least key that a row may have, and the most. Returns false when the row has no key. */
static bool keys_of_row(const struct matcher *m, int64_t row, int64_t *low, int64_t *high)
{
	const struct mp_table *t = m->table;
	struct mp_exact one;
	int64_t cell;

	if (m->by_ids) {
		if (!mp_table_number(t, row, MP_MEANS_TASK_ID, low))
			return false;
		*high = *low;
		return true;
	}
	if (!m->inference->core_mhz || !mp_table_number(t, row, MP_MEANS_TIME, &cell) || cell < 0)
		return false;
	one = mp_exact_time(t, 1, m->inference->core_mhz);
	one.num *= mp_power_of_10(t->columns[t->column_of[MP_MEANS_TIME]].decimals);
	*low = (int64_t)((__int128)(cell - 1) * one.den / one.num) - 1;
	*high = (int64_t)((__int128)(cell + 1) * one.den / one.num) + 1;
	return true;
}

static bool has_time(const struct matcher *m, int64_t row, uint32_t record)
{
	const struct mp_table *t = m->table;
	int column = t->column_of[MP_MEANS_TIME];
	int64_t cell;

	if (column < 0 || !m->inference->core_mhz)
		return true;
	return mp_table_number(t, row, MP_MEANS_TIME, &cell) &&
	       mp_exact_rules(mp_exact_time(t, m->records->words.ticks[record], m->inference->core_mhz), cell,
		   t->columns[column].decimals);
}

/* Whether the ids of a record's layers are those of a cell, which may be cut, also within a number. */
static bool has_layers(const struct matcher *m, int64_t row, uint32_t record)
{
	const char *cell = mp_table_cell(m->table, row, MP_MEANS_LAYER_ID);
	const struct mp_layer *layers;
	size_t count = mp_records_layers(m->records, m->inference, record, &layers);

	for (size_t i = 0; i < count; i++) {
		char id[16];
		size_t len;

		cell += strcspn(cell, "0123456789~.");
		len = strspn(cell, "0123456789");
		snprintf(id, sizeof(id), "%u", (unsigned)layers[i].layer_id);
		if (cell[len] == '~' || cell[len] == '.')
			return strncmp(cell, id, len) == 0 && (i || len);
		if (len != strlen(id) || memcmp(cell, id, len) != 0)
			return false;
		cell += len;
	}
	return count && !cell[strcspn(cell, "0123456789")];
}

/* The record of a row, or MP_NO_RECORD. *sure: no other one fits. */
static uint32_t find_record(const struct matcher *m, int64_t row, bool *sure)
{
	uint32_t found[2] = {MP_NO_RECORD, MP_NO_RECORD}; /* the first that fits; with these layers */
	size_t from = 0, to = m->inference->count, count[2] = {0, 0};
	int64_t low, high;

	if (row == m->table->total || !keys_of_row(m, row, &low, &high))
		return MP_NO_RECORD;
	while (from < to) {
		size_t mid = from + (to - from) / 2;

		if ((int64_t)m->order[mid].key < low)
			from = mid + 1;
		else
			to = mid;
	}
	for (; from < m->inference->count && (int64_t)m->order[from].key <= high; from++) {
		uint32_t record = m->order[from].record;
		int fits = has_time(m, row, record) ? has_layers(m, row, record) ? 2 : 1 : 0;

		for (int i = 0; i < fits; i++) {
			count[i]++;
			if (found[i] == MP_NO_RECORD && !m->used[record])
				found[i] = record;
		}
		if (count[1] > 1 || count[0] == TRIALS)
			break;
	}
	*sure = count[count[1] > 0] == 1;
	return found[count[1] > 0];
}

/* How many rows of a table fit to records of an inference. Stores these, and whether they are sure, unless NULL. */
static size_t fit(struct matcher *m, const struct mp_inference *inference, uint32_t *records, bool *sure)
{
	size_t count = 0;

	m->inference = inference;
	memset(m->used + inference->first, 0, inference->count * sizeof(*m->used));
	for (size_t i = 0; i < inference->count; i++) {
		uint32_t record = (uint32_t)(inference->first + i);

		m->order[i] = (struct keyed){
		    m->by_ids ? m->records->tasks[record].task_id : m->records->words.ticks[record], record};
	}
	qsort(m->order, inference->count, sizeof(*m->order), compare_keys);
	for (int64_t row = 0; row < m->table->row_count; row++) {
		bool one = false;
		uint32_t record = find_record(m, row, &one);

		if (record != MP_NO_RECORD) {
			m->used[record] = true;
			count++;
		}
		if (records) {
			records[row] = record;
			sure[row] = one;
		}
	}
	return count;
}

static bool is_same(int64_t a, int64_t b)
{
	return a < 0 || b < 0 || a == b;
}

/* Whether a table may be of an inference, by its name. */
static bool may_be_of(const struct mp_identity *table, const struct mp_identity *inference)
{
	return is_same(table->device_id, inference->device_id) && is_same(table->model_id, inference->model_id) &&
	       is_same(table->batch, inference->batch) && is_same(table->input_pic_num, inference->input_pic_num) &&
	       is_same(table->current_pic, inference->current_pic) &&
	       (!table->model[0] || !inference->model[0] || strcmp(table->model, inference->model) == 0);
}

/* The inference to which most rows of a table fit, `most`; *twice: another one is as good; *any: it may be of some. */
static const struct mp_inference *best_of(struct matcher *m, size_t *most, bool *twice, bool *any)
{
	const struct mp_inference *best = NULL;

	*most = 0;
	*twice = *any = false;
	for (size_t i = 0; i < m->records->inference_count; i++) {
		const struct mp_inference *inference = &m->records->inferences[i];
		size_t count;

		if (!may_be_of(&m->table->identity, &inference->identity))
			continue;
		count = fit(m, inference, NULL, NULL);
		*any = true;
		*twice = count == *most ? count > 0 : *twice && count < *most;
		best = count > *most ? inference : best;
		*most = count > *most ? count : *most;
	}
	return best;
}

/* Find the inference of a table: by task ids, or where these are counted in another way, by times. */
static void find_inference(struct mp_table_match *out, struct matcher *m)
{
	size_t rows = (size_t)(m->table->row_count - (m->table->total != MP_NO_ROW)), most;
	bool twice, any;

	m->by_ids = m->table->column_of[MP_MEANS_TASK_ID] >= 0;
	out->inference = best_of(m, &most, &twice, &any);
	if (m->by_ids && most * 2 <= rows) {
		m->by_ids = false;
		out->inference = best_of(m, &most, &twice, &any);
	}
	out->left_out = !any && m->records->is_cut;
	if (twice || most * 2 <= rows)
		out->inference = NULL;
	if (!any || !rows || twice)
		snprintf(out->sentence, sizeof(out->sentence), "%s",
		    out->left_out ? "it is left out: the job has too many records to read them all"
		    : !any        ? "the job has no records of this inference: is this a table of this job?"
		    : twice       ? "its rows fit several inferences: its name should say which"
				  : "it has no row of a task");
	else if (!out->inference)
		snprintf(out->sentence, sizeof(out->sentence),
		    "%zu of %zu rows have the task and time of a record: is this a table of this job?", most, rows);
}

/* Find the records of a table's rows. Rows that fit several are no evidence. */
static int match_table(struct mp_row_match *match, size_t index, struct matcher *m, struct mp_error *err)
{
	struct mp_table_match *out = &match->tables[index];
	size_t rows = (size_t)m->table->row_count;
	bool *sure;

	find_inference(out, m);
	if (!out->inference)
		return 0;
	out->records = malloc((rows + 1) * sizeof(*out->records));
	sure = calloc(rows + 1, sizeof(*sure));
	if (!out->records || !sure) {
		free(sure);
		return mp_fail_memory(err, "the rows of tables");
	}
	memset(out->records, 0xff, (rows + 1) * sizeof(*out->records)); /* MP_NO_RECORD */
	fit(m, out->inference, out->records, sure);
	for (size_t row = 0; row < rows; row++)
		if (out->records[row] != MP_NO_RECORD && sure[row])
			match->rows.items[match->rows.count++] =
			    (struct mp_row){out->records[row], 1, (uint32_t)row, (uint16_t)index};
	if (m->table->total != MP_NO_ROW)
		match->rows.items[match->rows.count++] = (struct mp_row){(uint32_t)out->inference->first,
		    (uint32_t)out->inference->count, (uint32_t)m->table->total, (uint16_t)index};
	free(sure);
	return 0;
}

int mp_match_rows(struct mp_row_match *match, const struct mp_references *refs, const struct mp_records *records,
    struct mp_error *err)
{
	size_t rows = 0;
	struct matcher m = {.records = records,
	    .order = malloc((records->words.count + 1) * sizeof(*m.order)),
	    .used = malloc(records->words.count + 1)};
	int status = 0;

	memset(match, 0, sizeof(*match));
	for (size_t i = 0; i < refs->count; i++)
		rows += (size_t)refs->items[i].row_count;
	match->rows.refs = refs;
	match->rows.items = malloc((rows + 1) * sizeof(*match->rows.items));
	match->tables = calloc(refs->count + 1, sizeof(*match->tables));
	match->table_count = match->tables ? refs->count : 0;
	if (!m.order || !m.used || !match->tables || !match->rows.items)
		status = mp_fail_memory(err, "the rows of tables");
	for (size_t i = 0; !status && i < refs->count; i++) {
		m.table = &refs->items[i];
		status = match_table(match, i, &m, err);
	}
	free(m.order);
	free(m.used);
	if (status)
		mp_row_match_free(match);
	return status;
}

void mp_row_match_free(struct mp_row_match *match)
{
	for (size_t i = 0; i < match->table_count; i++)
		free(match->tables[i].records);
	free(match->tables);
	free(match->rows.items);
	memset(match, 0, sizeof(*match));
}
