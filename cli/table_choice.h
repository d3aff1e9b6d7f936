/*
 * table_choice.h: chooses one of the tables of a command by the title of --table.
 *
 * The title is that of either style. Case is ignored, and ' ', '_' and '-' are the same.
 */
#ifndef MSPROF_TABLE_CHOICE_H
#define MSPROF_TABLE_CHOICE_H

#include "command.h"
#include "report/report.h"

/* Check that the title exists for any data, and that it is given where CSV needs it; 0, or EXIT_USAGE with the error
 * printed. */
int table_choice_check(const struct command *command, const char *kind, const struct options *options);

/* Keep only the chosen table (all without --table); -1 with err where this data has no such table. */
int table_choice_apply(struct mp_reports *reports, const char *name, struct mp_error *err);

#endif
