/*
 * log.h: the messages of the recorder, one line each on standard error. MSPROF_LOG selects the level: "error",
 * "warning" (the default), "info", or "off". Any thread. Standard error is what it was at the first message, or at
 * mp_log_begin: an application that opens a file of its own as descriptor 2 later gets no line into it.
 */
#ifndef MP_RECORDER_LOG_H
#define MP_RECORDER_LOG_H

#include <signal.h>
#include <stdbool.h>

#include "base/error.h"

enum mp_log_level { MP_LOG_ERROR, MP_LOG_WARNING, MP_LOG_INFO };

/* Print "[WARNING] msprof: …", with control characters escaped. */
void mp_log(enum mp_log_level level, const char *fmt, ...) MP_PRINTF(2, 3);

void mp_log_begin(void);

/* From now on the lines of the calling thread wait, which has no standard error. */
void mp_log_later(void);

/* Print the lines that wait, unless the calling thread is the one whose lines wait. Cheap without such lines. */
void mp_log_now(void);

/* Around a fork. */
void mp_log_before_fork(void);
void mp_log_after_fork(bool child);

/*
 * Keeps signals of a write from ending the program, on the calling thread. Writing to a pipe without a reader, or
 * beyond the limit of a file size, raises a signal by default. Between raise and lower the write fails with errno
 * instead.
 */
struct mp_shield {
	sigset_t before, waiting; /* blocked before, and pending before */
};

/* Block both signals. */
void mp_shield_raise(struct mp_shield *shield);

/* Discard signals that arrived, and restore the mask. errno is unchanged. */
void mp_shield_lower(const struct mp_shield *shield);

#endif
