/*
 * lock.h: one recording at a time of a device or in a directory, over all processes of a machine.
 *
 * A lock is an empty file and flock on it: the system takes it back however the process ends, and tells who holds it.
 * The file stays. Returned descriptors are the caller's; closing one (and its duplicates) is unlocking.
 */
#ifndef MP_RECORDER_LOCK_H
#define MP_RECORDER_LOCK_H

#include "base/error.h"

/* Both give an enum msprof_status: 100042, with the holder where the system tells it, where it is locked. */
int mp_lock_directory(int dirfd, const char *label, int *lock, struct mp_error *err);
int mp_lock_device(int device, int *lock, struct mp_error *err);

#endif
