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
    .text = "Begins with a verdict: whole, or what is wrong. Then what each kind of data is\n"
	    "worth: proven, the vendor's tables came out of it, or its form and its counters\n"
	    "are proven; consistent, every check holds; in doubt, a check fails that correct\n"
	    "data may fail; unproven, no check applies; contradicted, a check fails: such\n"
	    "data's tables are withheld. Then the files by kind, with the data that each\n"
	    "layout was verified against: man msprof, CAVEATS; damaged bytes with offset and\n"
	    "reason, sequence gaps, starts without an end, missing markers, and every\n"
	    "assumption. --files lists each file and each check. Writes nothing. Several jobs\n"
	    "give one report each, or one JSON document.\n",
    .formats = "table csv json",
    .needs = NEEDS_JOB,
    .options = {TAKES(DIR), OPTIONS_REPORT, TAKES(FORMAT), TAKES(TABLE), TAKES(TOP), TAKES(FILES)},
    .run = run_check,
};
