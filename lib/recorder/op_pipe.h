/*
 * op_pipe.h: sends records of one size into a subscriber's pipe without ever blocking the sender.
 *
 * Records wait in memory. One thread writes them in order, whole records only. A write has at most PIPE_BUF bytes,
 * which a pipe accepts completely or not at all. The thread has a descriptor of its own (table.h). A reader that closes
 * the pipe loses the records, and causes no signal. Any thread may put; one thread opens and closes.
 */
#ifndef MP_RECORDER_OP_PIPE_H
#define MP_RECORDER_OP_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { MP_OP_PIPE_RECORDS_MAX = 131072, MP_OP_PIPE_STALL_MS = 2000 };

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

#endif
