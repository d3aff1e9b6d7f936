/* noise.c: tests of ranks and their intervals. Knows no job. */
#include "compare/noise.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"

#define NOISE_FILE "insight/noise.txt"

int mp_noise_read(struct mp_noise *noise, struct mp_error *err)
{
	const struct {
		const char *name;
		double *value;
	} numbers[] = {{"alpha", &noise->alpha}, {"least_share", &noise->least_share},
	    {"floor_runs", &noise->floor_runs}, {"floor_steps", &noise->floor_steps},
	    {"floor_none", &noise->floor_none}, {"same", &noise->same}, {"common_share", &noise->common_share},
	    {"common_spread", &noise->common_spread}};
	const char *text = mp_schema_text(NOISE_FILE);

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		size_t len = strlen(numbers[i].name);
		const char *line = text;

		while (line && !(strncmp(line, numbers[i].name, len) == 0 && line[len] == ' '))
			line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL;
		*numbers[i].value = line ? strtod(line + len, NULL) : 0;
		if (*numbers[i].value <= 0 || *numbers[i].value >= 1)
			return mp_fail(
			    err, "schema/" NOISE_FILE ": '%s' is not a number between 0 and 1", numbers[i].name);
	}
	return 0;
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static void sort(double *values, int count)
{
	qsort(values, (size_t)count, sizeof(*values), by_value);
}

static double middle(const double *sorted, int count)
{
	if (!count)
		return 0;
	return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

double mp_median(double *values, int count)
{
	sort(values, count);
	return middle(values, count);
}

/*
 * How many orders of n and m samples have each rank sum, by Mann and Whitney's recurrence: the largest sample is of one
 * side or of the other. ways[k] holds the sums of the first rows with k samples of the other side.
 */
int mp_ranks_make(struct mp_ranks *ranks, int base, int new, double alpha, struct mp_error *err)
{
	size_t sums = (size_t)base * (size_t) new + 1;
	double *ways = calloc((size_t)(new + 1) * sums, sizeof(*ways)), all = 0, below = 0;

	*ranks = (struct mp_ranks){.base = base, .new = new, .cut = -1};
	ranks->tail = calloc(sums, sizeof(*ranks->tail));
	if (!ways || !ranks->tail) {
		free(ways);
		mp_ranks_free(ranks);
		return mp_fail_memory(err, "a test of ranks");
	}
	for (int k = 0; k <= new; k++)
		ways[(size_t)k * sums] = 1;
	for (int n = 1; n <= base; n++)
		for (int k = 1; k <= new; k++) {
			double *row = ways + (size_t)k * sums, *fewer = row - sums;

			for (size_t u = sums; u-- > 0;)
				row[u] = (u >= (size_t)k ? row[u - (size_t)k] : 0) + fewer[u];
		}
	memcpy(ranks->tail, ways + (size_t) new *sums, sums * sizeof(*ways));
	free(ways);
	for (size_t u = 0; u < sums; u++)
		all += ranks->tail[u];
	for (size_t u = 0; u < sums; u++) {
		below += ranks->tail[u];
		ranks->tail[u] = below / all;
		if (2 * ranks->tail[u] <= alpha)
			ranks->cut = (int)u;
	}
	return 0;
}

void mp_ranks_free(struct mp_ranks *ranks)
{
	free(ranks->tail);
	ranks->tail = NULL;
}

/* Median and MAD of samples; gives them sorted. */
static void describe(struct mp_samples *s, double *median, double *mad)
{
	struct mp_samples far = {.count = s->count};

	*median = mp_median(s->values, s->count);
	for (int i = 0; i < s->count; i++)
		far.values[i] = fabs(s->values[i] - *median);
	*mad = mp_median(far.values, far.count);
}

static bool are_equal(const struct mp_samples *a, const struct mp_samples *b)
{
	return a->count == b->count && memcmp(a->values, b->values, (size_t)a->count * sizeof(a->values[0])) == 0;
}

static double spread(const struct mp_samples *sorted)
{
	return sorted->count ? sorted->values[sorted->count - 1] - sorted->values[0] : 0;
}

/* The rank sum of the side that has the smaller one, a tie counted as one for the other side: that is cautious. */
static int rank_sum(const double *differences, int count)
{
	int above = 0, below = 0;

	for (int i = 0; i < count; i++) {
		above += differences[i] >= 0;
		below += differences[i] <= 0;
	}
	return above < below ? above : below;
}

static int measure_ranks(struct mp_change *c, const struct mp_samples *base, const struct mp_samples *new,
    const struct mp_ranks *ranks, struct mp_error *err)
{
	int count = base->count * new->count, at = 0, sum;
	double *differences = malloc((size_t)count * sizeof(*differences));

	if (!differences)
		return mp_fail_memory(err, "differences");
	for (int i = 0; i < base->count; i++)
		for (int k = 0; k < new->count; k++)
			differences[at++] = new->values[k] - base->values[i];
	sort(differences, count);
	sum = rank_sum(differences, count);
	c->p = 2 * ranks->tail[sum] < 1 ? 2 * ranks->tail[sum] : 1;
	c->shift = middle(differences, count);
	c->low = differences[ranks->cut];
	c->high = differences[count - 1 - ranks->cut];
	free(differences);
	return 0;
}

int mp_change_measure(struct mp_change *c, const struct mp_samples *base, const struct mp_samples *new,
    const struct mp_ranks *ranks, enum mp_sample_unit unit, const struct mp_noise *noise, struct mp_error *err)
{
	struct mp_samples b = *base, n = *new;
	double wide;

	*c = (struct mp_change){.unit = unit, .p = -1};
	describe(&b, &c->base_median, &c->base_mad);
	describe(&n, &c->new_median, &c->new_mad);
	if (are_equal(&b, &n)) {
		c->p = ranks ? 1 : -1;
		c->equal = true;
		return 0;
	}
	c->floor = (unit == MP_UNIT_RUNS ? noise->floor_runs : noise->floor_steps) * fabs(c->base_median);
	if (ranks)
		return measure_ranks(c, &b, &n, ranks, err);
	wide = noise->floor_none * fabs(c->base_median);
	wide = fmax(wide, fmax(spread(&b), spread(&n)));
	c->floor = 0;
	c->shift = c->new_median - c->base_median;
	c->low = c->shift - wide;
	c->high = c->shift + wide;
	return 0;
}

int mp_change_decide(const struct mp_change *c, double share)
{
	double limit = share * fabs(c->base_median);

	if (c->equal)
		return share < 0 ? 1 : -1;
	if (c->low > limit && c->shift >= limit + c->floor)
		return 1;
	return c->high < limit && c->shift <= limit - c->floor ? -1 : 0;
}
