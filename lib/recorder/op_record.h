/*
 * op_record.h: the records that a subscriber reads from the pipe, one for each run of an operator.
 *
 * There is a form for each family (schema/pipe). Records of Ascend have a signature, and a key for name and type; those
 * of boards have both texts. The layouts are read once a process. Nothing is allocated for the caller; any thread.
 */
#ifndef MP_RECORDER_OP_RECORD_H
#define MP_RECORDER_OP_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "recorder/include/msprof_recorder.h"

enum { MP_OP_RECORD_MAX = 512 };

enum { MP_OP_FLAG_OPERATOR = 0, MP_OP_FLAG_NONE = 0xff };

struct mp_op_record {
	uint32_t model_id;
	uint64_t start_us, end_us, duration_us;
	/* of Ascend: */
	uint32_t flag, thread_id, device_id;
	uint64_t op_index;
	uint64_t execution_us;
	/* of boards; NUL-terminated. Of a decoded record they lie in its bytes; else NULL */
	const char *name, *type;
};

/* The size of a record in bytes. Returns 0, or -1 with err for an unusable layout. */
int mp_op_record_size(enum msprof_profile family, size_t *size, struct mp_error *err);

/* The rest works once mp_op_record_size has succeeded. */

/*
 * Encode a record into `bytes`, which has room for MP_OP_RECORD_MAX. Of boards a text that is too long is cut at a
 * character.
 */
void mp_op_record_encode(enum msprof_profile family, const struct mp_op_record *record, unsigned char *bytes);

/* Decode a record. Returns NULL, or why the bytes are not a record. */
const char *mp_op_record_decode(enum msprof_profile family, struct mp_op_record *record, const unsigned char *bytes);

/* The key for the numbers of a name and a type (struct mp_names); the inverses give the numbers. */
static inline uint64_t mp_op_index(uint32_t name, uint32_t type)
{
	return (uint64_t)name << 32 | type;
}

static inline uint32_t mp_op_index_name(uint64_t op_index)
{
	return (uint32_t)(op_index >> 32);
}

static inline uint32_t mp_op_index_type(uint64_t op_index)
{
	return (uint32_t)op_index;
}

enum { MP_OP_PIPE_RECORDS_MAX = 131072, MP_OP_PIPE_STALL_MS = 2000 };

/*
 * Sends records of one size into a subscriber's pipe without ever blocking the sender.
 *
 * Records wait in memory. One thread writes them in order, whole records only. A write has at most PIPE_BUF bytes,
 * which a pipe accepts completely or not at all. The thread has a descriptor of its own (table.h). A reader that closes
 * the pipe loses the records, and causes no signal. Any thread may put; one thread opens and closes.
 */
struct mp_op_pipe;

/* Open a queue into the pipe fd, and start its thread. Returns 0, or -1 with err. */
int mp_op_pipe_open(struct mp_op_pipe **pipe, int fd, size_t record_size, struct mp_error *err);

/* Returns whether fd is an end of this pipe. */
bool mp_op_pipe_is(const struct mp_op_pipe *pipe, int fd);

/* Append a record. A full queue loses the record, which mp_op_pipe_close counts. */
void mp_op_pipe_put(struct mp_op_pipe *pipe, const void *record);

/* Wake the thread that writes. */
void mp_op_pipe_wake(struct mp_op_pipe *pipe);

/*
 * Write the waiting records, stop when the reader takes nothing for MP_OP_PIPE_STALL_MS, and free. Returns the number
 * of records lost since mp_op_pipe_open.
 */
uint64_t mp_op_pipe_close(struct mp_op_pipe *pipe);

/* In a child made by fork, which has no writing thread: give the descriptor up. mp_op_pipe_close does the rest. */
void mp_op_pipe_forget(struct mp_op_pipe *pipe);

/* CRC-32C (Castagnoli), starting with all ones and not inverted at the end. */
uint32_t mp_crc32c(const void *bytes, size_t size);

#endif
