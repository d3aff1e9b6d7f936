/*
 * json.h: strict JSON: strings, and a writer of reports.
 *
 * The writer makes an array of objects, one a row, keys in column order, indented
 * by four spaces; a value that does not exist is the string "N/A", as in the vendor's files. With `sections` it makes
 * an array of sections instead, each an object: table, its keys, rows, and where they apply no_data, more_rows, error;
 * what does not exist is null. Call mp_json_finish after the last section. The out stays the caller's.
 */
#ifndef MP_REPORT_JSON_H
#define MP_REPORT_JSON_H

#include <stdbool.h>

#include "base/out.h"
#include "report/writer.h"

struct mp_json {
	struct mp_writer writer;
	struct mp_out *out;
	bool sections;
	const char *const *titles; /* of the section being written; they live until its end */
	int columns;
	bool has_section;
	bool in_section; /* its rows are being written */
	bool has_row;
};

void mp_json_init(struct mp_json *json, struct mp_out *out, bool sections);
void mp_json_finish(struct mp_json *json);

/* With `sections`: end what is open with that error, or add a section that says no more; job may be NULL. */
void mp_json_fail(struct mp_json *json, const char *job, const char *text);

/* s as a JSON string with its quotes; list separators become ','; invalid UTF-8 becomes U+FFFD. */
void mp_json_string(struct mp_out *out, const char *s, size_t len);

enum { MP_JSON_PLAIN_MAX = 4096, MP_JSON_SLACK = 16 };

/*
 * The same where no character of s needs an escape: its end; else NULL, and the place is as good as unused. There
 * must be room for len and MP_JSON_SLACK.
 */
char *mp_json_plain(char *at, const char *s, size_t len);

/* Any value; NULL as "N/A". */
void mp_json_value(struct mp_out *out, const struct mp_value *v);

#endif
