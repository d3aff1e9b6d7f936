/* calls_types.c: finds the numbers of the kinds of calls where they are not ours: multiples of ours, or any numbers. */
#include "learn/calls_internal.h"

/* What is compared: rows that say a kind, and their units. */
struct kinds {
	const struct mp_views *views;
	const struct mp_call_grid *grid;
};

/* What a row says of a kind, and the number at a place of its unit. Returns false when the row says nothing. */
static bool kind_of(
    const struct kinds *k, size_t view, size_t row, struct mp_place place, unsigned *kind, int64_t *number)
{
	const struct mp_view *v = &k->views->items[view];
	struct mp_says says;

	if (v->units[row] == MP_NO_UNIT || !mp_view_says(v, row, MP_MEANS_KIND, &says) || says.value < 1 ||
	    says.value > MP_CALL_KINDS)
		return false;
	*kind = (unsigned)says.value;
	if (!mp_unit_read(&k->grid->units, v->units[row], place, number))
		*number = -1;
	return true;
}

/* Find the number of each kind that most rows have at a place. */
static void vote(const struct kinds *k, struct mp_place place, int64_t numbers[MP_CALL_KINDS + 1])
{
	size_t votes[MP_CALL_KINDS + 1] = {0}, rows = 0;

	for (unsigned kind = 0; kind <= MP_CALL_KINDS; kind++)
		numbers[kind] = -1;
	for (size_t v = 0; v < k->views->count; v++)
		for (size_t i = 0; i < k->views->items[v].count && rows < MP_SAMPLE; i++) {
			unsigned kind;
			int64_t number;

			if (!kind_of(k, v, i, place, &kind, &number))
				continue;
			rows++;
			if (!votes[kind])
				numbers[kind] = number;
			votes[kind] += numbers[kind] == number ? 1 : (size_t)-1;
		}
}

/* How many rows have the numbers of their kinds. */
static struct mp_fit fit_of(const struct kinds *k, struct mp_place place, const int64_t numbers[MP_CALL_KINDS + 1])
{
	struct mp_fit fit = {.rows = 0};

	for (size_t v = 0; v < k->views->count; v++)
		for (size_t i = 0; i < k->views->items[v].count && fit.rows < MP_SAMPLE; i++) {
			unsigned kind;
			int64_t number;

			if (!kind_of(k, v, i, place, &kind, &number))
				continue;
			fit.rows++;
			fit.half += number >= 0 && number == numbers[kind];
		}
	return fit;
}

/* The number of which all are multiples; 0 when not found. */
static unsigned divisor_of(const int64_t numbers[MP_CALL_KINDS + 1])
{
	int64_t divide = 0;

	for (unsigned kind = 1; kind <= MP_CALL_KINDS; kind++) {
		if (numbers[kind] < 0)
			continue;
		divide = divide ? divide : numbers[kind] / kind;
		if (divide > UINT32_MAX || numbers[kind] != divide * kind)
			return 0;
	}
	return (unsigned)divide;
}

/* Returns whether there are two kinds or more, each with a number of its own. */
static bool tells_kinds(const int64_t numbers[MP_CALL_KINDS + 1])
{
	unsigned count = 0;

	for (unsigned kind = 1; kind <= MP_CALL_KINDS; kind++) {
		count += numbers[kind] >= 0;
		for (unsigned other = 1; other < kind; other++)
			if (numbers[kind] >= 0 && numbers[kind] == numbers[other])
				return false;
	}
	return count > 1;
}

/* Multiples are likelier than other numbers, and small numbers than large ones. */
static bool better(const struct mp_candidate *c, const struct mp_candidate *best)
{
	size_t rows = mp_fit_rows(&c->fit), most = mp_fit_rows(&best->fit);

	if (rows != most)
		return rows > most;
	if (c->relation != best->relation)
		return best->relation == MP_AS_MAP;
	return c->relation == MP_AS_NUMBER && c->divide < best->divide;
}

static void try_place(struct mp_solution *s, const struct kinds *k, struct mp_place place)
{
	struct mp_part_of_record *part = &s->parts[0];
	struct mp_candidate c = {.place = place, .scale = 1};
	int64_t numbers[MP_CALL_KINDS + 1];

	vote(k, place, numbers);
	c.divide = divisor_of(numbers);
	c.relation = c.divide ? MP_AS_NUMBER : MP_AS_MAP;
	if (!c.divide && !tells_kinds(numbers))
		return;
	c.fit = fit_of(k, place, numbers);
	if (!mp_fit_good(&c.fit) || (part->found && !better(&c, &part->candidate)))
		return;
	part->found = true;
	part->candidate = c;
	for (unsigned kind = 0; kind <= MP_CALL_KINDS; kind++)
		s->kinds[kind] = numbers[kind];
}

void mp_call_find_type(const struct mp_views *views, const struct mp_call_grid *g, struct mp_solution *s)
{
	struct kinds k = {views, g};

	for (enum mp_type type = MP_TYPE_U8; type <= MP_TYPE_U64; type++)
		for (unsigned at = 0; at + mp_type_width(type) <= g->record; at++) {
			struct mp_place place = {at, type};

			if (!mp_call_place_is_taken(s, place))
				try_place(s, &k, place);
		}
	if (s->parts[0].found)
		s->score += 1000 + mp_fit_rows(&s->parts[0].candidate.fit);
}

size_t mp_call_unknown_types(const struct mp_solution *s)
{
	const struct mp_candidate *c = &s->parts[0].candidate;
	size_t count = 0;

	for (size_t u = 0; u < s->units.count && s->parts[0].found && c->relation == MP_AS_MAP; u++) {
		int64_t number;
		bool known = !s->mapped[u];

		for (unsigned kind = 1; kind <= MP_CALL_KINDS && !known; kind++)
			known = mp_unit_read(&s->units, u, c->place, &number) && number == s->kinds[kind];
		count += !known;
	}
	return count;
}
