/*
 * search.c: reads counters at places of the hardware's words, and says what tables make of counters. Tries each place
 * and scale for a counter, and gives up a place at the first rows that differ.
 */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "learn/places.h"

static uint64_t load(const struct mp_learn_words *words, unsigned offset, unsigned width, size_t record)
{
	uint64_t bits = 0;

	memcpy(&bits, words->bytes + record * words->span + (offset - words->low), width);
	return le64toh(bits);
}

uint64_t mp_place_value(const struct mp_learn_words *words, const struct mp_place *p, int counter, size_t record)
{
	uint64_t v = load(words, p->offset, p->width, record);
	uint64_t less = p->minus ? load(words, p->minus, p->minus_width, record) : 0;

	if (v < less)
		return MP_IMPOSSIBLE;
	v -= less;
	if (p->per_mille)
		return v > 1000000 ? MP_IMPOSSIBLE : v * words->ticks[record];
	return v > MP_COUNTER_MAX / p->scale ? MP_IMPOSSIBLE : v * p->scale * (mp_is_bytes(counter) ? 1 : 10);
}

bool mp_place_is_possible(const struct mp_learn_words *words, const struct mp_place *p)
{
	for (unsigned at = p->offset; at < p->offset + p->width; at++)
		if (at >= words->low + words->span || !words->hardware[at])
			return false;
	return true;
}

void mp_place_text(const struct mp_place *p, char *text, size_t size)
{
	char minus[32] = "", scale[32] = "";

	if (p->minus)
		snprintf(minus, sizeof(minus), " minus u%d @%d", 8 * p->minus_width, p->minus);
	if (p->scale > 1)
		snprintf(scale, sizeof(scale), " x %u", (unsigned)p->scale);
	snprintf(text, size, "u%d @%d%s%s", 8 * p->width, p->offset, minus, p->per_mille ? " per mille" : scale);
}

__int128 mp_row_counter(const struct mp_learn_words *words, const struct mp_place *p, int counter,
    const struct mp_row *row, uint64_t *ticks)
{
	__int128 sum = 0;

	*ticks = 0;
	for (size_t i = row->first; i < (size_t)row->first + row->count; i++) {
		uint64_t value = mp_place_value(words, p, counter, i);

		if (value == MP_IMPOSSIBLE)
			return -1;
		sum += value;
		*ticks += words->ticks[i];
	}
	return sum;
}

static __int128 larger(__int128 a, __int128 b)
{
	return a > b ? a : b;
}

bool mp_expect(const struct mp_table *t, enum mp_meaning m, const struct mp_item *item, struct mp_exact *exact)
{
	static const unsigned bound =
				  1U << MP_DSTR | 1U << MP_DLD | 1U << MP_WLD | 1U << MP_MAC_BUSY | 1U << MP_VEC_PPEN,
			      bytes = 1U << MP_DDR_READ | 1U << MP_DDR_WRITE;
	const __int128 *c = item->counters;
	unsigned needs = m == MP_MEANS_MEMORY_BOUND ? bound
			 : m == MP_MEANS_DDR_TOTAL  ? bytes
						    : 1U << (m - MP_MEANS_MAC_BUSY);

	for (int i = 0; i < MP_COUNTERS; i++)
		if (needs >> i & 1 && c[i] < 0)
			return false;
	if (m == MP_MEANS_MEMORY_BOUND)
		*exact = (struct mp_exact){
		    larger(larger(c[MP_DSTR], c[MP_DLD]), c[MP_WLD]), larger(c[MP_MAC_BUSY], c[MP_VEC_PPEN])};
	else if (m < MP_MEANS_DDR_READ || m > MP_MEANS_DDR_TOTAL)
		*exact = (struct mp_exact){c[m - MP_MEANS_MAC_BUSY], (__int128)item->ticks * 10};
	else
		*exact = (struct mp_exact){
		    m == MP_MEANS_DDR_TOTAL ? c[MP_DDR_READ] + c[MP_DDR_WRITE] : c[m - MP_MEANS_MAC_BUSY],
		    t->columns[t->column_of[m]].unit};
	return true;
}

#define NO_CELL INT64_MIN

static const uint32_t of_cycles[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768,
    65536},
		      of_bytes[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000, 1024};

struct search {
	const struct mp_learn_words *words;
	const struct mp_learn_rows *rows;
	int counter;
	int64_t *cells;     /* one a row; NO_CELL: the table says nothing */
	size_t limit;       /* rows that a candidate may leave unexplained */
	unsigned char *any; /* the bits that a byte of the words has in some record */
	struct mp_candidates *found;
	struct mp_work *work;
	struct mp_error *err;
};

/* The rules by which a place explains a row; all of them when the row says nothing. */
static unsigned rules_of_row(const struct search *s, const struct mp_place *p, size_t row)
{
	const struct mp_row *r = &s->rows->items[row];
	const struct mp_table *t = &s->rows->refs->items[r->table];
	enum mp_meaning m = mp_counter_meaning(s->counter);
	struct mp_item item;
	struct mp_exact exact;

	if (s->cells[row] == NO_CELL)
		return MP_RULE_ANY;
	item.counters[s->counter] = mp_row_counter(s->words, p, s->counter, r, &item.ticks);
	if (item.counters[s->counter] < 0)
		return 0;
	if ((item.counters[s->counter] == 0 && s->cells[row] == 0) || (!item.ticks && !mp_is_bytes(s->counter)))
		return MP_RULE_ANY;
	if (!mp_expect(t, m, &item, &exact))
		return 0;
	return mp_exact_rules(exact, s->cells[row], t->columns[t->column_of[m]].decimals);
}

/* How many rows a place does not explain, counted up to limit + 1. A table is rounded by one rule. */
static size_t count_misses(const struct search *s, const struct mp_place *p)
{
	unsigned rules = MP_RULE_ANY;
	size_t misses = 0;

	for (size_t i = 0; i < s->rows->count && misses <= s->limit; i++) {
		unsigned now;

		if (!mp_work_take(s->work, s->rows->items[i].count))
			return s->limit + 1;
		if (i && s->rows->items[i].table != s->rows->items[i - 1].table)
			rules = MP_RULE_ANY;
		now = rules & rules_of_row(s, p, i);
		rules = now ? now : rules;
		misses += !now;
	}
	return misses;
}

static uint64_t hash_of(const struct search *s, const struct mp_place *p)
{
	uint64_t hash = 0;

	mp_work_take(s->work, s->words->count);
	for (size_t i = 0; i < s->words->count; i++) {
		hash = (hash ^ mp_place_value(s->words, p, s->counter, i)) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash | 1; /* 0 is none */
}

static int add(struct search *s, const struct mp_place *p, uint64_t hash, uint64_t against)
{
	struct mp_candidates *found = s->found;

	if (found->count == MP_CANDIDATES_MAX)
		return 0;
	if (!mp_vec_room(found->items, found->count, 1))
		return mp_fail_memory(s->err, "candidates");
	found->items[found->count++] = (struct mp_candidate){*p, hash, against};
	return 0;
}

/* Add a place that explains more rows than all before, or as many. */
static int try_one(struct search *s, const struct mp_place *p, uint64_t against)
{
	size_t misses = count_misses(s, p);

	if (misses > s->limit)
		return 0;
	if (misses < s->limit)
		s->found->count = 0;
	s->limit = misses;
	return add(s, p, hash_of(s, p), against);
}

/* Try a place with each scale; as a total with that of what is subtracted. */
static int try_scales(struct search *s, struct mp_place p, const struct mp_candidate *read)
{
	bool bytes = mp_is_bytes(s->counter);
	const uint32_t *scales = bytes ? of_bytes : of_cycles;
	size_t count = bytes ? sizeof(of_bytes) / sizeof(*of_bytes) : sizeof(of_cycles) / sizeof(*of_cycles);

	if (read) {
		p.scale = read->place.scale;
		p.minus = read->place.offset;
		p.minus_width = read->place.width;
		return mp_places_overlap(&p, &read->place) ? 0 : try_one(s, &p, read->hash);
	}
	for (size_t i = 0; i < count + !bytes; i++) {
		p.per_mille = i == count;
		p.scale = p.per_mille ? 1 : scales[i];
		if (try_one(s, &p, 0))
			return -1;
	}
	return 0;
}

/* Whether a place has no bit in any record. */
static bool is_empty(const struct search *s, const struct mp_place *p)
{
	for (unsigned i = 0; i < p->width; i++)
		if (s->any[p->offset - s->words->low + i])
			return false;
	return true;
}

/* Whether what the tables show as 0 is hardly more: less than a hundredth of a per cent, or about ten bytes. */
static bool is_fine(const struct search *s)
{
	for (size_t i = 0; i < s->rows->count; i++) {
		const struct mp_table *t = &s->rows->refs->items[s->rows->items[i].table];
		int column = t->column_of[mp_counter_meaning(s->counter)];

		if (column >= 0 &&
		    (mp_is_bytes(s->counter)
			    ? t->columns[column].unit > MP_FINE_BYTES * mp_power_of_10(t->columns[column].decimals)
			    : t->columns[column].decimals < MP_FINE_DECIMALS))
			return false;
	}
	return true;
}

/* Places without a bit in any record are alike: the first of them tells whether all are candidates. */
static int add_empty(struct search *s, bool *fits)
{
	const struct mp_learn_words *w = s->words;
	struct mp_place p = {.scale = 1};
	uint64_t hash = 0;

	for (p.width = 2; p.width <= 8; p.width *= 2)
		for (size_t at = w->low; at < w->low + w->span; at += 2) {
			p.offset = (uint16_t)at;
			if (!mp_place_is_possible(w, &p) || !is_empty(s, &p))
				continue;
			if (!hash)
				*fits = count_misses(s, &p) == 0;
			hash = hash ? hash : hash_of(s, &p);
			if (*fits && add(s, &p, hash, 0))
				return -1;
		}
	return 0;
}

/*
 * Try all places; with `read` as a total. Empty places are it where tables say 0 throughout, unless these say so little
 * that the counter may be more.
 */
static int try_places(struct search *s, const struct mp_candidate *read)
{
	const struct mp_learn_words *w = s->words;
	struct mp_place p = {.scale = 1};
	bool fits = false;

	if (!read && add_empty(s, &fits))
		return -1;
	if (fits && !s->found->nonzero && is_fine(s))
		return 0;
	for (p.width = 2; p.width <= 8; p.width *= 2)
		for (size_t at = w->low; at < w->low + w->span && !s->work->ended; at += 2) {
			p.offset = (uint16_t)at;
			if (mp_place_is_possible(w, &p) && (read || !is_empty(s, &p)) && try_scales(s, p, read))
				return -1;
		}
	return 0;
}

/* The numbers of the rows, and the bits that are used at all. */
static int begin(struct search *s)
{
	const struct mp_learn_rows *rows = s->rows;
	const struct mp_learn_words *w = s->words;
	enum mp_meaning m = mp_counter_meaning(s->counter);

	s->cells = malloc((rows->count + 1) * sizeof(*s->cells));
	s->any = calloc(w->span + 1, 1);
	if (!s->cells || !s->any)
		return mp_fail_memory(s->err, "cells");
	for (size_t i = 0; i < w->count * w->span; i += w->span)
		for (size_t k = 0; k < w->span; k++)
			s->any[k] |= w->bytes[i + k];
	for (size_t i = 0; i < rows->count; i++) {
		const struct mp_row *r = &rows->items[i];
		const struct mp_table *t = &rows->refs->items[r->table];

		if (!mp_table_number(t, r->row, m, &s->cells[i]) || (r->row == t->total && mp_is_sum_of_cells(t, m)))
			s->cells[i] = NO_CELL;
		s->found->rows += s->cells[i] != NO_CELL;
		s->found->nonzero += s->cells[i] != NO_CELL && s->cells[i] != 0;
	}
	return 0;
}

int mp_search(struct mp_candidates *found, const struct mp_learn_words *words, const struct mp_learn_rows *rows,
    int counter, const struct mp_candidates *read, struct mp_work *work, struct mp_error *err)
{
	struct search s = {.words = words, .rows = rows, .counter = counter, .found = found, .work = work, .err = err};
	int status = begin(&s);
	uint64_t done = 0;

	if (!status && found->rows)
		status = try_places(&s, NULL);
	for (size_t i = 0; !status && read && i < read->count && found->rows && !work->ended; i++) {
		if (read->items[i].hash != done)
			status = try_places(&s, &read->items[i]);
		done = read->items[i].hash;
	}
	s.limit = found->rows / MP_MISSES_PART;
	if (!status && !found->count && s.limit) {
		status = try_places(&s, NULL);
		found->misses = s.limit;
	}
	found->not_searched = work->ended;
	if (work->ended)
		found->count = 0;
	free(s.cells);
	free(s.any);
	return status;
}
