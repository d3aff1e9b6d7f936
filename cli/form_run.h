/*
 * form_run.h: what msprof does for the command line of Ascend servers: it runs and records a program, or handles data
 * that exists.
 *
 * Functions print their errors and return the exit status.
 */
#ifndef MSPROF_FORM_RUN_H
#define MSPROF_FORM_RUN_H

#include "form.h"

/* Parse argv and do what it asks for. */
int form_run(int argc, char **argv);

/* Run a program, record it, and export its results. */
int form_profile(const struct form *form);

/* Parse, query, export or analyze the data in --output. */
int form_data(const struct form *form);

/* Export timeline and tables, or the database, of one directory. */
int form_export(const struct form *form, const char *dir);

#endif
