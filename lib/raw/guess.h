/*
 * guess.h: what the bytes of a raw file look like when they do not fit their layout: the likely size of a record, by
 * the period after which bytes are the same, and the likely header. No allocation, no state; any thread.
 */
#ifndef MP_RAW_GUESS_H
#define MP_RAW_GUESS_H

#include <stddef.h>
#include <stdint.h>

enum { MP_GUESS_SIZE = 64 * 1024, MP_GUESS_TEXT = 512 };

struct mp_guess {
	size_t record; /* bytes of a record; 0: the bytes have no period */
	size_t header; /* bytes before the first record */
};

/* Guess from the first `len` bytes (MP_GUESS_SIZE suffice) of a file of `size` bytes. */
struct mp_guess mp_guess(const unsigned char *bytes, size_t len, int64_t size);

#endif
