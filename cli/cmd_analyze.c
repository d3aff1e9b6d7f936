/* cmd_analyze.c: msprof analyze. Writes what the collective operations of a PROF directory moved, and over which links.
 */
#include "export_job.h"

static int analyze(struct job_run *s, const struct mp_job *job)
{
	return export_job(s, job, "analyze");
}

static int run_analyze(const struct command *command, const struct options *options)
{
	(void)command;
	return job_run_each(options, analyze);
}

const struct command command_analyze = {
    .name = "analyze",
    .summary = "write what collectives moved to PROF_.../analyze",
    .usages = {"[-dir] PROF [OPTION]..."},
    .text = "Writes communication.json, the time and bandwidth of each collective operation,\n"
	    "and communication_matrix.json, what went from rank to rank. Data that is not\n"
	    "parsed yet is imported first.\n",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, TAKES(ELSEWHERE), TAKES(RULE), TAKES(CLEAR)},
    .run = run_analyze,
};
