/*
 * phase.c: finds where records of a known size begin in files, by their bytes alone: how likely each byte is in a
 * record at its place, compared with how likely it is in a header. A file may end with a part of a record, so its size
 * does not tell.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/memory.h"
#include "learn/search.h"

enum { PARTS_MAX = 8, NEAR_ENOUGH = 40, NOISE_LEAST = 8 };

/*
 * What is known before a look at the bytes, as logarithms: most files have no header, and fewer are cut. Where no byte
 * decides, a header that leaves whole records is likelier than bytes that are left at the end.
 */
#define WHOLE 7.0
#define NO_HEADER 6.0
#define ALIGNED 1.5
#define MARKED 3.0
/* Of the bytes of a header that is no noise. */
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

/* Returns whether nearly as many bytes differ as in noise: then a byte does not tell a record from a header. */
static bool is_noise(const struct counts *c)
{
	return c->all >= NOISE_LEAST && c->different >= 0.8 * 256 * (1 - pow(255.0 / 256, c->all));
}

/* How likely the bytes of a header are as those of records, as numbers, and as noise; as logarithms. */
struct odds {
	double record, numbers, noise;
};

/* Count a byte. Headers of several files are often the same: what all files have at this place does not count. */
static void add_odds(struct odds *odds, const struct places *p, size_t at, unsigned char value)
{
	const struct counts *c = &p->counts[at % p->record];
	double all = c->all, same = c->of[value], different = c->different;
	double own = 0, record;

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
		return;
	if (is_noise(c))
		record = 1.0 / 256;
	else if (same > 0)
		record = same / (all + different);
	else
		/* a byte that was not there before, where new ones are usual */
		record = different / (all + different) / (different < 255 ? 256 - different : 1);
	odds->record += log(record);
	odds->numbers += log(value ? (1 - ZERO_IN_HEADER) / 255 : ZERO_IN_HEADER);
	odds->noise -= log(256);
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
	if (at < phases->count && score < scores[at])
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
	double scores[MP_PHASE_MAX] = {0};
	struct odds odds = {0};

	for (size_t at = 0; at <= last; at++) {
		double header = odds.numbers > odds.noise ? odds.numbers : odds.noise;

		keep(phases, scores, p->record, at, header - odds.record + before_looking(p, at));
		for (size_t i = 0; i < p->part_count; i++)
			add_odds(&odds, p, at, p->raw->bytes[p->parts[i]->begin + at]);
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
	p.counts = p.part_count ? mp_learn_calloc(record, sizeof(*p.counts)) : NULL;
	if (!p.counts)
		return;
	count_bytes(&p);
	judge(phases, &p, last);
	free(p.counts);
}
