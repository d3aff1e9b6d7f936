/*
 * remote_jobs.h: lists the JOB directories of a board, and tells which of them came since an earlier list.
 *
 * A list is whole: each of its directories was searched to the end, or is known not to exist. A search of which that
 * cannot be said is an error, because "not seen before" must never mean "not looked for". A list owns its paths; free
 * it with mp_remote_jobs_free (legal on a zeroed list). Paths are absolute and sorted; each occurs once.
 */
#ifndef MP_BOARD_REMOTE_JOBS_H
#define MP_BOARD_REMOTE_JOBS_H

#include "board/transfer/remote.h"

enum { MP_REMOTE_PLACES = 4 };

struct mp_remote_job {
	char *path;
	/* Device, inode and time of its directory; all 0 when unknown. A JOB that was only moved keeps them. */
	uint64_t device, inode;
	int64_t mtime_s;
	bool created; /* by mp_remote_jobs_subtract: it certainly came into being after the earlier list */
};

/* A directory that was searched; or the device of the directory that lacks it. */
struct mp_remote_place {
	char *path;
	uint64_t device;
};

struct mp_remote_jobs {
	struct mp_remote_job *items;
	size_t count;
	struct mp_remote_place places[MP_REMOTE_PLACES];
	size_t place_count;
};

/* List all JOBs below at most MP_REMOTE_PLACES absolute paths. The watch may be NULL. */
int mp_remote_jobs_list(struct mp_remote_jobs *jobs, struct mp_board *board, const struct mp_remote *remote,
    const char *const *dirs, size_t dir_count, const struct mp_watch *watch, struct mp_error *err);

/* Read so many numbers with a blank behind each. Returns the text behind them, or NULL. */
const char *mp_remote_numbers(const char *text, int64_t *numbers, size_t count);

/* Append a JOB, or a place; the path is copied. */
int mp_remote_jobs_add(
    struct mp_remote_jobs *jobs, const struct mp_remote_job *job, const char *path, struct mp_error *err);
int mp_remote_jobs_add_place(struct mp_remote_jobs *jobs, const char *path, uint64_t device, struct mp_error *err);

/*
 * Remove from jobs all paths that earlier holds, and set `created` of those that are left: below a place that earlier
 * searched, on the device of then (not on a card that was mounted meanwhile), and no JOB of then under another name.
 * No clock is asked: that of a board may be wrong.
 */
int mp_remote_jobs_subtract(struct mp_remote_jobs *jobs, const struct mp_remote_jobs *earlier, struct mp_error *err);

/* Move all paths of jobs to another list, which has the places of jobs from then on. */
int mp_remote_jobs_move(struct mp_remote_jobs *to, struct mp_remote_jobs *jobs, struct mp_error *err);
void mp_remote_jobs_free(struct mp_remote_jobs *jobs);

#endif
