/* cmd_query.c: msprof query. */
#include "print_tables.h"

static int run_query(const struct command *command, const struct options *options)
{
	return print_tables(command, options, true, print_tables_job);
}

const struct command command_query = {
    .name = "query",
    .summary = "list devices, models and iterations",
    .usages = {"[-dir] JOB [OPTION]..."},
    .text = "Lists the choices for export: devices, models and iterations (steps). \"Top\n"
	    "Time Iteration\" names up to five iterations of the model, the longest first.\n"
	    "Jobs of boards have the label of 'collect --name', the date of their newest raw\n"
	    "file, and the time of all inferences of a model.\n"
	    "Data that is not parsed yet is imported first. Several jobs give one list each,\n"
	    "or one JSON document.\n",
    .formats = "table csv json",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, TAKES(FORMAT), TAKES(TABLE)},
    .run = run_query,
};
