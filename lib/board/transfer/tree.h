/*
 * tree.h: what is in a directory, here or on a board, and what differs between the two.
 *
 * A tree is a list sorted by path (bytewise), the directory itself left out. It owns its
 * texts; free with mp_tree_free (legal on a zeroed tree). Paths are relative, without "./"
 * or a slash at the end. A tree of a board is as foreign as the board: names that must not
 * be made here are left out and counted (mp_tree_name_reason). One thread per tree.
 */
#ifndef MP_BOARD_TREE_H
#define MP_BOARD_TREE_H

#include <sys/stat.h>

#include "board/transfer/remote.h"

enum { MP_TREE_PATH = 4096, MP_TREE_ENTRIES_MAX = 1000000, MP_TREE_DEPTH_MAX = 64, MP_SHA256_TEXT = 65 };

/* Sizes are summed without a check, so each has a limit: 2 TiB. */
#define MP_TREE_SIZE_MAX (INT64_C(1) << 41)

struct mp_tree_entry {
	char *path;
	char *target; /* of a symbolic link, else NULL */
	int64_t size; /* of a file; 0 for others */
	int64_t mtime_s;
	uint32_t mode;               /* type and permissions, as st_mode has them */
	char sha256[MP_SHA256_TEXT]; /* lower case, or "" */
};

struct mp_tree {
	struct mp_tree_entry *entries;
	size_t count, capacity;
	size_t refused;  /* names and kinds left out */
	size_t withheld; /* names left out as private, see private.h */
	int64_t space;   /* bytes free there, when asked for and known, else -1 */
	bool sorted;
};

/* Copies the path (of len bytes) and target (may be NULL); the rest of the entry is for the caller to fill. */
struct mp_tree_entry *mp_tree_add(
    struct mp_tree *tree, const char *path, size_t len, const char *target, struct mp_error *err);

/* Sort; a path that occurs twice keeps its first entry. */
void mp_tree_sort(struct mp_tree *tree);

/* The entry of a sorted tree, or NULL. */
struct mp_tree_entry *mp_tree_find(const struct mp_tree *tree, const char *path);
void mp_tree_free(struct mp_tree *tree);

/* Why a path from a board must not be made here, or NULL when it may. */
const char *mp_tree_name_reason(const char *path, size_t len);

/* What a listing of a project leaves out. */
struct mp_tree_filter {
	const char *const *patterns; /* fnmatch, against the name and the path; "dir/" only directories */
	size_t count;
	bool project; /* leave out .git and directories named JOB*; and, counted, what is private by its name */
	void (*withheld)(void *user, const char *path); /* called for each private one; may be NULL */
	void *user;
};

/* List the directory open as dirfd (links in it are listed, never followed). Sockets, devices, FIFOs and links that
 * lead out of the directory are noted and left out. */
int mp_tree_list_local(struct mp_tree *tree, int dirfd, const struct mp_tree_filter *filter,
    const struct mp_watch *watch, struct mp_error *err);

/* How a directory of a board is listed. */
struct mp_tree_request {
	const char *dir;
	bool links;     /* link targets too */
	bool sha256;    /* of every file, where the board can */
	bool any_name;  /* keep names that must not be made here: the tree is only compared with a local one */
	bool skip_jobs; /* leave out directories named JOB* and .git */
	bool space;     /* find out the free space as well */
};

/*
 * A listing in two steps, because starting a command on a board may take longer than running it: start it while
 * something else goes on, let it run when that is over. Start sends what is needed, `held` until the finish, which
 * fills the tree and frees the listing; drop frees it unused (NULL is fine). request->dir stays the caller's until
 * then.
 */
struct mp_tree_listing;

int mp_tree_listing_start(struct mp_tree_listing **listing, struct mp_board *board, const struct mp_remote *remote,
    const struct mp_tree_request *request, bool held, struct mp_error *err);
int mp_tree_listing_finish(
    struct mp_tree_listing *listing, struct mp_tree *tree, const struct mp_watch *watch, struct mp_error *err);
void mp_tree_listing_drop(struct mp_tree_listing *listing);

/* Both steps at once. */
int mp_tree_list_remote(struct mp_tree *tree, struct mp_board *board, const struct mp_remote *remote,
    const struct mp_tree_request *request, const struct mp_watch *watch, struct mp_error *err);

/*
 * Mark in send[] (one a local entry) what the board lacks or has differently: kind, permissions, size, and
 * time of change in seconds; with by_content the sha256 instead of the time, wherever the board gave one.
 */
int mp_tree_compare(const struct mp_tree *local, int dirfd, const struct mp_tree *remote, bool by_content, bool *send,
    struct mp_error *err);

/* A directory below a root, found (and, with make, made) step by step without following links; the last one stays open.
 */
struct mp_tree_dir {
	int root; /* the caller's */
	int fd;   /* of path, or -1 */
	bool make;
	char path[MP_TREE_PATH];
};

void mp_tree_dir_start(struct mp_tree_dir *dir, int root, bool make);

/* The directory that holds path (borrowed until the next call); *name is its last element. -1 on error. */
int mp_tree_dir_enter(struct mp_tree_dir *dir, const char *path, const char **name, struct mp_error *err);
void mp_tree_dir_close(struct mp_tree_dir *dir);

/* The sha256 of an open file from its beginning (with pread), in lower case. label names it in errors. */
int mp_tree_sha256(int fd, const char *label, char text[MP_SHA256_TEXT], struct mp_error *err);

#endif
