/*
 * patience.h: how long a server may go on without giving what was asked for.
 *
 * Silence ends a conversation, and so do bytes that come too slowly: an answer is progress by each MP_PATIENCE_BYTES.
 * Nothing is allocated; one thread at a time.
 */
#ifndef MP_FLEET_PATIENCE_H
#define MP_FLEET_PATIENCE_H

#include <stdint.h>

#include "base/error.h"

enum { MP_PATIENCE_BYTES = 64 << 10, MP_PATIENCE_S = 600 };

/* The variable of the environment with the seconds without progress. */
#define MP_PATIENCE_VARIABLE "MSPROF_MAX_SILENCE"

struct mp_patience {
	int64_t limit_ms, since_ms;
	int64_t bytes; /* since then */
};

/* The limit that the environment sets, or that of MP_PATIENCE_S. Returns 0, or -1 with err. */
int mp_patience_limit(int64_t *limit_ms, struct mp_error *err);

/* Something came that was asked for. */
void mp_patience_renew(struct mp_patience *patience);

/* Bytes of an answer came. */
void mp_patience_add(struct mp_patience *patience, int64_t bytes);

/* What is left; 0: the server is given up. */
int64_t mp_patience_left_ms(const struct mp_patience *patience);

/* Time in which somebody else is waited for does not count: it begins and ends, where `begun` is the first's result. */
int64_t mp_patience_pause(void);
void mp_patience_resume(struct mp_patience *patience, int64_t begun);

/* Store that the server was given up. Returns -1. */
int mp_patience_fail(const struct mp_patience *patience, const char *what, struct mp_error *err);

#endif
