/* markdown.c: sections as Markdown. Knows no report. */
#include "report/formats.h"

#include <stdio.h>

#include "base/number.h"
#include "base/say.h"
#include "base/text.h"

/* Write a foreign text: nothing of it is markup. A line break ends the line, or is a blank within a cell. */
static void put_text(struct mp_out *out, const char *s, size_t len, bool in_cell)
{
	while (len) {
		char safe[20] = "";
		int32_t cp;
		size_t n = mp_utf8_next(s, len, &cp);

		if (*s == MP_LIST_SEPARATOR)
			mp_out_text(out, ", ");
		else if (*s == '\n')
			mp_out_text(out, in_cell ? " " : "  \n");
		else if (*s == '<')
			mp_out_text(out, "&lt;");
		else if (*s == '&')
			mp_out_text(out, "&amp;");
		else if (*s == '@') /* nobody is called by a name of a layer */
			mp_out_text(out, "&#64;");
		else if (cp > 0 && cp < 0x80 && strchr("\\`*_[]|~#!>", (int)cp)) {
			mp_out_char(out, '\\');
			mp_out_char(out, *s);
		} else
			mp_out_write(out, safe, mp_sanitise(safe, sizeof(safe), s, n));
		s += n;
		len -= n;
	}
}

static void put_value(struct mp_out *out, const struct mp_value *v)
{
	char number[MP_NUMBER_SIZE] = "";

	if (v->type == MP_TEXT)
		put_text(out, v->text, v->len, true);
	else if (v->type == MP_INT)
		mp_out_int(out, v->i);
	else if (v->type == MP_REAL)
		mp_out_write(out, number, mp_number_real(number, v->d));
	else
		mp_out_text(out, "N/A");
}

static int begin_section(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	struct mp_markdown *m = (struct mp_markdown *)w;

	if (s->title[0]) {
		mp_out_text(m->out, "### ");
		put_text(m->out, s->title, strlen(s->title), true);
		mp_out_text(m->out, "\n\n");
	}
	if (s->heading[0]) {
		put_text(m->out, s->heading, strlen(s->heading), false);
		mp_out_text(m->out, "\n\n");
	}
	if (s->absent) {
		char said[1024];
		const char *absent = mp_say_found(said, sizeof(said), s->absent);

		put_text(m->out, absent, strlen(absent), false);
		mp_out_text(m->out, "\n");
	}
	m->columns = s->absent ? 0 : s->column_count;
	for (int i = 0; i < m->columns; i++) {
		const char *title = s->titles[i] + (s->titles[i][0] == '/');

		mp_out_text(m->out, i ? " | " : "| ");
		put_text(m->out, title, strlen(title), true);
	}
	for (int i = 0; i < m->columns; i++)
		mp_out_text(m->out, i ? "---|" : " |\n|---|");
	mp_out_text(m->out, m->columns ? "\n" : "");
	return mp_out_error(m->out, err);
}

static int write_row(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	struct mp_markdown *m = (struct mp_markdown *)w;

	for (int i = 0; i < m->columns; i++) {
		mp_out_text(m->out, i ? " | " : "| ");
		put_value(m->out, &cells[i]);
	}
	mp_out_text(m->out, " |\n");
	return mp_out_error(m->out, err);
}

static int end_section(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	struct mp_markdown *m = (struct mp_markdown *)w;

	if (omitted) {
		char more[40], said[80];

		snprintf(more, sizeof(more), "%lld more", (long long)omitted);
		mp_out_text(m->out, "\n");
		mp_out_text(m->out, mp_say_found(said, sizeof(said), more));
		mp_out_text(m->out, "\n");
	}
	mp_out_text(m->out, "\n");
	return mp_out_error(m->out, err);
}

void mp_markdown_init(struct mp_markdown *m, struct mp_out *out)
{
	*m = (struct mp_markdown){
	    .writer = {.section = begin_section, .row = write_row, .end = end_section}, .out = out};
}
