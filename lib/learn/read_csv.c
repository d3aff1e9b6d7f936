/* read_csv.c: reads a table of comma- or tab-separated text by RFC 4180, in place. Knows no title. */
#include <string.h>

#include "learn/reference_internal.h"

struct csv {
	char *at, *end;
	char separator;
	size_t line; /* of the text, from 1 on */
};

/* Read a quoted text, and write it without its quotes over them. Returns the end, or NULL. */
static char *take_quoted(struct csv *c, char *out)
{
	for (c->at++; c->at < c->end; c->at++) {
		if (*c->at == '"' && (++c->at == c->end || *c->at != '"'))
			return out;
		c->line += *c->at == '\n';
		*out++ = *c->at;
	}
	return NULL;
}

/* Read a cell, and its separator, in whose place its NUL may be. *last: the row ends with it. NULL with err. */
static char *take_cell(struct csv *c, bool *last, struct mp_error *err)
{
	size_t line = c->line;
	char *begin = c->at, *out = begin;

	if (c->at < c->end && *c->at == '"' && !(out = take_quoted(c, begin))) {
		mp_error_set(err, "line %zu has a quote that is not closed", line);
		return NULL;
	}
	for (; c->at < c->end && *c->at != c->separator && *c->at != '\n'; c->at++)
		*out++ = *c->at;
	*last = c->at == c->end || *c->at == '\n';
	c->line += *last;
	if (*last && out > begin && out[-1] == '\r' && c->at[-1] == '\r')
		out--;
	c->at += c->at < c->end;
	*out = '\0';
	return begin;
}

/* Read a row. Cells that it lacks are empty; those that no title is for do not count. */
static int take_row(struct mp_reading *r, struct csv *c, size_t columns, struct mp_error *err)
{
	bool last = false;
	size_t count = 0;

	for (; !last; count++) {
		const char *cell = take_cell(c, &last, err);

		if (!cell || ((!columns || count < columns) && mp_table_add(r, cell, err)))
			return -1;
	}
	for (; count < columns; count++)
		if (mp_table_add(r, c->end, err))
			return -1;
	return columns ? 0 : mp_table_titles(r, err);
}

int mp_csv_read(struct mp_reading *r, size_t size, bool is_tsv, struct mp_error *err)
{
	char *text = r->table.text;
	struct csv c = {.at = text, .end = text + size, .line = 1};
	size_t first;

	if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
		c.at += 3;
	first = strcspn(c.at, "\n");
	c.separator = is_tsv || (!memchr(c.at, ',', first) && memchr(c.at, '\t', first)) ? '\t' : ',';
	for (;;) {
		for (; *c.at == '\n' || (*c.at == '\r' && c.at[1] == '\n'); c.at++)
			c.line += *c.at == '\n';
		if (c.at == c.end)
			return r->table.columns ? 0 : mp_fail(err, "it is empty");
		if (take_row(r, &c, (size_t)r->table.column_count, err))
			return -1;
	}
}
