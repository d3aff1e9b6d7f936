/*
 * test_store_board.c: what a load says of the files of a board: calls that two files have, counters that cannot be
 * true, files that differ from their names, and model files.
 */
#include "store_support.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, job_setup, job_teardown)

/* The notes of one kind. */
static const char *notes(struct mp_db *db, const char *kind)
{
	char sql[256];

	snprintf(sql, sizeof(sql), "SELECT file, text FROM note WHERE kind = '%s' ORDER BY rowid", kind);
	return ask(db, sql);
}

/* Calls of a file are not loaded where the recorder's own file has them, too: of the same device, model and id. */
static void test_covered(void **state)
{
	static const struct {
		const char *host; /* the recorder's file, which is loaded first */
		size_t size;
		bool damaged, covered;
		const char *row; /* the first of the board's calls */
		const char *calls;
	} cases[] = {{"msprof_api.0.net.7", 2, false, true, "null", "2"},
	    {"msprof_api.0.net.7", 0, false, false, "1", "3"}, {"msprof_api.0.net.7", 2, true, false, "2", "4"},
	    {"msprof_api.0.net.8", 2, false, false, "3", "5"}, {"msprof_api.0.other.7", 2, false, false, "3", "5"},
	    {"msprof_api.1.net.7", 2, false, false, "3", "5"}};
	struct job_test *t = *state;
	unsigned char calls[2 * HOST_CALL_SIZE];

	write_job(t);
	for (size_t i = 0; i < COUNT(cases); i++) {
		char expected[64];
		struct mp_db *db;

		put_host_call(calls, 2, 1000, 3000, "svp_acl_mdl_execute");
		put_host_call(calls + HOST_CALL_SIZE, 5, 1500, 1600, "a range");
		calls[HOST_CALL_SIZE] ^= cases[i].damaged;
		write_file(t->data, cases[i].host, calls, cases[i].size * HOST_CALL_SIZE);
		snprintf(expected, sizeof(expected), "3|96|0|0|%s|null", cases[i].row);
		db = import_private(t);
		assert_rows(db,
		    "SELECT records, record_bytes, blank_bytes, damaged_bytes, first_row, remark FROM source"
		    " WHERE file = 'data/" API_FILE "'",
		    cases[i].covered ? "0|0|96|0|null|not loaded: a file beside it has the same calls" : expected);
		assert_rows(db, "SELECT count(*) FROM api_call", cases[i].calls);
		if (cases[i].covered)
			assert_rows(db, "SELECT type, start_ns, dur_ns, name FROM api_call ORDER BY rowid",
			    "2|1000|2000|svp_acl_mdl_execute / 5|1500|100|a range");
		mp_db_close(db);
		assert_int_equal(unlink(below(t->data, cases[i].host)), 0);
	}
}

/* Each rule of a layout that is broken is a check that fails, with the number of records. */
static void test_contradicted(void **state)
{
	static const char BROKEN[] =
	    "SELECT says, failed, checked, weight, found FROM data_check WHERE about = 'counters' AND failed > 0"
	    " ORDER BY rowid";
	static const struct {
		size_t offset; /* of the number that is too large */
		const char *part;
	} cases[] = {{8, "mac_busy <= ticks x 100"}, {12, "mac_ppen <= mac_busy"}, {16, "vec_busy <= ticks x 100"},
	    {20, "vec_ppen <= vec_busy"}, {24, "dstr <= ticks x 100"}, {28, "dtrans <= ticks x 100"},
	    {32, "dld <= ticks x 100"}, {36, "wld <= ticks x 100"}, {40, NULL}, {44, NULL}};
	struct job_test *t = *state;
	unsigned char core[2 * AICORE_SIZE];
	struct mp_db *db;

	write_job(t);
	for (size_t i = 0; i < COUNT(cases); i++) {
		put_aicore(core, 0, 7);
		put_aicore(core + AICORE_SIZE, 1, 35);
		put_le(core + cases[i].offset, 4, 99999);
		write_done(t, CORE_FILE, core, sizeof(core), START_US);
		db = import_private(t);
		if (cases[i].part) {
			assert_non_null(strstr(ask(db, BROKEN), cases[i].part));
			assert_non_null(strstr(ask(db, BROKEN), "|1|2|contradiction|"));
		} else {
			assert_string_equal(ask(db, BROKEN), "");
		}
		assert_rows(db, "SELECT count(*) FROM aicore_task WHERE dur_ns > 0", "2"); /* time needs no counter */
		mp_db_close(db);
	}
	memset(core + 8, 0xff, 36);
	write_done(t, CORE_FILE, core, sizeof(core), START_US);
	write_done(t, "aicore.0.net.16.7.1.1.1", core, sizeof(core), START_US + 500);
	db = import_private(t);
	assert_rows(db, "SELECT failed, checked FROM data_check WHERE says = 'mac_busy <= ticks x 100'", "2|4");
	assert_rows(db, "SELECT standing FROM standing WHERE about = 'counters'", "contradicted");
	mp_db_close(db);
}

/* A call's model id is that of the name of its file. */
static void test_disagree(void **state)
{
	struct job_test *t = *state;
	unsigned char calls[3 * 40] = {0};
	struct mp_db *db;

	write_text(t->dir, "info.json.0", INFO_CV610);
	for (size_t i = 0; i < 3; i++) {
		put_le(calls + 40 * i, 4, 0x6a6a);
		put_le(calls + 40 * i + 4, 4, i == 1 ? 8 : 7);
		put_le(calls + 40 * i + 8, 8, i);
		put_le(calls + 40 * i + 24, 8, 9);
	}
	write_done(t, API_FILE, calls, sizeof(calls), 0);
	db = import_private(t);
	assert_rows(
	    db, "SELECT name FROM api_call", "svp_acl_mdl_load_from_mem / svp_acl_mdl_unload / svp_acl_mdl_execute");
	assert_string_equal(
	    notes(db, "odd"), "data/" API_FILE "|1 records differ from what the name or the .done marker says");
	mp_db_close(db);
}

/* The layers of a model file serve the model that has none. */
static void test_model_file(void **state)
{
	static struct bytes model;
	struct job_test *t = *state;
	struct mp_db *db;

	write_job(t);
	assert_int_equal(unlink(below(t->data, "net.7.layer.info")), 0);
	model.used = 20;
	put_le(model.at, 4, 0x4f434950);
	put_le(model.at + 12, 4, 20);
	add_layer(&model, 5, "from the model", "", "Input", 1);
	write_file(t->dir, "net.om", model.at, model.used);
	for (int relative = 0; relative < 2; relative++) {
		struct mp_job_options options = {.model = below(t->dir, "net.om")};
		char before[2048];

		if (relative) {
			assert_non_null(getcwd(before, sizeof(before)));
			assert_int_equal(chdir(t->dir), 0);
			options.model = "net.om";
		}
		mp_job_close(t->job);
		assert_ok(mp_job_open(&t->job, t->dir, &t->layouts, &options, &t->err), &t->err);
		assert_ok(mp_import_private(&db, t->job, &t->layouts, &import_options, &t->err), &t->err);
		if (relative)
			assert_int_equal(chdir(before), 0);
		assert_rows(db,
		    "SELECT layout, records, blank_bytes, damaged_bytes, model FROM source WHERE state = 'model'",
		    "svp.model_layers|1|20|0|null");
		assert_rows(db, "SELECT task_id, names FROM op", "1|from the model");
		mp_db_close(db);
	}
}

static void test_refused_model_files(void **state)
{
	struct job_test *t = *state;
	struct mp_job_options options = {.model = below(t->dir, "none.om")};

	write_job(t);
	mp_job_close(t->job);
	assert_refused(mp_job_open(&t->job, t->dir, &t->layouts, &options, &t->err), &t->err, "none.om'");
	options.model = t->data;
	assert_refused(mp_job_open(&t->job, t->dir, &t->layouts, &options, &t->err), &t->err, "is not a regular file");
	add_raw(t, "hwts.data.0.slice_0");
	options.model = below(t->dir, "info.json.0");
	assert_refused(mp_job_open(&t->job, t->dir, &t->layouts, &options, &t->err), &t->err,
	    "jobs of the family ascend2022 need no model file");
	assert_null(t->job);
}

/* AI CPU: times of its own, whole microseconds; steps of a recurrent net: a byte each. */
static void test_other_records(void **state)
{
	struct job_test *t = *state;
	unsigned char cpu[128];
	struct mp_db *db;

	write_job(t);
	memset(cpu, 0xcc, sizeof(cpu)); /* what the buffer held before */
	put_le(cpu + 24, 8, (uint64_t)START_US + 7);
	put_le(cpu + 32, 8, (uint64_t)START_US + 12);
	put_le(cpu + 124, 4, 2);
	write_done(t, "aicpu.0.net.16.7.1.1.0", cpu, sizeof(cpu), START_US + 7);
	write_file(t->data, "cont.0.xt.7.1.3.0", "\0\1\1", 3);
	db = import_private(t);
	assert_rows(db, "SELECT task_id, start_ns - 1700000000000000000, dur_ns FROM aicpu_task", "2|7000|5000");
	assert_rows(db, "SELECT cont FROM cont_step", "0 / 1 / 1");
	assert_rows(db, "SELECT count(*) FROM note WHERE file LIKE '%aicpu%' OR file LIKE '%cont%'", "0");
	mp_db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_covered),
	    TEST(test_contradicted),
	    TEST(test_disagree),
	    TEST(test_model_file),
	    TEST(test_refused_model_files),
	    TEST(test_other_records),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
