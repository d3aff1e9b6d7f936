/* test_reader.c: values and counts of binary records. test_reader_damage.c tests damage, test_reader_text.c text. */
#include "reader_support.h"

/* 24 bytes: magic, a running number of 4 bits, two times, a name, padding */
static const char LAYOUT[] = "record r v1 verified\nfile \"f\"\ntable t\nsize 24\n"
			     "match u16 @0 == 0x5a5a\n"
			     "field seq u8 @2 bits 0..3\nfield high u8 @2 bits 4..7\n"
			     "field level i8 @3\n"
			     "input from u32 @4\ninput to u32 @8\n"
			     "field name char[8] @12\n"
			     "pad 4 @20\n"
			     "sequence seq\n"
			     "time start_ns from unit=us\nduration dur_ns from to unit=tick100\n"
			     "time counter_ns from unit=counter\n";

enum { SIZE = 24 };

static void put_record(unsigned char *p, unsigned seq, uint32_t from, uint32_t to, const char *name)
{
	memset(p, 0, SIZE);
	put_le(p, 2, 0x5a5a);
	p[2] = (unsigned char)seq;
	p[3] = 0xfe;
	put_le(p + 4, 4, from);
	put_le(p + 8, 4, to);
	memcpy(p + 12, name, strnlen(name, 8));
}

static void test_values(void **state)
{
	unsigned char bytes[SIZE];
	struct reading r;

	(void)state;
	put_record(bytes, 0xa3, 7, 21, "conv12");
	reading_open(&r, LAYOUT, bytes, sizeof(bytes));
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "seq", 3);
	assert_int_value(&r, "high", 10);
	assert_int_value(&r, "level", -2);
	assert_int_value(&r, "start_ns", 7000);
	assert_int_value(&r, "dur_ns", 2000);
	assert_int_value(&r, "counter_ns", 70);
	assert_text_value(&r, "name", "conv12");
	assert_false(mp_reader_next(r.reader));
	assert_accounted(mp_reader_tally(r.reader));
	reading_close(&r);
}

/* A hash keeps its 64 bits; bytes become a blob; a match may have only some bits. */
static void test_hash_and_bytes(void **state)
{
	static const unsigned char bytes[32] = {
	    0x6b, 0xd3, 0x22, 7, 1, 2, 3, 4, 255, 255, 255, 255, 255, 255, 255, 255, 0x6b, 0xd3, 0x20};
	struct mp_value v;
	struct reading r;

	(void)state;
	reading_open(&r,
	    "record r v1 verified\nfile \"f\"\ntable t\nsize 16\nmatch u16 @0 == 0xd36b\nmatch u8 @2 bits 1..3 == 1\n"
	    "field end u8 @2 bits 0..0\nfield kind u8 @2 bits 1..3\ninput high u8 @2 bits 4..7\nfield n u8 @3\n"
	    "field four bytes[4] @4\nfield name hash @8\n",
	    bytes, sizeof(bytes));
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "name", -1);
	assert_int_value(&r, "kind", 1);
	v = mp_reader_value(r.reader, mp_layout_column(r.set.items[0], "four"));
	assert_int_equal(v.type, MP_BLOB);
	assert_int_equal(v.len, 4);
	assert_memory_equal(v.text, "\1\2\3\4", 4);
	assert_false(mp_reader_next(r.reader)); /* the other bits do not match */
	assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, 16);
	assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 0);
	reading_close(&r);
}

static void test_big_endian(void **state)
{
	static const unsigned char bytes[16] = {0x6b, 0xd3, 0x12, 0x34, 0x80, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8};
	struct reading r;

	(void)state;
	reading_open(&r,
	    "record r v1 verified\nfile \"f\"\ntable t\nsize 16\nendian big\nmatch u16 @0 == 0x6bd3\n"
	    "field low u16 @2 bits 0..3\nfield rest u16 @2 bits 4..15\nfield s i32 @4\nfield n u64 @8\n",
	    bytes, sizeof(bytes));
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "low", 4);
	assert_int_value(&r, "rest", 0x123);
	assert_int_value(&r, "s", -2147483647);
	assert_int_value(&r, "n", INT64_C(0x0102030405060708));
	reading_close(&r);
}

static void test_names(void **state)
{
	unsigned char bytes[4 * SIZE];
	struct reading r;

	(void)state;
	put_record(bytes, 0, 0, 0, "");
	put_record(bytes + SIZE, 1, 0, 0, "12345678");
	put_record(bytes + 2 * SIZE, 2, 0, 0, "a\xff\x80z");
	put_record(bytes + 3 * SIZE, 3, 0, 0, "caf\xc3\xa9");
	reading_open(&r, LAYOUT, bytes, sizeof(bytes));
	assert_true(mp_reader_next(r.reader));
	assert_null_value(&r, "name");
	assert_true(mp_reader_next(r.reader));
	assert_text_value(&r, "name", "12345678");
	assert_int_equal(mp_reader_tally(r.reader)->bad_text, 0);
	assert_true(mp_reader_next(r.reader));
	assert_text_value(&r, "name", "a\\xff\\x80z");
	assert_int_equal(mp_reader_tally(r.reader)->bad_text, 1);
	assert_true(mp_reader_next(r.reader));
	assert_text_value(&r, "name", "caf\xc3\xa9");
	assert_int_equal(mp_reader_tally(r.reader)->bad_text, 1);
	reading_close(&r);
}

/* Unusual values are kept and counted. */
static void test_negative_and_padding(void **state)
{
	unsigned char bytes[4 * SIZE];
	struct reading r;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		put_record(bytes + i * SIZE, i, 21, 7, "x");
	bytes[SIZE + 20] = 1;
	bytes[2 * SIZE + 23] = 1;
	memset(bytes + 3 * SIZE + 20, 9, 4);
	reading_open(&r, LAYOUT, bytes, sizeof(bytes));
	for (int i = 0; i < 4; i++) {
		assert_true(mp_reader_next(r.reader));
		assert_int_value(&r, "dur_ns", -2000);
		assert_int_equal(mp_reader_tally(r.reader)->negative, i + 1);
		assert_int_equal(mp_reader_tally(r.reader)->odd_padding, i);
	}
	assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, 0);
	reading_close(&r);
}

static void test_unknown_clock(void **state)
{
	unsigned char bytes[SIZE];
	struct reading r;

	(void)state;
	put_record(bytes, 0, 7, 21, "x");
	reading_open(&r, LAYOUT, bytes, sizeof(bytes));
	r.clock = (struct mp_clock){.core_mhz = 0};
	reading_file(&r, bytes, sizeof(bytes));
	assert_true(mp_reader_next(r.reader));
	assert_null_value(&r, "dur_ns");
	assert_null_value(&r, "counter_ns");
	assert_int_value(&r, "start_ns", 7000);
	reading_close(&r);
}

static void test_out_of_range(void **state)
{
	unsigned char bytes[32];
	struct reading r;

	(void)state;
	put_le(bytes, 8, (uint64_t)INT64_MAX);
	put_le(bytes + 8, 8, (uint64_t)INT64_MAX + 1);
	put_le(bytes + 16, 8, UINT64_MAX);
	put_le(bytes + 24, 8, UINT64_MAX);
	reading_open(&r,
	    "record r v1 verified\nfile \"f\"\ntable t\nsize 32\n"
	    "field a u64 @0\nfield b u64 @8\nfield c u64 @16\nfield d i64 @24\n"
	    "time us a unit=us\nduration back c b unit=ns\nduration far c a unit=us\n",
	    bytes, sizeof(bytes));
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "a", INT64_MAX);
	assert_int_value(&r, "d", -1);
	assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 0);
	assert_int_value(&r, "b", INT64_MAX);
	assert_int_value(&r, "c", INT64_MAX);
	assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 2);
	assert_int_value(&r, "us", INT64_MAX);
	assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 3);
	/* a duration is the difference of two moments: both are the latest that there is */
	assert_int_value(&r, "back", 0);
	assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 5);
	assert_int_value(&r, "far", 0);
	assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 7);
	assert_int_equal(mp_reader_tally(r.reader)->negative, 2);
	reading_close(&r);
}

static void test_sequence(void **state)
{
	static const unsigned char numbers[] = {14, 15, 0, 1, 3, 3, 4, 2};
	unsigned char bytes[8 * SIZE];
	struct reading r;
	const struct mp_tally *t;

	(void)state;
	for (size_t i = 0; i < 8; i++)
		put_record(bytes + i * SIZE, numbers[i], 0, 0, "x");
	reading_open(&r, LAYOUT, bytes, sizeof(bytes));
	assert_int_equal(read_all(&r), 8);
	t = mp_reader_tally(r.reader);
	assert_int_equal(t->gap_count, 3);
	assert_int_equal(t->gaps[0].offset, 4 * SIZE);
	assert_true(t->gaps[0].expected == 2 && t->gaps[0].found == 3);
	assert_int_equal(t->gaps[1].offset, 5 * SIZE);
	assert_true(t->gaps[1].expected == 4 && t->gaps[1].found == 3);
	assert_true(t->gaps[2].expected == 5 && t->gaps[2].found == 2);
	/* the next slice continues where this slice ended */
	assert_true(r.sequence.known && r.sequence.last == 2);
	put_record(bytes, 3, 0, 0, "x");
	reading_file(&r, bytes, SIZE);
	assert_int_equal(read_all(&r), 1);
	assert_int_equal(mp_reader_tally(r.reader)->gap_count, 0);
	reading_file(&r, bytes, SIZE);
	assert_int_equal(read_all(&r), 1);
	assert_int_equal(mp_reader_tally(r.reader)->gap_count, 1);
	assert_int_equal(mp_reader_tally(r.reader)->gaps[0].offset, 0);
	assert_int_equal(mp_reader_tally(r.reader)->gaps[0].expected, 4);
	reading_close(&r);
}

/* Gaps beyond the stored gaps are counted too. */
static void test_many_gaps(void **state)
{
	enum { RECORDS = 3 * MP_DAMAGE_MAX };
	unsigned char *bytes = calloc(RECORDS, SIZE);
	struct reading r;

	(void)state;
	for (unsigned i = 0; i < RECORDS; i++)
		put_record(bytes + i * SIZE, 5, 0, 0, "x");
	reading_open(&r, LAYOUT, bytes, (size_t)RECORDS * SIZE);
	assert_int_equal(read_all(&r), RECORDS);
	assert_int_equal(mp_reader_tally(r.reader)->gap_count, RECORDS - 1);
	assert_int_equal(mp_reader_tally(r.reader)->gaps[MP_DAMAGE_MAX - 1].offset, MP_DAMAGE_MAX * SIZE);
	reading_close(&r);
	free(bytes);
}

/* 3 MiB of records with a size that divides no window: each arrives whole and in order. */
static void test_window_boundaries(void **state)
{
	enum { RECORDS = 3 * 1024 * 1024 / SIZE };
	unsigned char *bytes = calloc(RECORDS, SIZE);
	struct reading r;

	(void)state;
	for (uint32_t i = 0; i < RECORDS; i++)
		put_record(bytes + (size_t)i * SIZE, i & 15, i, i + 7, "x");
	reading_open(&r, LAYOUT, bytes, (size_t)RECORDS * SIZE);
	for (int64_t i = 0; i < RECORDS; i++) {
		assert_true(mp_reader_next(r.reader));
		assert_int_value(&r, "start_ns", i * 1000);
		assert_text_value(&r, "name", "x");
	}
	assert_false(mp_reader_next(r.reader));
	assert_accounted(mp_reader_tally(r.reader));
	assert_int_equal(mp_reader_tally(r.reader)->gap_count, 0);
	assert_int_equal(mp_reader_tally(r.reader)->record_bytes, (int64_t)RECORDS * SIZE);
	reading_close(&r);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_values),
	    cmocka_unit_test(test_hash_and_bytes),
	    cmocka_unit_test(test_big_endian),
	    cmocka_unit_test(test_names),
	    cmocka_unit_test(test_negative_and_padding),
	    cmocka_unit_test(test_unknown_clock),
	    cmocka_unit_test(test_out_of_range),
	    cmocka_unit_test(test_sequence),
	    cmocka_unit_test(test_many_gaps),
	    cmocka_unit_test(test_window_boundaries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
