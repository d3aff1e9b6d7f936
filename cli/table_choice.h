/*
 * table_choice.h: --table, by which one of the tables of a command is chosen.
 *
 * NAME is a title, of either style; upper and lower case are the same, and so are ' ', '_' and '-'.
 */
#ifndef MSPROF_TABLE_CHOICE_H
#define MSPROF_TABLE_CHOICE_H

#include "command.h"
#include "report/report.h"

/* Whether NAME is a table of the command for any data, and given where CSV needs it: 0, or EXIT_USAGE with the error
 * printed. */
int table_choice_check(const struct command *command, const char *kind, const struct options *options);

/* Leave the one that was chosen, or all; -1 with err where this data has none of that name. */
int table_choice_apply(struct mp_reports *reports, const char *name, struct mp_error *err);

#endif
