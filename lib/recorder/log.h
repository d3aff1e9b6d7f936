/*
 * log.h: the one way in which the recorder speaks: a line to the standard error stream.
 * MSPROF_LOG chooses: "error", "warning" (also without it), "info", or "off".
 */
#ifndef MP_RECORDER_LOG_H
#define MP_RECORDER_LOG_H

#include "base/error.h"

enum mp_log_level { MP_LOG_ERROR, MP_LOG_WARNING, MP_LOG_INFO };

/* "[WARNING] msprof: …"; control characters are made visible. */
void mp_log(enum mp_log_level level, const char *fmt, ...) MP_PRINTF(2, 3);

#endif
