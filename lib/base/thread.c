/*
 * thread.c: a thread is begun with all signals blocked; the caller's mask stays as it was. Its stack has one size,
 * whatever the limit of the main one is: that may be too small, or so large that a few threads use up a limit of
 * memory.
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
		if (status == EINVAL) /* an application whose thread-local variables need more */
			status = pthread_create(thread, NULL, function, user);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL); /* a mask that was there is a mask that can be */
	return status;
}
