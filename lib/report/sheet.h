/*
 * sheet.h: the sections of one report, of any number of jobs, as one table for a writer that knows no sections.
 *
 * The keys of a section are the first columns of its rows; a section without columns is one row of its keys. The
 * columns must be known before the first row: run the reports once with `titles_only`, then mp_sheet_begin, then run
 * them with rows. A column that a later section lacks has no value; one that it has more is an error. Free with
 * mp_sheet_free; the writer stays the caller's.
 */
#ifndef MP_REPORT_SHEET_H
#define MP_REPORT_SHEET_H

#include <stdbool.h>

#include "report/writer.h"

enum { MP_SHEET_COLUMN_MAX = 240 };

struct mp_sheet {
	struct mp_writer writer; /* where sections go */
	struct mp_writer *to;
	bool begun;
	char *titles[MP_SHEET_COLUMN_MAX];
	int count;
	int at[MP_SHEET_COLUMN_MAX]; /* of the section: where its columns go */
	int columns;
	struct mp_value cells[MP_SHEET_COLUMN_MAX]; /* its keys, and the current row */
	int64_t omitted;                            /* rows that the caller left out */
	char absent[256]; /* why the last section has no rows; "" where it has some, or where "none" is the answer */
};

void mp_sheet_init(struct mp_sheet *sheet, struct mp_writer *to);

/* The columns are known: write them. */
int mp_sheet_begin(struct mp_sheet *sheet, struct mp_error *err);

void mp_sheet_free(struct mp_sheet *sheet);

#endif
