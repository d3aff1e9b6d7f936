/* test_page.c: numbers of SQLite's file format: written numbers are read back, and cut numbers are detected. */
#include "leaf/page.h"
#include "support.h"

static void check(uint64_t v, int size)
{
	unsigned char bytes[MP_VARINT_SIZE + 1];
	uint64_t back = ~v;

	assert_int_equal(mp_varint_put(bytes, v) - bytes, size);
	assert_ptr_equal(mp_varint_get(bytes, bytes + sizeof(bytes), &back), bytes + size);
	assert_true(back == v);
	for (int cut = 0; cut < size; cut++)
		assert_null(mp_varint_get(bytes, bytes + cut, &back));
}

static void test_varint_keeps_all_64_bits(void **state)
{
	(void)state;
	check(0, 1);
	for (int bits = 1; bits <= 64; bits++) {
		uint64_t all = ~UINT64_C(0) >> (64 - bits);

		check(all, bits > 56 ? 9 : (bits + 6) / 7);
		check(all ^ all >> 1, bits > 56 ? 9 : (bits + 6) / 7);
	}
}

static void test_varint_is_as_documented(void **state)
{
	static const unsigned char two[] = {0x81, 0x00},
				   nine[] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
	unsigned char bytes[MP_VARINT_SIZE];

	(void)state;
	assert_int_equal(mp_varint_put(bytes, 128) - bytes, 2);
	assert_memory_equal(bytes, two, 2);
	assert_int_equal(mp_varint_put(bytes, UINT64_MAX) - bytes, 9);
	assert_memory_equal(bytes, nine, 9);
}

static void test_values_of_records(void **state)
{
	static const unsigned char bytes[16] = {0xfe, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x89};

	(void)state;
	for (size_t from = 0; from < 8; from++)
		for (uint64_t type = 1; type <= MP_SERIAL_INT64; type++) {
			int64_t expected = bytes[from] & 0x80 ? -1 : 0;

			for (size_t i = 0; i < mp_serial_size(type); i++)
				expected = (int64_t)((uint64_t)expected << 8 | bytes[from + i]);
			assert_true(mp_serial_int(bytes + from, type) == expected);
		}
	assert_int_equal(mp_serial_int(bytes, 1), -2);
	assert_int_equal(mp_serial_int(bytes + 1, 3), 0x020304);
	assert_int_equal(mp_serial_size(MP_SERIAL_NULL) + mp_serial_size(MP_SERIAL_ZERO) + mp_serial_size(11), 0);
	assert_int_equal(mp_serial_size(MP_SERIAL_REAL), 8);
	assert_int_equal(mp_serial_size(MP_SERIAL_BLOB + 2 * 7), 7);
	assert_int_equal(mp_serial_size(MP_SERIAL_TEXT + 2 * 7), 7);
}

static void test_bytes_of_pages(void **state)
{
	unsigned char bytes[4];

	(void)state;
	mp_page_put32(bytes, 0x80f1e2d3);
	assert_true(mp_page_get32(bytes) == 0x80f1e2d3);
	assert_int_equal(bytes[0], 0x80);
	assert_int_equal(mp_page_get16(bytes + 2), 0xe2d3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_varint_keeps_all_64_bits),
	    cmocka_unit_test(test_varint_is_as_documented),
	    cmocka_unit_test(test_values_of_records),
	    cmocka_unit_test(test_bytes_of_pages),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
