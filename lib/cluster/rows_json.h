/*
 * rows_json.h: a writer of reports for documents whose members are tables: "TITLE": [ROW, ...].
 *
 * A row is an array of its cells, or with `objects` an object whose keys follow from the titles: "Step(us)" is step_us,
 * "Share(%)" share_percent. A missing value is null. Every title may occur once. The writer borrows its mp_out, which
 * keeps errors; the caller writes the braces. One thread at a time.
 */
#ifndef MP_CLUSTER_ROWS_JSON_H
#define MP_CLUSTER_ROWS_JSON_H

#include "report/writer.h"

enum { MP_ROWS_KEY_SIZE = 96 };

struct mp_rows_json {
	struct mp_writer writer;
	struct mp_out *out;
	bool objects;
	const char *const *titles; /* of the section; borrowed until its end */
	int columns;
	bool has_row;
};

void mp_rows_json_init(struct mp_rows_json *json, struct mp_out *out, bool objects);

/* Write the key of a title. */
void mp_rows_json_key(char key[MP_ROWS_KEY_SIZE], const char *title);

#endif
