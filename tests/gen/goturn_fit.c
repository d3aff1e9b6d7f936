/*
 * goturn_fit.c: computes whole counts from printed decimals. A ratio with two decimals allows an interval of counts.
 * The memory bound, a quotient of two counts, and the sums in the total row then select among them. Only counts that
 * round clearly are taken, none on a half, so that every way of rounding agrees.
 */
#include "goturn.h"

#include <stdlib.h>

/*
 * One tick is 100 cycles, so a ratio in percent is counter / ticks, and in
 * hundredths 100 * counter / ticks. It prints as r when 2r - 1 < 200 * counter / ticks < 2r + 1.
 */
static void ratio_interval(int64_t r, int64_t ticks, int64_t *low, int64_t *high)
{
	*low = r ? (2 * r - 1) * ticks / 200 + 1 : 0;
	*high = ((2 * r + 1) * ticks + 199) / 200 - 1;
	if (*high > GEN_CYCLES_PER_TICK * ticks)
		*high = GEN_CYCLES_PER_TICK * ticks;
}

/* Returns whether n / d, in hundredths, prints as r; for d = 0 the vendor prints 0. */
static bool prints_as(int64_t n, int64_t d, int64_t r)
{
	if (!d)
		return r == 0;
	return (2 * r - 1) * d < 200 * n && 200 * n < (2 * r + 1) * d;
}

static int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static int64_t clamp(int64_t v, int64_t low, int64_t high)
{
	return v < low ? low : v > high ? high : v;
}

static int64_t nominal(const struct goturn_row *row, int counter)
{
	return (row->printed[COL_RATIOS + counter] * row->ticks + 50) / 100;
}

/* Printed times are hundredths of a microsecond; a tick is 100 / MHz of them. */
static int find_ticks(struct goturn_row *row, struct mp_error *err)
{
	int64_t t = row->printed[COL_TIME];

	row->ticks = (t * GOTURN_MHZ + 5000) / 10000;
	if (!prints_as(row->ticks * 100, GOTURN_MHZ, t))
		return mp_fail(err, "task %s: no number of ticks takes the printed time", row->text[COL_TASK]);
	return 0;
}

static int find_intervals(struct goturn_row *row, struct mp_error *err)
{
	for (int c = 0; c < COUNTERS; c++) {
		ratio_interval(row->printed[COL_RATIOS + c], row->ticks, &row->low[c], &row->high[c]);
		if (row->low[c] > row->high[c])
			return mp_fail(err, "task %s: no counter gives the ratio in column %d", row->text[COL_TASK],
			    COL_RATIOS + c + 1);
	}
	return 0;
}

/* Make the largest of some counters exactly `v`: one takes the value, the others stay at or below it. */
static void pin_largest(struct goturn_row *row, const int *set, int count, int64_t v)
{
	int taker = -1;

	for (int i = 0; i < count; i++) {
		int c = set[i];

		if (row->high[c] >= v && (taker < 0 || nominal(row, c) > nominal(row, taker)))
			taker = c;
		if (row->high[c] > v)
			row->high[c] = v;
	}
	row->low[taker] = v;
}

/*
 * Choose numerator and denominator of the memory bound, as near as possible to the ratios, and narrow the intervals to
 * them.
 */
static int find_bound(struct goturn_row *row, struct mp_error *err)
{
	static const int over[] = {DSTR, DLD, WLD}, under[] = {MAC_BUSY, VEC_PPEN};
	int64_t n_low = larger(row->low[DSTR], larger(row->low[DLD], row->low[WLD]));
	int64_t n_high = larger(row->high[DSTR], larger(row->high[DLD], row->high[WLD]));
	int64_t d_low = larger(row->low[MAC_BUSY], row->low[VEC_PPEN]);
	int64_t d_high = larger(row->high[MAC_BUSY], row->high[VEC_PPEN]);
	int64_t n_near = larger(nominal(row, DSTR), larger(nominal(row, DLD), nominal(row, WLD)));
	int64_t d_near = larger(nominal(row, MAC_BUSY), nominal(row, VEC_PPEN));
	int64_t best = INT64_MAX, best_n = 0, best_d = 0;

	for (int64_t d = d_low; d <= d_high; d++) {
		for (int64_t n = n_low; n <= n_high; n++) {
			int64_t distance = llabs(n - n_near) + llabs(d - d_near);

			if (distance < best && prints_as(n, d, row->printed[COL_BOUND])) {
				best = distance;
				best_n = n;
				best_d = d;
			}
		}
	}
	if (best == INT64_MAX)
		return mp_fail(err, "task %s: no counters give its memory bound", row->text[COL_TASK]);
	pin_largest(row, under, 2, best_d);
	if (best_d)
		pin_largest(row, over, 3, best_n);
	return 0;
}

/* Move the sum of one counter into the range that the total row allows, changing each row as little as needed. */
static int fit_sum(struct goturn_table *t, int counter, struct mp_error *err)
{
	int64_t low, high, sum = 0, missing;

	ratio_interval(t->total.printed[COL_RATIOS + counter], t->total.ticks, &low, &high);
	for (int i = 0; i < t->count; i++) {
		struct goturn_row *row = &t->rows[i];

		row->value[counter] = clamp(nominal(row, counter), row->low[counter], row->high[counter]);
		sum += row->value[counter];
	}
	missing = clamp(sum, low, high) - sum;
	for (int i = 0; i < t->count; i++) {
		struct goturn_row *row = &t->rows[i];
		int64_t v = clamp(row->value[counter] + missing, row->low[counter], row->high[counter]);

		missing -= v - row->value[counter];
		sum += v - row->value[counter];
		row->value[counter] = v;
	}
	t->total.value[counter] = sum;
	if (missing)
		return mp_fail(err, "total row: no counters give the ratio in column %d", COL_RATIOS + counter + 1);
	return 0;
}

/* Kilobytes with two decimals: whether `bytes` prints as h hundredths. */
static bool bytes_print_as(int64_t bytes, int64_t h)
{
	return llabs(bytes - 10 * h) < 5;
}

/* Find read and write bytes that print as given, also in their sum, nearest to the round values. */
static int fit_bytes(struct goturn_row *row, struct mp_error *err)
{
	int64_t best = INT64_MAX;

	for (int64_t r = -4; r <= 4; r++) {
		for (int64_t w = -4; w <= 4; w++) {
			int64_t read = 10 * row->printed[COL_READ] + r, write = 10 * row->printed[COL_WRITE] + w;

			if (read < 0 || write < 0 || !bytes_print_as(read + write, row->printed[COL_TOTAL]) ||
			    llabs(r) + llabs(w) >= best)
				continue;
			best = llabs(r) + llabs(w);
			row->read = read;
			row->write = write;
		}
	}
	if (best == INT64_MAX)
		return mp_fail(err, "task %s: no byte counts give its DDR columns", row->text[COL_TASK]);
	return 0;
}

/* Whether a row may have these bytes. */
static bool bytes_allowed(const struct goturn_row *row, int64_t read, int64_t write)
{
	return read >= 0 && write >= 0 && bytes_print_as(read, row->printed[COL_READ]) &&
	       bytes_print_as(write, row->printed[COL_WRITE]) && bytes_print_as(read + write, row->printed[COL_TOTAL]);
}

/* Move the sums of both directions to the middle of the range of the total row, a byte at a time. */
static int fit_byte_sums(struct goturn_table *t, struct mp_error *err)
{
	bool moved = true;

	for (int i = 0; i < t->count; i++) {
		t->total.read += t->rows[i].read;
		t->total.write += t->rows[i].write;
	}
	while (moved) {
		moved = false;
		for (int i = 0; i < t->count; i++) {
			struct goturn_row *row = &t->rows[i];
			int64_t r = clamp(10 * t->total.printed[COL_READ] - t->total.read, -1, 1);
			int64_t w = clamp(10 * t->total.printed[COL_WRITE] - t->total.write, -1, 1);

			if (r && bytes_allowed(row, row->read + r, row->write)) {
				row->read += r;
				t->total.read += r;
				moved = true;
			} else if (w && bytes_allowed(row, row->read, row->write + w)) {
				row->write += w;
				t->total.write += w;
				moved = true;
			}
		}
	}
	if (!bytes_allowed(&t->total, t->total.read, t->total.write))
		return mp_fail(err, "total row: no byte counts give its DDR columns");
	return 0;
}

/* Check every number of a row from the counts alone, computed like the report does. */
static int check_row(const struct goturn_row *row, int64_t total_ticks, struct mp_error *err)
{
	const int64_t *v = row->value;
	int64_t over = larger(v[DSTR], larger(v[DLD], v[WLD])), under = larger(v[MAC_BUSY], v[VEC_PPEN]);
	int wrong = -1;

	if (!prints_as(row->ticks * 100, GOTURN_MHZ, row->printed[COL_TIME]))
		wrong = COL_TIME;
	if (!prints_as(row->ticks * 100, total_ticks, row->printed[COL_TIME_RATIO]))
		wrong = COL_TIME_RATIO;
	for (int c = 0; c < COUNTERS; c++)
		if (!prints_as(v[c], row->ticks, row->printed[COL_RATIOS + c]))
			wrong = COL_RATIOS + c;
	if (!prints_as(over, under, row->printed[COL_BOUND]))
		wrong = COL_BOUND;
	if (!bytes_allowed(row, row->read, row->write))
		wrong = COL_READ;
	if (wrong >= 0)
		return mp_fail(err, "task %s: column %d does not come out as printed", row->text[COL_TASK], wrong + 1);
	return 0;
}

int goturn_fit(struct goturn_table *t, struct mp_error *err)
{
	for (int i = 0; i < t->count; i++) {
		struct goturn_row *row = &t->rows[i];

		if (find_ticks(row, err) || find_intervals(row, err) || find_bound(row, err) || fit_bytes(row, err))
			return -1;
		t->total.ticks += row->ticks;
	}
	for (int c = 0; c < COUNTERS; c++)
		if (fit_sum(t, c, err))
			return -1;
	if (fit_byte_sums(t, err))
		return -1;
	for (int i = 0; i < t->count; i++)
		if (check_row(&t->rows[i], t->total.ticks, err))
			return -1;
	return check_row(&t->total, t->total.ticks, err);
}
