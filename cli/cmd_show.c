/* cmd_show.c: msprof show. */
#include <unistd.h>

#include "base/dir.h"
#include "print_tables.h"

/* Create the directories that the vendor's show creates: scripts rely on them. A PROF directory gets no such directory.
 */
static void make_directories(const struct mp_job *job)
{
	struct mp_error err;
	int fd = job->family == MP_FAMILY_PROF ? -1 : mp_dir_make(job->dirfd, "timeline", "timeline", &err);

	if (fd >= 0)
		close(fd);
	job_run_log(job, "Show \"%s\"", job->name);
}

static int show_job(struct job_run *s, const struct mp_job *job)
{
	int status = print_tables_job(s, job);

	if (status != EXIT_FAILED && faccessat(job->dirfd, ".", W_OK, 0) == 0)
		make_directories(job);
	return status;
}

static int run_show(const struct command *command, const struct options *options)
{
	return print_tables(command, options, true, show_job);
}

const struct command command_show = {
    .name = "show",
    .summary = "print tables in the terminal",
    .usages = {"[-dir] JOB [OPTION]..."},
    .text = "Begins with an overview over all inferences (iterations): mean, shortest and\n"
	    "longest time, share and verdict of each operator, those of the AI CPU too, with\n"
	    "the idle time of the device. Then AA Core metrics, Op statistic, Acl statistic\n"
	    "and Frequency. Of several inferences the first two are those that --picture,\n"
	    "--model-id or --iteration-id choose, or with --each all; as CSV and JSON they\n"
	    "are always there. --style vendor prints exactly these four, of each inference.\n"
	    "Where nothing is chosen, the overview has 10 operators, and some tables have 3\n"
	    "or 5 rows; --top 0 prints all. On a terminal that is one screen: long names are\n"
	    "shortened, and its last line names the tables that --table or --each prints.\n"
	    "Data that is not parsed yet is imported first; the job then has the directories\n"
	    "sqlite, log and timeline (a PROF directory: sqlite and log).\n"
	    "Ascend cards have the tables of their generation.\n"
	    "Several jobs give tables for each, one table as CSV, or one JSON document.\n\n"
	    "Verdicts: ok, the computing unit is busy; DLD, WLD, Dstr, mte2 and so on, the\n"
	    "unit that binds the operator; low, no unit is busy; AA CPU or AI CPU.\n"
	    "  SS928: a Mac Ppen ratio above 70 % in matrix layers, or a Vec Ppen ratio above\n"
	    "  50 % in others, is fine; else DLD > 70 %, WLD > 80 % or Dstr > 70 % names the\n"
	    "  bottleneck.\n"
	    "  Ascend: the largest ratio of an operator names the unit that bounds it: mac\n"
	    "  and vec compute, mte2 loads from memory, mte1 moves within the core, mte3 and\n"
	    "  fixpipe write results, scalar controls. docs/TABLES.md explains other columns.\n\n"
	    "The longest idle gaps follow the overview where the device is idle for 1 % of\n"
	    "the time or more, or an inference (iteration) is chosen. Reasons: host_late, the\n"
	    "host launched the next task too late; device_wait, that task waited for the\n"
	    "device or a synchronisation; program, the program made no call; end, the track\n"
	    "ends; unlinked, the data does not link tasks with their launches.\n",
    .formats = "table csv json",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, TAKES(FORMAT), TAKES(TABLE), TAKES(STYLE), TAKES(TOP), TAKES(SORT), TAKES(BY),
	TAKES(COLUMNS), TAKES(MODEL_ID), TAKES(PICTURE), TAKES(ITERATION_ID), TAKES(EACH), TAKES(ANYWAY)},
    .run = run_show,
};
