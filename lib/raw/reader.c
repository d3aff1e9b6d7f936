/*
 * reader.c: what each binary record passes: the window of the file, the claim of a layout, the rules, and numbers by
 * plans. Damage and portions are in reader_account.c, other kinds of records in reader_items.c, and values that no plan
 * gives in reader_value.c.
 */
#include "raw/reader_internal.h"

#include <errno.h>
#include <unistd.h>

static void refill(struct mp_window *w, int64_t offset)
{
	size_t keep = 0;

	if (offset >= w->start && offset < w->start + (int64_t)w->used) {
		keep = w->used - (size_t)(offset - w->start);
		memmove(w->data, w->data + (w->used - keep), keep);
	}
	w->start = offset;
	w->used = keep;
	while (w->used < MP_WINDOW_SIZE && w->start + (int64_t)w->used < w->limit) {
		int64_t at = w->start + (int64_t)w->used;
		size_t room = MP_WINDOW_SIZE - w->used;
		ssize_t n =
		    pread(w->fd, w->data + w->used, (int64_t)room < w->limit - at ? room : (size_t)(w->limit - at), at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) { /* an error, or the file became shorter meanwhile */
			w->read_errno = n < 0 ? errno : 0;
			w->limit = at;
			return;
		}
		w->used += (size_t)n;
	}
}

/* Move the window to `offset`. */
static const unsigned char *move_window(struct mp_window *w, int64_t offset, size_t want, size_t *have)
{
	if (offset >= w->limit) {
		*have = 0;
		return w->data;
	}
	if ((int64_t)want > w->limit - offset)
		want = (size_t)(w->limit - offset);
	if (offset < w->start || offset + (int64_t)want > w->start + (int64_t)w->used) {
		refill(w, offset);
		if (want > w->used)
			want = w->used;
	}
	*have = want;
	return w->data + (offset - w->start);
}

static inline const unsigned char *window_at(struct mp_window *w, int64_t offset, size_t want, size_t *have)
{
	if (offset < w->start || offset + (int64_t)want > w->start + (int64_t)w->used)
		return move_window(w, offset, want, have);
	*have = want;
	return w->data + (offset - w->start);
}

const unsigned char *mp_window_at(struct mp_window *w, int64_t offset, size_t want, size_t *have)
{
	return window_at(w, offset, want, have);
}

/* Returns whether the match bytes within the first `have` bytes are right. */
static bool matches(const struct mp_layout *l, const unsigned char *p, size_t have)
{
	for (int i = 0; i < l->match_count; i++) {
		const struct mp_match *m = &l->matches[i];

		if (m->offset + m->width <= have &&
		    (mp_load(p + m->offset, m->width, l->big_endian) >> m->shift & m->mask) != m->value)
			return false;
	}
	return true;
}

static inline bool matches_whole(const struct mp_claim *c, const unsigned char *p)
{
	for (int i = 0; i < c->probe_count; i++) {
		uint64_t bits;

		memcpy(&bits, p + c->probes[i].offset, 8);
		if ((bits & c->probes[i].mask) != c->probes[i].value)
			return false;
	}
	return true;
}

const struct mp_layout *mp_reader_claimant(const struct mp_reader *r, const unsigned char *p, size_t have)
{
	bool whole = have >= r->layout->size && r->layout->size >= 8;

	for (int i = 0; i < r->claim_count; i++) {
		const struct mp_layout *l = r->claims[i].layout;

		if (whole ? matches_whole(&r->claims[i], p) : matches(l, p, have))
			return l;
	}
	return NULL;
}

/* Eight bytes of a record, shifted and masked. */
static inline uint64_t bits_at(const unsigned char *record, bool big_endian, const struct mp_bits *b)
{
	uint64_t bits;

	memcpy(&bits, record + b->offset, 8);
	return (big_endian ? be64toh(bits) : le64toh(bits)) >> b->shift & b->mask;
}

/* The number of a field of the current record. */
static inline uint64_t number_of(const struct mp_reader *r, int field, const struct mp_bits *bits)
{
	return r->layout->size < 8 ? mp_reader_bits(r, field) : bits_at(r->record, r->layout->big_endian, bits);
}

/* The record begins where the one before ended: both moments are rounded once. */
static void follow(struct mp_reader *r)
{
	const struct mp_portion *p = &r->portions[r->portion_at];
	int64_t passed;

	r->begin_ns = r->end_ns;
	if (__builtin_add_overflow(r->pace_sum, number_of(r, r->pace_field, &r->pace_bits), &r->pace_sum))
		r->pace_sum = UINT64_MAX;
	if (!mp_scale_ns(r->pace, r->pace_sum, &passed) || __builtin_add_overflow(p->start_ns, passed, &r->end_ns)) {
		r->tally.out_of_range++;
		r->end_ns = INT64_MAX;
	}
	r->span_ns = r->end_ns - r->begin_ns;
}

/* Returns whether a number of a record is lower than that of the record before, or too far above it. */
static bool falls(struct mp_reader_limit *limit, uint64_t number, uint64_t other, uint64_t most)
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

static void apply_rules(struct mp_reader *r)
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

static void count_sequence(struct mp_reader *r, size_t have)
{
	const struct mp_field *f = &r->layout->fields[r->layout->sequence];
	uint64_t found = number_of(r, r->layout->sequence, &r->sequence_bits);
	uint64_t expected = (r->sequence->last + 1) & f->mask;

	if (r->sequence->known && found != expected) {
		if (r->tally.gap_count < MP_DAMAGE_MAX)
			r->tally.gaps[r->tally.gap_count] = (struct mp_gap){r->offset - (int64_t)have, expected, found};
		r->tally.gap_count++;
	}
	r->sequence->known = true;
	r->sequence->last = found;
}

static void count_padding(struct mp_reader *r)
{
	for (int i = 0; i < r->layout->pad_count; i++) {
		const struct mp_pad *pad = &r->layout->pads[i];
		const unsigned char *p = r->record + pad->offset;

		if (pad->zero && (p[0] || memcmp(p, p + 1, pad->width - 1) != 0)) {
			r->tally.odd_padding++;
			return;
		}
	}
}

static void take_record(struct mp_reader *r, const unsigned char *p, size_t have)
{
	r->record = p;
	r->record_len = r->layout->size;
	if (r->has_rules)
		apply_rules(r);
	r->offset += (int64_t)have;
	r->tally.records++;
	r->tally.record_bytes += (int64_t)have;
	if (r->has_zeros)
		count_padding(r);
	if (r->layout->sequence >= 0)
		count_sequence(r, have);
}

static bool next_binary(struct mp_reader *r)
{
	const struct mp_layout *l = r->layout;

	for (;;) {
		size_t have;
		const unsigned char *p = window_at(&r->window, r->offset, l->size, &have);
		const struct mp_layout *owner;
		int64_t next;

		if (have == 0)
			return mp_reader_end(r);
		if (r->offset >= r->portions[r->portion_at].end)
			mp_reader_enter_portion(r, r->offset);
		owner = have < l->size ? mp_reader_join_record(r, p, have) : mp_reader_claimant(r, p, have);
		if (have < l->size && owner)
			p = r->joined;
		else if (have < l->size) {
			mp_reader_damage(r, r->offset, (int64_t)have,
			    mp_reader_claimant(r, p, have) ? "record cut short by the end of the file"
							   : "no record begins here");
			r->offset += (int64_t)have;
			return mp_reader_end(r);
		}
		have = have < l->size ? have : l->size;
		if (owner == l) {
			take_record(r, p, have);
			return true;
		}
		if (owner) {
			r->offset += (int64_t)have;
			r->tally.peer_bytes += r->is_peer ? 0 : (int64_t)have;
			continue;
		}
		next = mp_reader_search(r, r->offset);
		mp_reader_damage(r, r->offset, next - r->offset, "no record begins here");
		r->offset = next;
	}
}

bool mp_reader_next(struct mp_reader *reader)
{
	reader->scratch_used = 0;
	if (reader->layout->kind == MP_RECORD_BINARY)
		return next_binary(reader);
	return reader->layout->kind == MP_RECORD_TEXT ? mp_reader_next_piece(reader) : mp_reader_next_item(reader);
}

const unsigned char *mp_reader_bytes(const struct mp_reader *reader, int64_t *offset)
{
	*offset = reader->record == reader->joined ? -1 : reader->offset - (int64_t)reader->record_len;
	return reader->record;
}

void mp_reader_look(struct mp_reader *reader, const unsigned char *bytes)
{
	reader->scratch_used = 0;
	reader->record = bytes;
	reader->record_len = reader->layout->size;
}

/* span * num / den, cut or rounded half to even. Up to a plan's limit 64 bits suffice. */
static int64_t scale_span(const struct mp_scale *scale, uint64_t span, bool before)
{
	uint64_t scaled = span * scale->num, quotient = scaled / scale->den, rest = scaled % scale->den;

	if (scale->cut)
		return (int64_t)(quotient + mp_scale_cut(scale, rest, before));
	return (int64_t)(quotient + (rest > scale->den - rest || (rest == scale->den - rest && (quotient & 1))));
}

static int64_t scale_time(const struct mp_scale *scale, uint64_t count)
{
	return count < scale->origin_count ? scale->origin_ns - scale_span(scale, scale->origin_count - count, true)
					   : scale->origin_ns + scale_span(scale, count - scale->origin_count, false);
}

/*
 * The numbers of a plan before scaling. Returns false when they are above the limit, when the second is smaller, or
 * when the plan does not read numbers.
 */
static inline bool counts_of(
    const unsigned char *record, bool big_endian, const struct mp_plan *plan, uint64_t *from, uint64_t *to)
{
	if (plan->kind == MP_PLAN_SLOW)
		return false;
	if (plan->kind == MP_PLAN_GIVEN)
		return true;
	*from = *to = bits_at(record, big_endian, &plan->from);
	if (plan->kind == MP_PLAN_DURATION || plan->kind == MP_PLAN_DIFFERENCE)
		*to = bits_at(record, big_endian, &plan->to);
	return *from <= *to && *to <= plan->limit;
}

/* Decode by the plan of a column when the number cannot be unusual. */
static inline bool planned_number(
    const unsigned char *record, bool big_endian, const struct mp_plan *plan, int64_t *value)
{
	uint64_t from, to;

	if (!counts_of(record, big_endian, plan, &from, &to))
		return false;
	switch (plan->kind) {
	case MP_PLAN_GIVEN:
		*value = *plan->given;
		return true;
	case MP_PLAN_TIME:
		*value = scale_time(&plan->scale, from);
		return true;
	case MP_PLAN_DURATION:
		*value = scale_time(&plan->scale, to) - scale_time(&plan->scale, from);
		return true;
	case MP_PLAN_DIFFERENCE:
		*value = (int64_t)((to - from) * plan->num);
		return true;
	default:
		*value = (int64_t)(from * plan->num + plan->add);
		return true;
	}
}

/* The most common plan. */
static inline bool plain_number(
    const unsigned char *record, bool big_endian, const struct mp_plan *plan, int64_t *value)
{
	uint64_t number;

	if (plan->kind != MP_PLAN_NUMBER || (number = bits_at(record, big_endian, &plan->from)) > plan->limit)
		return false;
	*value = (int64_t)(number * plan->num + plan->add);
	return true;
}

struct mp_value mp_reader_value(struct mp_reader *reader, int index)
{
	int64_t value;

	if (planned_number(reader->record, reader->layout->big_endian, &reader->plans[1 + index], &value))
		return (struct mp_value){.type = MP_INT, .i = value};
	return mp_reader_slow_value(reader, index);
}

void mp_reader_row(struct mp_reader *reader, struct mp_value *values)
{
	const bool big_endian = reader->layout->big_endian;

	for (int i = 0; i < reader->layout->column_count; i++) {
		int64_t value;

		if (plain_number(reader->record, big_endian, &reader->plans[1 + i], &value))
			values[i] = (struct mp_value){.type = MP_INT, .i = value};
		else
			values[i] = mp_reader_value(reader, i);
	}
}

/* Handle columns that are not plain numbers. Returns true when the column has no number. */
static bool is_null(struct mp_reader *reader, int column, int64_t *value)
{
	struct mp_value v = mp_reader_value(reader, column);

	*value = v.type == MP_INT ? v.i : 0;
	return v.type != MP_INT;
}

/* Inlined once for each byte order, so that the byte order is a constant. */
__attribute__((always_inline)) static inline void numbers(
    struct mp_reader *reader, bool big_endian, const signed char *columns, int count, int64_t *values, bool *nulls)
{
	const unsigned char *record = reader->record;

	for (int i = 0; i < count; i++) {
		const struct mp_plan *plan = &reader->plans[1 + columns[i]];

		if (plain_number(record, big_endian, plan, &values[i]) ||
		    (plan->kind == MP_PLAN_DIFFERENCE && planned_number(record, big_endian, plan, &values[i]))) {
			nulls[i] = false;
		} else if (columns[i] < 0) {
			values[i] = 0;
			nulls[i] = true;
		} else {
			nulls[i] = is_null(reader, columns[i], &values[i]);
		}
	}
}

void mp_reader_numbers(struct mp_reader *reader, const signed char *columns, int count, int64_t *values, bool *nulls)
{
	if (reader->layout->big_endian)
		numbers(reader, true, columns, count, values, nulls);
	else
		numbers(reader, false, columns, count, values, nulls);
}

void mp_reader_count(struct mp_reader *reader, bool count)
{
	reader->uncounted = !count;
}

/* A number with its highest bit set is too large to be stored unchanged. */
static void count_wide(struct mp_reader *r)
{
	for (int i = 0; i < r->wide_count; i++)
		r->tally.out_of_range += bits_at(r->record, r->layout->big_endian, &r->wide[i]) > (uint64_t)INT64_MAX;
}

void mp_reader_check(struct mp_reader *reader)
{
	const unsigned char *record = reader->record;
	bool uncounted = reader->uncounted, big_endian = reader->layout->big_endian;
	uint64_t all = 0, from, to;

	for (int i = 0; i < reader->wide_count; i++)
		all |= bits_at(record, big_endian, &reader->wide[i]);
	if (all > (uint64_t)INT64_MAX)
		count_wide(reader);
	reader->uncounted = false;
	for (int i = 0; i < reader->doubt_count; i++)
		if (!counts_of(record, big_endian, &reader->plans[1 + reader->doubts[i]], &from, &to))
			mp_reader_value(reader, reader->doubts[i]);
	reader->uncounted = uncounted;
}
