/*
 * sheet.h: writes the sections of one report, from any number of jobs, as one table to a writer without sections.
 *
 * The keys of a section become the first columns of its rows. A section without columns becomes one row of its keys.
 * All columns must be known before the first row. So run the reports with `titles_only`, call mp_sheet_begin, and run
 * the reports again with rows. A later section may lack columns, which then have no value; a section with a new column
 * is an error. The sheet owns its titles; free with mp_sheet_free. The target writer stays the caller's. One thread at
 * a time.
 */
#ifndef MP_REPORT_SHEET_H
#define MP_REPORT_SHEET_H

#include <stdbool.h>

#include "report/writer.h"

enum { MP_SHEET_COLUMN_MAX = 240 };

struct mp_sheet {
	struct mp_writer writer; /* the writer for the sections of a report */
	struct mp_writer *to;
	bool begun;
	char *titles[MP_SHEET_COLUMN_MAX];
	int count;
	int at[MP_SHEET_COLUMN_MAX]; /* of the current section: the sheet column of each of its columns */
	int columns;
	struct mp_value cells[MP_SHEET_COLUMN_MAX]; /* the keys of the section and its current row */
	int64_t omitted;                            /* rows that the caller left out */
	char absent[256]; /* why the last section has no rows; "" when it has rows, or when "none" is the answer */
};

/* Prepare a sheet without columns that writes to `to`. */
void mp_sheet_init(struct mp_sheet *sheet, struct mp_writer *to);

/* Write the header with the columns known so far. Returns 0, or -1 with err. */
int mp_sheet_begin(struct mp_sheet *sheet, struct mp_error *err);

/* Free the titles of the sheet. */
void mp_sheet_free(struct mp_sheet *sheet);

#endif
