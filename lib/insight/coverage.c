/* coverage.c: the union of intervals, read once. */
#include "insight/coverage.h"

#include "insight/sweep.h"

static int read_next(struct mp_coverage *c, struct mp_error *err)
{
	int status = mp_query_next(c->query, err);

	c->more = status == 1;
	if (c->more) {
		c->next_start_ns = mp_query_int(c->query, 0);
		c->next_end_ns = mp_query_int(c->query, 1);
	}
	return status < 0 ? -1 : 0;
}

static void add_next(struct mp_coverage *c)
{
	if (c->next_start_ns > c->end_ns) {
		c->before_ns = mp_add_ns(c->before_ns, mp_span_ns(c->start_ns, c->end_ns));
		c->start_ns = c->next_start_ns;
		c->end_ns = c->next_start_ns;
	}
	if (c->next_end_ns > c->end_ns)
		c->end_ns = c->next_end_ns;
}

int mp_coverage_until(struct mp_coverage *c, int64_t at_ns, int64_t *covered_ns, struct mp_error *err)
{
	int64_t end_ns;

	if (!c->begun) {
		c->begun = true;
		if (read_next(c, err))
			return -1;
		c->start_ns = c->end_ns = c->next_start_ns;
	}
	while (c->more && c->next_start_ns < at_ns) {
		add_next(c);
		if (read_next(c, err))
			return -1;
	}
	end_ns = c->end_ns < at_ns ? c->end_ns : at_ns;
	*covered_ns = end_ns > c->start_ns ? mp_add_ns(c->before_ns, mp_span_ns(c->start_ns, end_ns)) : c->before_ns;
	return 0;
}
