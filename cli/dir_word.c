/* dir_word.c: a path as one word of a shell command. */
#include "dir_word.h"

#include <string.h>

#include "board/connection/board.h"

#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./,:+@%="

const char *dir_word(char dst[DIR_WORD_MAX], const char *path)
{
	bool overflow = false;

	if (*path && !path[strspn(path, PLAIN)])
		return path;
	mp_shell_quote(dst, DIR_WORD_MAX, 0, path, &overflow);
	return overflow ? "JOB" : dst;
}
