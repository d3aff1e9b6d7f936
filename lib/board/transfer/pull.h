/*
 * pull.h: fetches a JOB from a board into an output directory, whole or to be continued.
 *
 * The JOB grows as ".NAME.part" with ".NAME.journal" beside it and gets its name when
 * every file has the size, time of change and, when asked, sum that the board tells at a
 * second look. After a cut the same call goes on with what is missing, in the middle of a
 * large file if need be. The board is a stranger: whatever it sends, nothing is written
 * outside ".NAME.part". Everything is streamed; memory grows only with the number of
 * files. All structs are the caller's; nothing to free. One thread per board.
 */
#ifndef MP_BOARD_PULL_H
#define MP_BOARD_PULL_H

#include "board/transfer/remote.h"

enum mp_transfer_way {
	MP_TRANSFER_BEST, /* tar where the board has it, else sftp */
	MP_TRANSFER_TAR,
	MP_TRANSFER_SFTP
};

struct mp_pull_options {
	enum mp_transfer_way way;
	bool checksum;                /* compare the sha256 of every file, where the board has sha256sum */
	bool sync;                    /* put the JOB on the disk before it gets its name, and then the name */
	const char *label;            /* what goes into the JOB's file "label" when the JOB is whole; or NULL */
	int looks;                    /* how often files that change meanwhile are fetched again; 0: 4 times */
	const struct mp_watch *watch; /* or NULL */
};

struct mp_pull_result {
	bool already;   /* a JOB of that name was here, nothing was done */
	bool summed;    /* every sum was compared */
	size_t files;   /* fetched */
	size_t kept;    /* here before */
	size_t refused; /* names and kinds that must not be made here; each was noted */
	size_t looks;
	int64_t bytes; /* fetched */
};

/*
 * Fetch the directory job (absolute, on the board; its name must be a JOB's) into outfd.
 * On an error ".NAME.part" and its journal stay for the next call, or for --resume.
 */
int mp_pull_job(struct mp_board *board, const struct mp_remote *remote, const char *job, int outfd,
    const struct mp_pull_options *options, struct mp_pull_result *result, struct mp_error *err);

/*
 * One round while the program runs: fetch the finished slices (those with a marker NAME.done) and their markers,
 * verify them, put them on the disk, remove them from the board. result counts this round; files == 0 when
 * there was nothing. mp_pull_job ends the JOB afterwards.
 */
int mp_pull_slices(struct mp_board *board, const struct mp_remote *remote, const char *job, int outfd,
    const struct mp_pull_options *options, struct mp_pull_result *result, struct mp_error *err);

#endif
