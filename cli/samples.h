/*
 * samples.h: what /proc tells of the machine and of a program, a few times a second, as lines of text that msprof
 * imports: schema/records/host.rec says what stands in them.
 *
 * Each kind goes to a file of its own below a directory: msprof.cpu.slice_0, msprof.memory.slice_0,
 * msprof.process.slice_0. A sample that /proc does not give is left out; a file that cannot be written ends the samples
 * with one error. One thread.
 */
#ifndef MSPROF_SAMPLES_H
#define MSPROF_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct samples_request {
	int machine_cpu_hz, machine_memory_hz, process_hz; /* 0: not at all */
	pid_t pid;                                         /* of the program; its children count too */
	int64_t from_ns, until_ns;                         /* of CLOCK_MONOTONIC_RAW; 0: at once, to the end */
};

struct samples;

/* NULL in *samples where nothing is requested. */
int samples_open(struct samples **samples, int dirfd, const struct samples_request *request, struct mp_error *err);

/* Take what is due; *wait_ns is the time until the next is. After an error nothing is due any more. */
int samples_take(struct samples *samples, int64_t *wait_ns, struct mp_error *err);

/* Write what is left, close the files, free. NULL is fine. */
int samples_close(struct samples *samples, struct mp_error *err);

/* Move the files of samples from one directory to another of the same file system. */
int samples_move(int from, int to, struct mp_error *err);

/* Remove them, as far as they are there. */
void samples_remove(int dirfd);

#endif
