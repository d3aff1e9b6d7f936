/*
 * pull.h: fetches a JOB from a board into an output directory, and continues after a cut.
 *
 * A JOB is called ".NAME.part", with ".NAME.journal" beside it, until a second look at the board confirms the size, the
 * modification time and, if asked for, the sum of every file. After a cut the same call fetches the missing files, and
 * continues in the middle of a large file. The board is not trusted: nothing is written outside ".NAME.part". Files are
 * streamed; memory grows only with the number of files. The caller owns all structs; there is nothing to free. One
 * thread per board. Functions return 0, or -1 with err.
 */
#ifndef MP_BOARD_PULL_H
#define MP_BOARD_PULL_H

#include "board/transfer/remote.h"

enum mp_transfer_way {
	MP_TRANSFER_BEST, /* tar if the board has it, otherwise sftp */
	MP_TRANSFER_TAR,
	MP_TRANSFER_SFTP
};

struct mp_pull_options {
	enum mp_transfer_way way;
	bool checksum;                /* compare the sha256 of every file, if the board has sha256sum */
	bool sync;                    /* sync the JOB to the disk before its renaming, and then the directory */
	const char *label;            /* text for the file "label" of a whole JOB; or NULL */
	int looks;                    /* maximum number of looks at changing files; 0: 4 */
	const struct mp_watch *watch; /* or NULL */
};

struct mp_pull_result {
	bool already;   /* the output directory has a JOB of that name; nothing was done */
	bool summed;    /* every sum was compared */
	size_t files;   /* fetched */
	size_t kept;    /* present before */
	size_t refused; /* entries with a name or type that is not allowed; each was noted */
	size_t again;   /* written anew after they had been removed; the first ones are called NAME.before.N */
	size_t looks;
	int64_t bytes; /* fetched */
};

/*
 * Fetch the directory job, an absolute path on the board with the name of a JOB, into outfd. After an error
 * ".NAME.part" and its journal stay: the next call goes on from there.
 */
int mp_pull_job(struct mp_board *board, const struct mp_remote *remote, const char *job, int outfd,
    const struct mp_pull_options *options, struct mp_pull_result *result, struct mp_error *err);

/*
 * Do one round while the program runs: fetch finished slices (with a marker NAME.done) and their markers, verify them,
 * sync them to the disk, and remove them from the board. result counts only this round; files is 0 without slices.
 * Complete the JOB with mp_pull_job afterwards.
 */
int mp_pull_slices(struct mp_board *board, const struct mp_remote *remote, const char *job, int outfd,
    const struct mp_pull_options *options, struct mp_pull_result *result, struct mp_error *err);

#endif
