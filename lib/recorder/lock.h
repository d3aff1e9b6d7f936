/*
 * lock.h: locks for devices and directories, so that all processes of a machine record one at a time.
 *
 * A lock is an empty file with flock. The system releases the lock however the process ends, and knows the holder. The
 * file stays. The caller owns returned descriptors; closing a descriptor and its duplicates unlocks.
 */
#ifndef MP_RECORDER_LOCK_H
#define MP_RECORDER_LOCK_H

#include "base/error.h"

/*
 * Lock a directory, or a device. Both return an enum msprof_status with err: 100042 when locked already, with the
 * holder if the system knows it.
 */
int mp_lock_directory(int dirfd, const char *label, int *lock, struct mp_error *err);
int mp_lock_device(int device, int *lock, struct mp_error *err);

#endif
