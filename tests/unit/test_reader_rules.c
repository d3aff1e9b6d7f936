/* test_reader_rules.c: what must hold in each record, and what must agree with the name or marker of the file. */
#include "reader_support.h"

#define HEAD "record r v1 verified\nfile \"f\"\ntable t\n"

/* Store numbers of `width` bytes one behind the other. */
static void put(unsigned char *p, const uint64_t *numbers, size_t count, size_t width, bool big_endian)
{
	for (size_t i = 0; i < count * width; i++)
		p[i] = (unsigned char)(numbers[i / width] >> 8 * (big_endian ? width - 1 - i % width : i % width));
}

static void test_holds(void **state)
{
	static const struct {
		uint64_t numbers[3]; /* busy, ticks, rest */
		bool broken[3];
	} cases[] = {
	    {{0, 0, 0}, {false, false, false}},
	    {{100, 1, 9}, {false, false, false}},
	    {{101, 1, 9}, {true, false, false}},
	    {{1, 0, 0}, {true, false, false}},
	    {{5, 1, 6}, {false, true, false}},
	    {{501, 5, 1001}, {true, true, true}},
	    {{2000, 1000, 1000}, {false, false, false}},
	    {{2000, 1000, 1001}, {false, false, true}},
	    {{0, 1, UINT64_MAX}, {false, true, true}},
	    {{UINT64_MAX, UINT64_MAX, 0}, {false, false, false}}, /* 100 times as much is above any number */
	    {{UINT64_MAX, 184467440737095516, 0}, {true, false, false}},
	    {{UINT64_MAX, 184467440737095517, 0}, {false, false, false}},
	};
	int64_t broken[3];
	struct reading r;

	(void)state;
	for (int big = 0; big < 2; big++) {
		unsigned char bytes[COUNT(cases) * 24];
		char layout[512];

		for (size_t i = 0; i < COUNT(cases); i++)
			put(bytes + 24 * i, cases[i].numbers, 3, 8, big);
		snprintf(layout, sizeof(layout),
		    HEAD "size 24\n%sinput busy u64 @0\nfield ticks u64 @8\ninput rest u64 @16\n"
			 "holds busy <= ticks scale=100\nholds rest <= busy\nholds rest <= 1000\n",
		    big ? "endian big\n" : "");
		memset(broken, 0, sizeof(broken));
		reading_open(&r, layout, bytes, sizeof(bytes));
		for (size_t i = 0; i < COUNT(cases); i++) {
			assert_true(mp_reader_next(r.reader));
			for (int k = 0; k < 3; k++) {
				broken[k] += cases[i].broken[k];
				if (mp_reader_tally(r.reader)->broken[k] != broken[k])
					fail_msg("record %zu, rule %d", i, k);
			}
		}
		assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, 0);
		reading_close(&r);
	}
}

/* A record that differs in several facts counts once; a fact that the name lacks is not compared. */
static void test_agrees(void **state)
{
	static const struct {
		int64_t picture, model;
		uint64_t numbers[2];
		int64_t disagree;
	} cases[] = {
	    {7, 3, {7, 3}, 0},
	    {7, 3, {8, 3}, 1},
	    {7, 3, {7, 4}, 1},
	    {7, 3, {8, 4}, 1},
	    {-1, 3, {8, 3}, 0},
	    {-1, -1, {8, 4}, 0},
	    {0, 0, {0, 0}, 0},
	    {0, 0, {UINT32_MAX, 0}, 1},
	    {INT64_MAX, 0, {UINT32_MAX, 0}, 1},
	};
	struct reading r;

	(void)state;
	reading_open(&r,
	    HEAD
	    "size 8\ninput picture u32 @0\nfield model u32 @4\nagrees picture current_pic\nagrees model model_id\n",
	    "", 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mp_portion portion = {.end = 8, .identity = MP_NO_IDENTITY};
		unsigned char bytes[8];

		put(bytes, cases[i].numbers, 2, 4, false);
		portion.identity.current_pic = cases[i].picture;
		portion.identity.model_id = cases[i].model;
		reading_file(&r, bytes, 8);
		mp_reader_divide(r.reader, &portion, 1);
		assert_int_equal(read_all(&r), 1);
		assert_int_equal(mp_reader_tally(r.reader)->disagree, cases[i].disagree);
		/* without portions nothing is told */
		reading_file(&r, bytes, 8);
		assert_int_equal(read_all(&r), 1);
		assert_int_equal(mp_reader_tally(r.reader)->disagree, 0);
	}
	reading_close(&r);
}

/* Each portion has its own facts. */
static void test_agrees_in_portions(void **state)
{
	static const unsigned char pictures[] = {0, 0, 2, 2, 5};
	struct mp_portion portions[3] = {
	    {.end = 2, .identity = MP_NO_IDENTITY}, {.end = 4, .identity = MP_NO_IDENTITY}, {.end = 5}};
	struct reading r;

	(void)state;
	portions[0].identity.current_pic = 0;
	portions[1].identity.current_pic = 2;
	portions[2].identity = MP_NO_IDENTITY;
	reading_open(&r, HEAD "size 1\nfield picture u8 @0\nagrees picture current_pic\n", pictures, sizeof(pictures));
	mp_reader_divide(r.reader, portions, 3);
	assert_int_equal(read_all(&r), 5);
	assert_int_equal(mp_reader_tally(r.reader)->disagree, 0);
	portions[0].end = 3; /* a marker that lies */
	reading_file(&r, pictures, sizeof(pictures));
	mp_reader_divide(r.reader, portions, 3);
	assert_int_equal(read_all(&r), 5);
	assert_int_equal(mp_reader_tally(r.reader)->disagree, 1);
	reading_close(&r);
}

/* Records of less than eight bytes have rules, too. */
static void test_small_records(void **state)
{
	static const unsigned char bytes[] = {3, 1, 2, 4, 9, 9, 5, 2, 7};
	static const struct {
		int64_t start, dur, broken, disagree;
	} expected[] = {{100, 3, 0, 0}, {103, 4, 0, 1}, {107, 5, 1, 2}};
	struct mp_portion portion = {.end = sizeof(bytes), .start_ns = 100, .identity = MP_NO_IDENTITY};
	struct reading r;

	(void)state;
	portion.identity.batch = 1;
	reading_open(&r,
	    HEAD "size 3\ninput n u8 @0\nfield batch u8 @1\ninput rest u8 @2\nfollow start dur n unit=ns\n"
		 "agrees batch batch\nholds rest <= batch scale=2\n",
	    bytes, sizeof(bytes));
	mp_reader_divide(r.reader, &portion, 1);
	for (size_t i = 0; i < COUNT(expected); i++) {
		assert_true(mp_reader_next(r.reader));
		assert_int_value(&r, "start", expected[i].start);
		assert_int_value(&r, "dur", expected[i].dur);
		assert_int_equal(mp_reader_tally(r.reader)->broken[0], expected[i].broken);
		assert_int_equal(mp_reader_tally(r.reader)->disagree, expected[i].disagree);
	}
	assert_false(mp_reader_next(r.reader));
	reading_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_holds),
	    cmocka_unit_test(test_agrees),
	    cmocka_unit_test(test_agrees_in_portions),
	    cmocka_unit_test(test_small_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
