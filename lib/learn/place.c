/* place.c: reads counters at places of the hardware's words, and says what tables make of counters. */
#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "learn/places.h"

static uint64_t load(const struct mp_words *words, unsigned offset, unsigned width, size_t record)
{
	uint64_t bits = 0;

	memcpy(&bits, words->bytes + record * words->span + (offset - words->low), width);
	return le64toh(bits);
}

uint64_t mp_place_value(const struct mp_words *words, const struct mp_place *p, int counter, size_t record)
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

bool mp_place_is_possible(const struct mp_words *words, const struct mp_place *p)
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

__int128 mp_row_counter(
    const struct mp_words *words, const struct mp_place *p, int counter, const struct mp_row *row, uint64_t *ticks)
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
