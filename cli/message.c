/* message.c: what msprof says to people, on stderr. Foreign text cannot reach the terminal raw. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "command.h"

MP_PRINTF(2, 0) static void print(const char *kind, const char *fmt, va_list args)
{
	char text[2048], safe[4 * 2048];

	vsnprintf(text, sizeof(text), fmt, args);
	mp_sanitise(safe, sizeof(safe), text, strlen(text));
	fprintf(stderr, "msprof: %s%s\n", kind, safe);
}

void message_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print("error: ", fmt, args);
	va_end(args);
}

void message_warning(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print("warning: ", fmt, args);
	va_end(args);
}

void message_info(const struct options *o, const char *fmt, ...)
{
	va_list args;

	if (options_has(o, OPTION_QUIET))
		return;
	va_start(args, fmt);
	print("", fmt, args);
	va_end(args);
}
