/*
 * remote_jobs.h: lists the JOB directories of a board.
 *
 * A list owns its paths; free it with mp_remote_jobs_free (legal on a zeroed list). Paths are absolute and sorted;
 * each occurs once.
 */
#ifndef MP_BOARD_REMOTE_JOBS_H
#define MP_BOARD_REMOTE_JOBS_H

#include "board/transfer/remote.h"

struct mp_remote_jobs {
	char **paths;
	size_t count;
};

/* List all JOBs below the given directories; directories that do not exist are skipped. */
int mp_remote_jobs_list(struct mp_remote_jobs *jobs, struct mp_board *board, const char *const *dirs, size_t dir_count,
    struct mp_error *err);

/* Remove from jobs all paths that earlier holds. */
void mp_remote_jobs_subtract(struct mp_remote_jobs *jobs, const struct mp_remote_jobs *earlier);

/* Move all paths of jobs to another list. */
int mp_remote_jobs_move(struct mp_remote_jobs *to, struct mp_remote_jobs *jobs, struct mp_error *err);
void mp_remote_jobs_free(struct mp_remote_jobs *jobs);

#endif
