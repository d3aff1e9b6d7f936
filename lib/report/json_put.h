/* json_put.h: members of JSON objects. The mp_out keeps its errors. */
#ifndef MP_REPORT_JSON_PUT_H
#define MP_REPORT_JSON_PUT_H

#include <stdbool.h>

#include "base/out.h"
#include "base/value.h"

/* A key, after a comma unless it is the first of its object. */
void mp_put_key(struct mp_out *out, bool first, const char *key);

/* Members that are not the first. A text may be NULL, and a number not finite: both are null then. */
void mp_put_text(struct mp_out *out, const char *key, const char *text);
void mp_put_int(struct mp_out *out, const char *key, int64_t number);
void mp_put_real(struct mp_out *out, const char *key, double number);

/* A value; null where it is missing, no number of JSON, or bytes. */
void mp_put_value(struct mp_out *out, const struct mp_value *value);

#endif
