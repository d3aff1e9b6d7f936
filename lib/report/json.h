/*
 * json.h: strict JSON: strings, members of objects, and a writer of reports.
 *
 * The writer makes an array of objects, one a row, with keys in column order, indented by four spaces. A missing value
 * is the string "N/A", like in the vendor's files. With `sections` the writer makes an array of sections instead. A
 * section is an object: table, its keys, rows, and where they apply no_data, more_rows, error; a missing value is null.
 * Call mp_json_finish after the last section. The writer borrows its mp_out, which keeps errors. One thread at a time.
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

#endif
