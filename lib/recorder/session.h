/*
 * session.h: a recording to files, from its start to its end marker.
 *
 * A session writes a JOB directory for each of its devices, or one PROF directory, below a directory. A session with
 * devices locks each device and the directory against other processes; sessions of one process share the directory. A
 * session of the host alone excludes nobody. A session is started, stopped, finished. After stop all data is in files
 * and the devices are unlocked; finish adds the markers of a complete result, unless the program has removed the
 * result. A program that ends without finalising stops its sessions without finishing them.
 *
 * Functions return 0, or an enum msprof_status with err. mp_session_finish frees the session. One thread at a time for
 * each session.
 */
#ifndef MP_RECORDER_SESSION_H
#define MP_RECORDER_SESSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "recorder/include/msprof_recorder.h"
#include "recorder/samples.h"

enum { MP_SESSION_DEVICE_MAX = 64 };

enum mp_session_format { MP_FORMAT_JOB, MP_FORMAT_PROF };

struct mp_session_config {
	const char *dir; /* must exist and be writable */
	enum mp_session_format format;
	int devices[MP_SESSION_DEVICE_MAX];
	int device_count;           /* 0: only the host is recorded; a JOB is then device 0's */
	unsigned wanted;            /* a set of enum mp_want */
	uint64_t storage_limit;     /* in bytes, for the data of a session; 0: no limit */
	uint64_t from_ns, until_ns; /* record only what begins in this range; 0: no limit */
	uint64_t started_ns;        /* record also what began since then, before the session has begun; 0: nothing */
	bool shared;                /* of a child whose parent holds the locks */
	const char *results;        /* a file that receives the name of the result, or NULL */
	const char *domains;        /* a list of domains with commas, or NULL: marks of all domains */
	int domains_excluded;       /* record the marks of all but these domains */
	int samples_hz[MP_SAMPLE_KINDS]; /* samples of the host, with MP_FORMAT_PROF; 0: none */
	const char *members;             /* the settings as JSON members, like ' "switch":"on","interval":"0"'; or "" */
};

struct mp_session;
struct mp_layouts;

/* The samples that the vendor's settings ask for; NULL stands for a setting that is not made. */
void mp_session_samples(
    struct mp_session_config *config, const char *host_sys, const char *host_sys_usage, const char *usage_freq);

/* The layouts of the records of a format, read once and constant afterwards. Returns NULL with err. */
const struct mp_layouts *mp_session_layouts(enum mp_session_format format, struct mp_error *err);

/* The format of the results of a family: a JOB for boards, a PROF directory for Ascend. */
enum mp_session_format mp_session_format_of(enum msprof_profile profile);

/* Start a session. The texts of the configuration are copied. */
int mp_session_start(struct mp_session **session, const struct mp_session_config *config, struct mp_error *err);

/*
 * Stop a session. Returns 100004 when data was lost, for instance to a full disk; the session is stopped in any case.
 */
int mp_session_stop(struct mp_session *session, struct mp_error *err);

/* Stop the session unless stopped, mark its files as complete, and free it. NULL is allowed. */
int mp_session_finish(struct mp_session *session, struct mp_error *err);

/* The name of the result of device number `at` of the session ("JOBABC…"); NULL after the last device. */
const char *mp_session_result(const struct mp_session *session, size_t at);

/* Returns whether `domain` is among the domains to record; "" and NULL: all are. */
bool mp_session_wants_domain(const char *domains, bool excluded, const char *domain);

/*
 * The settings of a session from an acl.json. `on` tells whether to record; `interval` is for mp_recorder_set_interval.
 * An output directory that is not usable is replaced by the executable's directory, with a warning; without an output
 * directory, $ASCEND_WORK_PATH/profiling_data is used where the variable is set. For MP_ACL_ASCEND a missing directory
 * is made, and a bad value is an error (100000). The variable of 'msprof PROGRAM', when set, replaces
 * the file. Free the settings after the session was started.
 */
struct mp_acl_session {
	int on;
	uint32_t interval;
	struct mp_session_config config;
	char *dir, *members, *results, *domains; /* texts that config points to */
};
int mp_acl_session_read(struct mp_acl_session *settings, const char *path, int profile, struct mp_error *err);
void mp_acl_session_free(struct mp_acl_session *settings);

/* Keep the settings of a session that has begun: the process, or a child of it, may go to another directory. */
void mp_acl_session_keep(struct mp_acl_session *settings);

/*
 * The settings that 'msprof PROGRAM' passes to the recorder in the program.
 *
 * The settings are a JSON object in the variable PROFILER_SAMPLECONFIG. When the variable is set, the recorder ignores
 * the program's acl.json. Each recording process of the program makes its own PROF directory below `output`. The
 * process adds the name of the directory to the file `results`. Functions that return int give 0, or a status with err.
 */
#define MP_ENVIRONMENT "PROFILER_SAMPLECONFIG"
#define MP_ENVIRONMENT_SOC "MSPROF_SOC"

struct mp_environment {
	const char *output;  /* an existing directory */
	const char *results; /* a file, created when missing; or NULL */
	const char *dynamic; /* a directory (struct mp_dynamic below): nothing is recorded until a command; or NULL */
	bool calls, runtime_calls, stamps;
	const char *domains, *not_domains; /* lists with commas of which at most one is given, or NULL */
	int64_t storage_limit_mb;          /* 0: none */
	uint64_t from_ns, until_ns; /* record only what begins in this range of CLOCK_MONOTONIC_RAW; 0: no limit */
};

/* Make the value of the variable. The caller frees *text. */
int mp_environment_write(char **text, const struct mp_environment *environment, struct mp_error *err);

/* Returns whether the variable is set; cheap. */
bool mp_environment_is_set(void);

/* Read the settings from the variable, or from a text of its form, like mp_acl_session_read reads those of a file. */
int mp_environment_session(struct mp_acl_session *settings, struct mp_error *err);
int mp_environment_read(struct mp_acl_session *settings, const char *text, struct mp_error *err);

/* Whether a process was started so that it can be attached (attach.h): with err when not. */
bool mp_environment_may_attach(pid_t pid, struct mp_error *err);

/*
 * The directory between 'msprof --dynamic=on PROGRAM' and the processes of its program.
 *
 * A process that begins to listen for commands (attach.h) first adds its number to the file MP_DYNAMIC_LISTENERS, and
 * then reads MP_DYNAMIC_WINDOW: the settings of the window that is on, or no such file. msprof first writes or removes
 * that file, and then sends the command to all numbers: so no process misses a command.
 */
#define MP_DYNAMIC_LISTENERS "listeners"
#define MP_DYNAMIC_WINDOW "window"

/* The directory that the variable names; NULL: there is none. The caller frees it. */
char *mp_environment_dynamic(void);

/* Add this process to the listeners. Returns the settings of the window that is on, freed by the caller, or NULL. */
char *mp_dynamic_join(const char *dir);

/*
 * The index of the soc in whose form JOB directories are written: that with the name in the variable MSPROF_SOC, else
 * the last one. A name that the layouts do not have is a warning.
 */
int mp_environment_soc(const struct mp_layouts *layouts);

/* Append the name of a result to the file of results. Where its directory is gone, nobody waits for the name. */
int mp_environment_announce(const char *path, const char *result, struct mp_error *err);

/*
 * A directory for results, opened and locked once for all sessions of the process that write to it.
 *
 * The lock excludes other processes. The recorder's state holds the places and counts their users. Results that exist
 * at the same time have the same pair of clocks (struct mp_wall), which the first place reads. Some calls need the
 * recorder's lock, see each function.
 */
struct mp_result_place {
	struct mp_result_place *next;
	int fd, lock; /* lock: -1 when no lock was requested */
	dev_t dev;
	ino_t ino;
	unsigned uses;
};

/*
 * Open the place of a directory, which must exist, be writable, and have 20 MB left. With `locked`, other processes are
 * excluded. Call without the recorder's lock. Returns 0, or an enum msprof_status with err.
 */
int mp_place_open(struct mp_result_place **place, const char *dir, bool locked, struct mp_error *err);

/*
 * Release a place. Call with the recorder's lock, so that no thread sees a lock of this process without a session. NULL
 * is allowed.
 */
void mp_place_close(struct mp_result_place *place);

/*
 * Locks for devices and directories, so that all processes of a machine record one at a time.
 *
 * A lock is an empty file with flock. The system releases the lock however the process ends, and knows the holder. The
 * file stays. The caller owns returned descriptors; closing a descriptor and its duplicates unlocks.
 *
 * Lock a device. Returns an enum msprof_status with err: 100042 when locked already, with the holder if the system
 * knows it.
 */
int mp_lock_device(int device, int *lock, struct mp_error *err);

/*
 * Writes the events that a crashed process left into its result.
 *
 * A process that ends by a signal, or by _exit, leaves the memory of its rings in a file of each result (arena.h). The
 * events in it that are not in the result yet are added to the files of the result, and the file is removed. A result
 * of a process that lives is left alone, and so is one of which another process recovers the events. What the file
 * holds is checked: it may be damaged.
 *
 * Recover the events of a JOB or PROF directory, which was found at or below `top`, a directory that the user names: no
 * link is followed below it. *events receives how many waited in rings. Returns 0, also when there is nothing to do; -1
 * with err.
 */
int mp_recover(const char *top, const char *path, uint64_t *events, struct mp_error *err);

#endif
