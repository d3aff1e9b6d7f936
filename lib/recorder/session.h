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

#include "base/error.h"
#include "recorder/include/msprof_recorder.h"

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
	const char *windows;        /* a file of times (windows.h): record only what begins in its windows; or NULL */
	const char *results;        /* a file that receives the name of the result, or NULL */
	const char *domains;        /* a list of domains with commas, or NULL: marks of all domains */
	int domains_excluded;       /* record the marks of all but these domains */
	const char *members;        /* the settings as JSON members, like ' "switch":"on","interval":"0"'; or "" */
};

struct mp_session;
struct mp_layouts;

/* The layouts of records, read once and constant afterwards. Returns NULL with err. */
const struct mp_layouts *mp_session_layouts(struct mp_error *err);

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
 * is made, and a bad value is an error (100000). The variable of 'msprof PROGRAM' (environment.h), when set, replaces
 * the file. Free the settings after the session was started.
 */
struct mp_acl_session {
	int on;
	uint32_t interval;
	struct mp_session_config config;
	char *dir, *members, *results, *domains, *windows; /* texts that config points to */
};
int mp_acl_session_read(struct mp_acl_session *settings, const char *path, int profile, struct mp_error *err);
void mp_acl_session_free(struct mp_acl_session *settings);

#endif
