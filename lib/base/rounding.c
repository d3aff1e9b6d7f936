/* rounding.c: decimals of quotients and of doubles. */
#include "base/rounding.h"

#include <math.h>

static const int64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000};

static struct mp_value whole(int64_t i)
{
	return (struct mp_value){.type = MP_INT, .i = i};
}

static struct mp_value real(double d)
{
	return (struct mp_value){.type = MP_REAL, .d = d};
}

struct mp_value mp_round_quotient(int64_t num, int64_t den, int places)
{
	__int128 scaled, quotient, rest;

	if (den == 0 || places < 0 || places > 6)
		return (struct mp_value){.type = MP_NULL};
	scaled = (__int128)num * powers[places] * (den < 0 ? -1 : 1);
	den = den == INT64_MIN ? INT64_MAX : den < 0 ? -den : den;
	quotient = scaled / den;
	rest = scaled % den;
	if (rest < 0) { /* floor, so that the rest is 0..den-1 */
		rest += den;
		quotient--;
	}
	if (rest > den - rest || (rest == den - rest && (quotient & 1)))
		quotient++;
	if (quotient % powers[places] == 0 && quotient / powers[places] <= INT64_MAX && quotient / powers[places] >= INT64_MIN)
		return whole((int64_t)(quotient / powers[places]));
	return real((double)quotient / (double)powers[places]);
}

/* x times 10^places, rounded */
static double scaled_half_up(double x, int places)
{
	static const double units[] = {1e6, 1e5, 1e4, 1e3, 100, 10, 1};

	return floor((round(x * 1e6) + units[places] / 2) / units[places]);
}

double mp_round_half_up(double x, int places)
{
	return scaled_half_up(x, places) / (double)powers[places];
}

struct mp_value mp_round_trimmed(double x)
{
	double thousandths = scaled_half_up(x, 3);

	if (fmod(thousandths, 1000) == 0 && fabs(thousandths) < 9e15)
		return whole((int64_t)(thousandths / 1000));
	return real(thousandths / 1000);
}
