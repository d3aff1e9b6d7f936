/* calls_numbers.c: finds the numbers of a dictionary in records of a size. */
#include <stdlib.h>
#include <string.h>

#include "learn/calls_internal.h"
#include "learn/memory.h"

enum { SAMPLE_BYTES = 256 * 1024, ALIKE_SPOTS = 400 };

static int64_t number_at(const unsigned char *at, unsigned width, bool big_endian)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < width; i++)
		v = v << 8 | at[big_endian ? i : width - 1 - i];
	return v > INT64_MAX ? -1 : (int64_t)v;
}

/* How well the names at a place agree with the calls that references have. */
static size_t score_of(const size_t *hits, const struct mp_call_names *names, const size_t *expected)
{
	size_t found = 0, all = 0;

	for (size_t n = 0; n < names->count; n++) {
		found += hits[n] < expected[n] ? hits[n] : expected[n];
		all += hits[n];
	}
	return 2 * found > all ? 2 * found - all : 0;
}

/* All numbers of a type in a sample of the files that are names. */
static int find_hits(struct mp_call_spots *hits, const struct mp_raw *raw, const struct mp_call_dictionary *d,
    enum mp_type type, bool big_endian, struct mp_error *err)
{
	size_t share = SAMPLE_BYTES / raw->part_count;
	unsigned width = mp_type_width(type);

	hits->count = 0;
	for (size_t p = 0; p < raw->part_count; p++) {
		const struct mp_raw_part *part = &raw->parts[p];
		size_t size = part->size < share ? part->size : share;

		for (size_t at = 0; at + width <= size; at++) {
			uint32_t name =
			    mp_call_dictionary_find(d, number_at(raw->bytes + part->begin + at, width, big_endian));

			if (name != MP_NO_NAME &&
			    mp_call_spots_add(hits, (struct mp_call_spot){(uint32_t)p, name, at}, err))
				return -1;
		}
	}
	return 0;
}

/* Keep the best places in order; of equal ones the widest, which come first. */
static void keep(
    struct mp_call_number_place found[MP_CALL_PLACES_MAX], size_t *count, const struct mp_call_number_place *place)
{
	size_t at = *count;

	while (at > 0 && place->score > found[at - 1].score)
		at--;
	if (at == MP_CALL_PLACES_MAX)
		return;
	*count += *count < MP_CALL_PLACES_MAX;
	memmove(&found[at + 1], &found[at], (*count - at - 1) * sizeof(*found));
	found[at] = *place;
}

/* The places of one type in records of a size. `totals` and `counts` have room for each byte and name. */
static void find_places(struct mp_call_number_places *places, const struct mp_call_spots *hits,
    const struct mp_call_number_place *model, const struct mp_call_names *names, const size_t *expected, size_t *totals,
    size_t *counts)
{
	struct mp_call_number_place place = *model;

	memset(totals, 0, place.record * sizeof(*totals));
	for (size_t i = 0; i < hits->count; i++)
		totals[hits->items[i].at % place.record]++;
	for (place.offset = 0; place.offset < place.record; place.offset++) {
		size_t full = places->count == MP_CALL_PLACES_MAX ? places->items[places->count - 1].score : 1;

		if (totals[place.offset] <= full)
			continue;
		memset(counts, 0, names->count * sizeof(*counts));
		for (size_t i = 0; i < hits->count; i++)
			if (hits->items[i].at % place.record == place.offset)
				counts[hits->items[i].name]++;
		place.score = score_of(counts, names, expected);
		if (place.score > full)
			keep(places->items, &places->count, &place);
	}
}

int mp_call_number_places_find(struct mp_call_number_places *places, const struct mp_raw *raw,
    const struct mp_call_dictionary *d, const struct mp_call_names *names, const size_t *expected, const size_t *sizes,
    size_t size_count, struct mp_error *err)
{
	size_t *totals = mp_learn_malloc(MP_RECORD_SIZE_MAX * sizeof(*totals));
	size_t *counts = mp_learn_malloc((names->count + 1) * sizeof(*counts));
	struct mp_call_spots hits = {.count = 0};
	int status = totals && counts ? 0 : mp_fail_memory(err, "places of numbers");

	places->count = 0;
	for (int type = MP_TYPE_U64; !status && type >= (int)MP_TYPE_U8; type--)
		for (int big = 0; !status && big < (type == MP_TYPE_U8 ? 1 : 2); big++) {
			status = find_hits(&hits, raw, d, (enum mp_type)type, big, err);
			for (size_t i = 0; !status && i < size_count; i++) {
				struct mp_call_number_place place = {
				    .record = sizes[i], .type = (enum mp_type)type, .big_endian = big};

				find_places(places, &hits, &place, names, expected, totals, counts);
			}
		}
	mp_call_spots_free(&hits);
	free(totals);
	free(counts);
	return status ? -1 : 0;
}

/* Bytes around numbers that are the same in nearly all records. */
struct constants {
	unsigned char is[2 * MP_RECORD_SIZE_MAX], value[2 * MP_RECORD_SIZE_MAX];
	size_t count; /* of those that are not 0 */
};

static void find_constants(
    struct constants *c, const struct mp_raw *raw, const struct mp_call_spots *spots, size_t record)
{
	memset(c, 0, sizeof(*c));
	for (size_t at = 0; at < 2 * record - 1; at++) {
		size_t counts[256] = {0}, all = 0, best = 0;

		for (size_t i = 0; i < spots->count && i < ALIKE_SPOTS; i++) {
			const struct mp_raw_part *part = &raw->parts[spots->items[i].part];

			if (spots->items[i].at + at < record - 1 ||
			    spots->items[i].at + at - (record - 1) >= part->size)
				continue;
			counts[raw->bytes[part->begin + spots->items[i].at + at - (record - 1)]]++;
			all++;
		}
		for (size_t v = 1; v < 256; v++)
			best = counts[v] > counts[best] ? v : best;
		c->is[at] = all > 2 && best != 0 && counts[best] * 10 >= all * 8;
		c->value[at] = (unsigned char)best;
		c->count += c->is[at];
	}
}

/* Returns whether the bytes from `from` to `to` around a place are as they are around numbers. */
static bool half_alike(const struct constants *c, const unsigned char *bytes, size_t size, size_t at, size_t record,
    size_t from, size_t to, size_t tenths)
{
	size_t same = 0, all = 0;

	for (size_t k = from; k < to; k++) {
		all += c->is[k];
		same += c->is[k] && at + k >= record - 1 && at + k - (record - 1) < size &&
			bytes[at + k - (record - 1)] == c->value[k];
	}
	return all > 0 && same * 10 >= all * tenths;
}

/*
 * The record before the first one, and the one behind the last one, may be of another kind, or missing. Where a number
 * is expected, half of the bytes are enough.
 */
static bool alike(
    const struct constants *c, const unsigned char *bytes, size_t size, size_t at, size_t record, bool is_expected)
{
	size_t tenths = is_expected ? 5 : 8;

	return half_alike(c, bytes, size, at, record, 0, record, tenths) ||
	       half_alike(c, bytes, size, at, record, record - 1, 2 * record - 1, tenths);
}

/* Find all numbers with the same bytes around them, wherever they are: damage moves records. */
static int find_moved(struct mp_call_spots *spots, const struct constants *c, const struct mp_raw *raw,
    const struct mp_call_dictionary *d, const struct mp_call_number_place *place, size_t record, struct mp_error *err)
{
	unsigned width = mp_type_width(place->type);

	for (size_t p = 0; p < raw->part_count; p++) {
		const unsigned char *bytes = raw->bytes + raw->parts[p].begin;
		size_t size = raw->parts[p].size, at = 0;

		while (at + width <= size) {
			uint32_t name = mp_call_dictionary_find(d, number_at(bytes + at, width, place->big_endian));

			if (name == MP_NO_NAME || !alike(c, bytes, size, at, record, at % record == place->offset)) {
				at++;
				continue;
			}
			if (mp_call_spots_add(spots, (struct mp_call_spot){(uint32_t)p, name, at}, err))
				return -1;
			/* whole records come next, unless there is damage */
			at += width;
		}
	}
	return 0;
}

int mp_call_spots_of_numbers(struct mp_call_spots *spots, const struct mp_raw *raw, const struct mp_call_dictionary *d,
    const struct mp_call_number_place *place, struct mp_error *err)
{
	size_t record = place->record;
	struct constants *c = record ? mp_learn_malloc(sizeof(*c)) : NULL;
	unsigned width = mp_type_width(place->type);
	int status = c ? 0 : mp_fail_memory(err, "records");

	for (size_t p = 0; p < raw->part_count && !status; p++) {
		const struct mp_raw_part *part = &raw->parts[p];

		for (size_t at = place->offset; at + width <= part->size && !status; at += record) {
			uint32_t name = mp_call_dictionary_find(
			    d, number_at(raw->bytes + part->begin + at, width, place->big_endian));

			if (name != MP_NO_NAME)
				status = mp_call_spots_add(spots, (struct mp_call_spot){(uint32_t)p, name, at}, err);
		}
	}
	if (!status) {
		find_constants(c, raw, spots, record);
		if (c->count > 1) {
			spots->count = 0;
			status = find_moved(spots, c, raw, d, place, record, err);
		}
	}
	free(c);
	return status ? -1 : 0;
}
