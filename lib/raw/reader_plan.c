/* reader_plan.c: opens a reader: turns a layout and a clock into plans, once, so that each record costs little. */
#include <stdlib.h>
#include <sys/stat.h>

#include "base/wide.h"
#include "raw/reader_internal.h"

/*
 * Describe a number as eight bytes to load, shift and mask. The eight bytes lie within every record of the layout, so a
 * number at the end of a record is the last part of its eight bytes.
 */
static struct mp_bits bits_of(const struct mp_reader *r, size_t offset, size_t width, unsigned shift, uint64_t mask)
{
	size_t at = offset + 8 <= r->layout->size ? offset : r->layout->size - 8;
	size_t before = r->layout->big_endian ? at + 8 - (offset + width) : offset - at; /* bytes of lower value */

	return (struct mp_bits){(uint16_t)at, (unsigned char)(8 * before + shift), mask};
}

static struct mp_bits bits_of_field(const struct mp_reader *r, int field)
{
	const struct mp_field *f = &r->layout->fields[field];

	return bits_of(r, f->offset, f->width, f->shift, f->mask);
}

/*
 * The greatest count whose times are far from the end of their range, whatever the origin. Returns false when that is
 * hard to tell.
 */
static bool find_limit(struct mp_scale scale, uint64_t *greatest)
{
	const uint64_t quarter = (uint64_t)INT64_MAX / 4;
	uint64_t limit;
	mp_wide wide, rest;

	if (!scale.den || scale.origin_ns < 0 || (uint64_t)scale.origin_ns > quarter)
		return false;
	wide = mp_wide_divide(mp_wide_product(quarter, scale.den), mp_wide_of(0, scale.num), &rest);
	limit = mp_wide_high(wide) || mp_wide_low(wide) > quarter ? quarter : mp_wide_low(wide);
	if (limit > UINT64_MAX / scale.num) /* and the computation must fit into 64 bits */
		limit = UINT64_MAX / scale.num;
	*greatest = limit;
	return scale.origin_count <= limit;
}

/* The scale of a computed column. The difference of two moments is that of two times. */
static struct mp_scale scale_of(const struct mp_layout *l, const struct mp_column *c, const struct mp_clock *clock)
{
	switch (c->kind) {
	case MP_COLUMN_TIME:
	case MP_COLUMN_DURATION:
	case MP_COLUMN_BEGIN:
	case MP_COLUMN_SPAN:
		return mp_clock_scale(clock, c->unit);
	case MP_COLUMN_VALUE:
		return mp_scale_of(c->num, c->den);
	case MP_COLUMN_SHARE: /* of 100 cycles for each tick */
		return mp_layout_begin(l)->unit == MP_UNIT_TICK100 ? mp_scale_of(100 * l->parts, c->den)
								   : (struct mp_scale){.den = 0};
	default:
		return (struct mp_scale){.den = 0};
	}
}

/* Shares, maps and differences of values are computed without a plan. */
static struct mp_plan plan_derived(const struct mp_reader *r, const struct mp_column *c)
{
	bool is_single = c->kind != MP_COLUMN_DURATION && c->from == c->to;
	struct mp_plan plan = {
	    .kind = is_single ? MP_PLAN_TIME : MP_PLAN_DURATION, .scale = r->scales[c - r->layout->columns]};

	if (c->kind == MP_COLUMN_SHARE || c->kind == MP_COLUMN_MAP || c->kind == MP_COLUMN_CONSTANT ||
	    (c->kind == MP_COLUMN_VALUE && !is_single) || !find_limit(plan.scale, &plan.limit))
		return (struct mp_plan){.kind = MP_PLAN_SLOW};
	if (c->kind == MP_COLUMN_BEGIN || c->kind == MP_COLUMN_SPAN) {
		plan.kind = MP_PLAN_GIVEN;
		plan.given = c->kind == MP_COLUMN_BEGIN ? &r->begin_ns : &r->span_ns;
		return plan;
	}
	plan.from = bits_of_field(r, c->from);
	plan.to = bits_of_field(r, c->to);
	if (plan.scale.den == 1) {
		plan.kind = is_single ? MP_PLAN_NUMBER : MP_PLAN_DIFFERENCE;
		plan.num = plan.scale.num;
		plan.add = is_single ? (uint64_t)plan.scale.origin_ns - plan.scale.origin_count * plan.num : 0;
	}
	return plan;
}

static struct mp_plan plan_column(const struct mp_reader *r, const struct mp_column *c)
{
	const struct mp_layout *l = r->layout;
	struct mp_plan plan = {.kind = MP_PLAN_SLOW, .num = 1};
	const struct mp_field *f;

	if (l->kind != MP_RECORD_BINARY || l->size < 8)
		return plan;
	if (c->kind != MP_COLUMN_FIELD)
		return plan_derived(r, c);
	f = &r->layout->fields[c->from];
	if (f->kind != MP_FIELD_UINT && f->kind != MP_FIELD_HASH)
		return plan;
	plan.kind = MP_PLAN_NUMBER;
	plan.from = bits_of_field(r, c->from);
	plan.limit = f->kind == MP_FIELD_HASH ? UINT64_MAX : (uint64_t)INT64_MAX;
	return plan;
}

static bool may_be_odd(const struct mp_reader *r, const struct mp_column *c)
{
	const struct mp_field *f = &r->layout->fields[c->kind == MP_COLUMN_FIELD ? c->from : 0];

	if (c->kind == MP_COLUMN_CAPTURE || c->kind == MP_COLUMN_ITEM || c->kind == MP_COLUMN_MAP)
		return true;
	if (c->kind != MP_COLUMN_FIELD)
		return r->scales[c - r->layout->columns].den != 0;
	if (f->kind == MP_FIELD_CHARS || f->kind == MP_FIELD_MIXED)
		return true;
	return f->kind == MP_FIELD_UINT && f->mask > (uint64_t)INT64_MAX;
}

static void find_doubts(struct mp_reader *r)
{
	for (int i = 0; i < r->layout->column_count; i++) {
		const struct mp_column *c = &r->layout->columns[i];

		if (!may_be_odd(r, c))
			continue;
		if (c->kind == MP_COLUMN_FIELD && r->plans[1 + i].kind == MP_PLAN_NUMBER)
			r->wide[r->wide_count++] = r->plans[1 + i].from;
		else
			r->doubts[r->doubt_count++] = (unsigned char)i;
	}
}

/* Add a condition as mask and value of eight bytes. Conditions on nearby bytes share one probe. */
static void add_match(struct mp_claim *claim, const struct mp_match *m)
{
	const struct mp_layout *l = claim->layout;
	struct mp_probe *probe = claim->probe_count ? &claim->probes[claim->probe_count - 1] : NULL;
	unsigned char mask[8] = {0}, value[8] = {0};
	size_t at = m->offset - m->offset % 8;
	uint64_t bits;

	if (!probe || m->offset < probe->offset || m->offset + m->width > probe->offset + 8) {
		if (m->offset + m->width > at + 8)
			at = m->offset;
		probe = &claim->probes[claim->probe_count++];
		*probe = (struct mp_probe){.offset = at + 8 <= l->size ? at : l->size - 8};
	}
	for (size_t i = 0; i < m->width; i++) {
		at = m->offset - probe->offset + (l->big_endian ? m->width - 1 - i : i);
		mask[at] = (unsigned char)(m->mask << m->shift >> 8 * i);
		value[at] = (unsigned char)(m->value << m->shift >> 8 * i);
	}
	memcpy(&bits, mask, 8);
	probe->mask |= bits;
	memcpy(&bits, value, 8);
	probe->value |= bits;
}

/* Make the claims of the layout and its peers, those with more match bytes first. */
static int find_claims(struct mp_reader *r, struct mp_error *err)
{
	const struct mp_layout *l = r->layout;

	for (const struct mp_layout *at = l; !r->claim_count || at != l; at = at->peer)
		r->claim_count++;
	r->claims = calloc((size_t)r->claim_count, sizeof(*r->claims));
	if (!r->claims)
		return mp_fail_memory(err, "a reader");
	for (int i = 0; i < r->claim_count; i++, l = l->peer) {
		int at = i;

		for (; at && r->claims[at - 1].layout->match_count < l->match_count; at--)
			r->claims[at] = r->claims[at - 1];
		r->claims[at] = (struct mp_claim){.layout = l};
		for (int k = 0; l->size >= 8 && k < l->match_count; k++)
			add_match(&r->claims[at], &l->matches[k]);
	}
	return 0;
}

/* Prepare the rules of the layout about records. */
static void plan_rules(struct mp_reader *r)
{
	const struct mp_layout *l = r->layout;
	const struct mp_column *begin = mp_layout_begin(l);

	r->has_rules = begin || l->holds_count || l->agrees_count;
	if (begin) {
		r->pace = r->scales[begin - l->columns];
		r->pace_field = begin->from;
	}
	if (l->size < 8) /* too small for numbers that are read in eight bytes */
		return;
	if (begin)
		r->pace_bits = bits_of_field(r, begin->from);
	for (int i = 0; i < l->holds_count; i++) {
		const struct mp_holds *h = &l->holds[i];

		r->limits[i].low = bits_of_field(r, h->field);
		if (h->other >= 0)
			r->limits[i].high = bits_of_field(r, h->other);
	}
	if (l->sequence >= 0)
		r->sequence_bits = bits_of_field(r, l->sequence);
	for (int i = 0; i < l->agrees_count; i++)
		r->agree_bits[i] = bits_of_field(r, l->agrees[i].field);
}

static int plan(struct mp_reader *r, const struct mp_clock *clock, struct mp_error *err)
{
	for (int i = 0; i < r->layout->column_count; i++)
		r->scales[i] = scale_of(r->layout, &r->layout->columns[i], clock);
	for (int i = 0; i < r->layout->column_count; i++)
		r->plans[1 + i] = plan_column(r, &r->layout->columns[i]);
	find_doubts(r);
	if (r->layout->kind == MP_RECORD_BINARY)
		plan_rules(r);
	for (int i = 0; i < r->layout->pad_count; i++)
		r->has_zeros = r->has_zeros || r->layout->pads[i].zero;
	return find_claims(r, err);
}

static int window_open(struct mp_window *w, int fd, struct mp_error *err)
{
	struct stat st;

	memset(w, 0, sizeof(*w));
	if (fstat(fd, &st))
		return mp_fail_errno(err, "cannot read the size");
	w->fd = fd;
	w->size = w->limit = st.st_size;
	w->data = malloc(MP_WINDOW_SIZE);
	return w->data ? 0 : mp_fail_memory(err, "a read buffer");
}

static void window_close(struct mp_window *w)
{
	free(w->data);
	w->data = NULL;
}
int mp_reader_open(struct mp_reader **reader, int fd, const struct mp_layout *layout, const struct mp_clock *clock,
    struct mp_sequence *sequence, struct mp_error *err)
{
	struct mp_reader *r = calloc(1, sizeof(*r));

	*reader = NULL;
	if (!r)
		return mp_fail_memory(err, "a reader");
	if (window_open(&r->window, fd, err)) {
		free(r);
		return -1;
	}
	r->layout = layout;
	r->sequence = sequence ? sequence : &r->own_sequence;
	if (plan(r, clock, err)) {
		mp_reader_close(r);
		return -1;
	}
	r->tally.size = r->window.size;
	r->search_left = SEARCH_ITEMS_MAX;
	r->own_portion = (struct mp_portion){.end = r->window.size, .identity = MP_NO_IDENTITY};
	mp_reader_divide(r, &r->own_portion, 1);
	*reader = r;
	return 0;
}

void mp_reader_be_peer(struct mp_reader *reader)
{
	reader->is_peer = true;
}

void mp_reader_close(struct mp_reader *reader)
{
	if (!reader)
		return;
	window_close(&reader->window);
	free(reader->claims);
	free(reader);
}

const struct mp_tally *mp_reader_tally(const struct mp_reader *reader)
{
	return &reader->tally;
}
