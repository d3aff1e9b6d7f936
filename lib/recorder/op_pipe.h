/*
 * op_pipe.h: records of one size on their way into somebody's pipe, without ever holding up who has them.
 *
 * Records wait in memory and one thread writes them, whole and in order, at most PIPE_BUF bytes at a time, which a
 * pipe takes at once or not at all. The descriptor is a copy of the caller's. A reader that went away costs the
 * records, and no signal. Any thread may put; open and close belong to one.
 */
#ifndef MP_RECORDER_OP_PIPE_H
#define MP_RECORDER_OP_PIPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { MP_OP_PIPE_RECORDS_MAX = 131072, MP_OP_PIPE_STALL_MS = 2000 };

struct mp_op_pipe;

int mp_op_pipe_open(struct mp_op_pipe **pipe, int fd, size_t record_size, struct mp_error *err);

/* Whether fd leads into this pipe. */
bool mp_op_pipe_is(const struct mp_op_pipe *pipe, int fd);

void mp_op_pipe_put(struct mp_op_pipe *pipe, const void *record);

/* Let what was put go out. */
void mp_op_pipe_wake(struct mp_op_pipe *pipe);

/*
 * Write what waits, give up when the reader takes nothing for MP_OP_PIPE_STALL_MS, free. Gives the number of records
 * that never went out since it was opened.
 */
uint64_t mp_op_pipe_close(struct mp_op_pipe *pipe);

/* In a child made by fork, which has no writing thread: let go of the descriptor; what is left is for mp_op_pipe_close.
 */
void mp_op_pipe_forget(struct mp_op_pipe *pipe);

#endif
