/*
 * shield.h: around a write, so that the signals of a pipe without a reader and of a limit on the size of files end
 * nobody's program: the write fails, and that is all. On the calling thread.
 */
#ifndef MP_RECORDER_SHIELD_H
#define MP_RECORDER_SHIELD_H

#include <signal.h>

struct mp_shield {
	sigset_t before, waiting; /* what was blocked, and what waited already */
};

void mp_shield_raise(struct mp_shield *shield);

/* errno stays as it is. */
void mp_shield_lower(const struct mp_shield *shield);

#endif
