/* state.c: the state of the recorder, one for the process, and the call that wakes the flusher. */
#include "recorder/log.h"
#include "recorder/recorder_internal.h"

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
