/* ranks.h: the ranks of a training, and the sums of a job that cluster and publish take. */
#ifndef MSPROF_RANKS_H
#define MSPROF_RANKS_H

#include "command.h"
#include "job_run.h"

/*
 * Finds the ranks below a directory, and sums them up in parallel.
 *
 * Ranks are PROF directories in TOP, or in directories of TOP, and aggregates in TOP (*.json that begin like one).
 * Links below TOP are not followed. What is summed up lies in a file without a name: nothing stays when the command is
 * killed.
 */

struct rank {
	char *path;   /* of a PROF directory, or of a file with an aggregate */
	bool is_file; /* files come first */
	/* The place and the size of the aggregate of a directory that is summed up; size 0: no aggregate. */
	int64_t at;
	size_t size;
};

struct ranks {
	struct rank *items;
	size_t count;
	const char *top;
	int topfd, made; /* TOP, and the file with the aggregates that were made, or -1 */
};

/* Find the ranks of `top`. Returns 0, or -1 with err. Free with ranks_free in any case. */
int ranks_find(struct ranks *r, const char *top, struct mp_error *err);

/* Sum the jobs up, `at_a_time`, each in a process. Returns the worst exit status; errors are printed. */
int ranks_aggregate(struct ranks *r, const struct options *o, int at_a_time);

/*
 * Read the aggregate of a rank. Returns 0 and *text of *len bytes, which the caller frees, or NULL where none was made;
 * or -1 with err.
 */
int ranks_read(const struct ranks *r, const struct rank *rank, char **text, size_t *len, struct mp_error *err);

void ranks_free(struct ranks *r);

/* Write the aggregate of the job of OPTION_DIR to the empty file `fd`, which stays so after an error. Below the
 * directory `top` links are not followed. */
int aggregate_to(const struct options *options, const char *top, int fd);

/* Make the tables of the aggregates in the job's open database, and keep them where the job may be written. 0, or -1
 * with err. */
int job_aggregates(struct mp_db *db, const struct mp_job *job, const char *family, struct mp_error *err);

#endif
