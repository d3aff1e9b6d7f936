/* printer.c: opens and finishes standard output in one of the formats, and finds tables by their titles. Knows no
 * database. */
#include "printer.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "terminal.h"

enum { NAMES_MAX = 512 };

static char folded(char c)
{
	return c == '_' || c == '-' ? ' ' : (char)tolower((unsigned char)c);
}

static bool same(const char *title, const char *name)
{
	for (; *title && folded(*title) == folded(*name); title++)
		name++;
	return !*title && !*name;
}

/* By a title, or by the name of the file that export makes of it. */
static bool has_name(const struct mp_report *r, const char *name)
{
	return same(r->title, name) || (r->vendor_title[0] && same(r->vendor_title, name)) ||
	       (r->output.file[0] && same(r->output.file, name));
}

static bool is_first(const struct mp_reports *reports, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (strcmp(reports->items[k].title, reports->items[i].title) == 0)
			return false;
	return true;
}

/* Write the titles as "A, B, C"; returns their number. */
static size_t put_names(const struct mp_reports *reports, struct suggestion *near, char names[NAMES_MAX])
{
	size_t count = 0, used = 0;

	names[0] = '\0';
	for (size_t i = 0; i < reports->count; i++) {
		if (!is_first(reports, i))
			continue;
		if (used < NAMES_MAX)
			used += (size_t)snprintf(
			    names + used, NAMES_MAX - used, "%s%s", count ? ", " : "", reports->items[i].title);
		if (near->word)
			suggest_offer(near, reports->items[i].title);
		count++;
	}
	return count;
}

static bool knows(const struct mp_reports *reports, const char *name)
{
	for (size_t i = 0; i < reports->count; i++)
		if (has_name(&reports->items[i], name))
			return true;
	return false;
}

int table_choice_check(const struct command *command, const char *kind, const struct options *options)
{
	const char *name = options->values[OPTION_TABLE], *format = options->values[OPTION_FORMAT];
	struct suggestion near = {.word = name};
	struct mp_reports all;
	char names[NAMES_MAX];
	struct mp_error err;
	bool bad, csv = format && strcmp(format, "csv") == 0;
	size_t count;

	if (mp_reports_load(&all, kind, NULL, MP_STYLE_DEFAULT, &err))
		return message_failure(&err);
	count = put_names(&all, &near, names);
	bad = name ? !knows(&all, name) : csv && count > 1;
	mp_reports_free(&all);
	if (!bad)
		return EXIT_OK;
	if (!name)
		message_error("csv is one table: choose it with --table: %s", names);
	else if (near.best[0])
		message_error("table '%s' not found; did you mean '%s'? tables: %s", name, near.best, names);
	else
		message_error("table '%s' not found; tables: %s", name, names);
	return options_usage(command);
}

int table_choice_apply(struct mp_reports *reports, const char *name, struct mp_error *err)
{
	char names[NAMES_MAX];
	size_t kept = 0;

	if (!name)
		return 0;
	if (!knows(reports, name)) {
		put_names(reports, &(struct suggestion){.word = NULL}, names);
		return mp_fail(err, "this data has no table '%s'; tables: %s", name, names);
	}
	for (size_t i = 0; i < reports->count; i++)
		if (has_name(&reports->items[i], name))
			reports->items[kept++] = reports->items[i];
	reports->count = kept;
	return 0;
}

int printer_open(struct printer *f, const struct options *o, const char *kind, struct mp_error *err)
{
	const char *format = options_has(o, OPTION_FORMAT) ? o->values[OPTION_FORMAT] : "table";
	struct term term = term_output();
	const char *style = o->values[OPTION_STYLE];
	struct table_options table = {.width = term.width,
	    .colour = term.colour,
	    .ascii = term.ascii,
	    .plain = term.plain,
	    .compact = !style || strcmp(style, "vendor") != 0};

	memset(f, 0, sizeof(*f));
	if (mp_out_fd(&f->out, STDOUT_FILENO, "standard output", err))
		return -1;
	if (o->output_most)
		mp_out_limit(f->out, o->output_most);
	if (strcmp(format, "csv") == 0) {
		if (options_has(o, OPTION_BOM))
			mp_out_text(f->out, CSV_BOM);
		mp_csv_init(&f->csv, f->out, false);
		f->csv.empty = options_has(o, OPTION_EMPTY);
		f->sheet = malloc(sizeof(*f->sheet));
		if (!f->sheet) {
			mp_out_abort(f->out);
			return mp_fail_memory(err, "a table");
		}
		mp_sheet_init(f->sheet, &f->csv.writer);
		f->writer = &f->sheet->writer;
	} else if (strcmp(format, "json") == 0) {
		mp_json_init(&f->json, f->out, true);
		f->writer = &f->json.writer;
		f->is_document = kind;
		if (kind) {
			mp_out_text(f->out, "{\"schema\": \"msprof.");
			mp_out_text(f->out, kind);
			mp_out_text(f->out, "/1\", \"tables\": ");
		}
	} else if (strcmp(format, "markdown") == 0) {
		mp_markdown_init(&f->markdown, f->out);
		f->writer = &f->markdown.writer;
	} else {
		charset_out(f->out);
		if (table_create(&f->table, f->out, &table, err)) {
			mp_out_abort(f->out);
			return -1;
		}
		f->writer = table_writer(f->table);
	}
	return 0;
}

int printer_speak(struct printer *f, enum mp_titles titles, struct mp_error *err)
{
	if (f->sheet || f->writer == &f->json.writer)
		return 0;
	f->spoken = malloc(sizeof(*f->spoken));
	if (!f->spoken)
		return mp_fail_memory(err, "a table");
	mp_spoken_init(f->spoken, f->writer, titles);
	f->writer = &f->spoken->writer;
	return 0;
}

void printer_job(struct printer *f, const char *path, bool title)
{
	char name[1024];
	size_t len = mp_sanitise(name, sizeof(name), path, strlen(path));

	if (!title || !f->table)
		return;
	mp_out_text(f->out, "Job : ");
	mp_out_write(f->out, name, len);
	mp_out_text(f->out, "\n\n");
}

void printer_fail(struct printer *f, const char *job)
{
	if (f->writer == &f->json.writer)
		mp_json_fail(&f->json, job, message_last_error());
}

void printer_note(struct printer *f, const struct options *o, const char *job)
{
	if (!f->sheet)
		return;
	if (f->sheet->absent[0])
		message_info(o, "'%s': %s", job, f->sheet->absent);
	if (f->sheet->omitted)
		message_info(o, "'%s': %lld more row%s (--top 0 shows all)", job, (long long)f->sheet->omitted,
		    f->sheet->omitted == 1 ? "" : "s");
	f->sheet->omitted = 0;
	f->sheet->absent[0] = '\0';
}

int printer_job_end(struct printer *f, int status, bool *stop, struct mp_error *err)
{
	struct mp_error full;

	if (!mp_out_flush(f->out, &full))
		return status;
	*stop = true;
	*err = full;
	return -1;
}

int printer_close(struct printer *f, struct mp_error *err)
{
	int status;

	if (f->is_document) {
		mp_json_finish(&f->json);
		mp_out_text(f->out, "}\n");
	}
	status = mp_out_flush(f->out, err);
	table_free(f->table);
	if (f->sheet)
		mp_sheet_free(f->sheet);
	free(f->sheet);
	free(f->spoken);
	mp_out_abort(f->out);
	return status;
}
