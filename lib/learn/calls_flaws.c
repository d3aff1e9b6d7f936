/* calls_flaws.c: reads files as a reader does with the layout of a solution, and compares the records with the names.
 */
#include "learn/calls_internal.h"

/* The marks of records, and the bytes of one file. */
struct file {
	const struct mp_match_found *match;
	const unsigned char *bytes;
	size_t size, record;
};

/* Returns whether a record may begin here, by the bytes that the file still has. */
static bool matches(const struct file *f, size_t at)
{
	for (unsigned i = 0; i < f->match->count; i++)
		if (at + f->match->offsets[i] < f->size && f->bytes[at + f->match->offsets[i]] != f->match->values[i])
			return false;
	return true;
}

/* Returns whether a record of the kind that the layout describes begins here. */
static bool is_of_kind(const struct file *f, size_t at)
{
	return !f->match->has_kind || f->bytes[at + f->match->kind_offset] == f->match->kind;
}

/* The names of one file. */
struct named {
	const struct mp_call_spot *spots;
	size_t count;
};

static void add_flaws(
    struct mp_call_flaws *flaws, const struct file *f, const struct named *n, size_t phase, size_t name_offset)
{
	size_t at = phase, next = 0;
	bool is_lost = false;

	while (at + f->record <= f->size) {
		if (!matches(f, at) || (is_lost && !matches(f, at + f->record))) {
			is_lost = true;
			at++;
			continue;
		}
		is_lost = false;
		if (is_of_kind(f, at)) {
			for (; next < n->count && n->spots[next].at < at + name_offset; next++)
				flaws->lost += n->spots[next].name != MP_NO_NAME;
			if (next < n->count && n->spots[next].at == at + name_offset &&
			    n->spots[next].name != MP_NO_NAME)
				next++;
			else
				flaws->strangers++;
		}
		at += f->record;
	}
	/* the last record may be cut */
	for (; next < n->count && n->spots[next].at - name_offset + f->record <= f->size; next++)
		flaws->lost += n->spots[next].name != MP_NO_NAME;
}

struct mp_call_flaws mp_call_find_flaws(const struct mp_call_hunt *h, const struct mp_solution *s)
{
	struct mp_call_flaws flaws = {0, 0};
	struct mp_match_found match;
	size_t from = 0;

	mp_find_match(&match, s);
	for (size_t p = 0; p < h->raw.part_count; p++) {
		const struct mp_raw_part *part = &h->raw.parts[p];
		struct file f = {&match, h->raw.bytes + part->begin, part->size, s->shape.record};
		struct named n = {h->spots.items + from, 0};

		while (from < h->spots.count && h->spots.items[from].part == p)
			from++;
		n.count = (size_t)(h->spots.items + from - n.spots);
		add_flaws(&flaws, &f, &n, s->shape.phase, s->name_offset);
	}
	return flaws;
}
