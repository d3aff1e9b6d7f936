/*
 * calls.c: finds the layout of records of calls. Their names are found first: as texts, or as numbers of a dictionary.
 * The names give the size of a record and the record of each row; then times and numbers are found as for tasks.
 */
#include <stdlib.h>
#include <string.h>

#include "learn/calls_internal.h"

enum { RECORD_MIN = 8, BEGINS_MAX = 24, PARTS_MAX = 4 };

static void free_grid(struct mp_call_grid *g)
{
	mp_units_free(&g->units);
	free(g->names);
	memset(g, 0, sizeof(*g));
}

/* What one try needs, too large for the stack. */
struct attempt {
	struct mp_call_grid grid;
	struct mp_solution solution;
};

static void free_attempt(struct attempt *a)
{
	if (a)
		free_grid(&a->grid);
	free(a);
}

/* Make a unit of each spot whose record lies in its file, and of the records between spots. */
static int make_grid(
    struct mp_call_grid *g, const struct mp_call_hunt *h, size_t width, size_t name_offset, bool big_endian)
{
	*g = (struct mp_call_grid){.record = width, .name_offset = name_offset};
	g->units = (struct mp_units){.raw = &h->raw, .record = width, .big_endian = big_endian};
	g->units.items = malloc((h->spots.count + 1) * sizeof(*g->units.items));
	g->names = malloc((h->spots.count + 1) * sizeof(*g->names));
	if (!g->units.items || !g->names)
		return mp_fail_memory(h->err, "records");
	for (size_t i = 0; i < h->spots.count; i++) {
		const struct mp_call_spot *spot = &h->spots.items[i];
		const struct mp_raw_part *part = &h->raw.parts[spot->part];

		if (spot->at < name_offset || spot->at - name_offset + width > part->size)
			continue;
		g->names[g->units.count] = spot->name;
		g->units.items[g->units.count++] = (struct mp_unit_of_row){
		    .own = h->raw.bytes + part->begin + spot->at - name_offset, .part = spot->part};
	}
	mp_units_inspect(&g->units);
	return 0;
}

/* Add the records that lie between those with names. */
static int fill_gaps(struct mp_call_hunt *h, size_t record)
{
	struct mp_call_spots all = {.count = 0};

	for (size_t i = 0; i < h->spots.count; i++) {
		const struct mp_call_spot *spot = &h->spots.items[i], *last = i ? spot - 1 : NULL;

		if (last && last->part == spot->part && (spot->at - last->at) % record == 0)
			for (size_t at = last->at + record; at < spot->at; at += record)
				if (mp_call_spots_add(
					&all, (struct mp_call_spot){spot->part, MP_NO_NAME, at}, h->err)) {
					mp_call_spots_free(&all);
					return -1;
				}
		if (mp_call_spots_add(&all, *spot, h->err)) {
			mp_call_spots_free(&all);
			return -1;
		}
	}
	mp_call_spots_free(&h->spots);
	h->spots = all;
	return 0;
}

static void release(struct mp_solution *s)
{
	mp_units_free(&s->units);
	free(s->mapped);
	memset(s, 0, sizeof(*s));
}

/* Keep a solution, and take the units over. */
static int keep_solution(struct mp_call_hunt *h, struct mp_call_grid *g, const struct mp_solution *s)
{
	unsigned char *flags = calloc(g->units.count + 1, 1);

	if (!flags)
		return mp_fail_memory(h->err, "records");
	release(&h->best);
	h->best = *s;
	h->best.units = g->units;
	h->best.mapped = flags;
	for (size_t u = 0; u < g->units.count; u++)
		flags[u] = g->names[u] != MP_NO_NAME;
	g->units = (struct mp_units){.items = NULL};
	return 0;
}

/* Where the first record with a name begins, of all files. */
static size_t first_record(const struct mp_call_hunt *h, const struct mp_call_grid *g)
{
	size_t least = SIZE_MAX;

	for (size_t u = 0; u < g->units.count; u++) {
		const struct mp_unit_of_row *unit = &g->units.items[u];
		size_t at = (size_t)(unit->own - h->raw.bytes) - h->raw.parts[unit->part].begin;

		least = g->names[u] != MP_NO_NAME && at < least ? at : least;
	}
	while (least > MP_HEADER_MAX && least >= g->record)
		least -= g->record;
	return least;
}

/* Try records of this size with the name at this place. */
static int try_record(struct mp_call_hunt *h, size_t record, size_t name_offset, bool big_endian)
{
	struct attempt *a = calloc(1, sizeof(*a));
	int found = a ? make_grid(&a->grid, h, record, name_offset, big_endian) : mp_fail_memory(h->err, "records");

	if (!found) {
		found = mp_call_solve(h, &a->grid, &a->solution);
		a->solution.shape = (struct mp_shape){.record = record, .big_endian = big_endian};
		if (a->grid.units.count)
			a->solution.shape.phase = first_record(h, &a->grid);
		if (found >= 0 && a->solution.score > h->best.score && keep_solution(h, &a->grid, &a->solution))
			found = -1;
	}
	free_attempt(a);
	return found;
}

/* The distance between names of which nearly all other distances are multiples. 0: not found. */
static size_t record_of(const struct mp_call_hunt *h)
{
	size_t *counts = calloc(MP_RECORD_SIZE_MAX + 1, sizeof(*counts)), best = 0, all = 0;
	const struct mp_call_spot *s = h->spots.items;

	for (size_t i = 1; counts && i < h->spots.count; i++) {
		size_t apart = s[i].at - s[i - 1].at;

		if (s[i].part != s[i - 1].part)
			continue;
		all++;
		if (apart <= MP_RECORD_SIZE_MAX)
			counts[apart]++;
	}
	for (size_t d = MP_RECORD_SIZE_MAX; counts && d >= RECORD_MIN && !best; d--) {
		size_t multiples = 0;

		for (size_t m = d; m <= MP_RECORD_SIZE_MAX && counts[d]; m += d)
			multiples += counts[m];
		if (counts[d] && multiples * 10 >= all * 8)
			best = d;
	}
	free(counts);
	return best;
}

/* The place of the name in a record, if files end with a whole record: what most files say. */
static size_t offset_by_sizes(const struct mp_call_hunt *h, size_t record)
{
	size_t best = 0, most = 0;

	for (size_t i = 0; i < h->spots.count; i++) {
		const struct mp_call_spot *s = &h->spots.items[i];
		size_t votes = 0, left, offset;

		if (i + 1 < h->spots.count && s[1].part == s->part)
			continue;
		left = (h->raw.parts[s->part].size - s->at) % record;
		offset = left ? record - left : 0;
		for (size_t k = i; k < h->spots.count; k++) {
			const struct mp_call_spot *o = &h->spots.items[k];

			if (k + 1 == h->spots.count || o[1].part != o->part)
				votes += (h->raw.parts[o->part].size - o->at) % record == left;
		}
		if (votes > most) {
			most = votes;
			best = offset;
		}
	}
	return best;
}

/* Extend a range of bytes by a place. */
static void extend(size_t *begin, size_t *end, struct mp_place place)
{
	size_t last = place.offset + mp_type_width(place.type);

	*begin = place.offset < *begin ? place.offset : *begin;
	*end = last > *end ? last : *end;
}

/* Find the times around names: the bytes from *begin to *end hold these and the name. Returns 1, 0, or -1 with err. */
static int look_around(struct mp_call_hunt *h, size_t record, bool big_endian, size_t *begin, size_t *end)
{
	struct attempt *a = calloc(1, sizeof(*a));
	const struct mp_times *t = a ? &a->solution.times : NULL;
	int found =
	    a ? make_grid(&a->grid, h, 2 * record - 1, record - 1, big_endian) : mp_fail_memory(h->err, "records");

	if (!found)
		found = mp_call_solve(h, &a->grid, &a->solution);
	if (found >= 0) {
		found = a->solution.score && t->has_start;
		*begin = record - 1;
		*end = *begin + a->solution.name_least;
		extend(begin, end, t->start);
		extend(begin, end, t->end);
	}
	free_attempt(a);
	return found;
}

/* The size of the file does not say where records begin: a record begins where it holds the times and the name. */
static int try_around(struct mp_call_hunt *h, size_t record, bool big_endian)
{
	size_t begin = 0, end = 0, tries = 0;
	int found;

	if (2 * record - 1 > MP_RECORD_SIZE_MAX)
		return 0;
	found = look_around(h, record, big_endian, &begin, &end);
	if (found <= 0)
		return found;
	found = 0;
	for (size_t from = begin + 1; from-- > 0 && from + record >= end && tries < BEGINS_MAX && !found; tries++)
		found = try_record(h, record, record - 1 - from, big_endian);
	return found;
}

/* Try records of a size, with names where the spots are. */
static int try_spots(struct mp_call_hunt *h, size_t record, int from, int to)
{
	size_t offset;
	int found = 0;

	if (fill_gaps(h, record))
		return -1;
	offset = offset_by_sizes(h, record);
	for (int big = from; big <= to && !found; big++)
		found = try_record(h, record, offset, big);
	for (int big = from; big <= to && !found; big++)
		found = try_around(h, record, big);
	return found;
}

/* Try the numbers at a place as names. */
static int try_numbers(struct mp_call_hunt *h, const struct mp_call_number_place *place)
{
	bool one = place->type == MP_TYPE_U8;

	mp_call_spots_free(&h->spots);
	h->number.type = place->type;
	if (mp_call_spots_of_numbers(&h->spots, &h->raw, &h->dictionary, place, h->err))
		return -1;
	return h->spots.count < 4 ? 0
				  : try_spots(h, place->record, !one && place->big_endian, one || place->big_endian);
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
	size_t *expected = calloc(h->names.count + 1, sizeof(*expected));
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
	return record && try_spots(h, record, 0, 1) < 0 ? -1 : 0;
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
	if (unknown && mp_found_missing(found, h->err, "calls of kinds that no table shows: %zu", unknown))
		return -1;
	return h->is_numbered ? mp_call_dictionary_emit(names, &h->dictionary, h->names.count, h->err) : 0;
}

static void free_hunt(struct mp_call_hunt *h)
{
	release(&h->best);
	mp_call_spots_free(&h->spots);
	mp_call_dictionary_free(&h->dictionary);
	mp_call_rows_free(&h->rows);
	mp_call_names_free(&h->names);
	mp_raw_free(&h->raw);
	free(h);
}

int mp_find_calls(struct mp_found *found, struct mp_found *names, const struct mp_learn_input *in, struct mp_error *err)
{
	struct mp_call_hunt *h = calloc(1, sizeof(*h));
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
	failed = mp_raw_read(&h->raw, in->job, found->layout, err) || mp_call_names_read(&h->names, in->refs, err) ||
		 mp_call_rows_read(&h->rows, in->refs, &h->names, err);
	if (!failed && h->raw.part_count && h->rows.views.count)
		failed = hunt(h);
	if (!failed && h->raw.part_count)
		failed = finish(h, found, names);
	free_hunt(h);
	return failed ? -1 : 0;
}
