/* error.c: fills struct mp_error. Knows nothing of files, rows or terminals. */
#include "base/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void mp_error_set_kind(struct mp_error *err, enum mp_error_kind kind, const char *fmt, ...)
{
	va_list args;

	err->kind = kind;
	va_start(args, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	va_end(args);
}

static enum mp_error_kind kind_of(int code)
{
	switch (code) {
	case ENOMEM:
		return MP_ERROR_MEMORY;
	case EDQUOT:
	case EFBIG:
	case EIO:
	case ENOSPC:
		return MP_ERROR_DISK;
	default:
		return MP_ERROR_OTHER;
	}
}

void mp_error_set_errno(struct mp_error *err, const char *fmt, ...)
{
	int code = errno;
	va_list args;
	size_t len;

	err->kind = kind_of(code);
	va_start(args, fmt);
	vsnprintf(err->text, sizeof(err->text), fmt, args);
	va_end(args);
	len = strlen(err->text);
	snprintf(err->text + len, sizeof(err->text) - len, ": %s", strerror(code));
}
