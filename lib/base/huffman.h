/*
 * huffman.h: codes for symbols that come often or seldom, as deflate has them (RFC 1951, 3.2.2).
 *
 * Every code has at most MP_CODE_MAX bits. No state, no allocation; any thread.
 */
#ifndef MP_BASE_HUFFMAN_H
#define MP_BASE_HUFFMAN_H

#include <stdint.h>

enum { MP_CODE_MAX = 14, MP_CODE_SYMBOLS = 286 };

/* A code with its first bit lowest. */
struct mp_code {
	uint32_t bits, count;
};

/*
 * Make the codes of up to MP_CODE_SYMBOLS symbols, at least two. A symbol that never comes has count 0, but there are
 * always two codes.
 */
void mp_huffman(const uint32_t *frequencies, unsigned symbols, struct mp_code *codes);

#endif
