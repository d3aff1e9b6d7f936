/* csv.c: rows as comma-separated values. */
#include "report/csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/number.h"
#include "base/plain.h"

enum { COPY_MAX = 4096 };

/* Bytes of printable ASCII, and tabs, that need no second look. */
static bool is_plain(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (((unsigned char)s[i] < 0x20 && s[i] != '\t') || (unsigned char)s[i] >= 0x7f || s[i] == ',' || s[i] == '"')
			return false;
	return true;
}

/* A text with characters that need a second look. */
static void put_odd_text(struct mp_out *out, const char *s, size_t len)
{
	bool quote = memchr(s, ',', len) || memchr(s, '"', len) || memchr(s, MP_LIST_SEPARATOR, len);

	if (quote)
		mp_out_char(out, '"');
	while (len) {
		char safe[16] = "";
		int32_t cp;
		size_t n = mp_utf8_next(s, len, &cp);

		if (*s == '"')
			mp_out_text(out, "\"\"");
		else if (*s == MP_LIST_SEPARATOR)
			mp_out_char(out, ',');
		else
			mp_out_write(out, safe, mp_sanitise(safe, sizeof(safe), s, n));
		s += n;
		len -= n;
	}
	if (quote)
		mp_out_char(out, '"');
}

static void put_text(struct mp_out *out, const char *s, size_t len)
{
	if (len <= COPY_MAX && mp_plain_copy(mp_out_reserve(out, len), s, len, ',', true))
		mp_out_advance(out, len);
	else if (is_plain(s, len))
		mp_out_write(out, s, len);
	else
		put_odd_text(out, s, len);
}

static void put_cell(struct mp_out *out, const struct mp_value *v)
{
	char *room;

	switch (v->type) {
	case MP_INT:
		room = mp_out_reserve(out, MP_NUMBER_SIZE);
		mp_out_advance(out, mp_number_int(room, v->i));
		break;
	case MP_REAL:
		room = mp_out_reserve(out, MP_NUMBER_SIZE);
		mp_out_advance(out, mp_number_real(room, v->d));
		break;
	case MP_TEXT:
		put_text(out, v->text, v->len);
		break;
	default:
		mp_out_write(out, "N/A", 3);
	}
}

static void end_line(struct mp_csv *csv)
{
	if (csv->crlf)
		mp_out_char(csv->out, '\r');
	mp_out_char(csv->out, '\n');
}

static void put_heading(struct mp_csv *csv, const struct mp_section *s)
{
	mp_out_text(csv->out, "# ");
	mp_out_text(csv->out, s->title);
	for (int i = 0; i < s->key_count; i++) {
		mp_out_text(csv->out, i ? ", " : ": ");
		mp_out_text(csv->out, s->key_names[i]);
		mp_out_char(csv->out, ' ');
		put_cell(csv->out, &s->keys[i]);
	}
	if (s->absent) {
		mp_out_text(csv->out, ": no data: ");
		mp_out_text(csv->out, s->absent);
	}
	end_line(csv);
}

static int section(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	struct mp_csv *csv = (struct mp_csv *)w;

	(void)err;
	csv->columns = s->column_count;
	if (csv->headings)
		put_heading(csv, s);
	for (int i = 0; i < s->column_count; i++) {
		const char *title = s->titles[i] + (s->titles[i][0] == '/');

		if (i)
			mp_out_char(csv->out, ',');
		put_text(csv->out, title, strlen(title));
	}
	if (s->column_count)
		end_line(csv);
	return 0;
}

static int row(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	struct mp_csv *csv = (struct mp_csv *)w;

	(void)err;
	for (int i = 0; i < csv->columns; i++) {
		if (i)
			mp_out_char(csv->out, ',');
		put_cell(csv->out, &cells[i]);
	}
	end_line(csv);
	return 0;
}

static int end(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	struct mp_csv *csv = (struct mp_csv *)w;

	(void)err;
	if (csv->headings) {
		if (omitted) {
			mp_out_text(csv->out, "# more rows: ");
			mp_out_int(csv->out, omitted);
			end_line(csv);
		}
		end_line(csv);
	}
	return 0;
}

static struct mp_writer *fork_csv(const struct mp_writer *w, struct mp_out *out)
{
	struct mp_csv *csv = malloc(sizeof(*csv));

	if (!csv)
		return NULL;
	*csv = *(const struct mp_csv *)w;
	csv->out = out;
	return &csv->writer;
}

void mp_csv_init(struct mp_csv *csv, struct mp_out *out, bool crlf, bool headings)
{
	*csv = (struct mp_csv){.writer = {section, row, end, fork_csv}, .out = out, .crlf = crlf, .headings = headings};
}
