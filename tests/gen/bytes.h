/*
 * bytes.h: little-endian numbers, and a file that is written through one buffer.
 *
 * The buffer of a struct gen_out is allocated when it first opens a file, and serves all files that follow.
 */
#ifndef GEN_BYTES_H
#define GEN_BYTES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { GEN_OUT_ROOM = 256 * 1024 };

struct gen_out {
	uint8_t *buffer;
	size_t used;
	uint64_t written; /* bytes of the file that have left the buffer */
	int fd;
	int failure; /* errno of the first write that failed, or 0 */
};

static inline void gen_put16(uint8_t *at, uint32_t v)
{
	at[0] = (uint8_t)v;
	at[1] = (uint8_t)(v >> 8);
}

static inline void gen_put32(uint8_t *at, uint32_t v)
{
	gen_put16(at, v);
	gen_put16(at + 2, v >> 16);
}

static inline void gen_put64(uint8_t *at, uint64_t v)
{
	gen_put32(at, (uint32_t)v);
	gen_put32(at + 4, (uint32_t)(v >> 32));
}

/* Create the file `name`, which must not exist. */
int gen_out_create(struct gen_out *out, int dirfd, const char *name, struct mp_error *err);

/* The next `size` bytes of the file, all zero, to be filled before the next call; size <= GEN_OUT_ROOM. */
uint8_t *gen_out_add(struct gen_out *out, size_t size);

/* The length of the file so far. */
uint64_t gen_out_size(const struct gen_out *out);

/* Close the file. Reports any write error since it was opened. */
int gen_out_close(struct gen_out *out, const char *name, struct mp_error *err);

/* Free the buffer, and close a file that is still open. */
void gen_out_free(struct gen_out *out);

#endif
