/* structure.c: says what the bytes of records alone tell, where no table says anything of them. A guess, and no layout.
 */
#include <stdio.h>
#include <string.h>

#include "learn/search.h"
#include "raw/guess.h"

enum { RUNS_MAX = 64 };

/* What a byte of all records is. */
enum what { IS_ZERO, IS_CONSTANT, IS_TEXT, IS_OTHER };

static enum what what_is(const struct mp_units *units, size_t at)
{
	bool zero = true, constant = true, text = true;

	for (size_t i = 0; i < units->count; i++) {
		unsigned char byte = units->items[i].own[at];

		zero &= byte == 0;
		constant &= byte == units->items[0].own[at];
		text &= byte == 0 || (byte >= ' ' && byte <= '~');
	}
	return zero ? IS_ZERO : constant ? IS_CONSTANT : text ? IS_TEXT : IS_OTHER;
}

/* Returns whether a number grows from record to record, as moments and running numbers do. */
static bool grows(const struct mp_units *units, struct mp_place place)
{
	int64_t last = -1, now;
	size_t up = 0, all = 0;

	for (size_t i = 0; i < units->count; i++) {
		if (!mp_unit_read(units, i, place, &now))
			return false;
		if (i > 0 && units->items[i].part == units->items[i - 1].part) {
			up += now > last;
			all++;
		}
		last = now;
	}
	return all > 2 && up * 20 >= all * 19;
}

static int say_run(struct mp_found *found, size_t from, size_t to, enum what what, struct mp_error *err)
{
	static const char *const names[] = {"zero", "constant", "text", "noise"};

	return mp_found_unexplained(
	    found, err, "%zu byte%s at %zu: %s", to - from, to - from == 1 ? "" : "s", from, names[what]);
}

static int say_runs(struct mp_found *found, const struct mp_units *units, struct mp_error *err)
{
	size_t from = 0, runs = 0;
	enum what last = what_is(units, 0);

	for (size_t at = 1; at <= units->record && runs < RUNS_MAX; at++) {
		enum what now = at < units->record ? what_is(units, at) : IS_OTHER;

		if (at < units->record && now == last)
			continue;
		if (say_run(found, from, at, last, err))
			return -1;
		runs++;
		from = at;
		last = now;
	}
	return 0;
}

/* Numbers that grow: one may be the start, the next one the end of a task. */
static int say_growing(struct mp_found *found, const struct mp_units *units, struct mp_error *err)
{
	for (unsigned at = 0; at + 8 <= units->record; at++) {
		struct mp_place place = {at, MP_TYPE_U64};
		struct mp_finding f = {.name = "counting", .type = "u64", .unit = "a moment or a running number"};

		if (!mp_units_tell(units, place) || !grows(units, place))
			continue;
		snprintf(f.place, sizeof(f.place), "@%u", at);
		if (mp_found_add(found, &f, err))
			return -1;
		at += 7;
	}
	return 0;
}

/* Of both byte orders, the one with more growing numbers is likelier. */
static size_t count_growing(const struct mp_units *units)
{
	size_t count = 0;

	for (unsigned at = 0; at + 8 <= units->record; at++)
		count += mp_units_tell(units, (struct mp_place){at, MP_TYPE_U64}) &&
			 grows(units, (struct mp_place){at, MP_TYPE_U64});
	return count;
}

static int describe(struct mp_found *found, const struct mp_raw *raw, struct mp_shape shape, struct mp_error *err)
{
	struct mp_units units;
	size_t little;
	int failed;

	if (mp_units_all(&units, raw, &shape, err))
		return -1;
	found->record = shape.record;
	found->header = shape.phase;
	found->is_guess = true;
	little = count_growing(&units);
	units.big_endian = true;
	units.big_endian = count_growing(&units) > little;
	snprintf(found->guess, sizeof(found->guess),
	    "no table says anything of these files: %zu records of %zu bytes, %s endian, "
	    "are a guess",
	    units.count, shape.record, units.big_endian ? "big" : "little");
	failed = units.count && (say_growing(found, &units, err) || say_runs(found, &units, err));
	mp_units_free(&units);
	return failed ? -1 : 0;
}

int mp_find_structure(struct mp_found *found, const struct mp_learn_input *in, const char *layout, struct mp_error *err)
{
	struct mp_guess guess = {0, 0};
	struct mp_raw raw;
	int failed = 0;

	memset(found, 0, sizeof(*found));
	snprintf(found->layout, sizeof(found->layout), "%s", layout);
	if (mp_raw_read(&raw, in->job, layout, err))
		return -1;
	if (raw.part_count)
		guess = mp_guess(raw.bytes, raw.parts[0].size, raw.parts[0].file->size);
	if (guess.record)
		failed = describe(found, &raw, (struct mp_shape){.record = guess.record, .phase = guess.header}, err);
	mp_raw_free(&raw);
	return failed;
}
