/*
 * windows.h: the windows of time in which 'msprof --dynamic=on' records, from a file that msprof writes.
 *
 * The file has a time of CLOCK_MONOTONIC_RAW in ns a line: the begin of a window, its end, the begin of the next.
 * msprof writes each time before it comes, so a file that is read after a time has all times up to then. One thread at
 * a time.
 */
#ifndef MP_RECORDER_WINDOWS_H
#define MP_RECORDER_WINDOWS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* The most times in a file, and the bytes of each with its end of line. */
enum { MP_WINDOWS_MAX = 4096, MP_WINDOWS_LINE = 21 };

struct mp_windows;

/* Open the file. Free with mp_windows_free. Returns 0, or -1 with err. */
int mp_windows_open(struct mp_windows **windows, const char *path, struct mp_error *err);

/* Returns whether a time that has come is in a window. Reads the file when the time is later than the last reading. */
bool mp_windows_has(struct mp_windows *windows, uint64_t ns);

/* Close and free. NULL is allowed. */
void mp_windows_free(struct mp_windows *windows);

#endif
