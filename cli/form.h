/*
 * form.h: the command line of Ascend servers, as scripts and other tools call it:
 *
 *	msprof --OPTION=VALUE... [PROGRAM [ARGUMENT]...]
 *	msprof -- PROGRAM [ARGUMENT]...
 *
 * One table (form.c) lists the options, their values, and what msprof does about each. All values are validated
 * before anything is done. Texts belong to argv.
 */
#ifndef MSPROF_FORM_H
#define MSPROF_FORM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "command.h"
#include "launch.h"

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
	bool in_tree; /* the program lies in place of CANN's */
};

/* Whether argv is such a command line: it begins with one of the options, with "--", or with a path. */
bool form_is(int argc, char **argv);

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

/*
 * What msprof does for such a command line: it runs and records a program, or handles data that exists.
 *
 * Functions print their errors and return the exit status.
 */

/* Parse argv and do what it asks for. */
int form_run(int argc, char **argv, bool in_tree);

/* Run a program, record it, and export its results. */
int form_profile(const struct form *form);

/* Parse, query, export or analyze the data in --output. */
int form_data(const struct form *form);

/* Read commands from standard input until the input or the program ends. Returns the exit status. */
int form_attach(const struct form *form);

/* The state of a program that msprof runs and records: its environment, samples and results. Shared by form_profile.c
 * and form_results.c. */

#define PROFILE_RECORD "results"

enum { SETTINGS_MAX = 64 };

struct profile {
	const struct form *form;
	char *path;   /* of the program */
	char **words; /* the program; borrowed from argv or split */
	char **split;
	char *output;           /* real path */
	char scratch[PATH_MAX]; /* a private directory below output, "" until it is made: for samples until there is a
				   result, and */
	char record[PATH_MAX +
		    sizeof(PROFILE_RECORD)]; /* the file in it to which recorders write the names of their results */
	struct dynamic *dynamic;             /* the processes of the program find commands in it */
	int scratch_fd;
	struct samples *samples;
	int64_t from_ns, until_ns;        /* what is recorded; 0: all of it */
	char *settings[SETTINGS_MAX + 5]; /* "NAME=VALUE", owned */
	int setting_count;
	char **results; /* names, owned */
	size_t result_count;
};

/* Find the results of the recorders and move the samples into the first; with samples alone a result is created. */
int profile_collect(struct profile *p, struct mp_error *err);

/* Export the results; returns the exit status. */
int profile_export(struct profile *p);

/* Print where the results are and how to export them; `mode` is the variable that postponed the export. */
void profile_leave(const struct profile *p, const char *mode);

#endif
