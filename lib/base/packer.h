/*
 * packer.h: packs an output in pieces on its way to the file, several of them at the same time, in order.
 *
 * A form tells where pieces end and how one is packed; deflate.h compresses it. gzip (RFC 1952) is the form that is
 * built in. The file is the same with any number of threads. A thread that waits for a piece packs one meanwhile. The
 * output owns the packer.
 */
#ifndef MP_BASE_PACKER_H
#define MP_BASE_PACKER_H

#include "base/deflate.h"
#include "base/out.h"

enum { MP_PACKER_THREADS_MAX = 8, MP_PIECE_SIZE = 256 * 1024 };

struct mp_packer_piece {
	const char *bytes;
	size_t size;
	char *packed; /* has room for mp_deflate_room(size), and MP_PIECE_ROOM before and after it */
	size_t packed_size;
	uint32_t sum;
};

enum { MP_PIECE_ROOM = 64 };

/* Functions may be NULL, except for `cut` and `pack`. */
struct mp_packer_form {
	/* The size of the bytes that may be a piece; 0: the piece needs more bytes. */
	size_t (*cut)(const char *bytes, size_t size);
	/* Set the packed bytes, which may begin behind `packed`, and the sum. Several threads call it at one time. */
	void (*pack)(struct mp_deflate *d, struct mp_packer_piece *piece);
	/* The sum of all pieces so far, and one more of `size` bytes. */
	uint32_t (*join)(uint32_t sum, uint32_t next, size_t size);
	/* Store at most MP_PIECE_ROOM bytes that end the file. Returns how many. */
	size_t (*tail)(uint32_t sum, uint64_t size, char *at);
	const char *head; /* bytes that begin the file */
	size_t head_size;
};

/*
 * Pack all that is written to the output from now on; nothing may have been written. `threads` counts the writer's.
 * Returns 0, or -1 with err.
 */
int mp_packer_out(struct mp_out *out, const struct mp_packer_form *form, int threads, struct mp_error *err);

/* ---- gzip: the header has neither a time nor a name ---- */

/*
 * Compress all that is written to the output from now on, with several threads; nothing may have been written. Returns
 * 0, or -1 with err.
 */
int mp_gzip_out(struct mp_out *out, int threads, struct mp_error *err);

/* Compress bytes in zlib's format. The result needs mp_deflate_room(size) and MP_ZLIB_ROOM. Returns its size. */
enum { MP_ZLIB_ROOM = 16 };
size_t mp_zlib_pack(struct mp_deflate *d, const char *bytes, size_t size, char *result);

#endif
