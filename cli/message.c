/* message.c: prints messages to stderr. Foreign text is sanitised before it reaches the terminal. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "budget.h"
#include "command.h"

enum { TEXT_MAX = 2048 };

static char last_error[TEXT_MAX];

MP_PRINTF(3, 0) static void print(const char *kind, char text[TEXT_MAX], const char *fmt, va_list args)
{
	char safe[4 * TEXT_MAX];

	vsnprintf(text, TEXT_MAX, fmt, args);
	mp_sanitise(safe, sizeof(safe), text, strlen(text));
	fprintf(stderr, "msprof: %s%s\n", kind, safe);
}

void message_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print("error: ", last_error, fmt, args);
	va_end(args);
}

void message_failure(const struct mp_error *err)
{
	message_error("%s%s", err->text, budget_advice(err->kind));
}

void message_failure_of(const char *name, const struct mp_error *err)
{
	message_error("'%s': %s%s", name, err->text, budget_advice(err->kind));
}

const char *message_last_error(void)
{
	return last_error;
}

void message_warning(const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list args;

	va_start(args, fmt);
	print("warning: ", text, fmt, args);
	va_end(args);
}

void message_info(const struct options *o, const char *fmt, ...)
{
	char text[TEXT_MAX];
	va_list args;

	if (options_has(o, OPTION_QUIET))
		return;
	va_start(args, fmt);
	print("", text, fmt, args);
	va_end(args);
}
