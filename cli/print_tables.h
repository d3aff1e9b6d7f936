/*
 * print_tables.h: the reports of a command, printed for each job below -dir.
 *
 * The reports are those of the folder with the name of the command. Functions print their errors and return the exit
 * status.
 */
#ifndef MSPROF_PRINT_TABLES_H
#define MSPROF_PRINT_TABLES_H

#include "job_run.h"

/* Run `work`, which calls print_tables_job, on every job; `may_write`: import data that is not parsed yet. */
int print_tables(const struct command *command, const struct options *options, bool may_write,
    int (*work)(struct job_run *s, const struct mp_job *job));

/* Print the tables of one job. */
int print_tables_job(struct job_run *s, const struct mp_job *job);

#endif
