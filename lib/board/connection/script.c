/*
 * script.c: quotes any text as one word of a POSIX shell, builds scripts from fixed code and quoted words, and splits a
 * command line into words: quotes work as in a shell, all other characters are literal.
 */
#include "board/connection/pipe.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/connection/board.h"

static size_t put(char *dst, size_t size, size_t at, const char *text, bool *overflow)
{
	for (; *text; text++) {
		if (at + 1 >= size) {
			*overflow = true;
			return at;
		}
		dst[at++] = *text;
	}
	return at;
}

size_t mp_shell_quote(char *dst, size_t size, size_t at, const char *text, bool *overflow)
{
	char one[2] = {0};

	if (at >= size) {
		*overflow = true;
		return at;
	}
	at = put(dst, size, at, "'", overflow);
	for (; *text && !*overflow; text++) {
		one[0] = *text;
		/* Within single quotes only the closing quote is special. */
		at = put(dst, size, at, *text == '\'' ? "'\\''" : one, overflow);
	}
	at = put(dst, size, at, "'", overflow);
	dst[at] = '\0';
	return at;
}

void mp_script_start(struct mp_script *script)
{
	script->len = 0;
	script->overflow = false;
	script->text[0] = '\0';
}

void mp_script_code(struct mp_script *script, const char *code)
{
	size_t len = strlen(code);

	if (script->overflow || len >= sizeof(script->text) - script->len) {
		script->overflow = true;
		return;
	}
	memcpy(script->text + script->len, code, len + 1);
	script->len += len;
}

void mp_script_word(struct mp_script *script, const char *text)
{
	if (!script->overflow)
		script->len = mp_shell_quote(script->text, sizeof(script->text), script->len, text, &script->overflow);
}

void mp_script_number(struct mp_script *script, int64_t number)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)number);
	mp_script_code(script, text);
}

/* "./" in front: a name like "-" would be an option. */
static void append_directory(struct mp_script *script, const char *dir)
{
	bool at_home = strcmp(dir, "~") == 0 || strncmp(dir, "~/", 2) == 0;

	if (at_home) {
		mp_script_code(script, "\"$HOME\"/");
		mp_script_word(script, dir[1] ? dir + 2 : "");
		return;
	}
	mp_script_code(script, dir[0] == '/' ? "" : "./");
	mp_script_word(script, dir);
}

/* With CDPATH cd would print, and choose another directory. */
void mp_script_enter(struct mp_script *script, const char *dir)
{
	mp_script_code(script, "unset CDPATH; cd ");
	append_directory(script, dir);
	mp_script_code(script, " || exit 100; ");
}

void mp_script_argument(struct mp_script *script, const char *text)
{
	mp_script_code(script, script->len ? " " : "set -- ");
	mp_script_word(script, text);
}

void mp_script_directory_argument(struct mp_script *script, const char *dir)
{
	mp_script_code(script, script->len ? " " : "set -- ");
	append_directory(script, dir);
}

void mp_script_body(struct mp_script *script, const char *file_text)
{
	mp_script_code(script, "\n");
	mp_script_code(script, file_text);
}

void mp_script_make(struct mp_script *script, const char *file_text, const char *const *arguments)
{
	mp_script_start(script);
	for (; *arguments; arguments++)
		mp_script_argument(script, *arguments);
	mp_script_body(script, file_text);
}

int mp_script_check(const struct mp_script *script, struct mp_error *err)
{
	if (script->overflow)
		return mp_fail(err, "a path is too long for a command on the board");
	return 0;
}

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
