/* errand.c: work of other threads that the flusher does, because it needs descriptors. Knows no such work. */
#include <pthread.h>
#include <unistd.h>

#include "recorder/log.h"
#include "recorder/recorder_internal.h"

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
