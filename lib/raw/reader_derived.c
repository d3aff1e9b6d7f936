/*
 * reader_derived.c: gives the columns that are computed from fields, exactly: times, durations, values, shares and
 * maps. Floats are taken apart as bits, so that nothing here depends on floating point.
 */
#include "base/wide.h"
#include "raw/reader_internal.h"

/* (-1)^negative * mantissa * 2^exponent */
struct number {
	mp_wide mantissa;
	int exponent;
	bool negative;
	bool is_float;
	bool odd; /* not finite, or too large */
};

/* Move bits to higher places, which leaves the highest `spare` bits 0. Returns false when they do not fit. */
static bool raise(mp_wide *w, int by, unsigned spare)
{
	if (by < 0 || by >= 128 - (int)spare || !mp_wide_is_zero(mp_wide_shift_right(*w, 128 - spare - (unsigned)by)))
		return false;
	*w = mp_wide_shift_left(*w, (unsigned)by);
	return true;
}

static struct number float_number(uint64_t bits, size_t width)
{
	unsigned places = width == 4 ? 23 : 52, top = width == 4 ? 0xff : 0x7ff;
	unsigned power = (unsigned)(bits >> places) & top;
	uint64_t fraction = bits & ((UINT64_C(1) << places) - 1);
	int bias = (int)(top >> 1) + (int)places;

	return (struct number){.mantissa = mp_wide_of(0, power ? fraction | UINT64_C(1) << places : fraction),
	    .exponent = (power ? (int)power : 1) - bias,
	    .negative = bits >> (8 * width - 1),
	    .is_float = true,
	    .odd = power == top};
}

static struct number number_of(const struct mp_reader *r, int field)
{
	const struct mp_field *f = &r->fields[field];
	uint64_t bits = mp_reader_bits(r, field);
	bool negative = f->kind == MP_FIELD_SINT && bits >> (8 * f->width - 1);

	if (f->kind == MP_FIELD_FLOAT)
		return float_number(bits, f->width);
	return (struct number){.mantissa = mp_wide_of(0, negative ? (0 - bits) & f->mask : bits), .negative = negative};
}

/* Move bits so that the exponent becomes smaller. Returns false when they do not fit. */
static bool lower(struct number *n, int exponent)
{
	if (!raise(&n->mantissa, n->exponent - exponent, 1))
		return mp_wide_is_zero(n->mantissa);
	n->exponent = exponent;
	return true;
}

/* a - b. A number that is too small beside the other counts as 0. */
static struct number minus(struct number a, struct number b)
{
	struct number *high = a.exponent > b.exponent ? &a : &b, *low = a.exponent > b.exponent ? &b : &a;
	struct number n;

	if (a.odd || b.odd)
		return (struct number){.is_float = true, .odd = true};
	b.negative = !b.negative;
	if (!lower(high, low->exponent))
		return *high;
	n = a;
	n.exponent = low->exponent;
	if (a.negative == b.negative) {
		n.mantissa = mp_wide_add(n.mantissa, b.mantissa);
	} else if (mp_wide_compare(b.mantissa, a.mantissa) > 0) {
		n.negative = b.negative;
		n.mantissa = mp_wide_subtract(b.mantissa, a.mantissa);
	} else {
		n.mantissa = mp_wide_subtract(a.mantissa, b.mantissa);
	}
	return n;
}

/* n * num / den, rounded half to even, without its sign. Returns false when it is too large. */
static bool scale(struct number n, uint64_t num, mp_wide den, uint64_t *result)
{
	uint64_t carried;
	mp_wide high;

	*result = 0;
	if (mp_wide_is_zero(n.mantissa))
		return true;
	high = mp_wide_product(mp_wide_high(n.mantissa), num);
	n.mantissa = mp_wide_product(mp_wide_low(n.mantissa), num);
	if (mp_wide_high(high) || __builtin_add_overflow(mp_wide_high(n.mantissa), mp_wide_low(high), &carried))
		return false;
	n.mantissa = mp_wide_of(carried, mp_wide_low(n.mantissa));
	if (n.exponent > 0 && !raise(&n.mantissa, n.exponent, 0))
		return false;
	if (n.exponent < 0 && !raise(&den, -n.exponent, 1))
		return mp_wide_high(n.mantissa) >> 62 == 0; /* then it is less than a half */
	return mp_wide_round(n.mantissa, den, result);
}

/* A number as a value; the unusual is counted. */
static struct mp_value finish(struct mp_reader *r, struct number n, uint64_t num, mp_wide den)
{
	uint64_t size = 0;
	bool fits = !n.odd && scale(n, num, den, &size);

	if (!fits && n.is_float) {
		r->tally.bad_floats += !r->uncounted;
		return (struct mp_value){.type = MP_NULL};
	}
	if (!fits) {
		r->tally.out_of_range += !r->uncounted;
		size = (uint64_t)INT64_MAX;
	}
	return (struct mp_value){.type = MP_INT, .i = n.negative ? -(int64_t)size : (int64_t)size};
}

struct mp_value mp_reader_float(struct mp_reader *r, int field)
{
	return finish(r, number_of(r, field), 1, mp_wide_of(0, 1));
}

static struct mp_value value_of(struct mp_reader *r, const struct mp_column *c, struct mp_scale by)
{
	struct number n = number_of(r, c->to);

	return finish(r, c->single ? n : minus(n, number_of(r, c->from)), by.num, mp_wide_of(0, by.den));
}

/* The count of a duration: where it ends before it starts, its negative. */
static uint64_t duration_count(const struct mp_reader *r, const struct mp_column *c, bool *negative)
{
	uint64_t from = mp_reader_bits(r, c->from), to = c->single ? from : mp_reader_bits(r, c->to);

	*negative = to < from;
	if (c->single)
		return from;
	return *negative ? from - to : to - from;
}

/* A number of parts of the cycles of the duration. */
static struct mp_value share_of(struct mp_reader *r, const struct mp_column *c, struct mp_scale cycles)
{
	struct number n = number_of(r, c->from);
	bool negative;
	uint64_t count = duration_count(r, mp_layout_duration(r->layout), &negative);

	n.mantissa = mp_wide_product(mp_wide_low(n.mantissa), count); /* at most 64 bits each */
	n.negative ^= negative;
	return finish(r, n, cycles.num, mp_wide_product(cycles.den, (uint64_t)c->den));
}

static struct mp_value time_of(struct mp_reader *r, const struct mp_column *c, struct mp_scale by)
{
	bool is_time = c->kind == MP_COLUMN_TIME, negative = false;
	uint64_t count = is_time ? mp_reader_bits(r, c->from) : duration_count(r, c, &negative);
	int64_t ns = 0;

	if (!(is_time ? mp_scale_time : mp_scale_ns)(by, count, &ns))
		r->tally.out_of_range += !r->uncounted;
	r->tally.negative += c->kind == MP_COLUMN_DURATION && negative && !r->uncounted;
	return (struct mp_value){.type = MP_INT, .i = negative ? -ns : ns};
}

/* A number that the map lacks is counted, and has no value. */
static struct mp_value map_of(struct mp_reader *r, const struct mp_column *c)
{
	uint64_t from = mp_reader_bits(r, c->from);

	for (int i = c->map; i < c->map + c->map_count; i++)
		if (r->layout->maps[i].from == from)
			return (struct mp_value){.type = MP_INT, .i = (int64_t)r->layout->maps[i].to};
	r->tally.unmapped += !r->uncounted;
	return (struct mp_value){.type = MP_NULL};
}

struct mp_value mp_reader_derived(struct mp_reader *r, int index)
{
	const struct mp_column *c = &r->layout->columns[index];
	struct mp_scale by = r->scales[index];

	if (c->kind == MP_COLUMN_MAP)
		return map_of(r, c);
	if (!by.den)
		return (struct mp_value){.type = MP_NULL};
	if (c->kind == MP_COLUMN_VALUE)
		return value_of(r, c, by);
	return c->kind == MP_COLUMN_SHARE ? share_of(r, c, by) : time_of(r, c, by);
}
