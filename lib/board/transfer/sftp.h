/*
 * sftp.h: the fallback for boards without tar: the sftp protocol (version 3) with
 * many requests of 32 KiB in flight, for one file as for ten thousand.
 *
 * libssh 0.10 can begin reads ahead of their answers but no writes and no opens, and
 * waits in between; so the packets are made here, over a channel of the session (or the
 * server's program where that is known). Answers may come in any order; files are
 * written from front to back, so what a cut leaves is always a beginning.
 * Larger requests than 32 KiB lose data against some servers; sizes are always checked.
 * An mp_sftp uses its board's only thread and is closed with mp_sftp_close (NULL is fine).
 */
#ifndef MP_BOARD_SFTP_H
#define MP_BOARD_SFTP_H

#include "board/transfer/remote.h"

enum { MP_SFTP_CHUNK = 32 * 1024, MP_SFTP_IN_FLIGHT = 64, MP_SFTP_FILES = 32 };

struct mp_sftp;
struct mp_tree_entry;

struct mp_sftp_attributes {
	uint32_t mode;      /* 0 when the server did not say */
	const char *target; /* of a link, when asked for and readable, else NULL */
	const char *reason; /* why the name is none, else NULL */
	int64_t size, mtime_s;
};

/* Start a server on the board and greet it. progress may be NULL. */
int mp_sftp_open(struct mp_sftp **sftp, struct mp_board *board, const struct mp_remote *remote,
    struct mp_progress *progress, struct mp_error *err);
void mp_sftp_close(struct mp_sftp *sftp);

/* All below dir, each directory before what is in it: `each` gets the relative path and says 1 (go down into it),
 * 0 or -1. Where attributes->reason is set, path is only for a message. */
int mp_sftp_list(struct mp_sftp *sftp, const char *dir, bool links,
    int (*each)(void *user, const char *path, const struct mp_sftp_attributes *attributes), void *user,
    struct mp_error *err);

/* A file to be moved; what comes of it. */
struct mp_sftp_item {
	const struct mp_tree_entry *entry;
	int64_t offset; /* fetch: what is here already, in the unfinished file */
	bool replaces;  /* send: something of that name is there */
	bool done;
};

/* Fetch the entry->size - offset bytes of each item from dir into the directory outfd. A file that is gone or has
 * become shorter is left undone; everything else is an error. */
int mp_sftp_fetch(
    struct mp_sftp *sftp, const char *dir, int outfd, struct mp_sftp_item *items, size_t count, struct mp_error *err);

/* Send files, directories and links (sorted by path) from the directory infd to dir, with mode and time. */
int mp_sftp_send(
    struct mp_sftp *sftp, const char *dir, int infd, struct mp_sftp_item *items, size_t count, struct mp_error *err);

#endif
