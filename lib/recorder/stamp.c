/*
 * stamp.c: marks and ranges (msproftx). Stamps come from a pool. The stamps that a thread has pushed are a list through
 * the pool. The list is void once the sessions of its time have ended.
 */
#include "recorder/control.h"

#include <stdint.h>
#include <string.h>

#include "recorder/recorder.h"

enum { STAMP_MAX = 100 };

enum stamp_state { STAMP_FREE, STAMP_IDLE, STAMP_PUSHED, STAMP_RANGE };

struct stamp {
	enum stamp_state state;
	bool doomed; /* destroyed while pushed or in a range: freed at the end */
	struct stamp *below;
	uint64_t begin_ns;
	uint32_t range_id, category;
	char message[MSPROF_MESSAGE_MAX + 1];
};

static struct {
	pthread_mutex_t lock;
	struct stamp items[STAMP_MAX];
	uint32_t last_range;
	uint64_t epoch; /* counts the ends of all sessions */
	bool off;       /* switched off by the program */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

static _Thread_local struct {
	struct stamp *top;
	uint64_t epoch;
} pushed;

static struct stamp *find_stamp(const void *handle)
{
	for (int i = 0; i < STAMP_MAX; i++)
		if (&pool.items[i] == handle && pool.items[i].state != STAMP_FREE && !pool.items[i].doomed)
			return &pool.items[i];
	return NULL;
}

/* Call before the lock: in a child made by fork the recording begins here. */
static int check_recording(const struct msprof_face *face, enum mp_call call)
{
	mp_recorder_wants_stamps();
	return atomic_load(&mp_control.recording) ? 0
						  : mp_refuse_order(face, call, ACL_ERROR_PROF_NOT_RUN, MP_CALL_START);
}

/* Get the stamp of a handle, unless it is in one of the other `states`. Call with the lock. */
static int take(const struct msprof_face *face, enum mp_call call, void *handle, struct stamp **stamp)
{
	if (!handle)
		return mp_refuse_null(face, call, MP_PARAM_STAMP);
	*stamp = find_stamp(handle);
	if (!*stamp)
		return mp_refuse_value(face, call, MP_PARAM_STAMP, "", "destroyed, or never created");
	return 0;
}

static int take_idle(const struct msprof_face *face, enum mp_call call, void *handle, struct stamp **stamp)
{
	int code = take(face, call, handle, stamp);

	if (!code && (*stamp)->state != STAMP_IDLE)
		return mp_refuse_value(
		    face, call, MP_PARAM_STAMP, (*stamp)->message, "the stamp is pushed or used by a range already");
	return code;
}

static void record(const struct stamp *stamp, enum mp_stamp_type type, uint64_t begin_ns, uint64_t end_ns)
{
	if (!pool.off)
		mp_recorder_stamp(type, begin_ns, end_ns, stamp->category, stamp->range_id, stamp->message);
}

void *msprof_stamp_create(const struct msprof_face *face)
{
	struct stamp *stamp = NULL;

	if (check_recording(face, MP_CALL_CREATE_STAMP))
		return NULL;
	pthread_mutex_lock(&pool.lock);
	for (int i = 0; i < STAMP_MAX && !stamp; i++)
		if (pool.items[i].state == STAMP_FREE)
			stamp = &pool.items[i];
	if (stamp) {
		memset(stamp, 0, sizeof(*stamp));
		stamp->state = STAMP_IDLE;
	}
	pthread_mutex_unlock(&pool.lock);
	if (!stamp)
		mp_say_failure(
		    face, MP_CALL_CREATE_STAMP, ACL_ERROR_FAILURE, "all 100 stamps are in use: destroy some");
	return stamp;
}

void msprof_stamp_destroy(const struct msprof_face *face, void *handle)
{
	struct stamp *stamp;

	pthread_mutex_lock(&pool.lock);
	if (!take(face, MP_CALL_DESTROY_STAMP, handle, &stamp)) {
		stamp->doomed = stamp->state != STAMP_IDLE;
		if (stamp->doomed)
			mp_call_warn(
			    face, MP_CALL_DESTROY_STAMP, "stamp '%s' is still pushed or a range", stamp->message);
		else
			stamp->state = STAMP_FREE;
	}
	pthread_mutex_unlock(&pool.lock);
}

int msprof_stamp_set_message(const struct msprof_face *face, void *handle, const char *message, uint32_t len)
{
	const enum mp_call call = MP_CALL_SET_STAMP_MESSAGE;
	struct stamp *stamp;
	int code = check_recording(face, call);

	if (code)
		return code;
	if (!message)
		return mp_refuse_null(face, call, MP_PARAM_MESSAGE);
	if (len == 0 || len > MSPROF_MESSAGE_MAX)
		return mp_refuse_number(face, call, MP_PARAM_MESSAGE_LEN, len, "a message must have 1 to 127 bytes");
	if (strnlen(message, len) != len)
		return mp_refuse_number(face, call, MP_PARAM_MESSAGE_LEN, len, "the message is shorter");
	pthread_mutex_lock(&pool.lock);
	code = take(face, call, handle, &stamp);
	if (!code) {
		memcpy(stamp->message, message, len);
		stamp->message[len] = '\0';
	}
	pthread_mutex_unlock(&pool.lock);
	return code;
}

int msprof_stamp_set_category(const struct msprof_face *face, void *handle, uint32_t category)
{
	struct stamp *stamp;
	int code;

	pthread_mutex_lock(&pool.lock);
	code = take(face, MP_CALL_SET_STAMP_CATEGORY, handle, &stamp);
	if (!code)
		stamp->category = category;
	pthread_mutex_unlock(&pool.lock);
	return code;
}

int msprof_stamp_set_other(
    const struct msprof_face *face, enum mp_call call, enum mp_param param, void *handle, const void *value)
{
	struct stamp *stamp;
	int code;

	pthread_mutex_lock(&pool.lock);
	code = take(face, call, handle, &stamp);
	pthread_mutex_unlock(&pool.lock);
	return code || value ? code : mp_refuse_null(face, call, param);
}

int msprof_stamp_set_category_name(const struct msprof_face *face, const char *name)
{
	return name ? 0 : mp_refuse_null(face, MP_CALL_SET_CATEGORY_NAME, MP_PARAM_CATEGORY_NAME);
}

int msprof_stamp_report(const struct msprof_face *face, const char *tag, const void *data)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;

	if (!tag || !data)
		return mp_refuse_null(face, MP_CALL_REPORT_STAMP, tag ? MP_PARAM_PAYLOAD : MP_PARAM_TAG);
	if (!atomic_flag_test_and_set(&said))
		mp_call_warn(face, MP_CALL_REPORT_STAMP, "the layout of the data is unknown: it is not recorded");
	return 0;
}

int msprof_stamp_switch(const struct msprof_face *face, bool on)
{
	(void)face;
	pthread_mutex_lock(&pool.lock);
	pool.off = !on;
	pthread_mutex_unlock(&pool.lock);
	return 0;
}

int msprof_stamp_mark(const struct msprof_face *face, void *handle)
{
	int code = check_recording(face, MP_CALL_MARK);
	uint64_t now_ns = mp_recorder_now();
	struct stamp *stamp;

	if (code)
		return code;
	pthread_mutex_lock(&pool.lock);
	code = take(face, MP_CALL_MARK, handle, &stamp);
	if (!code)
		record(stamp, MP_STAMP_MARK, now_ns, now_ns);
	pthread_mutex_unlock(&pool.lock);
	return code;
}

/* End a range now. Call with the lock. */
static void end_range(struct stamp *stamp, enum mp_stamp_type type)
{
	record(stamp, type, stamp->begin_ns, mp_recorder_now());
	stamp->state = stamp->doomed ? STAMP_FREE : STAMP_IDLE;
	stamp->range_id = 0;
}

int msprof_stamp_push(const struct msprof_face *face, void *handle)
{
	struct stamp *stamp;
	int code = check_recording(face, MP_CALL_PUSH);

	if (code)
		return code;
	pthread_mutex_lock(&pool.lock);
	code = take_idle(face, MP_CALL_PUSH, handle, &stamp);
	if (!code) {
		stamp->state = STAMP_PUSHED;
		stamp->below = pushed.epoch == pool.epoch ? pushed.top : NULL;
		pushed.top = stamp;
		pushed.epoch = pool.epoch;
		stamp->begin_ns = mp_recorder_now();
	}
	pthread_mutex_unlock(&pool.lock);
	return code;
}

int msprof_stamp_pop(const struct msprof_face *face)
{
	int code = check_recording(face, MP_CALL_POP);

	if (code)
		return code;
	pthread_mutex_lock(&pool.lock);
	if (pushed.top && pushed.epoch == pool.epoch) {
		struct stamp *stamp = pushed.top;

		pushed.top = stamp->below;
		end_range(stamp, MP_STAMP_PUSH_POP);
	} else {
		code = mp_refuse_failure(face, MP_CALL_POP, ACL_ERROR_INVALID_PARAM, "this thread has no pushed stamp");
	}
	pthread_mutex_unlock(&pool.lock);
	return code;
}

int msprof_stamp_range_start(const struct msprof_face *face, void *handle, uint32_t *range_id)
{
	struct stamp *stamp;
	int code = check_recording(face, MP_CALL_RANGE_START);

	if (code)
		return code;
	if (!range_id)
		return mp_refuse_null(face, MP_CALL_RANGE_START, MP_PARAM_RANGE_ID);
	pthread_mutex_lock(&pool.lock);
	code = take_idle(face, MP_CALL_RANGE_START, handle, &stamp);
	if (!code) {
		if (++pool.last_range == 0)
			pool.last_range = 1;
		stamp->state = STAMP_RANGE;
		*range_id = stamp->range_id = pool.last_range;
		stamp->begin_ns = mp_recorder_now();
	}
	pthread_mutex_unlock(&pool.lock);
	return code;
}

int msprof_stamp_range_stop(const struct msprof_face *face, uint32_t range_id)
{
	struct stamp *stamp = NULL;
	int code = check_recording(face, MP_CALL_RANGE_STOP);

	if (code)
		return code;
	pthread_mutex_lock(&pool.lock);
	for (int i = 0; i < STAMP_MAX && !stamp; i++)
		if (pool.items[i].state == STAMP_RANGE && pool.items[i].range_id == range_id)
			stamp = &pool.items[i];
	if (stamp)
		end_range(stamp, MP_STAMP_START_STOP);
	else
		code = mp_refuse_number(face, MP_CALL_RANGE_STOP, MP_PARAM_RANGE_ID, range_id, "no such range is open");
	pthread_mutex_unlock(&pool.lock);
	return code;
}

void mp_stamps_end(const struct msprof_face *face, enum mp_call call, bool all)
{
	unsigned open = 0, left = 0;

	pthread_mutex_lock(&pool.lock);
	pool.epoch++;
	for (int i = 0; i < STAMP_MAX; i++) {
		struct stamp *stamp = &pool.items[i];
		bool is_open = stamp->state == STAMP_PUSHED || stamp->state == STAMP_RANGE;

		open += is_open;
		if (is_open)
			stamp->state = stamp->doomed ? STAMP_FREE : STAMP_IDLE;
		left += stamp->state == STAMP_IDLE;
		if (all)
			stamp->state = STAMP_FREE;
	}
	pthread_mutex_unlock(&pool.lock);
	if (open)
		mp_call_warn(face, call, "%u ranges were begun and not ended: they are not recorded", open);
	if (left)
		mp_call_warn(face, call, "%u stamps were created and not destroyed", left);
}

void mp_stamps_lock(void)
{
	pthread_mutex_lock(&pool.lock);
}

void mp_stamps_unlock(void)
{
	pthread_mutex_unlock(&pool.lock);
}
