/* wide.c: rounds quotients and doubles to decimals. */
#include "base/wide.h"

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

/* The double nearest to a number. */
static double to_double(mp_wide w)
{
	int shift = 64;
	uint64_t high = mp_wide_high(w), lost;

	if (!high)
		return (double)mp_wide_low(w);
	shift -= __builtin_clzll(high);
	lost = mp_wide_low(w) << (64 - shift);
	w = mp_wide_shift_right(w, (unsigned)shift);
	/* bits that are lost break a tie; they are far below the last bit of a double */
	return ldexp((double)(mp_wide_low(w) | (lost != 0)), shift);
}

static uint64_t size_of(int64_t n)
{
	return n < 0 ? 0 - (uint64_t)n : (uint64_t)n;
}

/* Rounds sizes: half to even is the same on both sides of 0. */
static struct mp_value round_wide(int64_t num, int64_t den, int64_t power)
{
	bool negative = (num < 0) != (den < 0);
	mp_wide divisor = mp_wide_of(0, size_of(den)), rest, left, quotient;
	int half;

	quotient = mp_wide_divide(mp_wide_product(size_of(num), (uint64_t)power), divisor, &rest);
	half = mp_wide_compare(rest, mp_wide_subtract(divisor, rest));
	if (half > 0 || (half == 0 && mp_wide_low(quotient) & 1))
		quotient = mp_wide_add(quotient, mp_wide_of(0, 1));
	left = mp_wide_divide(quotient, mp_wide_of(0, (uint64_t)power), &rest);
	if (mp_wide_is_zero(rest) && mp_wide_compare(left, mp_wide_of(0, (uint64_t)INT64_MAX + negative)) <= 0)
		return whole((int64_t)(negative ? 0 - mp_wide_low(left) : mp_wide_low(left)));
	return real((negative ? -to_double(quotient) : to_double(quotient)) / (double)power);
}

struct mp_value mp_round_quotient(int64_t num, int64_t den, int places)
{
	int64_t scaled, power;

	if (den == 0 || places < 0 || places > MP_PLACES_MAX)
		return (struct mp_value){.type = MP_NULL};
	power = powers[places];
	if (!mp_round_scaled(num, den, power, &scaled))
		return round_wide(num, den, power);
	return scaled % power == 0 ? whole(scaled / power) : real((double)scaled / (double)power);
}

/* x times 10^places, rounded */
static double scaled_half_up(double x, int places)
{
	double scaled = x * (double)powers[places], whole_part = floor(scaled);

	return whole_part + (scaled - whole_part >= 0.5 - fabs(scaled) * MP_ROUND_SLACK);
}

double mp_round_half_up(double x, int places)
{
	return scaled_half_up(x, places) / (double)powers[places];
}

struct mp_value mp_round_trimmed(double x)
{
	double thousandths = scaled_half_up(x, 3), whole_us = thousandths / 1000;

	if (fabs(thousandths) < 9e15 && (double)(int64_t)whole_us * 1000 == thousandths)
		return whole((int64_t)whole_us);
	return real(whole_us);
}
