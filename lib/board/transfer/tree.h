/*
 * tree.h: the entries of a directory of this machine or of a board, and the differences between two directories.
 *
 * A tree is a list of entries sorted by path (bytewise), without the directory itself. It owns its texts; free it with
 * mp_tree_free (legal on a zeroed tree). Paths are relative, without "./" and without a slash at the end. The tree of a
 * board is not trusted: invalid names are left out and counted (mp_tree_name_reason). One thread per tree.
 */
#ifndef MP_BOARD_TREE_H
#define MP_BOARD_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

#include "base/error.h"
#include "board/transfer/remote.h"

enum { MP_TREE_PATH = 4096, MP_TREE_DEPTH_MAX = 64, MP_SHA256_TEXT = 65 };

/* The maximum size of an entry, 2 TiB: sums of sizes are not checked. */
#define MP_TREE_SIZE_MAX (INT64_C(1) << 41)

struct mp_tree_entry {
	char *path;
	char *target; /* of a symbolic link, otherwise NULL */
	int64_t size; /* of a file; otherwise 0 */
	int64_t mtime_s;
	uint32_t mode;               /* type and permissions, as in st_mode */
	char sha256[MP_SHA256_TEXT]; /* lower case, or "" */
};

struct mp_tree {
	struct mp_tree_entry *entries;
	size_t count;
	size_t bytes;    /* of entries and texts */
	size_t refused;  /* entries left out for their name or type */
	size_t withheld; /* entries left out as private, see mp_private_file */
	int64_t space;   /* free bytes, if asked for and known, otherwise -1 */
	bool sorted;
	bool again; /* the listing failed, and another one may succeed: a file vanished meanwhile */
};

/*
 * Add an entry with copies of path (len bytes) and target (may be NULL). The caller fills the rest. NULL on error: a
 * tree has at most MP_BUDGET_ENTRIES entries in MP_BUDGET_TREE_BYTES.
 */
struct mp_tree_entry *mp_tree_add(
    struct mp_tree *tree, const char *path, size_t len, const char *target, struct mp_error *err);

/* Give an entry without a target a copy of this one. */
int mp_tree_target(struct mp_tree *tree, struct mp_tree_entry *entry, const char *target, struct mp_error *err);

/* Sort the tree. Of a path that occurs twice, the first entry stays. */
void mp_tree_sort(struct mp_tree *tree);

/* Find an entry of a sorted tree, or NULL. */
struct mp_tree_entry *mp_tree_find(const struct mp_tree *tree, const char *path);
void mp_tree_free(struct mp_tree *tree);

/* Why a path from a board is invalid; NULL when it is valid. */
const char *mp_tree_name_reason(const char *path, size_t len);

/* The entries that a local listing leaves out. */
struct mp_tree_filter {
	const char *const *patterns; /* for fnmatch with the name and with the path; "dir/" matches only directories */
	size_t count;
	bool project; /* leave out .git, directories named JOB*, and private names, which are counted */
	void (*withheld)(void *user, const char *path); /* called for each private name; may be NULL */
	void *user;
};

/* List the directory open as dirfd. Links are listed, never followed. Sockets, devices, FIFOs and links out of the
 * directory are noted and left out. */
int mp_tree_list_local(struct mp_tree *tree, int dirfd, const struct mp_tree_filter *filter,
    const struct mp_watch *watch, struct mp_error *err);

/* A request for a listing of a board. */
struct mp_tree_request {
	const char *dir;
	bool links;     /* with the targets of links */
	bool sha256;    /* with the sum of every file, if the board has sha256sum */
	bool any_name;  /* keep invalid names, for a tree that is only compared with a local tree */
	bool skip_jobs; /* leave out directories named JOB* and .git */
	bool space;     /* with the free space */
};

/*
 * A listing in two steps, because a board may take longer to start a command than to run it. Start the listing while
 * another command runs; a `held` listing waits until the finish. Finish fills the tree and frees the listing; drop
 * frees an unused listing (NULL is legal). The caller keeps request->dir until then.
 */
struct mp_tree_listing;

int mp_tree_listing_start(struct mp_tree_listing **listing, struct mp_board *board, const struct mp_remote *remote,
    const struct mp_tree_request *request, bool held, struct mp_error *err);
int mp_tree_listing_finish(
    struct mp_tree_listing *listing, struct mp_tree *tree, const struct mp_watch *watch, struct mp_error *err);
void mp_tree_listing_drop(struct mp_tree_listing *listing);

/* Do both steps. */
int mp_tree_list_remote(struct mp_tree *tree, struct mp_board *board, const struct mp_remote *remote,
    const struct mp_tree_request *request, const struct mp_watch *watch, struct mp_error *err);

/*
 * Mark in send[], one for each local entry, the entries that the board lacks or that differ in type, permissions, size
 * or modification time in seconds. With by_content the sum is compared instead of the time, if the board sent one.
 */
int mp_tree_compare(const struct mp_tree *local, int dirfd, const struct mp_tree *remote, bool by_content, bool *send,
    struct mp_error *err);

/* A directory below a root, opened (and, with make, made) step by step without following links; the last directory
 * stays open. */
struct mp_tree_dir {
	int root; /* owned by the caller */
	int fd;   /* the directory path, or -1 */
	bool make;
	char path[MP_TREE_PATH];
};

void mp_tree_dir_start(struct mp_tree_dir *dir, int root, bool make);

/* Open the parent of path, borrowed until the next call; *name is the last element of path. Returns -1 on error. */
int mp_tree_dir_enter(struct mp_tree_dir *dir, const char *path, const char **name, struct mp_error *err);
void mp_tree_dir_close(struct mp_tree_dir *dir);

/* The sha256 of a whole open file (read with pread), in lower case. label names the file in errors. */
int mp_tree_sha256(int fd, const char *label, char text[MP_SHA256_TEXT], struct mp_error *err);

/*
 * One file during its transfer: ".NAME.part" until it is whole, then NAME. Missing parents are made with mode 0750, and
 * links are never followed; the file has mode 0640. Several files may share one struct mp_tree_dir of the caller. End a
 * file that was begun with mp_pull_file_end or mp_pull_file_drop.
 */
struct mp_pull_file {
	struct mp_tree_dir *dir;
	const char *path; /* borrowed */
	int fd;           /* -1 when not begun */
	int64_t at;
};

/* Open the unfinished file and cut it to its first offset bytes, which must exist. */
int mp_pull_file_begin(
    struct mp_pull_file *file, struct mp_tree_dir *dir, const char *path, int64_t offset, struct mp_error *err);
int mp_pull_file_write(struct mp_pull_file *file, const void *bytes, size_t size, struct mp_error *err);

/* Set the modification time and rename the file over any earlier file. */
int mp_pull_file_end(struct mp_pull_file *file, int64_t mtime_s, struct mp_error *err);

/* Close the file and leave it unfinished. */
void mp_pull_file_drop(struct mp_pull_file *file);

/* Returns the size of an unfinished file, or -1: not found. */
int64_t mp_pull_file_unfinished(struct mp_tree_dir *dir, const char *path);

/* Remove the unfinished file. */
void mp_pull_file_forget(struct mp_tree_dir *dir, const char *path);

/*
 * Files of a project are never sent to a board that are private keys, logins, or inis of boards. Directories and files
 * of logins are recognised by name, all other files by their text.
 */

/* Whether a file or directory with this name contains keys or logins. */
bool mp_private_name(const char *name);

/* Whether a text is a private key, or has a line [ssh_config] like every ini of collect. */
bool mp_private_text(const char *text, size_t len);

/*
 * Whether the text of an open file is private. A file of at most MP_INI_SIZE bytes, which may be an ini, is read whole,
 * a larger file only at its beginning. Returns 1 when private, 0 when not, -1 on error; label names the file in errors.
 */
int mp_private_file(int fd, const char *label, struct mp_error *err);

#endif
