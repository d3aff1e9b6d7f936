/* test_reader_derived.c: values, maps, shares and constants. test_reader_follow.c tests records without a start. */
#include "reader_support.h"

#define HEAD "record r v1 learned\nfile \"f\"\ntable t\n"

/* Numbers at the ends of their range. */
static void test_values(void **state)
{
	const uint64_t fields[] = {0, 3, INT64_MAX, UINT64_MAX};
	struct reading r;

	(void)state;
	reading_open(&r,
	    HEAD "size 32\ninput a u64 @0\nfield b u64 @8\ninput c u64 @16\ninput d u64 @24\nvalue half b scale=1/2\n"
		 "value less c minus b\nvalue more b minus c\nvalue all a minus d scale=4294967295/4294967295\n"
		 "value kb c scale=1024/1\nvalue back a minus c scale=1/4294967295\nvalue most d scale=1/2\n"
		 "value fits d scale=1/3\nvalue none a minus b scale=1/7\n",
	    fields, 32);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "half", 2); /* 1.5, half to even */
	assert_int_value(&r, "less", INT64_MAX - 3);
	assert_int_value(&r, "more", 3 - INT64_MAX);
	assert_int_value(&r, "back", -2147483648);
	assert_int_value(&r, "fits", 6148914691236517205);
	assert_int_value(&r, "none", 0);
	assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 0);
	assert_int_value(&r, "all", -INT64_MAX);
	assert_int_value(&r, "kb", INT64_MAX);
	assert_int_value(&r, "most", INT64_MAX); /* 2^63 - 0.5 becomes 2^63 */
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

/* A map of texts, of several lines and of two columns between each other; unknown numbers are their digits, counted
 * once. */
static void test_map_texts(void **state)
{
	static const struct {
		uint64_t number;
		const char *name, *kind;
		int64_t unmapped;
	} cases[] = {{0, "load", "a,b=c", 0}, {5, "process", "\xc3\xa9", 0}, {7, "7", "7", 1},
	    {INT64_MAX, "last", "9223372036854775807", 1},
	    {UINT64_MAX, "18446744073709551615", "18446744073709551615", 1}};
	struct mp_value values[2];
	struct reading r;

	(void)state;
	reading_open(&r,
	    HEAD "size 8\ninput a u64 @0\nmap name a 0=load\nmap kind a 0=a,b=c 5=\xc3\xa9\n"
		 "map name a 5=process 0x7fffffffffffffff=last\n",
	    "", 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		unsigned char bytes[8];

		put_le(bytes, 8, cases[i].number);
		reading_file(&r, bytes, 8);
		assert_true(mp_reader_next(r.reader));
		assert_text_value(&r, "name", cases[i].name);
		assert_text_value(&r, "kind", cases[i].kind);
		assert_int_equal(mp_reader_tally(r.reader)->unmapped, cases[i].unmapped);
		assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 0);
		/* both texts stay until the next record */
		for (int k = 0; k < 2; k++)
			values[k] = mp_reader_value(r.reader, k);
		assert_memory_equal(values[0].text, cases[i].name, values[0].len);
		assert_memory_equal(values[1].text, cases[i].kind, values[1].len);
		/* callers that read numbers only count once a record */
		mp_reader_count(r.reader, false);
		mp_reader_check(r.reader);
		assert_int_equal(mp_reader_tally(r.reader)->unmapped, 3 * cases[i].unmapped);
	}
	reading_close(&r);
}

/* Per mille of the cycles of a record, in parts of a cycle. */
static void test_shares(void **state)
{
	const uint64_t fields[] = {15, 333, UINT64_MAX};
	static const char text[] =
	    HEAD "size 24\ninput ticks u64 @0\ninput busy u64 @8\ninput huge u64 @16\nfollow s d ticks unit=tick100\n%s"
		 "share mac busy per=1000\nshare y huge per=1\nshare z huge per=4294967295\n";
	static const struct {
		const char *parts;
		int64_t mac, z;
	} cases[] = {{"", 500, 6442450945500}, /* 499.5, half to even; 1500 * (2^64 - 1) / (2^32 - 1) */
	    {"parts 10\n", 4995, 64424509455000}};
	struct reading r;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char layout[512];

		snprintf(layout, sizeof(layout), text, cases[i].parts);
		reading_open(&r, layout, fields, 24);
		assert_true(mp_reader_next(r.reader));
		assert_int_value(&r, "mac", cases[i].mac);
		assert_int_value(&r, "z", cases[i].z);
		assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 0);
		assert_int_value(&r, "y", INT64_MAX);
		assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 1);
		r.clock.core_mhz = 0; /* cycles need no frequency */
		reading_file(&r, fields, 24);
		assert_true(mp_reader_next(r.reader));
		assert_int_value(&r, "mac", cases[i].mac);
		assert_null_value(&r, "d");
		reading_close(&r);
	}
}

static void test_constants(void **state)
{
	struct reading r;

	(void)state;
	reading_open(
	    &r, HEAD "size 1\nconstant a 4294967295\nfield b u8 @0\nconstant c 9223372036854775807\n", "\7", 1);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "a", 4294967295);
	assert_int_value(&r, "b", 7);
	assert_int_value(&r, "c", INT64_MAX);
	assert_int_equal(mp_int_of(mp_reader_value(r.reader, 0)), 4294967295);
	reading_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_values),
	    cmocka_unit_test(test_maps),
	    cmocka_unit_test(test_map_texts),
	    cmocka_unit_test(test_shares),
	    cmocka_unit_test(test_constants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
