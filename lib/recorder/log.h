/*
 * log.h: the messages of the recorder, one line each on standard error. MSPROF_LOG selects the level: "error",
 * "warning" (the default), "info", or "off". Any thread.
 */
#ifndef MP_RECORDER_LOG_H
#define MP_RECORDER_LOG_H

#include "base/error.h"

enum mp_log_level { MP_LOG_ERROR, MP_LOG_WARNING, MP_LOG_INFO };

/* Print "[WARNING] msprof: …", with control characters escaped. */
void mp_log(enum mp_log_level level, const char *fmt, ...) MP_PRINTF(2, 3);

#endif
