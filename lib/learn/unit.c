/* unit.c: records of a shape, of a kind, or of a pair; and the numbers in them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "learn/memory.h"
#include "learn/search.h"

enum { OPEN_MAX = 4096, INSPECTED = 512, TAG_VALUES_MAX = 24 };

unsigned mp_type_width(enum mp_type type)
{
	static const unsigned char widths[] = {1, 2, 4, 8, 4, 8};

	return widths[type];
}

const char *mp_type_name(enum mp_type type)
{
	static const char *const names[] = {"u8", "u16", "u32", "u64", "f32", "f64"};

	return names[type];
}

void mp_units_free(struct mp_units *units)
{
	free(units->items);
	free(units->seen);
	memset(units, 0, sizeof(*units));
}

static int make(struct mp_units *units, const struct mp_raw *raw, size_t count, size_t record, bool big_endian,
    struct mp_error *err)
{
	*units = (struct mp_units){.raw = raw, .record = record, .big_endian = big_endian};
	units->items = mp_learn_calloc(count ? count : 1, sizeof(*units->items));
	return units->items ? 0 : mp_fail_memory(err, "records");
}

void mp_units_inspect(struct mp_units *units)
{
	size_t count = !units->items ? 0 : units->count < INSPECTED ? units->count : INSPECTED;

	free(units->seen);
	units->seen = count ? mp_learn_calloc(units->record, 1) : NULL;
	for (size_t i = 0; units->seen && i < count; i++) {
		const unsigned char *own = units->items[i].own, *first = units->items[0].own;

		for (size_t k = 0; own && first && k < units->record; k++)
			units->seen[k] |= (own[k] != first[k] ? MP_BYTE_VARIES : 0) | (own[k] ? MP_BYTE_NOT_ZERO : 0);
	}
}

bool mp_units_tell(const struct mp_units *units, struct mp_place place)
{
	unsigned width = mp_type_width(place.type), half = width / 2, varies = 0, zeros = 0;

	if (place.offset < units->closed_offset + units->closed_width && units->closed_offset < place.offset + width)
		return false;
	if (!units->seen)
		return true;
	place.offset %= (unsigned)units->record;
	for (unsigned i = 0; i < width; i++)
		varies |= units->seen[place.offset + i] & MP_BYTE_VARIES;
	/* the upper half */
	for (unsigned i = 0; i < half; i++)
		zeros += !(units->seen[place.offset + (units->big_endian ? i : half + i)] & MP_BYTE_NOT_ZERO);
	return varies && (width == 1 || zeros < half);
}

int mp_units_all(struct mp_units *units, const struct mp_raw *raw, const struct mp_shape *shape, struct mp_error *err)
{
	size_t count = 0;

	for (size_t i = 0; i < raw->part_count; i++)
		count += raw->parts[i].size / shape->record;
	if (make(units, raw, count, shape->record, shape->big_endian, err))
		return -1;
	for (size_t i = 0; i < raw->part_count; i++) {
		const struct mp_raw_part *part = &raw->parts[i];

		for (size_t at = shape->phase; at + shape->record <= part->size; at += shape->record)
			units->items[units->count++] =
			    (struct mp_unit_of_row){.own = raw->bytes + part->begin + at, .part = (uint32_t)i};
	}
	mp_units_sync(units, shape);
	mp_units_inspect(units);
	return 0;
}

/* An empty set of units of the records in `all`. */
static int make_of(struct mp_units *units, const struct mp_units *all, struct mp_error *err)
{
	if (make(units, all->raw, all->count, all->record, all->big_endian, err))
		return -1;
	units->sync_count = all->sync_count;
	memcpy(units->sync_offsets, all->sync_offsets, sizeof(units->sync_offsets));
	memcpy(units->sync_values, all->sync_values, sizeof(units->sync_values));
	return 0;
}

int mp_units_tagged(
    struct mp_units *units, const struct mp_units *all, unsigned offset, unsigned char value, struct mp_error *err)
{
	if (make_of(units, all, err))
		return -1;
	for (size_t i = 0; i < all->count; i++)
		if (all->items[i].own[offset] == value)
			units->items[units->count++] = all->items[i];
	mp_units_inspect(units);
	return 0;
}

/* Starts that have no end yet, the oldest first. */
struct open_starts {
	const unsigned char *own[OPEN_MAX];
	int64_t keys[OPEN_MAX];
	uint32_t parts[OPEN_MAX];
	size_t count;
};

static void take(struct open_starts *open, size_t i)
{
	open->count--;
	memmove(&open->own[i], &open->own[i + 1], (open->count - i) * sizeof(open->own[0]));
	memmove(&open->keys[i], &open->keys[i + 1], (open->count - i) * sizeof(open->keys[0]));
	memmove(&open->parts[i], &open->parts[i + 1], (open->count - i) * sizeof(open->parts[0]));
}

static void begin(struct open_starts *open, const struct mp_unit_of_row *unit, int64_t key)
{
	if (open->count == OPEN_MAX)
		take(open, 0);
	open->own[open->count] = unit->own;
	open->keys[open->count] = key;
	open->parts[open->count++] = unit->part;
}

static void end(struct mp_units *units, struct open_starts *open, const struct mp_unit_of_row *unit, int64_t key)
{
	for (size_t i = open->count; i-- > 0;)
		if (open->keys[i] == key && open->parts[i] == unit->part) {
			units->items[units->count++] =
			    (struct mp_unit_of_row){.own = unit->own, .start = open->own[i], .part = unit->part};
			take(open, i);
			return;
		}
}

int mp_units_paired(struct mp_units *units, const struct mp_units *all, unsigned offset, unsigned char start,
    unsigned char end_value, struct mp_place key, struct mp_error *err)
{
	struct open_starts *open = mp_learn_calloc(1, sizeof(*open));

	if (!open || make_of(units, all, err)) {
		free(open);
		return mp_fail_memory(err, "open starts");
	}
	for (size_t i = 0; i < all->count; i++) {
		unsigned char tag = all->items[i].own[offset];
		int64_t number;

		if ((tag != start && tag != end_value) || !mp_unit_read(all, i, key, &number))
			continue;
		if (tag == start)
			begin(open, &all->items[i], number);
		else
			end(units, open, &all->items[i], number);
	}
	free(open);
	mp_units_inspect(units);
	return 0;
}

/*
 * Count the values of a byte that are no accidents: only damaged records have the others. Returns false when there are
 * too many of either.
 */
static bool values_of(struct mp_tag *tag, const struct mp_units *all, unsigned offset)
{
	size_t counts[256] = {0}, rare = 0;
	unsigned different = 0;

	*tag = (struct mp_tag){.offset = offset};
	for (size_t i = 0; i < all->count; i++)
		different += counts[all->items[i].own[offset]]++ == 0;
	if (different < 2 || different > TAG_VALUES_MAX)
		return false;
	for (unsigned v = 0; v < 256; v++) {
		bool often = counts[v] * 20 >= all->count;

		if (often && tag->count == sizeof(tag->values))
			return false;
		if (often) {
			tag->values[tag->count] = (unsigned char)v;
			tag->counts[tag->count++] = counts[v];
		} else {
			rare += counts[v];
		}
	}
	return rare * 10 <= all->count;
}

/* Hash which units have the same value, and which have each value. */
static void hash_units(struct mp_tag *tag, const struct mp_units *all)
{
	uint64_t hash = 14695981039346656037U;

	for (size_t i = 0; i < all->count; i++) {
		unsigned char value = all->items[i].own[tag->offset];
		unsigned k = 0;

		while (k < tag->count && tag->values[k] != value)
			k++;
		hash = (hash ^ k) * 1099511628211U;
		if (k < tag->count) {
			uint64_t own = (uint64_t)(all->items[i].own - all->raw->bytes);

			tag->sets[k] = (tag->sets[k] ^ own) * 1099511628211U;
		}
	}
	tag->parting = hash;
}

size_t mp_tags(struct mp_tag *tags, size_t max, const struct mp_units *all)
{
	size_t count = 0;

	for (unsigned offset = 0; offset < all->record && count < max; offset++) {
		struct mp_tag *tag = &tags[count];
		bool known = false;

		if (!values_of(tag, all, offset))
			continue;
		hash_units(tag, all);
		for (size_t i = 0; i < count; i++)
			known |= tags[i].parting == tag->parting;
		count += tag->count > 1 && !known;
	}
	return count;
}

size_t mp_units_width(const struct mp_units *units)
{
	return units->count && units->items[0].start ? 2 * units->record : units->record;
}

static uint64_t number_at(const unsigned char *at, unsigned width, bool big_endian)
{
	uint64_t v = 0;

	for (unsigned i = 0; i < width; i++)
		v = v << 8 | at[big_endian ? i : width - 1 - i];
	return v;
}

/* A float as the whole number that the decoder makes of it. */
static bool whole(double x, int64_t *value)
{
	if (!(x >= 0 && x < 9e18))
		return false;
	*value = llrint(x);
	return true;
}

bool mp_unit_read(const struct mp_units *units, size_t unit, struct mp_place place, int64_t *value)
{
	const struct mp_unit_of_row *u = &units->items[unit];
	const unsigned char *at =
	    place.offset < units->record ? u->own + place.offset : u->start + (place.offset - units->record);
	uint64_t v = number_at(at, mp_type_width(place.type), units->big_endian);
	uint32_t low = (uint32_t)v;
	double d;
	float f;

	if (place.type == MP_TYPE_F32) {
		memcpy(&f, &low, sizeof(f));
		return whole((double)f, value);
	}
	if (place.type == MP_TYPE_F64) {
		memcpy(&d, &v, sizeof(d));
		return whole(d, value);
	}
	*value = (int64_t)v;
	return v <= INT64_MAX;
}
