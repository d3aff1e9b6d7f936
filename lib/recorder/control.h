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

#include "recorder/face.h"
#include "recorder/session.h"

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
	char dir[MP_PATH_SIZE];
	char settings[MP_SETTING_COUNT][MP_SETTING_SIZE]; /* by type; "": not set */
	struct mp_session_run *runs;
	struct mp_handle *configs, *subscribe_configs, *steps;
	struct mp_subscription *subscriptions;
};

extern struct mp_control mp_control;

/*
 * For wrappers (wrap.h). The first function begins a process that has not begun; a later begin by the program itself is
 * then no repetition. The second ends a process that has not ended.
 */
int mp_control_wrap_init(const struct msprof_face *face, const char *path);
int mp_control_wrap_finalize(const struct msprof_face *face);

/* Check whether the mode allows a call. Calls that no mode forbids are allowed. */
int mp_control_allows(const struct msprof_face *face, enum mp_call call);

/*
 * control_handle.c: handles are the objects of a list that were made and not destroyed. mp_handle_check checks a
 * handle; mp_handle_destroy checks and frees a handle. Call both with the lock.
 */
void mp_handle_add(struct mp_handle **list, struct mp_handle *handle);
int mp_handle_check(const struct msprof_face *face, enum mp_call call, enum mp_param param,
    struct mp_handle *const *list, const void *handle);
int mp_handle_destroy(const struct msprof_face *face, enum mp_call call, enum mp_param param, struct mp_handle **list,
    const void *handle);

/* control_session.c: stop and complete all sessions. Call with the lock. */
int mp_control_stop_all(const struct msprof_face *face, enum mp_call call);

/*
 * control_settings.c: the name of a setting, and a check of its value. mp_setting_check returns 0, or -1 with the
 * reason in *reason. mp_setting_storage_limit reads a valid value.
 */
const char *mp_setting_name(int type);
int mp_setting_check(int type, const char *value, const char **reason);
uint64_t mp_setting_storage_limit(const char *value);

/*
 * control_dir.c: make a directory and its missing parents; `dir` receives the absolute path. Returns 0, or -1 with err.
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
