/*
 * thread.c: starts a thread with all signals blocked; the caller's mask is unchanged. The stack has a fixed size: the
 * limit of the main stack may be too small, or so large that a few threads exhaust a memory limit.
 */
#include "base/thread.h"

#include <errno.h>
#include <signal.h>

enum { STACK_SIZE = 1 << 20 };

int mp_thread_start(pthread_t *thread, void *(*function)(void *user), void *user)
{
	sigset_t all, before;
	pthread_attr_t attributes;
	int status;

	sigfillset(&all);
	status = pthread_sigmask(SIG_SETMASK, &all, &before);
	if (status)
		return status;
	status = pthread_attr_init(&attributes);
	if (!status) {
		status = pthread_attr_setstacksize(&attributes, STACK_SIZE);
		if (!status)
			status = pthread_create(thread, &attributes, function, user);
		pthread_attr_destroy(&attributes);
		if (status == EINVAL) /* the application's thread-local variables need a larger stack */
			status = pthread_create(thread, NULL, function, user);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL); /* restoring an earlier mask cannot fail */
	return status;
}
