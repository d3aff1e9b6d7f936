/*
 * session.h: a recording to files, from its start to its end marker.
 *
 * A session writes one JOB directory for each of its devices (or one PROF directory) below a directory. It locks each
 * device and the directory, against other processes; sessions of one process share the directory. Life: start, stop,
 * finish. After stop all data is in its files and the devices are free; finish adds the markers that call it complete.
 * A program that ends without finalising stops its sessions and does not finish them.
 *
 * Functions return 0 or an enum msprof_status and a sentence in *err. One thread at a time for each session.
 */
#ifndef MP_RECORDER_SESSION_H
#define MP_RECORDER_SESSION_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { MP_SESSION_DEVICE_MAX = 64 };

enum mp_session_format { MP_FORMAT_JOB, MP_FORMAT_PROF };

struct mp_session_config {
	const char *dir; /* must be there and writable */
	enum mp_session_format format;
	int devices[MP_SESSION_DEVICE_MAX];
	int device_count;           /* 0: no device is meant; the JOB is device 0's, which is not locked */
	unsigned wanted;            /* bits of enum mp_want */
	uint64_t storage_limit;     /* bytes of a session's data; 0: none */
	uint64_t from_ns, until_ns; /* only what begins in this time; 0: without such a limit */
	const char *results; /* a file to which the name of the result is added, for whoever runs this process and
				others that share the directory, which is then not locked; or NULL */
	const char
	    *members; /* of the JSON object that tells the settings, as ' "switch":"on","interval":"0"'; "" for none */
};

struct mp_session;

/* The texts of the configuration are copied. */
int mp_session_start(struct mp_session **session, const struct mp_session_config *config, struct mp_error *err);

/* 100004 when data was lost to a full disk or the like; it is stopped all the same. */
int mp_session_stop(struct mp_session *session, struct mp_error *err);

/* Stop it where that was not done, mark its files as complete, free it. NULL is fine. */
int mp_session_finish(struct mp_session *session, struct mp_error *err);

/* The name of the result of its at'th device ("JOBABC…"), or NULL after the last one. */
const char *mp_session_result(const struct mp_session *session, size_t at);

/*
 * The settings of an acl.json, its output directory settled: what is missing or not writable makes it the executable's
 * directory, with a warning. *on: whether it says to record. *interval is for mp_recorder_set_interval. *owned is the
 * caller's to free after the session was started. For MP_ACL_ASCEND a bad value is an error (100000). Where 'msprof
 * PROGRAM' has set its variable (environment.h), that counts instead of the file.
 */
struct mp_acl_session {
	int on;
	uint32_t interval;
	struct mp_session_config config;
	char *dir, *members, *results; /* what config points at */
};
int mp_acl_session_read(struct mp_acl_session *settings, const char *path, int profile, struct mp_error *err);
void mp_acl_session_free(struct mp_acl_session *settings);

#endif
