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

struct mp_exact mp_exact_counter(const struct mp_table *t, enum mp_meaning meaning, __int128 value, uint64_t ticks)
{
	bool is_size = meaning >= MP_MEANS_DDR_READ && meaning <= MP_MEANS_DDR_TOTAL;

	return (struct mp_exact){value, is_size ? t->columns[t->column_of[meaning]].unit : (__int128)ticks * 10};
}

struct mp_exact mp_exact_bound(const __int128 v[MP_COUNTERS])
{
	__int128 memory = v[MP_DSTR], work = v[MP_MAC_BUSY];

	memory = v[MP_DLD] > memory ? v[MP_DLD] : memory;
	memory = v[MP_WLD] > memory ? v[MP_WLD] : memory;
	work = v[MP_VEC_PPEN] > work ? v[MP_VEC_PPEN] : work;
	return (struct mp_exact){memory, work};
}
