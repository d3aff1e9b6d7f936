/* test_deflate_zlib.c: pieces by zlib, as builds without ISA-L make them: what does not compress has room, whatever its
 * size. */
#include "../../lib/base/deflate.c"

#include "support.h"

enum { SIZE = 16 << 20 };

static void test_room(void **state)
{
	struct mp_deflate *d = mp_deflate_new();
	unsigned char *bytes = malloc(SIZE), *packed = malloc(mp_deflate_room(SIZE)), *back = malloc(SIZE + 1);
	uint64_t seed = 1;

	(void)state;
	assert_non_null(d);
	assert_non_null(bytes);
	assert_non_null(packed);
	assert_non_null(back);
	for (size_t i = 0; i < SIZE; i++)
		bytes[i] = (unsigned char)next_random(&seed);
	for (size_t size = SIZE / 64; size <= SIZE; size *= 4) {
		size_t used = mp_deflate_piece(d, bytes, size, packed);
		z_stream z = {.next_in = packed, .avail_in = (uInt)used, .next_out = back, .avail_out = SIZE + 1};

		assert_true(used < mp_deflate_room(size));
		assert_int_equal(inflateInit2(&z, RAW), Z_OK);
		assert_int_equal(inflate(&z, Z_SYNC_FLUSH), Z_OK);
		assert_int_equal(z.total_out, size);
		assert_memory_equal(back, bytes, size);
		inflateEnd(&z);
	}
	mp_deflate_free(d);
	free(bytes);
	free(packed);
	free(back);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_room)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
