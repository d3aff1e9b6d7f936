/* thin.c: the least and the greatest value of each stretch of a curve. */
#include "page/thin.h"

#include <stdlib.h>
#include <string.h>

#include "insight/sweep.h"

bool mp_thin_look(struct mp_thin *t, int64_t time_ns, double value)
{
	if (!t->points) {
		t->points = malloc(MP_THIN_POINTS * sizeof(*t->points));
		if (!t->points)
			return false;
	}
	if (!t->seen || time_ns < t->first_ns)
		t->first_ns = time_ns;
	if (!t->seen || time_ns > t->last_ns)
		t->last_ns = time_ns;
	if (t->seen < MP_THIN_POINTS)
		t->points[t->count++] = (struct mp_point){time_ns, value};
	t->seen++;
	return true;
}

bool mp_thin_add(struct mp_thin *t, int64_t time_ns, double value)
{
	const struct mp_point p = {time_ns, value};
	int64_t length_ns = mp_add_ns(mp_span_ns(t->first_ns, t->last_ns), 1);
	struct mp_stretch *s;

	if (!t->stretches)
		t->stretches = calloc(MP_THIN_STRETCHES, sizeof(*t->stretches));
	if (!t->stretches)
		return false;
	s = &t->stretches[(size_t)((double)mp_span_ns(t->first_ns, time_ns) / (double)length_ns * MP_THIN_STRETCHES)];
	if (s == t->stretches + MP_THIN_STRETCHES)
		s--;
	if (!s->has_point || value < s->least.value || (value <= s->least.value && time_ns < s->least.time_ns))
		s->least = p;
	if (!s->has_point || value > s->most.value || (value >= s->most.value && time_ns < s->most.time_ns))
		s->most = p;
	s->has_point = true;
	return true;
}

static int by_time(const void *a, const void *b)
{
	const struct mp_point *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	return x->value < y->value ? -1 : x->value > y->value;
}

void mp_thin_end(struct mp_thin *t)
{
	if (t->stretches)
		t->count = 0;
	for (size_t i = 0; t->stretches && i < MP_THIN_STRETCHES; i++) {
		const struct mp_stretch *s = &t->stretches[i];

		if (!s->has_point)
			continue;
		t->points[t->count++] = s->least;
		if (by_time(&s->least, &s->most) != 0)
			t->points[t->count++] = s->most;
	}
	if (t->count)
		qsort(t->points, t->count, sizeof(*t->points), by_time);
}

void mp_thin_free(struct mp_thin *t)
{
	free(t->points);
	free(t->stretches);
	memset(t, 0, sizeof(*t));
}
