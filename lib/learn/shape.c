/* shape.c: finds the likely sizes of records: the periods after which the bytes of a file are the same. */
#include <stdlib.h>
#include <string.h>

#include "learn/search.h"

enum {
	HEADER_ROOM = 4096,
	RECORD_MIN = 8,
	SAMPLE_BYTES = 32 * 1024,
	SAMPLE_RECORDS = 96,
	PERIOD_MAX = MP_RECORD_SIZE_MAX
};

/*
 * How many of 10,000 changes from one byte to the next are the same one period later. Runs of one byte, as padding is,
 * are the same after any period, and tell nothing.
 */
static unsigned alike(const unsigned char *bytes, size_t len, size_t period)
{
	size_t most = SAMPLE_RECORDS * period < SAMPLE_BYTES ? SAMPLE_RECORDS * period : SAMPLE_BYTES;
	size_t count = len - period - 1 < most ? len - period - 1 : most;
	const unsigned char *later = bytes + period;
	uint32_t same = 0, all = 0;

	for (size_t i = 0; i < count; i++) {
		unsigned change = bytes[i] != bytes[i + 1];

		all += change;
		same += change & (bytes[i] == later[i]) & (bytes[i + 1] == later[i + 1]);
	}
	return all ? (unsigned)((uint64_t)same * 10000 / all) : 0;
}

/* The scores of all periods by the largest file, behind `skip` of its bytes. Returns the largest period. */
static size_t score(unsigned scores[PERIOD_MAX + 1], const struct mp_raw *raw, const struct mp_raw_part *part,
    size_t skip, size_t least)
{
	size_t len = part->size - skip;
	size_t last = part->size / (least > 2 ? least : 2);

	memset(scores, 0, (PERIOD_MAX + 1) * sizeof(*scores));
	last = last < PERIOD_MAX ? last : PERIOD_MAX;
	last = last < len / 2 ? last : len / 2;
	for (size_t p = RECORD_MIN; p <= last; p++)
		scores[p] = alike(raw->bytes + part->begin + skip, len, p);
	return last;
}

/* The place where the first record begins, if files end with a whole record: what most files have left. */
static size_t phase_of(const struct mp_raw *raw, size_t record)
{
	size_t best = 0, most = 0;

	for (size_t i = 0; i < raw->part_count && i < 64; i++) {
		size_t phase = (size_t)((uint64_t)raw->parts[i].file->size % record), votes = 0;

		for (size_t k = 0; k < raw->part_count && k < 64; k++)
			votes += (uint64_t)raw->parts[k].file->size % record == phase;
		if (votes > most) {
			most = votes;
			best = phase;
		}
	}
	return best;
}

static bool has(const struct mp_shape *shapes, size_t count, size_t record)
{
	for (size_t i = 0; i < count; i++)
		if (shapes[i].record == record)
			return true;
	return false;
}

/* Add the periods with the best scores, at most until there are `max` shapes. */
static size_t add_best(struct mp_shape *shapes, size_t count, size_t max, const struct mp_raw *raw,
    const unsigned scores[PERIOD_MAX + 1], size_t last)
{
	while (count < max) {
		size_t best = 0;
		unsigned top = 0;

		/* a multiple of a period is about as good as the period: the smallest of nearly equal ones first */
		for (size_t p = RECORD_MIN; p <= last; p++)
			if (!has(shapes, count, p) && scores[p] > top + top / 50) {
				top = scores[p];
				best = p;
			}
		if (!best)
			break;
		shapes[count++] = (struct mp_shape){.record = best, .phase = phase_of(raw, best)};
	}
	return count;
}

/* The scores by the last records alone: a header may fill most of a short file. */
static size_t score_end(
    unsigned scores[PERIOD_MAX + 1], const struct mp_raw *raw, const struct mp_raw_part *part, size_t least)
{
	size_t last = part->size / least < PERIOD_MAX ? part->size / least : PERIOD_MAX;

	memset(scores, 0, (PERIOD_MAX + 1) * sizeof(*scores));
	for (size_t p = RECORD_MIN; p <= last; p++) {
		size_t len = (least + 1) * p < part->size ? (least + 1) * p : part->size;

		scores[p] = alike(raw->bytes + part->begin + part->size - len, len, p);
	}
	return last;
}

size_t mp_shapes(struct mp_shape shapes[MP_SHAPE_MAX], const struct mp_raw *raw, size_t least)
{
	const struct mp_raw_part *part = &raw->parts[0];
	unsigned scores[PERIOD_MAX + 1];
	size_t count, last, skip;

	least = least < 2 ? 2 : least;
	for (size_t i = 1; i < raw->part_count; i++)
		part = raw->parts[i].size > part->size ? &raw->parts[i] : part;
	skip = part->size / 2 < HEADER_ROOM ? part->size / 2 : HEADER_ROOM;
	last = score(scores, raw, part, skip, least);
	count = add_best(shapes, 0, 5, raw, scores, last);
	last = score_end(scores, raw, part, least);
	count = add_best(shapes, count, 9, raw, scores, last);
	if (skip < HEADER_ROOM && part->size > HEADER_ROOM + 4 * RECORD_MIN)
		last = score(scores, raw, part, HEADER_ROOM, least);
	return add_best(shapes, count, MP_SHAPE_MAX, raw, scores, last);
}
