/* test_store.c: the result of importing raw files. test_store_file.c tests the database file itself. */
#include "store_support.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, job_setup, job_teardown)

static void check_whole(struct job_test *t, struct mp_db *db, const char *expected)
{
	char loss[256];

	assert_rows(db,
	    "SELECT count(*) FROM source WHERE size <> record_bytes + blank_bytes + damaged_bytes"
	    " AND state IN ('raw', 'info')",
	    "0");
	assert_ok(mp_job_db_loss(db, loss, sizeof(loss), &t->err), &t->err);
	assert_string_equal(loss, expected);
}

static void test_rows(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;

	write_job(t);
	db = import_private(t);
	assert_rows(db,
	    "SELECT task_id, seg_id, ticks, start_ns, dur_ns, mac_busy, wld, ddr_read_bytes, ddr_write_bytes FROM aicore_task",
	    "0|0|7|1700000000000000000|1000|63|14|5000|1000 / 1|0|35|1700000000000001000|5000|315|70|5001|1000");
	assert_rows(db, "SELECT type, start_ns, dur_ns, pid, tid, name, detail FROM api_call",
	    "2|1699999999999500000|100000|100|200|svp_acl_mdl_load_from_mem|null / "
	    "2|1699999999999990000|120000|100|200|svp_acl_mdl_execute|null / "
	    "3|1700000000000120000|10000|100|200|svp_acl_rt_synchronize_stream|null");
	assert_rows(db, "SELECT task_id, layer_count, layer_ids, names, types, oris FROM op",
	    "0|1|0|in|Input|null / 1|2|1,2|c1,r1|Convolution,Relu|c1,r1a,r1b");
	assert_rows(db, "SELECT model, model_id, batch, input_pic_num FROM net", "net|7|1|1");
	assert_rows(db, "SELECT device_id, frequency_mhz, soc FROM device", "0|700|SS928");
	assert_rows(db, "SELECT count(*) FROM note WHERE kind NOT IN ('assumed', 'counters')", "0");
	assert_rows(db, "SELECT * FROM damage", "");
	assert_rows(
	    db, "SELECT value FROM meta WHERE key IN ('family', 'inference', 'msprof') ORDER BY key", "svp / 1 / test");
	check_whole(t, db, "");
	mp_db_close(db);
}

static void test_sources(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;

	write_job(t);
	write_text(t->data, "readme", "xyz");
	db = import_private(t);
	assert_rows(db,
	    "SELECT file, state, layout, verified, stream_id, records, size, has_done, first_row, last_row FROM source"
	    " WHERE state IN ('raw', 'info') ORDER BY file",
	    "data/" API_FILE "|raw|svp.acl_api_ss928|1|null|3|96|1|1|3 / data/" CORE_FILE
	    "|raw|svp.aicore_ss928|1|16|2|512|1|1|2 / "
	    "data/net.7.layer.info|raw|svp.layer_info|1|null|3|110|0|1|3 / "
	    "data/net.7.net.info|raw|svp.net_info|1|null|1|12|0|1|1 / info.json.0|info|null|null|null|0|42|0|null|null");
	assert_rows(db,
	    "SELECT file, state, device_id, model FROM source WHERE state NOT IN ('raw', 'info') ORDER BY file",
	    "data/" API_FILE ".done|marker|null|null / data/" CORE_FILE ".done|marker|null|null / "
	    "data/readme|unknown|null|null");
	mp_db_close(db);
}

static void test_damage(void **state)
{
	struct job_test *t = *state;
	unsigned char api[3 * API_SIZE + 5];
	struct mp_db *db;

	write_job(t);
	memset(api, 0xee, sizeof(api));
	put_call(api + 3, 2, 1000, 900);
	put_call(api + 3 + API_SIZE, 77, INT64_MAX - 7, INT64_MAX);
	put_call(api + 3 + 2 * API_SIZE, 2, 0, 1);
	write_file(t->data, API_FILE, api, sizeof(api) - 10);
	db = import_private(t);
	assert_rows(db, "SELECT file, offset, bytes, reason FROM damage",
	    "data/" API_FILE "|0|3|no record begins here / data/" API_FILE
	    "|67|24|record cut short by the end of the file");
	assert_rows(db, "SELECT name, start_ns, dur_ns FROM api_call",
	    "svp_acl_mdl_execute|1000000|-100000 / 77|9223372036854775807|0");
	assert_rows(db, "SELECT kind, text FROM note WHERE file = 'data/" API_FILE "' ORDER BY rowid",
	    "odd|1 records end before they start / odd|3 numbers too large; stored as the largest / "
	    "odd|1 numbers that no map of the layout has / missing|its .done marker says 96 bytes, the file has 91");
	check_whole(t, db, "27 damaged bytes, 1 missing or unreadable file");
	mp_db_close(db);
}

static void test_missing(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;

	write_job(t);
	assert_int_equal(unlink(below(t->data, API_FILE)), 0);
	assert_int_equal(mkfifo(below(t->data, "aicpu.0.net.16.7.1.1.0"), 0600), 0);
	write_text(t->data, CORE_FILE ".done", "file_len:768\n");
	db = import_private(t);
	assert_rows(db, "SELECT file, text FROM note WHERE kind = 'missing' ORDER BY file",
	    "data/" API_FILE ".done|its raw file is missing / data/" CORE_FILE
	    "|its .done marker says 768 bytes, the file has 512 / data/aicpu.0.net.16.7.1.1.0|not a regular file");
	assert_rows(db, "SELECT state, remark FROM source WHERE file = 'data/aicpu.0.net.16.7.1.1.0'",
	    "unreadable|not a regular file");
	check_whole(t, db, "3 missing or unreadable files");
	mp_db_close(db);
}

/* A missing frequency is an error. A broken info file is damage, and times stay unknown. */
static void test_frequency(void **state)
{
	const struct mp_import_options given = {.frequency_mhz = 100, .tool_version = "test"};
	struct job_test *t = *state;
	struct mp_db *db;

	write_job(t);
	write_text(t->dir, "info.json.0", "{\"DeviceInfo\": []}");
	job_open(t);
	assert_refused(mp_import_private(&db, t->job, &t->layouts, &import_options, &t->err), &t->err,
	    "/info.json.0': invalid 'aic_frequency' (a whole number as a text, 1 to 1000000 MHz); correct the file or give"
	    " --frequency MHZ");
	assert_null(db);
	mp_job_close(t->job);
	assert_ok(mp_job_open(&t->job, t->dir, &t->layouts, &(struct mp_job_options){.frequency_mhz = 100}, &t->err),
	    &t->err);
	assert_ok(mp_import_private(&db, t->job, &t->layouts, &given, &t->err), &t->err);
	assert_rows(db, "SELECT start_ns - 1700000000000000000, dur_ns FROM aicore_task", "0|7000 / 7000|35000");
	mp_db_close(db);
	write_text(t->dir, "info.json.0", "{broken");
	db = import_private(t);
	assert_rows(db, "SELECT ticks, start_ns, dur_ns FROM aicore_task", "7|null|null / 35|null|null");
	assert_rows(db, "SELECT file, bytes, reason FROM damage", "info.json.0|7|not a JSON object");
	check_whole(t, db, "7 damaged bytes, 1 missing or unreadable file");
	mp_db_close(db);
}

/* JSON that one parser accepts and another refuses must not stop an import. */
static void test_lenient_info(void **state)
{
	static const char *const texts[] = {
	    "\xef\xbb\xbf{\"DeviceInfo\": []}", "{\"x\":0700}", "{\"x\":\"a\tb\"}", "{\v\"x\":1}"};
	struct job_test *t = *state;
	struct mp_db *db;

	write_job(t);
	for (size_t i = 0; i < COUNT(texts); i++) {
		write_text(t->dir, "info.json.0", texts[i]);
		job_open(t);
		if (mp_import_private(&db, t->job, &t->layouts, &import_options, &t->err))
			fail_msg("info %s: %s", texts[i], t->err.text);
		mp_db_close(db);
	}
}

/* A name that no layout knows gives no device and no model. */
static void test_unknown_name(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;

	write_job(t);
	add_raw(t, "aicore.0.ghost.1.1.1.99999999999999999999");
	db = import_private(t);
	assert_rows(db, "SELECT state, device_id, model, model_id FROM source WHERE file LIKE '%ghost%'",
	    "unknown|null|null|null");
	assert_rows(db, "SELECT model FROM net", "net");
	mp_db_close(db);
}

static void put_hwts(unsigned char *p, unsigned type, unsigned sequence, uint32_t task, uint64_t counter)
{
	memset(p, 0, 64);
	p[0] = (unsigned char)(type | sequence << 4);
	put_le(p + 2, 2, 0x6bd3);
	put_le(p + 6, 2, task);
	put_le(p + 8, 8, counter);
	put_le(p + 16, 4, 3);
}

/* The running number continues over slices; an end closes the latest open start. */
static void test_slices(void **state)
{
	struct job_test *t = *state;
	unsigned char bytes[4 * 64];
	struct mp_db *db;

	put_hwts(bytes, 0, 14, 1, 100);
	put_hwts(bytes + 64, 0, 15, 1, 110);
	put_hwts(bytes + 128, 1, 0, 1, 150);
	put_hwts(bytes + 192, 1, 1, 2, 160);
	write_file(t->data, "hwts.log.data.45.dev.tag.0.slice_9", bytes, 128);
	write_file(t->data, "hwts.log.data.45.dev.tag.0.slice_10", bytes + 128, 128);
	db = import_private(t);
	assert_rows(db, "SELECT stream_id, task_id, start_ns, dur_ns FROM hwts_task", "3|1|1100|400");
	assert_rows(db, "SELECT task_id, time_ns, what FROM unpaired",
	    "1|1000|start without an end / 2|1600|end without a start");
	assert_rows(db, "SELECT * FROM sequence_gap", "");
	check_whole(t, db, "");
	mp_db_close(db);
	put_hwts(bytes + 128, 1, 5, 1, 150);
	write_file(t->data, "hwts.log.data.45.dev.tag.0.slice_10", bytes + 128, 128);
	db = import_private(t);
	assert_rows(db, "SELECT file, offset, expected, found FROM sequence_gap ORDER BY offset",
	    "data/hwts.log.data.45.dev.tag.0.slice_10|0|0|5 / data/hwts.log.data.45.dev.tag.0.slice_10|64|6|1");
	check_whole(t, db, "2 sequence gaps");
	mp_db_close(db);
}

/* What is made once of a choice is made anew after another choice. */
static void test_once_follows_the_choice(void **state)
{
	static const char part[] = "chosen_step\nWITH chosen_step AS (SELECT step FROM temp.choice)";
	struct mp_choice choice = {.job = "J", .label = "", .model_id = -1, .step = 3, .grouping = "name"};
	struct mp_error err;
	struct mp_db *other;
	int64_t step;

	(void)state;
	assert_ok(mp_db_private(&other, &err), &err);
	for (choice.step = 3; choice.step < 5; choice.step++) {
		assert_ok(mp_db_choose(other, &choice, &err), &err);
		for (int i = 0; i < 2; i++) {
			assert_ok(mp_db_once(other, part, &err), &err);
			assert_ok(mp_db_number(other, "SELECT step FROM chosen_step", 0, &step, &err), &err);
			assert_int_equal(step, choice.step);
		}
	}
	mp_db_close(other);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_once_follows_the_choice),
	    TEST(test_rows),
	    TEST(test_sources),
	    TEST(test_damage),
	    TEST(test_missing),
	    TEST(test_frequency),
	    TEST(test_lenient_info),
	    TEST(test_unknown_name),
	    TEST(test_slices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
