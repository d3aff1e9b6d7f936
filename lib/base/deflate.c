/* deflate.c: pieces of a deflate stream by ISA-L, or by zlib where the build has no ISA-L. */
#include "base/deflate.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* What each 64 KiB of bytes that do not compress, and the end of a piece, need beside the bytes. */
enum { EACH = 65536, MORE = 512 };

size_t mp_deflate_room(size_t size)
{
	return size + (size / EACH + 1) * 16 + MORE;
}

#ifdef MSPROF_ISAL
#include <isa-l/igzip_lib.h>

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
		size_t len = size < EACH ? size : EACH - 1;
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

size_t mp_deflate_piece(struct mp_deflate *d, const void *bytes, size_t size, void *result)
{
	/* what an earlier piece left would be seen: the same piece gives the same bytes */
	memset(d, 0, sizeof(*d));
	isal_deflate_stateless_init(&d->z);
	d->z.level = 1;
	d->z.level_buf = d->room;
	d->z.level_buf_size = sizeof(d->room);
	d->z.flush = FULL_FLUSH;
	d->z.next_in = (uint8_t *)(uintptr_t)bytes;
	d->z.avail_in = (uint32_t)size;
	d->z.next_out = result;
	d->z.avail_out = (uint32_t)mp_deflate_room(size);
	return isal_deflate_stateless(&d->z) == COMP_OK ? d->z.total_out : store(bytes, size, result);
}

void mp_deflate_free(struct mp_deflate *d)
{
	free(d);
}

#else
#include <zlib.h>

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
#endif
