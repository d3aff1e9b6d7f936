/*
 * state.c: what the process has once: the state of the recorder, the work of other threads that the flusher does,
 * because it needs descriptors, a handler of SIGBUS for the memory of the arena, and the path of its program.
 */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "recorder/recorder_internal.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "recorder/arena.h"
#include "recorder/log.h"

/* Apart: the rest is zero at first, and takes no room in the library. */
_Atomic uint32_t mp_recorder_wake_at = 128;

struct mp_recorder mp_recorder = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .sleep_lock = PTHREAD_MUTEX_INITIALIZER,
    .names.lock = PTHREAD_MUTEX_INITIALIZER,
    .models.lock = PTHREAD_MUTEX_INITIALIZER,
};

void mp_flusher_call(void)
{
	struct mp_recorder *r = &mp_recorder;

	mp_log_now();
	if (atomic_load_explicit(&r->flusher_called, memory_order_relaxed))
		return;
	pthread_mutex_lock(&r->sleep_lock);
	atomic_store_explicit(&r->flusher_called, true, memory_order_relaxed);
	pthread_cond_signal(&r->sleep);
	pthread_mutex_unlock(&r->sleep_lock);
}

/* Work that another thread waits for. */
struct mp_errand {
	struct mp_errand *next;
	int (*work)(void *state);
	void *state;
	int code;
	bool done;
};

static _Thread_local bool is_flusher __attribute__((tls_model("initial-exec")));

void mp_errands_begin(void)
{
	is_flusher = true;
}

bool mp_is_flusher(void)
{
	return is_flusher;
}

void mp_errands_run(void)
{
	struct mp_recorder *r = &mp_recorder;
	struct mp_errand *e;

	pthread_mutex_lock(&r->sleep_lock);
	while ((e = r->errands) != NULL) {
		r->errands = e->next;
		pthread_mutex_unlock(&r->sleep_lock);
		e->code = e->work(e->state);
		pthread_mutex_lock(&r->sleep_lock);
		e->done = true;
		pthread_cond_broadcast(&r->answer);
	}
	pthread_mutex_unlock(&r->sleep_lock);
}

/* The thread may not be cancelled while the flusher has its errand. */
static int wait_for(struct mp_errand *e)
{
	struct mp_recorder *r = &mp_recorder;
	struct mp_errand **last = &r->errands;
	int before;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &before);
	pthread_mutex_lock(&r->sleep_lock);
	while (*last)
		last = &(*last)->next;
	*last = e;
	atomic_store_explicit(&r->flusher_called, true, memory_order_relaxed);
	pthread_cond_signal(&r->sleep);
	while (!e->done)
		pthread_cond_wait(&r->answer, &r->sleep_lock);
	pthread_mutex_unlock(&r->sleep_lock);
	mp_log_now();
	pthread_setcancelstate(before, NULL);
	return e->code;
}

int mp_flusher_do(int (*work)(void *state), void *state, int otherwise)
{
	int of = atomic_load(&mp_recorder.flusher_of);

	if (is_flusher || !of)
		return work(state);
	if (of != getpid())
		return otherwise;
	return wait_for(&(struct mp_errand){.work = work, .state = state});
}

enum { PAGE_LEAST = 4096 };

static _Atomic(char *) guarded; /* NULL: nothing is guarded yet */
static size_t guarded_size, page;
static struct sigaction before;
static atomic_bool hit;
static _Atomic unsigned char replaced[MP_ARENA_SIZE / PAGE_LEAST + 1];

/* Replace the page of an address. Another thread may be doing the same: then the access is tried until it has done. */
static bool heal(const char *address)
{
	char *memory = atomic_load(&guarded), *at;

	if (!memory || address < memory || address >= memory + guarded_size)
		return false;
	at = memory + (size_t)(address - memory) / page * page;
	if (atomic_exchange(&replaced[(size_t)(at - memory) / PAGE_LEAST], 1))
		return true;
	atomic_store(&hit, true);
	return mmap(at, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED | MAP_ANONYMOUS, -1, 0) == at;
}

/* What the signal did before. Without a handler it comes again, and ends the process. */
static void pass_on(int number, siginfo_t *info, void *context)
{
	if (before.sa_flags & SA_SIGINFO) {
		before.sa_sigaction(number, info, context);
	} else if (before.sa_handler == SIG_DFL || (before.sa_handler == SIG_IGN && info->si_code > 0)) {
		signal(number, SIG_DFL);
		if (info->si_code <= 0)
			raise(number);
	} else if (before.sa_handler != SIG_IGN) {
		before.sa_handler(number);
	}
}

static void on_bus(int number, siginfo_t *info, void *context)
{
	int error = errno;

	if (info->si_code != BUS_ADRERR || !heal(info->si_addr))
		pass_on(number, info, context);
	errno = error;
}

static void install(void)
{
	struct sigaction ours = {.sa_sigaction = on_bus};

	if (sigaction(SIGBUS, NULL, &before))
		return;
	ours.sa_mask = before.sa_mask;
	ours.sa_flags = (before.sa_flags & (SA_NODEFER | SA_RESTART)) | SA_SIGINFO | SA_ONSTACK;
	sigaction(SIGBUS, &ours, NULL);
}

void mp_bus_guard(void *memory, size_t size)
{
	bool first = !atomic_load(&guarded);

	for (size_t i = 0; i < sizeof(replaced); i++)
		atomic_store_explicit(&replaced[i], 0, memory_order_relaxed);
	guarded_size = size;
	page = (size_t)sysconf(_SC_PAGESIZE);
	atomic_store(&guarded, memory);
	if (first)
		install();
}

void mp_bus_admit(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGBUS);
	pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

bool mp_bus_was_hit(void)
{
	return atomic_load_explicit(&hit, memory_order_relaxed) && atomic_exchange(&hit, false);
}

char *mp_executable_split(const char **name)
{
	char path[PATH_MAX] = "", *copy, *slash;
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 2);

	if (n <= 0 || path[0] != '/')
		return NULL;
	path[n] = '\0';
	slash = strrchr(path, '/');
	memmove(slash + 2, slash + 1, strlen(slash + 1) + 1);
	slash[slash == path] = '\0'; /* the root directory keeps its slash */
	copy = malloc(sizeof(path));
	if (!copy)
		return NULL;
	memcpy(copy, path, sizeof(path));
	*name = copy + (slash - path) + 2;
	return copy;
}
