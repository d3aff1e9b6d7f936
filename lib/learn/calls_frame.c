/*
 * calls_frame.c: finds where records of calls begin, when their size and the places of their names are known. A file
 * may begin with a header and end with a part of a record, so that a place is tried where the records hold all numbers,
 * and no record is left without a name.
 */
#include <stdlib.h>
#include <string.h>

#include "learn/calls_internal.h"
#include "learn/memory.h"

enum { TRIES_MAX = 24, WINDOW_MAX = MP_RECORD_SIZE_MAX };

/* What one try needs, too large for the stack. */
struct attempt {
	struct mp_call_grid grid;
	struct mp_solution solution;
};

static void free_attempt(struct attempt *a)
{
	if (a) {
		mp_units_free(&a->grid.units);
		free(a->grid.names);
	}
	free(a);
}

int mp_call_raw_read(struct mp_raw *raw, const struct mp_job *job, struct mp_error *err)
{
	size_t room;
	unsigned char *bytes;

	if (mp_raw_read(raw, job, "svp.acl_api", err))
		return -1;
	room = raw->size + (raw->part_count + 1) * WINDOW_MAX;
	bytes = mp_learn_calloc(room + 8, 1);
	if (!bytes)
		return mp_fail_memory(err, "raw files");
	for (size_t i = 0; i < raw->part_count; i++) {
		size_t to = raw->parts[i].begin + (i + 1) * WINDOW_MAX;

		memcpy(bytes + to, raw->bytes + raw->parts[i].begin, raw->parts[i].size);
		raw->parts[i].begin = to;
	}
	free(raw->bytes);
	raw->bytes = bytes;
	raw->size = room;
	return 0;
}

/* Make a unit of each spot; `whole`: whose record lies in its file. */
static int make_grid(
    struct mp_call_grid *g, const struct mp_call_hunt *h, size_t width, size_t name_offset, bool big_endian, bool whole)
{
	*g = (struct mp_call_grid){.record = width, .name_offset = name_offset};
	g->units = (struct mp_units){.raw = &h->raw, .record = width, .big_endian = big_endian};
	g->units.items = mp_learn_malloc((h->spots.count + 1) * sizeof(*g->units.items));
	g->names = mp_learn_malloc((h->spots.count + 1) * sizeof(*g->names));
	if (!g->units.items || !g->names)
		return mp_fail_memory(h->err, "records");
	for (size_t i = 0; i < h->spots.count; i++) {
		const struct mp_call_spot *spot = &h->spots.items[i];
		const struct mp_raw_part *part = &h->raw.parts[spot->part];

		if (whole && (spot->at < name_offset || spot->at - name_offset + width > part->size))
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

void mp_call_release(struct mp_solution *s)
{
	mp_units_free(&s->units);
	free(s->mapped);
	memset(s, 0, sizeof(*s));
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

/* Give the units to a solution. */
static int take_units(const struct mp_call_hunt *h, struct attempt *a)
{
	struct mp_solution *s = &a->solution;
	struct mp_call_grid *g = &a->grid;

	s->shape = (struct mp_shape){
	    .record = g->record, .big_endian = g->units.big_endian, .phase = g->units.count ? first_record(h, g) : 0};
	s->units = g->units;
	g->units = (struct mp_units){.items = NULL};
	s->mapped = mp_learn_calloc(s->units.count + 1, 1);
	if (!s->mapped)
		return mp_fail_memory(h->err, "records");
	for (size_t u = 0; u < s->units.count; u++)
		s->mapped[u] = g->names[u] != MP_NO_NAME;
	return 0;
}

/* How many rows have no record, or say something else than theirs. */
static size_t misfits(const struct mp_call_hunt *h, const struct mp_solution *s)
{
	size_t count = h->rows.is_sums ? s->times.fit.rows - mp_fit_rows(&s->times.fit) : 0;

	for (size_t v = 0; v < h->rows.views.count && !h->rows.is_sums; v++)
		for (size_t i = 0; i < h->rows.views.items[v].count; i++)
			count += h->rows.views.items[v].units[i] == MP_NO_UNIT;
	if (s->times.has_start)
		count += s->times.start_fit.rows - mp_fit_rows(&s->times.start_fit);
	for (size_t i = 0; i < s->part_count; i++)
		if (s->parts[i].found)
			count += s->parts[i].candidate.fit.rows - mp_fit_rows(&s->parts[i].candidate.fit);
	return count;
}

/* Try records of this size with the name at this place. Returns 1 when everything is explained, 0, or -1 with err. */
static int try_record(struct mp_call_hunt *h, size_t record, size_t name_offset, bool big_endian)
{
	struct attempt *a = mp_learn_calloc(1, sizeof(*a));
	int found =
	    a ? make_grid(&a->grid, h, record, name_offset, big_endian, true) : mp_fail_memory(h->err, "records");

	if (!found)
		found = mp_call_solve(h, &a->grid, &a->solution);
	if (found >= 0 && a->solution.score && take_units(h, a))
		found = -1;
	if (found >= 0 && a->solution.score) {
		struct mp_call_flaws of_files = mp_call_find_flaws(h, &a->solution);
		size_t flaws = of_files.strangers + of_files.lost + misfits(h, &a->solution);

		found = found && !flaws;
		a->solution.score -= a->solution.score > 20 * flaws ? 20 * flaws : a->solution.score - 1;
		if (a->solution.score > h->best.score) {
			struct mp_solution old = h->best;

			h->best = a->solution;
			h->flaws = of_files;
			a->solution = old;
		}
	}
	if (a)
		mp_call_release(&a->solution);
	free_attempt(a);
	return found;
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

/* Bytes of a window that a record must hold. */
struct box {
	size_t begin, end;
};

static struct box with_place(struct box box, struct mp_place place)
{
	size_t last = place.offset + mp_type_width(place.type);

	box.begin = place.offset < box.begin ? place.offset : box.begin;
	box.end = last > box.end ? last : box.end;
	return box;
}

/* The bytes around names with their times, and with further numbers if these fit into a record, too. */
static struct box box_of(const struct mp_solution *s, size_t name_offset, size_t record)
{
	struct box box = {name_offset, name_offset + s->name_least};

	box = with_place(box, s->times.end);
	if (s->times.has_start)
		box = with_place(box, s->times.start);
	for (size_t i = 0; i < s->part_count; i++) {
		struct box wider = with_place(box, s->parts[i].candidate.place);

		if (s->parts[i].found && wider.end - wider.begin <= record)
			box = wider;
	}
	return box;
}

/* A place of the name in records. */
struct begin {
	size_t name_offset;
	size_t flaws; /* at the ends of files */
	unsigned oddness;
};

/* Records that are lost at the begins of files, or that have no name at their ends. The last record may be cut. */
static size_t flaws_of(const struct mp_call_hunt *h, size_t record, size_t name_offset)
{
	size_t flaws = 0;

	for (size_t i = 0; i < h->spots.count; i++) {
		const struct mp_call_spot *s = &h->spots.items[i];
		size_t left = h->raw.parts[s->part].size - s->at + name_offset;

		if ((i == 0 || s[-1].part != s->part) && s->at < name_offset)
			flaws++;
		if (i + 1 == h->spots.count || s[1].part != s->part)
			flaws += left >= 2 * record;
	}
	return flaws;
}

/* Returns whether all records have the same byte, which is not 0, at this place before their names. */
static bool is_mark(const struct mp_call_hunt *h, size_t before_name)
{
	size_t last = 0;

	for (size_t i = 0; i < h->spots.count; i++) {
		const struct mp_call_spot *s = &h->spots.items[i];
		const unsigned char *byte = h->raw.bytes + h->raw.parts[s->part].begin + s->at - before_name;

		if (!*byte || (last && *byte != last))
			return false;
		last = *byte;
	}
	return last > 0;
}

/* Files like to begin with a record, and records with the bytes that mark them. */
static unsigned oddness_of(const struct mp_call_hunt *h, size_t name_offset)
{
	const struct mp_call_spot *first = &h->spots.items[0];
	size_t phase = first->at - name_offset;

	if (first->at <= name_offset)
		return first->at < name_offset ? UINT32_MAX : 0;
	return (is_mark(h, name_offset) && !is_mark(h, name_offset + 1) ? 0U : 8U) + (phase % 8 == 0      ? 1U
											 : phase % 4 == 0 ? 2U
											 : phase % 2 == 0 ? 3U
													  : 4U);
}

static int by_likelihood(const void *left, const void *right)
{
	const struct begin *a = left, *b = right;

	if (a->flaws != b->flaws)
		return a->flaws < b->flaws ? -1 : 1;
	if (a->oddness != b->oddness)
		return a->oddness < b->oddness ? -1 : 1;
	return a->name_offset > b->name_offset ? -1 : a->name_offset < b->name_offset;
}

/* Try the places of the name from `least` to `most`, the likeliest first. */
static int try_begins(struct mp_call_hunt *h, size_t record, bool big_endian, size_t least, size_t most)
{
	struct begin *begins = mp_learn_malloc((most - least + 1) * sizeof(*begins));
	int found = 0;

	if (!begins)
		return mp_fail_memory(h->err, "records");
	for (size_t at = least; at <= most; at++)
		begins[at - least] = (struct begin){at, flaws_of(h, record, at), oddness_of(h, at)};
	qsort(begins, most - least + 1, sizeof(*begins), by_likelihood);
	for (size_t i = 0; i <= most - least && i < TRIES_MAX && !found; i++)
		found = try_record(h, record, begins[i].name_offset, big_endian);
	free(begins);
	return found;
}

/* The size of the file does not say where records begin: a record begins where it holds the times and the name. */
static int try_around(struct mp_call_hunt *h, size_t record, bool big_endian)
{
	size_t width = 2 * record - 1 < WINDOW_MAX ? 2 * record - 1 : WINDOW_MAX;
	size_t name_offset = record - 1 < width / 2 ? record - 1 : width / 2;
	struct attempt *a = mp_learn_calloc(1, sizeof(*a));
	struct box box = {0, 0};
	int found =
	    a ? make_grid(&a->grid, h, width, name_offset, big_endian, false) : mp_fail_memory(h->err, "records");

	if (!found)
		found = mp_call_solve(h, &a->grid, &a->solution);
	if (found >= 0 && a->solution.score && a->solution.times.has_start)
		box = box_of(&a->solution, name_offset, record);
	free_attempt(a);
	if (found < 0 || !box.end || box.end - box.begin > record)
		return found < 0 ? -1 : 0;
	/* a record begins in front of the box, and ends behind it */
	return try_begins(h, record, big_endian, name_offset - box.begin,
	    box.end < name_offset + record ? name_offset + record - box.end : 0);
}

int mp_call_try_spots(struct mp_call_hunt *h, size_t record, int from, int to)
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
