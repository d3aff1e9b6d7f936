/*
 * csv.h: a writer of comma-separated values.
 *
 * The output is one header line and one line a row; cells are quoted only where needed. Control characters become \xNN.
 * Items of a list are joined with ','. The writer borrows its mp_out and owns nothing. One thread at a time; see fork
 * in writer.h.
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

/* Prepare a writer to `out`; its base is the struct mp_writer. */
void mp_csv_init(struct mp_csv *csv, struct mp_out *out, bool crlf);

#endif
