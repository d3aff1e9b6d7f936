/*
 * control.c: the calls that change the mode of the process. Begins and ends a recording by an acl.json, also under
 * names of our own.
 */
#include "recorder/control.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "recorder/attach.h"
#include "recorder/face.h"
#include "recorder/recorder_internal.h"
#include "recorder/session.h"

/*
 * The thread that starts the recorder on behalf of a program. What it calls meanwhile, for instance in an allocator of
 * the program, is not recorded, and does not wait for itself.
 */
static _Thread_local bool starts __attribute__((tls_model("initial-exec")));

/* Start the session of the settings. One that a wrapper begins has the recorder's start as a call of its own. */
static int start_session(uint64_t began_ns, struct mp_error *err)
{
	static const char slice[] = "recorder start";
	uint32_t name = began_ns ? msprof_name(slice) : 0; /* by this thread: the flusher makes room for names */
	int code;

	mp_control.acl.config.started_ns = began_ns;
	code = mp_session_start(&mp_control.command, &mp_control.acl.config, err);
	if (!code && began_ns)
		msprof_api_end(began_ns, MSPROF_OTHER, name, MSPROF_NO_MODEL);
	return code;
}

static int start_command(const struct msprof_face *face, const char *path, uint64_t began_ns)
{
	struct mp_error err;
	int code = mp_acl_session_read(&mp_control.acl, path, (int)face->profile, &err);

	if (code)
		return mp_refuse_failure(face, MP_CALL_ACL_INIT, code, err.text);
	if (mp_control.acl.on) {
		mp_recorder_set_interval(mp_control.acl.interval);
		code = start_session(began_ns, &err);
		if (code)
			mp_say_failure(face, MP_CALL_ACL_INIT, code, err.text);
		else
			atomic_store(&mp_control.mode, MP_MODE_CMD);
	}
	if (mp_control.command)
		mp_acl_session_keep(&mp_control.acl);
	else
		mp_acl_session_free(&mp_control.acl);
	return code;
}

/*
 * A child made by fork stays in the mode of its parent. Sessions begin anew at its first event; subscriptions do
 * nothing there (recorder.h).
 */
static void before_fork(void)
{
	pthread_mutex_lock(&mp_control.lock);
	mp_stamps_lock();
}

static void after_fork(void)
{
	mp_stamps_unlock();
	pthread_mutex_unlock(&mp_control.lock);
}

static void renew(void);
static bool listens;          /* this process does; a child made by fork has no such thread */
static atomic_bool has_begun; /* the variable was read: once, as it was at the start of the process */

static void in_child(void)
{
	if (listens)
		atomic_store(&has_begun, false);
	listens = false;
	after_fork();
}

static void prepare_fork(void)
{
	mp_process_prepare(); /* its locks are taken while ours is held */
	pthread_atfork(before_fork, after_fork, in_child);
	mp_recorder.renewal = renew;
}

static const struct msprof_face faces[] = {
    [MSPROF_SVP] = {.profile = MSPROF_SVP,
	.calls = {[MP_CALL_ACL_INIT] = "msprof_init", [MP_CALL_ACL_FINALIZE] = "msprof_finalize"}},
    [MSPROF_ASCEND] = {.profile = MSPROF_ASCEND,
	.calls = {[MP_CALL_ACL_INIT] = "msprof_init", [MP_CALL_ACL_FINALIZE] = "msprof_finalize"}},
};

static char *window; /* the settings of the one that is on */

/* Start a window of 'msprof --dynamic=on'. One with the same settings that is on stays. With the lock. */
static void start_window(const char *settings, uint64_t began_ns, char answer[MP_ATTACH_ANSWER])
{
	int mode = atomic_load(&mp_control.mode);
	struct mp_error err;

	if (mp_control.command && window && strcmp(window, settings) == 0) {
		snprintf(answer, MP_ATTACH_ANSWER, "ok %s", mp_session_result(mp_control.command, 0));
	} else if (mp_control.finalised || (mode != MP_MODE_NONE && mode != MP_MODE_OFF)) {
		snprintf(answer, MP_ATTACH_ANSWER, "error %s",
		    mp_control.finalised ? "the program has finalised" : "it is being recorded already");
	} else if (mp_environment_read(&mp_control.acl, settings, &err) || start_session(began_ns, &err)) {
		snprintf(answer, MP_ATTACH_ANSWER, "error %s", err.text);
		mp_acl_session_free(&mp_control.acl);
	} else {
		atomic_store(&mp_control.mode, MP_MODE_CMD);
		atomic_store(&mp_control.recording, true);
		free(window);
		window = strdup(settings); /* without memory a second start is refused */
		mp_acl_session_keep(&mp_control.acl);
		snprintf(answer, MP_ATTACH_ANSWER, "ok %s", mp_session_result(mp_control.command, 0));
	}
}

/* Whoever started a window stops it, with the same settings. */
static void stop_window(const char *settings, char answer[MP_ATTACH_ANSWER])
{
	struct mp_error err;

	if (!mp_control.command || !window || strcmp(window, settings) != 0) {
		snprintf(answer, MP_ATTACH_ANSWER, "error nothing is being recorded for this msprof");
		return;
	}
	snprintf(answer, MP_ATTACH_ANSWER, "ok %s", mp_session_result(mp_control.command, 0));
	atomic_store(&mp_control.recording, false);
	mp_stamps_end(&faces[MSPROF_ASCEND], MP_CALL_ACL_FINALIZE, false);
	if (mp_session_finish(mp_control.command, &err))
		snprintf(answer, MP_ATTACH_ANSWER, "error %s", err.text);
	mp_control.command = NULL;
	free(window);
	window = NULL;
	mp_acl_session_free(&mp_control.acl);
	atomic_store(&mp_control.mode, mp_control.initialised && !mp_control.finalised ? MP_MODE_OFF : MP_MODE_NONE);
}

static void obey(const char *command, char answer[MP_ATTACH_ANSWER])
{
	pthread_mutex_lock(&mp_control.lock);
	if (strncmp(command, "start ", 6) == 0)
		start_window(command + 6, 0, answer);
	else if (strncmp(command, "stop ", 5) == 0)
		stop_window(command + 5, answer);
	pthread_mutex_unlock(&mp_control.lock);
}

/* What msprof has commanded before this process listens. A child made by fork has the window of its parent. */
static void join_window(const char *dir, uint64_t began_ns)
{
	char answer[MP_ATTACH_ANSWER] = "", *settings = mp_dynamic_join(dir);

	if (settings)
		start_window(settings, began_ns, answer);
	else if (mp_control.command && window)
		stop_window(window, answer);
	if (strncmp(answer, "error ", 6) == 0)
		mp_log(MP_LOG_ERROR, "this process is not recorded: %s", answer + 6);
	free(settings);
}

static void listen_once(uint64_t began_ns)
{
	char *dir = listens ? NULL : mp_environment_dynamic();

	if (listens || (!dir && (mp_environment_is_set() || !mp_attach_is_wanted())))
		return;
	listens = true;
	if (dir)
		join_window(dir, began_ns);
	free(dir);
	mp_attach_listen(obey);
}

static int acl_init(const struct msprof_face *face, const char *path, uint64_t began_ns)
{
	int code;

	listen_once(began_ns);
	if (mp_control.wrapped) {
		mp_control.wrapped = false;
		return 0;
	}
	if (mp_control.initialised) {
		mp_say_failure(
		    face, MP_CALL_ACL_INIT, ACL_ERROR_REPEAT_INITIALIZE, "it was called before in this process");
		return ACL_ERROR_REPEAT_INITIALIZE;
	}
	if (mp_control.command) { /* a window has begun before */
		mp_control.initialised = true;
		return 0;
	}
	atomic_store(&mp_control.mode, MP_MODE_OFF);
	code = path || mp_environment_is_set() ? start_command(face, path, began_ns) : 0;
	if (code) {
		atomic_store(&mp_control.mode, MP_MODE_NONE);
		return code;
	}
	mp_control.initialised = true;
	atomic_store(&mp_control.recording, mp_control.command != NULL);
	return 0;
}

/* Lock for the first call; installs the handlers of fork once. */
static void lock_first(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, prepare_fork);
	pthread_mutex_lock(&mp_control.lock);
}

/*
 * Start on behalf of a program, with the lock. Other threads that begin to record wait meanwhile, so that none of their
 * calls is missing. The thread may not be cancelled with the lock, and keeps its errno.
 */
static int start_alone(int (*start)(void))
{
	int error = errno, before, code;

	if (starts || mp_is_flusher())
		return 0;
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	starts = true;
	lock_first();
	code = start();
	pthread_mutex_unlock(&mp_control.lock);
	starts = false;
	pthread_setcancelstate(before, NULL);
	errno = error;
	return code;
}

/* Begin in a child what its parent recorded, unless another thread of it has done so. */
static int start_again(void)
{
	uint64_t began_ns = mp_recorder_now();
	struct mp_error err;

	if (!(atomic_load(&mp_recorder.wanted) & MP_WANT_RENEWAL))
		return 0;
	if (mp_control.command) {
		mp_session_finish(mp_control.command, &err); /* the parent's, which is ended here: this only frees it */
		mp_control.command = NULL;
		if (start_session(began_ns, &err))
			mp_log(MP_LOG_ERROR, "this child of a recorded process is not recorded: %s", err.text);
	}
	mp_control_renew_runs();
	mp_recorder_renewed();
	return 0;
}

static void renew(void)
{
	start_alone(start_again);
}

int msprof_control_acl_init(const struct msprof_face *face, const char *path)
{
	lock_first();
	return mp_control_unlock(acl_init(face, path, 0));
}

/*
 * For wrappers (wrap.h). The first function begins a process that has not begun; a later begin by the program itself is
 * then no repetition. The second ends a process that has not ended.
 */
static int wrap_init(const struct msprof_face *face, const char *path, uint64_t began_ns)
{
	int code;

	if (mp_control.initialised)
		return 0;
	code = acl_init(face, path, began_ns);
	mp_control.wrapped = code == 0;
	return code;
}

static int finish_command(const struct msprof_face *face)
{
	struct mp_error err;
	int code;

	atomic_store(&mp_control.recording, false);
	mp_stamps_end(face, MP_CALL_ACL_FINALIZE, true);
	code = mp_session_finish(mp_control.command, &err);
	mp_control.command = NULL;
	mp_acl_session_free(&mp_control.acl);
	return code ? mp_refuse_failure(face, MP_CALL_ACL_FINALIZE, code, err.text) : 0;
}

static int acl_finalize(const struct msprof_face *face)
{
	enum mp_mode mode = (enum mp_mode)atomic_load(&mp_control.mode);
	int code = 0;

	if (mp_control.finalised)
		return mp_refuse_failure(
		    face, MP_CALL_ACL_FINALIZE, ACL_ERROR_REPEAT_FINALIZE, "it was called before in this process");
	if (!mp_control.initialised)
		return mp_refuse_order(face, MP_CALL_ACL_FINALIZE, ACL_ERROR_UNINITIALIZE, MP_CALL_ACL_INIT);
	if (mode == MP_MODE_CMD)
		code = finish_command(face);
	if (mode == MP_MODE_API) {
		mp_call_warn(
		    face, MP_CALL_ACL_FINALIZE, "the recording begun by init was not finalized: it is finalized now");
		code = mp_control_stop_all(face, MP_CALL_ACL_FINALIZE);
	}
	if (mode == MP_MODE_SUBSCRIBE) {
		mp_call_warn(face, MP_CALL_ACL_FINALIZE, "models are still subscribed: they are unsubscribed");
		mp_unsubscribe_all(face, MP_CALL_ACL_FINALIZE);
	}
	atomic_store(&mp_control.mode, MP_MODE_NONE);
	mp_control.finalised = true;
	return code;
}

int msprof_control_acl_finalize(const struct msprof_face *face)
{
	pthread_mutex_lock(&mp_control.lock);
	return mp_control_unlock(acl_finalize(face));
}

static int wrap_finalize(const struct msprof_face *face)
{
	int code = 0;

	pthread_mutex_lock(&mp_control.lock);
	if (mp_control.initialised && !mp_control.finalised)
		code = acl_finalize(face);
	pthread_mutex_unlock(&mp_control.lock);
	return code;
}

static int init(const struct msprof_face *face, const char *path, size_t length)
{
	struct mp_error err;
	int code = mp_control_allows(face, MP_CALL_INIT);

	if (code)
		return code;
	if (!path)
		return mp_refuse_null(face, MP_CALL_INIT, MP_PARAM_RESULT_PATH);
	if (length == 0 || length >= MP_PATH_SIZE)
		return mp_refuse_number(
		    face, MP_CALL_INIT, MP_PARAM_LENGTH, length, "a path must have 1 to 4095 bytes");
	if (strnlen(path, MP_PATH_SIZE) != length)
		return mp_refuse_number(face, MP_CALL_INIT, MP_PARAM_LENGTH, length, "not the length of the path");
	if (mp_control_dir(path, mp_control.dir, &err)) {
		mp_say_value(face, MP_CALL_INIT, MP_PARAM_RESULT_PATH, path, err.text);
		return ACL_ERROR_INVALID_FILE;
	}
	if (mp_model_any())
		mp_call_warn(face, MP_CALL_INIT, "models were loaded before: their loading is not recorded");
	memset(mp_control.settings, 0, sizeof(mp_control.settings));
	atomic_store(&mp_control.mode, MP_MODE_API);
	return 0;
}

int msprof_control_init(const struct msprof_face *face, const char *path, size_t length)
{
	pthread_mutex_lock(&mp_control.lock);
	return mp_control_unlock(init(face, path, length));
}

int msprof_control_finalize(const struct msprof_face *face)
{
	int code;

	pthread_mutex_lock(&mp_control.lock);
	code = mp_control_allows(face, MP_CALL_FINALIZE);
	if (!code) {
		code = mp_control_stop_all(face, MP_CALL_FINALIZE);
		atomic_store(&mp_control.mode, MP_MODE_OFF);
	}
	pthread_mutex_unlock(&mp_control.lock);
	return code;
}

int msprof_init(const char *acl_json, enum msprof_profile profile)
{
	return msprof_control_acl_init(&faces[profile == MSPROF_ASCEND], acl_json);
}

int msprof_finalize(void)
{
	return msprof_control_acl_finalize(&faces[MSPROF_SVP]);
}

int msprof_wrap_init(const char *acl_json, enum msprof_profile profile)
{
	lock_first();
	return mp_control_unlock(wrap_init(&faces[profile == MSPROF_ASCEND], acl_json, 0));
}

static int begin(void)
{
	uint64_t began_ns = mp_recorder_now();
	int code = 0;

	if (atomic_load(&has_begun))
		return 0;
	if (mp_environment_is_set())
		code = wrap_init(&faces[MSPROF_ASCEND], NULL, began_ns);
	listen_once(began_ns);
	atomic_store_explicit(&has_begun, true, memory_order_release); /* from here on others see what to record */
	return code;
}

int msprof_wrap_begin(void)
{
	return atomic_load_explicit(&has_begun, memory_order_acquire) ? MSPROF_OK : start_alone(begin);
}

int msprof_wrap_finalize(void)
{
	return wrap_finalize(&faces[MSPROF_SVP]);
}
