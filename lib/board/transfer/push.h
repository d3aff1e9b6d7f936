/*
 * push.h: sends the files of a project that a board lacks, or has in another version.
 *
 * Modes and times are kept: they show the next push which files are unchanged. Files that were removed from the project
 * stay on the board. Links within the project are sent as links; links out of the project and devices are noted and
 * left out. Private keys, logins and inis are never sent. Files are streamed; memory grows only with the number of
 * files. The caller owns all structs; there is nothing to free. One thread per board.
 */
#ifndef MP_BOARD_PUSH_H
#define MP_BOARD_PUSH_H

#include "board/transfer/pull.h"
#include "board/transfer/tree.h"

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
	size_t withheld;  /* withheld as private, see private.h */
	int64_t bytes;    /* of the sent files */
};

/* Send the directory open as projectfd to dir, the absolute path of an existing directory (mp_remote_dir_make). */
int mp_push_project(struct mp_board *board, const struct mp_remote *remote, int projectfd, const char *dir,
    const struct mp_push_options *options, struct mp_push_result *result, struct mp_error *err);

#endif
