/* column.c: finds the places of counters, bytes and ids, and the scale in which a place says what rows say. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/memory.h"
#include "learn/search.h"

enum { PROBES = 3 };

static const unsigned shares[] = {1000, 100, 10000};
static const unsigned bytes_of_one[] = {1, 8, 16, 32, 64, 128, 256, 512, 1000, 1024, 4, 2};

static enum mp_relation relation_of(enum mp_meaning meaning, unsigned k)
{
	if (meaning >= MP_MEANS_MAC_BUSY && meaning <= MP_MEANS_WLD)
		return k < 20 ? MP_AS_CYCLES : MP_AS_SHARE;
	return MP_AS_NUMBER;
}

/* The k-th scale to try; 0 at the end. */
static unsigned scale_of(enum mp_meaning meaning, unsigned k)
{
	if (meaning >= MP_MEANS_MAC_BUSY && meaning <= MP_MEANS_WLD)
		return k < 20 ? 1U << k : k < 23 ? shares[k - 20] : 0;
	if (meaning >= MP_MEANS_READ && meaning <= MP_MEANS_TOTAL)
		return k < sizeof(bytes_of_one) / sizeof(bytes_of_one[0]) ? bytes_of_one[k] : 0;
	return k == 0;
}

/* What a candidate says of a unit. Returns false when a number is missing. */
static bool says_of(const struct mp_candidate *c, const struct mp_column_search *s, size_t unit, long double *x)
{
	int64_t v, less = 0, count;

	if (!mp_unit_read(s->units, unit, c->place, &v) ||
	    (c->has_minus && !mp_unit_read(s->units, unit, c->minus, &less)))
		return false;
	*x = (long double)(v - less);
	if (c->relation == MP_AS_NUMBER) {
		*x *= c->scale;
		return true;
	}
	if (c->relation == MP_AS_SHARE) {
		*x = *x * 100 / c->scale;
		return true;
	}
	if (!mp_times_count(s->times, s->units, unit, &count))
		return false;
	*x = count == 0
		 ? 0
		 : *x * c->scale * 100 / ((long double)count * mp_times_scales(s->units, unit, s->times->unit).cycles);
	return true;
}

static struct mp_fit fit_drawn(
    const struct mp_candidate *c, const struct mp_column_search *s, const struct mp_drawn *drawn, size_t count)
{
	struct mp_fits fits = {.misses = 0};
	struct mp_fit fit;

	for (size_t i = 0; i < count && fits.misses <= count / 10 + 1; i++) {
		long double x = 0;
		bool has = says_of(c, s, drawn[i].unit, &x);

		mp_fits_row(&fits, (size_t)(drawn[i].view - s->views->items), &drawn[i].says, has, x);
	}
	fit = mp_fits_sum(&fits);
	fit.rows = count;
	return fit;
}

struct mp_fit mp_candidate_fit(
    const struct mp_candidate *c, const struct mp_column_search *s, enum mp_meaning meaning, size_t most_rows)
{
	struct mp_fits fits = {.misses = 0};
	struct mp_says says;
	size_t rows = 0;

	for (size_t v = 0; v < s->views->count; v++) {
		const struct mp_view *view = &s->views->items[v];

		for (size_t i = 0; i < view->count && rows < most_rows; i++) {
			long double x = 0;
			bool has;

			if (view->units[i] == MP_NO_UNIT || !mp_view_says(view, i, meaning, &says))
				continue;
			has = says_of(c, s, view->units[i], &x);
			mp_fits_row(&fits, v, &says, has, x);
			rows++;
		}
	}
	return mp_fits_sum(&fits);
}

/* The more natural of two candidates that fit equally has the lower number. */
static unsigned oddness(const struct mp_candidate *c, size_t record)
{
	unsigned width = mp_type_width(c->place.type);

	return (c->relation == MP_AS_SHARE ? 2000U : 0U) + (c->scale != 1 ? 1000U : 0U) +
	       (c->place.offset >= record ? 4000U : 0U) + (c->place.offset % width ? 500U : 0U) + (8 - width) * 10 +
	       (c->place.type > MP_TYPE_U64 ? 5U : 0U);
}

static bool better(const struct mp_candidate *a, const struct mp_candidate *b, size_t record)
{
	size_t rows_a = mp_fit_rows(&a->fit), rows_b = mp_fit_rows(&b->fit);

	return rows_a != rows_b ? rows_a > rows_b : oddness(a, record) < oddness(b, record);
}

/* Keep the best candidates in order. */
static void keep(
    struct mp_candidate found[MP_CANDIDATE_MAX], size_t *count, const struct mp_candidate *c, size_t record)
{
	size_t at = *count;

	while (at > 0 && better(c, &found[at - 1], record))
		at--;
	if (at == MP_CANDIDATE_MAX)
		return;
	*count += *count < MP_CANDIDATE_MAX;
	memmove(&found[at + 1], &found[at], (*count - at - 1) * sizeof(*found));
	found[at] = *c;
}

/* The numbers of the first rows at a place: with the scale 1, and as parts of one whole. */
struct probes {
	const struct mp_drawn *drawn;
	long double number[PROBES], whole[PROBES];
	size_t count;
};

static void probe(struct probes *p, const struct mp_column_search *s, struct mp_place place, enum mp_relation relation,
    const struct mp_drawn *drawn, size_t count)
{
	struct mp_candidate c = {.place = place, .scale = 1, .relation = relation};

	*p = (struct probes){.drawn = drawn, .count = count < PROBES ? count : PROBES};
	for (size_t i = 0; i < p->count; i++) {
		c.relation = relation;
		if (!says_of(&c, s, drawn[i].unit, &p->number[i]))
			p->number[i] = -1;
		c.relation = MP_AS_SHARE;
		if (!says_of(&c, s, drawn[i].unit, &p->whole[i]))
			p->whole[i] = -1;
	}
}

/* Returns whether two of the first three rows fit. */
static bool probes_fit(const struct probes *p, enum mp_relation relation, unsigned scale)
{
	struct mp_fit fit = {0};
	size_t good;

	for (size_t i = 0; i < p->count; i++) {
		long double x = relation == MP_AS_SHARE ? p->whole[i] / scale : p->number[i] * scale;

		if (x >= 0)
			mp_fit_row(&fit, &p->drawn[i].says, x);
	}
	good = mp_fit_rows(&fit);
	return good >= 2 || good == p->count;
}

static void try_place(struct mp_candidate found[MP_CANDIDATE_MAX], size_t *count, const struct mp_column_search *s,
    enum mp_meaning meaning, struct mp_place place, const struct mp_drawn *drawn, size_t drawn_count)
{
	bool zero = drawn[0].says.value == 0;
	struct probes probes;
	unsigned scale;

	probe(&probes, s, place, relation_of(meaning, 0), drawn, drawn_count);
	for (unsigned k = 0; (scale = scale_of(meaning, k)) != 0; k++) {
		struct mp_candidate c = {.place = place, .scale = scale, .relation = relation_of(meaning, k)};

		if (!probes_fit(&probes, c.relation, scale))
			continue;
		c.fit = fit_drawn(&c, s, drawn, drawn_count);
		if (mp_fit_good(&c.fit))
			keep(found, count, &c, s->units->record);
		/* zeros say nothing of a scale */
		if (zero)
			break;
	}
}

size_t mp_candidates(
    struct mp_candidate found[MP_CANDIDATE_MAX], const struct mp_column_search *s, enum mp_meaning meaning)
{
	struct mp_drawn *drawn = mp_learn_malloc(MP_SAMPLE * sizeof(*drawn));
	size_t drawn_count = drawn ? mp_draw(drawn, s->views, meaning) : 0, count = 0;
	size_t width = mp_units_width(s->units);

	for (unsigned at = 0; drawn_count && at < width; at++)
		for (enum mp_type type = MP_TYPE_U8; type < MP_TYPE_COUNT; type++) {
			unsigned end = at + mp_type_width(type);

			/* a number does not lie in two records; ids are no floats, and any small number is 0 as a float
			 */
			if (end > width || (at < s->units->record && end > s->units->record) ||
			    (type > MP_TYPE_U64 && (meaning == MP_MEANS_TASK_ID || meaning == MP_MEANS_STREAM_ID ||
						       drawn[0].says.value == 0)))
				continue;
			try_place(found, &count, s, meaning, (struct mp_place){at, type}, drawn, drawn_count);
		}
	free(drawn);
	return count;
}
