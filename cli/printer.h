/* printer.h: what prints reports on standard output, and the choice of one of their tables. */
#ifndef MSPROF_PRINTER_H
#define MSPROF_PRINTER_H

#include "command.h"
#include "report/formats.h"
#include "report/report.h"
#include "report/spoken.h"
#include "table.h"

/*
 * Reports as tables, CSV, JSON or Markdown, for any number of jobs.
 *
 * CSV is one table. JSON is one document that also has the errors of failed jobs. Functions that can fail return -1
 * with err. The caller closes a printer that was opened.
 */

/* Excel of Windows takes CSV that begins with this for UTF-8. */
#define CSV_BOM "\xef\xbb\xbf"

struct printer {
	struct mp_out *out;
	struct text_table *table;
	struct mp_csv csv;
	struct mp_sheet *sheet; /* writes to csv; NULL in other formats */
	struct mp_json json;
	struct mp_markdown markdown;
	struct mp_spoken *spoken; /* NULL: none */
	bool is_document;         /* of JSON: tables are to be closed */
	struct mp_writer *writer; /* the writer for reports */
};

/* Open the format of --format. JSON is {"schema": "msprof.KIND/1", "tables": [...]}; NULL: the caller writes its own.
 */
int printer_open(struct printer *f, const struct options *o, const char *kind, struct mp_error *err);

/* Say words of tables for people in the language of --lang, and titles; CSV and JSON keep theirs.
 */
int printer_speak(struct printer *f, enum mp_titles titles, struct mp_error *err);

/* Begin a job; with `title`, a line above its tables names the job. */
void printer_job(struct printer *f, const char *path, bool title);

/* Record the last printed error as that of this job; NULL: of all jobs. */
void printer_fail(struct printer *f, const char *job);

/* Write what there is of a job. Returns the status; -1 with err, and sets *stop, where that of others would fail, too.
 */
int printer_job_end(struct printer *f, int status, bool *stop, struct mp_error *err);

/* Whether the one table of CSV still needs its titles, by mp_sheet_begin. */
static inline bool printer_wants_titles(const struct printer *f)
{
	return f->sheet && !f->sheet->begun;
}

/* After a table in CSV: print omitted rows and missing data as messages, for which CSV has no place. */
void printer_note(struct printer *f, const struct options *o, const char *job);

/* Finish the output and free. */
int printer_close(struct printer *f, struct mp_error *err);

/*
 * One of the tables of a command, by the title of --table.
 *
 * The title is that of either style. Case is ignored, and ' ', '_' and '-' are the same.
 */

/* Check that the title exists for any data, and that it is given where CSV needs it; 0, or EXIT_USAGE with the error
 * printed. */
int table_choice_check(const struct command *command, const char *kind, const struct options *options);

/* Keep only the chosen table (all without --table); -1 with err where this data has no such table. */
int table_choice_apply(struct mp_reports *reports, const char *name, struct mp_error *err);

struct mp_learned;

/* Write the layout, the places of counters, what is missing or unexplained, and the proof. Returns 0, or -1 with err.
 */
int learn_tables_print(const struct mp_learned *learned, struct mp_writer *w, struct mp_error *err);

#endif
