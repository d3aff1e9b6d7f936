/* gaps.c: keeps the longest of many gaps in bounded memory. */
#include "insight/gaps.h"

#include <stdlib.h>

static int longest_first(const void *a, const void *b)
{
	const struct mp_kept_gap *x = a, *y = b;
	int64_t x_ns = mp_span_ns(x->start_ns, x->end_ns), y_ns = mp_span_ns(y->start_ns, y->end_ns);

	if (x_ns != y_ns)
		return x_ns > y_ns ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return x->window < y->window ? -1 : x->window > y->window;
}

void mp_gaps_finish(struct mp_gaps *gaps)
{
	qsort(gaps->kept, (size_t)gaps->count, sizeof(gaps->kept[0]), longest_first);
	if (gaps->count > MP_GAPS_KEPT)
		gaps->count = MP_GAPS_KEPT;
}

enum mp_gap_reason mp_gap_reason(const struct mp_gap *gap)
{
	if (!gap->after)
		return MP_GAP_END;
	if (gap->after->launch_ns == INT64_MIN)
		return MP_GAP_UNLINKED;
	return gap->after->launch_ns >= gap->start_ns ? MP_GAP_HOST_LATE : MP_GAP_DEVICE_WAIT;
}

void mp_gaps_add(struct mp_gaps *gaps, const struct mp_gap *gap, enum mp_gap_reason reason)
{
	const struct mp_kept_gap kept = {.window = gap->window,
	    .start_ns = gap->start_ns,
	    .end_ns = gap->end_ns,
	    .reason = reason,
	    .before_op = gap->before ? (int64_t)gap->before->op : -1,
	    .before_row = gap->before ? (int64_t)gap->before->row : -1,
	    .after_op = gap->after ? (int64_t)gap->after->op : -1,
	    .after_row = gap->after ? (int64_t)gap->after->row : -1,
	    .launch_ns = gap->after ? gap->after->launch_ns : INT64_MIN};

	gaps->number[reason]++;
	gaps->total_ns[reason] = mp_add_ns(gaps->total_ns[reason], mp_span_ns(gap->start_ns, gap->end_ns));
	/* after a sort the last one kept is the shortest that counts */
	if (gaps->is_full && longest_first(&kept, &gaps->kept[MP_GAPS_KEPT - 1]) > 0)
		return;
	if (gaps->count == 2 * MP_GAPS_KEPT) {
		mp_gaps_finish(gaps);
		gaps->is_full = true;
	}
	gaps->kept[gaps->count++] = kept;
}
