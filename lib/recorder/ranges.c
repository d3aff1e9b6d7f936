/*
 * ranges.c: marks and ranges without stamps: steps of a training, ranges of a thread, and mstx.
 *
 * The open ranges of a thread are a stack of its own. A range whose end finds no recording is not recorded. A step is a
 * range named by its number.
 *
 * Of mstx there are domains, and ranges between their begin and their end. Nothing is locked: a child of fork would
 * wait forever. An open range has one of a fixed number of places. Its number has the place in its low bits. A place is
 * taken and given back by exchanging the number, so that of two threads that end the same range one does.
 */
#include "recorder/control.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "recorder/face.h"
#include "recorder/include/acl/acl_prof.h"
#include "recorder/recorder.h"
#include "recorder/recorder_internal.h"

struct step {
	struct mp_handle handle;
	uint32_t number;
	bool set[2]; /* by tag */
	uint64_t begin_ns;
};

void *msprof_step_create(const struct msprof_face *face)
{
	static _Atomic uint32_t count;
	struct step *step = calloc(1, sizeof(*step));

	if (!step) {
		mp_say_failure(face, MP_CALL_CREATE_STEP, ACL_ERROR_BAD_ALLOC, "out of memory");
		return NULL;
	}
	step->number = atomic_fetch_add(&count, 1) + 1;
	mp_handle_add(&mp_control.steps, &step->handle);
	return step;
}

void msprof_step_destroy(const struct msprof_face *face, void *step)
{
	mp_handle_destroy(face, MP_CALL_DESTROY_STEP, MP_PARAM_STEP, &mp_control.steps, step);
}

static int set_tag(const struct msprof_face *face, struct step *step, int tag)
{
	const enum mp_call call = MP_CALL_STEP_TIMESTAMP;
	uint64_t now_ns = mp_recorder_now();
	char name[24];

	if (tag != ACL_STEP_START && tag != ACL_STEP_END)
		return mp_refuse_number(face, call, MP_PARAM_STEP_TAG, (uint64_t)(unsigned)tag, "unknown tag");
	if (step->set[tag])
		return mp_refuse_number(
		    face, call, MP_PARAM_STEP_TAG, (uint64_t)(unsigned)tag, "the step has this tag already");
	step->set[tag] = true;
	if (tag == ACL_STEP_START) {
		step->begin_ns = now_ns;
		return 0;
	}
	snprintf(name, sizeof(name), "step %" PRIu32, step->number);
	/* an end without a start is a range without a duration */
	mp_recorder_stamp(MP_STAMP_START_STOP, step->begin_ns ? step->begin_ns : now_ns, now_ns, 0, step->number, name);
	return 0;
}

int msprof_step_timestamp(const struct msprof_face *face, void *step, int tag)
{
	int code;

	mp_recorder_wants_stamps(); /* a child begins, before the lock */
	pthread_mutex_lock(&mp_control.lock);
	code = mp_handle_check(face, MP_CALL_STEP_TIMESTAMP, MP_PARAM_STEP, &mp_control.steps, step);
	if (!code)
		code = set_tag(face, step, tag);
	pthread_mutex_unlock(&mp_control.lock);
	return code;
}

enum { DEPTH_MAX = 64 };

static _Thread_local struct {
	unsigned depth;
	struct {
		uint64_t begin_ns;
		uint32_t name, type;
	} open[DEPTH_MAX];
} own_ranges;

int msprof_mark_ex(const struct msprof_face *face, const char *message, size_t len)
{
	const enum mp_call call = MP_CALL_MARK_EX;
	uint64_t now_ns;

	mp_recorder_wants_stamps(); /* a child begins */
	now_ns = mp_recorder_now();
	if (!atomic_load(&mp_control.recording))
		return mp_refuse_order(face, call, ACL_ERROR_PROF_NOT_RUN, MP_CALL_START);
	if (!message)
		return mp_refuse_null(face, call, MP_PARAM_MESSAGE);
	if (len == 0 || len > MSPROF_MESSAGE_MAX)
		return mp_refuse_number(face, call, MP_PARAM_MESSAGE_LEN, len, "a message must have 1 to 127 bytes");
	if (strnlen(message, len + 1) != len)
		return mp_refuse_number(face, call, MP_PARAM_MESSAGE_LEN, len, "not the length of the message");
	mp_recorder_stamp(MP_STAMP_MARK_EX, now_ns, now_ns, 0, 0, message);
	return 0;
}

int msprof_range_push(const struct msprof_face *face, const void *attributes)
{
	const aclprofEventAttributes *given = attributes;
	const enum mp_call call = MP_CALL_RANGE_PUSH;

	if (!given)
		return mp_refuse_null(face, call, MP_PARAM_RANGE_ATTRIBUTES);
	if (given->messageType != ACL_PROF_MESSAGE_TYPE_TENSOR_INFO)
		return mp_refuse_number(
		    face, call, MP_PARAM_RANGE_ATTRIBUTES, given->messageType, "unknown type of a message");
	if (!given->message.tensorInfo)
		return mp_refuse_value(face, call, MP_PARAM_RANGE_ATTRIBUTES, "", "the message is a null pointer");
	if (own_ranges.depth == DEPTH_MAX)
		return mp_refuse_failure(
		    face, call, ACL_ERROR_INVALID_PARAM, "this thread has 64 open ranges: end some");
	own_ranges.open[own_ranges.depth].name = (uint32_t)given->message.tensorInfo->opNameId;
	own_ranges.open[own_ranges.depth].type = (uint32_t)given->message.tensorInfo->opTypeId;
	own_ranges.open[own_ranges.depth++].begin_ns = msprof_begin();
	return 0;
}

int msprof_range_pop(const struct msprof_face *face)
{
	if (!own_ranges.depth)
		return mp_refuse_failure(
		    face, MP_CALL_RANGE_POP, ACL_ERROR_INVALID_PARAM, "this thread has no open range");
	own_ranges.depth--;
	mp_recorder_op_range(own_ranges.open[own_ranges.depth].begin_ns, own_ranges.open[own_ranges.depth].name,
	    own_ranges.open[own_ranges.depth].type);
	return 0;
}

int msprof_features(const struct msprof_face *face, enum mp_call call, size_t *count, void **features)
{
	static char none[1];

	if (!count)
		return mp_refuse_null(face, call, MP_PARAM_FEATURES_SIZE);
	if (!features)
		return mp_refuse_null(face, call, MP_PARAM_FEATURES);
	if (*features)
		return mp_refuse_value(face, call, MP_PARAM_FEATURES, "", "it must point to a null pointer");
	*count = 0;
	*features = none;
	return 0;
}

enum { DOMAINS_MAX = 1024, RANGES_MAX = 8192, STEP = 64, FREE = 0, BUSY = 1 };

/* A place is taken by its name, and never given back. */
struct msprof_mstx_domain {
	_Atomic uint32_t name; /* the number of its name, plus 1; 0: free */
	atomic_bool alive;
};

static struct msprof_mstx_domain domains[DOMAINS_MAX];

struct range {
	_Atomic uint64_t number; /* FREE, BUSY while its thread fills or reads it, else the number of the range */
	uint64_t begin_ns, stream;
	struct msprof_mstx_domain *domain;
	uint32_t tid;
	uint32_t size;
	char message[MP_DOMAIN_MESSAGE_MAX];
};

static struct range ranges[RANGES_MAX];
static _Atomic uint32_t threads;

/* Threads look for places in different parts, and a thread uses the same few again. */
static _Thread_local uint32_t home; /* a multiple of STEP, plus 1; 0: not chosen yet */

struct msprof_mstx_domain *msprof_mstx_create(const char *name)
{
	uint32_t number;

	if (!name || !*name || strcmp(name, "default") == 0)
		return NULL;
	number = msprof_name(name) + 1;
	for (uint32_t i = 0; i < DOMAINS_MAX; i++) {
		uint32_t other = 0;

		if (atomic_compare_exchange_strong(&domains[i].name, &other, number) || other == number) {
			atomic_store_explicit(&domains[i].alive, true, memory_order_relaxed);
			return &domains[i];
		}
	}
	mp_log(MP_LOG_WARNING, "too many domains: marks of '%s' are not recorded", name);
	return NULL;
}

void msprof_mstx_destroy(struct msprof_mstx_domain *domain)
{
	if (domain)
		atomic_store_explicit(&domain->alive, false, memory_order_relaxed);
}

static bool is_recorded(const struct msprof_mstx_domain *domain)
{
	return mp_recorder_wants_stamps() && (!domain || atomic_load_explicit(&domain->alive, memory_order_relaxed));
}

static uint32_t name_of(const struct msprof_mstx_domain *domain)
{
	static _Atomic uint32_t default_name;
	uint32_t number;

	if (domain)
		return atomic_load_explicit(&domain->name, memory_order_relaxed) - 1;
	number = atomic_load_explicit(&default_name, memory_order_relaxed);
	if (!number) {
		number = msprof_name("default");
		atomic_store_explicit(&default_name, number, memory_order_relaxed);
	}
	return number;
}

void msprof_mstx_mark(struct msprof_mstx_domain *domain, const char *message, const void *stream)
{
	uint64_t now_ns;

	if (!message || !is_recorded(domain))
		return;
	now_ns = mp_recorder_now();
	mp_recorder_domain_stamp(&(struct mp_domain_stamp){.type = MP_STAMP_MARK,
	    .begin_ns = now_ns,
	    .end_ns = now_ns,
	    .domain = name_of(domain),
	    .stream = (uintptr_t)stream,
	    .message = message,
	    .message_size = mp_cut(message, MP_DOMAIN_MESSAGE_MAX)});
}

/* Take a free place. NULL: all are taken. */
static struct range *take_place(void)
{
	if (!home)
		home = atomic_fetch_add_explicit(&threads, STEP, memory_order_relaxed) % RANGES_MAX + 1;
	for (uint32_t i = 0; i < RANGES_MAX; i++) {
		struct range *range = &ranges[(home - 1 + i) % RANGES_MAX];
		uint64_t number = FREE;

		/* acquire: what the thread before read of the place comes before what is written to it now */
		if (atomic_load_explicit(&range->number, memory_order_relaxed) == FREE &&
		    atomic_compare_exchange_strong_explicit(
			&range->number, &number, BUSY, memory_order_acquire, memory_order_relaxed))
			return range;
	}
	return NULL;
}

uint64_t msprof_mstx_range_start(struct msprof_mstx_domain *domain, const char *message, const void *stream)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	static _Atomic uint64_t count;
	struct range *range;
	uint64_t number;

	if (!message || !is_recorded(domain))
		return 0;
	range = take_place();
	if (!range) {
		if (!atomic_flag_test_and_set(&said))
			mp_log(MP_LOG_WARNING, "%d ranges are open: further ranges are not recorded", RANGES_MAX);
		return 0;
	}
	range->domain = domain;
	range->stream = (uintptr_t)stream;
	range->tid = mp_recorder_tid();
	range->size = (uint32_t)mp_cut(message, MP_DOMAIN_MESSAGE_MAX);
	memcpy(range->message, message, range->size);
	number =
	    (atomic_fetch_add_explicit(&count, 1, memory_order_relaxed) + 1) * RANGES_MAX + (uint64_t)(range - ranges);
	range->begin_ns = mp_recorder_now();
	/* release: a thread that finds the number finds the range */
	atomic_store_explicit(&range->number, number, memory_order_release);
	return number;
}

void msprof_mstx_range_end(uint64_t number)
{
	struct range *range = &ranges[number % RANGES_MAX];
	uint64_t end_ns = mp_recorder_now(), expected = number;

	if (number < RANGES_MAX || !atomic_compare_exchange_strong_explicit(
				       &range->number, &expected, BUSY, memory_order_acquire, memory_order_relaxed))
		return;
	if (is_recorded(range->domain))
		mp_recorder_domain_stamp(&(struct mp_domain_stamp){.type = MP_STAMP_START_STOP,
		    .begin_ns = range->begin_ns,
		    .end_ns = end_ns,
		    .domain = name_of(range->domain),
		    .tid = range->tid,
		    .stream = range->stream,
		    .message = range->message,
		    .message_size = range->size});
	atomic_store_explicit(&range->number, FREE, memory_order_release);
}
