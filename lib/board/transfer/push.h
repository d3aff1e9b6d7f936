/*
 * push.h: sends a project to a board: what it lacks or has differently, and nothing else.
 *
 * Modes and times are kept, because they tell next time what is unchanged. What is no longer
 * in the project stays on the board. A link within the project is sent as a link; one that
 * leads out of it is noted and left out, like devices. Private keys, logins and inis are never
 * sent. Streams; memory grows with the number of
 * files only. All structs are the caller's; nothing to free. One thread per board.
 */
#ifndef MP_BOARD_PUSH_H
#define MP_BOARD_PUSH_H

#include "board/transfer/pull.h"
#include "board/transfer/tree.h"

struct mp_push_options {
	enum mp_transfer_way way;
	bool checksum;               /* compare contents, not times, where the board has sha256sum */
	bool dry_run;                /* find out what would be sent, send nothing; dir need not be there */
	const char *const *excludes; /* as in struct mp_tree_filter; .git and JOB* directories are left out anyway */
	size_t exclude_count;
	/* Called with each entry that is (or would be) sent. May be NULL. */
	void (*each)(void *user, const struct mp_tree_entry *entry);
	/* Called with the path of each file or directory that is kept back as private. May be NULL. */
	void (*withheld)(void *user, const char *path);
	void *user;                   /* for both */
	const struct mp_watch *watch; /* or NULL */
};

struct mp_push_result {
	size_t files;     /* sent; links count, directories do not */
	size_t unchanged; /* likewise */
	size_t refused;   /* left out with a note */
	size_t withheld;  /* kept back as private, see private.h */
	int64_t bytes;    /* of the files sent */
};

/* Send the directory open as projectfd to dir, an absolute path that is there (mp_remote_dir_make). */
int mp_push_project(struct mp_board *board, const struct mp_remote *remote, int projectfd, const char *dir,
    const struct mp_push_options *options, struct mp_push_result *result, struct mp_error *err);

#endif
