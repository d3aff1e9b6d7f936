/*
 * sftp.h: the sftp protocol (version 3), for boards without tar.
 *
 * Many requests of 32 KiB are in flight at once, for one file as for ten thousand. libssh 0.10 can only pipeline reads,
 * not writes and opens; so the packets are made here. They go to the program of the server if it is known, otherwise
 * over a subsystem. Answers may come in any order. Files are written from front to back, so a cut always leaves a
 * beginning. Some servers lose data of larger requests; all sizes are checked. Use an mp_sftp in the thread of its
 * board, and close it with mp_sftp_close (NULL is legal).
 */
#ifndef MP_BOARD_SFTP_H
#define MP_BOARD_SFTP_H

#include "board/transfer/remote.h"

enum { MP_SFTP_CHUNK = 32 * 1024, MP_SFTP_IN_FLIGHT = 64, MP_SFTP_FILES = 32 };

struct mp_sftp;
struct mp_tree_entry;

struct mp_sftp_attributes {
	uint32_t mode;      /* 0: unknown */
	const char *target; /* of a link, if asked for and readable; otherwise NULL */
	const char *reason; /* why the name is invalid, or NULL */
	int64_t size, mtime_s;
};

/* Start a server on the board and negotiate the protocol, with the budget of a transfer. progress may be NULL. */
int mp_sftp_open(struct mp_sftp **sftp, struct mp_board *board, const struct mp_remote *remote,
    struct mp_progress *progress, struct mp_error *err);
void mp_sftp_close(struct mp_sftp *sftp);

/* List everything below dir, each directory before its entries. `each` gets the relative path, and returns 1 to list
 * the directory, 0 to skip it, -1 to fail. If attributes->reason is set, path is only for a message. */
int mp_sftp_list(struct mp_sftp *sftp, const char *dir, bool links,
    int (*each)(void *user, const char *path, const struct mp_sftp_attributes *attributes), void *user,
    struct mp_error *err);

/* A file to be moved, and the result. */
struct mp_sftp_item {
	const struct mp_tree_entry *entry;
	int64_t offset; /* fetch: bytes that the unfinished file has */
	bool replaces;  /* send: the board has an entry of that name */
	bool done;
};

/* Fetch the entry->size - offset bytes of each item from dir into the directory outfd. A file that vanished or became
 * shorter stays undone; everything else is an error. */
int mp_sftp_fetch(
    struct mp_sftp *sftp, const char *dir, int outfd, struct mp_sftp_item *items, size_t count, struct mp_error *err);

/* Send files, directories and links, sorted by path, from the directory infd to dir, with modes and times. */
int mp_sftp_send(
    struct mp_sftp *sftp, const char *dir, int infd, struct mp_sftp_item *items, size_t count, struct mp_error *err);

#endif
