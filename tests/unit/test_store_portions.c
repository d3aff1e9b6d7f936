/*
 * test_store_portions.c: a file that inferences share has a row in source for each of them, with what its marker says;
 * markers that lie.
 */
#include "store_support.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, job_teardown)
#define SHARED "aicore.0.256.1"
#define TICKS_NS 1000 /* seven ticks */

static int setup(void **state)
{
	if (job_setup(state))
		return -1;
	write_text(((struct job_test *)*state)->dir, "info.json.0", INFO_DV500);
	return 0;
}

/* Records of inferences: for each digit of the plan one task, in a picture of this number. */
static void write_shared(struct job_test *t, const char *plan, size_t cut)
{
	unsigned char bytes[16 * AICORE_SIZE];
	size_t count = strlen(plan);

	for (size_t i = 0; i < count; i++) {
		put_aicore(bytes + i * AICORE_SIZE, (uint32_t)i, 7);
		put_le(bytes + i * AICORE_SIZE + 224, 8, (uint64_t)(plan[i] - '0'));
	}
	write_file(t->data, SHARED, bytes, count * AICORE_SIZE - cut);
}

static void write_marker(struct job_test *t, const char *model, int picture, const char *text)
{
	char name[64];

	snprintf(name, sizeof(name), "aicore.0.%s.0.256.1.%d.done", model, picture);
	write_text(t->data, name, text);
}

static const char SOURCES[] =
    "SELECT model, current_pic, records, first_row, last_row, has_done FROM source WHERE file = 'data/" SHARED
    "' ORDER BY id";
static const char MOMENTS[] = "SELECT start_ns / 1000, dur_ns FROM aicore_task ORDER BY rowid";
static const char NOTES[] = "SELECT kind, text FROM note WHERE file = 'data/" SHARED "' ORDER BY rowid";
static const char WHOLE[] =
    "SELECT count(*) FROM (SELECT 1 FROM source WHERE state = 'raw' GROUP BY file"
    " HAVING max(size) <> sum(record_bytes + blank_bytes + damaged_bytes) OR min(size) <> max(size))";

/* Three inferences of two models, in the order of time and not of names. */
static void test_shared(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;

	write_shared(t, "002203", 0);
	write_marker(t, "z", 0, "file_len:512\nstart_time:100\nend_time:150\ncache_hit:10\ncache_mis:2\n");
	write_marker(t, "a", 2, "file_len:512\nstart_time:200\nend_time:250\ncache_hit:11\ncache_mis:3\n");
	write_marker(t, "z", 0, "file_len:512\nstart_time:100\nend_time:150\ncache_hit:10\ncache_mis:2\n");
	write_marker(t, "b", 0, "file_len:256\nstart_time:250\nend_time:260\nonline_batch_num:17,300");
	write_marker(t, "b", 3, "file_len:256\nstart_time:300\nend_time:350\n");
	db = import_private(t);
	assert_rows(db, SOURCES, "z|0|2|1|2|1 / a|2|2|3|4|1 / b|0|1|5|5|1 / b|3|1|6|6|1");
	assert_rows(db, MOMENTS, "100|1000 / 101|1000 / 200|1000 / 201|1000 / 250|1000 / 300|1000");
	assert_rows(db, NOTES, "");
	assert_rows(db, WHOLE, "0");
	assert_rows(db,
	    "SELECT s.model, m.key, m.value, typeof(m.value) FROM marker_value m JOIN source s ON s.id = m.source_id"
	    " WHERE s.model <> 'z' AND m.key <> 'file_len' ORDER BY s.id, m.rowid",
	    "a|start_time|200|integer / a|end_time|250|integer / a|cache_hit|11|integer / a|cache_mis|3|integer / "
	    "b|start_time|250|integer / b|end_time|260|integer / b|online_batch_num|17,300|text / "
	    "b|start_time|300|integer / b|end_time|350|integer");
	assert_rows(db, "SELECT count(*), min(seg_id), max(seg_id) FROM aicore_task", "6|4294967295|4294967295");
	mp_db_close(db);
}

/* Markers whose bytes are not those of the file, or no whole records, or no number; and none for the last records. */
static void test_lies(void **state)
{
	static const struct {
		const char *first, *second; /* texts of the markers of a picture 0 and 2 */
		const char *sources, *notes;
	} cases[] = {
	    {"file_len:512\nstart_time:100\n", "file_len:1024\nstart_time:200\n", "m|0|2|1|2|1 / m|2|2|3|4|1",
		"missing|its .done markers say 1536 bytes, the file has 1024"},
	    {"file_len:512\nstart_time:100\n", "file_len:256\nstart_time:200\n",
		"m|0|2|1|2|1 / m|2|1|3|3|1 / null|null|1|4|4|1",
		"assumed|1 inference has no .done marker that tells its start: its times count from the earliest start"
		" that another marker tells / odd|its .done markers say 768 bytes, the file has 1024"},
	    {"file_len:0\nstart_time:100\n", "file_len:1024\nstart_time:200\n", "m|0|0|1|0|1 / m|2|4|1|4|1",
		"odd|2 records differ from what the name or the .done marker says"},
	    {"file_len:500\nstart_time:100\n", "file_len:524\nstart_time:200\n", "m|0|2|1|2|1 / m|2|2|3|4|1",
		"odd|2 of its .done markers tell bytes that are no whole records"},
	    {"file_len:9223372036854775807\nstart_time:100\n", "file_len:9223372036854775807\nstart_time:200\n",
		"m|0|4|1|4|1 / m|2|0|5|4|1",
		"odd|2 records differ from what the name or the .done marker says / "
		"odd|2 of its .done markers tell bytes that are no whole records / "
		"missing|its .done markers say 9223372036854775807 bytes, the file has 1024"},
	    {"start_time:100\n", "file_len:512\nstart_time:200\n", "m|0|4|1|4|1 / m|2|0|5|4|1",
		"odd|2 records differ from what the name or the .done marker says"},
	    {"file_len:512\nstart_time:100\n", "", "m|0|2|1|2|1 / m|2|2|3|4|1",
		"assumed|1 inference has no .done marker that tells its start: its times count from the earliest start"
		" that another marker tells"},
	    {"file_len:512\n", "file_len:512\n", "m|0|2|1|2|1 / m|2|2|3|4|1",
		"assumed|2 inferences have no .done marker that tells their start: their times count from 0"},
	};
	struct job_test *t = *state;

	write_shared(t, "0022", 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mp_db *db;

		write_marker(t, "m", 0, cases[i].first);
		write_marker(t, "m", 2, cases[i].second);
		db = import_private(t);
		assert_rows(db, SOURCES, cases[i].sources);
		assert_rows(db, NOTES, cases[i].notes);
		assert_rows(db, WHOLE, "0");
		assert_rows(db, "SELECT count(*) FROM aicore_task", "4");
		mp_db_close(db);
	}
}

/* What no marker describes counts from the earliest moment that is known. */
static void test_surplus(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;

	write_shared(t, "0022", 0);
	write_marker(t, "m", 2, "file_len:512\nstart_time:200\n");
	add_raw(t, "aicore.0.256.4");
	write_text(t->data, "aicore.0.n.0.256.4.0.done", "file_len:0\nstart_time:50\n");
	db = import_private(t);
	assert_rows(db, SOURCES, "m|2|2|1|2|1 / null|null|2|3|4|1");
	assert_rows(db, MOMENTS, "200|1000 / 201|1000 / 50|1000 / 51|1000");
	mp_db_close(db);
	/* no marker at all: the model is unknown */
	assert_int_equal(unlink(below(t->data, "aicore.0.m.0.256.1.2.done")), 0);
	db = import_private(t);
	assert_rows(db, SOURCES, "null|null|4|1|4|0");
	assert_rows(db, "SELECT kind, text FROM note WHERE file = 'data/" SHARED "' AND kind = 'missing'",
	    "missing|the model is unknown: no .done marker names it");
	mp_db_close(db);
}

/* The end of the file cut: the account is that of the inference in which the damage begins. */
static void test_cut(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;

	write_shared(t, "00222", 10);
	write_marker(t, "m", 0, "file_len:512\nstart_time:100\n");
	write_marker(t, "m", 2, "file_len:768\nstart_time:200\n");
	db = import_private(t);
	assert_rows(db,
	    "SELECT current_pic, records, record_bytes, damaged_bytes, size FROM source WHERE file = 'data/" SHARED
	    "' ORDER BY id",
	    "0|2|512|0|1270 / 2|2|512|246|1270");
	assert_rows(db, NOTES, "missing|its .done markers say 1280 bytes, the file has 1270");
	mp_db_close(db);
}

/* A file of one inference: a later one may have written the marker again, and its records are the last ones. */
static void test_written_again(void **state)
{
	static const char sources[] =
	    "SELECT model, records, first_row, last_row FROM source WHERE file = 'data/" CORE_FILE "' ORDER BY id";
	unsigned char core[4 * AICORE_SIZE];
	struct job_test *t = *state;
	struct mp_db *db;

	write_text(t->dir, "info.json.0", INFO_SS928);
	for (uint32_t i = 0; i < 4; i++)
		put_aicore(core + i * AICORE_SIZE, i, 7);
	write_done(t, CORE_FILE, core, sizeof(core), 300);
	write_text(t->data, CORE_FILE ".done", "file_len:256\nstart_time:300\n");
	db = import_private(t);
	assert_rows(db, sources, "net|3|1|3 / net|1|4|4");
	assert_rows(db, MOMENTS, "300|1000 / 301|1000 / 302|1000 / 300|1000");
	assert_rows(db,
	    "SELECT m.key, m.value FROM marker_value m JOIN source s ON s.id = m.source_id WHERE s.first_row = 4",
	    "file_len|256 / start_time|300");
	assert_rows(db, "SELECT count(*) FROM marker_value", "2");
	mp_db_close(db);
	write_text(t->data, CORE_FILE ".done", "file_len:1024\nstart_time:300\n");
	db = import_private(t);
	assert_rows(db, sources, "net|4|1|4");
	mp_db_close(db);
}

/* Lines of a marker that are no KEY:VALUE, or not UTF-8, are no values; there are at most 16. */
static void test_values(void **state)
{
	static const char query[] = "SELECT key, value, typeof(value) FROM marker_value ORDER BY rowid";
	struct job_test *t = *state;
	char text[1024] = "";
	struct mp_db *db;

	write_shared(t, "0", 0);
	write_marker(t, "m", 0,
	    "file_len:256\n\nno value\n:5\nx:\nx:007\nx:1:2\nx:-5\nx:123456789012345678\nx:1234567890123456789\n"
	    "caf\xe9:1\nfile_len:9");
	db = import_private(t);
	assert_rows(db, query,
	    "file_len|256|integer / x||text / x|7|integer / x|1:2|text / x|-5|integer / x|123456789012345678|integer / "
	    "x|1234567890123456789|integer / file_len|9|integer");
	mp_db_close(db);
	for (int i = 0; i < 30; i++)
		sprintf(text + strlen(text), "key%d:%d\n", i, i);
	write_marker(t, "m", 0, text);
	db = import_private(t);
	assert_rows(db, "SELECT count(*), max(value) FROM marker_value", "16|15");
	mp_db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_shared),
	    TEST(test_lies),
	    TEST(test_surplus),
	    TEST(test_cut),
	    TEST(test_written_again),
	    TEST(test_values),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
