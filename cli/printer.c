/* printer.c: opens and finishes standard output in one of the formats. Knows no report and no database. */
#include "printer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "term.h"

int printer_open(struct printer *f, const struct options *o, const char *kind, struct mp_error *err)
{
	const char *format = options_has(o, OPTION_FORMAT) ? o->values[OPTION_FORMAT] : "table";
	struct term term = term_output();
	const char *style = o->values[OPTION_STYLE];
	struct table_options table = {.width = term.width,
	    .colour = term.colour,
	    .ascii = term.ascii,
	    .compact = !style || strcmp(style, "vendor") != 0};

	memset(f, 0, sizeof(*f));
	if (mp_out_fd(&f->out, STDOUT_FILENO, "standard output", err))
		return -1;
	if (strcmp(format, "csv") == 0) {
		mp_csv_init(&f->csv, f->out, false);
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
		if (table_create(&f->table, f->out, &table, err)) {
			mp_out_abort(f->out);
			return -1;
		}
		f->writer = table_writer(f->table);
	}
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

int printer_flush(struct printer *f, struct mp_error *err)
{
	return mp_out_flush(f->out, err);
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
	mp_out_abort(f->out);
	return status;
}
