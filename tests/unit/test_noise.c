/* test_noise.c: the exact distribution of rank sums, intervals, decisions; longest common subsequences. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compare/diff.h"
#include "compare/noise.h"
#include "support.h"

static struct mp_noise noise;
static struct mp_error err;

static int read_noise(void **state)
{
	(void)state;
	return mp_noise_read(&noise, &err);
}

/* How many of the orders of n and m samples have at most the rank sum: by trying all of them. */
static double tail_by_trial(int n, int m, int sum)
{
	int all = 0, below = 0;

	for (unsigned set = 0; set < 1U << (n + m); set++) {
		int taken = 0, u = 0;

		for (int i = 0; i < n + m; i++)
			if (set >> i & 1)
				u += i - taken++;
		all += taken == n;
		below += taken == n && u <= sum;
	}
	return (double)below / all;
}

static void ranks_are_exact(void **state)
{
	(void)state;
	for (int n = 1; n <= 6; n++)
		for (int m = 1; m <= 6; m++) {
			struct mp_ranks r;

			assert_int_equal(mp_ranks_make(&r, n, m, noise.alpha, &err), 0);
			for (int u = 0; u <= n * m; u++)
				assert_true(fabs(r.tail[u] - tail_by_trial(n, m, u)) < 1e-12);
			assert_true(r.cut < 0 || 2 * r.tail[r.cut] <= noise.alpha);
			assert_true(2 * r.tail[r.cut + 1] > noise.alpha);
			mp_ranks_free(&r);
		}
}

static void the_largest_numbers_of_samples_are_fine(void **state)
{
	struct mp_ranks r;

	(void)state;
	assert_int_equal(mp_ranks_make(&r, MP_SAMPLES_MAX, MP_SAMPLES_MAX, noise.alpha, &err), 0);
	assert_true(r.tail[0] > 0 && r.tail[0] < 1e-30);
	assert_true(fabs(r.tail[MP_SAMPLES_MAX * MP_SAMPLES_MAX] - 1) < 1e-12);
	assert_true(r.cut > 1400 && r.cut < 1600); /* the normal approximation says 1,507 */
	mp_ranks_free(&r);
	assert_int_equal(mp_ranks_make(&r, 0, 5, noise.alpha, &err), 0);
	assert_int_equal(r.cut, -1);
	mp_ranks_free(&r);
}

static struct mp_change measure(const struct mp_samples *base, const struct mp_samples *new, enum mp_sample_unit unit)
{
	struct mp_change c;
	struct mp_ranks r;

	assert_int_equal(mp_ranks_make(&r, base->count, new->count, noise.alpha, &err), 0);
	assert_int_equal(mp_change_measure(&c, base, new, unit == MP_UNIT_NONE ? NULL : &r, unit, &noise, &err), 0);
	mp_ranks_free(&r);
	return c;
}

static void five_runs_tell_what_is_apart(void **state)
{
	const struct mp_samples base = {{101, 100, 99, 100.5, 99.5}, 5};
	const struct mp_samples slow = {{111, 110, 109, 110.5, 109.5}, 5}, near = {{101, 100, 99, 100.5, 101.2}, 5};
	struct mp_change c = measure(&base, &slow, MP_UNIT_RUNS);

	(void)state;
	assert_true(c.base_median == 100 && c.base_mad == 0.5 && c.shift == 10 && c.low == 8 && c.high == 12);
	assert_true(fabs(c.p - 2.0 / 252) < 1e-12);
	assert_int_equal(mp_change_decide(&c, 0), 1);
	assert_int_equal(mp_change_decide(&c, 0.09), 0);
	assert_int_equal(mp_change_decide(&c, 0.13), -1);
	c = measure(&slow, &base, MP_UNIT_RUNS);
	assert_int_equal(mp_change_decide(&c, 0), -1);
	c = measure(&base, &near, MP_UNIT_RUNS);
	assert_int_equal(mp_change_decide(&c, 0), 0);
	assert_true(c.p > 0.5);
}

static void ties_are_cautious(void **state)
{
	const struct mp_samples base = {{100, 100, 100, 100, 101}, 5}, new = {{101, 102, 102, 102, 102}, 5};
	struct mp_change c = measure(&base, &new, MP_UNIT_RUNS);

	(void)state;
	assert_true(c.p > noise.alpha); /* one tie: not all of NEW is above all of BASE */
	assert_int_equal(mp_change_decide(&c, 0), 0);
}

static void steps_and_single_samples_have_floors(void **state)
{
	struct mp_samples base = {.count = 16}, new = {.count = 16};
	const struct mp_samples one = {{100}, 1}, four = {{104}, 1}, six = {{106}, 1}, wide = {{95, 115}, 2};
	struct mp_change c;

	(void)state;
	for (int i = 0; i < 16; i++) {
		base.values[i] = 100 + i * 0.01;
		new.values[i] = 101.5 + i * 0.01;
	}
	c = measure(&base, &new, MP_UNIT_STEPS);
	assert_true(c.p < 1e-6 && c.low > 1); /* surely slower, by less than the floor */
	assert_int_equal(mp_change_decide(&c, 0), 0);
	c = measure(&base, &new, MP_UNIT_RUNS);
	assert_int_equal(mp_change_decide(&c, 0), 1);
	c = measure(&one, &four, MP_UNIT_NONE);
	assert_int_equal(mp_change_decide(&c, 0), 0);
	c = measure(&one, &six, MP_UNIT_NONE);
	assert_int_equal(mp_change_decide(&c, 0), 1);
	assert_true(c.p < 0);
	c = measure(&one, &wide, MP_UNIT_NONE);
	assert_true(c.low == -15 && c.high == 25); /* the spread is larger than the floor */
}

static void equal_samples_have_not_changed(void **state)
{
	const struct mp_samples a = {{5, 500, 5000}, 3}, b = {{5000, 5, 500}, 3}, none = {{0}, 0};
	struct mp_change c = measure(&a, &b, MP_UNIT_NONE);

	(void)state;
	assert_true(c.equal && c.shift == 0);
	assert_int_equal(mp_change_decide(&c, 0), -1);
	assert_int_equal(mp_change_decide(&c, -0.01), 1);
	c = measure(&none, &none, MP_UNIT_NONE);
	assert_true(c.equal);
}

/* The length by the usual table. */
static int length_by_table(const uint32_t *a, int n, const uint32_t *b, int m)
{
	int table[33][33] = {{0}};

	for (int i = 1; i <= n; i++)
		for (int k = 1; k <= m; k++)
			table[i][k] = a[i - 1] == b[k - 1]                ? table[i - 1][k - 1] + 1
				      : table[i - 1][k] > table[i][k - 1] ? table[i - 1][k]
									  : table[i][k - 1];
	return table[n][m];
}

static void subsequences_are_longest(void **state)
{
	uint32_t a[32], b[32], partner[32], random = 1;

	(void)state;
	for (int round = 0; round < 5000; round++) {
		int n = round % 33, m = round / 33 % 33, pairs = 0;
		int64_t last = -1;

		for (int i = 0; i < 32; i++) {
			random = random * 1664525 + 1013904223;
			a[i] = random >> 16 & 3;
			b[i] = random >> 24 & 3;
		}
		assert_int_equal(mp_lcs(a, (size_t)n, b, (size_t)m, partner, &err), 0);
		for (int i = 0; i < n; i++) {
			if (partner[i] == MP_LCS_NONE)
				continue;
			assert_true((int)partner[i] < m && a[i] == b[partner[i]] && (int64_t)partner[i] > last);
			last = partner[i];
			pairs++;
		}
		assert_int_equal(pairs, length_by_table(a, n, b, m));
	}
}

static void long_sequences_cost_little(void **state)
{
	enum { COUNT = 100000 };
	uint32_t *a = malloc(COUNT * sizeof(*a)), *b = malloc(COUNT * sizeof(*b)),
		 *partner = malloc(COUNT * sizeof(*partner));

	(void)state;
	assert_true(a && b && partner);
	for (uint32_t i = 0; i < COUNT; i++) {
		a[i] = i;
		b[i] = i >= 50000 ? i + 7 : i; /* seven are gone in the middle */
	}
	assert_int_equal(mp_lcs(a, COUNT, b, COUNT, partner, &err), 0);
	assert_int_equal(partner[49999], 49999);
	assert_int_equal(partner[50000], MP_LCS_NONE);
	assert_int_equal(partner[50007], 50000);
	for (uint32_t i = 0; i < COUNT; i++)
		b[i] = COUNT - 1 - i; /* nothing in common but one */
	assert_int_equal(mp_lcs(a, COUNT, b, COUNT, partner, &err), 0);
	free(a);
	free(b);
	free(partner);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(ranks_are_exact),
	    cmocka_unit_test(the_largest_numbers_of_samples_are_fine),
	    cmocka_unit_test(five_runs_tell_what_is_apart),
	    cmocka_unit_test(ties_are_cautious),
	    cmocka_unit_test(steps_and_single_samples_have_floors),
	    cmocka_unit_test(equal_samples_have_not_changed),
	    cmocka_unit_test(subsequences_are_longest),
	    cmocka_unit_test(long_sequences_cost_little),
	};

	return cmocka_run_group_tests(tests, read_noise, NULL);
}
