/* learn_tables.c: prints what was learned. */
#include "learn_tables.h"

#include <stdio.h>

static struct mp_value text(const char *s)
{
	return (struct mp_value){.type = MP_TEXT, .text = s, .len = strlen(s)};
}

static struct mp_value number(size_t n)
{
	return (struct mp_value){.type = MP_INT, .i = (int64_t)n};
}

static int begin(struct mp_writer *w, const char *title, const char *const *titles, int count, const char *absent,
    struct mp_error *err)
{
	struct mp_section s = {
	    .title = title, .heading = "", .absent = absent, .titles = titles, .column_count = count};

	return w->section(w, &s, err);
}

static int print_layouts(const struct mp_learned *l, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Layout", "Record(byte)", "Header(byte)", "State"};

	if (begin(w, "Layouts", titles, 4, l->found_count ? NULL : "none: nothing was found", err))
		return -1;
	for (size_t i = 0; i < l->found_count; i++) {
		const struct mp_found *f = &l->found[i];
		struct mp_value row[] = {text(f->layout), number(f->record), number(f->header),
		    text(!f->text       ? f->is_guess ? "a guess" : "not found"
			 : l->is_proven ? "learned"
					: "not proven")};

		if (w->row(w, row, err))
			return -1;
	}
	return w->end(w, 0, err);
}

static int print_fields(const struct mp_learned *l, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Layout", "Field", "Type", "Place", "Unit", "Evidence", "Also"};

	if (begin(w, "Fields", titles, 7, l->found_count ? NULL : "none: nothing was found", err))
		return -1;
	for (size_t i = 0; i < l->found_count; i++)
		for (size_t k = 0; k < l->found[i].finding_count; k++) {
			const struct mp_finding *f = &l->found[i].findings[k];
			char evidence[64] = "no table says it";
			struct mp_value row[7];

			if (f->rows)
				snprintf(evidence, sizeof(evidence), "%zu of %zu rows", f->fits, f->rows);
			row[0] = text(l->found[i].layout);
			row[1] = text(f->name);
			row[2] = text(f->type);
			row[3] = text(f->place);
			row[4] = text(f->unit);
			row[5] = text(evidence);
			row[6] = text(f->others);
			if (w->row(w, row, err))
				return -1;
		}
	return w->end(w, 0, err);
}

static int print_item(struct mp_writer *w, const char *layout, const char *what, struct mp_error *err)
{
	struct mp_value row[] = {text(layout), text(what)};

	return w->row(w, row, err);
}

/* What is missing, or what nothing explains. */
static int print_lists(const struct mp_learned *l, bool missing, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Layout", "What"};
	size_t rows = 0;

	for (size_t i = 0; i < l->found_count; i++)
		rows += missing ? l->found[i].missing_count + l->found[i].is_guess : l->found[i].unexplained_count;
	if (begin(w, missing ? "Missing" : "Unexplained bytes", titles, 2, rows ? NULL : "none", err))
		return -1;
	for (size_t i = 0; i < l->found_count; i++) {
		const struct mp_found *f = &l->found[i];
		size_t count = missing ? f->missing_count : f->unexplained_count;

		if (missing && f->is_guess && print_item(w, f->layout, f->guess[0] ? f->guess : "a guess", err))
			return -1;
		for (size_t k = 0; k < count; k++)
			if (print_item(w, f->layout, missing ? f->missing[k] : f->unexplained[k], err))
				return -1;
	}
	return w->end(w, 0, err);
}

static int print_proof(const struct mp_learned *l, struct mp_writer *w, struct mp_error *err)
{
	static const char *const titles[] = {"Table", "Cells", "Equal", "Unknown Columns", "First Difference"};

	if (begin(w, "Proof", titles, 5, l->proof.count ? NULL : "none: no table could be made again", err))
		return -1;
	for (size_t i = 0; i < l->proof.count; i++) {
		const struct mp_proof_line *p = &l->proof.lines[i];
		struct mp_value row[] = {text(p->name), number(p->cells), number(p->equal), number(p->unknown),
		    text(p->first[0] ? p->first : p->note)};

		if (w->row(w, row, err))
			return -1;
	}
	return w->end(w, 0, err);
}

int learn_tables_print(const struct mp_learned *l, struct mp_writer *w, struct mp_error *err)
{
	return print_layouts(l, w, err) || print_fields(l, w, err) || print_lists(l, true, w, err) ||
		       print_lists(l, false, w, err) || print_proof(l, w, err)
		   ? -1
		   : 0;
}
