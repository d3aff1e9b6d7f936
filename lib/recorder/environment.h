/*
 * environment.h: the settings that 'msprof PROGRAM' passes to the recorder in the program.
 *
 * The settings are a JSON object in the variable PROFILER_SAMPLECONFIG. When the variable is set, the recorder ignores
 * the program's acl.json. Each recording process of the program makes its own PROF directory below `output`. The
 * process adds the name of the directory to the file `results`. Functions that return int give 0, or a status with err.
 */
#ifndef MP_RECORDER_ENVIRONMENT_H
#define MP_RECORDER_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/session.h"

#define MP_ENVIRONMENT "PROFILER_SAMPLECONFIG"
#define MP_ENVIRONMENT_SOC "MSPROF_SOC"

struct mp_environment {
	const char *output;  /* an existing directory */
	const char *results; /* a file, created when missing */
	const char *windows; /* a file of times (windows.h), or NULL */
	bool calls, runtime_calls, stamps;
	const char *domains, *not_domains; /* lists with commas of which at most one is given, or NULL */
	int64_t storage_limit_mb;          /* 0: none */
	uint64_t from_ns, until_ns; /* record only what begins in this range of CLOCK_MONOTONIC_RAW; 0: no limit */
};

/* Make the value of the variable. The caller frees *text. */
int mp_environment_write(char **text, const struct mp_environment *environment, struct mp_error *err);

/* Returns whether the variable is set; cheap. */
bool mp_environment_is_set(void);

/* Read the settings from the variable, like mp_acl_session_read reads those of a file. */
int mp_environment_session(struct mp_acl_session *settings, struct mp_error *err);

/*
 * What 'msprof --dynamic=on' passed to a running process of this user: the directory of its results, and the file of
 * its times. The caller frees both texts.
 */
int mp_environment_of_process(pid_t pid, char **output, char **windows, struct mp_error *err);

/*
 * The index of the soc in whose form JOB directories are written: that with the name in the variable MSPROF_SOC, else
 * the last one. A name that the layouts do not have is a warning.
 */
int mp_environment_soc(const struct mp_layouts *layouts);

/* Append the name of a result to the file of results. */
int mp_environment_announce(const char *path, const char *result, struct mp_error *err);

#endif
