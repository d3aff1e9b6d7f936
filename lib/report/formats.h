/*
 * formats.h: what reports are written as: JSON, CSV, one sheet of many sections, and Markdown.
 *
 * JSON is strict: strings, members of objects, and a writer of reports.
 *
 * The writer makes an array of objects, one a row, with keys in column order, indented by four spaces. A missing value
 * is the string "N/A", like in the vendor's files. With `sections` the writer makes an array of sections instead. A
 * section is an object: table, its keys, rows, and where they apply no_data, more_rows, error; a missing value is null.
 * Call mp_json_finish after the last section. The writer borrows its mp_out, which keeps errors. One thread at a time.
 */
#ifndef MP_REPORT_FORMATS_H
#define MP_REPORT_FORMATS_H

#include <stdbool.h>

#include "base/out.h"
#include "report/writer.h"

struct mp_json {
	struct mp_writer writer;
	struct mp_out *out;
	bool sections;
	const char *const *titles; /* of the current section; borrowed until its end */
	int columns;
	bool has_section;
	bool in_section; /* rows of a section are being written */
	bool has_row;
};

void mp_json_init(struct mp_json *json, struct mp_out *out, bool sections);
void mp_json_finish(struct mp_json *json);

/* With `sections`: end the open section with an error, or add a section with nothing but the error. job may be NULL. */
void mp_json_fail(struct mp_json *json, const char *job, const char *text);

/* Write s as a JSON string with its quotes. List separators become ','; invalid UTF-8 becomes U+FFFD. */
void mp_json_string(struct mp_out *out, const char *s, size_t len);

enum { MP_JSON_PLAIN_MAX = 4096, MP_JSON_SLACK = 16 };

/*
 * Write s as a JSON string with quotes when no character needs an escape. `at` needs room for len + MP_JSON_SLACK
 * bytes. Returns the end, or NULL; then the bytes at `at` are undefined.
 */
char *mp_json_plain(char *at, const char *s, size_t len);

/* Write any value; NULL as "N/A". */
void mp_json_value(struct mp_out *out, const struct mp_value *v);

/* A key, after a comma unless it is the first of its object. */
void mp_put_key(struct mp_out *out, bool first, const char *key);

/* Members that are not the first. A text may be NULL, and a number not finite: both are null then. */
void mp_put_text(struct mp_out *out, const char *key, const char *text);
void mp_put_int(struct mp_out *out, const char *key, int64_t number);
void mp_put_real(struct mp_out *out, const char *key, double number);

/* A value; null where it is missing, no number of JSON, or bytes. */
void mp_put_value(struct mp_out *out, const struct mp_value *value);

/*
 * A writer of reports that makes one JSON object: each row is a member, its first column the key, its second
 * one the value as JSON. A NULL key or value leaves the member out. Call mp_object_finish after the last row. The
 * writer borrows its mp_out, which keeps errors. One thread at a time.
 */

struct mp_object {
	struct mp_writer writer;
	struct mp_out *out;
	bool has_member;
};

void mp_object_init(struct mp_object *object, struct mp_out *out);
void mp_object_finish(struct mp_object *object);

/*
 * A writer of comma-separated values.
 *
 * The output is one header line and one line a row; cells are quoted only where needed. Control characters become \xNN.
 * Items of a list are joined with ','. The writer borrows its mp_out and owns nothing. One thread at a time; see fork
 * in writer.h.
 */

struct mp_csv {
	struct mp_writer writer;
	struct mp_out *out;
	bool crlf;
	bool empty; /* a missing value is an empty cell, so that a column of numbers has numbers alone; else N/A */
	int columns;
};

/* Prepare a writer to `out`; its base is the struct mp_writer. */
void mp_csv_init(struct mp_csv *csv, struct mp_out *out, bool crlf);

/*
 * Writes the sections of one report, from any number of jobs, as one table to a writer without sections.
 *
 * The keys of a section become the first columns of its rows. A section without columns becomes one row of its keys.
 * All columns must be known before the first row. So run the reports with `titles_only`, call mp_sheet_begin, and run
 * the reports again with rows. A later section may lack columns, which then have no value; a section with a new column
 * is an error. The sheet owns its titles; free with mp_sheet_free. The target writer stays the caller's. One thread at
 * a time.
 */

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

/*
 * A writer of Markdown, for merge requests: each section is a heading and a table.
 *
 * Foreign text has no effect: characters with a meaning are escaped, control characters become \xNN, and the items of a
 * list are joined with ','. The writer borrows its mp_out, which keeps errors, and owns nothing. One thread at a time.
 */

struct mp_markdown {
	struct mp_writer writer;
	struct mp_out *out;
	int columns;
};

/* Prepare a writer to `out`; its base is the struct mp_writer. */
void mp_markdown_init(struct mp_markdown *markdown, struct mp_out *out);

#endif
