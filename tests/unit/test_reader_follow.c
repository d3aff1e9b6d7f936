/*
 * test_reader_follow.c: records without a start, one behind the other, in the portions of a file that markers describe.
 */
#include "reader_support.h"
#include "scale_support.h"

#define HEAD "record r v1 verified\nfile \"f\"\ntable t\n"

static const char TICKS[] = HEAD
    "size 12\nmatch u32 @8 == 0x5a5a5a5a\nfield n u32 @0\ninput ticks u32 @4\nfollow start dur ticks unit=tick100\n";
static const char LONG[] = HEAD "size 8\ninput ticks u64 @0\nfollow start dur ticks unit=tick100\n";

/* Read the next record; each way to ask must give the same. */
static void assert_next(struct reading *r, int64_t start, int64_t dur)
{
	const struct mp_layout *l = r->set.items[0];
	signed char columns[2] = {(signed char)mp_layout_column(l, "start"), (signed char)mp_layout_column(l, "dur")};
	int64_t values[2];
	bool nulls[2];

	assert_true(mp_reader_next(r->reader));
	assert_int_value(r, "start", start);
	assert_int_value(r, "dur", dur);
	mp_reader_numbers(r->reader, columns, 2, values, nulls);
	assert_true(values[0] == start && values[1] == dur && !nulls[0] && !nulls[1]);
	assert_int_equal(mp_int_of(mp_reader_value(r->reader, columns[0])), start);
}

/* Read the file as one portion that starts at a moment. */
static void read_from(struct reading *r, struct mp_portion *portion, int64_t start_ns, const void *bytes, size_t size)
{
	*portion = (struct mp_portion){.end = (int64_t)size, .start_ns = start_ns, .identity = MP_NO_IDENTITY};
	reading_file(r, bytes, size);
	mp_reader_divide(r->reader, portion, 1);
}

/* The moments were computed with fractions of any size, in Python. */
static void test_moments(void **state)
{
	static const struct {
		int64_t mhz;
		int count;
		uint64_t ticks[6];
		int64_t moments[7];
	} cases[] = {
	    {700, 6, {7, 1, 1, 1, 4294967295, 3},
		{1700000000123456000, 1700000000123457000, 1700000000123457143, 1700000000123457286,
		    1700000000123457429, 1700000613690213857, 1700000613690214286}},
	    {64, 5, {1, 1, 1, 1, 1}, {0, 1562, 3125, 4688, 6250, 7812}}, /* half to even */
	    {999983, 3, {1000000, 1, 999999999}, {5, 100007, 100007, 100101707}},
	    {1, 2, {4294967295, 4294967295}, {1, 429496729500001, 858993459000001}},
	    {333, 6, {0, 0, 1, 2, 3, 0},
		{1700000000000000000, 1700000000000000000, 1700000000000000000, 1700000000000000300,
		    1700000000000000901, 1700000000000001802, 1700000000000001802}},
	};
	struct mp_portion portion;
	struct reading r;

	(void)state;
	reading_open(&r, LONG, "", 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		unsigned char bytes[6 * 8];

		r.clock.core_mhz = cases[i].mhz;
		for (int k = 0; k < cases[i].count; k++)
			put_le(bytes + 8 * k, 8, cases[i].ticks[k]);
		read_from(&r, &portion, cases[i].moments[0], bytes, 8 * (size_t)cases[i].count);
		for (int k = 0; k < cases[i].count; k++)
			assert_next(&r, cases[i].moments[k], cases[i].moments[k + 1] - cases[i].moments[k]);
		assert_false(mp_reader_next(r.reader));
		assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 0);
	}
	reading_close(&r);
}

/* Random durations at random frequencies: no task overlaps the next one, and no rounding adds up. */
static void test_random(void **state)
{
	enum { RECORDS = 500 };
	static unsigned char bytes[RECORDS * 8];
	struct mp_portion portion;
	uint64_t seed = 3;
	struct reading r;

	(void)state;
	reading_open(&r, LONG, "", 0);
	for (int round = 0; round < 40; round++) {
		int64_t start_ns = (int64_t)(next_random(&seed) >> 3), at = start_ns;
		uint64_t sum = 0;

		r.clock.core_mhz = round ? 1 + (int64_t)(next_random(&seed) % 3000) : 700;
		for (int i = 0; i < RECORDS; i++)
			put_le(bytes + 8 * i, 8, next_random(&seed) >> (24 + round));
		read_from(&r, &portion, start_ns, bytes, sizeof(bytes));
		for (int i = 0; i < RECORDS; i++) {
			uint64_t ticks = 0;
			int64_t end;

			for (int k = 7; k >= 0; k--)
				ticks = ticks << 8 | bytes[8 * i + k];
			sum += ticks;
			end = start_ns + divide_slowly(sum, 100000, (uint64_t)r.clock.core_mhz);
			assert_next(&r, at, end - at);
			at = end;
		}
		assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 0);
	}
	reading_close(&r);
}

static void test_units(void **state)
{
	static const unsigned char bytes[] = {3, 5};
	static const struct {
		const char *unit;
		int64_t first, second;
	} cases[] = {{"ns", 3, 5}, {"us", 3000, 5000}, {"tick100", 429, 714}, {"counter", 60, 100}, {"host", 78, 130}};
	struct reading r;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mp_portion portion;
		char layout[256];

		snprintf(
		    layout, sizeof(layout), HEAD "size 1\ninput n u8 @0\nfollow start dur n unit=%s\n", cases[i].unit);
		reading_open(&r, layout, "", 0);
		/* the origins of the counters do not matter: a marker tells the start */
		r.clock.counter = (struct mp_rate){50000000, 1000, 7000};
		r.clock.host = (struct mp_rate){38400000, 9, 5};
		read_from(&r, &portion, 100, bytes, sizeof(bytes));
		assert_next(&r, 100, cases[i].first);
		assert_next(&r, 100 + cases[i].first, cases[i].second);
		reading_close(&r);
	}
	reading_open(&r, LONG, "12345678", 8);
	r.clock.core_mhz = 0;
	reading_file(&r, "12345678", 8);
	assert_true(mp_reader_next(r.reader));
	assert_null_value(&r, "start");
	assert_null_value(&r, "dur");
	reading_close(&r);
}

/* What is beyond the range ends there, is counted for each record, and never wraps. */
static void test_saturation(void **state)
{
	static const struct {
		uint64_t ticks[3];
		int64_t start_ns, moments[4];
		int64_t out_of_range;
	} cases[] = {
	    {{7, UINT64_MAX, 7}, 0, {0, 1000, INT64_MAX, INT64_MAX}, 2},
	    {{7, UINT64_MAX - 7, 1}, 0, {0, 1000, INT64_MAX, INT64_MAX}, 2},
	    {{7, 7, 7}, INT64_MAX - 2500, {INT64_MAX - 2500, INT64_MAX - 1500, INT64_MAX - 500, INT64_MAX}, 1},
	    {{7, 7, 7}, INT64_MAX, {INT64_MAX, INT64_MAX, INT64_MAX, INT64_MAX}, 3},
	    {{64563604257983430, 0, 1}, 1, {1, INT64_MAX - 92, INT64_MAX - 92, INT64_MAX}, 1},
	};
	struct mp_portion portion;
	struct reading r;

	(void)state;
	reading_open(&r, LONG, "", 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		unsigned char bytes[24];

		for (int k = 0; k < 3; k++)
			put_le(bytes + 8 * k, 8, cases[i].ticks[k]);
		read_from(&r, &portion, cases[i].start_ns, bytes, sizeof(bytes));
		for (int k = 0; k < 3; k++)
			assert_next(&r, cases[i].moments[k], cases[i].moments[k + 1] - cases[i].moments[k]);
		assert_int_equal(mp_reader_tally(r.reader)->out_of_range, cases[i].out_of_range);
		mp_reader_check(r.reader); /* counts nothing again */
		assert_int_equal(mp_reader_tally(r.reader)->out_of_range, cases[i].out_of_range);
	}
	reading_close(&r);
}

static void put_record(unsigned char *p, uint32_t n, uint32_t ticks)
{
	put_le(p, 4, n);
	put_le(p + 4, 4, ticks);
	put_le(p + 8, 4, 0x5a5a5a5a);
}

/* Each record belongs to the portion in which it begins; each portion has its own start. */
static void test_portions(void **state)
{
	enum { SIZE = 12, RECORDS = 6 };
	static const struct {
		int64_t ends[4];
		int count;
		int of[RECORDS]; /* the portion of each record */
	} cases[] = {
	    {{24, 36, 72}, 3, {0, 0, 1, 2, 2, 2}},
	    {{0, 72}, 2, {1, 1, 1, 1, 1, 1}},
	    {{24, 24, 24, 72}, 4, {0, 0, 3, 3, 3, 3}},
	    {{1, 2, 13, 72}, 4, {0, 2, 3, 3, 3, 3}}, /* no whole records */
	    {{60, 100, INT64_MAX}, 3, {0, 0, 0, 0, 0, 1}},
	    {{24, 36}, 2, {0, 0, 1, 1, 1, 1}}, /* the last has the rest */
	    {{INT64_MAX, INT64_MAX}, 2, {0, 0, 0, 0, 0, 0}},
	    {{0, 0, 0, 0}, 4, {3, 3, 3, 3, 3, 3}},
	};
	unsigned char bytes[RECORDS * SIZE];
	struct reading r;

	(void)state;
	for (uint32_t i = 0; i < RECORDS; i++)
		put_record(bytes + SIZE * i, i, 7 * (i + 1));
	reading_open(&r, TICKS, "", 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mp_portion portions[4] = {{.end = 0}};
		int64_t at[4] = {0, 1000000, 2000000, 3000000}, counts[4] = {0};

		for (int k = 0; k < cases[i].count; k++)
			portions[k] = (struct mp_portion){.end = cases[i].ends[k], .start_ns = at[k]};
		reading_file(&r, bytes, sizeof(bytes));
		mp_reader_divide(r.reader, portions, (size_t)cases[i].count);
		for (int k = 0; k < RECORDS; k++) {
			int p = cases[i].of[k];

			assert_next(&r, at[p], 1000 * (k + 1));
			at[p] += 1000 * (k + 1);
			counts[p]++;
		}
		assert_false(mp_reader_next(r.reader));
		for (int k = 0; k < cases[i].count; k++) {
			assert_int_equal(portions[k].records, counts[k]);
			assert_int_equal(portions[k].record_bytes, SIZE * counts[k]);
			assert_int_equal(portions[k].blank_bytes + portions[k].damaged_bytes, 0);
		}
	}
	reading_close(&r);
}

/* Damage counts in the portion where it begins, and the sums are those of the file. */
static void test_damage(void **state)
{
	enum { SIZE = 12, SIZE_ALL = 6 * SIZE + 5 };
	unsigned char bytes[SIZE_ALL];
	struct mp_portion portions[3] = {{.end = 2 * SIZE}, {.end = 4 * SIZE, .start_ns = 500}, {.end = SIZE_ALL}};
	const struct mp_tally *t;
	struct reading r;

	(void)state;
	for (uint32_t i = 0; i < 6; i++)
		put_record(bytes + SIZE * i, i, 7);
	memset(bytes + 6 * SIZE, 1, 5);
	bytes[2 * SIZE + 8] = 0; /* the first record of the second portion */
	reading_open(&r, TICKS, bytes, sizeof(bytes));
	mp_reader_divide(r.reader, portions, 3);
	assert_next(&r, 0, 1000);
	assert_next(&r, 1000, 1000);
	assert_next(&r, 500, 1000);
	assert_int_value(&r, "n", 3);
	assert_next(&r, 0, 1000);
	assert_next(&r, 1000, 1000);
	assert_false(mp_reader_next(r.reader));
	t = mp_reader_tally(r.reader);
	assert_accounted(t);
	assert_int_equal(portions[0].damaged_bytes, 0);
	assert_int_equal(portions[1].damaged_bytes, SIZE);
	assert_int_equal(portions[2].damaged_bytes, 5);
	assert_int_equal(portions[1].record_bytes, SIZE);
	assert_int_equal(portions[0].records + portions[1].records + portions[2].records, t->records);
	reading_close(&r);
}

/* Without portions the file is one, and starts at 0. */
static void test_undivided(void **state)
{
	unsigned char bytes[24];
	struct reading r;

	(void)state;
	put_record(bytes, 0, 14);
	put_record(bytes + 12, 1, 7);
	reading_open(&r, TICKS, bytes, sizeof(bytes));
	assert_next(&r, 0, 2000);
	assert_next(&r, 2000, 1000);
	assert_false(mp_reader_next(r.reader));
	reading_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_moments),
	    cmocka_unit_test(test_random),
	    cmocka_unit_test(test_units),
	    cmocka_unit_test(test_saturation),
	    cmocka_unit_test(test_portions),
	    cmocka_unit_test(test_damage),
	    cmocka_unit_test(test_undivided),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
