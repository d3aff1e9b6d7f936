/* read_csv.c: reads a table of comma- or tab-separated text by RFC 4180. Knows no title. */
#include <string.h>

#include "learn/reference_internal.h"

struct field {
	char *text; /* in the text of the file */
	size_t len;
};

struct csv {
	char *at, *end;
	char separator;
	size_t line;  /* of the text, from 1 on */
	size_t count; /* cells of the row, also those that have no room */
	bool spare;   /* a cell without room is not empty */
	struct field fields[MP_REFERENCE_COLUMN_MAX];
};

/* Read a quoted text, and write it without its quotes over them. Returns the end, or NULL. */
static char *take_quoted(struct csv *c, char *out)
{
	for (c->at++; c->at < c->end; c->at++) {
		if (*c->at == '"' && (++c->at == c->end || *c->at != '"'))
			return out;
		if (*c->at == '\n')
			c->line++;
		*out++ = *c->at;
	}
	return NULL;
}

/* Read a cell up to its separator, which stays. */
static int take_field(struct csv *c, struct mp_error *err)
{
	size_t line = c->line;
	char *begin = c->at, *out = begin;

	if (c->at < c->end && *c->at == '"' && !(out = take_quoted(c, begin)))
		return mp_fail(err, "line %zu has a quote that is not closed", line);
	for (; c->at < c->end && *c->at != c->separator && *c->at != '\n'; c->at++)
		*out++ = *c->at;
	if ((c->at == c->end || *c->at == '\n') && out > begin && out[-1] == '\r' && c->at[-1] == '\r')
		out--;
	if (c->count < MP_REFERENCE_COLUMN_MAX)
		c->fields[c->count] = (struct field){begin, (size_t)(out - begin)};
	else if (out > begin)
		c->spare = true;
	c->count++;
	return 0;
}

/* Returns 1 for a row, 0 at the end, -1 on error. Empty lines are no rows. */
static int next_row(struct csv *c, struct mp_error *err)
{
	do {
		if (c->at == c->end)
			return 0;
		c->count = 0;
		c->spare = false;
		for (;;) {
			if (take_field(c, err))
				return -1;
			if (c->at == c->end || *c->at == '\n')
				break;
			c->at++;
		}
		if (c->at < c->end)
			c->at++;
		c->line++;
	} while (c->count == 1 && c->fields[0].len == 0);
	return 1;
}

static int take_titles(struct mp_reading *r, struct csv *c, size_t *index, struct mp_error *err)
{
	int status = next_row(c, err);

	if (status < 0)
		return -1;
	if (status == 0)
		return mp_fail(err, "it is empty");
	if (c->count < 2)
		return mp_fail(err, "its first line has no two titles");
	if (c->count > MP_REFERENCE_COLUMN_MAX)
		return mp_fail(err, "more than %d columns", MP_REFERENCE_COLUMN_MAX);
	if (mp_table_begin(r, NULL, 0, false, index, err))
		return -1;
	for (size_t i = 0; i < c->count; i++)
		if (mp_table_column(r, *index, c->fields[i].text, c->fields[i].len, err))
			return -1;
	return 0;
}

/* Whether a row has a text where the table has no title. */
static bool is_too_long(const struct csv *c, size_t columns)
{
	for (size_t i = columns; i < c->count && i < MP_REFERENCE_COLUMN_MAX; i++)
		if (c->fields[i].len)
			return true;
	return c->spare;
}

static int take_row(struct mp_reading *r, const struct csv *c, size_t index, struct mp_error *err)
{
	size_t columns = (size_t)r->tables[index].ref.column_count;
	struct mp_cell *row;

	if (is_too_long(c, columns)) {
		r->tables[index].extra_rows++;
		return 0;
	}
	if (mp_table_row(r, index, &row, err))
		return -1;
	for (size_t i = 0; i < columns && i < c->count; i++)
		if (mp_table_set(r, &row[i], c->fields[i].text, c->fields[i].len, err))
			return -1;
	return 0;
}

int mp_csv_read(struct mp_reading *r, char *text, size_t size, bool is_tsv, struct mp_error *err)
{
	struct csv c = {.at = text, .end = text + size, .line = 1};
	size_t index, first;
	int status;

	if (memchr(text, '\0', size))
		return mp_fail(err, "it has NUL bytes: it is not a text");
	if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		c.at += 3;
	first = strcspn(c.at, "\n");
	c.separator = is_tsv || (!memchr(c.at, ',', first) && memchr(c.at, '\t', first)) ? '\t' : ',';
	if (take_titles(r, &c, &index, err))
		return -1;
	while ((status = next_row(&c, err)) == 1)
		if (take_row(r, &c, index, err))
			return -1;
	return status;
}
