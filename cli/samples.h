/*
 * samples.h: samples /proc for the load of the machine and of a program, and writes lines of text that msprof imports.
 * schema/records/host.rec describes the lines.
 *
 * Each kind has its own file in the directory: msprof.cpu.slice_0, msprof.memory.slice_0, msprof.process.slice_0. A
 * sample that /proc does not provide is skipped; a file that cannot be written ends the sampling with one error. For
 * one thread at a time.
 */
#ifndef MSPROF_SAMPLES_H
#define MSPROF_SAMPLES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct samples_request {
	int machine_cpu_hz, machine_memory_hz, process_hz; /* samples a second; 0: none */
	pid_t pid;                                         /* of the program, sampled with its children */
	int64_t from_ns, until_ns;                         /* of CLOCK_MONOTONIC_RAW; 0: no bound */
};

struct samples;

/* Create the files; *samples is NULL where nothing is requested. The caller closes it. */
int samples_open(struct samples **samples, int dirfd, const struct samples_request *request, struct mp_error *err);

/* Take the samples that are due; *wait_ns is the time until the next one. After an error no sample is due. */
int samples_take(struct samples *samples, int64_t *wait_ns, struct mp_error *err);

/* Write buffered lines, close the files, free. NULL is allowed. */
int samples_close(struct samples *samples, struct mp_error *err);

/* Move the files of samples from one directory to another of the same file system. */
int samples_move(int from, int to, struct mp_error *err);

/* Remove the files of samples that exist. */
void samples_remove(int dirfd);

#endif
