/*
 * printer.h: standard output as the tables, the CSV or the JSON of --format, for one command and any number of jobs.
 *
 * CSV is one table. JSON is one document; a job that fails has its error there. Functions that can fail return -1 with
 * err; printer_close says what remains, and frees.
 */
#ifndef MSPROF_PRINTER_H
#define MSPROF_PRINTER_H

#include "command.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/sheet.h"
#include "table.h"

struct printer {
	struct mp_out *out;
	struct text_table *table;
	struct mp_csv csv;
	struct mp_sheet *sheet; /* to csv; NULL in other formats */
	struct mp_json json;
	struct mp_writer *writer; /* where reports go */
};

int printer_open(struct printer *f, const struct options *o, struct mp_error *err);

/* What comes from here on is of that job; with `title`, tables say so. */
void printer_job(struct printer *f, const char *path, bool title);

/* The error that was printed last is that of this job; NULL: of all. */
void printer_fail(struct printer *f, const char *job);

/* Send what was printed on its way. */
int printer_flush(struct printer *f, struct mp_error *err);

/* Whether the titles of its one table are yet to be told, by mp_sheet_begin. */
static inline bool printer_wants_titles(const struct printer *f)
{
	return f->sheet && !f->sheet->begun;
}

/* After a table: CSV has no place for what is no row, so that is said in words. */
void printer_note(struct printer *f, const struct options *o, const char *job);

int printer_close(struct printer *f, struct mp_error *err);

#endif
