/*
 * control.h: the mode of the process, its sessions and its subscriptions: what is behind face.h.
 *
 * All of it is one struct, in control.c. `lock` is held by every call that changes something, for as long as it takes
 * (an unsubscription waits for its reader). Calls that a reader or a recording thread makes look at `mode` and
 * `recording` alone.
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

/* What a program holds a pointer to begins with this; those of a kind are a list. */
struct mp_handle {
	struct mp_handle *next;
};

struct msprof_config {
	struct mp_handle handle;
	int devices[MP_SESSION_DEVICE_MAX]; /* in order */
	int device_count;
	int metrics;
	uint64_t data_types; /* as given */
};

struct msprof_subscribe_config {
	struct mp_handle handle;
	int time_switch, metrics, fd;
};

/* A session that Start began. It stays until Finalize completes it. */
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
	_Atomic bool recording; /* stamps are taken */
	bool initialised, finalised;
	bool wrapped;               /* a wrapper began, the program itself has not yet */
	struct mp_session *command; /* of acl.json */
	char dir[MP_PATH_SIZE];
	char settings[MP_SETTING_COUNT][MP_SETTING_SIZE]; /* by type; "": not set */
	struct mp_session_run *runs;
	struct mp_handle *configs, *subscribe_configs;
	struct mp_subscription *subscriptions;
};

extern struct mp_control mp_control;

/*
 * For wrappers (wrap.h): begin, unless the process has begun; its own begin later is then no repetition. End, unless it
 * has ended.
 */
int mp_control_wrap_init(const struct msprof_face *face, const char *path);
int mp_control_wrap_finalize(const struct msprof_face *face);

/* Whether the mode allows a call: 0, or the code after it was said. Calls that never differ are allowed. */
int mp_control_allows(const struct msprof_face *face, enum mp_call call);

/*
 * control_handle.c: mp_handle_check tells, with the lock, whether a handle is one of the list, made and not destroyed:
 * 0, or the code after it was said. mp_handle_destroy frees one that is.
 */
void mp_handle_add(struct mp_handle **list, struct mp_handle *handle);
int mp_handle_check(const struct msprof_face *face, enum mp_call call, enum mp_param param,
    struct mp_handle *const *list, const void *handle);
int mp_handle_destroy(const struct msprof_face *face, enum mp_call call, enum mp_param param, struct mp_handle **list,
    const void *handle);

/* control_session.c, with the lock */
int mp_control_stop_all(const struct msprof_face *face, enum mp_call call);

/* control_settings.c: check a value of SetConfig. 0, or -1 and what is wrong in *reason. */
const char *mp_setting_name(int type);
int mp_setting_check(int type, const char *value, const char **reason);
uint64_t mp_setting_storage_limit(const char *value);

/* control_dir.c: make a directory and those above it, absolute in `dir`. 0, or -1. */
int mp_control_dir(const char *path, char dir[MP_PATH_SIZE], struct mp_error *err);

/* subscribe.c, with the lock: end all subscriptions */
void mp_unsubscribe_all(const struct msprof_face *face, enum mp_call call);

/* stamp.c: around fork */
void mp_stamps_lock(void);
void mp_stamps_unlock(void);

/* stamp.c: sessions ended, so that what is open is cut off; with `all`, stamps are taken back too */
void mp_stamps_end(const struct msprof_face *face, enum mp_call call, bool all);

#endif
