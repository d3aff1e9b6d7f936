/* test_reference.c: numbers, tables of text, titles, names and places of references, and their limits. */
#include "reference_support.h"

static void test_decimals(void **state)
{
	static const struct {
		const char *text;
		int64_t value;
		int decimals;
	} numbers[] = {{"0", 0, 0}, {"79.71", 7971, 2}, {"-12.50", -1250, 2}, {" 7\t", 7, 0},
	    {"1.7e+15", 1700000000000000, 0}, {"1.25E1", 125, 1}, {"25e-3", 25, 3}, {"0.123456789", 123456789, 9},
	    {"0.1234567890", 123456789, 9}, {"9223372036854775807", INT64_MAX, 0},
	    {"000000000000000000000000012", 12, 0}, {"-0.0", 0, 1}};
	static const char *const texts[] = {"", "-", "N/A", ".5", "5.", "1e", "1e+", "+1", "1 2", "0x10", "1,5",
	    "0.1234567891", "9223372036854775808", "1e19", "1e99", "1e100", "1e-10", "13.733341931234567", "nan",
	    "1.2.3"};
	unsigned char decimals;
	int64_t value;

	(void)state;
	for (size_t i = 0; i < COUNT(numbers); i++) {
		assert_true(mp_decimal_read(numbers[i].text, strlen(numbers[i].text), &value, &decimals));
		assert_int_equal(value, numbers[i].value);
		assert_int_equal(decimals, numbers[i].decimals);
	}
	for (size_t i = 0; i < COUNT(texts); i++)
		assert_false(mp_decimal_read(texts[i], strlen(texts[i]), &value, &decimals));
}

static void test_csv(void **state)
{
	struct refs_test *t = *state;
	const struct mp_reference *ref;

	read_as(t, "op_summary_0.kws-610.pro.11.256.1.20.0.001741.700.csv",
	    "\xef\xbb\xbfTask ID,Layer ID,Layer Name,Time(us),Mac Busy Ratio(%),DDR Read(KB),Other\r\n"
	    "-,-,-,200.5,26.94,51434.96,x\r\n"
	    "0,0,\"conv \"\"1\"\"\",79.71,0,624.46,\r\n"
	    "\r\n"
	    "4,\"4,5\",\"a\nb\",118.7,81.15,N/A\r\n");
	ref = the_table(t);
	assert_int_equal(ref->kind, MP_TABLE_TASKS);
	assert_int_equal(ref->row_count, 2);
	assert_int_equal(ref->column_count, 7);
	assert_false(ref->is_trace);
	assert_cell(cell_of(ref, 0, MP_MEANS_TASK_ID), "0", 0, 0);
	assert_text(cell_of(ref, 0, MP_MEANS_LAYER_NAME), "conv \"1\"");
	assert_cell(cell_of(ref, 0, MP_MEANS_TIME), "79.71", 7971, 2);
	assert_text(cell_of(ref, 1, MP_MEANS_LAYER_ID), "4,5");
	assert_text(cell_of(ref, 1, MP_MEANS_LAYER_NAME), "a\nb");
	assert_cell(cell_of(ref, 1, MP_MEANS_TIME), "118.7", 1187, 1);
	assert_text(cell_of(ref, 1, MP_MEANS_READ), "N/A");
	assert_text(mp_reference_cell(ref, 1, 6), "");
	assert_int_equal(ref->columns[3].decimals, 2);
	assert_int_equal(ref->columns[3].unit, 1000);
	assert_int_equal(ref->columns[5].unit, 1000);
	assert_int_equal(ref->columns[4].unit, 1);
	assert_int_equal(ref->columns[6].meaning, MP_MEANS_NOTHING);
	assert_string_equal(ref->columns[6].title, "Other");
	assert_ptr_equal(ref->total, mp_reference_cell(ref, 2, 0));
	assert_cell(&ref->total[3], "200.5", 2005, 1);
	assert_int_equal(ref->identity.device_id, 0);
	assert_string_equal(ref->identity.model, "kws-610.pro");
	assert_int_equal(ref->identity.model_id, 11);
	assert_int_equal(ref->identity.batch, 256);
	assert_int_equal(ref->identity.input_pic_num, 1);
	assert_int_equal(ref->identity.current_pic, 20);
	assert_int_equal(ref->identity.slice, -1);
}

static void test_csv_forms(void **state)
{
	struct refs_test *t = *state;
	const struct mp_reference *ref;

	read_as(t, "a.tsv", "Task ID\tLayer, Name\tTime(ms)\n1\ta,b\t2.5");
	ref = the_table(t);
	assert_text(mp_reference_cell(ref, 0, 1), "a,b");
	assert_int_equal(ref->columns[2].unit, 1000000);
	read_as(t, "a.CSV", "Task ID\tTime\n1\t2\n");
	assert_int_equal(the_table(t)->column_count, 2);
	read_as(t, "a.csv", "Task ID,Time\n1,2,\n3,4,5\n6\n\"7\"x,8\n");
	assert_int_equal(t->refs.count, 1);
	ref = &t->refs.items[0];
	assert_int_equal(ref->row_count, 3);
	assert_text(cell_of(ref, 1, MP_MEANS_TIME), "");
	assert_text(cell_of(ref, 2, MP_MEANS_TASK_ID), "7x");
	assert_int_equal(t->refs.refused_count, 1);
	assert_non_null(strstr(t->refs.refused[0], "1 rows have more cells than titles"));
	read_as(t, "a.csv", "Task ID,Time\n");
	assert_int_equal(the_table(t)->row_count, 0);
	assert_null(the_table(t)->total);
	read_as(t, "a.csv", "Task ID,Time\n-,8\n-,9\n");
	assert_int_equal(the_table(t)->row_count, 0);
	assert_cell(&the_table(t)->total[1], "8", 8, 0);
	read_as(t, "a.csv", "Task ID,Layer Name,Time\n-,conv,8\n\xff\xfe,-,9\n");
	assert_int_equal(the_table(t)->row_count, 2);
	assert_null(the_table(t)->total);
}

static void test_no_csv(void **state)
{
	struct refs_test *t = *state;
	char titles[2048] = "";

	read_as(t, "a.csv", "");
	assert_no_reference(t, "a.csv", "empty");
	read_as(t, "a.csv", "only one title\nx\n");
	assert_no_reference(t, "a.csv", "no two titles");
	read_as(t, "a.csv", "Task ID,Time\n1,2\n3,\"4\n5,6\n");
	assert_no_reference(t, "a.csv", "line 3 has a quote");
	write_file(t->dir, "nul.csv", "Task ID,Time\n1,\0\n", 17);
	read_from(t, below(t->dir, "nul.csv"));
	assert_no_reference(t, "nul.csv", "NUL");
	memset(titles, ',', MP_REFERENCE_COLUMN_MAX - 1);
	read_as(t, "a.csv", titles);
	assert_int_equal(the_table(t)->column_count, MP_REFERENCE_COLUMN_MAX);
	memset(titles, ',', MP_REFERENCE_COLUMN_MAX);
	read_as(t, "a.csv", titles);
	assert_no_reference(t, "a.csv", "more than 256 columns");
}

/* The titles of the guide and of published runs; some of databases. */
static void test_kinds_and_meanings(void **state)
{
	static const struct {
		const char *titles;
		enum mp_reference_kind kind;
		const char *meanings;
	} tables[] = {
	    {"Layer Id,Ori Layer Name,Layer Name,Layer Type,Time(us),Time Ratio,Mac Busy Ratio,Mac Ppen Ratio,"
	     "Vec Busy Ratio,Vec Ppen Ratio,Dstr Ratio,Dtrans Ratio,DLD Ratio,WLD Ratio,Memory Bound,DDR Read(byte),"
	     "DDR Write(byte),DDR Total(byte)",
		MP_TABLE_TASKS,
		"layer_id ori_name layer_name layer_type time time_share mac_busy mac_ppen vec_busy vec_ppen dstr "
		"dtrans dld wld bound read write total "},
	    {"Task ID,Layer ID,Layer Name,Layer Type,Ori Layer Name,Time(us),Time Ratio(%),Mac Busy Ratio(%),"
	     "Mac Ppen Ratio(%),Vec Busy Ratio(%),Vec Ppen Ratio(%),Dstr Ratio(%),Dtrans Ratio(%),DLD Ratio(%),"
	     "WLD Ratio(%),Memory Bound,DDR Read(KB),DDR Write(KB),DDR Total(KB)",
		MP_TABLE_TASKS,
		"task_id layer_id layer_name layer_type ori_name time time_share mac_busy mac_ppen vec_busy vec_ppen "
		"dstr dtrans dld wld bound read write total "},
	    {"Process ID,Thread ID,Type,Name,Total Time Ratio(%),Total Time(us),Count,Avg(us),Max(us),Min(us)",
		MP_TABLE_CALL_SUMS, "pid tid kind call_name time_share sum count average maximum minimum "},
	    {"Task ID,Stream ID,OP Name,Task Type,Total Time Ratio(%),Total Time(us),Count,Avg(us),Max(us),Min(us)",
		MP_TABLE_TASK_SUMS,
		"nothing stream_id layer_type task_type time_share sum count average maximum minimum "},
	    {"Task ID,Stream ID,OP Type,Task Type,Total Time(us),Total Time Ratio(%),Count,Avg(us),Max(us),Min(us)",
		MP_TABLE_TASK_SUMS,
		"nothing stream_id layer_type task_type sum time_share count average maximum minimum "},
	    {"Name,Type,Start Time(us),Duration(us),Process ID,Thread ID", MP_TABLE_CALLS,
		"call_name kind start time pid tid "},
	    {"Op Name,Op Type,Task Id,Duration(ns)", MP_TABLE_TASKS, "layer_name layer_type task_id time "},
	    {"task_id,stream_id,start_time,mac_busy_ratio,ddr_read", MP_TABLE_TASKS,
		"task_id stream_id start mac_busy read "},
	    {"Time(cycles),DDR Read(us),What", MP_TABLE_OTHER, "nothing nothing nothing "},
	};
	struct refs_test *t = *state;

	for (size_t i = 0; i < COUNT(tables); i++) {
		char names[1024] = "";

		read_as(t, "a.csv", tables[i].titles);
		for (int k = 0; k < the_table(t)->column_count; k++) {
			strcat(names, mp_meaning_name(the_table(t)->columns[k].meaning));
			strcat(names, " ");
		}
		assert_string_equal(names, tables[i].meanings);
		assert_int_equal(the_table(t)->kind, tables[i].kind);
	}
	assert_string_equal(mp_meaning_name(MP_MEANS_MAXIMUM), "maximum");
	assert_string_equal(mp_meaning_name(MP_MEANS_COUNT_OF), "nothing");
}

static void test_identity(void **state)
{
	static const struct {
		const char *name;
		int64_t device_id, model_id, batch, current_pic;
		const char *model;
	} names[] = {{"acl_statistic_0_11_1.csv", 0, 11, -1, -1, ""}, {"op_statistic_1_58_10_1.csv", 1, 58, -1, 10, ""},
	    {"task_time_0.faster.rcnn.34.1.csv", 0, 34, 1, -1, "faster.rcnn"},
	    {"acl_0.goturn_nuquant.11.256.csv", 0, 11, 256, -1, "goturn_nuquant"}, {"table.csv", -1, -1, -1, -1, ""},
	    {"acl_statistic_0_99999999999999999999_1.csv", 0, -1, -1, -1, ""}};
	struct refs_test *t = *state;

	for (size_t i = 0; i < COUNT(names); i++) {
		const struct mp_identity *identity;

		read_as(t, names[i].name, "Task ID,Time\n");
		identity = &the_table(t)->identity;
		assert_int_equal(identity->device_id, names[i].device_id);
		assert_int_equal(identity->model_id, names[i].model_id);
		assert_int_equal(identity->batch, names[i].batch);
		assert_int_equal(identity->current_pic, names[i].current_pic);
		assert_string_equal(identity->model, names[i].model);
	}
}

static void test_places(void **state)
{
	static const char *const directories[] = {"a", "a/b", "a/b/c"};
	static const char *const files[] = {"a/t.csv", "a/b/t.csv", "a/b/c/t.csv"};
	static const char table[] = "Task ID,Time\n1,2\n";
	struct refs_test *t = *state;

	for (size_t i = 0; i < COUNT(directories); i++) {
		assert_int_equal(mkdir(below(t->dir, directories[i]), 0700), 0);
		write_text(t->dir, files[i], table);
	}
	write_text(t->dir, "z.csv", table);
	write_text(t->dir, "notes.txt", table);
	assert_int_equal(symlink("z.csv", below(t->dir, "link.csv")), 0);
	assert_int_equal(symlink("a", below(t->dir, "b")), 0);
	read_from(t, t->dir);
	assert_int_equal(t->refs.refused_count, 0);
	assert_int_equal(t->refs.count, 3);
	assert_string_equal(t->refs.items[0].name, below(t->dir, "a/b/t.csv"));
	assert_string_equal(t->refs.items[1].name, below(t->dir, "a/t.csv"));
	assert_string_equal(t->refs.items[2].name, below(t->dir, "z.csv"));
	read_from(t, below(t->dir, "notes.txt"));
	assert_no_reference(t, "notes.txt", "it is not .csv");
	read_from(t, below(t->dir, "link.csv"));
	assert_no_reference(t, "link.csv", "is a link");
	read_from(t, below(t->dir, "missing"));
	assert_no_reference(t, "missing", "No such file");
	assert_int_equal(mkfifo(below(t->dir, "pipe.csv"), 0600), 0);
	read_from(t, below(t->dir, "pipe.csv"));
	assert_no_reference(t, "pipe.csv", "not a regular file");
}

static void test_limits(void **state)
{
	enum { ROWS = MP_REFERENCE_CELL_MAX / 250 };
	struct refs_test *t = *state;
	char *text = malloc(ROWS * 251 + 1);
	int fd;

	memset(text, ',', ROWS * 251);
	for (size_t i = 1; i <= ROWS; i++)
		text[i * 251 - 1] = '\n';
	text[ROWS * 251] = '\0';
	read_as(t, "many.csv", text);
	assert_no_reference(t, "many.csv", "more than 4000000 cells");
	free(text);
	fd = open(below(t->dir, "large.csv"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)MP_REFERENCE_FILE_MAX + 1), 0);
	close(fd);
	read_from(t, below(t->dir, "large.csv"));
	assert_no_reference(t, "large.csv", "more than 256 MiB");
	unlink(below(t->dir, "large.csv"));
	for (int i = 0; i < MP_REFERENCE_FILES + 2; i++) {
		char name[16];

		snprintf(name, sizeof(name), "%04d.csv", i);
		write_text(t->dir, name, "Task ID,Time\n");
	}
	read_from(t, t->dir);
	assert_int_equal(t->refs.count, MP_REFERENCE_FILES);
	assert_int_equal(t->refs.refused_count, 1);
	assert_non_null(strstr(t->refs.refused[0], "more than 1000 files: '"));
	assert_non_null(strstr(t->refs.refused[0], "/1000.csv'"));
}

/* A refused file leaves the others as they are. */
static void test_refused_among_others(void **state)
{
	struct refs_test *t = *state;

	write_text(t->dir, "a.csv", "Task ID,Layer Name,Time\n1,first,2\n");
	write_text(t->dir, "b.csv", "Task ID,Layer Name,Time\n1,second,2\n1,first,\"\n");
	write_text(t->dir, "c.csv", "Task ID,Layer Name,Time\n1,second,2\n1,first,2\n");
	read_from(t, t->dir);
	assert_int_equal(t->refs.count, 2);
	assert_int_equal(t->refs.refused_count, 1);
	assert_string_equal(cell_of(&t->refs.items[0], 0, MP_MEANS_LAYER_NAME)->text, "first");
	assert_string_equal(cell_of(&t->refs.items[1], 0, MP_MEANS_LAYER_NAME)->text, "second");
	assert_string_equal(cell_of(&t->refs.items[1], 1, MP_MEANS_LAYER_NAME)->text, "first");
}

static void test_job(void **state)
{
	struct job_test *t = *state;
	struct mp_references refs;

	job_open(t);
	assert_ok(mp_references_read(&refs, t->job, NULL, 0, &t->err), &t->err);
	assert_int_equal(refs.count + refs.refused_count, 0);
	mp_references_free(&refs);
	write_text(t->data, "data.csv", "Task ID,Time\n");
	assert_int_equal(mkdir(below(t->dir, "summary"), 0700), 0);
	assert_int_equal(mkdir(below(t->dir, "timeline"), 0700), 0);
	write_text(t->dir, "summary/b.csv", "Task ID,Time\n");
	write_text(t->dir, "timeline/a.json", "[" TASK_EVENT "]");
	assert_ok(mp_references_read(&refs, t->job, NULL, 0, &t->err), &t->err);
	assert_int_equal(refs.count, 2);
	assert_string_equal(refs.items[0].name, "summary/b.csv");
	assert_string_equal(refs.items[1].name, "timeline/a.json");
	mp_references_free(&refs);
}

static void test_titles_errors(void **state)
{
	static const struct {
		const char *text, *part;
	} lines[] = {{"# x\n\nTask task_id\n", "schema/learn/t.txt:3: expected a title"}, {"\"A task_id", "expected: "},
	    {"\"\" task_id", "expected: "}, {"\"A\" thing", "'thing' is not a meaning"},
	    {"\"A\" time", "'' is not a unit of 'time'"}, {"\"A\" time KB", "'KB' is not a unit of 'time'"},
	    {"\"A\" task_id us", "'us' is not 'in'"}, {"\"A\" time us in all", "'all' is not a kind"},
	    {"name {x", "closing brace"}};
	struct mp_titles titles;
	struct mp_error err;

	(void)state;
	for (size_t i = 0; i < COUNT(lines); i++)
		assert_refused(mp_titles_parse(&titles, "learn/t.txt", lines[i].text, &err), &err, lines[i].part);
}

/* The published table, where it lies beside the project. */
static void test_published(void **state)
{
	static const char path[] = "../shared/data/vendor/goturn_op_summary.tsv";
	struct refs_test *t = *state;
	const struct mp_reference *ref;

	if (access(path, R_OK)) {
		print_message("skipped: the published table is not there\n");
		skip();
	}
	read_from(t, path);
	ref = the_table(t);
	assert_int_equal(ref->kind, MP_TABLE_TASKS);
	assert_int_equal(ref->row_count, 19);
	for (int i = 0; i < ref->column_count; i++)
		assert_int_not_equal(ref->columns[i].meaning, MP_MEANS_NOTHING);
	assert_cell(&ref->total[mp_reference_column(ref, MP_MEANS_TIME)], "4387.71", 438771, 2);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_decimals),
	    cmocka_unit_test_setup_teardown(test_csv, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_csv_forms, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_no_csv, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_kinds_and_meanings, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_identity, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_places, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_limits, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_refused_among_others, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_job, job_setup, job_teardown),
	    cmocka_unit_test(test_titles_errors),
	    cmocka_unit_test_setup_teardown(test_published, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
