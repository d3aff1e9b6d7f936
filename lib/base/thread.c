/* thread.c: a thread is begun with all signals blocked; the caller's mask stays as it was. */
#include "base/thread.h"

#include <signal.h>

int mp_thread_start(pthread_t *thread, void *(*function)(void *user), void *user)
{
	sigset_t all, before;
	int status;

	sigfillset(&all);
	status = pthread_sigmask(SIG_SETMASK, &all, &before);
	if (status)
		return status;
	status = pthread_create(thread, NULL, function, user);
	pthread_sigmask(SIG_SETMASK, &before, NULL); /* a mask that was there is a mask that can be */
	return status;
}
