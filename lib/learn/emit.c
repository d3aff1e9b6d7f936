/* emit.c: writes the layout of records that were found, and what was found of each part. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "learn/search.h"

enum { FIELDS_MAX = 48, SKIPS_MAX = 14, NAME_SIZE = 32 };

/* A number of the record, as the layout names it. */
struct field {
	struct mp_place place; /* within the record */
	unsigned chars;        /* of a text; 0: a number */
	char name[NAME_SIZE];
	bool stored;
};

struct sheet {
	struct mp_found *found;
	const struct mp_solution *solution;
	const struct mp_views *views;
	struct field fields[FIELDS_MAX];
	size_t count;
	uint64_t parts; /* in which cycles of tasks and ns of calls are stored, so that no value has a fraction */
	struct mp_error *err;
};

int mp_found_files(struct mp_found *found, const char *layout, struct mp_error *err)
{
	const char *text = mp_schema_text("records/svp.rec");
	char head[64];
	const char *at;

	snprintf(head, sizeof(head), "record %s ", layout);
	at = text ? strstr(text, head) : NULL;
	if (!at)
		return mp_fail(err, "the built-in layout '%s' is missing", layout);
	for (at = strchr(at, '\n'); at && strncmp(at, "\n  ", 3) == 0; at = strchr(at + 1, '\n')) {
		const char *end = strchr(at + 1, '\n');

		if (!end || strncmp(at, "\n  table ", 9) == 0)
			return mp_found_write(found, err, "%.*s\n", end ? (int)(end - at) - 1 : 0, at + 1);
		if ((strncmp(at, "\n  file ", 8) == 0 || strncmp(at, "\n  family ", 10) == 0) &&
		    mp_found_write(found, err, "%.*s\n", (int)(end - at) - 1, at + 1))
			return -1;
	}
	return mp_fail(err, "the built-in layout '%s' has no table", layout);
}

/* The field at a place; made with this name when it is new. Returns its name. */
static const char *field_at(struct sheet *s, struct mp_place place, const char *name, bool stored)
{
	struct field *f;

	place.offset %= (unsigned)s->solution->shape.record;
	for (size_t i = 0; i < s->count; i++)
		if (s->fields[i].place.offset == place.offset && s->fields[i].place.type == place.type &&
		    !s->fields[i].chars)
			return s->fields[i].name;
	f = &s->fields[s->count < FIELDS_MAX ? s->count++ : FIELDS_MAX - 1];
	f->place = place;
	f->stored = stored;
	snprintf(f->name, sizeof(f->name), "%s", name);
	return f->name;
}

/* How a statement names the number at a place: "clock", or "start.clock" of the record that starts the task. */
static void reference_to(char text[NAME_SIZE + 8], const struct sheet *s, struct mp_place place, const char *name)
{
	snprintf(text, NAME_SIZE + 8, "%s%s", place.offset < s->solution->shape.record ? "" : "start.", name);
}

static bool is_plain(const struct sheet *s, const struct mp_candidate *c)
{
	return c->place.offset < s->solution->shape.record && !c->has_minus && c->relation != MP_AS_SHARE &&
	       c->relation != MP_AS_MAP && c->scale == 1 && c->divide <= 1 &&
	       (s->parts == 1 || c->relation != MP_AS_CYCLES);
}

static bool plain_ticks(const struct mp_times *t, const struct mp_solution *s)
{
	return !t->single && !s->paired && !s->is_of_calls && t->unit == MP_UNIT_TICK100 && t->end.type == MP_TYPE_U64;
}

/* Name all numbers: those of columns first, so that a statement reuses their names. */
static void name_fields(struct sheet *s)
{
	const struct mp_solution *o = s->solution;
	bool ticks = plain_ticks(&o->times, o);
	char name[NAME_SIZE];

	for (size_t i = 0; i < o->part_count; i++)
		if (o->parts[i].found && is_plain(s, &o->parts[i].candidate))
			field_at(s, o->parts[i].candidate.place, o->parts[i].column, true);
	if (o->paired)
		field_at(s, o->key, "task_key", false);
	field_at(s, o->times.end, ticks ? "end_tick" : o->times.single ? "took" : "end_count", ticks);
	if (o->times.has_start)
		field_at(s, o->times.start, ticks ? "start_tick" : "start_count", ticks);
	for (size_t i = 0; i < o->part_count; i++) {
		const struct mp_candidate *c = &o->parts[i].candidate;

		if (!o->parts[i].found || is_plain(s, c))
			continue;
		snprintf(name, sizeof(name), "%s_count", c->has_minus ? "total" : o->parts[i].column);
		field_at(s, c->place, name, false);
	}
	if (o->name_width && s->count < FIELDS_MAX)
		s->fields[s->count++] = (struct field){
		    .place = {.offset = o->name_offset}, .chars = o->name_width, .name = "name", .stored = true};
}

static int by_offset(const void *left, const void *right)
{
	const struct field *a = left, *b = right;

	return a->place.offset < b->place.offset ? -1 : a->place.offset > b->place.offset;
}

/* What the bytes of a run are in all records of tasks. */
static const char *class_of(const struct mp_solution *o, size_t from, size_t len)
{
	bool zero = true, constant = true, counting = true;
	const struct mp_unit_of_row *last = NULL;

	for (size_t i = 0; i < o->units.count; i++) {
		const struct mp_unit_of_row *u = &o->units.items[i];

		if (!o->mapped[i])
			continue;
		for (size_t k = from; k < from + len; k++) {
			zero &= u->own[k] == 0;
			constant &= !last || u->own[k] == last->own[k];
		}
		counting &= !last || memcmp(u->own + from, last->own + from, len) != 0;
		last = u;
	}
	return zero ? "zero" : constant ? "constant" : counting && len <= 8 ? "counting" : "noise";
}

static int write_gap(struct sheet *s, size_t from, size_t to, unsigned *skips)
{
	if (from >= to)
		return 0;
	if (mp_found_unexplained(s->found, s->err, "%zu byte%s at %zu: %s", to - from, to - from == 1 ? "" : "s", from,
		class_of(s->solution, from, to - from)))
		return -1;
	/* few runs of unknown bytes have a statement of their own */
	if ((*skips)++ < SKIPS_MAX)
		return mp_found_write(s->found, s->err, "  skip     %zu @%zu\n", to - from, from);
	return mp_found_write(s->found, s->err, "  input    unknown_%zu bytes[%zu] @%zu\n", from, to - from, from);
}

static void type_text(char text[24], const struct field *f)
{
	if (f->chars)
		snprintf(text, 24, "char[%u]", f->chars);
	else
		snprintf(text, 24, "%s", mp_type_name(f->place.type));
}

static int write_fields(struct sheet *s)
{
	unsigned skips = 0;
	size_t at = 0;

	qsort(s->fields, s->count, sizeof(s->fields[0]), by_offset);
	for (size_t i = 0; i < s->count; i++) {
		const struct field *f = &s->fields[i];
		char type[24];

		type_text(type, f);
		if (write_gap(s, at, f->place.offset, &skips) ||
		    mp_found_write(s->found, s->err, "  %-8s %-16s %s @%u\n", f->stored ? "field" : "input", f->name,
			type, f->place.offset))
			return -1;
		at = f->place.offset + (f->chars ? f->chars : mp_type_width(f->place.type));
	}
	return write_gap(s, at, s->solution->shape.record, &skips);
}

/* The duration of a call in parts of a nanosecond, where it has a fraction. */
static int write_parts_of_call(struct sheet *s, const char *start, const char *end)
{
	const struct mp_times *t = &s->solution->times;
	uint64_t each = 1000 * s->parts / mp_counts_per_us(t->unit);

	if (s->parts == 1)
		return 0;
	return mp_found_write(s->found, s->err, "  value    dur_parts %s%s%s scale=%" PRIu64 "/1\n", end,
	    t->single ? "" : " minus ", t->single ? "" : start, each);
}

static int write_times(struct sheet *s)
{
	const struct mp_solution *o = s->solution;
	const struct mp_times *t = &o->times;
	char unit[16], start[NAME_SIZE + 8] = "", end[NAME_SIZE + 8], both[2 * NAME_SIZE + 20];
	const char *start_name = t->has_start ? field_at(s, t->start, "start_count", false) : "";
	const char *end_name = field_at(s, t->end, "end_count", false);

	reference_to(end, s, t->end, end_name);
	if (t->has_start)
		reference_to(start, s, t->start, start_name);
	snprintf(both, sizeof(both), "%s%s%s", t->single ? "" : start, t->single ? "" : " ", end);
	if ((!t->single || t->has_start) && t->start.type == MP_TYPE_U32 &&
	    mp_found_write(s->found, s->err, "  wrap     %s%s%s\n", start_name,
		t->single || strcmp(start_name, end_name) == 0 ? "" : " ",
		t->single || strcmp(start_name, end_name) == 0 ? "" : end_name))
		return -1;
	mp_times_unit(unit, mp_times_start_unit(t));
	if (t->has_start && mp_found_write(s->found, s->err, "  time     start_ns %s unit=%s\n", start, unit))
		return -1;
	mp_times_unit(unit, t->unit);
	if (mp_found_write(s->found, s->err, "  duration dur_ns %s unit=%s\n", both, unit))
		return -1;
	if (o->is_of_calls)
		return write_parts_of_call(s, start, end);
	return plain_ticks(t, o) && s->parts == 1
		   ? 0
		   : mp_found_write(s->found, s->err, "  cycles   cycles %s unit=%s\n", both, unit);
}

/* The numbers of kinds: " 49=1 50=2". */
static void map_text(char text[96], const struct mp_solution *o)
{
	size_t len = 0;

	text[0] = '\0';
	for (int kind = 1; kind <= MP_CALL_KINDS; kind++)
		if (o->kinds[kind] >= 0 && len < 96)
			len += (size_t)snprintf(text + len, 96 - len, " %" PRId64 "=%d", o->kinds[kind], kind);
}

static int write_part(struct sheet *s, const struct mp_part_of_record *part)
{
	const struct mp_candidate *c = &part->candidate;
	char name[NAME_SIZE + 8], minus[NAME_SIZE + 16] = "", scale[40] = "";
	uint64_t times = c->relation == MP_AS_CYCLES ? c->scale * s->parts : c->scale;

	if (!part->found || is_plain(s, c))
		return 0;
	reference_to(name, s, c->place, field_at(s, c->place, "", false));
	if (c->relation == MP_AS_MAP) {
		char map[96];

		map_text(map, s->solution);
		return mp_found_write(s->found, s->err, "  map      %s %s%s\n", part->column, name, map);
	}
	if (c->relation == MP_AS_SHARE)
		return mp_found_write(s->found, s->err, "  share    %s %s per=%u\n", part->column, name, c->scale);
	if (c->has_minus) {
		char other[NAME_SIZE + 8];

		reference_to(other, s, c->minus, field_at(s, c->minus, "", false));
		snprintf(minus, sizeof(minus), " minus %s", other);
	}
	if (times != 1 || c->divide > 1)
		snprintf(scale, sizeof(scale), " scale=%" PRIu64 "/%u", times, c->divide > 1 ? c->divide : 1);
	return mp_found_write(s->found, s->err, "  value    %s %s%s%s\n", part->column, name, minus, scale);
}

/* What marks a record, and what tells its kind. */
static int write_match(struct sheet *s, const struct mp_match_found *match)
{
	const struct mp_solution *o = s->solution;

	for (unsigned i = 0; i < match->count; i++)
		if (mp_found_write(
			s->found, s->err, "  match    u8 @%u == 0x%02x\n", match->offsets[i], match->values[i]))
			return -1;
	if (o->paired && !o->tagged)
		return mp_found_write(
		    s->found, s->err, "  kind     u8 @%u == %u %u\n", o->tag_offset, o->tag_start, o->tag);
	return match->has_kind
		   ? mp_found_write(s->found, s->err, "  kind     u8 @%u == %u\n", match->kind_offset, match->kind)
		   : 0;
}

static int write_pair(struct sheet *s)
{
	const struct mp_solution *o = s->solution;

	if (!o->paired)
		return 0;
	return mp_found_write(s->found, s->err, "  pair     u8 @%u start=%u end=%u key=%s\n", o->tag_offset,
	    o->tag_start, o->tag, field_at(s, o->key, "", false));
}

static int write_layout(struct sheet *s, const char *layout, const struct mp_match_found *match)
{
	const struct mp_solution *o = s->solution;
	size_t header = s->found->header;

	name_fields(s);
	if (mp_found_write(s->found, s->err, "record %s v2 unverified\n", layout) ||
	    mp_found_files(s->found, layout, s->err) ||
	    mp_found_write(s->found, s->err, "  size     %zu\n", o->shape.record) ||
	    (header && mp_found_write(s->found, s->err, "  header   %zu\n", header)) ||
	    (s->parts > 1 && mp_found_write(s->found, s->err, "  parts    %" PRIu64 "\n", s->parts)) ||
	    (o->shape.big_endian && mp_found_write(s->found, s->err, "  endian   big\n")) || write_match(s, match) ||
	    write_fields(s) || write_pair(s) || write_times(s))
		return -1;
	for (size_t i = 0; i < o->part_count; i++)
		if (write_part(s, &o->parts[i]))
			return -1;
	return 0;
}

static void place_text(char text[64], const struct mp_solution *o, struct mp_place place)
{
	unsigned record = (unsigned)o->shape.record;

	snprintf(text, 64, "@%u%s", place.offset % record, place.offset >= record ? " of its start" : "");
}

static int say_times(struct sheet *s)
{
	const struct mp_times *t = &s->solution->times;
	struct mp_finding f = {.rows = t->fit.rows, .fits = mp_fit_rows(&t->fit)};

	snprintf(f.name, sizeof(f.name), "%s", t->single ? "duration" : "end");
	snprintf(f.type, sizeof(f.type), "%s", mp_type_name(t->end.type));
	place_text(f.place, s->solution, t->end);
	mp_times_unit(f.unit, t->unit);
	snprintf(f.others, sizeof(f.others), "%s", t->others);
	if (mp_found_add(s->found, &f, s->err))
		return -1;
	if (!t->has_start)
		return mp_found_missing(s->found, s->err, "no number is a moment at which %s start",
		    s->solution->is_of_calls ? "calls" : "tasks");
	f = (struct mp_finding){.rows = t->start_fit.rows, .fits = mp_fit_rows(&t->start_fit)};
	snprintf(f.name, sizeof(f.name), "start");
	snprintf(f.type, sizeof(f.type), "%s", mp_type_name(t->start.type));
	place_text(f.place, s->solution, t->start);
	mp_times_unit(f.unit, mp_times_start_unit(t));
	if (t->start_guessed)
		snprintf(f.others, sizeof(f.others), "guessed by its order: no table has moments");
	else if (t->start_shifted)
		snprintf(f.others, sizeof(f.others), "moments of tables differ by a constant");
	if (t->start_guessed && t->start_unsure &&
	    mp_found_missing(s->found, s->err,
		"no table has moments: the start may be the %s at %u or the %s at %u of a record",
		mp_type_name(t->start.type), t->start.offset, mp_type_name(t->rival.type), t->rival.offset))
		return -1;
	return mp_found_add(s->found, &f, s->err);
}

static int say_part(struct sheet *s, const struct mp_part_of_record *part)
{
	const struct mp_candidate *c = &part->candidate;
	struct mp_finding f = {.rows = c->fit.rows, .fits = mp_fit_rows(&c->fit)};

	if (!part->found)
		return mp_found_missing(s->found, s->err,
		    part->evidence ? "no number of a record explains %s" : "no table says %s",
		    mp_meaning_name(part->meaning));
	snprintf(f.name, sizeof(f.name), "%s", part->column);
	snprintf(f.type, sizeof(f.type), "%s", mp_type_name(c->place.type));
	place_text(f.place, s->solution, c->place);
	if (c->relation == MP_AS_SHARE)
		snprintf(f.unit, sizeof(f.unit), "1/%u of the cycles", c->scale);
	else if (c->relation == MP_AS_MAP)
		snprintf(f.unit, sizeof(f.unit), "other numbers");
	else if (c->has_minus && c->minus.offset == c->place.offset)
		snprintf(f.unit, sizeof(f.unit), "0 in all rows");
	else if (c->divide > 1)
		snprintf(f.unit, sizeof(f.unit), "x 1/%u", c->divide);
	else
		snprintf(f.unit, sizeof(f.unit), "%s%s x %u", c->relation == MP_AS_CYCLES ? "cycles" : "",
		    c->has_minus ? "total less the other" : "", c->scale);
	snprintf(f.others, sizeof(f.others), "%s", part->others);
	return mp_found_add(s->found, &f, s->err);
}

static int say_name(struct sheet *s)
{
	const struct mp_solution *o = s->solution;
	struct mp_finding f = {.name = "name"};

	if (!o->name_width)
		return 0;
	for (size_t i = 0; i < o->units.count; i++)
		f.rows += o->mapped[i] != 0;
	f.fits = f.rows;
	snprintf(f.type, sizeof(f.type), "char[%u]", o->name_width);
	snprintf(f.place, sizeof(f.place), "@%u", o->name_offset);
	return mp_found_add(s->found, &f, s->err);
}

int mp_emit(struct mp_found *found, const char *layout, const struct mp_raw *raw, const struct mp_views *views,
    const struct mp_solution *solution, struct mp_error *err)
{
	struct sheet s = {
	    .found = found, .solution = solution, .views = views, .parts = mp_find_parts(raw, solution), .err = err};
	struct mp_match_found match;

	found->record = solution->shape.record;
	found->header = solution->is_of_calls ? solution->shape.phase : mp_find_header(raw, solution);
	mp_find_match(&match, solution);
	if (write_layout(&s, layout, &match) || say_times(&s) || say_name(&s))
		return -1;
	for (size_t i = 0; i < solution->part_count; i++)
		if (say_part(&s, &solution->parts[i]))
			return -1;
	return 0;
}
