/*
 * reader_account.c: the account of a raw file: damaged bytes, the portions of the file, and its end; records that lie
 * across two slices of a stream, or follow each other in time; and the rules of a layout that every record must fulfil.
 */
#include "raw/reader_internal.h"

#include <stdio.h>
#include <string.h>

void mp_reader_join(struct mp_reader *r, struct mp_joint *joint)
{
	int64_t head = joint->head < r->window.size ? joint->head : r->window.size;

	r->joint = joint;
	if (!head) /* a file with a header has no slices */
		return;
	r->offset = head;
	if (joint->head_lost)
		mp_reader_damage(r, 0, head, "the rest of a record whose beginning is not there");
	else if (!r->is_peer)
		r->tally.record_bytes += head;
}

const struct mp_layout *mp_reader_join_record(struct mp_reader *r, const unsigned char *p, size_t have)
{
	const struct mp_layout *l = r->layout, *owner;
	size_t need = l->size - have, after;

	if (!r->joint || r->joint->next_size < need)
		return NULL;
	memcpy(r->joined, p, have);
	memcpy(r->joined + have, r->joint->next, need);
	owner = mp_reader_claimant(r, r->joined, l->size);
	after = r->joint->next_size - need;
	if (!owner || (after && !mp_reader_claimant(r, r->joint->next + need, after < l->size ? after : l->size)))
		return NULL;
	r->joint->next_head = (int64_t)need;
	return owner;
}

size_t mp_reader_join_piece(struct mp_reader *r, const char *s, size_t len)
{
	const char *separator;
	size_t got;

	if (!r->joint || !r->joint->next_size || r->layout->kind != MP_RECORD_TEXT || len >= PIECE_MAX)
		return 0;
	got = r->joint->next_size < PIECE_MAX - len ? r->joint->next_size : PIECE_MAX - len;
	memcpy(r->joined, s, len);
	memcpy(r->joined + len, r->joint->next, got);
	separator = memchr(r->joined + len, r->layout->separator, got);
	if (!separator)
		return 0;
	r->joint->next_head = (int64_t)(separator - (const char *)r->joined - (ptrdiff_t)len) + 1;
	return (size_t)(separator - (const char *)r->joined);
}

/* Adjacent damage with the same reason is one entry. Damage beyond the last entry is added to that entry. */
/* The next record has none before it with which rules compare it. */
static void forget_record(struct mp_reader *r)
{
	for (int i = 0; i < r->layout->holds_count; i++)
		r->limits[i].known = false;
}

void mp_reader_damage(struct mp_reader *r, int64_t offset, int64_t bytes, const char *reason)
{
	struct mp_tally *t = &r->tally;
	struct mp_damage *last = t->damage_count ? &t->damage[t->damage_count - 1] : NULL;

	forget_record(r);
	if (r->is_peer)
		return;
	t->damaged_bytes += bytes;
	if (last && t->damage_count == MP_DAMAGE_MAX) {
		last->bytes += bytes;
		snprintf(last->reason, sizeof(last->reason), "this and further damage after it, summed up");
	} else if (last && last->offset + last->bytes == offset && strcmp(last->reason, reason) == 0) {
		last->bytes += bytes;
	} else {
		last = &t->damage[t->damage_count++];
		last->offset = offset;
		last->bytes = bytes;
		snprintf(last->reason, sizeof(last->reason), "%s", reason);
	}
}

/* Begin the portion at `portion_at`. */
static void begin_portion(struct mp_reader *r)
{
	r->pace_sum = 0;
	r->end_ns = r->portions[r->portion_at].start_ns;
	forget_record(r);
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

/* Close the accounts of all portions. */
static void close_portions(struct mp_reader *r)
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

bool mp_reader_end(struct mp_reader *r)
{
	int64_t lost = r->window.size - r->window.limit;
	char reason[64];

	if (lost > 0) {
		r->tally.read_errno = r->window.read_errno;
		if (r->window.read_errno)
			snprintf(reason, sizeof(reason), "read error: %s", strerror(r->window.read_errno));
		else
			snprintf(reason, sizeof(reason), "the file shrank while it was read");
		mp_reader_damage(r, r->window.limit, lost, reason);
		r->window.size = r->window.limit;
	}
	r->record = NULL;
	close_portions(r);
	return false;
}

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
