/*
 * beside.c: compares the tables that a board's own tool left below summary/ with those that this import would export,
 * cell by cell. What comes out proves the data, what differs contradicts it. Our own exports prove nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/made.h"
#include "base/number.h"
#include "import/import_internal.h"
#include "import/their_table.h"
#include "report/report.h"

enum { WORD_MAX = 128, CELL_MAX = 4096, STEPS_MAX = 50000000 };

/* What was compared of a kind of data. */
struct tally {
	const char *about;
	int64_t cells, differ;
	char file[512], found[256];
};

struct beside {
	struct mp_writer writer;
	struct mp_db *db;
	struct mp_dir_names names;
	bool *seen; /* by name */
	int dirfd;
	const struct mp_report *report;
	const char *name; /* of the file that is compared */
	struct mp_their_table sheet;
	int columns, counters; /* of the report; the first that is of counters */
	int keys;              /* so many columns say of what a row is */
	bool fits;             /* the titles are those of the report */
	bool *used;            /* by row of the sheet */
	size_t rows, row;      /* of the sheet, with its titles; that which is compared */
	size_t steps;          /* of the search for rows, in all tables */
	int64_t ours, absent;  /* rows of ours, and those that tables lack */
	struct tally tallies[3];
};

static struct tally *tally_of(struct beside *b, const char *about)
{
	for (size_t i = 0; i < sizeof(b->tallies) / sizeof(b->tallies[0]); i++)
		if (strcmp(b->tallies[i].about, about) == 0)
			return &b->tallies[i];
	return &b->tallies[0];
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
	struct beside *b = (struct beside *)w;
	char ours[WORD_MAX], theirs[WORD_MAX];

	b->row = 0;
	b->keys = b->counters = b->columns = s->column_count;
	b->fits = s->column_count == b->sheet.columns;
	for (int i = 0; i < s->column_count && b->fits; i++) {
		plain_title(ours, s->titles[i]);
		plain_title(theirs, b->sheet.cells[i]);
		b->fits = strcmp(ours, theirs) == 0;
		if (i < b->counters && b->report->counters[0] && strcmp(s->titles[i], b->report->counters) == 0)
			b->counters = i;
		if (i < b->keys && strchr(s->titles[i], '(')) /* a number with a unit */
			b->keys = i;
	}
	b->rows = b->fits ? b->sheet.count / (size_t)b->sheet.columns : 0;
	free(b->used);
	b->used = calloc(b->rows + 1, sizeof(*b->used));
	return b->used ? 0 : mp_fail_memory(err, "a table");
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

static void differ(struct tally *t, const struct beside *b, const char *title, const char *theirs, const char *ours)
{
	if (t->differ++)
		return;
	snprintf(t->file, sizeof(t->file), "summary/%s", b->name);
	snprintf(t->found, sizeof(t->found), "row %zu, %.40s: the table says '%.60s', the records '%.60s'", b->row,
	    title, theirs, ours);
}

static const char *cell_of(const struct beside *b, size_t row, int column)
{
	return b->sheet.cells[row * (size_t)b->sheet.columns + (size_t)column];
}

static bool has_keys(const struct beside *b, size_t row, const struct mp_value *cells)
{
	char ours[CELL_MAX];

	for (int i = 0; i < b->keys; i++) {
		write_value(ours, sizeof(ours), &cells[i]);
		if (!mp_their_table_is_same(&b->sheet, i, ours, cell_of(b, row, i)))
			return false;
	}
	return true;
}

/* Find the row of theirs that is of the same as a row of ours: rows may be missing, or stand in another order. */
static bool find_row(struct beside *b, const struct mp_value *cells)
{
	for (size_t n = 1; n < b->rows && b->steps < STEPS_MAX; n++, b->steps++) {
		const size_t row = (b->row + n - 1) % (b->rows - 1) + 1;

		if (!b->used[row] && has_keys(b, row, cells)) {
			b->row = row;
			b->used[row] = true;
			return true;
		}
	}
	return false;
}

static int compare_row(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	struct beside *b = (struct beside *)w;
	char ours[CELL_MAX];

	(void)err;
	if (!b->fits)
		return 0;
	b->ours++;
	if (!find_row(b, cells)) {
		b->absent += !mp_row_is_total(cells);
		return 0;
	}
	for (int i = 0; i < b->columns; i++) {
		struct tally *t = tally_of(b, i >= b->counters ? "counters" : b->report->needs);

		write_value(ours, sizeof(ours), &cells[i]);
		t->cells++;
		if (!mp_their_table_is_same(&b->sheet, i, ours, cell_of(b, b->row, i)))
			differ(t, b, b->sheet.cells[i], cell_of(b, b->row, i), ours);
	}
	return 0;
}

/* A row of theirs that nothing of ours is of contradicts. */
static int end(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	struct beside *b = (struct beside *)w;

	(void)omitted, (void)err;
	for (size_t row = 1; row < b->rows; row++)
		if (!b->used[row] && strcmp(cell_of(b, row, 0), "-") != 0) {
			b->row = row;
			differ(tally_of(b, b->report->needs), b, b->sheet.cells[b->keys > 1],
			    cell_of(b, row, b->keys > 1), "nothing");
		}
	return 0;
}

/* Compare a file with the report's rows for the current row of `each`. */
static int compare_file(
    struct beside *b, const struct mp_query *each, enum mp_style style, bool *fits, struct mp_error *err)
{
	const struct mp_section_options options = {.style = style};
	int status = mp_their_table_read(&b->sheet, b->dirfd, b->name, err);

	if (!status)
		status = mp_report_section(b->report, b->db, each, &options, &b->writer, err);
	*fits = !status && b->fits;
	mp_their_table_free(&b->sheet);
	return status < 0 ? -1 : 0;
}

/* The file that the name of an export stands for: theirs may end in other digits of the icache. -1: not found */
static int find_file(const struct beside *b, const char *name)
{
	size_t len, dots = 0;

	for (len = 0; name[len] && dots < 6; len++)
		dots += name[len] == '.';
	for (size_t i = 0; i < b->names.count; i++)
		if (!b->seen[i] && strncmp(b->names.items[i], name, len) == 0 &&
		    (dots == 6 || strcmp(b->names.items[i] + len, ".csv") == 0))
			return (int)i;
	return -1;
}

static int compare_report(struct beside *b, const struct mp_report *report, enum mp_style style, struct mp_error *err)
{
	struct mp_query *each;
	char name[512];
	int status;

	b->report = report;
	if (mp_report_query(&each, b->db, &b->report->each, "", "", style, err))
		return -1;
	while ((status = mp_query_next(each, err)) == 1) {
		int found;
		bool fits;

		if (mp_report_name(name, sizeof(name), b->report->file, each, err)) {
			status = -1;
			break;
		}
		found = find_file(b, name);
		if (found < 0)
			continue;
		b->name = b->names.items[found];
		if (compare_file(b, each, style, &fits, err)) {
			status = -1;
			break;
		}
		b->seen[found] = b->seen[found] || fits;
	}
	mp_query_close(each);
	return status;
}

/* Compare all tables with the reports of a style; their titles tell the style. */
static int compare_style(struct beside *b, enum mp_style style, struct mp_error *err)
{
	struct mp_reports reports;
	int status = mp_reports_load(&reports, "summary", "svp", style, err);

	if (status)
		return -1;
	for (size_t i = 0; i < reports.count && !status; i++)
		if (reports.items[i].needs[0])
			status = compare_report(b, &reports.items[i], style, err);
	mp_reports_free(&reports);
	return status;
}

static int put_check(struct beside *b, const struct tally *t, struct mp_error *err)
{
	static const char sql[] =
	    "INSERT INTO data_check VALUES('vendor_tables', :about, :weight, 'the vendor''s tables below summary come out', "
	    ":checked, :failed, nullif(:file, ''), nullif(:found, ''))";
	struct mp_query *q;
	int status;

	if (!t->cells && !t->differ)
		return 0;
	if (mp_query_open(&q, b->db, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_bind_text(q, "about", t->about, err) ||
			 mp_query_bind_text(q, "weight", t->differ ? "contradiction" : "proof", err) ||
			 mp_query_bind_int(q, "checked", t->cells, err) ||
			 mp_query_bind_int(q, "failed", t->differ, err) ||
			 mp_query_bind_text(q, "file", t->file, err) || mp_query_bind_text(q, "found", t->found, err) ||
			 mp_query_next(q, err) < 0
		     ? -1
		     : 0;
	mp_query_close(q);
	return status;
}

static int put_doubt(struct beside *b, const char *name, const char *says, int64_t checked, int64_t failed,
    const char *file, struct mp_error *err)
{
	static const char sql[] =
	    "INSERT INTO data_check VALUES(:name, 'tasks', 'doubt', :says, :checked, :failed, :file, NULL)";
	struct mp_query *q;
	int status;

	if (mp_query_open(&q, b->db, sql, sizeof(sql) - 1, err))
		return -1;
	status = mp_query_bind_text(q, "name", name, err) || mp_query_bind_text(q, "says", says, err) ||
			 mp_query_bind_int(q, "checked", checked, err) || mp_query_bind_int(q, "failed", failed, err) ||
			 mp_query_bind_text(q, "file", file, err) || mp_query_next(q, err) < 0
		     ? -1
		     : 0;
	mp_query_close(q);
	return status;
}

/* Tables that have the names of such, and are of no inference of the job, or have other titles; and rows that they
 * lack. */
static int put_doubts(struct beside *b, struct mp_error *err)
{
	int64_t count = 0;
	const char *first = NULL;

	for (size_t i = 0; i < b->names.count; i++)
		if (!b->seen[i]) {
			first = first ? first : b->names.items[i];
			count++;
		}
	if (put_doubt(b, "vendor_strangers", "tables below summary are of inferences and calls of this job",
		(int64_t)b->names.count, count, first, err))
		return -1;
	return b->ours
		   ? put_doubt(b, "vendor_rows", "tables below summary have all rows", b->ours, b->absent, NULL, err)
		   : 0;
}

/* Our own exports, in the directory of tables. */
struct own {
	struct mp_made made;
	int dirfd;
};

static bool is_table(const void *user, const char *name)
{
	const struct own *own = user;
	static const char *const kinds[] = {"op_summary_", "op_statistic_", "acl_statistic_"};
	const size_t len = strlen(name);

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strncmp(name, kinds[i], strlen(kinds[i])) == 0)
			return len > 4 && strcmp(name + len - 4, ".csv") == 0 &&
			       !mp_made_here(&own->made, own->dirfd, name);
	return false;
}

int mp_beside_compare(struct mp_db *db, const struct mp_job *job, struct mp_error *err)
{
	struct beside b = {.writer = {begin, compare_row, end, NULL},
	    .db = db,
	    .tallies = {{.about = "tasks"}, {.about = "counters"}, {.about = "calls"}}};
	struct own own = {.made = {NULL}};
	int status = 0;

	if (job->family != MP_FAMILY_SVP || mp_dir_type(job->dirfd, "summary", "summary", err) != S_IFDIR)
		return 0;
	b.dirfd = mp_dir_open(job->dirfd, "summary", "summary", err);
	if (b.dirfd < 0)
		return 0; /* what cannot be read proves nothing */
	own.dirfd = b.dirfd;
	if (mp_made_read(&own.made, b.dirfd, err) || mp_dir_list(&b.names, b.dirfd, is_table, &own, "summary", err))
		status = -1;
	b.seen = calloc(b.names.count + 1, sizeof(*b.seen));
	if (!status && !b.seen)
		status = mp_fail_memory(err, "tables");
	if (!status && b.names.count)
		status = compare_style(&b, MP_STYLE_VENDOR, err) || compare_style(&b, MP_STYLE_DEFAULT, err) ||
				 put_check(&b, &b.tallies[0], err) || put_check(&b, &b.tallies[1], err) ||
				 put_check(&b, &b.tallies[2], err) || put_doubts(&b, err)
			     ? -1
			     : 0;
	free(b.used);
	free(b.seen);
	mp_dir_names_free(&b.names);
	mp_made_free(&own.made);
	close(b.dirfd); /* only read */
	return status;
}
