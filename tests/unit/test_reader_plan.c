/* test_reader_plan.c: numbers of random layouts, records and clocks, compared with decoding byte by byte. */
#include "reader_support.h"

enum { COLUMN_MAX = 24, ROUNDS = 1000 };

/* A column in the view of this test. */
struct expectation {
	char kind; /* u, i, h: of a field; t, d: a time, a duration; v, m: a value, a difference; c: a constant */
	size_t offset, width, to_offset, to_width;
	unsigned low, high, to_low, to_high; /* bits */
	enum mp_unit unit;
	uint64_t num, den; /* of a value */
};

struct description {
	char text[8192];
	size_t len, size;
	bool big_endian;
	struct expectation columns[COLUMN_MAX];
	int count;
};

static const char *const units[] = {"ns", "us", "tick100", "counter", "host"};
static const enum mp_unit unit_values[] = {MP_UNIT_NS, MP_UNIT_US, MP_UNIT_TICK100, MP_UNIT_COUNTER, MP_UNIT_HOST};

__attribute__((format(printf, 2, 3))) static void say(struct description *d, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	d->len += (size_t)vsnprintf(d->text + d->len, sizeof(d->text) - d->len, format, args);
	va_end(args);
	assert_true(d->len < sizeof(d->text));
}

/* Fields of random widths, one behind the other; some unsigned fields are two pieces of bits. */
static void describe(struct description *d, uint64_t *seed)
{
	static const char kinds[] = "uuuuih";
	size_t at = 0;

	*d = (struct description){.size = 1 + next_random(seed) % 48, .big_endian = next_random(seed) % 2};
	say(d, "record r v1 verified\nfile \"f\"\ntable t\nsize %zu\n%s", d->size, d->big_endian ? "endian big\n" : "");
	while (at < d->size && d->count < COLUMN_MAX - 2) {
		size_t width = (size_t)1 << next_random(seed) % 4;
		char kind = kinds[next_random(seed) % 6];
		unsigned all = (unsigned)(8 * width - 1), cut;

		if (width > d->size - at)
			continue;
		if (kind == 'h' && width < 8)
			kind = 'i';
		cut = kind == 'u' && next_random(seed) % 3 == 0 ? (unsigned)next_random(seed) % all : all;
		d->columns[d->count] = (struct expectation){.kind = kind, .offset = at, .width = width, .high = cut};
		if (kind == 'h')
			say(d, "field f%d hash @%zu\n", d->count++, at);
		else if (cut == all)
			say(d, "field f%d %c%zu @%zu\n", d->count++, kind, 8 * width, at);
		else {
			say(d, "field f%d u%zu @%zu bits 0..%u\n", d->count, 8 * width, at, cut);
			d->columns[++d->count] = (struct expectation){
			    .kind = 'u', .offset = at, .width = width, .low = cut + 1, .high = all};
			say(d, "field f%d u%zu @%zu bits %u..%u\n", d->count++, 8 * width, at, cut + 1, all);
		}
		at += width;
	}
	if (at < d->size)
		say(d, "skip %zu @%zu\n", d->size - at, at);
}

/* Times and durations of random fields. */
static void describe_times(struct description *d, uint64_t *seed)
{
	int fields = d->count;

	for (int i = 0; i < 40 && d->count < COLUMN_MAX; i++) {
		int from = (int)(next_random(seed) % (uint64_t)fields),
		    to = (int)(next_random(seed) % (uint64_t)fields);
		struct expectation *e = &d->columns[d->count];
		size_t unit;

		if (d->columns[from].kind != 'u' || d->columns[to].kind != 'u')
			continue;
		*e = d->columns[from];
		unit = next_random(seed) % COUNT(units);
		e->unit = unit_values[unit];
		e->kind = "ttddvmc"[next_random(seed) % (from == to ? 5 : 7)];
		e->num = 1 + (next_random(seed) >> 32 >> next_random(seed) % 32) % UINT32_MAX;
		e->den =
		    next_random(seed) % 3 ? 1 + (next_random(seed) >> 32 >> next_random(seed) % 32) % UINT32_MAX : 1;
		e->to_offset = d->columns[to].offset;
		e->to_width = d->columns[to].width;
		e->to_low = d->columns[to].low;
		e->to_high = d->columns[to].high;
		if (e->kind == 't')
			say(d, "time c%d f%d unit=%s\n", d->count++, from, units[unit]);
		else if (e->kind == 'd')
			say(d, "duration c%d f%d f%d unit=%s\n", d->count++, from, to, units[unit]);
		else if (e->kind == 'c')
			say(d, "constant c%d %llu\n", d->count++, (unsigned long long)e->num);
		else if (e->kind == 'v')
			say(d, "value c%d f%d scale=%llu/%llu\n", d->count++, from, (unsigned long long)e->num,
			    (unsigned long long)e->den);
		else
			say(d, "value c%d f%d minus f%d scale=%llu/%llu\n", d->count++, to, from,
			    (unsigned long long)e->num, (unsigned long long)e->den);
	}
}

static uint64_t bits(
    const struct description *d, const unsigned char *p, size_t offset, size_t width, unsigned low, unsigned high)
{
	uint64_t v = 0;

	for (size_t i = 0; i < width; i++)
		v |= (uint64_t)p[offset + i] << 8 * (d->big_endian ? width - 1 - i : i);
	v >>= low;
	return high - low == 63 ? v : v & ((UINT64_C(1) << (high - low + 1)) - 1);
}

/* The expected value of a column, and the number of its unusual values. */
static struct mp_value expect(const struct description *d, const struct expectation *e, const unsigned char *p,
    const struct mp_clock *clock, int64_t *out_of_range, int64_t *negative)
{
	uint64_t v = bits(d, p, e->offset, e->width, e->low, e->high), to;
	struct mp_scale scale = mp_clock_scale(clock, e->unit);
	struct mp_value value = {.type = MP_INT, .i = (int64_t)v};
	bool back = false;
	int64_t end;

	if (e->kind == 'u' && v > (uint64_t)INT64_MAX) {
		value.i = INT64_MAX;
		++*out_of_range;
	}
	if (e->kind == 'i' && v >> (8 * e->width - 1))
		value.i = (int64_t)(v | (e->width == 8 ? 0 : UINT64_MAX << 8 * e->width));
	if (strchr("uih", e->kind))
		return value;
	if (e->kind == 'v' || e->kind == 'm')
		scale = (struct mp_scale){.num = e->num, .den = e->den};
	if (e->kind == 'c')
		return (struct mp_value){.type = MP_INT, .i = (int64_t)e->num};
	if (!scale.den)
		return (struct mp_value){.type = MP_NULL};
	to = bits(d, p, e->to_offset, e->to_width, e->to_low, e->to_high);
	if (e->kind == 'd') {
		*out_of_range += !mp_scale_time(scale, v, &value.i);
		*out_of_range += !mp_scale_time(scale, to, &end);
		*negative += to < v;
		value.i = __builtin_sub_overflow(end, value.i, &end) ? INT64_MAX : end;
		return value;
	}
	if (e->kind == 'm') {
		back = to < v;
		v = back ? v - to : to - v;
	}
	*out_of_range += !(e->kind != 't' ? mp_scale_ns : mp_scale_time)(scale, v, &value.i);
	value.i = back ? -value.i : value.i;
	return value;
}

static struct mp_clock random_clock(uint64_t *seed)
{
	static const int64_t rates[] = {0, 1, 19200000, 48000000, 50000000, 100000000, 1000000000, 999999937};
	struct mp_clock c = {
	    .core_mhz = (int64_t)(next_random(seed) % 3 * 350), .counter_mhz = (int64_t)(next_random(seed) % 4 * 16)};

	c.counter.hz = rates[next_random(seed) % COUNT(rates)];
	c.host.hz = rates[next_random(seed) % COUNT(rates)];
	c.counter.count = next_random(seed) >> next_random(seed) % 64;
	c.counter.ns = (int64_t)(next_random(seed) >> 1 >> next_random(seed) % 63);
	c.host.count = next_random(seed) % 2 ? 0 : next_random(seed) >> next_random(seed) % 64;
	c.host.ns = next_random(seed) % 2 ? 0 : (int64_t)next_random(seed);
	return c;
}

static void compare(struct reading *r, const struct description *d, const unsigned char *p)
{
	int64_t values[COLUMN_MAX + 1], out_of_range = 0, negative = 0;
	signed char indexes[COLUMN_MAX + 1];
	bool nulls[COLUMN_MAX + 1];
	const struct mp_tally *t = mp_reader_tally(r->reader);

	for (int i = 0; i < d->count; i++)
		indexes[i] = (signed char)i;
	indexes[d->count] = -1;
	mp_reader_count(r->reader, false);
	mp_reader_numbers(r->reader, indexes, d->count + 1, values, nulls);
	assert_true(nulls[d->count]);
	assert_int_equal(values[d->count], 0);
	for (int i = 0; i < d->count; i++) {
		struct mp_value v = expect(d, &d->columns[i], p, &r->clock, &out_of_range, &negative),
				found = mp_reader_value(r->reader, i);

		if (found.type != v.type || found.i != v.i)
			fail_msg("column %d of\n%s is %lld, not %lld", i, d->text, (long long)found.i, (long long)v.i);
		assert_int_equal(values[i], v.i);
		assert_int_equal(nulls[i], v.type == MP_NULL);
		assert_int_equal(mp_int_of(mp_reader_value(r->reader, i)), v.i);
	}
	assert_int_equal(t->out_of_range + t->negative, 0);
	mp_reader_check(r->reader);
	assert_int_equal(t->out_of_range, out_of_range);
	assert_int_equal(t->negative, negative);
	mp_reader_count(r->reader, true);
	mp_reader_numbers(r->reader, indexes, d->count + 1, values, nulls);
	assert_int_equal(t->out_of_range, 2 * out_of_range);
	assert_int_equal(t->negative, 2 * negative);
}

static void test_numbers(void **state)
{
	static const unsigned char edges[] = {0, 1, 0x7f, 0x80, 0xff};
	struct description d;
	uint64_t seed = 7;

	(void)state;
	for (int round = 0; round < ROUNDS; round++) {
		unsigned char bytes[64];
		struct reading r;

		describe(&d, &seed);
		describe_times(&d, &seed);
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = next_random(&seed) % 2 ? edges[next_random(&seed) % COUNT(edges)]
							  : (unsigned char)next_random(&seed);
		if (round % 3)
			for (size_t i = 0; i < d.size; i++) /* smaller numbers */
				bytes[i] = i % 8 < 4 ? bytes[i] : 0;
		reading_open(&r, d.text, bytes, d.size);
		r.clock = random_clock(&seed);
		reading_file(&r, bytes, d.size);
		assert_true(mp_reader_next(r.reader));
		compare(&r, &d, bytes);
		assert_false(mp_reader_next(r.reader));
		reading_close(&r);
	}
}

/* Returns whether all matched bits equal those of the described record. */
static bool is_alike(
    const struct description *d, const int *matched, int count, const unsigned char *a, const unsigned char *b)
{
	for (int i = 0; i < count; i++) {
		const struct expectation *e = &d->columns[matched[i]];

		if (bits(d, a, e->offset, e->width, e->low, e->high) !=
		    bits(d, b, e->offset, e->width, e->low, e->high))
			return false;
	}
	return true;
}

/* A record with another bit changed is a record only if no match has that bit. */
static void test_matches(void **state)
{
	struct description d;
	uint64_t seed = 11;

	(void)state;
	for (int round = 0; round < 60; round++) {
		unsigned char bytes[64], other[64];
		int matched[MP_MATCH_MAX], count = 0;
		struct reading r;

		describe(&d, &seed);
		for (size_t i = 0; i < sizeof(bytes); i++)
			bytes[i] = (unsigned char)next_random(&seed);
		for (int i = 0; i < d.count && count < MP_MATCH_MAX; i++) {
			const struct expectation *e = &d.columns[i];

			if (e->kind != 'u' || next_random(&seed) % 2)
				continue;
			matched[count++] = i;
			say(&d, "match u%zu @%zu bits %u..%u == %llu\n", 8 * e->width, e->offset, e->low, e->high,
			    (unsigned long long)bits(&d, bytes, e->offset, e->width, e->low, e->high));
		}
		reading_open(&r, d.text, bytes, d.size);
		assert_int_equal(read_all(&r), 1);
		for (size_t i = 0; i < 8 * d.size; i++) {
			memcpy(other, bytes, sizeof(other));
			other[i / 8] ^= (unsigned char)(1 << i % 8);
			reading_file(&r, other, d.size);
			assert_int_equal(read_all(&r), is_alike(&d, matched, count, bytes, other));
		}
		reading_close(&r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_numbers),
	    cmocka_unit_test(test_matches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
