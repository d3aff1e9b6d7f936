/* gzip.c: the pieces of a gzip file are parts of one deflate stream; zlib joins their sums. */
#include "base/gzip.h"

#include <string.h>
#include <zlib.h>

#include "base/packer.h"

static size_t cut(const char *bytes, size_t size)
{
	(void)bytes;
	return size;
}

static void pack(struct mp_deflate *d, struct mp_packer_piece *p)
{
	p->packed_size = mp_deflate_piece(d, p->bytes, p->size, p->packed);
	p->sum = mp_deflate_crc(p->bytes, p->size);
}

static uint32_t join(uint32_t sum, uint32_t next, size_t size)
{
	return (uint32_t)crc32_combine(sum, next, (z_off_t)size);
}

static size_t tail(uint32_t sum, uint64_t size, char *at)
{
	memcpy(at, MP_DEFLATE_END, MP_DEFLATE_END_SIZE);
	at += MP_DEFLATE_END_SIZE;
	for (int i = 0; i < 4; i++) {
		at[i] = (char)(sum >> 8 * i);
		at[4 + i] = (char)(size >> 8 * i);
	}
	return MP_DEFLATE_END_SIZE + 8;
}

int mp_gzip_out(struct mp_out *out, int threads, struct mp_error *err)
{
	/* deflate, without a time, made fast, by a system that is not told */
	static const struct mp_packer_form form = {cut, pack, join, tail, "\x1f\x8b\x08\0\0\0\0\0\x04\xff", 10};

	return mp_packer_out(out, &form, threads, err);
}

size_t mp_zlib_pack(struct mp_deflate *d, const char *bytes, size_t size, char *result)
{
	const uint32_t sum = mp_deflate_adler(bytes, size);
	char *at = result + 2;

	memcpy(result, "\x78\x01", 2); /* deflate with a window of 32 KiB, made fast */
	at += mp_deflate_piece(d, bytes, size, at);
	memcpy(at, MP_DEFLATE_END, MP_DEFLATE_END_SIZE);
	at += MP_DEFLATE_END_SIZE;
	for (int i = 0; i < 4; i++)
		*at++ = (char)(sum >> (24 - 8 * i));
	return (size_t)(at - result);
}
