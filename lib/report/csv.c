/* csv.c: rows as comma-separated values, and sections with keys as rows of one table. */
#include "report/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"

enum { COPY_MAX = 4096, CELL_MAX = 256, COLUMNS_MAX = 240 /* a row of short cells reserves its room at once */ };

/* Returns whether s is printable ASCII and tabs without quotes and commas, which need no escape. */
static bool is_plain(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (((unsigned char)s[i] < 0x20 && s[i] != '\t') || (unsigned char)s[i] >= 0x7f || s[i] == ',' ||
		    s[i] == '"')
			return false;
	return true;
}

/* Write a text that needs escapes or quotes. */
static void put_odd_text(struct mp_out *out, const char *s, size_t len)
{
	bool quote = memchr(s, ',', len) || memchr(s, '"', len) || memchr(s, MP_LIST_SEPARATOR, len) ||
		     memchr(s, MP_LINE_SEPARATOR, len);

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
		else if (*s == MP_LINE_SEPARATOR)
			mp_out_text(out, "\r\n");
		else if (*s == '\t') /* a tab, whatever its neighbours */
			mp_out_char(out, '\t');
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

static bool is_text(const struct mp_value *v, const char *text, size_t len)
{
	return v->type == MP_TEXT && v->len == len && memcmp(v->text, text, len) == 0;
}

/*
 * Write a value at `at`, which has room for CELL_MAX bytes. Returns the end; NULL for a text that may be longer or
 * needs escapes.
 */
static char *put_short(char *at, const struct mp_value *v)
{
	switch (v->type) {
	case MP_INT:
		return mp_digits_put_int(at, v->i);
	case MP_REAL:
		return mp_number_put_real(at, v);
	case MP_TEXT:
		if (v->len > CELL_MAX)
			return NULL;
		if (v->marks & MP_MARK_CSV)
			return mp_copy_text(at, v->text, v->len);
		return mp_plain_copy(at, v->text, v->len, ',', true) ? at + v->len : NULL;
	default:
		memcpy(at, "N/A", 3);
		return at + 3;
	}
}

/* The same for a database: nothing for a missing value, and no tab behind a number, which keeps it a text in a sheet.
 */
static char *put_bare(char *at, const struct mp_value *v)
{
	struct mp_value number = *v;

	if (v->type == MP_NULL || v->type == MP_BLOB || is_text(v, "N/A", 3))
		return at;
	if (v->type == MP_TEXT && v->len > 1 && v->text[v->len - 1] == '\t' &&
	    strspn(v->text, "-0123456789.") == v->len - 1)
		number.len--;
	return put_short(at, &number);
}

static void end_line(struct mp_csv *csv)
{
	if (csv->crlf)
		mp_out_char(csv->out, '\r');
	mp_out_char(csv->out, '\n');
}

static int section(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	struct mp_csv *csv = (struct mp_csv *)w;

	if (s->column_count > COLUMNS_MAX)
		return mp_fail(err, "'%s' has more than %d columns", s->title, COLUMNS_MAX);
	csv->columns = s->column_count;
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
	size_t room = (size_t)(csv->columns + 1) * (CELL_MAX + 1);
	char *begun = mp_out_reserve(csv->out, room), *at = begun, *end;

	(void)err;
	for (int i = 0; i < csv->columns; i++) {
		*at = ',';
		at += i > 0;
		end = csv->empty ? put_bare(at, &cells[i]) : put_short(at, &cells[i]);
		if (!end) {
			mp_out_advance(csv->out, (size_t)(at - begun));
			put_text(csv->out, cells[i].text, cells[i].len);
			begun = end = mp_out_reserve(csv->out, room);
		}
		at = end;
	}
	*at = '\r';
	at += csv->crlf;
	*at++ = '\n';
	mp_out_advance(csv->out, (size_t)(at - begun));
	return 0;
}

static int end(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	(void)w, (void)omitted, (void)err;
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

void mp_csv_init(struct mp_csv *csv, struct mp_out *out, bool crlf)
{
	*csv = (struct mp_csv){.writer = {section, row, end, fork_csv}, .out = out, .crlf = crlf};
}

/* ---- a sheet ---- */

static const char *bare(const char *title)
{
	return title + (*title == '/');
}

static int find(const struct mp_sheet *sheet, const char *title)
{
	for (int i = 0; i < sheet->count; i++)
		if (strcmp(sheet->titles[i], title) == 0)
			return i;
	return -1;
}

static int learn(struct mp_sheet *sheet, const char *title, struct mp_error *err)
{
	if (find(sheet, title) >= 0)
		return 0;
	if (sheet->count == MP_SHEET_COLUMN_MAX)
		return mp_fail(err, "a table has more than %d columns", MP_SHEET_COLUMN_MAX);
	sheet->titles[sheet->count] = strdup(title);
	return sheet->titles[sheet->count++] ? 0 : mp_fail_memory(err, "the columns of a table");
}

static int learn_section(struct mp_sheet *sheet, const struct mp_section *s, struct mp_error *err)
{
	int status = 0;

	for (int i = 0; !status && i < s->key_count; i++)
		status = learn(sheet, s->key_names[i], err);
	for (int i = 0; !status && i < s->column_count; i++)
		status = learn(sheet, bare(s->titles[i]), err);
	return status;
}

static int place(
    const struct mp_sheet *sheet, const struct mp_section *s, const char *title, int *at, struct mp_error *err)
{
	*at = find(sheet, title);
	return *at >= 0 ? 0
			: mp_fail(err,
			      "table '%s' has a column '%s' that earlier tables lack, and CSV is one table: "
			      "choose one job, or JSON",
			      s->title, title);
}

static int sheet_section(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	struct mp_sheet *sheet = (struct mp_sheet *)w;
	int at;

	sheet->absent[0] = '\0';
	if (!sheet->begun)
		return learn_section(sheet, s, err);
	memset(sheet->cells, 0, sizeof(sheet->cells));
	sheet->columns = s->column_count;
	if (s->absent) {
		if (!mp_section_is_none(s))
			snprintf(sheet->absent, sizeof(sheet->absent), "%s: no data: %s", s->title, s->absent);
		return 0;
	}
	for (int i = 0; i < s->key_count; i++) {
		if (place(sheet, s, s->key_names[i], &at, err))
			return -1;
		sheet->cells[at] = s->keys[i];
	}
	for (int i = 0; i < s->column_count; i++)
		if (place(sheet, s, bare(s->titles[i]), &sheet->at[i], err))
			return -1;
	return s->column_count ? 0 : sheet->to->row(sheet->to, sheet->cells, err);
}

static int sheet_row(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	struct mp_sheet *sheet = (struct mp_sheet *)w;

	for (int i = 0; i < sheet->columns; i++)
		sheet->cells[sheet->at[i]] = cells[i];
	return sheet->to->row(sheet->to, sheet->cells, err);
}

static int sheet_end(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	struct mp_sheet *sheet = (struct mp_sheet *)w;

	(void)err;
	sheet->omitted += omitted;
	return 0;
}

void mp_sheet_init(struct mp_sheet *sheet, struct mp_writer *to)
{
	*sheet = (struct mp_sheet){.writer = {sheet_section, sheet_row, sheet_end, NULL}, .to = to};
}

int mp_sheet_begin(struct mp_sheet *sheet, struct mp_error *err)
{
	struct mp_section s = {
	    .title = "", .heading = "", .titles = (const char *const *)sheet->titles, .column_count = sheet->count};

	sheet->begun = true;
	return sheet->to->section(sheet->to, &s, err);
}

void mp_sheet_free(struct mp_sheet *sheet)
{
	for (int i = 0; i < sheet->count; i++)
		free(sheet->titles[i]);
	sheet->count = 0;
}
