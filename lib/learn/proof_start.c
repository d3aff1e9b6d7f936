/* proof_start.c: compares moments, which may differ by one offset a table. */
#include "learn/proof_start.h"

#include <stdio.h>
#include <stdlib.h>

#include "learn/memory.h"

enum { SAMPLES = 64 };

static int compare_int64(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int compare_int128(const void *a, const void *b)
{
	const __int128 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static int64_t cell_ns(const struct mp_proof_starts *s, const struct mp_cell *cell)
{
	__int128 ns = (__int128)cell->value * s->ref->columns[s->column].unit / mp_proof_power(cell->decimals);

	return ns > INT64_MAX / 2 || ns < -INT64_MAX / 2 ? 0 : (int64_t)ns;
}

static bool has_near(const int64_t *starts, size_t count, int64_t at, int64_t near_ns)
{
	size_t low = 0, high = count;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (starts[mid] < at - near_ns)
			low = mid + 1;
		else
			high = mid;
	}
	return low < count && starts[low] <= at + near_ns;
}

/* Whether most of some rows begin where an item does. */
static bool is_without_offset(const struct mp_proof_starts *s, const int64_t *starts, size_t count)
{
	size_t rows = s->ref->row_count, step = rows / SAMPLES + 1, tried = 0, near = 0;

	for (size_t row = 0; row < rows; row += step, tried++) {
		const struct mp_cell *cell = mp_reference_cell(s->ref, row, s->column);

		near += cell->is_number && has_near(starts, count, cell_ns(s, cell), s->near_ns);
	}
	return 2 * near > tried;
}

int mp_proof_guess_start(struct mp_proof_starts *s, const struct mp_reference *ref, const struct mp_proof_items *items,
    const struct mp_written *written, struct mp_error *err)
{
	int64_t *starts;
	size_t count = 0;

	*s = (struct mp_proof_starts){.ref = ref, .items = items, .column = mp_reference_column(ref, MP_MEANS_START)};
	if (s->column < 0)
		return 0;
	s->written = written[s->column];
	s->near_ns = 2 + 2 * (int64_t)(ref->columns[s->column].unit / mp_proof_power(s->written.decimals));
	starts = mp_learn_malloc((items->count + 1) * sizeof(*starts));
	if (!starts)
		return mp_fail_memory(err, "the proof");
	for (size_t i = 0; i < items->count; i++) {
		int64_t ns = items->at[i].start_ns;

		if (ns > -INT64_MAX / 2 && ns < INT64_MAX / 2)
			starts[count++] = ns;
	}
	qsort(starts, count, sizeof(*starts), compare_int64);
	s->is_guessed = count && is_without_offset(s, starts, count);
	free(starts);
	return 0;
}

bool mp_proof_start_near(const struct mp_proof_starts *s, const struct mp_cell *cell, const struct mp_proof_item *item)
{
	__int128 later;

	if (!cell->is_number || item->start_ns == MP_PROOF_MISSING)
		return false;
	later = (__int128)cell_ns(s, cell) - s->guess_ns - item->start_ns;
	return later <= s->near_ns && later >= -s->near_ns;
}

/* The moment of an item in ns. */
static struct mp_amount moment(const struct mp_proof_items *items, const struct mp_proof_item *item)
{
	__int128 at;

	if (items->has_ticks) {
		at = (__int128)item->start_tick * 100000;
		return (struct mp_amount){at, at, items->core_mhz};
	}
	at = (__int128)item->start_ns * 2;
	return (struct mp_amount){at - !items->exact_ns, at + !items->exact_ns, 2};
}

/* Cell minus moment, and by how much more it may be since the moment was rounded. */
static bool difference(const struct mp_proof_starts *s, const struct mp_cell *cell, const struct mp_proof_item *item,
    __int128 *from, __int128 *slack)
{
	struct mp_amount at = moment(s->items, item);
	__int128 power = mp_proof_power(s->written.decimals);

	if (item->start_ns == MP_PROOF_MISSING || !mp_proof_value(cell, s->written.decimals, from))
		return false;
	*from *= s->ref->columns[s->column].unit;
	if (__builtin_mul_overflow(*from, at.den, from) || __builtin_mul_overflow(at.high, power, &at.high) ||
	    __builtin_mul_overflow(at.low, power, &at.low) || __builtin_sub_overflow(*from, at.high, from))
		return false;
	*slack = at.high - at.low;
	return true;
}

int mp_proof_find_start(struct mp_proof_starts *s, const size_t *match, struct mp_error *err)
{
	__int128 *differences, slack = 0, den = s->items->has_ticks ? s->items->core_mhz : 2;
	size_t count = 0, most = 0;

	if (s->column < 0)
		return 0;
	differences = mp_learn_malloc((s->ref->row_count + 1) * sizeof(*differences));
	if (!differences)
		return mp_fail_memory(err, "the proof");
	for (size_t row = 0; row < s->ref->row_count; row++) {
		const struct mp_cell *cell = mp_reference_cell(s->ref, row, s->column);

		if (match[row] != SIZE_MAX &&
		    difference(s, cell, &s->items->at[match[row]], &differences[count], &slack))
			count++;
	}
	qsort(differences, count, sizeof(*differences), compare_int128);
	s->width = s->ref->columns[s->column].unit * den + slack;
	for (size_t low = 0, high = 0; high < count; high++) {
		while (differences[high] - differences[low] >= s->width)
			low++;
		if (high - low + 1 > most) {
			most = high - low + 1;
			s->from = differences[low];
		}
	}
	s->has_offset = most > 1 || count == 1;
	free(differences);
	return 0;
}

bool mp_proof_start_moved(const struct mp_proof_starts *s, const struct mp_cell *cell, const struct mp_proof_item *item)
{
	__int128 from, slack;

	return s->has_offset && !s->written.is_long && difference(s, cell, item, &from, &slack) && from >= s->from &&
	       from - s->from < s->width;
}

struct mp_expected mp_proof_expected_start(
    const struct mp_proof_starts *s, const struct mp_proof_item *item, int variant)
{
	__int128 unit = s->column < 0 ? 1 : s->ref->columns[s->column].unit, moved = 0;
	struct mp_expected e = {.kind = MP_EXPECT_AMOUNT};

	if (variant > 1 || (variant == 1 && !s->has_offset))
		return (struct mp_expected){.kind = MP_EXPECT_NO_RULE};
	if (item->start_ns == MP_PROOF_MISSING)
		return (struct mp_expected){.kind = MP_EXPECT_NOTHING};
	e.amount = moment(s->items, item);
	if (variant == 1)
		moved = s->from / mp_proof_power(s->written.decimals);
	e.amount.low += moved;
	e.amount.high += moved;
	e.amount.den *= unit;
	return e;
}

/* The middle of the offsets that explain the rows, in ns. */
static int64_t offset_ns(const struct mp_proof_starts *s)
{
	__int128 den = (s->items->has_ticks ? s->items->core_mhz : 2) * mp_proof_power(s->written.decimals);
	__int128 ns = (s->from + s->width / 2) / den;

	return ns > INT64_MAX / 2 || ns < -INT64_MAX / 2 ? 0 : (int64_t)ns;
}

bool mp_proof_adopt_offset(struct mp_proof_starts *s)
{
	if (s->column < 0 || s->is_guessed || !s->has_offset)
		return false;
	s->guess_ns = offset_ns(s);
	s->is_guessed = true;
	return true;
}

void mp_proof_note_start(const struct mp_proof_starts *s, struct mp_proof_line *line)
{
	line->note[0] = '\0';
	if (s->has_offset && (s->from <= -2 * s->width || s->from >= 2 * s->width))
		snprintf(line->note, sizeof(line->note), "all moments are %lld ns later than the records say",
		    (long long)offset_ns(s));
}
