/* assign.c: gives each column of a record a place of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/memory.h"
#include "learn/search.h"

/* The bytes of a record that numbers were found in. A pair has the same layout for both of its records. */
struct claims {
	size_t record;
	unsigned char width[MP_RECORD_SIZE_MAX]; /* of the number that begins at a byte; 0: no number begins here */
	bool taken[MP_RECORD_SIZE_MAX];
	bool own[MP_RECORD_SIZE_MAX], start[MP_RECORD_SIZE_MAX]; /* the number is used of the record of this half */
};

static bool *half_of(struct claims *c, struct mp_place place)
{
	return place.offset < c->record ? c->own : c->start;
}

static bool is_free(struct claims *c, struct mp_place place)
{
	unsigned at = place.offset % (unsigned)c->record, width = mp_type_width(place.type);

	/* the same number, of the other record */
	if (c->taken[at] && c->width[at] == width)
		return !half_of(c, place)[at];
	for (unsigned i = at; i < at + width && i < c->record; i++)
		if (c->taken[i])
			return false;
	return true;
}

static void claim(struct claims *c, struct mp_place place)
{
	unsigned at = place.offset % (unsigned)c->record, width = mp_type_width(place.type);

	c->width[at] = (unsigned char)width;
	half_of(c, place)[at] = true;
	for (unsigned i = at; i < at + width && i < c->record; i++)
		c->taken[i] = true;
}

struct list {
	struct mp_candidate items[MP_CANDIDATE_MAX];
	size_t count;
	bool evidence; /* rows of references say something of the meaning */
	bool zeros;    /* and nothing but 0 */
};

static void fill(struct list *list, const struct mp_column_search *s, enum mp_meaning meaning)
{
	struct mp_drawn *drawn = mp_learn_malloc(MP_SAMPLE * sizeof(*drawn));
	size_t count = drawn ? mp_draw(drawn, s->views, meaning) : 0;

	list->evidence = count > 0;
	list->zeros = count > 0 && drawn[0].says.value == 0;
	free(drawn);
	list->count = count ? mp_candidates(list->items, s, meaning) : 0;
}

static bool is_id(enum mp_meaning meaning)
{
	return meaning == MP_MEANS_TASK_ID || meaning == MP_MEANS_STREAM_ID ||
	       (meaning >= MP_MEANS_PID && meaning <= MP_MEANS_KIND);
}

/* Take the best candidate that is free and not wider than `width`, of those that fit most rows. */
static bool take(struct claims *c, const struct list *list, struct mp_part_of_record *part, unsigned width)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct mp_candidate *k = &list->items[i];

		if (mp_fit_rows(&k->fit) < mp_fit_rows(&list->items[0].fit))
			break;
		if (mp_type_width(k->place.type) > width || !is_free(c, k->place))
			continue;
		claim(c, k->place);
		part->candidate = *k;
		part->found = true;
		return true;
	}
	return false;
}

/* The place of what is 0 in all rows: one with zeros, else any number less itself. */
static void take_zero(struct claims *c, const struct list *list, struct mp_part_of_record *part, unsigned width,
    const struct mp_times *times)
{
	if (take(c, list, part, width))
		return;
	part->found = true;
	part->candidate = (struct mp_candidate){.place = times->end,
	    .minus = times->end,
	    .has_minus = true,
	    .scale = 1,
	    .relation = MP_AS_NUMBER,
	    .fit = list->count ? list->items[0].fit : (struct mp_fit){0}};
}

/* Read is total less write, or the other way round. */
static bool take_difference(struct claims *c, const struct list *total, const struct mp_part_of_record *other,
    struct mp_part_of_record *part, const struct mp_column_search *s)
{
	for (size_t i = 0; other->found && !other->candidate.has_minus && i < total->count; i++) {
		struct mp_candidate k = total->items[i];

		if (!is_free(c, k.place) || k.scale != other->candidate.scale)
			continue;
		k.minus = other->candidate.place;
		k.has_minus = true;
		k.fit = mp_candidate_fit(&k, s, part->meaning, MP_SAMPLE);
		if (k.fit.rows && !mp_fit_good(&k.fit))
			continue;
		claim(c, k.place);
		part->candidate = k;
		part->found = true;
		return true;
	}
	return false;
}

static struct mp_part_of_record *part_of(struct mp_solution *solution, enum mp_meaning meaning)
{
	for (size_t i = 0; i < solution->part_count; i++)
		if (solution->parts[i].meaning == meaning)
			return &solution->parts[i];
	return NULL;
}

static void take_bytes(
    struct claims *c, const struct list *total, struct mp_solution *solution, const struct mp_column_search *s)
{
	struct mp_part_of_record *read = part_of(solution, MP_MEANS_READ), *write = part_of(solution, MP_MEANS_WRITE);

	if (!read || !write || read->found == write->found)
		return;
	take_difference(c, total, read->found ? read : write, read->found ? write : read, s);
}

/* Take places for what is not 0 in all rows. */
static void take_numbers(struct claims *c, const struct list *lists, struct mp_solution *solution, unsigned width)
{
	/* what has the fewest places first */
	for (size_t most = 1; most <= MP_CANDIDATE_MAX; most++)
		for (size_t i = 0; i < solution->part_count; i++)
			if (lists[i].count == most && !lists[i].zeros && !solution->parts[i].found)
				take(c, &lists[i], &solution->parts[i],
				    is_id(solution->parts[i].meaning) && width > 4 ? 4 : width);
	for (size_t i = 0; i < solution->part_count; i++)
		if (!lists[i].zeros && lists[i].count && !solution->parts[i].found)
			take(c, &lists[i], &solution->parts[i], 8);
}

/* Assign with numbers of at most `width` bytes. Returns how many parts have a place of their own. */
static size_t assign(struct mp_solution *solution, const struct mp_column_search *s, const struct list *lists,
    const struct list *total, unsigned width)
{
	struct claims *c = mp_learn_calloc(1, sizeof(*c));
	size_t found = 0;

	if (!c)
		return 0;
	c->record = s->units->record;
	for (unsigned i = 0; i < solution->name_least && solution->name_offset + i < c->record; i++)
		c->taken[solution->name_offset + i] = true;
	claim(c, s->times->end);
	/* of tasks, a guess takes no place from what tables say: it is made anew (mp_guess_start) */
	if (s->times->has_start && (solution->is_of_calls || !s->times->start_guessed))
		claim(c, s->times->start);
	for (size_t i = 0; i < solution->part_count; i++)
		solution->parts[i].found = false;
	take_numbers(c, lists, solution, width);
	take_bytes(c, total, solution, s);
	for (size_t i = 0; i < solution->part_count; i++)
		if (lists[i].zeros)
			take_zero(c, &lists[i], &solution->parts[i], width, s->times);
	for (size_t i = 0; i < solution->part_count; i++)
		found += solution->parts[i].found && solution->parts[i].candidate.place.offset != s->times->end.offset;
	free(c);
	return found;
}

/* The widest numbers that fit for all counters: a counter beside a zero looks wider than it is. */
static unsigned width_of(const struct mp_solution *solution, const struct list *lists)
{
	unsigned least = 8;

	for (size_t i = 0; i < solution->part_count; i++) {
		unsigned widest = 0;

		if (lists[i].zeros || !lists[i].count || is_id(solution->parts[i].meaning))
			continue;
		for (size_t k = 0; k < lists[i].count; k++) {
			const struct mp_candidate *c = &lists[i].items[k];
			unsigned width = mp_type_width(c->place.type);

			if (mp_fit_rows(&c->fit) == mp_fit_rows(&lists[i].items[0].fit) && width > widest)
				widest = width;
		}
		least = widest < least ? widest : least;
	}
	return least;
}

/* Say what else explains a part as well. */
static void say_others(struct mp_part_of_record *part, const struct list *list)
{
	size_t len = 0;

	part->others[0] = '\0';
	for (size_t i = 0; part->found && i < list->count; i++) {
		const struct mp_candidate *k = &list->items[i];
		unsigned a = k->place.offset, b = part->candidate.place.offset;

		if (mp_fit_rows(&k->fit) < mp_fit_rows(&part->candidate.fit) ||
		    (a < b + mp_type_width(part->candidate.place.type) && b < a + mp_type_width(k->place.type)))
			continue;
		if (len < sizeof(part->others) - 24)
			len += (size_t)snprintf(part->others + len, sizeof(part->others) - len, "%s%s @%u",
			    len ? ", " : "", mp_type_name(k->place.type), a);
	}
}

bool mp_assign(struct mp_solution *solution, const struct mp_column_search *search)
{
	struct list *lists = mp_learn_calloc(solution->part_count + 1, sizeof(*lists));
	struct list *total = lists ? &lists[solution->part_count] : NULL;
	size_t found = 0;
	unsigned width;
	bool all = true;

	if (!lists)
		return false;
	for (size_t i = 0; i < solution->part_count; i++)
		fill(&lists[i], search, solution->parts[i].meaning);
	fill(total, search, MP_MEANS_TOTAL);
	width = width_of(solution, lists);
	found = assign(solution, search, lists, total, width);
	/* narrower numbers leave more places to zeros */
	while (found < solution->part_count && width > 1) {
		size_t before = found;

		found = assign(solution, search, lists, total, width / 2);
		if (found <= before) {
			assign(solution, search, lists, total, width);
			break;
		}
		width /= 2;
	}
	for (size_t i = 0; i < solution->part_count; i++) {
		struct mp_part_of_record *part = &solution->parts[i];

		say_others(part, &lists[i]);
		part->evidence = lists[i].evidence;
		solution->score += part->found ? 1000 + mp_fit_rows(&part->candidate.fit) : 0;
		all &= part->found || !part->evidence;
	}
	free(lists);
	return all;
}
