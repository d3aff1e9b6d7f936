/* parts.c: in how many parts a cycle or a nanosecond is stored, so that no number of the records has a fraction. */
#include "learn/search.h"
#include "raw/clock.h"

/* So many counts of a unit are so many cycles of the core. */
struct rate {
	uint64_t counts, cycles;
};

/* The least common multiple of the parts and of those of num / den; 0 when it is too large. */
static uint64_t with_fraction(uint64_t parts, uint64_t num, uint64_t den)
{
	uint64_t more;

	if (!parts)
		return 0;
	more = mp_scale_of(parts, mp_scale_of(num, den).den).den; /* of lowest terms */
	return more <= MP_CYCLE_PARTS_MAX / parts ? parts * more : 0;
}

static struct rate rate_of(enum mp_unit unit, int64_t core_mhz)
{
	if (unit == MP_UNIT_TICK100 || unit == MP_UNIT_CYCLE)
		return (struct rate){.counts = 1, .cycles = unit == MP_UNIT_CYCLE ? 1 : 100};
	return (struct rate){.counts = mp_counts_per_us(unit), .cycles = (uint64_t)core_mhz};
}

static uint64_t parts_of_tasks(const struct mp_raw *raw, const struct mp_solution *s, bool with_shares)
{
	uint64_t parts = 1;

	for (size_t i = 0; i < raw->part_count; i++) {
		struct rate rate = rate_of(s->times.unit, raw->parts[i].core_mhz);

		if (!raw->parts[i].core_mhz)
			continue;
		parts = with_fraction(parts, rate.cycles, rate.counts);
		for (size_t k = 0; with_shares && k < s->part_count; k++)
			if (s->parts[k].found && s->parts[k].candidate.relation == MP_AS_SHARE)
				parts = with_fraction(parts, rate.cycles, rate.counts * s->parts[k].candidate.scale);
	}
	return parts;
}

/* Returns whether the layout language has numbers that are large enough for counters in parts of a cycle. */
static bool has_room(const struct mp_solution *s, uint64_t parts)
{
	for (size_t i = 0; i < s->part_count; i++)
		if (s->parts[i].found && s->parts[i].candidate.scale > UINT32_MAX / parts)
			return false;
	return true;
}

uint64_t mp_find_parts(const struct mp_raw *raw, const struct mp_solution *s)
{
	uint64_t parts;

	if (s->is_of_calls)
		return with_fraction(1, 1000, mp_counts_per_us(s->times.unit));
	parts = parts_of_tasks(raw, s, true);
	if (!parts) /* those that count most stay exact; the proof says what that makes of the others */
		parts = parts_of_tasks(raw, s, false);
	return parts && has_room(s, parts) ? parts : 1;
}

uint64_t mp_counts_per_us(enum mp_unit unit)
{
	return unit == MP_UNIT_NS ? 1000 : unit >= MP_UNIT_MHZ ? (uint64_t)(unit - MP_UNIT_MHZ + 1) : 1;
}
