/*
 * members.h: writes values as members of a JSON object, each with its key.
 *
 * A member as last written is kept: when its value, a number or a text that stays, occurs again, the text is copied.
 * The caller reserves room in the output for a whole object, puts its members there, and reports the bytes used.
 * Functions are inline, because an export calls them for each value. Nothing is allocated; one thread at a time.
 */
#ifndef MP_REPORT_MEMBERS_H
#define MP_REPORT_MEMBERS_H

#include <math.h>
#include <stdbool.h>

#include "base/number.h"
#include "base/out.h"
#include "base/text.h"
#include "base/value.h"
#include "report/json.h"

enum { MP_KEY_SIZE = 96, MP_MEMBER_COPY = 48, MP_MEMBER_TEXT = 256 };

/* The most bytes that a member needs, except for long texts and texts with escapes, which reserve room anew. */
enum { MP_MEMBER_ROOM = MP_KEY_SIZE + MP_MEMBER_TEXT + MP_JSON_SLACK };

/* A member as last written, and its value. Every copy has the size that most members need. */
struct mp_member {
	char text[MP_KEY_SIZE]; /* `,"pid":`, followed by the value when it occurred twice */
	unsigned key_len;
	unsigned len;      /* of key and value; 0: the value is not in the text */
	enum mp_type type; /* of the last value */
	union {
		int64_t i;
		const char *stays;
	};
};

/* Where the members of an object go. */
struct mp_members {
	struct mp_out *out;
	size_t room; /* for a whole object */
	char *begun; /* the last place reserved */
	char sign;   /* what precedes the next member: the brace of the object, or a comma */
};

/* Begin a member with the key `,"KEY":`. */
static inline void mp_member_begin(struct mp_member *m, const char *key, size_t len)
{
	memset(m->text, 0, sizeof(m->text));
	memcpy(m->text, key, len);
	m->key_len = (unsigned)len;
	m->type = MP_NULL;
	m->len = 0;
}

/* Write a value of unknown length, and reserve room anew. */
static inline char *mp_members_put_other(struct mp_members *o, char *at, const struct mp_value *v)
{
	mp_out_advance(o->out, (size_t)(at - o->begun));
	mp_json_value(o->out, v);
	return o->begun = mp_out_reserve(o->out, o->room);
}

static inline char *mp_members_put_text(struct mp_members *o, char *at, const struct mp_value *v)
{
	char *end;

	if (v->len > MP_MEMBER_TEXT)
		return mp_members_put_other(o, at, v);
	if (v->marks & MP_MARK_JSON) {
		*at = '"';
		end = mp_copy_text(at + 1, v->text, v->len);
		*end = '"';
		return end + 1;
	}
	end = mp_json_plain(at, v->text, v->len);
	return end ? end : mp_members_put_other(o, at, v);
}

static inline char *mp_members_put_value(struct mp_members *o, char *at, const struct mp_value *v)
{
	if (v->type == MP_INT)
		return mp_digits_put_int(at, v->i);
	if (v->type == MP_REAL && isfinite(v->d))
		return mp_number_put_real(at, v);
	return v->type == MP_TEXT ? mp_members_put_text(o, at, v) : mp_members_put_other(o, at, v);
}

/* Returns whether the value equals the last value; otherwise the value becomes the last value. */
static inline bool mp_member_is_last(struct mp_member *m, const struct mp_value *v)
{
	if (v->type == MP_INT) {
		if (m->type == MP_INT && m->i == v->i)
			return true;
		m->i = v->i;
	} else if (v->marks & MP_MARK_STAYS) {
		if (m->type == MP_TEXT && m->stays == v->text)
			return true;
		m->stays = v->text;
	} else {
		return false;
	}
	m->type = v->type;
	m->len = 0;
	return false;
}

/* Put a member; with `is_empty` its value is an empty object. */
static inline char *mp_members_put(
    struct mp_members *o, char *at, struct mp_member *m, const struct mp_value *v, bool is_empty)
{
	bool again = mp_member_is_last(m, v);
	const char *begun = o->begun;
	char *end;

	memcpy(at, m->text, MP_MEMBER_COPY);
	if (m->key_len > MP_MEMBER_COPY)
		memcpy(at + MP_MEMBER_COPY, m->text + MP_MEMBER_COPY, MP_KEY_SIZE - MP_MEMBER_COPY);
	*at = o->sign;
	o->sign = ',';
	if (again && m->len)
		return at + m->len;
	end = at + m->key_len;
	if (is_empty) {
		memcpy(end, "{}", 2);
		end += 2;
	} else {
		end = mp_members_put_value(o, end, v);
	}
	if (again && o->begun == begun && end - at <= MP_MEMBER_COPY) {
		m->len = (unsigned)(end - at);
		memcpy(m->text, at, MP_MEMBER_COPY);
	}
	return end;
}

#endif
