/* cmd_check.c: msprof check. */
#include "print_tables.h"

static int run_check(const struct command *command, const struct options *options)
{
	return print_tables(command, options, false, print_tables_job);
}

const struct command command_check = {
    .name = "check",
    .summary = "report what a job contains, and what is damaged or missing",
    .usages = {"[-dir] JOB [OPTION]..."},
    .text = "Lists every file of the job: its layout, the data that the layout was verified\n"
	    "against, records, damaged bytes with offset and reason, sequence gaps, starts\n"
	    "without an end, missing markers, and every assumption. Writes nothing.\n"
	    "\"Verified\" says whether the layout was compared with real data, with reference\n"
	    "files only, or with nothing: man msprof, CAVEATS. Several jobs give one report\n"
	    "each, or one JSON document.\n",
    .formats = "table csv json",
    .needs = NEEDS_JOB,
    .options = {TAKES(DIR), OPTIONS_REPORT, TAKES(FORMAT), TAKES(TABLE), TAKES(TOP)},
    .run = run_check,
};
