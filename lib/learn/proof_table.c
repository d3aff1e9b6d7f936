/* proof_table.c: compares all cells of a table, keeps one rule a column, and tells the first difference. */
#include "learn/proof_internal.h"

#include "base/text.h"
#include "learn/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct mp_cell *mp_proof_cell(const struct mp_reference *ref, size_t row, int column)
{
	return row < ref->row_count ? mp_reference_cell(ref, row, column) : &ref->total[column];
}

struct mp_written *mp_proof_written(const struct mp_reference *ref, struct mp_error *err)
{
	size_t columns = (size_t)ref->column_count, rows = ref->row_count + (ref->total != NULL);
	struct mp_written *written = mp_learn_calloc(columns ? columns : 1, sizeof(*written));

	if (!written) {
		mp_error_set(err, "out of memory for the proof of '%s'", ref->name);
		return NULL;
	}
	for (int c = 0; c < ref->column_count; c++) {
		size_t shorts = 0, longs = 0;

		for (size_t r = 0; r < rows; r++) {
			const struct mp_cell *cell = mp_proof_cell(ref, r, c);

			if (mp_proof_is_long(cell)) {
				longs++;
			} else if (cell->is_number) {
				shorts++;
				if (mp_cell_decimals(cell) > written[c].decimals)
					written[c].decimals = mp_cell_decimals(cell);
			}
		}
		written[c].is_long = longs && longs >= shorts;
	}
	return written;
}

static bool is_zero(const struct mp_cell *cell)
{
	return cell->is_number && cell->value == 0;
}

/* A table says AI_CORE or AA_CORE, AI_CPU or AA_CPU. */
static bool same_task_type(const char *cell, const char *text)
{
	size_t len = strlen(cell), end = strlen(text) - 3; /* behind "AA_" */

	return strcasecmp(cell, text) == 0 ||
	       (len >= end && strcasecmp(cell + len - end, text + 3) == 0 && len <= end + 3);
}

unsigned mp_proof_rules(
    const struct mp_cell *cell, struct mp_written written, const struct mp_expected *expected, int variant)
{
	unsigned all = (1U << MP_ROUNDINGS) - 1, rules = 0;

	switch (expected->kind) {
	case MP_EXPECT_NO_RULE:
		break;
	case MP_EXPECT_NOTHING:
		rules = mp_proof_is_empty(cell->text) ? all : 0;
		break;
	case MP_EXPECT_NO_QUOTIENT:
		rules = mp_proof_is_empty(cell->text) || is_zero(cell) ? all : 0;
		break;
	case MP_EXPECT_AMOUNT:
		rules = mp_proof_same_amount(cell, written, &expected->amount);
		break;
	case MP_EXPECT_TEXT:
		rules = mp_proof_same_text(cell->text, expected->text) ? all : 0;
		break;
	case MP_EXPECT_TASK_TYPE:
		rules = same_task_type(cell->text, expected->text) ? all : 0;
		break;
	case MP_EXPECT_WORD:
		rules = strcasecmp(cell->text, expected->text) == 0 ? all : 0;
		break;
	}
	return rules << (variant * MP_ROUNDINGS);
}

/* Write "row 7, 'Title': 12.35, and the records say 12.34". */
static void tell(const struct mp_proof_table *table, size_t row, int column, int rule, struct mp_proof_line *line)
{
	const struct mp_reference *ref = table->ref;
	struct mp_expected e = table->expected(table, row, column, rule / MP_ROUNDINGS);
	char place[32], title[64], cell[64], said[64] = "nothing";
	const char *verb = e.kind == MP_EXPECT_NO_RULE ? "have no such row" : "say ";

	if (e.kind == MP_EXPECT_AMOUNT)
		mp_proof_amount_text(&e.amount, table->written[column].is_long ? 12 : table->written[column].decimals,
		    rule % MP_ROUNDINGS, said, sizeof(said));
	else if (e.text && e.kind != MP_EXPECT_NO_RULE)
		mp_sanitise(said, sizeof(said), e.text, strlen(e.text));
	mp_sanitise(title, sizeof(title), ref->columns[column].title, strlen(ref->columns[column].title));
	mp_sanitise(
	    cell, sizeof(cell), mp_proof_cell(ref, row, column)->text, strlen(mp_proof_cell(ref, row, column)->text));
	if (row < ref->row_count)
		snprintf(place, sizeof(place), "row %zu", row + 1);
	else
		snprintf(place, sizeof(place), "the total");
	snprintf(line->first, sizeof(line->first), "%s, '%s': %s, and the records %s%s", place, title,
	    *cell ? cell : "empty", verb, e.kind == MP_EXPECT_NO_RULE ? "" : said);
}

/* The rule under which most cells of a column are equal; adds to the counts of the line. */
static int best_rule(const struct mp_proof_table *table, int column, size_t *cells, size_t *equal)
{
	size_t rows = table->ref->row_count + (table->ref->total != NULL), counts[MP_RULES] = {0}, whole = 0;
	int best = 0;

	*cells = 0;
	for (size_t row = 0; row < rows; row++) {
		unsigned rules = table->rules(table, row, column);

		*cells += !(rules & MP_NOT_COMPARED);
		if (rules == MP_ALL_RULES)
			whole++;
		else
			for (int i = 0; i < MP_RULES && rules >> i; i++)
				counts[i] += rules >> i & 1;
	}
	for (int i = 0; i < MP_RULES; i++) {
		if (counts[i] > counts[best])
			best = i;
	}
	*equal = counts[best] + whole;
	return best;
}

static size_t first_other(const struct mp_proof_table *table, int column, int rule, size_t rows)
{
	for (size_t row = 0; row < rows; row++) {
		unsigned rules = table->rules(table, row, column);

		if (!(rules & MP_NOT_COMPARED) && !(rules >> rule & 1))
			return row;
	}
	return rows;
}

void mp_proof_count(const struct mp_proof_table *table, struct mp_proof_line *line)
{
	const struct mp_reference *ref = table->ref;
	size_t rows = ref->row_count + (ref->total != NULL), first = rows;

	line->cells = 0;
	line->equal = 0;
	line->unknown = 0;
	line->first[0] = '\0';
	for (int c = 0; c < ref->column_count; c++) {
		size_t cells, equal, row;
		int rule;

		if (ref->columns[c].meaning == MP_MEANS_NOTHING) {
			line->unknown++;
			continue;
		}
		rule = best_rule(table, c, &cells, &equal);
		line->unknown += cells == 0 && rows > 0;
		line->cells += cells;
		line->equal += equal;
		if (equal == cells)
			continue;
		row = first_other(table, c, rule, first);
		if (row < first) {
			first = row;
			tell(table, row, c, rule, line);
		}
	}
}
