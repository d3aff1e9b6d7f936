/*
 * proof_scale.c: undoes the rounding of the decoder. Durations are whole ns in the database, and counters whole cycles;
 * the records have counts of a clock and parts of cycles. Both are found again where one count or part explains the
 * number.
 */
#include <string.h>

#include "learn/proof_internal.h"

enum { SCALE_MAX = 1000000 };

/* Counts of the clock a microsecond; 0: the layout has cycles. */
static int64_t counts_per_us(const struct mp_layout *layout)
{
	int column = layout ? mp_layout_column(layout, "dur_ns") : -1;
	enum mp_unit unit = column < 0 ? MP_UNIT_CYCLE : layout->columns[column].unit;

	if (unit == MP_UNIT_NS)
		return 1000;
	if (unit == MP_UNIT_US)
		return 1;
	return unit >= MP_UNIT_MHZ ? unit - MP_UNIT_MHZ + 1 : 0;
}

/* How many parts one whole of a counter has; 0: the counter is in cycles. */
static int64_t parts_of(const struct mp_layout *layout, int counter)
{
	const char *name = mp_meaning_name((enum mp_meaning)(MP_MEANS_MAC_BUSY + counter));
	int column = layout ? mp_layout_column(layout, name) : -1;

	if (column < 0 || layout->columns[column].kind != MP_COLUMN_SHARE || layout->columns[column].num != 1)
		return 0;
	return layout->columns[column].den <= 10000 ? (int64_t)layout->columns[column].den : 0;
}

static int64_t common_factor(int64_t a, int64_t b)
{
	while (b) {
		int64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* The least common multiple; 0 when it is too large. */
static int64_t common_multiple(int64_t a, int64_t b)
{
	int64_t multiple = a / common_factor(a, b) * b;

	return a && multiple <= SCALE_MAX ? multiple : 0;
}

/* By what cycles are multiplied so that all numbers are whole; 0 when that is too large. */
static int64_t scale_of(const struct mp_layout *const layouts[2], int64_t core_mhz)
{
	int64_t scale = 1, parts = 1;

	for (int kind = 0; kind < 2; kind++) {
		int64_t rate = counts_per_us(layouts[kind]);

		if (rate)
			scale = common_multiple(scale, rate / common_factor(rate, core_mhz));
	}
	for (int i = 0; i < MP_COUNTERS && parts; i++)
		if (parts_of(layouts[0], i))
			parts = common_multiple(parts, parts_of(layouts[0], i));
	return scale && parts && scale <= SCALE_MAX / parts ? scale * parts : 0;
}

/* The quotient nearest to num / den. */
static int64_t nearest(__int128 num, __int128 den)
{
	return (int64_t)((2 * num + den) / (2 * den));
}

/* The count of a clock that the decoder rounded to these ns, half a ns at most; -1 when there is none. */
static int64_t count_of(int64_t ns, int64_t rate)
{
	int64_t count = nearest((__int128)ns * rate, 1000);
	__int128 off = (__int128)count * 1000 - (__int128)ns * rate;

	return ns >= 0 && 2 * (off < 0 ? -off : off) <= rate ? count : -1;
}

/* The cycles of a duration, times scale. */
static int64_t cycles_of(const struct mp_proof_item *item, int64_t rate, int64_t core_mhz, int64_t scale)
{
	int64_t count = rate ? count_of(item->dur_ns, rate) : -1;

	if (count < 0)
		return item->cycles * scale;
	return (int64_t)((__int128)count * core_mhz * scale / rate);
}

/* A counter, times scale: the number of parts that the decoder made this number of. */
static int64_t counter_of(int64_t number, int64_t parts, int64_t cycles, int64_t scale)
{
	int64_t part = parts && cycles ? nearest((__int128)number * scale * parts, cycles) : 0;

	__int128 off = (__int128)part * cycles - (__int128)number * parts * scale;

	/* the decoder has rounded the number by half at most */
	if (!parts || !cycles || 2 * (off < 0 ? -off : off) > (__int128)parts * scale)
		return number * scale;
	return (int64_t)((__int128)part * cycles / parts);
}

/* Returns whether the sums of all numbers, times scale, have 63 bits. */
static bool fits(const struct mp_proof_items *items, int64_t scale)
{
	__int128 most = 0;

	for (size_t i = 0; i < items->count; i++) {
		const struct mp_proof_item *item = &items->at[i];

		if (item->cycles < 0)
			return false;
		most += item->cycles;
		for (int n = 0; n < MP_COUNTERS; n++)
			most += item->numbers[n] > 0 ? item->numbers[n] : 0;
		if (item->start_tick > INT64_MAX / scale / 2)
			return false;
	}
	return most < INT64_MAX / scale / 4;
}

void mp_proof_scale(struct mp_proof_items *items, const struct mp_layout *const layouts[2])
{
	int64_t scale = items->has_cycles ? scale_of(layouts, items->core_mhz) : 0;

	if (scale == 0 || !fits(items, scale) ||
	    (!counts_per_us(layouts[0]) && !counts_per_us(layouts[1]) && scale == 1))
		return;
	for (size_t i = 0; i < items->count; i++) {
		struct mp_proof_item *item = &items->at[i];
		const struct mp_layout *layout = layouts[item->kind == 1];

		item->cycles = cycles_of(item, counts_per_us(layout), items->core_mhz, scale);
		for (int n = 0; n < MP_COUNTERS; n++)
			if (item->numbers[n] != MP_PROOF_MISSING)
				item->numbers[n] =
				    counter_of(item->numbers[n], parts_of(layout, n), item->cycles, scale);
		if (item->start_tick != MP_PROOF_MISSING)
			item->start_tick *= scale;
	}
	items->core_mhz *= scale;
}

void mp_proof_scale_calls(struct mp_proof_items *items, const struct mp_layout *layout)
{
	int64_t rate = counts_per_us(layout);

	if (rate == 0 || rate == 1000 || rate == 1)
		return;
	for (size_t i = 0; i < items->count; i++) {
		struct mp_proof_item *item = &items->at[i];
		int64_t count = count_of(item->dur_ns, rate);

		if (count < 0)
			return;
		item->cycles = count;
	}
	items->core_mhz = rate;
	items->has_cycles = true;
}
