/*
 * form.h: the command line of Ascend servers, as scripts and other tools call it:
 *
 *	msprof --OPTION=VALUE... [PROGRAM [ARGUMENT]...]
 *	msprof -- PROGRAM [ARGUMENT]...
 *
 * One table (form_table.c) says which options there are, what they take, and what becomes of them here. Values are
 * checked before anything is done. Texts are those of argv.
 */
#ifndef MSPROF_FORM_H
#define MSPROF_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command.h"

enum form_type {
	FORM_TEXT,   /* of 1 to `most` bytes */
	FORM_NUMBER, /* a whole number, `least` to `most` */
	FORM_SIZE,   /* whole megabytes, "200MB", `least` to `most` */
	FORM_WORD,   /* one of `words` */
	FORM_LIST    /* some of `words`, with commas between */
};

enum form_use {
	FORM_ACTIVE,    /* done here */
	FORM_DRIVER,    /* needs the vendor's driver: accepted, one warning where it asks for data */
	FORM_DETAIL,    /* of an option that needs the driver: only checked */
	FORM_NEEDLESS,  /* accepted: there is nothing to be told */
	FORM_NO_DRIVER, /* can only be done with the driver, and nothing without it: an error */
	FORM_REFUSED    /* is not done by this program: an error where it asks for something */
};

struct form_option {
	const char *name;
	enum form_type type;
	enum form_use use;
	int64_t least, most;
	const char *words;
	const char *standard; /* the default, or NULL */
	const char *help;
};
extern const struct form_option form_options[]; /* ends with a NULL name */

enum { FORM_OPTION_MAX = 96 };

struct form {
	const char *values[FORM_OPTION_MAX]; /* in the order of the table; NULL: not given */
	char **program;                      /* the words after the options, or NULL */
	bool help;
};

/* Whether argv is of this form rather than a command: it begins with one of the options, with "--", or with a path. */
bool form_is(int argc, char **argv);

/* 0, or EXIT_USAGE with a message printed. Warns of what is accepted and not done. */
int form_parse(struct form *form, int argc, char **argv);

/* What was said of the option, else its default, else NULL. */
const char *form_value(const struct form *form, const char *name);

/* Whether it was said. */
bool form_given(const struct form *form, const char *name);
bool form_on(const struct form *form, const char *name); /* "on", by word or by default */

/* The number of FORM_NUMBER and FORM_SIZE (in MB); `otherwise` without one. */
int64_t form_number(const struct form *form, const char *name, int64_t otherwise);

/* Whether `word` is one of a value's words between commas. */
bool form_has_word(const char *value, const char *word);

void form_help(void);

/* Do it; returns the exit status. */
int form_run(int argc, char **argv);

/* Run the program and record it; export what it left. */
int form_profile(const struct form *form);

/* Parse, query or export what is there. */
int form_data(const struct form *form);

/* Export timeline and tables of one directory, as the options say. */
int form_export(const struct form *form, const char *dir);

#endif
