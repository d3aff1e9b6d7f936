/* test_deflate.c: zlib reads what is compressed, whatever the bytes; codes of any frequencies fit. */
#include "support.h"

#include <zlib.h>

#include "base/deflate.h"
#include "base/huffman.h"

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

/* Compress the bytes as two pieces, and compare what zlib reads. Returns the size. */
static size_t assert_same(struct mp_deflate *d, size_t first, size_t size)
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
	return used;
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
		assert_true(assert_same(d, 0, SIZE) < SIZE || period > 32768);
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

/* All codes together are a full tree, and rarer symbols never have shorter codes. */
static void assert_codes(const uint32_t *frequencies, unsigned symbols)
{
	struct mp_code codes[MP_CODE_SYMBOLS];
	uint64_t used = 0;

	mp_huffman(frequencies, symbols, codes);
	for (unsigned i = 0; i < symbols; i++) {
		assert_true(codes[i].count <= MP_CODE_MAX && (codes[i].count || !frequencies[i]));
		used += codes[i].count ? 1U << (MP_CODE_MAX - codes[i].count) : 0;
		for (unsigned k = 0; k < symbols; k++)
			assert_false(
			    frequencies[i] > frequencies[k] && frequencies[k] && codes[i].count > codes[k].count);
	}
	assert_int_equal(used, 1U << MP_CODE_MAX);
}

static void test_codes(void **state)
{
	uint32_t frequencies[MP_CODE_SYMBOLS] = {0};

	(void)state;
	assert_codes(frequencies, 2);
	assert_codes(frequencies, MP_CODE_SYMBOLS);
	frequencies[5] = 1;
	assert_codes(frequencies, MP_CODE_SYMBOLS);
	for (unsigned i = 0; i < 40; i++) /* the deepest tree, far beyond the maximum */
		frequencies[i] = i < 2 ? 1 : frequencies[i - 1] + frequencies[i - 2];
	assert_codes(frequencies, MP_CODE_SYMBOLS);
	for (unsigned i = 0; i < MP_CODE_SYMBOLS; i++)
		frequencies[i] = i < 30 ? 1U << i : 1;
	assert_codes(frequencies, MP_CODE_SYMBOLS);
	for (int round = 0; round < 100; round++) {
		for (unsigned i = 0; i < MP_CODE_SYMBOLS; i++)
			frequencies[i] = (uint32_t)next_random(&seed) >> (8 + next_random(&seed) % 24);
		assert_codes(frequencies, MP_CODE_SYMBOLS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_kinds),
	    TEST(test_sizes),
	    TEST(test_codes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
