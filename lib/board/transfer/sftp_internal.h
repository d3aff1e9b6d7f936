/*
 * sftp_internal.h: requests and answers of the sftp protocol, for the files sftp*.c only.
 *
 * A request occupies one of 64 slots until its answer comes; with early data, until the data is written. A turn moves
 * bytes both ways and calls `answered` for each answer. `answered` may make further requests; -1 ends the turn with its
 * error.
 */
#ifndef MP_BOARD_SFTP_INTERNAL_H
#define MP_BOARD_SFTP_INTERNAL_H

#include "board/transfer/sftp.h"

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

/* The handler of answers that do not matter. */
int mp_sftp_ignore(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err);

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
