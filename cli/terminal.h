/* terminal.h: the terminal behind a descriptor, and one line of progress on it. */
#ifndef MSPROF_TERMINAL_H
#define MSPROF_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/*
 * The terminal behind a descriptor: its width, colours and characters.
 *
 * Reads the descriptor and the environment (COLUMNS, LANG, LC_*, MSPROF_LINES, NO_COLOR, TERM). Cannot fail. Must not
 * run beside setenv() of another thread.
 */

struct term {
	bool tty;
	int width; /* in columns; 0: unlimited, not a terminal */
	bool colour;
	bool ascii; /* lines of ASCII: the locale has no UTF-8, or the user wants it so */
	bool plain; /* no other characters at all */
};

/* Describe the terminal, or the file or pipe, behind `fd`. */
struct term term_inspect(int fd);

/* Describe what standard output reaches, also by way of a pager. */
struct term term_output(void);

/* From now on standard output is a pipe to a pager, and `fd` its terminal. */
void term_page(int fd);

/* Whether the environment names a locale without UTF-8, which need not be installed; its name, or NULL. */
const char *term_other_locale(void);

struct mp_out;

/*
 * Convert what is printed from UTF-8 to the characters of that locale, once charset_begin has opened them: before the
 * sandbox. Without them all is left as it is. A character that they lack becomes '?' in each of its columns.
 */
void charset_begin(const char *locale);
void charset_end(void); /* what is printed is UTF-8 again */
bool charset_is_open(void);
void charset_out(struct mp_out *out);                        /* all that is written from now on */
void charset_text(char *dst, size_t size, const char *text); /* cut where it does not fit */

/* The progress of an import or export as one line on a terminal; nothing is shown elsewhere. */

struct progress {
	bool active;
	bool shown;
	const char *what;
	char name[128];
	struct timespec begun, last;
};

/* Start; returns whether progress is shown: stderr is a terminal, and `quiet` is false. */
bool progress_begin(struct progress *p, bool quiet, const char *what, const char *name);

/* Show `done` of `total`; `user` is the struct progress. */
void progress_update(void *user, int64_t done, int64_t total);

/* Whether it is time to show a line of the caller's, which then does. */
bool progress_is_due(struct progress *p);

/* Remove the line. */
void progress_end(struct progress *p);

#endif
