/*
 * object.h: a writer of reports that makes one JSON object: each row is a member, its first column the key, its second
 * one the value as JSON. A NULL key or value leaves the member out. Call mp_object_finish after the last row. The
 * writer borrows its mp_out, which keeps errors. One thread at a time.
 */
#ifndef MP_REPORT_OBJECT_H
#define MP_REPORT_OBJECT_H

#include <stdbool.h>

#include "base/out.h"
#include "report/writer.h"

struct mp_object {
	struct mp_writer writer;
	struct mp_out *out;
	bool has_member;
};

void mp_object_init(struct mp_object *object, struct mp_out *out);
void mp_object_finish(struct mp_object *object);

#endif
