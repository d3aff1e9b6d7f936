/*
 * argv.h: splits a command line into words, as a POSIX shell does, but without expansions and operators.
 * "$(x)", "*", ";" and ">" are ordinary characters of a word.
 */
#ifndef MP_BOARD_ARGV_H
#define MP_BOARD_ARGV_H

#include "base/error.h"

/*
 * Split text at blanks and line ends; '...', "..." and \ quote. *words receives a NULL-terminated array of texts; free
 * it with mp_argv_free. An open quote, or a text without words, is an error.
 */
int mp_argv_split(char ***words, size_t *count, const char *text, struct mp_error *err);

/* Free the words; NULL is legal. */
void mp_argv_free(char **words);

#endif
