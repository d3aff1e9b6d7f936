/*
 * calls.c: finds the layout of records of calls. Their names are found first: as texts, or as numbers of a dictionary.
 * The names give the size of a record and the record of each row; then times and numbers are found as for tasks.
 */
#include <stdlib.h>
#include <string.h>

#include "learn/calls_internal.h"
#include "learn/memory.h"

enum { RECORD_MIN = 8, PARTS_MAX = 4 };

/* The distance between names of which nearly all other distances are multiples. 0: not found. */
static size_t record_of(const struct mp_call_hunt *h)
{
	unsigned char *seen = mp_learn_calloc(MP_RECORD_SIZE_MAX + 1, 1);
	const struct mp_call_spot *s = h->spots.items;
	size_t best = 0, all = 0;

	for (size_t i = 1; seen && i < h->spots.count; i++) {
		all += s[i].part == s[i - 1].part;
		if (s[i].part == s[i - 1].part && s[i].at - s[i - 1].at <= MP_RECORD_SIZE_MAX)
			seen[s[i].at - s[i - 1].at] = 1;
	}
	for (size_t d = MP_RECORD_SIZE_MAX; seen && d >= RECORD_MIN && !best; d--) {
		size_t multiples = 0;

		for (size_t i = 1; seen[d] && i < h->spots.count; i++)
			multiples += s[i].part == s[i - 1].part && (s[i].at - s[i - 1].at) % d == 0;
		if (multiples && multiples * 10 >= all * 8)
			best = d;
	}
	free(seen);
	return best;
}

/* Returns whether the same spots were tried before, and keeps them in mind. */
static bool was_tried(struct mp_call_hunt *h, size_t record, bool big_endian)
{
	uint64_t hash = 14695981039346656037U;

	hash = (hash ^ record ^ (uint64_t)big_endian << 32) * 1099511628211U;
	for (size_t i = 0; i < h->spots.count; i++)
		hash = (hash ^ h->spots.items[i].at ^ (uint64_t)h->spots.items[i].part << 40) * 1099511628211U;
	for (size_t i = 0; i < h->tried_count; i++)
		if (h->tried[i] == hash)
			return true;
	if (h->tried_count < MP_CALL_PLACES_MAX)
		h->tried[h->tried_count++] = hash;
	return false;
}

/* Try the numbers at a place as names. */
static int try_numbers(struct mp_call_hunt *h, const struct mp_call_number_place *place)
{
	bool one = place->type == MP_TYPE_U8;
	size_t record;

	mp_call_spots_free(&h->spots);
	h->number.type = place->type;
	if (mp_call_spots_of_numbers(&h->spots, &h->raw, &h->dictionary, place, h->err))
		return -1;
	/* numbers are also found at multiples of their distance */
	record = h->spots.count < 4 ? 0 : record_of(h);
	record = record ? record : place->record;
	if (h->spots.count < 4 || was_tried(h, record, place->big_endian))
		return 0;
	return mp_call_try_spots(h, record, !one && place->big_endian, one || place->big_endian);
}

/* Likely sizes of records, and parts of these: a multiple of a size looks like the size. Returns how many. */
static size_t sizes_of(size_t sizes[PARTS_MAX * MP_SHAPE_MAX], const struct mp_raw *raw, size_t least)
{
	struct mp_shape shapes[MP_SHAPE_MAX];
	size_t count = mp_shapes(shapes, raw, least), made = 0;

	for (size_t i = 0; i < count; i++)
		for (size_t part = 1; part <= PARTS_MAX; part++) {
			size_t size = shapes[i].record / part, k = 0;

			while (k < made && sizes[k] != size)
				k++;
			if (shapes[i].record % part == 0 && size >= RECORD_MIN && k == made)
				sizes[made++] = size;
		}
	return made;
}

static int hunt_numbers(struct mp_call_hunt *h)
{
	struct mp_call_number_places places = {.count = 0};
	size_t sizes[PARTS_MAX * MP_SHAPE_MAX], least = 0;
	size_t *expected = mp_learn_calloc(h->names.count + 1, sizeof(*expected));
	enum mp_type best = MP_TYPE_U8;
	int found;

	if (!expected)
		return mp_fail_memory(h->err, "names of calls");
	h->is_numbered = true;
	mp_call_rows_count(expected, &h->rows);
	for (size_t n = 0; n < h->names.count; n++)
		least += expected[n];
	found = mp_call_number_places_find(&places, &h->raw, &h->dictionary, &h->names, expected, sizes,
	    sizes_of(sizes, &h->raw, least / 4 / h->raw.part_count), h->err);
	for (size_t k = 0; k < places.count && !found; k++) {
		size_t score = h->best.score;

		found = try_numbers(h, &places.items[k]);
		best = h->best.score > score ? h->number.type : best;
	}
	h->number.type = best;
	free(expected);
	return found < 0 ? -1 : 0;
}

static int hunt_texts(struct mp_call_hunt *h)
{
	size_t record;

	if (mp_call_spots_of_texts(&h->spots, &h->raw, &h->names, false, h->err))
		return -1;
	if (h->spots.count < 4) {
		mp_call_spots_free(&h->spots);
		if (mp_call_spots_of_texts(&h->spots, &h->raw, &h->names, true, h->err))
			return -1;
	}
	record = h->spots.count < 4 ? 0 : record_of(h);
	return record && mp_call_try_spots(h, record, 0, 1) < 0 ? -1 : 0;
}

/* Names are texts; if they are not, they may be numbers. */
static int hunt(struct mp_call_hunt *h)
{
	if (hunt_texts(h))
		return -1;
	if (h->best.score)
		return 0;
	if (mp_call_dictionary_read(&h->dictionary, h->in->job, &h->names, h->err))
		return -1;
	return h->dictionary.count > 1 ? hunt_numbers(h) : 0;
}

/* The bytes of the text: up to the next number, one of the usual widths. */
static void widen_name(struct mp_call_hunt *h)
{
	static const unsigned usual[] = {256, 128, 64, 32, 16};
	struct mp_solution *s = &h->best;
	unsigned limit = (unsigned)s->shape.record, most;

	limit = s->times.end.offset >= s->name_offset && s->times.end.offset < limit ? s->times.end.offset : limit;
	if (s->times.has_start && s->times.start.offset >= s->name_offset && s->times.start.offset < limit)
		limit = s->times.start.offset;
	for (size_t i = 0; i < s->part_count; i++) {
		unsigned at = s->parts[i].candidate.place.offset;

		limit = s->parts[i].found && at >= s->name_offset && at < limit ? at : limit;
	}
	most = limit - s->name_offset < MP_CALL_NAME_MAX ? limit - s->name_offset : MP_CALL_NAME_MAX;
	s->name_width = most;
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		if (usual[i] <= most && usual[i] > s->name_least) {
			s->name_width = usual[i];
			break;
		}
}

static void add_number(struct mp_call_hunt *h)
{
	struct mp_solution *s = &h->best;
	size_t rows = 0;

	for (size_t i = 0; i < s->units.count; i++)
		rows += s->mapped[i];
	s->parts[s->part_count++] = (struct mp_part_of_record){.column = "name_number",
	    .meaning = MP_MEANS_CALL_NAME,
	    .found = true,
	    .evidence = true,
	    .candidate = {.place = {s->name_offset, h->number.type}, .scale = 1, .fit = {.rows = rows, .half = rows}}};
}

static int finish(struct mp_call_hunt *h, struct mp_found *found, struct mp_found *names)
{
	size_t unknown;

	if (!h->best.score)
		return mp_found_missing(found, h->err, "%s",
		    h->names.count ? "no text of a record is the name of a call, and no file says the numbers of names"
				   : "no table says anything of these files");
	if (h->is_numbered)
		add_number(h);
	else
		widen_name(h);
	if (mp_emit(found, "svp.acl_api", &h->raw, &h->rows.views, &h->best, h->err))
		return -1;
	unknown = mp_call_unknown_types(&h->best);
	if (h->flaws.strangers && !mp_call_has_sums(h->in->refs) &&
	    mp_found_missing(found, h->err, "calls with names that no table shows: %zu", h->flaws.strangers))
		return -1;
	if (unknown && mp_found_missing(found, h->err, "calls of kinds that no table shows: %zu", unknown))
		return -1;
	return h->is_numbered ? mp_call_dictionary_emit(names, &h->dictionary, h->names.count, h->err) : 0;
}

static void free_hunt(struct mp_call_hunt *h)
{
	mp_call_release(&h->best);
	mp_call_spots_free(&h->spots);
	mp_call_dictionary_free(&h->dictionary);
	mp_call_rows_free(&h->rows);
	mp_call_names_free(&h->names);
	mp_raw_free(&h->raw);
	free(h);
}

int mp_find_calls(struct mp_found *found, struct mp_found *names, const struct mp_learn_input *in, struct mp_error *err)
{
	struct mp_call_hunt *h = mp_learn_calloc(1, sizeof(*h));
	int failed;

	memset(found, 0, sizeof(*found));
	memset(names, 0, sizeof(*names));
	memcpy(found->layout, "svp.acl_api", sizeof("svp.acl_api"));
	if (!h)
		return mp_fail_memory(err, "records of calls");
	h->in = in;
	h->err = err;
	if (in->progress)
		in->progress(in->user, found->layout);
	failed = mp_call_raw_read(&h->raw, in->job, err) || mp_call_names_read(&h->names, in->refs, err) ||
		 mp_call_rows_read(&h->rows, in->refs, &h->names, err);
	if (!failed && h->raw.part_count && h->rows.views.count)
		failed = hunt(h);
	if (!failed && h->raw.part_count)
		failed = finish(h, found, names);
	free_hunt(h);
	return failed ? -1 : 0;
}
