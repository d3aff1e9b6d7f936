/*
 * place.h: a directory for results, opened and locked once for all sessions of the process that write to it.
 *
 * The lock excludes other processes. The recorder's state holds the places and counts their users. Results that exist
 * at the same time have the same pair of clocks (wall.h), which the first place reads. Some calls need the recorder's
 * lock, see each function.
 */
#ifndef MP_RECORDER_PLACE_H
#define MP_RECORDER_PLACE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct mp_result_place {
	struct mp_result_place *next;
	int fd, lock; /* lock: -1 when no lock was requested */
	dev_t dev;
	ino_t ino;
	unsigned uses;
};

/*
 * Open the place of a directory, which must exist, be writable, and have 20 MB left. With `locked`, other processes are
 * excluded. Call without the recorder's lock. Returns 0, or an enum msprof_status with err.
 */
int mp_place_open(struct mp_result_place **place, const char *dir, bool locked, struct mp_error *err);

/*
 * Release a place. Call with the recorder's lock, so that no thread sees a lock of this process without a session. NULL
 * is allowed.
 */
void mp_place_close(struct mp_result_place *place);

#endif
