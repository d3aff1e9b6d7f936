/* test_reader_derived.c: headers, floats, values, shares and cycles. */
#include "reader_support.h"

#define HEAD "record r v1 learned\nfile \"f\"\ntable t\n"

static void test_header(void **state)
{
	unsigned char bytes[20] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 0x2a, 0, 0, 0, 0x2b, 0, 0, 0};
	struct reading r;

	(void)state;
	reading_open(&r, HEAD "header 12\nsize 4\nfield x u32 @0\n", bytes, sizeof(bytes));
	assert_int_equal(r.set.items[0]->verified, 3);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "x", 42);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "x", 43);
	assert_false(mp_reader_next(r.reader));
	assert_int_equal(mp_reader_tally(r.reader)->blank_bytes, 12);
	reading_file(&r, bytes, 12); /* no record at all */
	assert_int_equal(read_all(&r), 0);
	assert_int_equal(mp_reader_tally(r.reader)->blank_bytes, 12);
	reading_file(&r, bytes, 7);
	assert_int_equal(read_all(&r), 0);
	assert_damage(mp_reader_tally(r.reader), 0, 0, 7, "the file ends within its header");
	reading_file(&r, bytes, 0);
	assert_int_equal(read_all(&r), 0);
	assert_int_equal(mp_reader_tally(r.reader)->damage_count, 0);
	reading_close(&r);
}

static void check_float(double d, bool is_null, int64_t expected)
{
	struct reading r;

	reading_open(&r, HEAD "size 8\nfield x f64 @0\nvalue v x scale=1024/3\n", &d, 8);
	assert_true(mp_reader_next(r.reader));
	if (is_null)
		assert_null_value(&r, "x");
	else
		assert_int_value(&r, "x", expected);
	assert_int_equal(mp_reader_tally(r.reader)->bad_floats, is_null);
	reading_close(&r);
}

static void test_float(void **state)
{
	static const struct {
		double d;
		int64_t expected;
	} cases[] = {{0, 0}, {-0.0, 0}, {0.5, 0}, {1.5, 2}, {2.5, 2}, {-2.5, -2}, {-3.5, -4},
	    {1e18, 1000000000000000000}, {9007199254740993.0, 9007199254740992}, {5e-324, 0}, {0.49999999999999994, 0},
	    {1e-30, 0}, {9223372036854774784.0, 9223372036854774784}, {-9223372036854774784.0, -9223372036854774784}};
	static const double bad[] = {9223372036854775808.0, -9223372036854775808.0, 1e300, -1e300};
	const double zero = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		check_float(cases[i].d, false, cases[i].expected);
	for (size_t i = 0; i < COUNT(bad); i++)
		check_float(bad[i], true, 0);
	check_float(1 / zero, true, 0);
	check_float(zero / zero, true, 0);
}

static void test_float_values(void **state)
{
	const float f[] = {2.5F, 0.75F, 16777216.0F, 1e-40F};
	unsigned char bytes[16];
	struct reading r;

	(void)state;
	for (int i = 0; i < 16; i++) /* big endian */
		bytes[i] = ((const unsigned char *)f)[i / 4 * 4 + 3 - i % 4];
	reading_open(&r,
	    HEAD "endian big\nsize 16\nfield a f32 @0\nfield b f32 @4\ninput c f32 @8\ninput d f32 @12\n"
		 "value kb a scale=1024/1\nvalue less a minus b scale=1000/1\nvalue more b minus a scale=1000/1\n"
		 "value wide c minus d\nvalue tiny d minus c\n",
	    bytes, 16);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "a", 2);
	assert_int_value(&r, "b", 1);
	assert_int_value(&r, "kb", 2560);
	assert_int_value(&r, "less", 1750);
	assert_int_value(&r, "more", -1750);
	assert_int_value(&r, "wide", 16777216);
	assert_int_value(&r, "tiny", -16777216);
	reading_close(&r);
}

/* Signed fields, and numbers at the ends of their range. */
static void test_values(void **state)
{
	const int64_t least[] = {INT64_MIN, -3, INT64_MAX};
	struct reading r;

	(void)state;
	reading_open(&r,
	    HEAD "size 24\nfield a i64 @0\nfield b i64 @8\nfield c u64 @16\nvalue half b scale=1/2\n"
		 "value sum c minus b\nvalue all a minus c scale=4294967295/4294967295\nvalue kb c scale=1024/1\n"
		 "value back b minus c scale=1/4294967295\n",
	    least, 24);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "half", -2);
	assert_int_value(&r, "sum", INT64_MAX);
	assert_int_value(&r, "all", -INT64_MAX);
	assert_int_value(&r, "kb", INT64_MAX);
	assert_int_value(&r, "back", -2147483649);
	assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 3);
	assert_int_equal(mp_reader_tally(r.reader)->negative, 0);
	reading_close(&r);
}

/* Numbers of a map stand for others; what the map lacks is counted. */
static void test_maps(void **state)
{
	const unsigned char bytes[] = {0x31, 7, 0x32, 8, 0x33, 7};
	struct reading r;

	(void)state;
	reading_open(&r,
	    HEAD
	    "size 2\ninput a u8 @0\nfield b u8 @1\nmap kind a 0x31=1 0x32=9223372036854775807\nmap same b 7=8 8=7\n",
	    bytes, sizeof(bytes));
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "kind", 1);
	assert_int_value(&r, "same", 8);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "kind", INT64_MAX);
	assert_int_value(&r, "same", 7);
	assert_int_equal(mp_reader_tally(r.reader)->unmapped, 0);
	assert_true(mp_reader_next(r.reader));
	assert_null_value(&r, "kind");
	assert_int_equal(mp_reader_tally(r.reader)->unmapped, 1);
	reading_close(&r);
}

/* 1,000 counts of 50 MHz are 14,000 cycles at 700 MHz. */
static void test_cycles(void **state)
{
	const uint32_t fields[] = {500, 1500, 123, 1000};
	struct reading r;

	(void)state;
	reading_open(&r,
	    HEAD "size 16\nfield a u32 @0\nfield b u32 @4\ninput busy u32 @8\ninput all u32 @12\n"
		 "duration d a b unit=50mhz\ncycles c a b unit=50mhz\ncycles back b a unit=50mhz\n"
		 "cycles t all unit=tick100\ncycles k all unit=cycle\ncycles n all unit=ns\n"
		 "share mac busy per=1000\nshare full all per=1000\n",
	    fields, 16);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "d", 20000);
	assert_int_value(&r, "c", 14000);
	assert_int_value(&r, "back", -14000);
	assert_int_value(&r, "t", 100000);
	assert_int_value(&r, "k", 1000);
	assert_int_value(&r, "n", 700);
	assert_int_value(&r, "mac", 1722);
	assert_int_value(&r, "full", 14000);
	assert_int_equal(mp_reader_tally(r.reader)->negative, 0);
	r.clock.core_mhz = 0;
	reading_file(&r, fields, 16);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "d", 20000);
	assert_int_value(&r, "k", 1000);
	assert_int_value(&r, "t", 100000);
	assert_null_value(&r, "c");
	assert_null_value(&r, "mac");
	reading_close(&r);
}

static void test_share_of_ticks(void **state)
{
	const uint64_t fields[] = {10, 25, UINT64_MAX};
	struct reading r;

	(void)state;
	reading_open(&r,
	    HEAD "size 24\nfield a u64 @0\nfield b u64 @8\ninput huge u64 @16\nduration d a b unit=tick100\n"
		 "share x a per=1000\nshare y huge per=1\nshare z huge per=4294967295\n",
	    fields, 24);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "x", 15);
	assert_int_value(&r, "y", INT64_MAX);
	assert_int_value(&r, "z", 6442450945500); /* 1500 * (2^64 - 1) / (2^32 - 1) */
	assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 1);
	reading_close(&r);
}

static void test_needs_core(void **state)
{
	struct mp_layouts set = {0};
	struct mp_error err;
	const struct mp_layout *l;

	(void)state;
	assert_ok(mp_layouts_parse(&set, "t.rec",
		      HEAD "size 4\nfield a u32 @0\ntime t a unit=5mhz\nduration d a unit=ns\ncycles c a unit=ns\n"
			   "cycles k a unit=cycle\ntime x a unit=cycle\nshare s a per=10\nvalue v a\n",
		      &err),
	    &err);
	l = set.items[0];
	for (int i = 0; i < l->column_count; i++)
		assert_int_equal(mp_column_needs_core(l, &l->columns[i]), strchr("cxs", l->columns[i].name[0]) != NULL);
	mp_layouts_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_header),
	    cmocka_unit_test(test_float),
	    cmocka_unit_test(test_float_values),
	    cmocka_unit_test(test_values),
	    cmocka_unit_test(test_maps),
	    cmocka_unit_test(test_cycles),
	    cmocka_unit_test(test_share_of_ticks),
	    cmocka_unit_test(test_needs_core),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
