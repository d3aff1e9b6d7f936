/*
 * term.h: what may be assumed of the reader's screen.
 *
 * Asks the descriptor and the environment (COLUMNS, LANG and its kin, NO_COLOR, TERM); keeps
 * nothing, cannot fail. Not for a thread that runs beside setenv().
 */
#ifndef MSPROF_TERM_H
#define MSPROF_TERM_H

#include <stdbool.h>

struct term {
	bool tty;
	int width; /* in columns; 0: unlimited, because nobody looks at a line end */
	bool colour;
	bool ascii; /* the locale has no UTF-8 */
};

/* Describe the other end of a descriptor. */
struct term term_inspect(int fd);

#endif
