/*
 * argv.h: a command line split into words as a POSIX shell would split it, and nothing else: no
 * expansion, no operators. "$(x)", "*", ";" and ">" are ordinary characters of a word.
 */
#ifndef MP_BOARD_ARGV_H
#define MP_BOARD_ARGV_H

#include "base/error.h"

/*
 * Blanks and line ends part words; '...' "..." and \ quote. *words is an array of owned texts that ends with NULL, to
 * be freed with mp_argv_free. A quote is not closed, or no word at all, is an error.
 */
int mp_argv_split(char ***words, size_t *count, const char *text, struct mp_error *err);

/* NULL is fine. */
void mp_argv_free(char **words);

#endif
