/* test_deflate.c: zlib reads what is compressed, whatever the bytes. */
#include "support.h"

#include <zlib.h>

#include "base/deflate.h"

#define TEST(function) cmocka_unit_test(function)

enum { SIZE = 300000 };

static unsigned char bytes[SIZE], back[SIZE + 1];
static uint64_t seed = 1;

static void inflate_into(unsigned char *to, size_t room, const char *packed, size_t size, size_t wanted)
{
	z_stream z = {
	    .next_in = (Bytef *)(uintptr_t)packed, .avail_in = (uInt)size, .next_out = to, .avail_out = (uInt)room};

	assert_int_equal(inflateInit2(&z, -15), Z_OK);
	assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
	assert_int_equal(z.total_out, wanted);
	assert_int_equal(z.avail_in, 0);
	inflateEnd(&z);
}

/* Compress the bytes as two pieces, and compare what zlib reads. */
static void assert_same(struct mp_deflate *d, size_t first, size_t size)
{
	char *packed = malloc(mp_deflate_room(first) + mp_deflate_room(size - first) + MP_DEFLATE_END_SIZE);
	size_t used;

	assert_non_null(packed);
	used = mp_deflate_piece(d, bytes, first, packed);
	assert_true(used <= mp_deflate_room(first));
	used += mp_deflate_piece(d, bytes + first, size - first, packed + used);
	memcpy(packed + used, MP_DEFLATE_END, MP_DEFLATE_END_SIZE);
	used += MP_DEFLATE_END_SIZE;
	inflate_into(back, sizeof(back), packed, used, size);
	assert_memory_equal(back, bytes, size);
	free(packed);
}

static void test_kinds(void **state)
{
	struct mp_deflate *d = mp_deflate_new();

	(void)state;
	assert_non_null(d);
	/* few, many and all values of a byte; the same again from near, from the end of the window, and from beyond it
	 */
	for (unsigned values = 1; values <= 256; values *= 2)
		for (size_t period = 1; period < 2 * SIZE; period = period * 7 + 3) {
			for (size_t i = 0; i < SIZE; i++)
				bytes[i] =
				    i < period ? (unsigned char)(next_random(&seed) % values) : bytes[i - period];
			assert_same(d, SIZE / 3, SIZE);
		}
	for (size_t period = 32766; period <= 32770; period++) {
		for (size_t i = 0; i < SIZE; i++)
			bytes[i] = i < period ? (unsigned char)next_random(&seed) : bytes[i - period];
		assert_same(d, 0, SIZE);
	}
	mp_deflate_free(d);
}

static void test_sizes(void **state)
{
	struct mp_deflate *d = mp_deflate_new();

	(void)state;
	assert_non_null(d);
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (unsigned char)(i % 97 ? 'a' + i % 7 : next_random(&seed));
	for (size_t size = 0; size < 300; size++)
		assert_same(d, size / 2, size);
	for (size_t size = 131066; size < 131081; size++)
		assert_same(d, size, size);
	mp_deflate_free(d);
}

static void test_sums(void **state)
{
	(void)state;
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (unsigned char)(i % 11 ? 255 : next_random(&seed));
	for (size_t size = 0; size <= SIZE; size = size * 3 / 2 + 1) {
		assert_int_equal(mp_deflate_crc(bytes + size % 8, size - size % 8),
		    crc32(0, bytes + size % 8, (uInt)(size - size % 8)));
		assert_int_equal(mp_deflate_adler(bytes, size), adler32(1, bytes, (uInt)size));
	}
}

static void test_places(void **state)
{
	enum { PLACES = 200, ROWS = 40 };
	struct mp_deflate *d[PLACES];
	char wanted[1000], packed[1000];

	(void)state;
	for (size_t i = 0; i < ROWS; i++)
		bytes[i] = (unsigned char)"a row, "[i % 7];
	assert_true(mp_deflate_room(ROWS) <= sizeof(packed));
	for (size_t i = 0; i < PLACES; i++) {
		size_t size;

		d[i] = mp_deflate_new();
		assert_non_null(d[i]);
		size = mp_deflate_piece(d[i], bytes, ROWS, i ? packed : wanted);
		if (i)
			assert_memory_equal(packed, wanted, size);
	}
	for (size_t i = 0; i < PLACES; i++)
		mp_deflate_free(d[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_kinds),
	    TEST(test_sizes),
	    TEST(test_sums),
	    TEST(test_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
