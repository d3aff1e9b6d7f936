/*
 * goturn_table.c: reads the published table: tab-separated, cells with commas in double quotes, one total row before
 * the tasks. Numbers become whole hundredths, so that binary fractions lose nothing.
 */
#include "goturn.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "71", "3.7" or "3.74" to hundredths; -1 for anything else. */
static int64_t hundredths(const char *s)
{
	int64_t v = 0;
	int places = -1;

	if (*s < '0' || *s > '9' || strlen(s) > 15)
		return -1;
	for (; *s; s++) {
		if (*s == '.' && places < 0) {
			places = 0;
			continue;
		}
		if (*s < '0' || *s > '9' || places == 2)
			return -1;
		v = v * 10 + (*s - '0');
		places += places >= 0;
	}
	for (places = places < 0 ? 0 : places; places < 2; places++)
		v *= 10;
	return v;
}

/* One cell without its quotes. */
static bool copy_cell(char *dst, const char *s, size_t len)
{
	if (len >= 2 && s[0] == '"' && s[len - 1] == '"') {
		s++;
		len -= 2;
	}
	if (len >= GOTURN_CELL)
		return false;
	memcpy(dst, s, len);
	dst[len] = '\0';
	return true;
}

/* Parse a row. Returns the wrong column, or -1. */
static int parse_row(struct goturn_row *row, char *line)
{
	char cell[GOTURN_CELL];

	for (int c = 0; c < COL_COUNT; c++) {
		size_t len = strcspn(line, "\t\r\n");
		bool last = line[len] != '\t';

		if (!copy_cell(cell, line, len) || last != (c == COL_COUNT - 1))
			return c;
		if (c < COL_TIME) {
			memcpy(row->text[c], cell, sizeof(cell));
		} else {
			row->printed[c] = hundredths(cell);
			if (row->printed[c] < 0)
				return c;
		}
		line += len + !last;
	}
	return -1;
}

static int read_rows(struct goturn_table *t, FILE *f, const char *path, struct mp_error *err)
{
	char *line = NULL;
	size_t room = 0;
	int number = 0, status = 0;

	while (!status && getline(&line, &room, f) >= 0) {
		struct goturn_row *row = number <= 1 ? &t->total : &t->rows[t->count];
		int wrong;

		if (number++ == 0)
			continue; /* titles */
		if (row != &t->total && t->count == GOTURN_ROW_MAX) {
			status = mp_fail(err, "'%s' has more than %d rows", path, GOTURN_ROW_MAX);
			break;
		}
		wrong = parse_row(row, line);
		if (wrong >= 0)
			status = mp_fail(err, "%s:%d: column %d is not as expected", path, number, wrong + 1);
		t->count += row != &t->total;
	}
	if (!status && ferror(f))
		status = mp_fail_errno(err, "cannot read '%s'", path);
	free(line);
	return status;
}

int goturn_read(struct goturn_table *t, const char *path, struct mp_error *err)
{
	FILE *f = fopen(path, "re");
	int status;

	memset(t, 0, sizeof(*t));
	if (!f)
		return mp_fail_errno(err, "cannot open '%s'", path);
	status = read_rows(t, f, path, err);
	fclose(f); /* opened read-only: nothing can be lost */
	if (!status && (!t->count || strcmp(t->total.text[COL_TASK], "-") != 0))
		status = mp_fail(err, "'%s' has no total row or no tasks", path);
	return status;
}
