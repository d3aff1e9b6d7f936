/*
 * emit.c: copies the text of a built-in layout, with other lines for the counters: fields, what is computed of them,
 * bytes that nothing describes, and what must hold.
 */
#include "learn/learn_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"

/*
 * Tries all places where the counters may begin. In each record no unit works longer than the task lasts, nor
 * more than it is busy; tasks with layers of matrices use the Mac unit, those that only prepare the input do not; the
 * first task loads data; and no task moves more bytes than the memory can.
 */

/* What is known of a record's task. */
struct known {
	size_t record;
	uint64_t ticks;
	bool is_first, is_matrix, is_input;
};

/* Whether a counter may have this value in a record: in tenths of a cycle, or bytes. */
static bool may_be(const struct known *k, int counter, uint64_t value)
{
	if (mp_is_bytes(counter))
		return value <= k->ticks * 100 * MP_BYTES_A_CYCLE;
	if (value > k->ticks * 1000)
		return false;
	if (counter == MP_MAC_BUSY || counter == MP_MAC_PPEN)
		return value ? !k->is_input : !k->is_matrix;
	return value || counter != MP_DLD || !k->is_first;
}

static struct known know(
    const struct mp_records *r, const struct mp_inference *inference, size_t record, struct mp_work *work)
{
	struct known k = {.record = record, .ticks = r->words.ticks[record], .is_first = record == inference->first};
	const struct mp_layer *layers;
	size_t count = mp_records_layers(r, inference, record, &layers);

	k.is_input = count > 0;
	for (size_t i = 0; i < count && mp_work_take(work, 1); i++) {
		k.is_matrix |= layers[i].is_matrix;
		k.is_input &= layers[i].is_input;
	}
	return k;
}

struct guesser {
	const struct mp_records *records;
	struct known *known; /* the records of all inferences */
	size_t count;
	struct mp_work *work;
};

/* Whether the counters from `first` to `last` may lie behind each other from an offset on. */
static bool may_lie(const struct guesser *g, unsigned at, unsigned width, int first, int last)
{
	const struct mp_learn_words *words = &g->records->words;
	struct mp_place p[MP_COUNTERS];
	bool any[MP_COUNTERS] = {false};

	for (int c = first; c <= last; c++, at += width) {
		p[c] = (struct mp_place){.offset = (uint16_t)at, .width = (uint8_t)width, .scale = 1};
		if (!mp_place_is_possible(words, &p[c]))
			return false;
	}
	for (size_t i = 0; i < g->count; i++) {
		uint64_t v[MP_COUNTERS] = {0};

		if (!mp_work_take(g->work, first == last ? 1 : MP_COUNTERS))
			return false;
		for (int c = first; c <= last; c++) {
			v[c] = mp_place_value(words, &p[c], c, g->known[i].record);
			if (!may_be(&g->known[i], c, v[c]))
				return false;
			any[c] |= v[c] > 0;
		}
		if (first < last && (v[MP_MAC_PPEN] > v[MP_MAC_BUSY] || v[MP_VEC_PPEN] > v[MP_VEC_BUSY]))
			return false;
	}
	return first == last ? any[first] : any[MP_VEC_BUSY] && any[MP_DLD] && any[MP_DDR_READ];
}

/* Try all places for all counters together; returns whether there is one. */
static bool guess_all(const struct guesser *g, struct mp_learn_finding findings[MP_COUNTERS])
{
	const struct mp_learn_words *words = &g->records->words;
	bool found = false;

	for (unsigned n = 0, width = 4; n < 3; width = ++n == 1 ? 8 : 2)
		for (unsigned at = (unsigned)words->low; at < words->low + words->span; at += width) {
			if (!may_lie(g, at, width, 0, MP_COUNTERS - 1))
				continue;
			for (int c = 0; c < MP_COUNTERS; c++) {
				struct mp_place p = {
				    (uint16_t)(at + (unsigned)c * width), (uint8_t)width, false, 1, 0, 0};

				if (found)
					mp_others_add(&findings[c].rivals, &p);
				else
					findings[c].place = p;
			}
			found = true;
		}
	return found;
}

int mp_guess_places(struct mp_learn_finding findings[MP_COUNTERS], const struct mp_records *r, struct mp_work *work,
    struct mp_error *err)
{
	const struct mp_learn_words *words = &r->words;
	struct guesser g = {.records = r, .known = calloc(words->count + 1, sizeof(*g.known)), .work = work};
	bool found;

	if (!g.known)
		return mp_fail_memory(err, "records");
	memset(findings, 0, MP_COUNTERS * sizeof(*findings));
	mp_work_share(work, 0, 1);
	for (size_t n = 0; n < r->inference_count; n++)
		for (size_t i = 0; i < r->inferences[n].count && g.count < words->count; i++)
			g.known[g.count++] = know(r, &r->inferences[n], r->inferences[n].first + i, work);
	found = guess_all(&g, findings);
	for (int c = 0; c < MP_COUNTERS; c++) {
		for (size_t at = words->low; !found && at < words->low + words->span; at += 4)
			if (may_lie(&g, (unsigned)at, 4, c, c))
				mp_others_add(&findings[c].rivals, &(struct mp_place){(uint16_t)at, 4, false, 1, 0, 0});
		findings[c].not_searched = work->ended;
	}
	free(g.known);
	return 0;
}

struct emitter {
	FILE *out;
	const struct mp_learned *learned;
	uint32_t parts; /* of a cycle */
};

static const struct mp_place *place_of(const struct emitter *e, int counter)
{
	return &e->learned->findings[counter].place;
}

/* The name of a place's field, which is that of the column where nothing has to be computed. */
static const char *field_of(const struct emitter *e, int counter, char name[MP_NAME_SIZE])
{
	const struct mp_place *p = place_of(e, counter);
	bool computed = p->scale > 1 || (e->parts > 1 && !mp_is_bytes(counter));

	snprintf(name, MP_NAME_SIZE, "%s%s", p->minus ? "ddr_total" : mp_counter_name(counter),
	    p->per_mille           ? "_mille"
	    : computed || p->minus ? "_count"
				   : "");
	return name;
}

static void emit_counter(const struct emitter *e, int counter)
{
	const struct mp_learn_finding *f = &e->learned->findings[counter];
	const struct mp_place *p = &f->place;
	const char *name = mp_counter_name(counter);
	char field[MP_NAME_SIZE], read[MP_NAME_SIZE];
	uint32_t scale = p->scale * (mp_is_bytes(counter) ? 1 : e->parts);

	field_of(e, counter, field);
	fprintf(e->out, "  %-8s %-22s u%d @%d", strcmp(field, name) == 0 ? "field" : "input", field, 8 * p->width,
	    p->offset);
	if (f->rows)
		fprintf(e->out, "   # %zu of %zu rows%s", f->fits, f->rows,
		    f->rivals.count  ? "; other places explain them, too"
		    : !f->nonzero    ? "; all of them are 0, so that the place is a choice"
		    : f->equal.count ? "; other places have the same numbers"
				     : "");
	if (p->per_mille)
		fprintf(e->out, "\n  share    %s %s per=1000", name, field);
	else if (p->minus)
		fprintf(e->out, "\n  value    %s %s minus %s scale=%u/1", name, field, field_of(e, MP_DDR_READ, read),
		    scale);
	else if (strcmp(field, name) != 0)
		fprintf(e->out, "\n  value    %s %s scale=%u/1", name, field, scale);
	fprintf(e->out, "\n");
}

/* The counters, and the bytes that nothing describes. */
static void emit_counters(const struct emitter *e)
{
	const struct mp_learn_words *w = &e->learned->records.words;
	size_t size = e->learned->records.layout->size;

	if (e->parts > 1)
		fprintf(e->out, "  parts    %u\n", e->parts);
	for (int i = 0; i < MP_COUNTERS; i++)
		if (place_of(e, i)->offset)
			emit_counter(e, i);
	for (size_t at = 0, end; at < size; at = end + 1) {
		for (end = at; end < size && w->hardware[end]; end++) {
			struct mp_place byte = {.offset = (uint16_t)end, .width = 1};
			bool used = false;

			for (int i = 0; i < MP_COUNTERS; i++)
				used |= mp_places_overlap(place_of(e, i), &byte);
			if (used)
				break;
		}
		if (end > at)
			fprintf(e->out, "  skip     %zu @%zu\n", end - at, at);
	}
}

/* What must hold of the fields: no unit works longer than the task lasts, nor more than it is busy. */
static void emit_holds(const struct emitter *e)
{
	char name[MP_NAME_SIZE], other[MP_NAME_SIZE];

	for (int i = 0; i < MP_COUNTERS && e->learned->is_guess; i++)
		if (place_of(e, i)->offset)
			fprintf(e->out, "  assumed  %s\n", mp_counter_name(i));
	for (int i = 0; i < MP_DDR_READ; i++) {
		const struct mp_place *p = place_of(e, i), *busy = place_of(e, i & ~1);

		if (!p->offset || !p->scale)
			continue;
		field_of(e, i, name);
		if ((i == MP_MAC_PPEN || i == MP_VEC_PPEN) && busy->offset && p->per_mille == busy->per_mille)
			fprintf(e->out, "  holds    %s <= %s scale=%u\n", name, field_of(e, i & ~1, other),
			    busy->scale > p->scale ? busy->scale / p->scale : 1);
		else if (p->per_mille)
			fprintf(e->out, "  holds    %s <= 1000\n", name);
		else
			fprintf(e->out, "  holds    %s <= ticks scale=%u\n", name, (99 + p->scale) / p->scale);
	}
}

/* Whether a line begins with a word, and with `second` behind it unless NULL. */
static bool is_line(const char *line, const char *word, const char *second)
{
	size_t len = strlen(word);

	line += strspn(line, " ");
	if (strncmp(line, word, len) != 0 || line[len] != ' ')
		return false;
	line += len + strspn(line + len, " ");
	return !second || (strncmp(line, second, strlen(second)) == 0 && strcspn(line, " \n") == strlen(second));
}

/* Copy the lines of a layout from its first one on. */
static void emit_lines(const struct emitter *e, const char *line)
{
	const struct mp_layout *l = e->learned->records.layout;
	bool done = false;

	fprintf(
	    e->out, "\nrecord %s v%d %s\n", l->name, l->version + 1, e->learned->is_proven ? "learned" : "unverified");
	for (line += strcspn(line, "\n"); line[0] == '\n' && line[1] == ' '; line += strcspn(line, "\n")) {
		bool replaced = false, dropped;

		line++;
		for (int i = 0; i < MP_COUNTERS; i++)
			replaced |= is_line(line, "field", mp_counter_name(i));
		dropped = is_line(line, "skip", NULL) || is_line(line, "pad", NULL) || is_line(line, "assumed", NULL) ||
			  is_line(line, "holds", NULL);
		if (replaced && !done)
			emit_counters(e);
		if (!replaced && !dropped)
			fprintf(e->out, "%.*s\n", (int)strcspn(line, "\n"), line);
		done |= replaced;
	}
	emit_holds(e);
}

int mp_emit_layout(const struct mp_learned *learned, FILE *out, struct mp_error *err)
{
	struct emitter e = {out, learned, 1};

	for (int i = 0; i < MP_DDR_READ; i++) /* a thousandth of a tick's cycles is a tenth of a cycle */
		e.parts = learned->findings[i].place.per_mille ? 10 : e.parts;
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++) {
		if (strncmp(f->path, "records/", 8) != 0)
			continue;
		for (const char *line = f->text; *line; line += strcspn(line, "\n"), line += *line == '\n')
			if (is_line(line, "record", learned->records.layout->name)) {
				emit_lines(&e, line);
				return 0;
			}
	}
	return mp_fail(err, "'%s' is no built-in layout", learned->records.layout->name);
}
