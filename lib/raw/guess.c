/* guess.c: finds the period of bytes. */
#include "raw/guess.h"

#include "raw/layout.h"

enum { PERIOD_MIN = 4, REPEATS = 3 };

/*
 * How many of a thousand bytes that are not zero are the same one period later. Zeros are frequent in any record and
 * tell nothing.
 */
static unsigned alike(const unsigned char *bytes, size_t len, size_t period)
{
	uint32_t same = 0, all = 0;

	for (size_t i = 0; i < len - period; i++) {
		all += bytes[i] != 0;
		same += bytes[i] != 0 && bytes[i] == bytes[i + period];
	}
	return all ? (unsigned)((uint64_t)same * 1000 / all) : 0;
}

struct mp_guess mp_guess(const unsigned char *bytes, size_t len, int64_t size)
{
	unsigned scores[MP_RECORD_SIZE_MAX + 1] = {0}, best = 0;
	uint64_t sum = 0;
	size_t last, record = 0;

	len = len < MP_GUESS_SIZE ? len : MP_GUESS_SIZE;
	last = len / REPEATS < MP_RECORD_SIZE_MAX ? len / REPEATS : MP_RECORD_SIZE_MAX;
	if (last < PERIOD_MIN)
		return (struct mp_guess){0, 0};
	for (size_t period = PERIOD_MIN; period <= last; period++) {
		scores[period] = alike(bytes, len, period);
		sum += scores[period];
		best = scores[period] > best ? scores[period] : best;
	}
	/* a period stands out from the others; its multiples are about as good */
	if (best < 60 || best < 2 * sum / (last - PERIOD_MIN + 1))
		return (struct mp_guess){0, 0};
	for (record = PERIOD_MIN; scores[record] < best - best / 8; record++)
		;
	return (struct mp_guess){record, (size_t)(size % (int64_t)record)};
}
