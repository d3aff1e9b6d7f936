/* shield.c: blocks the signals of a write, and discards those that arrived. */
#include "recorder/shield.h"

#include <errno.h>
#include <time.h>

static const int of_writes[] = {SIGPIPE, SIGXFSZ};
enum { OF_WRITES = sizeof(of_writes) / sizeof(of_writes[0]) };

void mp_shield_raise(struct mp_shield *shield)
{
	sigset_t ours;

	sigemptyset(&ours);
	for (int i = 0; i < OF_WRITES; i++)
		sigaddset(&ours, of_writes[i]);
	sigpending(&shield->waiting);
	pthread_sigmask(SIG_BLOCK, &ours, &shield->before);
}

void mp_shield_lower(const struct mp_shield *shield)
{
	static const struct timespec at_once = {0, 0};
	int error = errno;
	sigset_t now, one;

	sigpending(&now);
	for (int i = 0; i < OF_WRITES; i++) {
		if (!sigismember(&now, of_writes[i]) || sigismember(&shield->waiting, of_writes[i]))
			continue;
		sigemptyset(&one);
		sigaddset(&one, of_writes[i]);
		while (sigtimedwait(&one, NULL, &at_once) < 0 && errno == EINTR)
			;
	}
	pthread_sigmask(SIG_SETMASK, &shield->before, NULL);
	errno = error;
}
