/* cmd_export.c: msprof export timeline and msprof export summary. */
#include <string.h>

#include "export_job.h"
#include "export_limits.h"
#include "export_process.h"

static int export_timeline(struct job_run *s, const struct mp_job *job)
{
	return export_job(s, job, "timeline");
}

static int export_summary(struct job_run *s, const struct mp_job *job)
{
	return export_job(s, job, "summary");
}

/* Export the timeline, then the summary, which would fail like a failed timeline. */
static int export_both(struct job_run *s, const struct mp_job *job)
{
	struct options timeline = *s->options;
	struct job_run first = *s;
	int status;

	timeline.values[OPTION_CLEAR] = NULL; /* the summary still needs the database */
	timeline.values[OPTION_FORMAT] = NULL;
	first.options = &timeline;
	status = export_timeline(&first, job);
	s->noticed = first.noticed;
	if (status == EXIT_FAILED)
		return status;
	return job_run_worse(status, export_summary(s, job));
}

int export_timeline_and_summary(const struct options *options)
{
	return export_processes(options, export_both);
}

static int run_export_timeline(const struct command *command, const struct options *options)
{
	if (!export_limits_check(options))
		return options_usage(command);
	return export_processes(options, export_timeline);
}

static int export_stacks(struct job_run *s, const struct mp_job *job)
{
	return export_job(s, job, "stacks");
}

static int run_export_stacks(const struct command *command, const struct options *options)
{
	if (!export_limits_check(options))
		return options_usage(command);
	return job_run_each(options, export_stacks);
}

static int run_export_summary(const struct command *command, const struct options *options)
{
	(void)command;
	return job_run_each(options, export_summary);
}

#define OPTIONS_CHOICE                                                                                                 \
	TAKES(ELSEWHERE), TAKES(MODEL_ID), TAKES(ITERATION_ID), TAKES(ITERATION_COUNT), TAKES(REPORTS), TAKES(CLEAR)

const struct command command_export_timeline = {
    .name = "export timeline",
    .summary = "write chrome traces to JOB/timeline",
    .usages = {"[-dir] JOB [OPTION]..."},
    .text = "Writes task_time_*.json, acl_*.json and both in trace.json, for Ascend cards\n"
	    "more; open them in chrome://tracing or Perfetto. --format perfetto writes only\n"
	    "trace.pftrace, below a third in size; --format json.gz compresses the files.\n"
	    "Data that is not parsed yet is imported first.\n"
	    "For a PROF directory it writes PROF/mindstudio_profiler_output/msprof_*.json.\n"
	    "Of a process that left several results below DIR it also writes them in one:\n"
	    "DIR/process_PID.json.\n",
    .formats = "json json.gz perfetto",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, TAKES(FORMAT), TAKES(STYLE), OPTIONS_CHOICE, TAKES(PICTURE), TAKES(FROM_TIME),
	TAKES(TO_TIME), TAKES(DEVICE)},
    .run = run_export_timeline,
};

const struct command command_export_summary = {
    .name = "export summary",
    .summary = "write CSV or JSON tables to JOB/summary",
    .usages = {"[-dir] JOB [OPTION]..."},
    .text = "Writes op_summary, op_statistic and acl_statistic files, for Ascend cards more.\n"
	    "Data that is not parsed yet is imported first.\n"
	    "Files of a PROF directory go to PROF/mindstudio_profiler_output.\n",
    .formats = "csv json",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, TAKES(FORMAT), TAKES(STYLE), OPTIONS_CHOICE},
    .run = run_export_summary,
};

const struct command command_export_stacks = {
    .name = "export stacks",
    .summary = "write folded stacks of calls for flame graphs",
    .usages = {"[-dir] JOB [OPTION]..."},
    .text = "Writes JOB/timeline/stacks.folded, of a PROF directory into\n"
	    "PROF/mindstudio_profiler_output: a line for each stack of calls, with the time\n"
	    "of its last call without the calls in it, in ns. flamegraph.pl, speedscope and\n"
	    "other tools read it. Without calls of the host it has the tasks of each stream.\n"
	    "Data that is not parsed yet is imported first.\n",
    .needs = NEEDS_JOB,
    .options = {OPTIONS_JOB, TAKES(ELSEWHERE), TAKES(CLEAR), TAKES(FROM_TIME), TAKES(TO_TIME)},
    .run = run_export_stacks,
};
