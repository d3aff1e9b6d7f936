/* reference.c: makes tables of the cells that a reader gives, and reads their numbers. Knows no file. */
#include "learn/learn_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "learn/reference.h"

/* Read "e-05" behind a number, or nothing. Returns false for another text, or an exponent that is too large. */
static bool read_exponent(const char *at, int *exponent)
{
	char *end = (char *)at;
	long number = 0;

	if ((*at == 'e' || *at == 'E') && (at[1] == '-' || at[1] == '+' || (at[1] >= '0' && at[1] <= '9')))
		number = strtol(at + 1, &end, 10);
	*exponent = (int)number;
	return number >= -MP_DECIMALS_MAX && number <= 18 && !end[strspn(end, " \t\r\n")];
}

bool mp_decimal_read(const char *text, int64_t *value, int *decimals)
{
	const char *at = text + strspn(text, " \t");
	bool negative = *at == '-', behind = false;
	int places = 0, exponent;
	int64_t v = 0;

	for (at += negative; (*at >= '0' && *at <= '9') || (*at == '.' && !behind); at++) {
		if (*at == '.')
			behind = true;
		else if (behind && places == MP_DECIMALS_MAX && *at == '0' && !at[strspn(at, "0")])
			at += strlen(at) - 1; /* zeros at the end */
		else if (__builtin_mul_overflow(v, 10, &v) || __builtin_add_overflow(v, *at - '0', &v))
			return false;
		else
			places += behind;
	}
	if (at == text || at[-1] < '0' || !read_exponent(at, &exponent))
		return false;
	for (places -= exponent; places > 0 && v % 10 == 0; places--)
		v /= 10;
	for (; places < 0; places++)
		if (__builtin_mul_overflow(v, 10, &v))
			return false;
	*value = negative ? -v : v;
	*decimals = places;
	return places <= MP_DECIMALS_MAX;
}

__int128 mp_power_of_10(int exponent)
{
	__int128 power = 1;

	for (; exponent > 0; exponent--)
		power *= 10;
	return power;
}

bool mp_is_sum_of_cells(const struct mp_table *t, enum mp_meaning m)
{
	int64_t cell, total, sum = 0;

	if ((m != MP_MEANS_TIME && (m < MP_MEANS_DDR_READ || m > MP_MEANS_DDR_TOTAL)) ||
	    !mp_table_number(t, t->total, m, &total))
		return false;
	for (int64_t row = 0; row < t->row_count; row++)
		if (row != t->total && (!mp_table_number(t, row, m, &cell) || __builtin_add_overflow(sum, cell, &sum)))
			return false;
	return sum == total;
}

unsigned mp_exact_rules(struct mp_exact exact, int64_t value, int decimals)
{
	__int128 off = exact.num * mp_power_of_10(decimals) - value * exact.den;

	if (exact.den <= 0)
		return 0;
	return ((off < 0 ? -off : off) * 2 <= exact.den ? MP_RULE_ROUNDED : 0) |
	       (off >= 0 && off <= exact.den ? MP_RULE_CUT : 0);
}

void mp_exact_text(struct mp_exact exact, int decimals, char *text, size_t size)
{
	__int128 power = mp_power_of_10(decimals), value;

	if (exact.den <= 0) {
		snprintf(text, size, "N/A");
		return;
	}
	value = (exact.num * power * 2 + exact.den) / (2 * exact.den);
	if (decimals)
		snprintf(text, size, "%lld.%0*lld", (long long)(value / power), decimals, (long long)(value % power));
	else
		snprintf(text, size, "%lld", (long long)value);
}

int mp_references_refuse(struct mp_references *refs, struct mp_error *err, const char *fmt, ...)
{
	struct mp_error sentence;
	va_list args;

	if (!mp_vec_room(refs->refused, refs->refused_count, 1))
		return mp_fail_memory(err, "references");
	va_start(args, fmt);
	vsnprintf(sentence.text, sizeof(sentence.text), fmt, args);
	va_end(args);
	refs->refused[refs->refused_count] = strdup(sentence.text);
	if (!refs->refused[refs->refused_count])
		return mp_fail_memory(err, "references");
	refs->refused_count++;
	return 0;
}

int mp_table_add(struct mp_reading *r, const char *text, struct mp_error *err)
{
	struct mp_table *t = &r->table;

	if (t->cell_count == MP_REFERENCE_CELL_MAX)
		return mp_fail(err, "it has more than %d cells", MP_REFERENCE_CELL_MAX);
	if (!mp_vec_room(t->cells, t->cell_count, 1))
		return mp_fail_memory(err, "references");
	t->cells[t->cell_count++] = (uint32_t)(text - t->text);
	return 0;
}

int mp_table_titles(struct mp_reading *r, struct mp_error *err)
{
	struct mp_table *t = &r->table;

	if (t->cell_count < 2 || t->cell_count > MP_REFERENCE_COLUMN_MAX)
		return mp_fail(err, "it has not 2 to %d titles", MP_REFERENCE_COLUMN_MAX);
	t->columns = calloc(t->cell_count, sizeof(*t->columns));
	if (!t->columns)
		return mp_fail_memory(err, "references");
	for (size_t i = 0; i < t->cell_count; i++)
		t->columns[i].title = t->text + t->cells[i];
	t->column_count = (int)t->cell_count;
	t->cell_count = 0;
	return 0;
}

void mp_table_free(struct mp_table *table)
{
	free(table->name);
	free(table->columns);
	free(table->cells);
	free(table->text);
	free(table->numbers);
	memset(table, 0, sizeof(*table));
}

/* "-" in each column that identifies. */
static bool is_total(const struct mp_table *t, int64_t row)
{
	bool any = false;

	for (int m = MP_MEANS_TASK_ID; m <= MP_MEANS_ORI_NAME; m++) {
		if (t->column_of[m] < 0)
			continue;
		if (strcmp(mp_table_cell(t, row, (enum mp_meaning)m), "-") != 0)
			return false;
		any = true;
	}
	return any;
}

/* Times, ratios, sizes and the bound are rounded alike: the most decimals of each; a longer number is no decimal. */
static void find_decimals(struct mp_table *t)
{
	static const int groups[] = {
	    MP_MEANS_TIME, MP_MEANS_TIME_RATIO, MP_MEANS_DDR_READ, MP_MEANS_MEMORY_BOUND, MP_MEANS_COUNT};

	for (int g = 0; g < 4; g++) {
		int most = 0, decimals;
		int64_t value;

		for (int m = groups[g]; m < groups[g + 1]; m++)
			for (int64_t row = 0; row < t->row_count && t->column_of[m] >= 0; row++)
				if (mp_decimal_read(mp_table_cell(t, row, (enum mp_meaning)m), &value, &decimals))
					most = decimals > most ? decimals : most;
		for (int m = groups[g]; m < groups[g + 1]; m++)
			if (t->column_of[m] >= 0)
				t->columns[t->column_of[m]].decimals = most;
	}
}

/* A number with the decimals of its column. */
static int64_t number_of(const char *cell, int decimals)
{
	int64_t value;
	int places;

	if (!mp_decimal_read(cell, &value, &places) || places > decimals ||
	    __builtin_mul_overflow(value, mp_power_of_10(decimals - places), &value) || value <= -MP_NUMBER_MAX ||
	    value >= MP_NUMBER_MAX)
		return MP_NO_NUMBER;
	return value;
}

/* Read the numbers of all cells once: they are compared often, and a cell may be long. */
static int read_numbers(struct mp_reading *r, struct mp_error *err)
{
	struct mp_table *t = &r->table;
	size_t rows = (size_t)t->row_count, count = 0;

	for (int m = MP_MEANS_TASK_ID; m < MP_MEANS_COUNT; m++)
		count += (m == MP_MEANS_TASK_ID || m >= MP_MEANS_TIME) && t->column_of[m] >= 0;
	t->numbers = calloc(count * rows + 1, sizeof(*t->numbers));
	if (!t->numbers)
		return mp_fail_memory(err, "references");
	for (int m = MP_MEANS_TASK_ID, at = 0; m < MP_MEANS_COUNT; m++) {
		struct mp_table_column *column = &t->columns[t->column_of[m] < 0 ? 0 : t->column_of[m]];

		if ((m != MP_MEANS_TASK_ID && m < MP_MEANS_TIME) || t->column_of[m] < 0)
			continue;
		column->numbers = t->numbers + rows * (size_t)at++;
		for (size_t row = 0; row < rows; row++)
			column->numbers[row] =
			    number_of(mp_table_cell(t, (int64_t)row, (enum mp_meaning)m), column->decimals);
	}
	return 0;
}

/* Give back what a text of JSON has more than its cells. Cells that a row of CSV lacks are at the end of the text. */
static void shrink(struct mp_table *t)
{
	char *text = t->text, *less;
	uint32_t last = 0;
	size_t size;

	for (size_t i = 0; i < t->cell_count; i++)
		last = t->cells[i] > last ? t->cells[i] : last;
	size = last + strlen(text + last) + 1;
	less = last ? malloc(size) : NULL;
	if (!less)
		return;
	memcpy(less, text, size);
	for (int i = 0; i < t->column_count; i++)
		t->columns[i].title = less + (t->columns[i].title - text);
	t->text = less;
	free(text);
}

int mp_reading_keep(struct mp_reading *r, const char *label, bool is_named, struct mp_error *err)
{
	struct mp_references *refs = r->refs;
	struct mp_table *t = &r->table;
	bool any = false;

	t->name = strdup(label);
	if (!t->name || !mp_vec_room(refs->items, refs->count, 1))
		return mp_fail_memory(err, "references");
	if (mp_titles_apply(r, err))
		return -1;
	for (int m = MP_MEANS_MAC_BUSY; m < MP_MEANS_COUNT; m++)
		any |= t->column_of[m] >= 0;
	if (!any) /* other tables of the board's tool have none */
		return mp_fail(
		    err, "%s", is_named || t->identity.device_id >= 0 ? "it has no column of a counter" : "");
	t->row_count = (int64_t)(t->cell_count / (size_t)t->column_count);
	t->total = MP_NO_ROW;
	for (int64_t row = 0; row < t->row_count && t->total == MP_NO_ROW; row++)
		if (is_total(t, row))
			t->total = row;
	find_decimals(t);
	if (read_numbers(r, err))
		return -1;
	shrink(t);
	refs->items[refs->count++] = *t;
	memset(t, 0, sizeof(*t));
	return 0;
}
