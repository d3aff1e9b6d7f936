/* log.c: prints a line with a single write, so that lines of several threads do not mix. */
#include "recorder/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "recorder/shield.h"

static int threshold(void)
{
	static const char *const names[] = {"error", "warning", "info"};
	const char *wanted = getenv("MSPROF_LOG");

	if (wanted && strcmp(wanted, "off") == 0)
		return -1;
	for (int i = 0; wanted && i < (int)(sizeof(names) / sizeof(names[0])); i++)
		if (strcmp(wanted, names[i]) == 0)
			return i;
	return MP_LOG_WARNING;
}

void mp_log(enum mp_log_level level, const char *fmt, ...)
{
	static const char *const words[] = {"ERROR", "WARNING", "INFO"};
	char raw[1024], line[2048];
	struct mp_shield shield;
	va_list args;
	size_t len;

	if ((int)level > threshold())
		return;
	va_start(args, fmt);
	vsnprintf(raw, sizeof(raw), fmt, args);
	va_end(args);
	len = (size_t)snprintf(line, sizeof(line), "[%s] msprof: ", words[level]);
	len += mp_sanitise(line + len, sizeof(line) - len - 1, raw, strlen(raw));
	line[len++] = '\n';
	mp_shield_raise(&shield);
	(void)!write(STDERR_FILENO, line, len); /* no other place to report the failure */
	mp_shield_lower(&shield);
}
