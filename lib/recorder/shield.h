/*
 * shield.h: keeps signals of a write from ending the program, on the calling thread.
 *
 * Writing to a pipe without a reader, or beyond the limit of a file size, raises a signal by default. Between raise and
 * lower the write fails with errno instead.
 */
#ifndef MP_RECORDER_SHIELD_H
#define MP_RECORDER_SHIELD_H

#include <signal.h>

struct mp_shield {
	sigset_t before, waiting; /* blocked before, and pending before */
};

/* Block both signals. */
void mp_shield_raise(struct mp_shield *shield);

/* Discard signals that arrived, and restore the mask. errno is unchanged. */
void mp_shield_lower(const struct mp_shield *shield);

#endif
