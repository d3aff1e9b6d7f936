/*
 * ranks.h: finds the ranks below a directory, and sums them up in parallel.
 *
 * Ranks are PROF directories in TOP, or in directories of TOP, and aggregates in TOP (*.json that begin like one).
 */
#ifndef MSPROF_RANKS_H
#define MSPROF_RANKS_H

#include "command.h"

struct ranks {
	char **jobs;                         /* PROF directories */
	char **files;                        /* aggregates; those of jobs follow once they are made */
	size_t job_count, file_count, given; /* files that were found */
	char *scratch;                       /* the directory of aggregates of jobs, or NULL */
};

/* Find the ranks of `top`. Returns 0, or -1 with err. Free with ranks_free in any case. */
int ranks_find(struct ranks *r, const char *top, struct mp_error *err);

/* Sum the jobs up, `at_a_time`, each in a process. Returns the worst exit status; errors are printed. */
int ranks_aggregate(struct ranks *r, const struct options *o, int at_a_time);

/* Where the aggregate `file` comes from: the PROF directory of one that ranks_aggregate made, else the file itself. */
const char *ranks_source(const struct ranks *r, size_t file);

/* Free, and remove the aggregates that ranks_aggregate made. */
void ranks_free(struct ranks *r);

#endif
