/* fit.c: how many rows agree with a number, under either way of printing it. */
#include <math.h>
#include <stdlib.h>

#include "learn/search.h"

bool mp_fit_good(const struct mp_fit *fit)
{
	return fit->rows > 0 && mp_fit_rows(fit) * 10 >= fit->rows * 9;
}

void mp_fit_row(struct mp_fit *fit, const struct mp_says *says, long double x)
{
	long double over = x - says->value;

	fit->rows++;
	fit->half += fabsl(over) <= says->half;
	/* cut means toward zero; numbers of tables are not negative */
	fit->cut += over >= -says->tiny && over < says->cut;
	fit->different += says->value != 0;
}

void mp_fits_row(struct mp_fits *fits, size_t view, const struct mp_says *says, bool has_x, long double x)
{
	struct mp_fit *fit = &fits->of_view[view];
	size_t before = fit->half + fit->cut;

	if (has_x)
		mp_fit_row(fit, says, x);
	else
		fit->rows++;
	fits->misses += fit->half + fit->cut == before;
}

struct mp_fit mp_fits_sum(const struct mp_fits *fits)
{
	struct mp_fit sum = {0};

	for (size_t v = 0; v < MP_VIEW_MAX; v++) {
		sum.rows += fits->of_view[v].rows;
		sum.half += mp_fit_rows(&fits->of_view[v]);
		sum.different += fits->of_view[v].different;
	}
	sum.cut = sum.half;
	return sum;
}

static int larger_first(const void *left, const void *right)
{
	const struct mp_drawn *a = left, *b = right;

	if (a->says.value != b->says.value)
		return a->says.value > b->says.value ? -1 : 1;
	return a->unit < b->unit ? -1 : a->unit > b->unit;
}

size_t mp_draw(struct mp_drawn drawn[MP_SAMPLE], const struct mp_views *views, enum mp_meaning meaning)
{
	size_t count = 0, share = MP_SAMPLE / (views->count ? views->count : 1);

	for (size_t v = 0; v < views->count; v++) {
		const struct mp_view *view = &views->items[v];
		size_t step = view->count / share + 1;

		for (size_t i = 0; i < view->count && count < MP_SAMPLE; i += step) {
			struct mp_drawn *d = &drawn[count];

			*d = (struct mp_drawn){.view = view, .row = i, .unit = view->units[i]};
			count += d->unit != MP_NO_UNIT && mp_view_says(view, i, meaning, &d->says);
		}
	}
	qsort(drawn, count, sizeof(*drawn), larger_first);
	return count;
}
