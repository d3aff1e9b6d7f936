/*
 * match.c: gives the rows of tables to records. A row fits a record by task id and time, or by time alone; its layer
 * ids decide between several records. A row that fits several is no evidence for places, but takes the next of them.
 */
#include "learn/records.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where a record is found: by task id or ticks, and the first of its layers. */
struct keyed {
	uint32_t key, layer, record;
};

struct matcher {
	const struct mp_table *table;
	const struct mp_records *records;
	const struct mp_inference *inference;
	struct keyed *orders[2];   /* the records of each inference, by ticks; by task ids */
	const struct keyed *order; /* those of this inference */
	bool *used;                /* by record */
	bool by_ids;               /* the key is the task id, else the ticks */
	struct mp_work *work;
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
	if (x->layer != y->layer)
		return x->layer < y->layer ? -1 : 1;
	return x->record < y->record ? -1 : x->record > y->record;
}

/* A number as a bound of keys. */
static int64_t key_of(__int128 number)
{
	return number < 0 ? 0 : number > UINT32_MAX ? INT64_C(1) + UINT32_MAX : (int64_t)number;
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
	*low = key_of((__int128)(cell - 1) * one.den / one.num - 1);
	*high = key_of((__int128)(cell + 1) * one.den / one.num + 1);
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
	const char *begin = mp_table_cell(m->table, row, MP_MEANS_LAYER_ID), *cell = begin;
	const struct mp_layer *layers;
	size_t count = mp_records_layers(m->records, m->inference, record, &layers);

	for (size_t i = 0; i < count; i++) {
		char id[16];
		size_t len;

		cell += strcspn(cell, "0123456789~.");
		len = strspn(cell, "0123456789");
		if (!mp_work_take(m->work, 1 + (size_t)(cell - begin) / 16)) /* a cell may be long */
			return false;
		begin = cell;
		snprintf(id, sizeof(id), "%u", (unsigned)layers[i].layer_id);
		if (cell[len] == '~' || cell[len] == '.')
			return strncmp(cell, id, len) == 0 && (i || len);
		if (len != strlen(id) || memcmp(cell, id, len) != 0)
			return false;
		cell += len;
	}
	return count && !cell[strcspn(cell, "0123456789")];
}

/* The first layer that the cell of a row says, unless it is cut there. Returns false when it says none. */
static bool first_layer(const struct matcher *m, int64_t row, uint32_t *layer)
{
	const char *cell = mp_table_cell(m->table, row, MP_MEANS_LAYER_ID);
	char *end;
	unsigned long id;

	if (*cell < '0' || *cell > '9' || !m->inference->layer_count)
		return false;
	id = strtoul(cell, &end, 10);
	*layer = (uint32_t)id;
	return *end != '~' && *end != '.' && id <= UINT32_MAX;
}

/* The first of the records whose key and first layer are not less than these. */
static size_t find_key(const struct matcher *m, int64_t key, uint32_t layer)
{
	size_t from = 0, to = m->inference->count;

	while (from < to) {
		const struct keyed *k = &m->order[from + (to - from) / 2];

		if (k->key < key || (k->key == key && k->layer < layer))
			from = (size_t)(k - m->order) + 1;
		else
			to = (size_t)(k - m->order);
	}
	return from;
}

/* Records that fit a row: how many, up to 2, and the first that no other row took. */
struct fitting {
	uint32_t record;
	size_t count;
};

/* Look at a record. Returns false when no other one has to be looked at. */
static bool look(const struct matcher *m, int64_t row, uint32_t record, bool by_layers, struct fitting *f)
{
	if (!mp_work_take(m->work, 1))
		return false;
	if (has_time(m, row, record) && (!by_layers || has_layers(m, row, record))) {
		f->count += f->count < 2;
		if (f->record == MP_NO_RECORD && !m->used[record])
			f->record = record;
	}
	return f->count < 2 || f->record == MP_NO_RECORD;
}

/* The records that have the key, the time and the layers of a row. */
static void find_by_layers(const struct matcher *m, int64_t row, int64_t low, int64_t high, struct fitting *f)
{
	size_t count = m->inference->count, at;
	bool more = true, known;
	uint32_t layer = 0;

	known = first_layer(m, row, &layer);
	at = find_key(m, low, layer);
	while (more && at < count && m->order[at].key <= high) {
		const struct keyed *k = &m->order[at];

		if (!known || k->layer == layer) {
			more = look(m, row, k->record, true, f);
			at++;
		} else {
			more = mp_work_take(m->work, 1);
			at = find_key(m, (int64_t)k->key + (k->layer > layer), layer);
		}
	}
}

/* The record of a row, or MP_NO_RECORD. *sure: no other one fits. */
static uint32_t find_record(const struct matcher *m, int64_t row, bool *sure)
{
	struct fitting f = {MP_NO_RECORD, 0};
	int64_t low, high;

	*sure = false;
	if (row == m->table->total || !mp_work_take(m->work, 1) || !keys_of_row(m, row, &low, &high))
		return MP_NO_RECORD;
	if (*mp_table_cell(m->table, row, MP_MEANS_LAYER_ID) && m->inference->layer_count)
		find_by_layers(m, row, low, high, &f);
	for (size_t at = find_key(m, low, 0), n = f.count; !n && at < m->inference->count; at++)
		if (m->order[at].key > high || !look(m, row, m->order[at].record, false, &f))
			break;
	*sure = f.count == 1;
	return f.record;
}

/*
 * How many rows of a table fit to records of an inference; fewer than `needed` when these cannot be reached. Stores the
 * records, and whether they are sure, unless NULL.
 */
static size_t fit(struct matcher *m, const struct mp_inference *inference, size_t needed, uint32_t *records, bool *sure)
{
	size_t count = 0, left = (size_t)m->table->row_count;

	m->inference = inference;
	m->order = m->orders[m->by_ids] + inference->first;
	mp_work_take(m->work, 1 + inference->count / 64);
	memset(m->used + inference->first, 0, inference->count * sizeof(*m->used));
	for (int64_t row = 0; row < m->table->row_count && count + left >= needed && !m->work->ended; row++, left--) {
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
	return m->work->ended ? 0 : count;
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

/*
 * The inference to which most rows of a table fit, and more than half; *twice: another one is as good; *any: it may be
 * of some.
 */
static const struct mp_inference *best_of(struct matcher *m, size_t rows, bool *twice, bool *any)
{
	const struct mp_inference *best = NULL;
	size_t most = rows / MP_MATCH_PART;

	*twice = *any = false;
	for (size_t i = 0; i < m->records->inference_count; i++) {
		const struct mp_inference *inference = &m->records->inferences[i];
		size_t count;

		if (!may_be_of(&m->table->identity, &inference->identity))
			continue;
		count = fit(m, inference, best ? most : most + 1, NULL, NULL);
		*any = true;
		*twice = best && (count == most || (*twice && count < most));
		best = count > most ? inference : best;
		most = count > most ? count : most;
	}
	return best;
}

/* Find the inference of a table: by task ids, or where these are counted in another way, by times. */
static void find_inference(struct mp_table_match *out, struct matcher *m)
{
	size_t rows = (size_t)(m->table->row_count - (m->table->total != MP_NO_ROW));
	const char *why =
	    "fewer than half of its rows have the task and time of a record: is this a table of this job?";
	bool twice, any;

	m->by_ids = m->table->column_of[MP_MEANS_TASK_ID] >= 0;
	out->inference = best_of(m, rows, &twice, &any);
	if (m->by_ids && !out->inference) {
		m->by_ids = false;
		out->inference = best_of(m, rows, &twice, &any);
	}
	out->left_out = !any && m->records->is_cut;
	if (twice || m->work->ended)
		out->inference = NULL;
	if (out->inference)
		return;
	why = m->work->ended  ? "it was not searched to the end"
	      : out->left_out ? "it is left out: the job has too many records to read them all"
	      : !any          ? "the job has no records of this inference: is this a table of this job?"
	      : twice         ? "its rows fit several inferences: its name should say which"
	      : !rows         ? "it has no row of a task"
			      : why;
	snprintf(out->sentence, sizeof(out->sentence), "%s", why);
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
	fit(m, out->inference, 0, out->records, sure);
	if (m->work->ended) {
		out->inference = NULL;
		snprintf(out->sentence, sizeof(out->sentence), "it was not searched to the end");
	}
	for (size_t row = 0; row < rows && out->inference; row++)
		if (out->records[row] != MP_NO_RECORD && sure[row])
			match->rows.items[match->rows.count++] =
			    (struct mp_row){out->records[row], 1, (uint32_t)row, (uint16_t)index};
	if (m->table->total != MP_NO_ROW && out->inference)
		match->rows.items[match->rows.count++] = (struct mp_row){(uint32_t)out->inference->first,
		    (uint32_t)out->inference->count, (uint32_t)m->table->total, (uint16_t)index};
	free(sure);
	return 0;
}

/* Sort the records of each inference, by ticks and by task ids. */
static int sort_records(struct matcher *m, struct mp_error *err)
{
	const struct mp_records *r = m->records;

	m->used = malloc(r->words.count + 1);
	for (int by_ids = 0; by_ids < 2; by_ids++) {
		struct keyed *order = m->orders[by_ids] = calloc(r->words.count + 1, sizeof(*order));

		if (!order || !m->used)
			return mp_fail_memory(err, "the rows of tables");
		for (size_t n = 0; n < r->inference_count; n++) {
			const struct mp_inference *inference = &r->inferences[n];

			for (size_t i = inference->first; i < inference->first + inference->count; i++) {
				const struct mp_layer *layers;
				size_t count = mp_records_layers(r, inference, i, &layers);

				order[i] = (struct keyed){by_ids ? r->tasks[i].task_id : r->words.ticks[i],
				    count ? layers->layer_id : 0, (uint32_t)i};
			}
			qsort(order + inference->first, inference->count, sizeof(*order), compare_keys);
		}
	}
	return 0;
}

int mp_match_rows(struct mp_row_match *match, const struct mp_references *refs, const struct mp_records *records,
    struct mp_work *work, struct mp_error *err)
{
	size_t rows = 0;
	struct matcher m = {.records = records, .work = work};
	int status = sort_records(&m, err);

	memset(match, 0, sizeof(*match));
	for (size_t i = 0; i < refs->count; i++)
		rows += (size_t)refs->items[i].row_count;
	match->rows.refs = refs;
	match->rows.items = malloc((rows + 1) * sizeof(*match->rows.items));
	match->tables = calloc(refs->count + 1, sizeof(*match->tables));
	match->table_count = match->tables ? refs->count : 0;
	if (!status && (!match->tables || !match->rows.items))
		status = mp_fail_memory(err, "the rows of tables");
	for (size_t i = 0; !status && i < refs->count; i++) {
		m.table = &refs->items[i];
		mp_work_share(work, work->total / MP_WORK_MATCH_PART, refs->count - i);
		status = match_table(match, i, &m, err);
		match->not_searched += work->ended;
	}
	free(m.orders[0]);
	free(m.orders[1]);
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
