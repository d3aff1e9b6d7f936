/* json.c: writes rows as JSON. Numbers stay numbers; values that JSON lacks become strings. */
#include "report/formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/door.h"
#include "base/number.h"
#include "base/text.h"

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

char *mp_json_plain(char *at, const char *s, size_t len)
{
	*at++ = '"';
	if (!mp_plain_copy(at, s, len, '\\', false))
		return NULL;
	at += len;
	*at++ = '"';
	return at;
}

static void put_code_point(struct mp_out *out, const char *s, size_t n, int32_t cp)
{
	char escape[16];

	if (cp == MP_LIST_SEPARATOR)
		mp_out_char(out, ',');
	else if (cp == '"' || cp == '\\') {
		mp_out_char(out, '\\');
		mp_out_char(out, (char)cp);
	} else if (cp < 0)
		mp_out_text(out, "\\ufffd");
	else if (mp_is_control(cp)) { /* all control characters are below U+10000 */
		snprintf(escape, sizeof(escape), "\\u%04x", (unsigned)cp & 0xffff);
		mp_out_text(out, escape);
	} else
		mp_out_write(out, s, n);
}

void mp_json_string(struct mp_out *out, const char *s, size_t len)
{
	char *room = len <= MP_JSON_PLAIN_MAX ? mp_out_reserve(out, len + MP_JSON_SLACK) : NULL,
	     *end = room ? mp_json_plain(room, s, len) : NULL;

	if (end) {
		mp_out_advance(out, (size_t)(end - room));
		return;
	}
	mp_out_char(out, '"');
	while (len) {
		size_t plain = 0;

		while (plain < len && is_plain((unsigned char)s[plain]))
			plain++;
		if (plain) {
			mp_out_write(out, s, plain);
		} else {
			int32_t cp;

			plain = mp_utf8_next(s, len, &cp);
			put_code_point(out, s, plain, cp);
		}
		s += plain;
		len -= plain;
	}
	mp_out_char(out, '"');
}

void mp_json_value(struct mp_out *out, const struct mp_value *v)
{
	char *room;

	switch (v->type) {
	case MP_INT:
		room = mp_out_reserve(out, MP_NUMBER_SIZE);
		mp_out_advance(out, mp_number_int(room, v->i));
		break;
	case MP_REAL:
		if (isfinite(v->d)) {
			room = mp_out_reserve(out, MP_NUMBER_SIZE);
			mp_out_advance(out, mp_number_real(room, v->d));
			break;
		} /* fall through */
	case MP_NULL:
		mp_out_write(out, "\"N/A\"", 5);
		break;
	default:
		mp_json_string(out, v->text, v->len);
	}
}

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

static void indent(struct mp_json *j, int depth)
{
	mp_out_char(j->out, '\n');
	mp_out_write(j->out, "                        ", (size_t)(depth + (j->sections ? 2 : 0)) * 4);
}

static void put_member(struct mp_json *j, int depth, const char *key)
{
	indent(j, depth);
	mp_json_string(j->out, key, strlen(key));
	mp_out_write(j->out, ": ", 2);
}

/* A missing value is null in a document for scripts. In a summary file it is the text of the vendor's tool. */
static void put_value(struct mp_json *j, const struct mp_value *v)
{
	if (j->sections)
		mp_put_value(j->out, v);
	else
		mp_json_value(j->out, v);
}

static void put_text(struct mp_json *j, const char *key, const char *text)
{
	mp_out_char(j->out, ',');
	put_member(j, 0, key);
	mp_json_string(j->out, text, strlen(text));
}

static void begin_section(struct mp_json *j)
{
	mp_out_text(j->out, j->has_section ? ",\n    {" : "[\n    {");
	j->has_section = true;
	put_member(j, 0, "table");
}

static int section(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	struct mp_json *j = (struct mp_json *)w;

	(void)err;
	j->columns = s->column_count;
	j->has_row = false;
	j->titles = s->titles;
	if (!j->sections)
		return 0;
	begin_section(j);
	j->in_section = true;
	mp_json_string(j->out, s->title, strlen(s->title));
	for (int i = 0; i < s->key_count; i++) {
		mp_out_char(j->out, ',');
		put_member(j, 0, s->key_names[i]);
		put_value(j, &s->keys[i]);
	}
	if (s->absent && !mp_section_is_none(s))
		put_text(j, "no_data", s->absent);
	mp_out_char(j->out, ',');
	put_member(j, 0, "rows");
	mp_out_char(j->out, '[');
	return 0;
}

static int row(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	static const struct mp_value none = {.type = MP_NULL};
	struct mp_json *j = (struct mp_json *)w;
	bool total = j->sections && mp_row_is_total(cells);

	(void)err;
	if (!j->sections && !j->has_row)
		mp_out_char(j->out, '[');
	if (j->has_row)
		mp_out_char(j->out, ',');
	j->has_row = true;
	indent(j, 1);
	mp_out_char(j->out, '{');
	for (int i = 0; i < j->columns; i++) {
		if (i)
			mp_out_char(j->out, ',');
		put_member(j, 2, j->titles[i] + (j->titles[i][0] == '/'));
		put_value(j, total && mp_is_dash(&cells[i]) ? &none : &cells[i]);
	}
	indent(j, 1);
	mp_out_char(j->out, '}');
	return 0;
}

static void end_rows(struct mp_json *j)
{
	if (j->has_row)
		indent(j, 0);
	mp_out_char(j->out, ']');
	j->in_section = false;
}

static int end(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	struct mp_json *j = (struct mp_json *)w;

	(void)err;
	if (!j->sections)
		return 0;
	end_rows(j);
	if (omitted) {
		mp_out_char(j->out, ',');
		put_member(j, 0, "more_rows");
		mp_out_int(j->out, omitted);
	}
	mp_out_text(j->out, "\n    }");
	return 0;
}

void mp_json_init(struct mp_json *json, struct mp_out *out, bool sections)
{
	*json = (struct mp_json){.writer = {section, row, end, NULL}, .out = out, .sections = sections};
}

void mp_json_fail(struct mp_json *j, const char *job, const char *text)
{
	if (j->in_section) {
		end_rows(j);
	} else {
		begin_section(j);
		mp_out_text(j->out, "null,");
		put_member(j, 0, "job");
		if (job)
			mp_json_string(j->out, job, strlen(job));
		else
			mp_out_text(j->out, "null");
		mp_out_char(j->out, ',');
		put_member(j, 0, "rows");
		mp_out_text(j->out, "[]");
	}
	put_text(j, "error", text);
	mp_out_text(j->out, "\n    }");
}

void mp_json_finish(struct mp_json *json)
{
	bool empty = json->sections ? !json->has_section : !json->has_row;

	mp_out_text(json->out, empty ? "[]\n" : "\n]\n");
}

/* Writes rows as the members of one JSON object. */

enum { KEY, VALUE, COLUMNS };

static int check_columns(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	(void)w;
	return s->column_count == COLUMNS ? 0 : mp_fail(err, "an object needs two columns, key and value");
}

static int add_member(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	struct mp_object *o = (struct mp_object *)w;

	(void)err;
	if (cells[KEY].type != MP_TEXT || cells[VALUE].type != MP_TEXT)
		return 0;
	mp_out_text(o->out, o->has_member ? ", " : "{");
	o->has_member = true;
	mp_json_string(o->out, cells[KEY].text, cells[KEY].len);
	mp_out_text(o->out, ": ");
	mp_out_write(o->out, cells[VALUE].text, cells[VALUE].len);
	return 0;
}

static int end_members(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	(void)w, (void)omitted, (void)err;
	return 0;
}

void mp_object_init(struct mp_object *object, struct mp_out *out)
{
	*object = (struct mp_object){.writer = {check_columns, add_member, end_members, NULL}, .out = out};
}

void mp_object_finish(struct mp_object *object)
{
	mp_out_text(object->out, object->has_member ? "}\n" : "{}\n");
}
