/*
 * report.h: how calls of the families are refused: one line each on the standard error stream, with a number that the
 * vendor's documents use for that kind of mistake, the call, the parameter and its value. Each gives the code to
 * return.
 */
#ifndef MP_RECORDER_REPORT_H
#define MP_RECORDER_REPORT_H

#include "base/error.h"
#include "recorder/face.h"
#include "recorder/include/acl/acl_base.h"

/* EK0001: 100000 with a sentence about the value; "" for a value that is not worth showing. */
int mp_refuse_value(
    const struct msprof_face *face, enum mp_call call, enum mp_param param, const char *value, const char *reason);
int mp_refuse_number(
    const struct msprof_face *face, enum mp_call call, enum mp_param param, uint64_t value, const char *reason);

/* EK0002: `first` is to be called before. */
int mp_refuse_order(const struct msprof_face *face, enum mp_call call, int code, enum mp_call first);

/* EK0003: a value of a configuration. */
int mp_refuse_config(const struct msprof_face *face, enum mp_call call, int code, const char *key, const char *value,
    const char *reason);

/* EK0005 */
int mp_refuse_unsupported(const struct msprof_face *face, enum mp_call call, enum mp_param param, uint64_t bits);

/* EK0006 */
int mp_refuse_null(const struct msprof_face *face, enum mp_call call, enum mp_param param);

/* EK0007: the call belongs to another mode than the one that is on. */
int mp_refuse_mode(const struct msprof_face *face, enum mp_call call, int code, const char *mode);

/* EK0204 for a full disk, EK0201 for no memory, EK9999 otherwise: what the recorder itself says. */
int mp_refuse_failure(const struct msprof_face *face, enum mp_call call, int code, const char *why);

/* A warning; the call goes on. */
void mp_call_warn(const struct msprof_face *face, enum mp_call call, const char *fmt, ...) MP_PRINTF(3, 4);

#endif
