/* subscribe.c: subscriptions: models whose operators are written into a pipe. */
#include "recorder/control.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "recorder/op_record.h"
#include "recorder/recorder.h"

struct mp_subscription {
	struct mp_subscription *next;
	uint32_t model_id;
	enum msprof_profile family;
	struct msprof_subscribe_config config;
	struct mp_op_pipe *pipe; /* shared by subscriptions with the same pipe */
	struct mp_wall wall;     /* the same for all subscriptions at a time */
	uint64_t lost;           /* lost before they reached the pipe */
	struct mp_event_sink sink;
};

/* ---------------------------------------------------------------- configurations */

struct msprof_subscribe_config *msprof_subscribe_config_create(
    const struct msprof_face *face, int time_switch, int metrics, const void *fd)
{
	const enum mp_call call = MP_CALL_CREATE_SUBSCRIBE_CONFIG;
	struct msprof_subscribe_config *config;

	if (!fd) {
		(void)mp_refuse_null(face, call, MP_PARAM_FD);
		return NULL;
	}
	if (*(const int *)fd < 0) {
		mp_say_value(face, call, MP_PARAM_FD, "negative", "not a descriptor");
		return NULL;
	}
	if (metrics != MSPROF_METRICS_NONE && (metrics < 0 || metrics > face->metrics_max)) {
		mp_say_number(face, call, MP_PARAM_METRICS, (uint64_t)metrics, "unknown metrics");
		return NULL;
	}
	config = calloc(1, sizeof(*config));
	if (!config) {
		mp_say_failure(face, call, ACL_ERROR_BAD_ALLOC, "out of memory");
		return NULL;
	}
	config->time_switch = time_switch;
	config->metrics = metrics;
	config->fd = *(const int *)fd;
	mp_handle_add(&mp_control.subscribe_configs, &config->handle);
	return config;
}

int msprof_subscribe_config_destroy(const struct msprof_face *face, const struct msprof_subscribe_config *config)
{
	return mp_handle_destroy(
	    face, MP_CALL_DESTROY_SUBSCRIBE_CONFIG, MP_PARAM_SUBSCRIBE_CONFIG, &mp_control.subscribe_configs, config);
}

/* ---------------------------------------------------------------- events into records */

/* Boards tell the time since 1970. */
static uint64_t time_us(const struct mp_subscription *s, uint64_t ns)
{
	return (s->family == MSPROF_SVP ? mp_wall_ns(&s->wall, ns) : ns) / 1000;
}

static void on_event(void *state, const struct mp_event *event)
{
	struct mp_subscription *s = state;
	unsigned char bytes[MP_OP_RECORD_MAX];
	struct mp_op_record record = {.model_id = s->model_id,
	    .flag = MP_OP_FLAG_OPERATOR,
	    .thread_id = event->tid,
	    .op_index = mp_op_index(event->name, event->op_type),
	    .name = event->text,
	    .type = event->op_type_text};

	if (event->kind != MP_EVENT_OP || event->model_id != s->model_id)
		return;
	if (s->config.time_switch) {
		record.start_us = time_us(s, event->begin_ns);
		record.end_us = time_us(s, event->end_ns);
		record.duration_us = record.end_us - record.start_us;
		record.execution_us = record.duration_us;
	}
	mp_op_record_encode(s->family, &record, bytes);
	mp_op_pipe_put(s->pipe, bytes);
}

static void on_flush(void *state)
{
	struct mp_subscription *s = state;

	mp_op_pipe_wake(s->pipe);
}

static void on_lost(void *state, uint64_t count)
{
	struct mp_subscription *s = state;

	s->lost += count;
}

/* At exit, waiting records are dropped: the reader is a thread of the same process. */
static void on_end(void *state, enum mp_end how)
{
	struct mp_subscription *s = state;

	if (how == MP_END_FORK)
		mp_op_pipe_forget(s->pipe);
}

/* ---------------------------------------------------------------- subscribing */

static struct mp_subscription **find_model(uint32_t model_id)
{
	struct mp_subscription **at = &mp_control.subscriptions;

	while (*at && (*at)->model_id != model_id)
		at = &(*at)->next;
	return at;
}

static int check_subscription(
    const struct msprof_face *face, uint32_t model_id, const struct msprof_subscribe_config *config)
{
	const enum mp_call call = MP_CALL_SUBSCRIBE;
	const struct mp_subscription *other = mp_control.subscriptions;
	int code = mp_handle_check(face, call, MP_PARAM_SUBSCRIBE_CONFIG, &mp_control.subscribe_configs, config);

	if (code)
		return code;
	if (!config->time_switch && config->metrics == MSPROF_METRICS_NONE)
		return mp_refuse_value(
		    face, call, MP_PARAM_SUBSCRIBE_CONFIG, "", "it asks for neither times nor metrics");
	if (mp_model_any() && mp_model_state(model_id) != MP_MODEL_LOADED) {
		mp_say_number(face, call, MP_PARAM_MODEL_ID, model_id, "no such model is loaded");
		return ACL_ERROR_INVALID_MODEL_ID;
	}
	if (*find_model(model_id)) {
		mp_say_number(face, call, MP_PARAM_MODEL_ID, model_id, "the model is subscribed already");
		return ACL_ERROR_PROF_REPEAT_SUBSCRIBE;
	}
	if (other && (other->config.time_switch != config->time_switch || other->config.metrics != config->metrics))
		return mp_refuse_config(face, call, face->params[MP_PARAM_SUBSCRIBE_CONFIG], "",
		    "another model of the device is subscribed with other times or metrics");
	return 0;
}

static const struct mp_subscription *user_of_pipe(int fd)
{
	const struct mp_subscription *s = mp_control.subscriptions;

	while (s && !mp_op_pipe_is(s->pipe, fd))
		s = s->next;
	return s;
}

static int uses_of(const struct mp_op_pipe *pipe, int fd)
{
	int uses = 0;

	for (const struct mp_subscription *s = mp_control.subscriptions; s; s = s->next)
		uses += s->pipe == pipe && (fd < 0 || s->config.fd == fd);
	return uses;
}

static int open_pipe(struct mp_subscription *s, struct mp_error *err)
{
	const struct mp_subscription *other = user_of_pipe(s->config.fd);
	size_t size;

	if (other && other->family != s->family)
		return mp_fail(err, "the pipe has operators in the form of the other family of calls");
	s->pipe = other ? other->pipe : NULL;
	if (other)
		return 0;
	return mp_op_record_size(s->family, &size, err) || mp_op_pipe_open(&s->pipe, s->config.fd, size, err) ? -1 : 0;
}

static int subscribe(const struct msprof_face *face, uint32_t model_id, const struct msprof_subscribe_config *config)
{
	const enum mp_call call = MP_CALL_SUBSCRIBE;
	struct mp_subscription *s;
	struct mp_error err;
	int code = mp_control_allows(face, call);

	if (!code)
		code = check_subscription(face, model_id, config);
	if (code)
		return code;
	s = calloc(1, sizeof(*s));
	if (!s)
		return mp_refuse_failure(face, call, ACL_ERROR_BAD_ALLOC, "out of memory");
	s->model_id = model_id;
	s->family = face->profile;
	s->config = *config;
	if (mp_control.subscriptions)
		s->wall = mp_control.subscriptions->wall;
	else
		mp_wall_read(&s->wall);
	s->sink = (struct mp_event_sink){
	    .wanted = MP_WANT_OPS, .state = s, .event = on_event, .flush = on_flush, .lost = on_lost, .end = on_end};
	if (open_pipe(s, &err)) {
		free(s);
		return mp_refuse_value(face, call, MP_PARAM_SUBSCRIBE_CONFIG, "", err.text);
	}
	if (mp_recorder_attach(&s->sink, &err)) {
		if (!uses_of(s->pipe, -1))
			mp_op_pipe_close(s->pipe);
		free(s);
		return mp_refuse_failure(face, call, ACL_ERROR_FAILURE, err.text);
	}
	s->next = mp_control.subscriptions;
	mp_control.subscriptions = s;
	atomic_store(&mp_control.mode, MP_MODE_SUBSCRIBE);
	return 0;
}

int msprof_control_subscribe(
    const struct msprof_face *face, uint32_t model_id, const struct msprof_subscribe_config *config)
{
	pthread_mutex_lock(&mp_control.lock);
	return mp_control_unlock(subscribe(face, model_id, config));
}

/* Write everything up to now. The reader of a pipe without further users then finds its end. */
static void end_subscription(const struct msprof_face *face, enum mp_call call, struct mp_subscription **at)
{
	struct mp_subscription *s = *at;
	uint64_t lost;

	mp_recorder_detach(&s->sink);
	lost = s->lost;
	*at = s->next;
	if (!uses_of(s->pipe, s->config.fd)) {
		/* otherwise the descriptor was closed, and its number may be another file's; the pipe uses a copy */
		if (mp_op_pipe_is(s->pipe, s->config.fd))
			close(s->config.fd);
		if (!uses_of(s->pipe, -1))
			lost += mp_op_pipe_close(s->pipe);
	}
	if (lost)
		mp_call_warn(
		    face, call, "model %" PRIu32 ": %" PRIu64 " records did not reach their reader", s->model_id, lost);
	free(s);
	if (!mp_control.subscriptions)
		atomic_store(&mp_control.mode, MP_MODE_OFF);
}

int msprof_control_unsubscribe(const struct msprof_face *face, uint32_t model_id)
{
	struct mp_subscription **at;
	int code;

	pthread_mutex_lock(&mp_control.lock);
	code = mp_control_allows(face, MP_CALL_UNSUBSCRIBE);
	at = find_model(model_id);
	if (!code && !*at) {
		mp_say_number(face, MP_CALL_UNSUBSCRIBE, MP_PARAM_MODEL_ID, model_id, "the model is not subscribed");
		code = ACL_ERROR_INVALID_MODEL_ID;
	}
	if (!code)
		end_subscription(face, MP_CALL_UNSUBSCRIBE, at);
	pthread_mutex_unlock(&mp_control.lock);
	return code;
}

void mp_unsubscribe_all(const struct msprof_face *face, enum mp_call call)
{
	while (mp_control.subscriptions)
		end_subscription(face, call, &mp_control.subscriptions);
}
