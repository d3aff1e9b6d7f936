/*
 * form.h: the command line of Ascend servers, as scripts and other tools call it:
 *
 *	msprof --OPTION=VALUE... [PROGRAM [ARGUMENT]...]
 *	msprof -- PROGRAM [ARGUMENT]...
 *
 * One table (form_table.c) lists the options, their values, and what msprof does about each. All values are validated
 * before anything is done. Texts belong to argv.
 */
#ifndef MSPROF_FORM_H
#define MSPROF_FORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command.h"

/* The form loads libraries into programs, which a build for boards (WITH_SSH=0) does not have. */
#ifdef MSPROF_WITHOUT_SSH
enum { FORM_EXISTS = 0 };
#else
enum { FORM_EXISTS = 1 };
#endif

/* What msprof does about an option that is given. */
enum form_use {
	FORM_ACTIVE,   /* it takes effect */
	FORM_DRIVER,   /* it needs the vendor's driver: a warning where it asks for data */
	FORM_DETAIL,   /* a detail of an option that needs the driver: its value is only validated */
	FORM_NEEDLESS, /* msprof needs no such setting: accepted */
	FORM_NO_DRIVER /* it needs the driver, and nothing works without it: an error */
};

struct form_option {
	enum form_use use;
	struct option_row row; /* with one name; its default is a value */
};
extern const struct form_option form_options[]; /* ends with a row without names */

enum { FORM_OPTION_MAX = 96 };

struct form {
	const char *values[FORM_OPTION_MAX]; /* in the order of the table; NULL: not given */
	char **program;                      /* the words after the options, or NULL */
	bool help;
};

/* Whether argv is such a command line: it begins with one of the options, with "--", or with a path. */
bool form_is(int argc, char **argv);

/* Parse argv; 0, or EXIT_USAGE with the error printed. Warns about options that are accepted without effect. */
int form_parse(struct form *form, int argc, char **argv);

/* The value that was given, else the default, else NULL. `name` is without dashes in all of these. */
const char *form_value(const struct form *form, const char *name);

/* Whether the option was given. */
bool form_given(const struct form *form, const char *name);

/* Whether the value, given or by default, is "on". */
bool form_on(const struct form *form, const char *name);

/* The number of an option with a number or a size (in MB); `otherwise` without a value. */
int64_t form_number(const struct form *form, const char *name, int64_t otherwise);

/* Whether `word` is one of a value's words between commas; false for NULL. */
bool form_has_word(const char *value, const char *word);

/* Print the help of these options. */
void form_help(void);

#endif
