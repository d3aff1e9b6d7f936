/* proof.c: computes what tables say from the columns that a layout decodes, and compares cell by cell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "learn/learn_internal.h"

struct prover {
	const struct mp_records *records;
	uint64_t *counters; /* MP_COUNTERS a record */
	int columns[MP_COUNTERS];
	uint64_t tenths; /* of a cycle in a part of a cycle */
	const struct mp_table *table;
	const struct mp_table_match *match;
	struct mp_proof_line *line;
	unsigned char rules[MP_MEANS_COUNT]; /* that make all cells of a column so far */
};

static int see_record(void *user, struct mp_reader *reader, size_t index)
{
	struct prover *p = user;

	for (int i = 0; i < MP_COUNTERS && index < p->records->words.count; i++) {
		struct mp_value v = {.type = MP_NULL};

		if (p->columns[i] >= 0)
			v = mp_reader_value(reader, p->columns[i]);
		if (v.type == MP_INT && v.i >= 0 && (uint64_t)v.i <= 10 * MP_COUNTER_MAX)
			p->counters[index * MP_COUNTERS + (size_t)i] = (uint64_t)v.i * (mp_is_bytes(i) ? 1 : p->tenths);
	}
	return 0;
}

/* The counters of all records by the layouts. */
static int decode(struct prover *p, const char *path, const struct mp_layouts *layouts, struct mp_error *err)
{
	size_t count = p->records->words.count * MP_COUNTERS;
	struct mp_job *job;
	int status;

	p->counters = malloc((count + 1) * sizeof(*p->counters));
	if (!p->counters)
		return mp_fail_memory(err, "the proof");
	for (size_t i = 0; i < count; i++)
		p->counters[i] = MP_IMPOSSIBLE;
	for (size_t n = 0; n < layouts->count; n++)
		if (strcmp(layouts->items[n]->name, p->records->layout->name) == 0) {
			p->tenths = 10 / layouts->items[n]->parts;
			for (int i = 0; i < MP_COUNTERS; i++)
				p->columns[i] = mp_layout_column(layouts->items[n], mp_counter_name(i));
		}
	if (mp_job_open(&job, path, layouts, NULL, err))
		return -1;
	status = mp_records_each(job, see_record, p, err);
	mp_job_close(job);
	return status;
}

static void sum_up(const struct prover *p, size_t first, size_t count, struct mp_item *item)
{
	memset(item, 0, sizeof(*item));
	for (size_t i = first; i < first + count; i++) {
		item->ticks += p->records->words.ticks[i];
		for (int k = 0; k < MP_COUNTERS; k++) {
			uint64_t v = p->counters[i * MP_COUNTERS + (size_t)k];

			item->counters[k] = v == MP_IMPOSSIBLE || item->counters[k] < 0 ? -1 : item->counters[k] + v;
		}
	}
}

/* What a cell should say. Returns false when a counter that it needs is unknown. */
static bool expect(const struct prover *p, const struct mp_item *item, enum mp_meaning m, struct mp_exact *exact)
{
	if (m == MP_MEANS_TIME)
		*exact = mp_exact_time(p->table, item->ticks, p->match->inference->core_mhz);
	else if (m == MP_MEANS_TIME_RATIO)
		*exact = (struct mp_exact){(__int128)item->ticks * 100, p->match->inference->ticks};
	else
		return mp_expect(p->table, m, item, exact);
	return true;
}

/* Whether a cell says that there is no such number, as tables do in several ways. */
static bool says_nothing(const char *cell)
{
	return !*cell || strcmp(cell, "N/A") == 0 || strcmp(cell, "-") == 0 || strcmp(cell, "nan") == 0;
}

static bool is_equal(struct prover *p, int64_t row, enum mp_meaning m, struct mp_exact exact)
{
	int column = p->table->column_of[m];
	unsigned rules;
	int64_t cell;

	if (!exact.den)
		return says_nothing(mp_table_cell(p->table, row, m)) ||
		       (mp_table_number(p->table, row, m, &cell) && cell == 0);
	if (!mp_table_number(p->table, row, m, &cell))
		return false;
	rules = mp_exact_rules(exact, cell, p->table->columns[column].decimals) & p->rules[m];
	if (rules) {
		p->rules[m] = (unsigned char)rules;
		return true;
	}
	return row == p->table->total && mp_is_sum_of_cells(p->table, m);
}

/* Say the first difference of a table. */
static void say(struct prover *p, int64_t row, enum mp_meaning m, const struct mp_exact *exact)
{
	const char *cell = mp_table_cell(p->table, row, m);
	char title[64], says[64], made[64] = "nothing";

	if (p->line->first[0])
		return;
	mp_sanitise(title, sizeof(title), p->table->columns[p->table->column_of[m]].title,
	    strlen(p->table->columns[p->table->column_of[m]].title));
	mp_sanitise(says, sizeof(says), cell, strlen(cell));
	if (exact)
		mp_exact_text(*exact, p->table->columns[p->table->column_of[m]].decimals, made, sizeof(made));
	snprintf(p->line->first, sizeof(p->line->first), "row %lld, %s: the table says '%s', the records %s",
	    (long long)row + 1, title, says, made);
}

/* Compare a row with what it is made of; NULL: no record is of the row. */
static void compare(struct prover *p, int64_t row, const struct mp_item *item)
{
	for (int i = MP_MEANS_TIME; i < MP_MEANS_COUNT; i++) {
		enum mp_meaning m = (enum mp_meaning)i;
		struct mp_exact exact = {0, 0};
		bool known;

		if (p->table->column_of[m] < 0)
			continue;
		known = item && expect(p, item, m, &exact);
		p->line->cells++;
		if (known && is_equal(p, row, m, exact))
			p->line->equal++;
		else
			say(p, row, m, known ? &exact : NULL);
	}
}

static void compare_table(struct prover *p)
{
	const struct mp_inference *all = p->match->inference;
	struct mp_item item;

	memset(p->rules, MP_RULE_ANY, sizeof(p->rules));
	for (int i = 0; i < p->table->column_count; i++)
		p->line->unknown += p->table->columns[i].meaning == MP_MEANS_NOTHING;
	for (int64_t row = 0; row < p->table->row_count && all; row++) {
		uint32_t record = p->match->records[row];

		if (row == p->table->total)
			sum_up(p, all->first, all->count, &item);
		else if (record != MP_NO_RECORD)
			sum_up(p, record, 1, &item);
		compare(p, row, row == p->table->total || record != MP_NO_RECORD ? &item : NULL);
	}
}

int mp_prove(struct mp_learned *learned, const char *path, const struct mp_layouts *layouts, struct mp_error *err)
{
	struct prover p = {.records = &learned->records};
	size_t count = learned->match.table_count;
	int status = decode(&p, path, layouts, err);

	learned->proof = calloc(count + 1, sizeof(*learned->proof));
	if (!status && !learned->proof)
		status = mp_fail_memory(err, "the proof");
	for (size_t i = 0; !status && i < count; i++) {
		p.table = &learned->refs.items[i];
		p.match = &learned->match.tables[i];
		p.line = &learned->proof[i];
		p.line->name = p.table->name;
		snprintf(p.line->first, sizeof(p.line->first), "%s", p.match->sentence);
		compare_table(&p);
		learned->proof_count++;
	}
	free(p.counters);
	return status;
}
