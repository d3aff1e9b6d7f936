/*
 * control.h: the mode of the process, its sessions and its subscriptions, behind face.h.
 *
 * One struct in control_mode.c holds everything for the life of the process. Every call that changes something holds
 * `lock` for its whole duration; an unsubscription waits for its reader. Calls of readers and of recording threads take
 * no lock: they only read `mode` and `recording`. Functions that return int give 0 or a code of acl/acl_base.h, after
 * they have printed the reason, unless stated.
 */
#ifndef MP_RECORDER_CONTROL_H
#define MP_RECORDER_CONTROL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/error.h"
#include "recorder/face.h"
#include "recorder/include/acl/acl_base.h"
#include "recorder/log.h"
#include "recorder/session.h"

/*
 * Refuses calls of the families with one line on standard error.
 *
 * The line has the vendor's number for the kind of mistake, the call, the parameter and its value. mp_refuse_x prints
 * the line and gives the code to return. These are macros so that analysers of a single file see the code. Any thread.
 */

/* EK0001: an invalid value, and the reason; "" for a value that is not worth showing. */
#define mp_say_value(face, call, param, value, reason)                                                                 \
	mp_log(MP_LOG_ERROR, "EK0001 %s: value '%s' of parameter '%s' is invalid: %s", (face)->calls[call], value,     \
	    (face)->params[param], reason)
#define mp_say_number(face, call, param, value, reason)                                                                \
	mp_log(MP_LOG_ERROR, "EK0001 %s: value '%llu' of parameter '%s' is invalid: %s", (face)->calls[call],          \
	    (unsigned long long)(value), (face)->params[param], reason)
#define mp_refuse_value(...) (mp_say_value(__VA_ARGS__), ACL_ERROR_INVALID_PARAM)
#define mp_refuse_number(...) (mp_say_number(__VA_ARGS__), ACL_ERROR_INVALID_PARAM)

/* EK0002: `first` must be called before. */
#define mp_refuse_order(face, call, code, first)                                                                       \
	(mp_log(MP_LOG_ERROR, "EK0002 %s: call %s first", (face)->calls[call], (face)->calls[first]), (code))

/* EK0003: an invalid value in a configuration. */
#define mp_refuse_config(face, call, key, value, reason)                                                               \
	(mp_log(MP_LOG_ERROR, "EK0003 %s: value '%s' for %s is invalid: %s", (face)->calls[call], value, key, reason), \
	    ACL_ERROR_INVALID_PROFILING_CONFIG)

/* EK0005: unsupported bits. */
#define mp_refuse_unsupported(face, call, param, bits)                                                                 \
	(mp_log(MP_LOG_ERROR, "EK0005 %s: parameter '%s': data types 0x%llx are not supported", (face)->calls[call],   \
	     (face)->params[param], (unsigned long long)(bits)),                                                       \
	    ACL_ERROR_PROF_MODULES_UNSUPPORTED)

/* EK0006: a NULL pointer. */
#define mp_refuse_null(face, call, param)                                                                              \
	(mp_log(                                                                                                       \
	     MP_LOG_ERROR, "EK0006 %s: parameter '%s' is a null pointer", (face)->calls[call], (face)->params[param]), \
	    ACL_ERROR_INVALID_PARAM)

/* EK0007: the call does not belong to the current mode. */
#define mp_refuse_mode(face, call, code, mode)                                                                         \
	(mp_log(MP_LOG_ERROR, "EK0007 %s: not in this mode: %s", (face)->calls[call], mode), (code))

/* A failure of the recorder: EK0204 for a full disk, EK0201 for no memory, otherwise EK9999. */
void mp_say_failure(const struct msprof_face *face, enum mp_call call, int code, const char *why);
#define mp_refuse_failure(face, call, code, why) (mp_say_failure(face, call, code, why), (code))

/* Print a warning; the call continues. */
void mp_call_warn(const struct msprof_face *face, enum mp_call call, const char *fmt, ...) MP_PRINTF(3, 4);

enum { MP_SETTING_COUNT = 17 /* ACL_PROF_ARGS_MAX */, MP_SETTING_SIZE = 257, MP_PATH_SIZE = 4096 };

enum mp_mode {
	MP_MODE_NONE, /* before aclInit and after aclFinalize */
	MP_MODE_OFF,
	MP_MODE_CMD, /* acl.json records */
	MP_MODE_API, /* between Init and Finalize */
	MP_MODE_SUBSCRIBE,
	MP_MODE_COUNT
};

/* The head of every object to which a program holds a pointer. Objects of one kind form a list. */
struct mp_handle {
	struct mp_handle *next;
};

struct msprof_config {
	struct mp_handle handle;
	int devices[MP_SESSION_DEVICE_MAX]; /* in ascending order */
	int device_count;
	int metrics;
	uint64_t data_types; /* as the program gave them */
};

struct msprof_subscribe_config {
	struct mp_handle handle;
	int time_switch, metrics, fd;
};

/* A session begun by Start. It exists until Finalize completes it. */
struct mp_session_run {
	struct mp_session_run *next;
	struct msprof_config config;
	enum msprof_profile profile;
	struct mp_session *session;
	bool running;
};

struct mp_subscription;

struct mp_control {
	pthread_mutex_t lock;
	_Atomic int mode;
	_Atomic bool recording; /* stamps are recorded */
	bool initialised, finalised;
	bool wrapped;               /* a wrapper has begun, but not yet the program itself */
	struct mp_session *command; /* of acl.json */
	struct mp_acl_session acl;  /* its settings */
	char dir[MP_PATH_SIZE];
	char settings[MP_SETTING_COUNT][MP_SETTING_SIZE]; /* by type; "": not set */
	struct mp_session_run *runs;
	struct mp_handle *configs, *subscribe_configs, *steps;
	struct mp_subscription *subscriptions;
};

extern struct mp_control mp_control;

/* Unlock. Returns the code of what was done with the lock. */
static inline int mp_control_unlock(int code)
{
	pthread_mutex_unlock(&mp_control.lock);
	return code;
}

/* Check whether the mode allows a call. Calls that no mode forbids are allowed. */
int mp_control_allows(const struct msprof_face *face, enum mp_call call);

/*
 * Handles are the objects of a list that were made and not destroyed. mp_handle_check checks a
 * handle; mp_handle_destroy checks and frees a handle. Call both with the lock.
 */
void mp_handle_add(struct mp_handle **list, struct mp_handle *handle);
int mp_handle_check(const struct msprof_face *face, enum mp_call call, enum mp_param param,
    struct mp_handle *const *list, const void *handle);
int mp_handle_destroy(const struct msprof_face *face, enum mp_call call, enum mp_param param, struct mp_handle **list,
    const void *handle);

/* control_session.c: begin running sessions anew in a child made by fork. Call with the lock. */
void mp_control_renew_runs(void);

/* control_session.c: stop and complete all sessions. Call with the lock. */
int mp_control_stop_all(const struct msprof_face *face, enum mp_call call);

/*
 * The name of a setting, and a check of its value. mp_setting_check returns 0, or -1 with the
 * reason in *reason. mp_setting_storage_limit reads a valid value.
 */
const char *mp_setting_name(int type);
int mp_setting_check(int type, const char *value, const char **reason);
uint64_t mp_setting_storage_limit(const char *value);

/*
 * Make a directory and its missing parents; `dir` receives the absolute path. Returns 0, or -1 with err.
 */
int mp_control_dir(const char *path, char dir[MP_PATH_SIZE], struct mp_error *err);

/* subscribe.c: end all subscriptions. Call with the lock. */
void mp_unsubscribe_all(const struct msprof_face *face, enum mp_call call);

/* stamp.c: lock and unlock the stamps, around fork */
void mp_stamps_lock(void);
void mp_stamps_unlock(void);

/* stamp.c: the sessions have ended, so open ranges are cut off. With `all`, stamps are freed too. */
void mp_stamps_end(const struct msprof_face *face, enum mp_call call, bool all);

#endif
