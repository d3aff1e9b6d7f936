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

/*
 * Requests and answers of the sftp protocol, for the files sftp*.c only.
 *
 * A request occupies one of 64 slots until its answer comes; with early data, until the data is written. A turn moves
 * bytes both ways and calls `answered` for each answer. `answered` may make further requests; -1 ends the turn with its
 * error.
 */

enum mp_sftp_type {
	MP_SFTP_INIT = 1,
	MP_SFTP_VERSION = 2,
	MP_SFTP_OPEN = 3,
	MP_SFTP_CLOSE = 4,
	MP_SFTP_READ = 5,
	MP_SFTP_WRITE = 6,
	MP_SFTP_SETSTAT = 9,
	MP_SFTP_FSETSTAT = 10,
	MP_SFTP_OPENDIR = 11,
	MP_SFTP_READDIR = 12,
	MP_SFTP_REMOVE = 13,
	MP_SFTP_MKDIR = 14,
	MP_SFTP_READLINK = 19,
	MP_SFTP_SYMLINK = 20,
	MP_SFTP_STATUS = 101,
	MP_SFTP_HANDLE = 102,
	MP_SFTP_DATA = 103,
	MP_SFTP_NAME = 104
};

enum { MP_SFTP_OK = 0, MP_SFTP_EOF = 1, MP_SFTP_NO_SUCH_FILE = 2, MP_SFTP_HANDLE_SIZE = 256 };
enum { MP_SFTP_HAS_SIZE = 1, MP_SFTP_HAS_OWNER = 2, MP_SFTP_HAS_MODE = 4, MP_SFTP_HAS_TIMES = 8 };

struct mp_sftp_answer {
	uint8_t type;
	uint32_t status;   /* in an answer MP_SFTP_STATUS */
	const char *bytes; /* the handle, data or message; the whole body of other types */
	size_t size;
};

struct mp_sftp_request {
	bool used;
	uint32_t id;
	int (*answered)(struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer,
	    struct mp_error *err);
	void *owner;
	int64_t offset;
	size_t len;
	char *held; /* data that came early */
	size_t held_len;
};

struct mp_sftp {
	struct mp_pipe pipe; /* to the server */
	/* the protocol */
	bool greeted;
	struct mp_sftp_request requests[MP_SFTP_IN_FLIGHT];
	size_t in_flight;
	uint32_t next_id;
	char *out, *in;
	size_t out_at, out_len, in_len;
	size_t packet; /* start of the unfinished packet in out */
};

/* Begin a request; append its fields and call mp_sftp_end_packet. NULL when 64 requests are in flight. */
struct mp_sftp_request *mp_sftp_begin(struct mp_sftp *sftp, enum mp_sftp_type type);
void mp_sftp_put_u32(struct mp_sftp *sftp, uint32_t value);
void mp_sftp_put_u64(struct mp_sftp *sftp, uint64_t value);
void mp_sftp_put_bytes(struct mp_sftp *sftp, const void *bytes, size_t size);   /* and their length */
void mp_sftp_put_path(struct mp_sftp *sftp, const char *dir, const char *path); /* "dir/path"; dir when path is "" */
void mp_sftp_end_packet(struct mp_sftp *sftp);

/* Release the slot. */
void mp_sftp_release(struct mp_sftp *sftp, struct mp_sftp_request *request);

/* Move bytes; wait until bytes arrive or leave. */
int mp_sftp_turn(struct mp_sftp *sftp, struct mp_error *err);

/* Turn until all requests are answered. */
int mp_sftp_drain(struct mp_sftp *sftp, struct mp_error *err);

/* Set the error "cannot VERB 'path' on the board: REASON", with the reason of the answer. Returns -1. */
int mp_sftp_blame(const struct mp_sftp_answer *answer, const char *verb, const char *path, struct mp_error *err);

/* Close a handle and ignore the answer. */
void mp_sftp_close_handle(struct mp_sftp *sftp, const char *handle, size_t len);

/* Reads the fields of an answer; `bad` is set when a field is missing, and stays set. */
struct mp_sftp_cursor {
	const unsigned char *at, *end;
	bool bad;
};
uint32_t mp_sftp_get_u32(struct mp_sftp_cursor *cursor);
uint64_t mp_sftp_get_u64(struct mp_sftp_cursor *cursor);
const char *mp_sftp_get_bytes(struct mp_sftp_cursor *cursor, size_t *size);

#endif
