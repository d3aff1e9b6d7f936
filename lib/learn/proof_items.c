/* proof_items.c: compares tables and traces with a row a task or call. */
#include "learn/proof_internal.h"
#include "learn/proof_start.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct context {
	const struct mp_reference *ref;
	struct mp_written *written;
	const struct mp_proof_items *items;
	size_t *match;
	struct mp_proof_item total; /* of all calls, or of all tasks of the core, as reports have it */
	struct mp_proof_starts starts;
};

static const struct mp_expected no_rule = {.kind = MP_EXPECT_NO_RULE}, nothing = {.kind = MP_EXPECT_NOTHING};

static struct mp_expected amount(__int128 low, __int128 high, __int128 den)
{
	if (den == 0)
		return (struct mp_expected){.kind = MP_EXPECT_NO_QUOTIENT};
	if (den < 0)
		return (struct mp_expected){MP_EXPECT_AMOUNT, {-high, -low, -den}, NULL};
	return (struct mp_expected){MP_EXPECT_AMOUNT, {low, high, den}, NULL};
}

struct mp_expected mp_proof_duration(
    const struct mp_proof_items *items, const struct mp_proof_item *item, int64_t unit, int variant)
{
	int64_t slack = items->exact_ns ? 0 : item->parts;

	if (variant)
		return no_rule;
	if (items->has_cycles) {
		__int128 num = (__int128)item->cycles * 1000;

		return amount(num, num, (__int128)items->rate * unit);
	}
	if (item->dur_ns == MP_PROOF_MISSING)
		return nothing;
	return amount((__int128)item->dur_ns * 2 - slack, (__int128)item->dur_ns * 2 + slack, (__int128)unit * 2);
}

/* `what` per cent of `of`. */
static struct mp_expected share(int64_t what, int64_t of)
{
	if (what == MP_PROOF_MISSING || of == MP_PROOF_MISSING)
		return nothing;
	return amount((__int128)what * 100, (__int128)what * 100, of);
}

static struct mp_expected time_share(const struct context *c, const struct mp_proof_item *item, int variant)
{
	if (variant)
		return no_rule;
	return c->items->has_cycles ? share(item->cycles, c->total.cycles) : share(item->dur_ns, c->total.dur_ns);
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b; /* what is missing is the smallest number */
}

static struct mp_expected bound(const int64_t *n)
{
	enum { MAC_BUSY = 0, VEC_PPEN = 3, DSTR = 4, DLD = 6, WLD = 7 };
	int64_t num = larger(n[DSTR], larger(n[DLD], n[WLD])), den = larger(n[MAC_BUSY], n[VEC_PPEN]);

	if (num == MP_PROOF_MISSING || den == MP_PROOF_MISSING)
		return nothing;
	return amount(num, num, den);
}

/* Bytes in units of the column; variant 1: in units of 1024 where the column has units of 1000. */
static struct mp_expected bytes(__int128 count, int64_t unit, int variant)
{
	int64_t den = 1;

	if (variant > 1 || (variant == 1 && unit < 1000))
		return no_rule;
	for (int64_t u = unit; variant == 1 && u >= 1000; u /= 1000)
		den *= 1024;
	return amount(count, count, variant ? den : unit);
}

static struct mp_expected all_bytes(const int64_t *n, enum mp_meaning meaning, int64_t unit, int variant)
{
	int64_t read = n[MP_BYTES_READ], written = n[MP_BYTES_WRITTEN];

	if ((meaning != MP_MEANS_WRITE && read == MP_PROOF_MISSING) ||
	    (meaning != MP_MEANS_READ && written == MP_PROOF_MISSING))
		return variant ? no_rule : nothing;
	if (meaning == MP_MEANS_READ)
		return bytes(read, unit, variant);
	return bytes(meaning == MP_MEANS_WRITE ? written : (__int128)read + written, unit, variant);
}

/* The numbers of one task or of a sum. */
static struct mp_expected expected_number(
    const struct context *c, const struct mp_proof_item *item, int column, int variant)
{
	const struct mp_reference_column *col = &c->ref->columns[column];

	switch (col->meaning) {
	case MP_MEANS_TIME:
		return mp_proof_duration(c->items, item, col->unit, variant);
	case MP_MEANS_TIME_SHARE:
		return time_share(c, item, variant);
	case MP_MEANS_READ:
	case MP_MEANS_WRITE:
	case MP_MEANS_TOTAL:
		return all_bytes(item->numbers, col->meaning, col->unit, variant);
	case MP_MEANS_BOUND:
		return variant ? no_rule : bound(item->numbers);
	case MP_MEANS_MAC_BUSY:
	case MP_MEANS_MAC_PPEN:
	case MP_MEANS_VEC_BUSY:
	case MP_MEANS_VEC_PPEN:
	case MP_MEANS_DSTR:
	case MP_MEANS_DTRANS:
	case MP_MEANS_DLD:
	case MP_MEANS_WLD:
		return variant ? no_rule : share(item->numbers[col->meaning - MP_MEANS_MAC_BUSY], item->cycles);
	default:
		return no_rule;
	}
}

static struct mp_expected expected_text(const char *text, enum mp_expected_kind kind)
{
	if (!text)
		return nothing;
	return (struct mp_expected){.kind = kind, .text = text};
}

/* Names of events are original names of layers, or their names, or their types. */
static struct mp_expected event_name(const struct context *c, const struct mp_proof_item *item, int variant)
{
	static const enum mp_meaning names[] = {MP_MEANS_ORI_NAME, MP_MEANS_LAYER_NAME, MP_MEANS_LAYER_TYPE};
	const char *text = variant < 3 ? mp_proof_word(c->items, item, names[variant]) : NULL;

	if (variant == 0 && !text)
		text = mp_proof_word(c->items, item, MP_MEANS_LAYER_NAME);
	return variant && !text ? no_rule : expected_text(text, MP_EXPECT_TEXT);
}

static struct mp_expected whole(int64_t number)
{
	return number == MP_PROOF_MISSING ? nothing : amount(number, number, 1);
}

static struct mp_expected expected_item(
    const struct context *c, const struct mp_proof_item *item, int column, int variant)
{
	enum mp_meaning meaning = c->ref->columns[column].meaning;

	if (meaning == MP_MEANS_EVENT_NAME)
		return event_name(c, item, c->items->are_calls && variant ? MP_VARIANTS : variant);
	if (meaning == MP_MEANS_START)
		return mp_proof_expected_start(&c->starts, item, variant);
	if (meaning >= MP_MEANS_TIME && meaning <= MP_MEANS_TOTAL)
		return expected_number(c, item, column, variant);
	if (variant)
		return no_rule;
	switch (meaning) {
	case MP_MEANS_TASK_ID:
	case MP_MEANS_PID:
		return whole(item->id);
	case MP_MEANS_STREAM_ID:
	case MP_MEANS_TID:
		return whole(item->stream);
	case MP_MEANS_TASK_TYPE:
		return expected_text(item->kind ? "AA_CPU" : "AA_CORE", MP_EXPECT_TASK_TYPE);
	case MP_MEANS_KIND:
		return expected_text(mp_proof_kind_name(item->kind), MP_EXPECT_WORD);
	default:
		return expected_text(mp_proof_word(c->items, item, meaning), MP_EXPECT_TEXT);
	}
}

/* Whether the records of tasks or calls say anything of a column. */
static bool is_compared(const struct context *c, int column)
{
	enum mp_meaning meaning = c->ref->columns[column].meaning;

	if (meaning == MP_MEANS_START || meaning == MP_MEANS_TIME || meaning == MP_MEANS_TIME_SHARE ||
	    meaning == MP_MEANS_EVENT_NAME)
		return true;
	if (c->items->are_calls)
		return meaning >= MP_MEANS_PID && meaning <= MP_MEANS_CALL_NAME;
	return meaning != MP_MEANS_NOTHING && meaning <= MP_MEANS_TOTAL;
}

static unsigned rules_of_item(
    const struct context *c, const struct mp_cell *cell, const struct mp_proof_item *item, int column)
{
	unsigned rules = 0;

	if (c->ref->columns[column].meaning == MP_MEANS_KIND && cell->is_number) {
		struct mp_expected e = whole(item->kind);

		return mp_proof_rules(cell, c->written[column], &e, 0);
	}
	for (int variant = 0; variant < MP_VARIANTS; variant++) {
		struct mp_expected e = expected_item(c, item, column, variant);

		if (c->ref->columns[column].meaning == MP_MEANS_START && variant == 1)
			rules |= mp_proof_start_moved(&c->starts, cell, item)
				     ? ((1U << MP_ROUNDINGS) - 1) << MP_ROUNDINGS
				     : 0;
		else if (e.kind != MP_EXPECT_NO_RULE)
			rules |= mp_proof_rules(cell, c->written[column], &e, variant);
	}
	return rules;
}

static unsigned rules_of_total(const struct context *c, int column)
{
	const struct mp_cell *cell = &c->ref->total[column];
	enum mp_meaning meaning = c->ref->columns[column].meaning;

	if (meaning < MP_MEANS_TIME || meaning > MP_MEANS_TOTAL || strcmp(cell->text, "-") == 0 || !*cell->text)
		return MP_NOT_COMPARED;
	if (meaning == MP_MEANS_TIME_SHARE && cell->is_number && cell->value == 100 * mp_proof_power(cell->decimals))
		return MP_ALL_RULES;
	return rules_of_item(c, cell, &c->total, column);
}

static unsigned cell_rules(const struct mp_proof_table *table, size_t row, int column)
{
	const struct context *c = table->user;

	if (!is_compared(c, column))
		return MP_NOT_COMPARED;
	if (row == c->ref->row_count)
		return rules_of_total(c, column);
	if (c->match[row] == SIZE_MAX)
		return 0;
	return rules_of_item(c, mp_reference_cell(c->ref, row, column), &c->items->at[c->match[row]], column);
}

static struct mp_expected cell_expected(const struct mp_proof_table *table, size_t row, int column, int variant)
{
	const struct context *c = table->user;

	if (row == c->ref->row_count)
		return expected_item(c, &c->total, column, variant);
	if (c->match[row] == SIZE_MAX)
		return no_rule;
	return expected_item(c, &c->items->at[c->match[row]], column, variant);
}

static bool is_matched_by(const struct context *c, int column)
{
	return is_compared(c, column) && c->ref->columns[column].meaning != MP_MEANS_TIME_SHARE &&
	       (c->ref->columns[column].meaning != MP_MEANS_START || c->starts.is_guessed);
}

static size_t score(void *user, size_t row, const struct mp_proof_item *item, bool all)
{
	const struct context *c = user;
	size_t equal = 0;

	for (int i = 0; i < c->ref->column_count; i++) {
		const struct mp_cell *cell = mp_reference_cell(c->ref, row, i);

		if (!is_matched_by(c, i))
			continue;
		if (c->ref->columns[i].meaning == MP_MEANS_START ? mp_proof_start_near(&c->starts, cell, item)
								 : rules_of_item(c, cell, item, i) != 0)
			equal++;
		else if (all)
			return equal;
	}
	return equal;
}

static void add_number(int64_t *sum, int64_t number)
{
	if (number == MP_PROOF_MISSING)
		return;
	if (*sum == MP_PROOF_MISSING)
		*sum = number;
	else if (__builtin_add_overflow(*sum, number, sum))
		*sum = INT64_MAX;
}

static void add_item(struct mp_proof_item *sum, const struct mp_proof_item *item)
{
	add_number(&sum->cycles, item->cycles);
	add_number(&sum->dur_ns, item->dur_ns);
	for (int i = 0; i < MP_NUMBERS; i++)
		add_number(&sum->numbers[i], item->numbers[i]);
	sum->parts += sum->parts < UINT32_MAX;
}

static void add_up(struct context *c)
{
	c->total = (struct mp_proof_item){.cycles = MP_PROOF_MISSING, .dur_ns = MP_PROOF_MISSING};
	for (int n = 0; n < MP_NUMBERS; n++)
		c->total.numbers[n] = MP_PROOF_MISSING;
	for (size_t i = 0; i < c->items->count; i++)
		if (c->items->are_calls || c->items->at[i].kind == 0)
			add_item(&c->total, &c->items->at[i]);
}

int mp_proof_compare_items(
    struct mp_proof_line *line, const struct mp_reference *ref, struct mp_proof_items *items, struct mp_error *err)
{
	struct context c = {.ref = ref, .items = items};
	struct mp_matcher matcher = {.ref = ref, .items = items, .user = &c, .score = score};
	struct mp_proof_table table = {.ref = ref, .user = &c, .rules = cell_rules, .expected = cell_expected};
	int status = -1;

	c.written = mp_proof_written(ref, err);
	if (!c.written)
		return -1;
	table.written = c.written;
	if (mp_proof_guess_start(&c.starts, ref, items, c.written, err))
		goto done;
	do {
		free(c.match);
		matcher.full = 0;
		for (int i = 0; i < ref->column_count; i++)
			matcher.full += is_matched_by(&c, i);
		if (mp_proof_match(&c.match, &matcher, err) || mp_proof_find_start(&c.starts, c.match, err))
			goto done;
	} while (mp_proof_adopt_offset(&c.starts));
	add_up(&c);
	mp_proof_count(&table, line);
	mp_proof_note_start(&c.starts, line);
	status = 0;
done:
	free(c.match);
	free(c.written);
	return status;
}
