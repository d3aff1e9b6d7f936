/* fuzz_deflate.c: any bytes are compressed: zlib gives them back. */
#include "fuzz.h"

#include <zlib.h>

#include "base/gzip.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mp_deflate *d = mp_deflate_new();
	char *packed = malloc(mp_deflate_room(size) + MP_ZLIB_ROOM);
	Bytef *back = malloc(size + 1);
	uLongf back_size = (uLongf)size + 1;
	size_t packed_size;

	CHECK(d && packed && back);
	packed_size = mp_zlib_pack(d, (const char *)data, size, packed);
	CHECK(packed_size <= mp_deflate_room(size) + MP_ZLIB_ROOM);
	CHECK(uncompress(back, &back_size, (const Bytef *)packed, (uLong)packed_size) == Z_OK);
	CHECK(back_size == size && (!size || memcmp(back, data, size) == 0));
	free(back);
	free(packed);
	mp_deflate_free(d);
	return 0;
}
