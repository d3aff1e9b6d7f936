/* argv.c: splits a command line into words; quotes as in a shell, everything else as it is. */
#include "board/connection/argv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* After a backslash: a line that goes on vanishes; within double quotes only a few characters are quoted by it. */
static const char *take_escaped(const char *at, bool quoted, char **to)
{
	if (*at == '\n')
		return at + 1;
	if (!*at || (quoted && !strchr("$`\"\\", *at))) {
		*(*to)++ = '\\';
		return at;
	}
	*(*to)++ = *at;
	return at + 1;
}

/* One word into `to`, which has room for the whole text. The place behind it, or NULL when a quote has no end. */
static const char *take_word(const char *at, char *to)
{
	char quote = '\0';

	while (*at && (quote || !is_blank(*at))) {
		char c = *at++;

		if (quote ? c == quote : (c == '\'' || c == '"'))
			quote = quote ? '\0' : c;
		else if (c == '\\' && quote != '\'')
			at = take_escaped(at, quote == '"', &to);
		else
			*to++ = c;
	}
	*to = '\0';
	return quote ? NULL : at;
}

int mp_argv_split(char ***words, size_t *count, const char *text, struct mp_error *err)
{
	size_t len = strlen(text), used = 0;
	/* words are parted by at least one character */
	char **list = calloc(len / 2 + 2, sizeof(*list)), *word = malloc(len + 1);
	const char *at = text;
	int status = list && word ? 0 : mp_fail_memory(err, "a command line");

	while (!status) {
		while (is_blank(*at))
			at++;
		if (!*at)
			break;
		at = take_word(at, word);
		if (!at)
			status = mp_fail(err, "a quote in '%s' is not closed", text);
		else if (!(list[used++] = strdup(word)))
			status = mp_fail_memory(err, "a command line");
	}
	if (!status && !used)
		status = mp_fail(err, "no program in '%s'", text);
	free(word);
	if (status) {
		mp_argv_free(list);
		list = NULL;
	}
	*words = list;
	*count = used;
	return status;
}

void mp_argv_free(char **words)
{
	for (char **w = words; w && *w; w++)
		free(*w);
	free(words);
}
