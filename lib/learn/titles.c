/* titles.c: finds the meanings of titles, and of names of files, in schema/learn/titles.txt. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "learn/reference_internal.h"
#include "raw/job_info.h"

enum { TITLE_SIZE = 48 };

static const char *const meanings[MP_MEANS_COUNT] = {"nothing", "task_id", "layer_id", "layer_name", "layer_type",
    "ori_name", "time", "time_ratio", "mac_busy", "mac_ppen", "vec_busy", "vec_ppen", "dstr", "dtrans", "dld", "wld",
    "ddr_read_bytes", "ddr_write_bytes", "ddr_total", "memory_bound"};

static const struct {
	const char *name;
	enum mp_meaning of; /* the first meaning that may have the unit */
	int64_t unit;
} units[] = {{"ns", MP_MEANS_TIME, 1}, {"us", MP_MEANS_TIME, 1000}, {"\xce\xbcs", MP_MEANS_TIME, 1000},
    {"\xc2\xb5s", MP_MEANS_TIME, 1000}, {"ms", MP_MEANS_TIME, 1000000}, {"byte", MP_MEANS_DDR_READ, 1},
    {"bytes", MP_MEANS_DDR_READ, 1}, {"b", MP_MEANS_DDR_READ, 1}, {"kb", MP_MEANS_DDR_READ, 1000},
    {"mb", MP_MEANS_DDR_READ, 1000000}, {"%", MP_MEANS_NOTHING, 1}, {"", MP_MEANS_NOTHING, 1}};

const char *mp_meaning_name(enum mp_meaning meaning)
{
	return meanings[meaning];
}

/* The unit of that name, if a meaning may have it; else 0. */
static int64_t unit_of(enum mp_meaning m, const char *name)
{
	enum mp_meaning of = m >= MP_MEANS_DDR_READ && m <= MP_MEANS_DDR_TOTAL ? MP_MEANS_DDR_READ
			     : m == MP_MEANS_TIME                              ? m
									       : MP_MEANS_NOTHING;

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (units[i].of == of && strcmp(units[i].name, name) == 0)
			return units[i].unit;
	return 0;
}

/* Copy a title without blanks, underscores and case. Returns false when nothing is left, or too much. */
static bool fold(char folded[TITLE_SIZE], const char *title, size_t len)
{
	size_t used = 0;

	for (size_t i = 0; i < len; i++) {
		char c = title[i];

		if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '_')
			continue;
		if (len - i >= 3 &&
		    (memcmp(title + i, "\xef\xbc\x88", 3) == 0 || memcmp(title + i, "\xef\xbc\x89", 3) == 0)) {
			c = title[i + 2] == '\x88' ? '(' : ')'; /* the parentheses of Chinese texts */
			i += 2;
		}
		if (used + 1 == TITLE_SIZE)
			return false;
		folded[used++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	folded[used] = '\0';
	return used > 0;
}

/* Whether a line "MEANING [UNIT]: TITLE, TITLE, ..." has a folded title. Sets meaning and unit of the column. */
static bool has_title(const char *line, const char *folded, struct mp_table_column *column)
{
	char meaning[32], unit[8] = "", title[TITLE_SIZE];
	int at = 0;

	if (sscanf(line, "%31[a-z_]: %n", meaning, &at) < 1 ||
	    (!at && sscanf(line, "%31[a-z_] %7[a-z]: %n", meaning, unit, &at) < 2) || !at)
		return false;
	for (line += at; *line && *line != '\n'; line += strcspn(line, ",\n"), line += *line == ',') {
		if (!fold(title, line, strcspn(line, ",\n")) || strcmp(title, folded) != 0)
			continue;
		for (int m = 1; m < MP_MEANS_COUNT; m++)
			if (strcmp(meanings[m], meaning) == 0)
				column->meaning = (enum mp_meaning)m;
		column->unit = unit_of(column->meaning, unit);
		return true;
	}
	return false;
}

static bool find(const char *folded, struct mp_table_column *column)
{
	const char *line = mp_schema_text("learn/titles.txt");

	for (; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
		if (has_title(line, folded, column))
			return true;
	return false;
}

/* A title, or one with a unit in parentheses behind it. */
static void find_meaning(struct mp_table_column *column)
{
	char folded[TITLE_SIZE], *open;

	*column = (struct mp_table_column){.title = column->title, .unit = 1};
	if (!fold(folded, column->title, strlen(column->title)) || find(folded, column))
		return;
	open = strrchr(folded, '(');
	if (!open || folded[strlen(folded) - 1] != ')')
		return;
	folded[strlen(folded) - 1] = '\0';
	*open = '\0';
	if (find(folded, column))
		column->unit = unit_of(column->meaning, open + 1);
	if (!column->unit)
		*column = (struct mp_table_column){.title = column->title, .unit = 1};
}

/* The identity in the name of a table, by the lines "name PATTERN". */
static int identify(struct mp_reading *r, struct mp_error *err)
{
	struct mp_layout *names = calloc(1, sizeof(*names));
	const char *line = mp_schema_text("learn/titles.txt"), *slash = strrchr(r->table.name, '/');
	const char *name = slash ? slash + 1 : r->table.name, *dot = strrchr(name, '.');
	int status = 0;

	if (!names)
		return mp_fail_memory(err, "references");
	for (; *line && !status; line += strcspn(line, "\n"), line += *line == '\n')
		if (strncmp(line, "name ", 5) == 0 && names->file_count < MP_FILE_PATTERN_MAX)
			status = mp_pattern_parse(
			    &names->files[names->file_count++], line + 5, strcspn(line + 5, "\n"), true, err);
	if (!status)
		mp_layout_names(names, name, dot ? (size_t)(dot - name) : strlen(name), &r->table.identity);
	free(names);
	return status;
}

int mp_titles_apply(struct mp_reading *r, struct mp_error *err)
{
	struct mp_table *t = &r->table;

	for (int m = 0; m < MP_MEANS_COUNT; m++)
		t->column_of[m] = -1;
	for (int i = t->column_count - 1; i >= 0; i--) { /* of several columns with one meaning the first counts */
		find_meaning(&t->columns[i]);
		t->column_of[t->columns[i].meaning] = i;
	}
	t->column_of[MP_MEANS_NOTHING] = -1;
	return identify(r, err);
}
