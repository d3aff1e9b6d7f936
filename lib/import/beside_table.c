/* beside_table.c: compares a table of another tool with the rows that we would export, cell by cell. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "import/import_internal.h"

enum { WORD_MAX = 128, CELL_MAX = 4096, STEPS_MAX = 10000000 };

struct table {
	struct mp_writer writer;
	const struct mp_beside *b;
	struct mp_beside_sums *sums;
	struct mp_their_table sheet;
	int columns, counters; /* of the report; the first that is of counters */
	int keys;              /* so many columns say of what a row is */
	bool fits;             /* the titles are those of the report */
	bool *used;            /* by row of the sheet */
	size_t rows, row;      /* of the sheet, with its titles; that which is compared */
};

/*
 * Boards: each cell counts. The tools of cards lose tasks that we read, and print sums and shares of what is left:
 * there rows count, by the times of their own. Counters count by cells: one of them has another formula for some
 * clocks.
 */
static bool is_board(const struct table *t)
{
	return t->b->family == MP_FAMILY_SVP;
}

static bool counts(const struct table *t, int column, const char *ours, const char *theirs)
{
	const char *title = t->sheet.cells[column];

	if (is_board(t))
		return true;
	if (mp_their_table_says_nothing(ours) || mp_their_table_says_nothing(theirs))
		return false;
	return column >= t->counters || strstr(title, "(us)") || strstr(title, "(ns)");
}

static struct mp_beside_tally *tally_of(const struct table *t, int column)
{
	const char *about = column >= t->counters ? "counters" : t->b->report->needs;
	struct mp_beside_tally *tallies = t->sums->tallies;
	const size_t len = strcspn(about, " ");

	for (int i = 0; i < MP_BESIDE_KINDS; i++)
		if (strncmp(tallies[i].about, about, len) == 0 && !tallies[i].about[len])
			return &tallies[i];
	return &tallies[0];
}

/* A title without blanks and case. */
static void plain_title(char plain[WORD_MAX], const char *title)
{
	size_t used = 0;

	for (; *title && used < WORD_MAX - 1; title++)
		if (*title != ' ' && *title != '_' && *title != '/')
			plain[used++] = (char)(*title >= 'A' && *title <= 'Z' ? *title + 32 : *title);
	plain[used] = '\0';
}

static int begin(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	struct table *t = (struct table *)w;
	const char *counters = t->b->report->table.counters;
	char ours[WORD_MAX], theirs[WORD_MAX];

	t->row = 0;
	t->keys = t->counters = t->columns = s->column_count;
	t->fits = s->column_count == t->sheet.columns;
	for (int i = 0; i < s->column_count && t->fits; i++) {
		plain_title(ours, s->titles[i]);
		plain_title(theirs, t->sheet.cells[i]);
		t->fits = strcmp(ours, theirs) == 0;
		if (i < t->counters && counters[0] && strcmp(s->titles[i], counters) == 0)
			t->counters = i;
		if (i < t->keys && strchr(s->titles[i], '(')) /* a number with a unit */
			t->keys = i;
	}
	t->rows = t->fits ? t->sheet.count / (size_t)t->sheet.columns : 0;
	free(t->used);
	t->used = calloc(t->rows + 1, sizeof(*t->used));
	return t->used ? 0 : mp_fail_memory(err, "a table");
}

static void write_value(char *text, size_t size, const struct mp_value *v)
{
	char number[MP_NUMBER_SIZE];

	if (v->type == MP_INT)
		snprintf(text, size, "%lld", (long long)v->i);
	else if (v->type == MP_REAL)
		snprintf(text, size, "%.*s", (int)mp_number_real(number, v->d), number);
	else
		snprintf(text, size, "%.*s", v->type == MP_TEXT ? (int)v->len : 0, v->type == MP_TEXT ? v->text : "");
	for (char *at = text; *at; at++)
		*at = *at == MP_LIST_SEPARATOR ? ',' : *at;
}

static const char *cell_of(const struct table *t, size_t row, int column)
{
	return t->sheet.cells[row * (size_t)t->sheet.columns + (size_t)column];
}

static void differ(const struct table *t, int column, const char *ours)
{
	struct mp_beside_tally *tally = tally_of(t, column);

	if (tally->differ++)
		return;
	snprintf(tally->file, sizeof(tally->file), "%s/%s", t->b->label, t->b->name);
	snprintf(tally->found, sizeof(tally->found), "row %zu, %.40s: the table says '%.60s', the records '%.60s'",
	    t->row, t->sheet.cells[column], cell_of(t, t->row, column), ours);
}

static bool has_keys(const struct table *t, size_t row, const struct mp_value *cells)
{
	char ours[CELL_MAX];

	for (int i = 0; i < t->keys; i++) {
		write_value(ours, sizeof(ours), &cells[i]);
		if (!mp_their_table_is_same(&t->sheet, i, ours, cell_of(t, row, i)))
			return false;
	}
	return true;
}

/* Find the row of theirs that is of the same as a row of ours: rows may be missing, or stand in another order. */
static bool find_row(struct table *t, const struct mp_value *cells)
{
	for (size_t n = 1; n < t->rows && t->sums->steps < STEPS_MAX; n++, t->sums->steps++) {
		const size_t row = (t->row + n - 1) % (t->rows - 1) + 1;

		if (!t->used[row] && has_keys(t, row, cells)) {
			t->row = row;
			t->used[row] = true;
			return true;
		}
	}
	t->sums->cut |= t->sums->steps >= STEPS_MAX;
	return false;
}

static int compare_row(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	struct table *t = (struct table *)w;
	bool counted = false, failed = false; /* the row, where rows count */
	char ours[CELL_MAX];

	(void)err;
	if (!t->fits)
		return 0;
	t->sums->ours++;
	if (!find_row(t, cells)) {
		t->sums->absent += !mp_row_is_total(cells);
		return 0;
	}
	for (int i = 0; i < t->columns; i++) {
		const char *theirs = cell_of(t, t->row, i);
		const bool by_row = !is_board(t) && i < t->counters;

		write_value(ours, sizeof(ours), &cells[i]);
		if (!counts(t, i, ours, theirs))
			continue;
		tally_of(t, i)->cells += !by_row || !counted;
		counted = counted || by_row;
		if (mp_their_table_is_same(&t->sheet, i, ours, theirs) || (by_row && failed))
			continue;
		failed = by_row;
		differ(t, i, ours);
	}
	return 0;
}

/* A row of a board that nothing of ours is of contradicts, where all were looked for. */
static int end(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	struct table *t = (struct table *)w;

	(void)omitted, (void)err;
	t->sums->theirs += t->rows ? (int64_t)t->rows - 1 : 0;
	for (size_t row = 1; is_board(t) && row < t->rows && t->sums->steps < STEPS_MAX; row++)
		if (!t->used[row] && strcmp(cell_of(t, row, 0), "-") != 0) {
			t->row = row;
			differ(t, t->keys > 1, "nothing");
		}
	return 0;
}

int mp_beside_table(const struct mp_beside *b, struct mp_beside_sums *sums, bool *fits, struct mp_error *err)
{
	const struct mp_section_options options = {.style = b->style};
	struct table t = {.writer = {begin, compare_row, end, NULL}, .b = b, .sums = sums};
	int status = mp_their_table_read(&t.sheet, b->dirfd, b->name, err);

	if (!status)
		status = mp_report_section(b->report, b->db, b->each, &options, &t.writer, err);
	*fits = !status && t.fits;
	mp_their_table_free(&t.sheet);
	free(t.used);
	return status < 0 ? -1 : 0;
}
