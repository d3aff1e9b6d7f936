/*
 * mstx.c: domains, and ranges between their begin and their end. Nothing is locked: a child of fork would wait forever.
 *
 * An open range has one of a fixed number of places. Its number has the place in its low bits. A place is taken and
 * given back by exchanging the number, so that of two threads that end the same range one does.
 */
#include "recorder/mstx.h"

#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/text.h"
#include "recorder/log.h"
#include "recorder/recorder.h"

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
static _Thread_local struct {
	uint32_t home; /* a multiple of STEP, plus 1; 0: not chosen yet */
	uint32_t tid;
} self;

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
	if (!self.home) {
		self.home = atomic_fetch_add_explicit(&threads, STEP, memory_order_relaxed) % RANGES_MAX + 1;
		self.tid = (uint32_t)syscall(SYS_gettid);
	}
	for (uint32_t i = 0; i < RANGES_MAX; i++) {
		struct range *range = &ranges[(self.home - 1 + i) % RANGES_MAX];
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
	range->tid = self.tid;
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
