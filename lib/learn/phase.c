/*
 * phase.c: finds where records of a known size begin in files, by their bytes alone: how likely each byte is in a
 * record at its place, compared with how likely it is in a header. A file may end with a part of a record, so its size
 * does not tell.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/search.h"

enum { PARTS_MAX = 8, NEAR_ENOUGH = 40 };

/* What is known before a look at the bytes, as logarithms: most files have no header, and few are cut. */
#define WHOLE 7.0
#define NO_HEADER 8.0
#define ALIGNED 1.5
#define MARKED 3.0
/* Of the bytes of a header. */
#define ZERO_IN_HEADER 0.6

/* How often each byte is at a place of records. */
struct counts {
	uint16_t of[256];
	uint32_t all;
	unsigned different;
};

struct places {
	const struct mp_raw *raw;
	const struct mp_raw_part *parts[PARTS_MAX];
	size_t part_count;
	size_t record, least;
	struct counts *counts; /* of each byte of a record */
};

/* The first byte of a file that certainly is one of a record. */
static size_t first_sure(const struct places *p, const struct mp_raw_part *part)
{
	return part->size > p->least * p->record ? part->size - p->least * p->record : 0;
}

static void count_bytes(struct places *p)
{
	for (size_t i = 0; i < p->part_count; i++) {
		const struct mp_raw_part *part = p->parts[i];
		size_t from = first_sure(p, part);

		for (size_t at = from; at < part->size; at++) {
			struct counts *c = &p->counts[at % p->record];
			uint16_t *n = &c->of[p->raw->bytes[part->begin + at]];

			if (*n == UINT16_MAX)
				continue;
			c->different += *n == 0;
			(*n)++;
			c->all++;
		}
	}
}

/*
 * How much more likely a byte is in a record than in a header, as a logarithm. Headers of several files are often the
 * same: what all files have at this place does not count.
 */
static double likely(const struct places *p, size_t at, unsigned char value)
{
	const struct counts *c = &p->counts[at % p->record];
	double all = c->all, same = c->of[value], different = c->different, header;
	double own = 0;

	for (size_t i = 0; i < p->part_count; i++) {
		const struct mp_raw_part *part = p->parts[i];

		if (at < first_sure(p, part) || at >= part->size)
			continue;
		all--;
		own += p->raw->bytes[part->begin + at] == value;
	}
	same -= own;
	different -= own > 0 && same <= 0;
	if (different < 1)
		return 0;
	header = value ? (1 - ZERO_IN_HEADER) / 255 : ZERO_IN_HEADER;
	if (same > 0)
		return log(same / (all + different) / header);
	/* a byte that was not there before, where new ones are usual */
	return log(different / (all + different) / (different < 255 ? 256 - different : 1) / header);
}

/* Returns whether a byte of all files is the same, not 0, and that of the next record. */
static bool is_mark(const struct places *p, size_t at)
{
	unsigned char value = p->raw->bytes[p->parts[0]->begin + at];

	for (size_t i = 0; i < p->part_count; i++) {
		const struct mp_raw_part *part = p->parts[i];

		if (at + p->record >= part->size || p->raw->bytes[part->begin + at] != value ||
		    p->raw->bytes[part->begin + at + p->record] != value)
			return false;
	}
	return value != 0;
}

static double before_looking(const struct places *p, size_t at)
{
	bool whole = true;

	for (size_t i = 0; i < p->part_count; i++)
		whole &= p->parts[i]->size % p->record == at % p->record;
	return (whole ? WHOLE : 0) + (at == 0 ? NO_HEADER : 0) + (at % 4 == 0 ? ALIGNED : 0) +
	       (is_mark(p, at) ? MARKED : 0);
}

/* Keep the likeliest of the places that are whole records apart. */
static void keep(struct mp_phases *phases, double *scores, size_t record, size_t phase, double score)
{
	size_t at = 0;

	while (at < phases->count &&
	       (phases->items[at] > phase ? phases->items[at] - phase : phase - phases->items[at]) % record)
		at++;
	if (at == MP_PHASE_MAX)
		at--;
	if (at < phases->count && score <= scores[at])
		return;
	phases->count += at == phases->count;
	for (; at > 0 && scores[at - 1] < score; at--) {
		scores[at] = scores[at - 1];
		phases->items[at] = phases->items[at - 1];
	}
	scores[at] = score;
	phases->items[at] = phase;
}

static void judge(struct mp_phases *phases, const struct places *p, size_t last)
{
	double scores[MP_PHASE_MAX] = {0}, sum = 0;

	for (size_t at = last + 1; at-- > 0;) {
		for (size_t i = 0; i < p->part_count; i++)
			sum += likely(p, at, p->raw->bytes[p->parts[i]->begin + at]);
		keep(phases, scores, p->record, at, sum + before_looking(p, at));
	}
	while (phases->count > 2 && scores[phases->count - 1] < scores[0] - NEAR_ENOUGH)
		phases->count--;
}

void mp_find_phases(struct mp_phases *phases, const struct mp_raw *raw, size_t record, size_t least)
{
	struct places p = {.raw = raw, .record = record, .least = least};
	size_t last = MP_HEADER_MAX;

	phases->count = 0;
	for (size_t i = 0; i < raw->part_count && p.part_count < PARTS_MAX; i++) {
		const struct mp_raw_part *part = &raw->parts[i];

		if (part->size < 2 * record)
			continue;
		p.parts[p.part_count++] = part;
		last = part->size - record < last ? part->size - record : last;
	}
	p.counts = p.part_count ? calloc(record, sizeof(*p.counts)) : NULL;
	if (!p.counts)
		return;
	count_bytes(&p);
	judge(phases, &p, last);
	free(p.counts);
}
