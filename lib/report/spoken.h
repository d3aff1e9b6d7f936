/*
 * spoken.h: a writer that says what the program itself writes in the language of base/say.h: titles, and cells of the
 * columns that the text `table.cells` or `table.words` names. All else, such as names of operators, passes as it is.
 *
 * It borrows the writer to which it writes, owns nothing, and has no fork. One thread at a time. What a function of a
 * writer returns and needs is told in writer.h.
 */
#ifndef MP_REPORT_SPOKEN_H
#define MP_REPORT_SPOKEN_H

#include "report/report.h"

/* What becomes of the titles of tables, and of their columns. */
enum mp_titles {
	MP_TITLES_SAID,
	MP_TITLES_NAMED, /* said, but an option takes those of tables: their names stand behind */
	MP_TITLES_KEPT   /* options take both */
};

struct mp_spoken {
	struct mp_writer writer; /* the writer for the sections of a report */
	struct mp_writer *to;
	enum mp_titles mode;
	int columns;
	const char *titles[MP_REPORT_COLUMN_MAX];
	char composed[4096];                /* titles with units, each with its NUL */
	bool is_word[MP_REPORT_COLUMN_MAX]; /* whether the cells of a column are words of the program */
	char decides[1024];
	char said[4096]; /* the words of a row, each with its NUL */
};

void mp_spoken_init(struct mp_spoken *spoken, struct mp_writer *to, enum mp_titles mode);

#endif
