/* thread.h: threads of our own beside those that were there before. */
#ifndef MP_BASE_THREAD_H
#define MP_BASE_THREAD_H

#include <pthread.h>

/* Run `function` in a thread that takes no signal: they are for the others. 0, or the number of an error (as of errno).
 */
int mp_thread_start(pthread_t *thread, void *(*function)(void *user), void *user);

#endif
