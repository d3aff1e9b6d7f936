/* test_reader_kinds.c: records of several kinds in one file, of which a layout describes some. */
#include "reader_support.h"

#define HEAD "record r v1 learned\nfile \"f\"\ntable t\n"
#define PLAIN HEAD "size 4\nmatch u8 @0 == 0x5a\nfield id u8 @2\nskip 1 @3\n"

/* Read to the end: the ids of the records are `ids`, and `blank` bytes are those of other kinds. */
static void assert_ids(struct reading *r, const char *ids, int64_t blank)
{
	for (; *ids; ids++) {
		assert_true(mp_reader_next(r->reader));
		assert_int_value(r, "id", (unsigned char)*ids);
	}
	assert_false(mp_reader_next(r->reader));
	assert_int_equal(mp_reader_tally(r->reader)->blank_bytes, blank);
	assert_accounted(mp_reader_tally(r->reader));
}

static void test_values(void **state)
{
	static const unsigned char file[] = "\x5a\x01"
					    "a.\x5a\x02"
					    "b.\x5a\x03"
					    "c.\x5a\x02"
					    "d.\x5a\xff"
					    "e.";
	static const struct {
		const char *kind, *ids;
		int64_t blank;
	} cases[] = {
	    {"skip 1 @1\n", "abcde", 0},
	    {"kind u8 @1 == 1\n", "a", 16},
	    {"kind u8 @1 == 2\n", "bd", 12},
	    {"kind u8 @1 == 3 1\n", "ac", 12},
	    {"kind u8 @1 == 0xff 9 9 9 9 9 9 2\n", "bde", 8},
	    {"kind u8 @1 == 4\n", "", 20},
	    {"skip 1 @1\nkind u8 @1 bits 1..7 == 1\n", "bcd", 8},
	    {"skip 1 @1\nkind u8 @1 bits 7..7 == 0\n", "abcd", 4},
	    {"field tag u8 @1\nkind u16 @0 == 0x035a\n", "c", 16},
	    {"endian big\nfield tag u8 @1\nkind u16 @0 == 0x5a03\n", "c", 16},
	    {"endian big\nfield tag u8 @1\nkind u16 @0 bits 0..7 == 2 3\n", "bcd", 8},
	    {"endian big\nskip 1 @1\nkind u16 @0 == 0x035a\n", "", 20},
	};
	char layout[512];
	struct reading r;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		snprintf(layout, sizeof(layout), PLAIN "%s", cases[i].kind);
		reading_open(&r, layout, file, sizeof(file) - 1);
		assert_ids(&r, cases[i].ids, cases[i].blank);
		assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, 0);
		reading_close(&r);
	}
}

/* Damage ends where two records fit, of any kinds; a cut last record is damage, whatever its kind. */
static void test_damage(void **state)
{
	static const unsigned char file[] = "\x5a\x01"
					    "a."
					    "\x5a\x02"
					    "b."
					    "xyz"
					    "\x5a\x02"
					    "c."
					    "\x5a\x01"
					    "d."
					    "\x5a\x02"
					    "e."
					    "??"
					    "\x5a\x01"
					    "f."
					    "\x5a\x02";
	const struct mp_tally *t;
	struct reading r;

	(void)state;
	reading_open(&r, PLAIN "kind u8 @1 == 1\n", file, sizeof(file) - 1);
	assert_ids(&r, "adf", 12);
	t = mp_reader_tally(r.reader);
	assert_int_equal(t->damage_count, 3);
	assert_damage(t, 0, 8, 3, "no record begins here");
	assert_damage(t, 1, 23, 2, "no record begins here");
	assert_damage(t, 2, 29, 2, "record cut short by the end of the file");
	reading_close(&r);
}

/* Tasks of two records among records of other kinds, of which some have a number that is neither start nor end. */
static void test_pairs(void **state)
{
	static const unsigned char file[] = {
	    0x5a, 1, 1, 10, 0x5a, 2, 1, 11, 0x5a, 1, 7, 12, 0x5a, 2, 2, 13, 0x5a, 1, 2, 15};
	struct reading r;

	(void)state;
	reading_open(&r,
	    HEAD "size 4\nfield task u8 @0\nkind u8 @1 == 1\ninput clock u8 @3\npair u8 @2 start=1 end=2 key=task\n"
		 "time start_ns start.clock unit=ns\nduration dur_ns start.clock clock unit=ns\n",
	    file, sizeof(file));
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "start_ns", 10);
	assert_int_value(&r, "dur_ns", 5);
	assert_false(mp_reader_next(r.reader));
	assert_int_equal(mp_reader_tally(r.reader)->blank_bytes, 12);
	assert_int_equal(mp_reader_tally(r.reader)->record_bytes, 8);
	assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, 0);
	assert_int_equal(mp_reader_tally(r.reader)->lone_ends, 0);
	assert_accounted(mp_reader_tally(r.reader));
	reading_close(&r);
}

/* A clock that wraps goes on from record to record of the kinds; other kinds do not move it. */
static void test_wrap(void **state)
{
	static const unsigned char file[] = {1, 200, 2, 0, 1, 250, 2, 100, 1, 4};
	static const int64_t expected[] = {200, 250, 260};
	struct reading r;

	(void)state;
	reading_open(&r, HEAD "size 2\nkind u8 @0 == 1\ninput clock u8 @1\nwrap clock\ntime start_ns clock unit=ns\n",
	    file, sizeof(file));
	for (size_t i = 0; i < COUNT(expected); i++) {
		assert_true(mp_reader_next(r.reader));
		assert_int_value(&r, "start_ns", expected[i]);
	}
	assert_false(mp_reader_next(r.reader));
	reading_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_values),
	    cmocka_unit_test(test_damage),
	    cmocka_unit_test(test_pairs),
	    cmocka_unit_test(test_wrap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
