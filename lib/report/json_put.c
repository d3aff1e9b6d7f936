/* json_put.c: members of JSON objects. */
#include "report/json_put.h"

#include <math.h>
#include <string.h>

#include "report/json.h"

void mp_put_key(struct mp_out *out, bool first, const char *key)
{
	mp_out_text(out, first ? "" : ", ");
	mp_json_string(out, key, strlen(key));
	mp_out_text(out, ": ");
}

void mp_put_text(struct mp_out *out, const char *key, const char *text)
{
	mp_put_key(out, false, key);
	if (text)
		mp_json_string(out, text, strlen(text));
	else
		mp_out_text(out, "null");
}

void mp_put_int(struct mp_out *out, const char *key, int64_t number)
{
	mp_put_key(out, false, key);
	mp_out_int(out, number);
}

void mp_put_real(struct mp_out *out, const char *key, double number)
{
	const struct mp_value v = {.type = MP_REAL, .d = number};

	mp_put_key(out, false, key);
	mp_put_value(out, &v);
}

void mp_put_value(struct mp_out *out, const struct mp_value *v)
{
	if (v->type == MP_NULL || v->type == MP_BLOB || (v->type == MP_REAL && !isfinite(v->d)))
		mp_out_text(out, "null");
	else
		mp_json_value(out, v);
}
