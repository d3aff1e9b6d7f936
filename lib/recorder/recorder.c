/*
 * recorder.c: the calls of threads that record: read the clock, put an event into their ring. Nothing waits here,
 * except the first event of a thread and the first use of a name. The calls by which an application announces its
 * models.
 */
#include "recorder/recorder_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "recorder/arena.h"
#include "recorder/face.h"
#include "recorder/log.h"
#include "recorder/recorder.h"

static _Thread_local struct mp_thread *self __attribute__((tls_model("initial-exec")));
static pthread_key_t self_key; /* for the destructor of a thread */
static bool has_key;
static pthread_once_t self_once = PTHREAD_ONCE_INIT;

uint64_t mp_recorder_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void thread_ends(void *thread)
{
	self = NULL; /* events of later destructors get a new struct */
	atomic_store_explicit(&((struct mp_thread *)thread)->ended, true, memory_order_release);
}

static void make_key(void)
{
	has_key = pthread_key_create(&self_key, thread_ends) == 0;
}

/* Register this thread at its first event. NULL: out of memory. */
static struct mp_thread *join(void)
{
	struct mp_recorder *r = &mp_recorder;
	struct mp_thread *t = calloc(1, sizeof(*t)), *first;

	pthread_once(&self_once, make_key);
	if (!t)
		return NULL;
	t->tid = (uint32_t)syscall(SYS_gettid);
	t->ring = mp_arena_take(t->tid, mp_recorder_drain);
	if (!has_key || pthread_setspecific(self_key, t)) {
		mp_thread_free(t);
		return NULL;
	}
	first = atomic_load_explicit(&r->threads, memory_order_relaxed);
	do
		t->next = first;
	while (
	    !atomic_compare_exchange_weak_explicit(&r->threads, &first, t, memory_order_release, memory_order_relaxed));
	self = t;
	return t;
}

/*
 * Registered before the clock is read for its first call: what that takes is not in the call. A thread without memory
 * is tried again at each event.
 */
static void prepare(void)
{
	int error = errno; /* of the application */

	join();
	errno = error;
}

uint32_t mp_recorder_tid(void)
{
	return self ? self->tid : (uint32_t)syscall(SYS_gettid);
}

/* In a child made by fork the thread begins anew: with a new thread id, and a ring of the child. */
void mp_recorder_adopt(void)
{
	for (struct mp_thread *t = atomic_load_explicit(&mp_recorder.threads, memory_order_relaxed); t; t = t->next) {
		t->ring = NULL;
		atomic_store_explicit(&t->ended, true, memory_order_relaxed);
	}
	if (self)
		pthread_setspecific(self_key, NULL);
	self = NULL;
}

/*
 * The ring is full: threads record faster than the flusher writes. Give the flusher a processor for a while. Where that
 * does not help, as on a disk that stands still, events are lost without a wait until there is room again.
 */
static void wait_for_room(struct mp_thread *t, uint64_t slots)
{
	enum { NAP_NS = 50000, WAIT_NS = 50 * 1000 * 1000 };
	uint64_t until_ns = t->impatient ? 0 : mp_recorder_now() + WAIT_NS;
	int error = errno;

	mp_ring_look(t->ring);
	while (mp_ring_waiting(t->ring) + slots > t->ring->mask + 1 && until_ns && mp_recorder_now() < until_ns) {
		mp_flusher_call();
		nanosleep(&(struct timespec){0, NAP_NS}, NULL);
		mp_ring_look(t->ring);
	}
	t->impatient = mp_ring_waiting(t->ring) + slots > t->ring->mask + 1;
	errno = error;
}

static bool is_to_wake(const struct mp_ring *ring)
{
	uint64_t waiting = mp_ring_waiting(ring);

	return waiting >= atomic_load_explicit(&mp_recorder_wake_at, memory_order_relaxed) || waiting > ring->mask / 2;
}

static void put_text(struct mp_ring_slot slot, const char *text)
{
	struct mp_recorder *r = &mp_recorder;
	struct mp_thread *t = self ? self : join();

	if (!t || !t->ring) {
		atomic_fetch_add_explicit(&r->homeless, 1, memory_order_relaxed);
		return;
	}
	if (mp_ring_waiting(t->ring) + mp_ring_slots(slot.text_size) > t->ring->mask + 1)
		wait_for_room(t, mp_ring_slots(slot.text_size));
	mp_ring_put_text(t->ring, &slot, text);
	if (!is_to_wake(t->ring))
		return;
	mp_ring_look(t->ring);
	if (is_to_wake(t->ring))
		mp_flusher_call();
}

/* By value: the slot is then stored where it belongs, without a copy on the way. */
static inline __attribute__((always_inline)) void put(struct mp_ring_slot slot)
{
	struct mp_ring *ring = self ? self->ring : NULL;

	if (ring && !is_to_wake(ring))
		mp_ring_put(ring, slot);
	else
		put_text(slot, NULL);
}

static bool is_wanted(unsigned what)
{
	return (atomic_load_explicit(&mp_recorder.wanted, memory_order_relaxed) & what) != 0;
}

/* The same where the thread may wait: in a child made by fork the sessions begin at the first event. */
static bool will_want(unsigned what)
{
	unsigned wanted = atomic_load_explicit(&mp_recorder.wanted, memory_order_relaxed);

	if (!(wanted & MP_WANT_RENEWAL))
		return (wanted & what) != 0;
	mp_recorder.renewal();
	return is_wanted(what);
}

void mp_recorder_renewed(void)
{
	pthread_mutex_lock(&mp_recorder.lock);
	atomic_fetch_and(&mp_recorder.wanted, ~(unsigned)MP_WANT_RENEWAL);
	pthread_mutex_unlock(&mp_recorder.lock);
}

bool mp_recorder_active(void)
{
	return will_want(~(unsigned)MP_WANT_RENEWAL);
}

bool mp_recorder_wants_stamps(void)
{
	return will_want(MP_WANT_STAMPS);
}

uint32_t msprof_name(const char *text)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	uint32_t number;

	if (!text || !*text)
		return 0;
	number = mp_name_number(&mp_recorder.names, self ? &self->names : NULL, text, mp_cut(text, MSPROF_NAME_MAX));
	if (!number && !atomic_flag_test_and_set(&said))
		mp_log(MP_LOG_WARNING, "too many names: further names are shown as '?'");
	return number;
}

uint64_t msprof_begin(void)
{
	if (!mp_recorder_active())
		return 0;
	if (!self)
		prepare();
	return mp_recorder_now();
}

static bool wants_calls(enum msprof_api_type type)
{
	return type >= MSPROF_OP && type <= MSPROF_OTHER && is_wanted(1u << type);
}

/* Whether an execution of a model is the first of an interval. */
static bool is_sampled(uint32_t model_id)
{
	uint32_t interval = atomic_load_explicit(&mp_recorder.interval, memory_order_relaxed);
	struct mp_model *m = interval > 1 ? mp_models_find(&mp_recorder.models, model_id) : NULL;

	return !m || atomic_fetch_add_explicit(&m->executed, 1, memory_order_relaxed) % interval == 0;
}

uint64_t msprof_wrap_now(void)
{
	return mp_recorder_now();
}

static inline __attribute__((always_inline)) void put_call(const struct msprof_ended *call)
{
	if (call->executes && !is_sampled(call->model_id))
		return;
	put((struct mp_ring_slot){.begin_ns = call->begin_ns,
	    .end_ns = call->end_ns,
	    .name = call->name,
	    .model_id = call->model_id,
	    .extra = call->op_type,
	    .kind = MP_EVENT_CALL,
	    .type = (uint8_t)call->type});
}

void msprof_wrap_ended(const struct msprof_ended *call)
{
	if (call->begin_ns && wants_calls(call->type))
		put_call(call);
}

void msprof_api_end(uint64_t begin_ns, enum msprof_api_type type, uint32_t name, uint32_t model_id)
{
	if (begin_ns && wants_calls(type))
		put_call(&(struct msprof_ended){.begin_ns = begin_ns,
		    .end_ns = mp_recorder_now(),
		    .type = type,
		    .name = name,
		    .model_id = model_id});
}

void msprof_op_executed(uint64_t begin_ns, uint32_t name, uint32_t op_type)
{
	if (begin_ns && wants_calls(MSPROF_OP))
		put_call(&(struct msprof_ended){.begin_ns = begin_ns,
		    .end_ns = mp_recorder_now(),
		    .type = MSPROF_OP,
		    .name = name,
		    .model_id = MSPROF_NO_MODEL,
		    .op_type = op_type});
}

void msprof_model_executed(uint64_t begin_ns, uint32_t name, uint32_t model_id)
{
	if (begin_ns && wants_calls(MSPROF_MODEL))
		put_call(&(struct msprof_ended){.begin_ns = begin_ns,
		    .end_ns = mp_recorder_now(),
		    .type = MSPROF_MODEL,
		    .name = name,
		    .model_id = model_id,
		    .executes = true});
}

int msprof_op_publish(const struct msprof_op *op)
{
	if (!op || op->end_ns < op->begin_ns)
		return MSPROF_INVALID_PARAM;
	if (op->begin_ns && will_want(MP_WANT_OPS))
		put((struct mp_ring_slot){.begin_ns = op->begin_ns,
		    .end_ns = op->end_ns,
		    .name = op->name,
		    .model_id = op->model_id,
		    .extra = op->type,
		    .kind = MP_EVENT_OP});
	return MSPROF_OK;
}

/* A number that no other mark with a number has. Threads take numbers from the common count in blocks. */
static uint32_t next_mark(void)
{
	enum { BLOCK = 1024 };
	static _Thread_local uint32_t last;
	static _Atomic uint32_t blocks;

	if (last % BLOCK == 0)
		last = atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed) * BLOCK;
	return ++last;
}

void mp_recorder_stamp(enum mp_stamp_type type, uint64_t begin_ns, uint64_t end_ns, uint32_t category, uint32_t mark_id,
    const char *message)
{
	if (message && is_wanted(MP_WANT_STAMPS))
		put_text((struct mp_ring_slot){.begin_ns = begin_ns,
			     .end_ns = end_ns,
			     .name = type == MP_STAMP_MARK_EX ? next_mark() : mark_id,
			     .model_id = MSPROF_NO_MODEL,
			     .extra = category,
			     .kind = MP_EVENT_STAMP,
			     .type = (uint8_t)type,
			     .text_size = (uint16_t)mp_cut(message, MSPROF_MESSAGE_MAX)},
		    message);
}

/* The handle of the stream precedes the message. */
void mp_recorder_domain_stamp(const struct mp_domain_stamp *stamp)
{
	char text[sizeof(stamp->stream) + MP_DOMAIN_MESSAGE_MAX];

	if (!is_wanted(MP_WANT_STAMPS))
		return;
	memcpy(text, &stamp->stream, sizeof(stamp->stream));
	memcpy(text + sizeof(stamp->stream), stamp->message, stamp->message_size);
	put_text((struct mp_ring_slot){.begin_ns = stamp->begin_ns,
		     .end_ns = stamp->end_ns,
		     .name = stamp->domain,
		     .model_id = next_mark(),
		     .extra = stamp->tid,
		     .kind = MP_EVENT_DOMAIN_STAMP,
		     .type = (uint8_t)stamp->type,
		     .text_size = (uint16_t)(sizeof(stamp->stream) + stamp->message_size)},
	    text);
}

void mp_recorder_op_range(uint64_t begin_ns, uint32_t name, uint32_t op_type)
{
	if (begin_ns && is_wanted(MP_WANT_STAMPS))
		put((struct mp_ring_slot){.begin_ns = begin_ns,
		    .end_ns = mp_recorder_now(),
		    .name = name,
		    .model_id = MSPROF_NO_MODEL,
		    .extra = op_type,
		    .kind = MP_EVENT_OP_RANGE});
}

void msprof_mark(const char *message)
{
	uint64_t now = msprof_begin();

	if (now)
		mp_recorder_stamp(MP_STAMP_MARK, now, now, 0, 0, message);
}

void msprof_range_end(uint64_t begin_ns, const char *message)
{
	if (begin_ns && mp_recorder_active())
		mp_recorder_stamp(MP_STAMP_PUSH_POP, begin_ns, mp_recorder_now(), 0, 0, message);
}

int msprof_model_loaded(uint32_t model_id, const char *name)
{
	uint32_t number;
	struct mp_model *m;

	if (!name || !*name || model_id == MSPROF_NO_MODEL)
		return MSPROF_INVALID_PARAM;
	number = msprof_name(name);
	if (!number)
		return MSPROF_BAD_ALLOC;
	m = mp_models_find(&mp_recorder.models, model_id);
	if (m &&
	    strcmp(atomic_load_explicit(&m->name, memory_order_acquire), mp_name_text(&mp_recorder.names, number)) != 0)
		mp_recorder_drain(); /* earlier events belong to the earlier model */
	m = mp_models_add(&mp_recorder.models, model_id, mp_name_text(&mp_recorder.names, number));
	mp_arena_model(model_id, number);
	return m ? MSPROF_OK : MSPROF_BAD_ALLOC;
}

int msprof_model_unloaded(uint32_t model_id)
{
	struct mp_model *m = mp_models_find(&mp_recorder.models, model_id);
	int loaded = MP_MODEL_LOADED;

	if (!m || !atomic_compare_exchange_strong(&m->state, &loaded, MP_MODEL_UNLOADED))
		return MSPROF_INVALID_PARAM;
	return MSPROF_OK;
}

void mp_recorder_set_interval(uint32_t interval)
{
	for (int i = 0; i < MP_MODELS_MAX; i++)
		atomic_store_explicit(&mp_recorder.models.items[i].executed, 0, memory_order_relaxed);
	atomic_store_explicit(&mp_recorder.interval, interval, memory_order_relaxed);
}

enum mp_model_state mp_model_state(uint32_t model_id)
{
	struct mp_model *m = mp_models_find(&mp_recorder.models, model_id);

	return m ? (enum mp_model_state)atomic_load_explicit(&m->state, memory_order_relaxed) : MP_MODEL_UNKNOWN;
}

bool mp_model_any(void)
{
	return atomic_load_explicit(&mp_recorder.models.count, memory_order_relaxed) > 0;
}

const char *mp_model_name(uint32_t model_id)
{
	struct mp_model *m = mp_models_find(&mp_recorder.models, model_id);

	return m ? atomic_load_explicit(&m->name, memory_order_acquire) : NULL;
}

/* The closest of some readings counts: the thread may lose its processor between two of them. */
void mp_wall_read(struct mp_wall *wall)
{
	enum { READINGS = 8, SECOND_NS = 1000000000 };
	uint64_t closest = UINT64_MAX;

	for (int i = 0; i < READINGS; i++) {
		uint64_t before = mp_recorder_now(), after;
		struct timespec t;

		clock_gettime(CLOCK_REALTIME, &t);
		after = mp_recorder_now();
		if (after - before >= closest)
			continue;
		closest = after - before;
		wall->realtime_ns = (uint64_t)t.tv_sec * SECOND_NS + (uint64_t)t.tv_nsec;
		wall->monotonic_ns = before + closest / 2;
	}
}
