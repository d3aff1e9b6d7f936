/* deflate.c: pieces of a deflate stream by ISA-L, or by zlib where the build has no ISA-L. zlib unpacks the schema. */
#include "base/deflate.h"

#define ZLIB_CONST /* zlib takes const bytes */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/schema.h"

/* Bytes that do not compress become blocks: of ISA-L as long as they may be, of zlib of 16 KiB or a little less. What
 * each of those, and the end of a piece, need beside the bytes. */
enum { BLOCK = 16000, BLOCK_ROOM = 8, MORE = 512 };

size_t mp_deflate_room(size_t size)
{
	return size + (size / BLOCK + 1) * BLOCK_ROOM + MORE;
}

#ifdef MSPROF_ISAL
#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>

enum { HISTORY = 8, STORED_MAX = 65535 };

struct mp_deflate {
	struct isal_zstream z;
	uint8_t room[ISAL_DEF_LVL1_LARGE];
};

struct mp_deflate *mp_deflate_new(void)
{
	return malloc(sizeof(struct mp_deflate));
}

/* Blocks without compression, for what ISA-L refuses. Returns their size. */
static size_t store(const char *bytes, size_t size, char *result)
{
	char *at = result;

	while (size) {
		size_t len = size < STORED_MAX ? size : STORED_MAX;
		const unsigned char head[] = {
		    0, (unsigned char)len, (unsigned char)(len >> 8), (unsigned char)~len, (unsigned char)(~len >> 8)};

		memcpy(at, head, sizeof(head));
		memcpy(at + sizeof(head), bytes, len);
		at += sizeof(head) + len;
		bytes += len;
		size -= len;
	}
	return (size_t)(at - result);
}

/* ISA-L's assembly takes a hash from a register without a value where a stream has no history: the same bytes then
 * compress differently, rarely. So the first bytes of a piece are a block without compression, which is history. */
size_t mp_deflate_piece(struct mp_deflate *d, const void *bytes, size_t size, void *result)
{
	const size_t first = store(bytes, size < HISTORY ? size : HISTORY, result);
	uint8_t *at = (uint8_t *)(uintptr_t)bytes;

	if (size <= HISTORY)
		return first;
	/* what an earlier piece left would be seen: the same piece gives the same bytes */
	memset(d, 0, sizeof(*d));
	isal_deflate_init(&d->z);
	d->z.level = 1;
	d->z.level_buf = d->room;
	d->z.level_buf_size = sizeof(d->room);
	d->z.flush = FULL_FLUSH;
	if (isal_deflate_set_dict(&d->z, at, HISTORY) != COMP_OK)
		return store(bytes, size, result);
	d->z.next_in = at + HISTORY;
	d->z.avail_in = (uint32_t)(size - HISTORY);
	d->z.next_out = (uint8_t *)result + first;
	d->z.avail_out = (uint32_t)(mp_deflate_room(size) - first);
	if (isal_deflate(&d->z) != COMP_OK || d->z.avail_in || !d->z.avail_out)
		return store(bytes, size, result);
	return first + d->z.total_out;
}

void mp_deflate_free(struct mp_deflate *d)
{
	free(d);
}

uint32_t mp_deflate_crc(const void *bytes, size_t size)
{
	return crc32_gzip_refl(0, bytes, size);
}

uint32_t mp_deflate_adler(const void *bytes, size_t size)
{
	return isal_adler32(1, bytes, size);
}

#else

enum { RAW = -15, FASTEST = 1, MEMORY = 8 };

struct mp_deflate {
	z_stream z;
};

struct mp_deflate *mp_deflate_new(void)
{
	struct mp_deflate *d = calloc(1, sizeof(*d));

	if (d && deflateInit2(&d->z, FASTEST, Z_DEFLATED, RAW, MEMORY, Z_DEFAULT_STRATEGY) != Z_OK) {
		free(d);
		return NULL;
	}
	return d;
}

size_t mp_deflate_piece(struct mp_deflate *d, const void *bytes, size_t size, void *result)
{
	deflateReset(&d->z);
	d->z.next_in = (Bytef *)(uintptr_t)bytes;
	d->z.avail_in = (uInt)size;
	d->z.next_out = result;
	d->z.avail_out = (uInt)mp_deflate_room(size);
	deflate(&d->z, Z_FULL_FLUSH); /* the room is enough for any bytes */
	return d->z.total_out;
}

void mp_deflate_free(struct mp_deflate *d)
{
	if (d)
		deflateEnd(&d->z);
	free(d);
}

uint32_t mp_deflate_crc(const void *bytes, size_t size)
{
	return (uint32_t)crc32_z(0, bytes, size);
}

uint32_t mp_deflate_adler(const void *bytes, size_t size)
{
	return (uint32_t)adler32_z(1, bytes, size);
}
#endif

enum { GZIP = 15 + 16 }; /* the largest window, and gzip's header and trailer */

int mp_schema_unpack(struct mp_error *err)
{
	const struct mp_schema_pack *pack = &mp_schema_pack;
	z_stream stream = {.next_in = pack->packed,
	    .avail_in = (uInt)pack->packed_size,
	    .next_out = (Bytef *)pack->texts,
	    .avail_out = (uInt)pack->size};
	int status;

	if (!pack->packed_size)
		return 0;
	if (inflateInit2(&stream, GZIP) != Z_OK)
		return mp_fail_memory(err, "the schema");
	status = inflate(&stream, Z_FINISH);
	inflateEnd(&stream);
	return status == Z_STREAM_END && !stream.avail_out ? 0 : mp_fail(err, "the schema of this program is damaged");
}
