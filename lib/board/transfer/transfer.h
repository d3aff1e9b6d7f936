/*
 * transfer.h: fetches a JOB from a board into an output directory, and continues after a cut; sends the files of a
 * project that a board lacks, or has in another version.
 *
 * A JOB is called ".NAME.part", with ".NAME.journal" beside it, until a second look at the board confirms the size, the
 * modification time and, if asked for, the sum of every file. After a cut the same call fetches the missing files, and
 * continues in the middle of a large file. The board is not trusted: nothing is written outside ".NAME.part".
 *
 * Modes and times of a project are kept: they show the next push which files are unchanged. Files that were removed
 * from the project stay on the board. Links within the project are sent as links; links out of the project and devices
 * are noted and left out. Private keys, logins and inis are never sent.
 *
 * Files are streamed; memory grows only with the number of files. The caller owns all structs; there is nothing to
 * free. One thread per board. Functions return 0, or -1 with err.
 */
#ifndef MP_BOARD_TRANSFER_TRANSFER_H
#define MP_BOARD_TRANSFER_TRANSFER_H

#include "board/transfer/remote.h"
#include "board/transfer/tree.h"

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

struct mp_push_options {
	enum mp_transfer_way way;
	bool checksum;               /* compare contents instead of times, if the board has sha256sum */
	bool dry_run;                /* find the files that would be sent, send nothing; dir may not exist */
	const char *const *excludes; /* as in struct mp_tree_filter; .git and JOB* directories are always left out */
	size_t exclude_count;
	/* Called with each entry that is sent, or would be. May be NULL. */
	void (*each)(void *user, const struct mp_tree_entry *entry);
	/* Called with the path of each file or directory that is withheld as private. May be NULL. */
	void (*withheld)(void *user, const char *path);
	void *user;                   /* of both callbacks */
	const struct mp_watch *watch; /* or NULL */
};

struct mp_push_result {
	size_t files;     /* sent; links count, directories do not */
	size_t unchanged; /* likewise */
	size_t refused;   /* left out with a note */
	size_t withheld;  /* withheld as private, see mp_private_file */
	int64_t bytes;    /* of the sent files */
};

/* Send the directory open as projectfd to dir, the absolute path of an existing directory (mp_remote_dir_make). */
int mp_push_project(struct mp_board *board, const struct mp_remote *remote, int projectfd, const char *dir,
    const struct mp_push_options *options, struct mp_push_result *result, struct mp_error *err);

/*
 * The journal of a JOB that is only partly fetched: enough to continue after a cut.
 *
 * The journal is a small text file ".NAME.journal" beside ".NAME.part", which is always replaced as a whole. It has the
 * names of the board and of its JOB, and the size, time, sum and state of every file; it contains no secrets:
 *
 *     msprof-journal 1
 *     host root@10.0.0.2:22
 *     job /root/out/JOBABC
 *     file want 4096 1718000000 - data/aicore.0.net.1.1.1.0
 *     end 1
 *
 * '%', control characters and bytes that are not UTF-8 are written as %XX. Reading is strict, because anybody may have
 * written the file. The struct owns its texts; free with mp_journal_free.
 */

enum mp_journal_state {
	MP_JOURNAL_WANT, /* to be fetched, or partly fetched */
	MP_JOURNAL_DONE, /* fetched */
	MP_JOURNAL_GONE  /* fetched, and removed from the board */
};

struct mp_journal {
	char *host, *job;
	struct mp_tree files;          /* sorted; only regular files */
	enum mp_journal_state *states; /* one for each file */
};

/* Read the journal of the JOB called name. Returns 0, 1 when there is no journal, -1 on error. */
int mp_journal_read(struct mp_journal *journal, int outfd, const char *name, struct mp_error *err);

/* Write the journal beside the JOB called name. */
int mp_journal_write(const struct mp_journal *journal, int outfd, const char *name, struct mp_error *err);

/* Remove the journal, if there is one. */
int mp_journal_remove(int outfd, const char *name, struct mp_error *err);

/* The state of a file; MP_JOURNAL_WANT with *entry = NULL when the journal does not list the file. */
enum mp_journal_state mp_journal_find(
    const struct mp_journal *journal, const char *path, const struct mp_tree_entry **entry);

/* The sorted names of the JOBs with a journal in the directory outfd. The caller frees the texts and the array. */
int mp_journal_list(int outfd, char ***names, size_t *count, struct mp_error *err);

/* Free the journal; a zeroed journal is legal. */
void mp_journal_free(struct mp_journal *journal);

/*
 * Write a text in which '%', control characters and bytes that are not UTF-8 become %XX; decode it in place, -1 for
 * what is not such a text.
 */
struct mp_out;
void mp_journal_escape(struct mp_out *out, const char *text);
int mp_journal_unescape(char *text);

/* Whether name is a valid name of a JOB: "JOB", then letters, digits, '_' and '-'; fewer than 200 characters. */
bool mp_journal_name_valid(const char *name);

#endif
