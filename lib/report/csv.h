/*
 * csv.h: a writer of comma-separated values.
 *
 * One header line and one line a row; quoted only where needed. Control characters
 * become \xNN. A list's items are joined with ','. The out stays the caller's.
 */
#ifndef MP_REPORT_CSV_H
#define MP_REPORT_CSV_H

#include <stdbool.h>

#include "base/out.h"
#include "report/writer.h"

struct mp_csv {
	struct mp_writer writer;
	struct mp_out *out;
	bool crlf;
	int columns;
};

void mp_csv_init(struct mp_csv *csv, struct mp_out *out, bool crlf);

#endif
