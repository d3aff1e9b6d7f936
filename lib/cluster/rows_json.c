/* rows_json.c: writes sections as members of a JSON object. */
#define _GNU_SOURCE /* stpcpy */
#include "cluster/rows_json.h"

#include <ctype.h>

#include "report/json.h"

void mp_rows_json_key(char key[MP_ROWS_KEY_SIZE], const char *title)
{
	size_t n = 0;

	for (; *title && n < MP_ROWS_KEY_SIZE - 8; title++) {
		if (*title == '%')
			n += (size_t)(stpcpy(key + n, "percent") - (key + n));
		else if (isalnum((unsigned char)*title))
			key[n++] = (char)tolower((unsigned char)*title);
		else if (n && key[n - 1] != '_' && *title != ')')
			key[n++] = '_';
	}
	key[n] = '\0';
}

static int section(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	struct mp_rows_json *j = (struct mp_rows_json *)w;
	char key[MP_ROWS_KEY_SIZE];

	(void)err;
	mp_rows_json_key(key, s->title);
	mp_out_text(j->out, ",\n\"");
	mp_out_text(j->out, key);
	mp_out_text(j->out, "\": [");
	j->titles = s->titles;
	j->columns = s->column_count;
	j->has_row = false;
	return 0;
}

static int row(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	struct mp_rows_json *j = (struct mp_rows_json *)w;
	char key[MP_ROWS_KEY_SIZE];

	mp_out_text(j->out, j->has_row ? ",\n" : "\n");
	j->has_row = true;
	mp_out_char(j->out, j->objects ? '{' : '[');
	for (int i = 0; i < j->columns; i++) {
		if (i)
			mp_out_text(j->out, ", ");
		if (j->objects) {
			mp_rows_json_key(key, j->titles[i]);
			mp_out_char(j->out, '"');
			mp_out_text(j->out, key);
			mp_out_text(j->out, "\": ");
		}
		mp_put_value(j->out, &cells[i]);
	}
	mp_out_char(j->out, j->objects ? '}' : ']');
	return mp_out_error(j->out, err);
}

static int end(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	struct mp_rows_json *j = (struct mp_rows_json *)w;

	(void)omitted;
	mp_out_char(j->out, ']');
	return mp_out_error(j->out, err);
}

void mp_rows_json_init(struct mp_rows_json *json, struct mp_out *out, bool objects)
{
	*json = (struct mp_rows_json){
	    .writer = {.section = section, .row = row, .end = end}, .out = out, .objects = objects};
}
