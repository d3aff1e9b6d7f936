/*
 * markdown.h: a writer of Markdown, for merge requests: each section is a heading and a table.
 *
 * Foreign text has no effect: characters with a meaning are escaped, control characters become \xNN, and the items of a
 * list are joined with ','. The writer borrows its mp_out, which keeps errors, and owns nothing. One thread at a time.
 */
#ifndef MP_REPORT_MARKDOWN_H
#define MP_REPORT_MARKDOWN_H

#include "base/out.h"
#include "report/writer.h"

struct mp_markdown {
	struct mp_writer writer;
	struct mp_out *out;
	int columns;
};

/* Prepare a writer to `out`; its base is the struct mp_writer. */
void mp_markdown_init(struct mp_markdown *markdown, struct mp_out *out);

#endif
