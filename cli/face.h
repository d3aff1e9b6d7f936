/*
 * face.h: standard output as the tables, the CSV or the JSON of --format, for one command and any number of jobs.
 *
 * CSV is one table. JSON is one document; a job that fails has its error there. Functions that can fail return -1 with
 * err; face_close says what remains, and frees.
 */
#ifndef MSPROF_FACE_H
#define MSPROF_FACE_H

#include "command.h"
#include "report/csv.h"
#include "report/json.h"
#include "report/sheet.h"
#include "table.h"

struct face {
	struct mp_out *out;
	struct table *table;
	struct mp_csv csv;
	struct mp_sheet *sheet; /* to csv; NULL in other formats */
	struct mp_json json;
	struct mp_writer *writer; /* where reports go */
};

int face_open(struct face *f, const struct options *o, struct mp_error *err);

/* What comes from here on is of that job; with `title`, tables say so. */
void face_job(struct face *f, const char *path, bool title);

/* The error that was printed last is that of this job; NULL: of all. */
void face_fail(struct face *f, const char *job);

/* Send what was printed on its way. */
int face_flush(struct face *f, struct mp_error *err);

/* Whether the titles of its one table are yet to be told, by mp_sheet_begin. */
static inline bool face_wants_titles(const struct face *f)
{
	return f->sheet && !f->sheet->begun;
}

/* After a table: CSV has no place for what is no row, so that is said in words. */
void face_note(struct face *f, const struct options *o, const char *job);

int face_close(struct face *f, struct mp_error *err);

#endif
