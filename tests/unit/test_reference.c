/* test_reference.c: numbers, tables of text, titles, names and places of references, and their limits. */
#include "reference_support.h"

#include "base/schema.h"

#define TITLES "Task ID,Time(us),DLD Ratio(%)\n"

static void test_decimals(void **state)
{
	static const struct {
		const char *text;
		int64_t value;
		int decimals;
	} numbers[] = {{"0", 0, 0}, {"79.71", 7971, 2}, {"-12.50", -125, 1}, {" 7\t", 7, 0},
	    {"1.7e+15", 1700000000000000, 0}, {"1.25E1", 125, 1}, {"25e-3", 25, 3}, {"1e-05", 1, 5},
	    {"0.123456789", 123456789, 9}, {"0.1234567890000", 123456789, 9}, {"100.00", 100, 0},
	    {"9223372036854775807", INT64_MAX, 0}, {"000000000000000000000000012", 12, 0}, {"-0.0", 0, 0}};
	static const char *const texts[] = {"", "-", "N/A", "5.", "1e", "1e+", "+1", "1 2", "0x10", "1,5", ".",
	    "0.1234567891", "9223372036854775808", "1e19", "1e99", "1e-10", "13.733341931234567", "nan", "1.2.3"};
	int64_t value;
	int decimals;

	(void)state;
	for (size_t i = 0; i < COUNT(numbers); i++) {
		assert_true(mp_decimal_read(numbers[i].text, &value, &decimals));
		assert_int_equal(value, numbers[i].value);
		assert_int_equal(decimals, numbers[i].decimals);
	}
	for (size_t i = 0; i < COUNT(texts); i++)
		if (mp_decimal_read(texts[i], &value, &decimals))
			fail_msg("'%s' is a number", texts[i]);
}

/* Where a number comes from: rounded, either way at a tie; or cut. */
static void test_rules(void **state)
{
	static const struct {
		int num, den, value, decimals;
		unsigned rules;
	} cases[] = {{1, 3, 33, 2, MP_RULE_ANY}, {2, 3, 67, 2, MP_RULE_ROUNDED}, {2, 3, 66, 2, MP_RULE_CUT},
	    {2, 3, 65, 2, 0}, {1, 8, 12, 2, MP_RULE_ANY}, {1, 8, 13, 2, MP_RULE_ROUNDED}, {28, 100, 28, 2, MP_RULE_ANY},
	    {28, 100, 27, 2, MP_RULE_CUT}, {0, 5, 0, 2, MP_RULE_ANY}, {1, 2, 1, 0, MP_RULE_ROUNDED}, {1, 0, 0, 0, 0}};
	char text[64];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(
		    mp_exact_rules((struct mp_exact){cases[i].num, cases[i].den}, cases[i].value, cases[i].decimals),
		    cases[i].rules);
	mp_exact_text((struct mp_exact){200, 3}, 2, text, sizeof(text));
	assert_string_equal(text, "66.67");
	mp_exact_text((struct mp_exact){1, 0}, 2, text, sizeof(text));
	assert_string_equal(text, "N/A");
}

static void test_csv(void **state)
{
	struct refs_test *t = *state;
	const struct mp_table *table;

	read_as(t, "op_summary_0.kws-610.pro.11.256.1.20.0.001741.700.csv",
	    "\xef\xbb\xbfTask ID,Layer ID,Layer Name,Time(us),Mac Busy Ratio(%),DDR Read(KB),Other\r\n"
	    "-,-,-,200.5,26.94,51434.96,x\r\n"
	    "0,0,\"conv \"\"1\"\"\",79.71,0,624.46,\r\n"
	    "\r\n"
	    "4,\"4,5\",\"a\nb\",118.7,81.1,N/A\r\n");
	table = the_table(t);
	assert_int_equal(table->row_count, 3);
	assert_int_equal(table->total, 0);
	assert_int_equal(table->column_count, 7);
	assert_number(table, 1, MP_MEANS_TASK_ID, 0);
	assert_text(table, 1, MP_MEANS_LAYER_NAME, "conv \"1\"");
	assert_number(table, 1, MP_MEANS_TIME, 7971);
	assert_text(table, 2, MP_MEANS_LAYER_ID, "4,5");
	assert_text(table, 2, MP_MEANS_LAYER_NAME, "a\nb");
	assert_number(table, 2, MP_MEANS_TIME, 11870);
	assert_number(table, 2, MP_MEANS_MAC_BUSY, 8110);
	assert_text(table, 2, MP_MEANS_DDR_READ, "N/A");
	assert_int_equal(table->columns[3].unit, 1000);
	assert_int_equal(table->columns[5].unit, 1000);
	assert_int_equal(table->columns[6].meaning, MP_MEANS_NOTHING);
	assert_int_equal(table->identity.device_id, 0);
	assert_string_equal(table->identity.model, "kws-610.pro");
	assert_int_equal(table->identity.model_id, 11);
	assert_int_equal(table->identity.batch, 256);
	assert_int_equal(table->identity.input_pic_num, 1);
	assert_int_equal(table->identity.current_pic, 20);
}

static void test_csv_forms(void **state)
{
	struct refs_test *t = *state;
	const struct mp_table *table;

	read_as(t, "a.tsv", "Task ID\tLayer, Name\tTime(ms)\tDLD\n1\ta,b\t2.5\t0\n");
	table = the_table(t);
	assert_int_equal(table->columns[2].unit, 1000000);
	assert_int_equal(table->identity.device_id, -1);
	read_as(t, "a.CSV", "Task ID\tTime\tDLD\n1\t2\t3\n");
	assert_int_equal(the_table(t)->column_count, 3);
	read_as(t, "a.csv", TITLES "1,2,,\n3,4,5,6\n6\n\"7\"x,8");
	table = the_table(t);
	assert_int_equal(table->row_count, 4);
	assert_number(table, 1, MP_MEANS_DLD, 5);
	assert_text(table, 2, MP_MEANS_TIME, "");
	assert_text(table, 3, MP_MEANS_TASK_ID, "7x");
	assert_text(table, 3, MP_MEANS_DLD, "");
	read_as(t, "a.csv", "\n\r\n" TITLES);
	assert_int_equal(the_table(t)->row_count, 0);
	assert_int_equal(the_table(t)->total, MP_NO_ROW);
	read_as(t, "a.csv", "Task ID,Layer Name,DLD\n-,conv,8\n\xff\xfe,-,9\n");
	assert_int_equal(the_table(t)->total, MP_NO_ROW);
	/* a table that says nothing of counters is passed over, unless it is named */
	write_text(t->dir, "statistic.csv", "Name,Count\na,1\n");
	read_from(t, t->dir);
	assert_int_equal(t->refs.count + t->refs.refused_count, 0);
	read_from(t, below(t->dir, "statistic.csv"));
	assert_no_reference(t, "statistic.csv", "no column of a counter");
}

static void test_no_csv(void **state)
{
	struct refs_test *t = *state;
	char titles[2048] = "";

	read_as(t, "a.csv", "");
	assert_no_reference(t, "a.csv", "empty");
	read_as(t, "a.csv", "only one title\nx\n");
	assert_no_reference(t, "a.csv", "not 2 to 256 titles");
	read_as(t, "a.csv", TITLES "1,2\n3,\"4\n5,6\n");
	assert_no_reference(t, "a.csv", "line 3 has a quote");
	write_file(t->dir, "nul.csv", "Task ID,DLD\n1,\0\n", 16);
	read_from(t, below(t->dir, "nul.csv"));
	assert_no_reference(t, "nul.csv", "NUL");
	memset(titles, ',', MP_REFERENCE_COLUMN_MAX);
	read_as(t, "a.csv", titles);
	assert_no_reference(t, "a.csv", "not 2 to 256 titles");
}

/* The titles of the guide and of published runs, and ways to write them. */
static void test_meanings(void **state)
{
	static const struct {
		const char *titles, *meanings;
	} tables[] = {
	    {"Layer Id,Ori Layer Name,Layer Name,Layer Type,Time(us),Time Ratio,Mac Busy Ratio,Mac Ppen Ratio,"
	     "Vec Busy Ratio,Vec Ppen Ratio,Dstr Ratio,Dtrans Ratio,DLD Ratio,WLD Ratio,Memory Bound,DDR Read(byte),"
	     "DDR Write(byte),DDR Total(byte)",
		"layer_id ori_name layer_name layer_type time time_ratio mac_busy mac_ppen vec_busy vec_ppen dstr "
		"dtrans dld wld memory_bound ddr_read_bytes ddr_write_bytes ddr_total "},
	    {"Task ID,Layer ID,Layer Name,Layer Type,Ori Layer Name,Time(us),Time Ratio(%),Mac Busy Ratio(%),"
	     "Mac Ppen Ratio(%),Vec Busy Ratio(%),Vec Ppen Ratio(%),Dstr Ratio(%),Dtrans Ratio(%),DLD Ratio(%),"
	     "WLD Ratio(%),Memory Bound,DDR Read(KB),DDR Write(KB),DDR Total(KB)",
		"task_id layer_id layer_name layer_type ori_name time time_ratio mac_busy mac_ppen vec_busy vec_ppen "
		"dstr dtrans dld wld memory_bound ddr_read_bytes ddr_write_bytes ddr_total "},
	    {"task_id,TIME,mac_busy_ratio,ddr read", "task_id time mac_busy ddr_read_bytes "},
	    {"Time(cycles),DDR Read(us),What,dld", "nothing nothing nothing dld "},
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
	}
}

static void test_json(void **state)
{
	struct refs_test *t = *state;
	const struct mp_table *table;

	read_as(t, "a.json",
	    "[{\"Task ID\":\"-\",\"Layer ID\":\"-\",\"Time(us)\":10.10,\"DLD Ratio(%)\":\"\\u00e9\\\"1\"},\n"
	    " {\"Task ID\":1,\"Layer ID\":[4,5],\"Time(us)\":7.05,\"DLD Ratio(%)\":-1.5e1},\n"
	    " {\"Time(us)\":null,\"Task ID\":922337203685477580,\"Layer ID\":{\"a\":1}},\n"
	    " {\"Task ID\":9223372036854775807,\"Layer ID\":[9223372036854775807,0.10]}]\n");
	table = the_table(t);
	assert_int_equal(table->row_count, 4);
	assert_int_equal(table->total, 0);
	assert_text(table, 0, MP_MEANS_DLD, "\xc3\xa9\"1");
	assert_text(table, 1, MP_MEANS_LAYER_ID, "4,5");
	assert_number(table, 1, MP_MEANS_TIME, 705);
	assert_number(table, 1, MP_MEANS_DLD, -15);
	assert_number(table, 2, MP_MEANS_TASK_ID, 922337203685477580);
	assert_text(table, 2, MP_MEANS_TIME, "");
	assert_text(table, 2, MP_MEANS_LAYER_ID, "");
	assert_text(table, 2, MP_MEANS_DLD, "");
	assert_text(table, 3, MP_MEANS_TASK_ID, "9223372036854775807");
	assert_text(table, 3, MP_MEANS_LAYER_ID, "9223372036854775807,0.10");
}

static void test_no_json(void **state)
{
	static const struct {
		const char *text, *reason;
	} files[] = {{"", "not an array"}, {"[]", "not an object"}, {"{\"a\":1}", "not an array"},
	    {"[1]", "not an object"}, {"{\"schema\":\"msprof.show/1\"}", "export of msprof"},
	    {"[{\"a\":1,\"dld\":2}", "does not end behind its item 1"},
	    {"[{\"a\":1,\"dld\":2},", "item 2 is not an object"},
	    {"[{\"a\":1,\"dld\":2},{\"a\":\"}", "its item 2 does not end"}, {"[{\"a\":1,\"dld\":2}]x", "does not end"},
	    {"[{\"a\":1}]", "titles"}, {"[{\"a\":01,\"dld\":2}]", "not correct"},
	    {"[{\"ph\":\"X\",\"ts\":1}]", "is a trace"},
	    {"[{\"dld\":0,\"dld\":0,\"dld\":0},{\"dld\":123456789}]", "other members"}};
	struct refs_test *t = *state;

	for (size_t i = 0; i < COUNT(files); i++) {
		read_as(t, "a.json", files[i].text);
		assert_no_reference(t, "a.json", files[i].reason);
	}
}

static void test_places(void **state)
{
	struct refs_test *t = *state;
	char list[64];
	struct stat st;

	assert_int_equal(mkdir(below(t->dir, "summary"), 0700), 0);
	write_text(t->dir, "summary/t.csv", TITLES);
	write_text(t->dir, "z.csv", TITLES);
	write_text(t->dir, "notes.md", TITLES);
	write_text(t->dir, "sheet.txt", TITLES); /* as spreadsheets save text: read only where it is named */
	assert_int_equal(symlink("z.csv", below(t->dir, "link.csv")), 0);
	assert_int_equal(mkfifo(below(t->dir, "pipe.csv"), 0600), 0);
	read_from(t, t->dir);
	assert_int_equal(t->refs.refused_count, 2);
	assert_non_null(strstr(t->refs.refused[0], "link.csv' is not a reference: it is not a regular file"));
	assert_non_null(strstr(t->refs.refused[1], "pipe.csv' is not a reference: it is not a regular file"));
	assert_int_equal(t->refs.own_count, 0);
	assert_int_equal(t->refs.count, 2);
	assert_string_equal(t->refs.items[0].name, below(t->dir, "summary/t.csv"));
	assert_string_equal(t->refs.items[1].name, below(t->dir, "z.csv"));
	read_from(t, below(t->dir, "notes.md"));
	assert_no_reference(t, "notes.md", "it is not .csv");
	read_from(t, below(t->dir, "sheet.txt"));
	assert_int_equal(t->refs.count, 1);
	read_from(t, below(t->dir, "link.csv"));
	assert_no_reference(t, "link.csv", "is a link");
	read_from(t, below(t->dir, "missing"));
	assert_no_reference(t, "missing", "No such file");
	read_from(t, below(t->dir, "pipe.csv"));
	assert_no_reference(t, "pipe.csv", "not a regular file");
	/* what export lists is ours, unless it is named */
	assert_int_equal(stat(below(t->dir, "summary/t.csv"), &st), 0);
	snprintf(list, sizeof(list), "%lld t.csv\n", (long long)st.st_size);
	write_text(t->dir, "summary/.msprof", list);
	read_from(t, below(t->dir, "summary"));
	assert_no_reference(t, "t.csv", "msprof export made it");
	assert_int_equal(t->refs.own_count, 1);
	read_from(t, below(t->dir, "summary/t.csv"));
	the_table(t);
}

static void test_limits(void **state)
{
	enum { ROWS = MP_REFERENCE_CELL_MAX / 240 };
	struct refs_test *t = *state;
	char *text = malloc(ROWS * 251 + 1);
	int fd;

	memset(text, ',', ROWS * 251);
	memcpy(text, "dld", 3);
	for (size_t i = 1; i <= ROWS; i++)
		text[i * 251 - 1] = '\n';
	text[ROWS * 251] = '\0';
	read_as(t, "many.csv", text);
	assert_no_reference(t, "many.csv", "more than 8000000 cells");
	free(text);
	fd = open(below(t->dir, "large.csv"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)MP_REFERENCE_SIZE_MAX + 1), 0);
	close(fd);
	read_from(t, below(t->dir, "large.csv"));
	assert_no_reference(t, "large.csv", "more than 256 MiB");
	unlink(below(t->dir, "large.csv"));
	for (int i = 0; i < MP_REFERENCE_FILES + 1; i++) {
		char name[16];

		snprintf(name, sizeof(name), "%04d.csv", i);
		write_text(t->dir, name, TITLES);
	}
	read_from(t, t->dir);
	assert_int_equal(t->refs.count, MP_REFERENCE_FILES);
	assert_int_equal(t->refs.refused_count, 1);
	assert_non_null(strstr(t->refs.refused[0], "more than 1000 files"));
}

/* Each title of the schema has a meaning, with a unit where there must be one. */
static void test_titles(void **state)
{
	struct refs_test *t = *state;
	int count = 0;

	for (const char *line = mp_schema_text("learn/titles.txt"); *line;
	     line += strcspn(line, "\n"), line += *line == '\n') {
		const char *title = line + strcspn(line, ":\n");

		if (*line == '#' || *line == '\n' || strncmp(line, "name ", 5) == 0)
			continue;
		for (assert_int_equal(*title, ':'); *title == ':' || *title == ','; title += strcspn(title, ",\n")) {
			char text[128];

			title += 1 + strspn(title + 1, " ");
			snprintf(text, sizeof(text), "%.*s,Dstr\n", (int)strcspn(title, ",\n"), title);
			read_as(t, "a.csv", text);
			if (the_table(t)->columns[0].meaning == MP_MEANS_NOTHING)
				fail_msg("'%s' has no meaning", text);
			count++;
		}
	}
	assert_true(count > 50);
}

/* The published table, where it lies beside the project. */
static void test_published(void **state)
{
	static const char path[] = "../shared/data/vendor/goturn_op_summary.tsv";
	struct refs_test *t = *state;

	if (access(path, R_OK)) {
		print_message("skipped: the published table is not there\n");
		skip();
	}
	read_from(t, path);
	assert_int_equal(the_table(t)->row_count, 20);
	for (int i = 0; i < the_table(t)->column_count; i++)
		assert_int_not_equal(the_table(t)->columns[i].meaning, MP_MEANS_NOTHING);
	assert_number(the_table(t), the_table(t)->total, MP_MEANS_TIME, 438771);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_decimals),
	    cmocka_unit_test(test_rules),
	    cmocka_unit_test_setup_teardown(test_csv, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_csv_forms, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_no_csv, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_meanings, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_json, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_no_json, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_places, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_limits, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_titles, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_published, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
