/*
 * cluster_trace.h: one trace of all ranks: an archive that Perfetto opens as one.
 *
 * The archive is a TAR file: a trace of the steps and collectives of all ranks, a trace of each rank whose PROF
 * directory is there, and a manifest that says which machine each of them is of. All have one clock. The process that
 * compares the ranks, which is confined, writes the first of them and a plan; processes of their own write those of
 * ranks. Functions return 0, or -1 with err.
 */
#ifndef MSPROF_CLUSTER_TRACE_H
#define MSPROF_CLUSTER_TRACE_H

#include "job_run.h"

/* Files without a name, or -1: the trace of all ranks, and the plan: a struct mp_cluster_rank for each, whose doc is
 * the number of its item, from 0 on. */
struct cluster_trace {
	int all, plan;
};

/* Open the files. */
int cluster_trace_open(struct cluster_trace *t, struct mp_error *err);

/* Write what the options choose of a cluster into them. */
int cluster_trace_plan(const struct cluster_trace *t, struct mp_db *cluster, const struct ranks *ranks,
    const struct options *o, struct mp_error *err);

/* Write the archive that --trace names, `at_a_time` ranks in processes. Returns the exit status; errors are printed. */
int cluster_trace_write(
    const struct cluster_trace *t, const struct ranks *ranks, const struct options *o, int at_a_time);

void cluster_trace_close(struct cluster_trace *t);

#endif
