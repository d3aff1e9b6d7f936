/*
 * refuse.h: refuses calls of the families with one line on standard error.
 *
 * The line has the vendor's number for the kind of mistake, the call, the parameter and its value. mp_refuse_x prints
 * the line and gives the code to return. These are macros so that analysers of a single file see the code. Any thread.
 */
#ifndef MP_RECORDER_REFUSE_H
#define MP_RECORDER_REFUSE_H

#include "base/error.h"
#include "recorder/face.h"
#include "recorder/include/acl/acl_base.h"

/* EK0001: an invalid value, and the reason; "" for a value that is not worth showing. */
void mp_say_value(
    const struct msprof_face *face, enum mp_call call, enum mp_param param, const char *value, const char *reason);
void mp_say_number(
    const struct msprof_face *face, enum mp_call call, enum mp_param param, uint64_t value, const char *reason);
#define mp_refuse_value(...) (mp_say_value(__VA_ARGS__), ACL_ERROR_INVALID_PARAM)
#define mp_refuse_number(...) (mp_say_number(__VA_ARGS__), ACL_ERROR_INVALID_PARAM)

/* EK0002: `first` must be called before. */
void mp_say_order(const struct msprof_face *face, enum mp_call call, enum mp_call first);
#define mp_refuse_order(face, call, code, first) (mp_say_order(face, call, first), (code))

/* EK0003: an invalid value in a configuration. */
void mp_say_config(
    const struct msprof_face *face, enum mp_call call, const char *key, const char *value, const char *reason);
#define mp_refuse_config(face, call, ...) (mp_say_config(face, call, __VA_ARGS__), ACL_ERROR_INVALID_PROFILING_CONFIG)

/* EK0005: unsupported bits. */
void mp_say_unsupported(const struct msprof_face *face, enum mp_call call, enum mp_param param, uint64_t bits);
#define mp_refuse_unsupported(...) (mp_say_unsupported(__VA_ARGS__), ACL_ERROR_PROF_MODULES_UNSUPPORTED)

/* EK0006: a NULL pointer. */
void mp_say_null(const struct msprof_face *face, enum mp_call call, enum mp_param param);
#define mp_refuse_null(...) (mp_say_null(__VA_ARGS__), ACL_ERROR_INVALID_PARAM)

/* EK0007: the call does not belong to the current mode. */
void mp_say_mode(const struct msprof_face *face, enum mp_call call, const char *mode);
#define mp_refuse_mode(face, call, code, mode) (mp_say_mode(face, call, mode), (code))

/* A failure of the recorder: EK0204 for a full disk, EK0201 for no memory, otherwise EK9999. */
void mp_say_failure(const struct msprof_face *face, enum mp_call call, int code, const char *why);
#define mp_refuse_failure(face, call, code, why) (mp_say_failure(face, call, code, why), (code))

/* Print a warning; the call continues. */
void mp_call_warn(const struct msprof_face *face, enum mp_call call, const char *fmt, ...) MP_PRINTF(3, 4);

#endif
