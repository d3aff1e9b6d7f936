/* titles.c: reads schema/learn/titles.txt, and finds the meanings of titles and of names of files. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/schema.h"
#include "learn/reference_internal.h"
#include "raw/job_info.h"

enum { TITLE_SIZE = sizeof(((struct mp_title *)0)->text) };

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
		if (used + 1 == TITLE_SIZE)
			return false;
		folded[used++] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	folded[used] = '\0';
	return used > 0;
}

/* "MEANING [UNIT]: TITLE, TITLE, ..." */
static int parse_titles(struct mp_titles *titles, const char *line, struct mp_error *err)
{
	char meaning[32], unit[8] = "", folded[TITLE_SIZE] = "";
	struct mp_title t = {.meaning = MP_MEANS_NOTHING}, *more;
	int at = 0;

	if (sscanf(line, "%31[a-z_]: %n", meaning, &at) < 1 ||
	    (!at && sscanf(line, "%31[a-z_] %7[A-Za-z]: %n", meaning, unit, &at) < 2) || !at)
		return mp_fail(err, "expected: MEANING [UNIT]: TITLE, ..., or name PATTERN");
	for (int m = 1; m < MP_MEANS_COUNT; m++)
		if (strcmp(meanings[m], meaning) == 0)
			t.meaning = (enum mp_meaning)m;
	fold(folded, unit, strlen(unit));
	t.unit = unit_of(t.meaning, folded);
	if (!t.meaning || !t.unit)
		return mp_fail(err, "'%s%s%s' is not a meaning with its unit", meaning, unit[0] ? " " : "", unit);
	for (line += at; *line && *line != '\n'; line += strcspn(line, ",\n"), line += *line == ',') {
		if (!fold(t.text, line, strcspn(line, ",\n")))
			return mp_fail(err, "a title of '%s' is empty or too long", meaning);
		more = realloc(titles->items, (titles->count + 1) * sizeof(*more));
		if (!more)
			return mp_fail_memory(err, "the titles of tables");
		titles->items = more;
		more[titles->count++] = t;
	}
	return 0;
}

static int parse_line(struct mp_titles *titles, const char *line, struct mp_error *err)
{
	size_t len = strcspn(line, "\n");

	if (!len || *line == '#')
		return 0;
	if (strncmp(line, "name ", 5) != 0)
		return parse_titles(titles, line, err);
	if (titles->names->file_count == MP_FILE_PATTERN_MAX)
		return mp_fail(err, "more than %d patterns of names", MP_FILE_PATTERN_MAX);
	return mp_pattern_parse(&titles->names->files[titles->names->file_count++], line + 5, len - 5, true, err);
}

int mp_titles_parse(struct mp_titles *titles, const char *path, const char *text, struct mp_error *err)
{
	memset(titles, 0, sizeof(*titles));
	titles->names = calloc(1, sizeof(*titles->names));
	if (!titles->names)
		return mp_fail_memory(err, "the titles of tables");
	for (int number = 1; *text; number++) {
		if (parse_line(titles, text, err)) {
			mp_titles_free(titles);
			return mp_schema_locate(path, number, err);
		}
		text += strcspn(text, "\n");
		text += *text == '\n';
	}
	return 0;
}

void mp_titles_free(struct mp_titles *titles)
{
	free(titles->items);
	free(titles->names);
	memset(titles, 0, sizeof(*titles));
}

static const struct mp_title *find(const struct mp_titles *titles, const char *folded)
{
	for (size_t i = 0; i < titles->count; i++)
		if (strcmp(titles->items[i].text, folded) == 0)
			return &titles->items[i];
	return NULL;
}

/* A title, or one with a unit in parentheses behind it. */
static void apply(const struct mp_titles *titles, struct mp_table_column *column)
{
	char folded[TITLE_SIZE];
	const struct mp_title *t;
	char *open;

	column->meaning = MP_MEANS_NOTHING;
	column->unit = 1;
	if (!fold(folded, column->title, strlen(column->title)))
		return;
	t = find(titles, folded);
	open = strrchr(folded, '(');
	column->unit = t ? t->unit : 1;
	if (!t && open && folded[strlen(folded) - 1] == ')') {
		folded[strlen(folded) - 1] = '\0';
		*open = '\0';
		t = find(titles, folded);
		column->unit = t ? unit_of(t->meaning, open + 1) : 1;
	}
	if (t && column->unit)
		column->meaning = t->meaning;
	else
		column->unit = 1;
}

void mp_titles_apply(const struct mp_titles *titles, struct mp_table *table)
{
	const char *slash = strrchr(table->name, '/'), *name = slash ? slash + 1 : table->name,
		   *dot = strrchr(name, '.');

	for (int m = 0; m < MP_MEANS_COUNT; m++)
		table->column_of[m] = -1;
	for (int i = table->column_count - 1; i >= 0; i--) { /* of several columns with one meaning the first counts */
		apply(titles, &table->columns[i]);
		table->column_of[table->columns[i].meaning] = i;
	}
	table->column_of[MP_MEANS_NOTHING] = -1;
	mp_layout_names(titles->names, name, dot ? (size_t)(dot - name) : strlen(name), &table->identity);
}
