/* thread.h: starts worker threads. The caller joins them with pthread_join. */
#ifndef MP_BASE_THREAD_H
#define MP_BASE_THREAD_H

#include <pthread.h>

/* Run `function` in a new thread that blocks all signals, so that older threads handle them. Returns 0, or an errno. */
int mp_thread_start(pthread_t *thread, void *(*function)(void *user), void *user);

#endif
