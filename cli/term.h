/*
 * term.h: describes the terminal behind a descriptor: its width, colours and characters.
 *
 * Reads the descriptor and the environment (COLUMNS, LANG, LC_*, NO_COLOR, TERM). Cannot fail. Must not run beside
 * setenv() of another thread.
 */
#ifndef MSPROF_TERM_H
#define MSPROF_TERM_H

#include <stdbool.h>

struct term {
	bool tty;
	int width; /* in columns; 0: unlimited, not a terminal */
	bool colour;
	bool ascii; /* the locale has no UTF-8 */
};

/* Describe the terminal, or the file or pipe, behind `fd`. */
struct term term_inspect(int fd);

/* Describe what standard output reaches, also by way of a pager. */
struct term term_output(void);

/* From now on standard output is a pipe to a pager, and `fd` its terminal. */
void term_page(int fd);

#endif
