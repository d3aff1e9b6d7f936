/*
 * reader_rules.c: what holds between records and beyond them: the portions of a file, records that follow each other,
 * and the rules of a layout that every record must fulfil.
 */
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

/* Begin the portion at `portion_at`. */
static void begin_portion(struct mp_reader *r)
{
	r->pace_sum = 0;
	r->end_ns = r->portions[r->portion_at].start_ns;
}

void mp_reader_divide(struct mp_reader *reader, struct mp_portion *portions, size_t count)
{
	reader->portions = portions;
	reader->portion_count = count;
	reader->portion_at = 0;
	begin_portion(reader);
}

/* What was counted since the end of the portion before belongs to the current portion. */
static void close_portion(struct mp_reader *r)
{
	struct mp_portion *p = &r->portions[r->portion_at], *b = &r->before;
	const struct mp_tally *t = &r->tally;

	p->records = t->records - b->records;
	p->record_bytes = t->record_bytes - b->record_bytes;
	p->blank_bytes = t->blank_bytes - b->blank_bytes;
	p->damaged_bytes = t->damaged_bytes - b->damaged_bytes;
	b->records = t->records;
	b->record_bytes = t->record_bytes;
	b->blank_bytes = t->blank_bytes;
	b->damaged_bytes = t->damaged_bytes;
}

void mp_reader_close_portions(struct mp_reader *r)
{
	for (; r->portion_at < r->portion_count; r->portion_at++)
		close_portion(r);
}

void mp_reader_enter_portion(struct mp_reader *r, int64_t offset)
{
	while (r->portion_at + 1 < r->portion_count && offset >= r->portions[r->portion_at].end) {
		close_portion(r);
		r->portion_at++;
		begin_portion(r);
	}
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

/* Returns whether a rule of the layout is false. */
static bool breaks(const struct mp_reader *r, int i)
{
	const struct mp_holds *h = &r->layout->holds[i];
	uint64_t low = number_of(r, h->field, &r->limits[i].low), most = h->most;

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
