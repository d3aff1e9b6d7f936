/*
 * deflate.h: compresses bytes fast (RFC 1951), each piece by itself, so that several threads share a stream.
 *
 * A piece is whole blocks, none of them the last, and ends at a byte. Pieces one after the other, and MP_DEFLATE_END,
 * are a deflate stream. The same build makes the same bytes of the same piece. Free with mp_deflate_free. One thread at
 * a time.
 */
#ifndef MP_BASE_DEFLATE_H
#define MP_BASE_DEFLATE_H

#include <stddef.h>
#include <stdint.h>

/* The last block, which is empty. */
#define MP_DEFLATE_END "\x03\0"
enum { MP_DEFLATE_END_SIZE = 2, MP_DEFLATE_PIECE_MAX = 1 << 30 };

struct mp_deflate;

/* Returns NULL when out of memory. */
struct mp_deflate *mp_deflate_new(void);

/* Returns the room that a piece of `size` bytes needs in any case. */
size_t mp_deflate_room(size_t size);

/* Compress a piece of at most MP_DEFLATE_PIECE_MAX bytes. Returns the size of the result. */
size_t mp_deflate_piece(struct mp_deflate *d, const void *bytes, size_t size, void *result);

void mp_deflate_free(struct mp_deflate *d);

/* The sums that end a gzip file and a stream of zlib's format: CRC-32, and Adler-32. */
uint32_t mp_deflate_crc(const void *bytes, size_t size);
uint32_t mp_deflate_adler(const void *bytes, size_t size);

#endif
