/*
 * samples.h: samples of /proc for the load of the machine and of a process with its children, as lines of text.
 *
 * schema/records/host.rec describes the lines. A sample that /proc does not provide is skipped. One thread at a time.
 */
#ifndef MP_RECORDER_SAMPLES_H
#define MP_RECORDER_SAMPLES_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum mp_host_sample { MP_SAMPLE_CPU, MP_SAMPLE_MEMORY, MP_SAMPLE_PROCESS, MP_SAMPLE_KINDS };

/* The names of the files without their slice, by kind. */
extern const char *const mp_sample_names[MP_SAMPLE_KINDS];

struct mp_samples_request {
	int hz[MP_SAMPLE_KINDS];   /* samples a second; 0: none */
	pid_t pid;                 /* of the process */
	int64_t from_ns, until_ns; /* of CLOCK_MONOTONIC_RAW; 0: no bound */
	void (*put)(
	    void *state, enum mp_host_sample kind, const char *line, size_t len); /* gets each line, with its end */
	void *state;
};

struct mp_host_samples;

/* NULL: out of memory. Free with mp_samples_free, which allows NULL. */
struct mp_host_samples *mp_samples_new(const struct mp_samples_request *request);

/* Take the samples that are due. Returns the time until the next one; INT64_MAX: there are no more. */
int64_t mp_samples_take(struct mp_host_samples *samples);

void mp_samples_free(struct mp_host_samples *samples);

#endif
