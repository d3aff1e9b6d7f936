/*
 * place.h: a directory of results, opened and locked once for all sessions of the process that write there.
 *
 * The lock is against other processes. Places are counted, in the recorder's state: see where its lock is wanted.
 */
#ifndef MP_RECORDER_PLACE_H
#define MP_RECORDER_PLACE_H

#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"

struct mp_result_place {
	struct mp_result_place *next;
	int fd, lock; /* lock: -1 where nobody wanted it */
	dev_t dev;
	ino_t ino;
	unsigned uses;
};

/*
 * The place of a directory that must be there, be writable, and have 20 MB left. With `locked` it is this process's
 * alone. 0 or an enum msprof_status. Without the recorder's lock.
 */
int mp_place_open(struct mp_result_place **place, const char *dir, bool locked, struct mp_error *err);

/* With the recorder's lock, so that none sees a lock of this process that no session has. NULL is fine. */
void mp_place_close(struct mp_result_place *place);

#endif
