/* learn_tables.c: prints what was learned. */
#include <stdio.h>

#include "learn/learn.h"
#include "printer.h"

static struct mp_value number(size_t n)
{
	return mp_int((int64_t)n);
}

static int begin(struct mp_writer *w, const char *title, const char *const *titles, int count, const char *absent,
    struct mp_error *err)
{
	struct mp_section s = {
	    .title = title, .heading = "", .absent = absent, .titles = titles, .column_count = count};

	return w->section(w, &s, err);
}

static struct mp_value layout_of(const struct mp_learned *l)
{
	return mp_string(l->records.layout ? l->records.layout->name : "");
}

static int print_layout(const struct mp_learned *l, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Layout", "Record(byte)", "Header(byte)", "State"};

	if (begin(w, "Layouts", titles, 4, l->text ? NULL : "none: nothing was found", err))
		return -1;
	if (l->text) {
		struct mp_value row[] = {layout_of(l), number(l->records.layout->size), number(0),
		    mp_string(l->is_guess    ? "a guess"
			      : l->is_proven ? "learned"
					     : "not proven")};

		if (w->row(w, row, err))
			return -1;
	}
	return w->end(w, 0, err);
}

/* "u32 @8, u16 @8 and 3 more" */
static void name_others(const struct mp_others *others, char *names, size_t size)
{
	size_t used = 0;

	names[0] = '\0';
	for (size_t i = 0; i < others->count && i < MP_OTHERS && used + 80 < size; i++) {
		char place[64];

		mp_place_text(&others->places[i], place, sizeof(place));
		used += (size_t)snprintf(names + used, size - used, "%s%s", i ? ", " : "", place);
	}
	if (others->count > MP_OTHERS)
		snprintf(names + used, size - used, " and %zu more", others->count - MP_OTHERS);
}

/* What one count means: "cycles", "bytes x 64", "per mille". */
static void name_unit(const struct mp_learn_finding *f, int counter, char *unit, size_t size)
{
	const char *of = mp_is_bytes(counter) ? "bytes" : "cycles";

	if (f->place.per_mille)
		snprintf(unit, size, "per mille");
	else if (f->place.scale > 1)
		snprintf(unit, size, "%s x %u", of, (unsigned)f->place.scale);
	else
		snprintf(unit, size, "%s", of);
}

static int print_field(const struct mp_learned *l, int counter, struct mp_writer *w, struct mp_error *err)
{
	const struct mp_learn_finding *f = &l->findings[counter];
	char type[8], place[64], unit[32], evidence[64] = "no table says it", others[256];
	struct mp_value row[7];

	snprintf(type, sizeof(type), "u%d", 8 * f->place.width);
	snprintf(place, sizeof(place), "@%d", f->place.offset);
	if (f->place.minus)
		snprintf(place, sizeof(place), "@%d minus u%d @%d", f->place.offset, 8 * f->place.minus_width,
		    f->place.minus);
	name_unit(f, counter, unit, sizeof(unit));
	if (f->rows)
		snprintf(evidence, sizeof(evidence), "%zu of %zu rows%s", f->fits, f->rows,
		    f->nonzero ? "" : ", all of them 0");
	name_others(f->rivals.count ? &f->rivals : &f->equal, others, sizeof(others));
	row[0] = layout_of(l);
	row[1] = mp_string(mp_counter_name(counter));
	row[2] = mp_string(type);
	row[3] = mp_string(place);
	row[4] = mp_string(unit);
	row[5] = mp_string(evidence);
	row[6] = mp_string(others);
	return w->row(w, row, err);
}

static int print_fields(const struct mp_learned *l, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Layout", "Field", "Type", "Place", "Unit", "Evidence", "Also"};

	if (begin(w, "Fields", titles, 7, l->text ? NULL : "none: nothing was found", err))
		return -1;
	for (int i = 0; i < MP_COUNTERS; i++)
		if (l->findings[i].place.offset && print_field(l, i, w, err))
			return -1;
	return w->end(w, 0, err);
}

/* Whether a table has a column of the counter; meanings are in the order of counters. */
static bool has_column(const struct mp_learned *l, int counter)
{
	for (size_t i = 0; i < l->refs.count; i++)
		if (l->refs.items[i].column_of[MP_MEANS_MAC_BUSY + counter] >= 0)
			return true;
	return false;
}

/* Why a counter is not proven; "" when it is. */
static void say_missing(const struct mp_learned *l, int counter, char *why, size_t size)
{
	const struct mp_learn_finding *f = &l->findings[counter];
	char first[96] = "";

	why[0] = '\0';
	if (f->rivals.count)
		mp_place_text(&f->rivals.places[0], first, sizeof(first));
	if ((!l->text && !f->rivals.count && !f->not_searched) || (!l->is_guess && mp_finding_is_sure(f)))
		return;
	if (f->not_searched)
		snprintf(why, size, "its places were not searched to the end");
	else if (l->is_guess && f->rivals.count)
		snprintf(why, size, "%s %s", f->place.offset ? "a guess: it may also be" : "it may be", first);
	else if (l->is_guess)
		snprintf(why, size, "%s", f->place.offset ? "a guess" : "it can be nowhere");
	else if (!f->rows)
		snprintf(why, size, "%s",
		    has_column(l, counter) ? "no row that says it is surely of one record" : "no table says it");
	else if (!f->place.offset)
		snprintf(why, size, "%s",
		    f->overlapped   ? "each place that explains it overlaps one of another counter"
		    : f->candidates ? "its only places do not go with those that were chosen for others"
				    : "no place explains it: is this a table of this job?");
	else if (f->rivals.count)
		snprintf(why, size, "%s explains the tables as well, with other numbers", first);
	else if (f->fits < f->rows)
		snprintf(why, size, "%zu of %zu rows say something else", f->rows - f->fits, f->rows);
	else
		snprintf(why, size, "only %zu rows say it: other places may fit by accident", f->rows);
}

static int print_missing(const struct mp_learned *l, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Layout", "What"};
	bool any = false;

	for (int pass = 0; pass < 2; pass++) {
		if (pass && begin(w, "Missing", titles, 2, any ? NULL : "none", err))
			return -1;
		for (int i = 0; i < MP_COUNTERS; i++) {
			char what[288], missing[256];
			struct mp_value row[2];

			say_missing(l, i, missing, sizeof(missing));
			any |= missing[0] != '\0';
			if (!pass || !missing[0])
				continue;
			snprintf(what, sizeof(what), "%s: %s", mp_counter_name(i), missing);
			row[0] = layout_of(l);
			row[1] = mp_string(what);
			if (w->row(w, row, err))
				return -1;
		}
	}
	return w->end(w, 0, err);
}

/* How bytes of the hardware that count nothing look like in all records. */
static const char *look_of(const struct mp_learn_words *words, size_t from, size_t end)
{
	bool zero = true, constant = true;

	for (size_t i = 0; i < words->count; i++)
		for (size_t at = from - words->low; at < end - words->low; at++) {
			zero &= !words->bytes[i * words->span + at];
			constant &= words->bytes[i * words->span + at] == words->bytes[at];
		}
	return zero ? "zero" : constant ? "constant" : "changing";
}

/* Whether a byte belongs to a counter that was found. */
static bool is_used(const struct mp_learned *l, size_t at)
{
	for (int i = 0; i < MP_COUNTERS; i++) {
		const struct mp_place *p = &l->findings[i].place;

		if (p->offset && at >= p->offset && at < (size_t)p->offset + p->width)
			return true;
	}
	return !l->records.words.hardware[at];
}

static int print_unexplained(const struct mp_learned *l, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Layout", "What"};
	const struct mp_learn_words *words = &l->records.words;

	if (begin(w, "Unexplained bytes", titles, 2, l->text ? NULL : "none", err))
		return -1;
	for (size_t at = words->low, end; l->text && at < words->low + words->span; at = end + 1) {
		char what[64];
		struct mp_value row[2] = {layout_of(l)};

		for (end = at; end < words->low + words->span && !is_used(l, end); end++)
			;
		if (end == at)
			continue;
		snprintf(what, sizeof(what), "%zu bytes at %zu: %s", end - at, at, look_of(words, at, end));
		row[1] = mp_string(what);
		if (w->row(w, row, err))
			return -1;
	}
	return w->end(w, 0, err);
}

static int print_proof(const struct mp_learned *l, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Table", "Cells", "Equal", "Unknown Columns", "First Difference"};

	if (begin(w, "Proof", titles, 5, l->proof_count ? NULL : "none: no table could be made again", err))
		return -1;
	for (size_t i = 0; i < l->proof_count; i++) {
		const struct mp_proof_line *p = &l->proof[i];
		struct mp_value row[] = {
		    mp_string(p->name), number(p->cells), number(p->equal), number(p->unknown), mp_string(p->first)};

		if (w->row(w, row, err))
			return -1;
	}
	return w->end(w, 0, err);
}

int learn_tables_print(const struct mp_learned *l, struct mp_writer *w, struct mp_error *err)
{
	return print_layout(l, w, err) || print_fields(l, w, err) || print_missing(l, w, err) ||
		       print_unexplained(l, w, err) || print_proof(l, w, err)
		   ? -1
		   : 0;
}
