/*
 * environment.h: what 'msprof PROGRAM' tells the recorder in the program: a JSON object in the variable
 * PROFILER_SAMPLECONFIG. Where it is set it counts, and not the program's acl.json.
 *
 * Each process of the program that records makes a PROF directory of its own below `output`, and adds a line with its
 * name to the file `results`.
 */
#ifndef MP_RECORDER_ENVIRONMENT_H
#define MP_RECORDER_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/session.h"

#define MP_ENVIRONMENT "PROFILER_SAMPLECONFIG"

struct mp_environment {
	const char *output;  /* a directory that is there */
	const char *results; /* a file; made where it is missing */
	bool calls, runtime_calls, stamps;
	int64_t storage_limit_mb;   /* 0: none */
	uint64_t from_ns, until_ns; /* only what begins in this time of CLOCK_MONOTONIC_RAW; 0: without such a limit */
};

/* The value of the variable; *text is the caller's to free. */
int mp_environment_write(char **text, const struct mp_environment *environment, struct mp_error *err);

/* Whether the variable is set, cheap. */
bool mp_environment_is_set(void);

/* Its settings, as mp_acl_session_read gives those of a file. */
int mp_environment_session(struct mp_acl_session *settings, struct mp_error *err);

/* Add the name of a result to the file of results. */
int mp_environment_announce(const char *path, const char *result, struct mp_error *err);

#endif
