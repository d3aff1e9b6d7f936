/* form_profile.h: the state of a program that msprof runs and records: its environment, samples and results. Shared by
 * form_profile.c, form_settings.c and form_results.c. */
#ifndef MSPROF_FORM_PROFILE_H
#define MSPROF_FORM_PROFILE_H

#include <limits.h>

#include "form.h"
#include "samples.h"

#define PROFILE_RECORD "results"
#define PROFILE_WINDOWS "windows"

enum { SETTINGS_MAX = 64, RESULTS_MAX = 256 };

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
	char
	    windows[PATH_MAX + sizeof(PROFILE_WINDOWS)]; /* the file in it with the times of --dynamic; "": all times */
	struct dynamic *dynamic;
	int scratch_fd;
	struct samples *samples;
	int64_t from_ns, until_ns;        /* what is recorded; 0: all of it */
	char *settings[SETTINGS_MAX + 5]; /* "NAME=VALUE", owned */
	int setting_count;
	char *results[RESULTS_MAX]; /* names, owned */
	int result_count;
};

/* Print "[INFO] TEXT OBJECT" on standard output, where other tools look for it; object may be NULL. */
void profile_say(const char *text, const char *object);

/* Take the words of the program from --application or from the command line. */
int profile_take_words(struct profile *p, struct mp_error *err);

/* Add variables to the program's environment: those of --environment and of the recorder. */
int profile_add_settings(struct profile *p, struct mp_error *err);

/* Find the results of the recorders and move the samples into the first; with samples alone a result is created. */
int profile_collect(struct profile *p, struct mp_error *err);

/* Export the results; returns the exit status. */
int profile_export(struct profile *p);

/* Print where the results are and how to export them; `mode` is the variable that postponed the export. */
void profile_leave(const struct profile *p, const char *mode);

#endif
