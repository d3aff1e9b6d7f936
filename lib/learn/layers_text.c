/* layers_text.c: the ways to read lines of separated text as rows, and the patterns of such lines. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "learn/layers_internal.h"
#include "learn/memory.h"

enum { COLUMN_MAX = 20, MASK_MAX = 64, PATTERN_MAX = 7, LINES_SIZE = 16384, HEAD_MAX = 300 };

static const char *const separators[] = {"; ", ";", " = ", "=", " | ", "|", ", ", ",", "\t", ": ", ":", " "};

static size_t count_fields(const char *s, const char *separator)
{
	size_t count = 1;

	for (s = strstr(s, separator); s; s = strstr(s + strlen(separator), separator))
		count++;
	return count;
}

/* The next field; the last one has the rest of the line. */
static const char *take_field(const char **at, const char *end, const char *separator, bool is_last, size_t *len)
{
	const char *s = *at, *stop = is_last ? NULL : strstr(s, separator);

	*len = (size_t)((stop ? stop : end) - s);
	*at = stop ? stop + strlen(separator) : end;
	return s;
}

/* Optional blanks, an optional '-' and digits. */
static bool read_whole(const char *s, int64_t *value)
{
	uint64_t v = 0;
	bool negative;

	s += strspn(s, " ");
	negative = *s == '-';
	s += negative;
	if (!*s || strlen(s) > 18)
		return false;
	for (; *s >= '0' && *s <= '9'; s++)
		v = v * 10 + (uint64_t)(*s - '0');
	*value = negative ? -(int64_t)v : (int64_t)v;
	return !*s;
}

static int fill_row(
    struct mp_file_set *set, struct mp_row_set *rows, size_t row, const struct mp_set_line *line, struct mp_error *err)
{
	const char *at = line->text, *end = at + line->len - (rows->has_return && line->len);

	rows->files[row] = line->file;
	rows->lines[row] = (size_t)(line - set->lines);
	for (size_t i = 0; i < rows->column_count; i++) {
		struct mp_set_cell *cell = &rows->columns[i].cells[row];
		size_t len;
		const char *s = take_field(&at, end, rows->separator, i + 1 == rows->column_count, &len);

		cell->text = mp_arena_add(&set->texts, s, len);
		if (!cell->text)
			return mp_fail_memory(err, "lines");
		cell->is_int = read_whole(cell->text, &cell->number);
	}
	return 0;
}

/* Returns whether the first row names columns: where all other rows have whole numbers it has no whole number. */
static bool has_head(const struct mp_row_set *rows)
{
	for (size_t i = 0; i < rows->column_count; i++) {
		const struct mp_set_cell *cells = rows->columns[i].cells;
		size_t whole = 0;

		for (size_t k = 1; k < rows->row_count; k++)
			whole += cells[k].is_int;
		if (rows->row_count > 1 && whole + 1 == rows->row_count && cells[0].text[0] && !cells[0].is_int)
			return true;
	}
	return false;
}

/* Name the columns, and remove the rows that are heads. */
static int take_head(struct mp_file_set *set, struct mp_row_set *rows, struct mp_error *err)
{
	bool head = has_head(rows);
	const struct mp_set_line *line = &set->lines[rows->lines[0]];
	size_t kept = 0;

	for (size_t i = 0; i < rows->column_count; i++) {
		struct mp_set_column *c = &rows->columns[i];

		c->number = (int)i;
		snprintf(c->word, sizeof(c->word), head ? "column %zu (%.60s)" : "column %zu", i + 1, c->cells[0].text);
	}
	if (!head)
		return 0;
	rows->head = mp_arena_add(&set->texts, line->text, line->len - (rows->has_return && line->len));
	if (!rows->head)
		return mp_fail_memory(err, "lines");
	for (size_t k = 0; k < rows->row_count; k++) {
		const struct mp_set_line *its = &set->lines[rows->lines[k]];

		if (its->len == line->len && memcmp(its->text, line->text, its->len) == 0)
			continue;
		for (size_t i = 0; i < rows->column_count; i++)
			rows->columns[i].cells[kept] = rows->columns[i].cells[k];
		rows->files[kept] = rows->files[k];
		rows->lines[kept++] = rows->lines[k];
	}
	rows->row_count = kept;
	return 0;
}

static int see_columns(struct mp_file_set *set, const char *separator, size_t columns, bool has_return,
    mp_row_set_see *see, void *user, struct mp_error *err)
{
	struct mp_row_set rows = {.shape = MP_SET_TEXT, .separator = separator, .has_return = has_return};
	size_t count = 0, row = 0;
	int status;

	for (size_t k = 0; k < set->line_count; k++)
		count += count_fields(set->lines[k].text, separator) >= columns;
	status = mp_row_set_make(&rows, count, columns, err);
	while (!status && rows.column_count < columns && rows.column_count < rows.column_room)
		status = mp_row_set_column(&rows, err) ? 0 : -1;
	for (size_t k = 0; !status && k < set->line_count; k++)
		if (count_fields(set->lines[k].text, separator) >= columns)
			status = fill_row(set, &rows, row++, &set->lines[k], err);
	if (!status && count && rows.column_count == columns) {
		status = take_head(set, &rows, err);
		mp_row_set_judge(&rows);
		status = status || see(user, &rows, err);
	}
	mp_row_set_free(&rows);
	return status ? -1 : 0;
}

static bool find_returns(const struct mp_file_set *set)
{
	size_t returns = 0;

	for (size_t k = 0; k < set->line_count; k++)
		returns += set->lines[k].len && set->lines[k].text[set->lines[k].len - 1] == '\r';
	return set->line_count && returns == set->line_count;
}

int mp_rows_of_text(struct mp_file_set *set, mp_row_set_see *see, void *user, struct mp_error *err)
{
	bool has_return = find_returns(set);

	for (size_t i = 0; i < sizeof(separators) / sizeof(separators[0]); i++) {
		size_t counts[COLUMN_MAX + 1] = {0}, usual = 0, least = 0;

		for (size_t k = 0; k < set->line_count; k++) {
			size_t n = count_fields(set->lines[k].text, separators[i]);

			counts[n < COLUMN_MAX ? n : COLUMN_MAX]++;
		}
		for (size_t n = 2; n <= COLUMN_MAX; n++) {
			usual = counts[n] > counts[usual] ? n : usual;
			least = least || 20 * counts[n] < set->line_count ? least : n;
		}
		if (usual && see_columns(set, separators[i], usual, has_return, see, user, err))
			return -1;
		if (usual && least && least < usual &&
		    see_columns(set, separators[i], least, has_return, see, user, err))
			return -1;
	}
	return 0;
}

/* A form of lines: which columns are empty. A bit for each column. */
struct form {
	uint32_t empty;
	size_t count;
};

static int compare_forms(const void *left, const void *right)
{
	const struct form *a = left, *b = right;

	return (a->count < b->count) - (a->count > b->count);
}

static int compare_empty(const void *left, const void *right)
{
	const struct form *a = left, *b = right;

	return __builtin_popcount(b->empty) - __builtin_popcount(a->empty);
}

/* The forms that most lines have, those with most empty columns first. */
static size_t find_forms(const struct mp_row_set *rows, size_t used, struct form forms[MASK_MAX])
{
	size_t count = 0;

	for (size_t k = 0; k < rows->row_count; k++) {
		uint32_t empty = 0;
		size_t at = 0;

		for (size_t i = 0; i < used; i++)
			empty |= (uint32_t)!rows->columns[i].cells[k].text[0] << i;
		if (used + 1 == rows->column_count && !rows->columns[used].cells[k].text[0])
			empty |= (uint32_t)1 << used;
		while (at < count && forms[at].empty != empty)
			at++;
		if (at == MASK_MAX)
			continue;
		if (at == count)
			forms[count++] = (struct form){.empty = empty};
		forms[at].count++;
	}
	qsort(forms, count, sizeof(*forms), compare_forms);
	count = count < PATTERN_MAX ? count : PATTERN_MAX;
	qsort(forms, count, sizeof(*forms), compare_empty);
	return count;
}

static void append(char *text, const char *more)
{
	size_t used = strlen(text);

	snprintf(text + used, LINES_SIZE - used, "%s", more);
}

static void append_capture(char *text, const struct mp_set_column *c, const char *name)
{
	bool whole = name && (strstr(name, "task_id") || strstr(name, "stream_id") || c->is_all_int) &&
		     strcmp(name, "name") != 0 && strcmp(name, "type") != 0 && strcmp(name, "ori") != 0;

	append(text, "{");
	append(text, name ? name : "");
	append(text, whole ? ":int}" : "}");
}

static void append_form(
    char *text, const struct mp_row_set *rows, size_t used, uint32_t empty, const char *const *names)
{
	append(text, "  line     \"");
	for (size_t i = 0; i < used; i++) {
		append(text, i ? rows->separator : "");
		if (!(empty >> i & 1))
			append_capture(text, &rows->columns[i], names[i]);
	}
	if (used < rows->column_count) {
		append(text, rows->separator);
		append(text, empty >> used & 1 ? "" : "{}");
	}
	append(text, rows->has_return ? "\r\"\n" : "\"\n");
}

static bool is_sayable(const char *head)
{
	if (!head || strlen(head) > HEAD_MAX)
		return false;
	for (const char *c = head; *c; c++)
		if (strchr("\"{}", *c) || ((unsigned char)*c < ' ' && *c != '\t'))
			return false;
	return true;
}

char *mp_text_lines(const struct mp_row_set *rows, const char *const *names, struct mp_error *err)
{
	char *text = mp_learn_calloc(1, LINES_SIZE);
	struct form forms[MASK_MAX];
	size_t used = 0, count;

	if (!text) {
		mp_error_set(err, "out of memory for lines");
		return NULL;
	}
	for (size_t i = 0; i < rows->column_count; i++)
		used = names[i] ? i + 1 : used;
	count = find_forms(rows, used, forms);
	if (is_sayable(rows->head)) {
		append(text, "  line     \"");
		append(text, rows->head);
		append(text, rows->has_return ? "\r\"\n" : "\"\n");
	}
	for (size_t i = 0; i < count; i++)
		append_form(text, rows, used, forms[i].empty, names);
	return text;
}
