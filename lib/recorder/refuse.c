/* refuse.c: the texts of refusals. */
#include "recorder/refuse.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "recorder/log.h"

void mp_say_value(
    const struct msprof_face *face, enum mp_call call, enum mp_param param, const char *value, const char *reason)
{
	mp_log(MP_LOG_ERROR, "EK0001 %s: value '%s' of parameter '%s' is invalid: %s", face->calls[call], value,
	    face->params[param], reason);
}

void mp_say_number(
    const struct msprof_face *face, enum mp_call call, enum mp_param param, uint64_t value, const char *reason)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	mp_say_value(face, call, param, text, reason);
}

void mp_say_order(const struct msprof_face *face, enum mp_call call, enum mp_call first)
{
	mp_log(MP_LOG_ERROR, "EK0002 %s: call %s first", face->calls[call], face->calls[first]);
}

void mp_say_config(
    const struct msprof_face *face, enum mp_call call, const char *key, const char *value, const char *reason)
{
	mp_log(MP_LOG_ERROR, "EK0003 %s: value '%s' for %s is invalid: %s", face->calls[call], value, key, reason);
}

void mp_say_unsupported(const struct msprof_face *face, enum mp_call call, enum mp_param param, uint64_t bits)
{
	mp_log(MP_LOG_ERROR, "EK0005 %s: parameter '%s': data types 0x%" PRIx64 " are not supported", face->calls[call],
	    face->params[param], bits);
}

void mp_say_null(const struct msprof_face *face, enum mp_call call, enum mp_param param)
{
	mp_log(MP_LOG_ERROR, "EK0006 %s: parameter '%s' is a null pointer", face->calls[call], face->params[param]);
}

void mp_say_mode(const struct msprof_face *face, enum mp_call call, const char *mode)
{
	mp_log(MP_LOG_ERROR, "EK0007 %s: not in this mode: %s", face->calls[call], mode);
}

void mp_say_failure(const struct msprof_face *face, enum mp_call call, int code, const char *why)
{
	const char *number = code == ACL_ERROR_STORAGE_OVER_LIMIT ? "EK0204"
			     : code == ACL_ERROR_BAD_ALLOC        ? "EK0201"
								  : "EK9999";

	mp_log(MP_LOG_ERROR, "%s %s: %s", number, face->calls[call], why);
}

void mp_call_warn(const struct msprof_face *face, enum mp_call call, const char *fmt, ...)
{
	struct mp_error text;
	va_list args;

	va_start(args, fmt);
	vsnprintf(text.text, sizeof(text.text), fmt, args);
	va_end(args);
	mp_log(MP_LOG_WARNING, "%s: %s", face->calls[call], text.text);
}
