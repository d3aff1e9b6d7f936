/* quote.c: quotes any text as one word of a POSIX shell. */
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
