/* thread.h: starts worker threads, and knows whether a sanitizer is built in. The caller joins with pthread_join. */
#ifndef MP_BASE_THREAD_H
#define MP_BASE_THREAD_H

#include <pthread.h>

/* Run `function` in a new thread that blocks all signals, so that older threads handle them. Returns 0, or an errno. */
int mp_thread_start(pthread_t *thread, void *(*function)(void *user), void *user);

/* MP_SANITIZED: a sanitizer is built in, which traces the process and writes reports from any thread. */

#ifdef __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define MP_SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MP_SANITIZED 1
#endif
#ifndef MP_SANITIZED
#define MP_SANITIZED 0
#endif

#endif
