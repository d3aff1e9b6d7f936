/* message.c: prints messages to stderr, finds the nearest name by counting edits, and quotes paths. Foreign text is
 * sanitised before it reaches the terminal. */
#include <ctype.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "board/connection/board.h"
#include "command.h"
#include "process.h"
#include "terminal.h"

enum { TEXT_MAX = 2048 };

static char last_error[TEXT_MAX];

MP_PRINTF(3, 0) static void print(const char *kind, char text[TEXT_MAX], const char *fmt, va_list args)
{
	char safe[4 * TEXT_MAX], shown[4 * TEXT_MAX];

	vsnprintf(text, TEXT_MAX, fmt, args);
	mp_sanitise(safe, sizeof(safe), text, strlen(text));
	charset_text(shown, sizeof(shown), safe);
	fprintf(stderr, "msprof: %s%s\n", kind, shown);
}

int message_error(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print("error: ", last_error, fmt, args);
	va_end(args);
	return EXIT_FAILED;
}

int options_usage(const struct command *command)
{
	fprintf(stderr, "Try 'msprof %s --help'.\n", command->name);
	return EXIT_USAGE;
}

int message_usage(const struct command *command, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	print("error: ", last_error, fmt, args);
	va_end(args);
	return options_usage(command);
}

int message_failure(const struct mp_error *err)
{
	return message_error("%s%s", err->text, budget_advice(err->kind));
}

int message_failure_of(const char *name, const struct mp_error *err)
{
	return message_error("'%s': %s%s", name, err->text, budget_advice(err->kind));
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

void message_told(const char *text, const char *object)
{
	char safe[4 * PATH_MAX] = "";

	if (object)
		mp_sanitise(safe, sizeof(safe), object, strlen(object));
	printf("[INFO] %s%s%s\n", text, object ? " " : "", safe);
	fflush(stdout);
}

enum { NEAR = 2 };

static int least(int a, int b, int c)
{
	return a < b ? (a < c ? a : c) : (b < c ? b : c);
}

static bool same(char a, char b)
{
	return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* The edits between two words: letters changed, added, removed, or swapped with the next. Both words are shorter than
 * SUGGESTION_MAX. */
static int distance(const char *a, const char *b)
{
	int rows[SUGGESTION_MAX][SUGGESTION_MAX];
	int m = (int)strlen(a), n = (int)strlen(b);

	for (int i = 0; i <= m; i++)
		for (int k = 0; k <= n; k++) {
			if (!i || !k) {
				rows[i][k] = i + k;
				continue;
			}
			rows[i][k] = least(
			    rows[i - 1][k] + 1, rows[i][k - 1] + 1, rows[i - 1][k - 1] + !same(a[i - 1], b[k - 1]));
			if (i > 1 && k > 1 && same(a[i - 1], b[k - 2]) && same(a[i - 2], b[k - 1]) &&
			    rows[i - 2][k - 2] + 1 < rows[i][k])
				rows[i][k] = rows[i - 2][k - 2] + 1;
		}
	return rows[m][n];
}

void suggest_offer(struct suggestion *s, const char *name)
{
	size_t len = strlen(s->word), name_len = strlen(name);
	int away;

	if (!len || len >= SUGGESTION_MAX || name_len >= SUGGESTION_MAX)
		return;
	away = strncasecmp(name, s->word, len) == 0 ? 1 : distance(s->word, name);
	if (away > NEAR || away >= (int)name_len - 1 || (s->best[0] && away >= s->away))
		return;
	s->away = away;
	memcpy(s->best, name, name_len + 1);
}

#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./,:+@%="

const char *dir_word(char dst[DIR_WORD_MAX], const char *path)
{
	bool overflow = false;

	if (*path && !path[strspn(path, PLAIN)])
		return path;
	mp_shell_quote(dst, DIR_WORD_MAX, 0, path, &overflow);
	return overflow ? "JOB" : dst;
}
