/* test_report.c: the reports of schema/: all of them load and run; names, sorting, limits. */
#include "store_support.h"

#include "insight/advise.h"
#include "out_support.h"
#include "report/formats.h"
#include "report/report.h"
#include "store/connection.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

static struct job_test *job;
static struct mp_db *db;
static struct sink sink;
static struct mp_error err;

static int setup(void **state)
{
	if (job_setup(state))
		return -1;
	job = *state;
	write_job(job);
	db = import_private(job);
	sink_open(&sink);
	return 0;
}

static int teardown(void **state)
{
	sink_close(&sink);
	mp_db_close(db);
	return job_teardown(state);
}

static const char *const kinds[] = {"summary", "timeline", "analyze", "show", "check", "query", "trace", "first",
    "stacks", "process", "compat/prof/host", "compat/prof/device"};

static const char *base_name(const char *path)
{
	return strrchr(path, '/') + 1;
}

/* Import the job for a family: a database with the tables of its reports. */
static struct mp_db *import_as(enum mp_family family)
{
	struct mp_db *as;

	job_open(job);
	for (size_t i = 0; i < job->job->file_count; i++)
		job->job->files[i].state = MP_FILE_UNKNOWN;
	job->job->family = family;
	assert_ok(mp_import_private(&as, job->job, &job->layouts, &import_options, &err), &err);
	return as;
}

/* Errors name the file and the line at which a query begins, whether it does not compile or its rows fail. */
static void test_errors_name_the_line(void **state)
{
	static const char bad[] = "SELECT nowhere", overflow[] = "SELECT abs(-9223372036854775808)";
	struct mp_sql sql = {.text = bad, .len = sizeof(bad) - 1, .path = "reports/made/up.sql", .line = 7};
	struct mp_reports list;
	struct mp_query *q;

	(void)state;
	assert_refused(mp_report_query(&q, db, &sql, "", "", MP_STYLE_DEFAULT, &err), &err,
	    "schema/reports/made/up.sql:7: cannot query 'private database': no such column: nowhere");
	sql.text = overflow;
	sql.len = sizeof(overflow) - 1;
	assert_ok(mp_report_query(&q, db, &sql, "", "", MP_STYLE_DEFAULT, &err), &err);
	assert_int_equal(mp_query_next(q, &err), -1);
	assert_string_equal(
	    err.text, "schema/reports/made/up.sql:7: cannot query 'private database': integer overflow");
	mp_query_close(q);
	assert_ok(mp_reports_load(&list, "show", "prof", MP_STYLE_DEFAULT, &err), &err);
	for (size_t i = 0; i < list.count; i++) {
		assert_string_equal(list.items[i].each.path, list.items[i].path);
		assert_true(list.items[i].each.line > 1);
	}
	mp_reports_free(&list);
}

/* Reports of ranks and of the results of a process read a database of their own, those of pytorch more than that of a
 * job. */
static bool is_of_job(const char *path)
{
	return strncmp(path, "reports/", 8) == 0 && strstr(path, ".sql") && strncmp(path, "reports/part/", 13) != 0 &&
	       strncmp(path, "reports/cluster", 15) != 0 && strncmp(path, "reports/process_trace/", 22) != 0 &&
	       strncmp(path, "reports/pytorch/", 16) != 0;
}

/* Each text of SQL below reports/, except parts, is a report for some family and style; its SQL compiles. */
static void test_all_parse(void **state)
{
	size_t files = 0, seen = 0;
	const char *paths[256];

	(void)state;
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++) {
		files += is_of_job(f->path);
		assert_ptr_equal(mp_schema_text(f->path), f->text); /* the files are in order */
	}
	for (size_t k = 0; k < COUNT(kinds) * MP_FAMILY_COUNT * 2; k++) {
		struct mp_reports list;
		enum mp_style style = k % 2 ? MP_STYLE_VENDOR : MP_STYLE_DEFAULT;
		enum mp_family family = (enum mp_family)(k / 2 % MP_FAMILY_COUNT);
		struct mp_db *own = import_as(family);
		bool has_facts = false;

		assert_ok(
		    mp_reports_load(&list, kinds[k / 2 / MP_FAMILY_COUNT], mp_family_name(family), style, &err), &err);
		for (size_t i = 0; i < list.count; i++) {
			struct mp_query *q;
			size_t p = 0;

			if (list.items[i].facts && !has_facts) {
				assert_ok(mp_advise_facts(own, mp_family_name(family), &err), &err);
				has_facts = true;
			}
			assert_ok(mp_report_query(&q, own, &list.items[i].each, "", "", style, &err), &err);
			mp_query_close(q);
			while (p < seen && strcmp(paths[p], list.items[i].path) != 0)
				p++;
			if (p == seen)
				paths[seen++] = list.items[i].path;
			assert_true(seen < COUNT(paths));
			if (i)
				assert_true(
				    strcmp(base_name(list.items[i - 1].path), base_name(list.items[i].path)) <= 0);
		}
		mp_reports_free(&list);
		mp_db_close(own);
	}
	assert_int_equal(seen, files);
}

static void test_families_and_styles(void **state)
{
	struct mp_reports list;

	(void)state;
	assert_ok(mp_reports_load(&list, "summary", "svp", MP_STYLE_VENDOR, &err), &err);
	assert_true(list.count > 0);
	for (size_t i = 0; i < list.count; i++) {
		assert_true(strcmp(list.items[i].family, "svp") == 0 || strcmp(list.items[i].family, "any") == 0);
		assert_true(strcmp(list.items[i].style, "vendor") == 0 || strcmp(list.items[i].style, "any") == 0);
		assert_true(list.items[i].output.file[0]);
	}
	mp_reports_free(&list);
	assert_ok(mp_reports_load(&list, "nothing", "svp", MP_STYLE_DEFAULT, &err), &err);
	assert_int_equal(list.count, 0);
	mp_reports_free(&list);
}

/* Every report of the family, all rows: no query fails on a job with data. */
static void test_all_run(void **state)
{
	bool has_facts = false;

	(void)state;
	for (size_t k = 0; k < COUNT(kinds) * 2; k++) {
		enum mp_style style = k % 2 ? MP_STYLE_VENDOR : MP_STYLE_DEFAULT;
		struct mp_reports list;

		assert_ok(mp_reports_load(&list, kinds[k / 2], "svp", style, &err), &err);
		for (size_t i = 0; i < list.count; i++) {
			struct mp_section_options options = {.style = style};
			struct mp_json json;

			mp_json_init(&json, sink.out, true);
			if (list.items[i].facts && !has_facts) {
				assert_ok(mp_advise_facts(db, "svp", &err), &err);
				has_facts = true;
			}
			assert_ok(mp_report_show(&list.items[i], db, &options, &json.writer, &err), &err);
		}
		mp_reports_free(&list);
	}
	assert_non_null(strstr(sink_text(&sink), "svp_acl_mdl_execute"));
}

static struct mp_query *one_row(const char *sql)
{
	struct mp_query *q;

	assert_ok(mp_query_open(&q, db, sql, strlen(sql), &err), &err);
	assert_int_equal(mp_query_next(q, &err), 1);
	return q;
}

static void test_names(void **state)
{
	static const struct {
		const char *pattern, *name;
	} cases[] = {{"", ""}, {"plain", "plain"}, {"{a}", "1"}, {"x_{a}.{m}.{r}_{n}", "x_1.mo_del.0.5_unknown"},
	    {"{bad}", "a\\x0ab"}, {"{a}{a}", "11"}, {"}{a}", "}1"}, {"a/b", "a_b"}, {"{dots}", ".._.._etc"}};
	struct mp_query *q = one_row("SELECT 1 AS a, 'mo/del' AS m, 0.5 AS r, NULL AS n, 'a' || char(10) || 'b' AS bad,"
				     " '../../etc' AS dots, 'x' AS aa");
	char name[64];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_ok(mp_report_name(name, sizeof(name), cases[i].pattern, q, &err), &err);
		assert_string_equal(name, cases[i].name);
	}
	assert_refused(mp_report_name(name, sizeof(name), "x{b}", q, &err), &err, "no column 'b'");
	assert_refused(mp_report_name(name, sizeof(name), "x{a", q, &err), &err, "template '{a'");
	assert_refused(mp_report_name(name, sizeof(name), "{}", q, &err), &err, "no column ''");
	assert_refused(mp_report_name(name, 4, "abcde", q, &err), &err, "name longer than 3 bytes: 'abcde'");
	assert_ok(mp_report_name(name, 6, "abcde", q, &err), &err);
	mp_query_close(q);
}

/* A name that does not fit is an error, not another name, because two models must not share a file. */
static void test_long_names(void **state)
{
	struct mp_query *q = one_row("SELECT '0123456789' AS v");
	char name[64];

	(void)state;
	assert_ok(mp_report_name(name, 11, "{v}", q, &err), &err);
	assert_string_equal(name, "0123456789");
	assert_refused(mp_report_name(name, 10, "{v}", q, &err), &err, "name longer than 9 bytes");
	assert_refused(mp_report_name(name, 11, "x{v}", q, &err), &err, "name longer than 10 bytes");
	assert_refused(mp_report_name(name, 11, "{v}.", q, &err), &err, "name longer than 10 bytes");
	mp_query_close(q);
}

#define SQL(s)                                                                                                         \
	{                                                                                                              \
		.text = s, .len = sizeof(s) - 1                                                                        \
	}

static const struct mp_report rows_report = {
    .path = "test",
    .title = "T",
    .table.time = "Time(us)",
    .each = SQL("SELECT 1 AS k, 'hidden' AS _x"),
    .rows =
	SQL("SELECT column1 AS \"Id\", column2 AS \"/Time(us)\", column3 AS \"Na\"\"me\" FROM (VALUES ('-', 10, NULL),"
	    " (1, 2, 'b'), (2, NULL, 'a'), (3, 7.5, 'c'), (4, 'text', NULL), (5, -1, 'B'))\n"),
};

static const char *show(const struct mp_report *report, struct mp_section_options options)
{
	struct mp_csv csv;

	sink_close(&sink);
	sink_open(&sink);
	mp_csv_init(&csv, sink.out, false);
	assert_ok(mp_report_show(report, db, &options, &csv.writer, &err), &err);
	return sink_text(&sink);
}

#define TITLES "Id,Time(us),\"Na\"\"me\"\n"

/* Largest numbers first, then texts; missing values last; a total before all. */
static void test_sort(void **state)
{
	struct mp_section_options options = {.sort = NULL};

	(void)state;
	assert_string_equal(
	    show(&rows_report, options), TITLES "-,10,N/A\n1,2,b\n2,N/A,a\n3,7.5,c\n4,text,N/A\n5,-1,B\n");
	options.sort = "time(US)";
	assert_string_equal(
	    show(&rows_report, options), TITLES "-,10,N/A\n3,7.5,c\n1,2,b\n5,-1,B\n4,text,N/A\n2,N/A,a\n");
	options.sort = "na\"me";
	assert_string_equal(
	    show(&rows_report, options), TITLES "-,10,N/A\n5,-1,B\n2,N/A,a\n1,2,b\n3,7.5,c\n4,text,N/A\n");
	options.sort = "no such column";
	assert_string_equal(
	    show(&rows_report, options), TITLES "-,10,N/A\n1,2,b\n2,N/A,a\n3,7.5,c\n4,text,N/A\n5,-1,B\n");
	options.sort = "Id";
	options.top = 2;
	assert_string_equal(show(&rows_report, options), TITLES "-,10,N/A\n5,-1,B\n4,text,N/A\n");
}

static void see_title(void *user, const char *title)
{
	strcat(strcat(user, title), ";");
}

static void test_has_column(void **state)
{
	static const char *const names[] = {"Id", "id", "TIME(US)", "Time", "time", "na\"me"}, *const others[] = {"",
												   "/", "(us)", "Time(",
												   "Tim", "_x", "k"};
	struct mp_report timeless = rows_report;
	char titles[1024] = "";
	bool has;

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		assert_ok(mp_report_has_column(&rows_report, db, names[i], &has, see_title, titles, &err), &err);
		assert_true(has);
		assert_string_equal(titles, "");
	}
	for (size_t i = 0; i < COUNT(others); i++) {
		has = true;
		titles[0] = '\0';
		assert_ok(mp_report_has_column(&rows_report, db, others[i], &has, see_title, titles, &err), &err);
		assert_false(has);
		assert_string_equal(titles, "Id;Time(us);Na\"me;");
	}
	timeless.table.time[0] = '\0';
	assert_ok(mp_report_has_column(&timeless, db, "time", &has, see_title, titles, &err), &err);
	assert_false(has);
	assert_ok(mp_report_has_column(&timeless, db, "Time(us)", &has, see_title, titles, &err), &err);
	assert_true(has);
}

/* As one table, with the key of @each first. */
static const char *show_sheet(const struct mp_report *report, struct mp_section_options options, struct mp_sheet *sheet)
{
	struct mp_section_options titles = options;
	struct mp_csv csv;

	sink_close(&sink);
	sink_open(&sink);
	mp_csv_init(&csv, sink.out, false);
	mp_sheet_init(sheet, &csv.writer);
	titles.titles_only = true;
	assert_ok(mp_report_show(report, db, &titles, &sheet->writer, &err), &err);
	assert_ok(mp_sheet_begin(sheet, &err), &err);
	assert_ok(mp_report_show(report, db, &options, &sheet->writer, &err), &err);
	mp_sheet_free(sheet);
	return sink_text(&sink);
}

/* A total is not counted; the number of omitted rows is reported. */
static void test_top(void **state)
{
	static const struct {
		int64_t top, omitted;
		const char *text;
	} cases[] = {{1, 4, "k," TITLES "1,-,10,N/A\n1,1,2,b\n"},
	    {4, 1, "k," TITLES "1,-,10,N/A\n1,1,2,b\n1,2,N/A,a\n1,3,7.5,c\n1,4,text,N/A\n"},
	    {5, 0, "k," TITLES "1,-,10,N/A\n1,1,2,b\n1,2,N/A,a\n1,3,7.5,c\n1,4,text,N/A\n1,5,-1,B\n"},
	    {99, 0, "k," TITLES "1,-,10,N/A\n1,1,2,b\n1,2,N/A,a\n1,3,7.5,c\n1,4,text,N/A\n1,5,-1,B\n"}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mp_section_options options = {.top = cases[i].top};
		struct mp_sheet sheet;

		assert_string_equal(show_sheet(&rows_report, options, &sheet), cases[i].text);
		assert_int_equal(sheet.omitted, cases[i].omitted);
	}
}

/* Sections with other columns use the columns known before; a section with a new column is refused. */
static void test_sheet(void **state)
{
	static const char *const key[] = {"job"}, *const two[] = {"a", "/b"}, *const one[] = {"b"},
				 *const more[] = {"b", "c"};
	const struct mp_value name = text_cell("J"), cells[] = {int_cell(1), int_cell(2)};
	struct mp_section s = {.title = "T",
	    .heading = "",
	    .key_names = key,
	    .keys = &name,
	    .key_count = 1,
	    .titles = two,
	    .column_count = 2};
	struct mp_sheet sheet;
	struct mp_csv csv;

	(void)state;
	mp_csv_init(&csv, sink.out, false);
	mp_sheet_init(&sheet, &csv.writer);
	assert_ok(sheet.writer.section(&sheet.writer, &s, &err), &err);
	assert_ok(mp_sheet_begin(&sheet, &err), &err);
	assert_ok(sheet.writer.section(&sheet.writer, &s, &err), &err);
	assert_ok(sheet.writer.row(&sheet.writer, cells, &err), &err);
	s.titles = one;
	s.column_count = 1;
	assert_ok(sheet.writer.section(&sheet.writer, &s, &err), &err);
	assert_ok(sheet.writer.row(&sheet.writer, cells, &err), &err);
	s.column_count = 0; /* the section is only its keys */
	assert_ok(sheet.writer.section(&sheet.writer, &s, &err), &err);
	s.titles = more;
	s.column_count = 2;
	assert_refused(sheet.writer.section(&sheet.writer, &s, &err), &err, "table 'T' has a column 'c'");
	assert_string_equal(sink_text(&sink), "job,a,b\nJ,1,2\nJ,N/A,1\nJ,N/A,N/A\n");
	mp_sheet_free(&sheet);
}

/* @rows can use the row of @each; each row of @each is a section. */
static void test_parameters(void **state)
{
	static const struct mp_report report = {.path = "test",
	    .title = "T",
	    .vendor_title = "V",
	    .each = SQL("SELECT column1 AS n, column1 * 2 AS _twice FROM (VALUES (3), (4))"),
	    .rows = SQL("SELECT :n AS a, :_twice AS b, :style AS c")};
	struct mp_section_options options = {.style = MP_STYLE_VENDOR};

	(void)state;
	assert_string_equal(show(&report, options), "a,b,c\n3,6,vendor\na,b,c\n4,8,vendor\n");
}

static void test_absent(void **state)
{
	static const struct mp_report report = {.path = "test",
	    .title = "T",
	    .vendor_title = "V",
	    .each = SQL("SELECT 1 AS k WHERE 0"),
	    .rows = SQL("SELECT 1 AS a"),
	    .why = SQL("SELECT 'of this'")};
	struct mp_section_options options = {.style = MP_STYLE_VENDOR};
	struct mp_sheet sheet;

	(void)state;
	assert_string_equal(show_sheet(&report, options, &sheet), "k,a\n");
	assert_string_equal(sheet.absent, "V: no data: of this");
}

static void test_broken_report(void **state)
{
	static const struct mp_report report = {
	    .path = "test", .title = "T", .each = SQL("SELECT 1"), .rows = SQL("SELECT no_column")};
	struct mp_section_options options = {.top = 0};
	struct mp_csv csv;

	(void)state;
	mp_csv_init(&csv, sink.out, false);
	assert_refused(mp_report_show(&report, db, &options, &csv.writer, &err), &err, "no such column: no_column");
}

/* SQLite asks for each SELECT and each column that it finds while it prepares a statement. */
static int count_names(void *count, int action, const char *a, const char *b, const char *c, const char *d)
{
	(void)action, (void)a, (void)b, (void)c, (void)d;
	++*(int *)count;
	return SQLITE_OK;
}

/* An export of summaries compiles a query for each report, also where it has no rows. What of the stamp is named in
 * each of them, SQLite parses and frees as often. */
static void test_summaries_are_small(void **state)
{
	enum { NAMES_MAX = 1600 }; /* 783 of SQLite 3.40 */
	struct mp_reports list;
	struct mp_db *prof;
	int count = 0;

	(void)state;
	assert_ok(mp_db_private(&prof, &err), &err);
	assert_ok(mp_db_make(prof, MP_FAMILY_PROF, MP_STEPS_TABLES, &err), &err);
	assert_ok(mp_db_make(prof, MP_FAMILY_PROF, MP_STEPS("views"), &err), &err);
	assert_ok(mp_reports_load(&list, "summary", "prof", MP_STYLE_DEFAULT, &err), &err);
	assert_true(list.count > 50);
	assert_int_equal(sqlite3_set_authorizer(prof->handle, count_names, &count), SQLITE_OK);
	for (size_t i = 0; i < list.count; i++) {
		struct mp_query *q;

		assert_ok(mp_report_query(&q, prof, &list.items[i].each, "", "", MP_STYLE_DEFAULT, &err), &err);
		mp_query_close(q);
	}
	mp_reports_free(&list);
	mp_db_close(prof);
	assert_true(count > 0 && count <= NAMES_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_errors_name_the_line),
	    TEST(test_all_parse),
	    TEST(test_families_and_styles),
	    TEST(test_all_run),
	    TEST(test_names),
	    TEST(test_long_names),
	    TEST(test_sort),
	    TEST(test_has_column),
	    TEST(test_top),
	    TEST(test_sheet),
	    TEST(test_parameters),
	    TEST(test_absent),
	    TEST(test_broken_report),
	    TEST(test_summaries_are_small),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
