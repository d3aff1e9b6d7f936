/* reader_rules.c: records that follow each other in time, and the rules of a layout that every record must fulfil. */
#include "raw/reader_internal.h"

void mp_reader_plan_rules(struct mp_reader *r)
{
	const struct mp_layout *l = r->layout;
	const struct mp_column *begin = mp_layout_begin(l);

	r->has_rules = begin || l->holds_count || l->agrees_count;
	if (begin)
		r->pace = r->scales[begin - l->columns];
	if (l->size < 8) /* too small for numbers that are read in eight bytes */
		return;
	if (begin)
		r->pace_bits = mp_reader_bits_of(r, begin->from);
	for (int i = 0; i < l->holds_count; i++) {
		const struct mp_holds *h = &l->holds[i];

		r->limits[i].low = mp_reader_bits_of(r, h->field);
		if (h->other >= 0)
			r->limits[i].high = mp_reader_bits_of(r, h->other);
	}
	for (int i = 0; i < l->agrees_count; i++)
		r->agree_bits[i] = mp_reader_bits_of(r, l->agrees[i].field);
}

/* The number of a field of the current record. */
static uint64_t number_of(const struct mp_reader *r, int field, const struct mp_bits *bits)
{
	return r->layout->size < 8 ? mp_reader_bits(r, field) : mp_bits_load(r->record, r->layout->big_endian, bits);
}

/* The record begins where the one before ended: both moments are rounded once. */
static void follow(struct mp_reader *r)
{
	const struct mp_portion *p = &r->portions[r->portion_at];
	int field = mp_layout_begin(r->layout)->from;
	int64_t passed;

	r->begin_ns = r->end_ns;
	if (__builtin_add_overflow(r->pace_sum, number_of(r, field, &r->pace_bits), &r->pace_sum))
		r->pace_sum = UINT64_MAX;
	if (!mp_scale_ns(r->pace, r->pace_sum, &passed) || __builtin_add_overflow(p->start_ns, passed, &r->end_ns)) {
		r->tally.out_of_range++;
		r->end_ns = INT64_MAX;
	}
	r->span_ns = r->end_ns - r->begin_ns;
}

/* Returns whether a number of a record is lower than that of the record before, or too far above it. */
static bool falls(struct mp_limit *limit, uint64_t number, uint64_t other, uint64_t most)
{
	const bool falls =
	    limit->known && other == limit->before_other && (number < limit->before || number - limit->before > most);

	limit->before = number;
	limit->before_other = other;
	limit->known = true;
	return falls;
}

/* Returns whether a rule of the layout is false. */
static bool breaks(struct mp_reader *r, int i)
{
	const struct mp_holds *h = &r->layout->holds[i];
	uint64_t low = number_of(r, h->field, &r->limits[i].low), most = h->most;

	if (h->rises)
		return falls(&r->limits[i], low, h->other < 0 ? 0 : number_of(r, h->other, &r->limits[i].high), most);
	if (h->other >= 0 && __builtin_mul_overflow(number_of(r, h->other, &r->limits[i].high), h->scale, &most))
		return false;
	return low > most;
}

/* Returns whether a field differs from what the name or marker says. */
static bool disagrees(const struct mp_reader *r, int i)
{
	const struct mp_identity *id = &r->portions[r->portion_at].identity;
	const struct mp_agrees *a = &r->layout->agrees[i];
	int64_t told;

	memcpy(&told, (const char *)id + a->fact, sizeof(told));
	return told >= 0 && number_of(r, a->field, &r->agree_bits[i]) != (uint64_t)told;
}

void mp_reader_apply_rules(struct mp_reader *r)
{
	bool differs = false;

	if (r->pace.den)
		follow(r);
	for (int i = 0; i < r->layout->holds_count; i++)
		r->tally.broken[i] += breaks(r, i);
	for (int i = 0; i < r->layout->agrees_count; i++)
		differs = differs || disagrees(r, i);
	r->tally.disagree += differs;
}
