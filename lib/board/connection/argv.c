/* argv.c: splits a command line into words; quotes work as in a shell, all other characters are literal. */
#include "board/connection/argv.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n';
}

/* Take the character after a backslash. An escaped line end vanishes; double quotes allow only a few escapes. */
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

/* Copy one word to `to`, which has room for the whole text. Returns the place after the word; NULL when a quote is
 * open. */
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
	/* at least one character separates words */
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
