/* patience.c: a clock that progress sets back. */
#include "fleet/engine/patience.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>

enum { SECONDS_MAX = 1000000 };

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int mp_patience_limit(int64_t *limit_ms, struct mp_error *err)
{
	const char *text = getenv(MP_PATIENCE_VARIABLE);
	int64_t seconds = MP_PATIENCE_S;
	char *end;

	if (text && *text) {
		errno = 0;
		seconds = strtoll(text, &end, 10);
		if (errno || *end || seconds < 1 || seconds > SECONDS_MAX)
			return mp_fail(err, MP_PATIENCE_VARIABLE ": '%s' is not a whole number of seconds from 1 to %d",
			    text, SECONDS_MAX);
	}
	*limit_ms = seconds * 1000;
	return 0;
}

void mp_patience_renew(struct mp_patience *p)
{
	p->since_ms = now_ms();
	p->bytes = 0;
}

void mp_patience_add(struct mp_patience *p, int64_t bytes)
{
	p->bytes += bytes;
	if (p->bytes >= MP_PATIENCE_BYTES)
		mp_patience_renew(p);
}

int64_t mp_patience_left_ms(const struct mp_patience *p)
{
	int64_t left = p->since_ms + p->limit_ms - now_ms();

	return left > 0 ? left : 0;
}

int64_t mp_patience_pause(void)
{
	return now_ms();
}

void mp_patience_resume(struct mp_patience *p, int64_t begun)
{
	p->since_ms += now_ms() - begun;
}

int mp_patience_fail(const struct mp_patience *p, const char *what, struct mp_error *err)
{
	return mp_fail(err,
	    "%s: no answer, or next to none, for %lld s: set " MP_PATIENCE_VARIABLE
	    " to more seconds for a slow server",
	    what, (long long)(p->limit_ms / 1000));
}
