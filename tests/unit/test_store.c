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
	    "SELECT task_id, stream_id, start_tick, end_tick, start_ns, dur_ns, mac_busy, wld, ddr_read_bytes,"
	    " ddr_write_bytes, icache_miss, icache_access FROM aicore_task",
	    "0|0|1000|1007|142857|1000|0|700|5000|1000|3|1000 / 1|0|1007|1042|143857|5000|100|800|5001|1000|3|1000");
	assert_rows(db, "SELECT type, start_ns, dur_ns, pid, tid, name FROM api_call",
	    "2|10|100|100|200|svp_acl_mdl_execute / 3|20|30|100|200|svp_acl_rt_malloc / "
	    "2|210|200|100|200|svp_acl_mdl_execute");
	assert_rows(db, "SELECT task_id, layer_count, layer_ids, names, types, oris FROM op",
	    "0|1|0|in|Input|in / 1|2|1,2|c1,r1|Convolution,Relu|c1,r1a,r1b");
	assert_rows(db, "SELECT name, type, task_type, model, batch FROM tasks ORDER BY task_id",
	    "in|Input|AA_CORE|net|1 / c1,r1a,r1b|Convolution,Relu|AA_CORE|net|1");
	assert_rows(db, "SELECT model, model_id, batch, input_pic_num FROM net", "net|7|1|1");
	assert_rows(db, "SELECT device_id, frequency_mhz FROM device", "0|700");
	assert_rows(db, "SELECT * FROM note", "");
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
	    "SELECT file, state, layout, verified, records, size, has_done, first_row, last_row FROM source"
	    " WHERE state IN ('raw', 'info') ORDER BY file",
	    "data/acl_api.0.net.7|raw|svp.acl_api|0|3|384|1|1|3 / data/aicore.0.net.7.1.1.0|raw|svp.aicore|0|2|256|1|1|2 / "
	    "data/net.7.layer.info|raw|svp.layer_info|0|2|225|0|1|2 / data/net.7.net.info|raw|svp.net_info|0|1|57|0|1|1 / "
	    "info.json.0|info|null|null|0|40|0|null|null");
	assert_rows(db,
	    "SELECT file, state, device_id, model FROM source WHERE state NOT IN ('raw', 'info') ORDER BY file",
	    "data/acl_api.0.net.7.done|marker|null|null / data/aicore.0.net.7.1.1.0.done|marker|null|null / "
	    "data/readme|unknown|null|null");
	mp_db_close(db);
}

static void test_damage(void **state)
{
	struct job_test *t = *state;
	unsigned char core[3 * AICORE_SIZE + 5];
	struct mp_db *db;

	write_job(t);
	memset(core, 0xee, sizeof(core));
	put_aicore(core + 3, 5, 1000, 900);
	put_aicore(core + 3 + AICORE_SIZE, 6, UINT64_MAX - 7, UINT64_MAX);
	core[3 + 12] = 1;
	put_aicore(core + 3 + 2 * AICORE_SIZE, 7, 0, 1);
	write_file(t->data, "aicore.0.net.7.1.1.0", core, sizeof(core) - 10);
	db = import_private(t);
	assert_rows(db, "SELECT file, offset, bytes, reason FROM damage",
	    "data/aicore.0.net.7.1.1.0|0|3|no record begins here / "
	    "data/aicore.0.net.7.1.1.0|259|120|record cut short by the end of the file");
	assert_rows(
	    db, "SELECT task_id, start_tick, dur_ns FROM aicore_task", "5|1000|-14286 / 6|9223372036854775807|1000");
	assert_rows(db, "SELECT kind, text FROM note WHERE file = 'data/aicore.0.net.7.1.1.0' ORDER BY rowid",
	    "odd|1 records whose padding is not zero / odd|1 records end before they start / "
	    "odd|3 numbers too large; stored as the largest / odd|its .done marker says 256 bytes, the file has 379");
	check_whole(t, db, "123 damaged bytes");
	mp_db_close(db);
}

static void test_missing(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;

	write_job(t);
	assert_int_equal(unlink(below(t->data, "acl_api.0.net.7")), 0);
	assert_int_equal(mkfifo(below(t->data, "aicpu.0.net.7.1.1.0"), 0600), 0);
	write_text(t->data, "aicore.0.net.7.1.1.0.done", "filesize:512");
	db = import_private(t);
	assert_rows(db, "SELECT file, text FROM note WHERE kind = 'missing' ORDER BY file",
	    "data/acl_api.0.net.7.done|its raw file is missing / "
	    "data/aicore.0.net.7.1.1.0|its .done marker says 512 bytes, the file has 256 / "
	    "data/aicpu.0.net.7.1.1.0|not a regular file");
	assert_rows(db, "SELECT state, remark FROM source WHERE file = 'data/aicpu.0.net.7.1.1.0'",
	    "unreadable|not a regular file");
	check_whole(t, db, "3 missing or unreadable files");
	mp_db_close(db);
}

static void test_notes(void **state)
{
	struct job_test *t = *state;
	unsigned char *api = malloc((size_t)512 * API_SIZE);
	struct mp_db *db;

	write_job(t);
	for (size_t i = 0; i < 512; i++)
		put_api(api + i * API_SIZE, 3, 10 * i, 10 * i + 5, "f");
	write_file(t->data, "acl_api.0.net.7", api, (size_t)512 * API_SIZE);
	assert_int_equal(unlink(below(t->data, "acl_api.0.net.7.done")), 0);
	write_text(
	    t->data, "net.7.layer.info", "{\"task\":0,\"layers\":[]}\n{\"task\":\"x\",\"layers\":[]}\n{\"a\":1}\n");
	write_text(t->dir, "info.json.0", "{\"frequency\":700,\"collector\":\"host\",\"lost\":4}");
	db = import_private(t);
	assert_rows(db, "SELECT kind, file, text FROM note ORDER BY file, text",
	    "warning|data/acl_api.0.net.7|exactly 512 records, the size of the ring on the board: earlier calls may have been"
	    " overwritten / warning|data/acl_api.0.net.7|incomplete collection: its .done marker is missing / "
	    "odd|data/net.7.layer.info|2 lines name no task or no layers / "
	    "warning|info.json.0|4 records were lost on the board, as it says itself / "
	    "warning|info.json.0|host-only job: no AA Core data");
	check_whole(t, db, "");
	mp_db_close(db);
	free(api);
}

/* A missing frequency is an error. A broken info file is damage, and times stay unknown. */
static void test_frequency(void **state)
{
	const struct mp_import_options given = {.frequency_mhz = 100, .tool_version = "test"};
	struct job_test *t = *state;
	struct mp_db *db;

	write_job(t);
	write_text(t->dir, "info.json.0", "{\"version\":1}");
	job_open(t);
	assert_refused(mp_import_private(&db, t->job, &t->layouts, &import_options, &t->err), &t->err,
	    "/info.json.0': invalid 'frequency' (a whole number, 1 to 1000000 MHz); correct the file or give --frequency MHZ");
	assert_null(db);
	mp_job_close(t->job);
	assert_ok(mp_job_open(&t->job, t->dir, &t->layouts, 100, &t->err), &t->err);
	assert_ok(mp_import_private(&db, t->job, &t->layouts, &given, &t->err), &t->err);
	assert_rows(db, "SELECT start_ns, dur_ns FROM aicore_task", "1000000|7000 / 1007000|35000");
	mp_db_close(db);
	write_text(t->dir, "info.json.0", "{broken");
	db = import_private(t);
	assert_rows(db, "SELECT start_tick, start_ns, dur_ns FROM aicore_task", "1000|null|null / 1007|null|null");
	assert_rows(db, "SELECT file, bytes, reason FROM damage", "info.json.0|7|not a JSON object");
	check_whole(t, db, "7 damaged bytes, 1 missing or unreadable file");
	mp_db_close(db);
}

/* JSON that one parser accepts and another refuses must not stop an import. */
static void test_lenient_json(void **state)
{
	static const char *const lines[] = {"{\"task\":0,\"layers\":[{\"id\":007,\"name\":\"a\"}]}",
	    "{\"task\":0,\"layers\":[{\"id\":1,\"name\":\"a\tb\"}]}", "{\"task\":0,\v\"layers\":[]}",
	    "\xef\xbb\xbf{\"task\":0,\"layers\":[]}", "{\"task\":1.,\"layers\":[]}", "{\"task\":-,\"layers\":[]}"};
	struct job_test *t = *state;
	struct mp_db *db;

	for (size_t i = 0; i < COUNT(lines); i++) {
		write_job(t);
		write_text(t->data, "net.7.layer.info", lines[i]);
		job_open(t);
		if (mp_import_private(&db, t->job, &t->layouts, &import_options, &t->err))
			fail_msg("line %s: %s", lines[i], t->err.text);
		assert_rows(db,
		    "SELECT size = record_bytes + blank_bytes + damaged_bytes FROM source"
		    " WHERE file = 'data/net.7.layer.info'",
		    "1");
		assert_rows(db, "SELECT count(*) FROM aicore_task", "2");
		mp_db_close(db);
	}
}

static void test_lenient_info(void **state)
{
	static const char *const texts[] = {"\xef\xbb\xbf{\"frequency\":700}", "{\"frequency\":0700}",
	    "{\"frequency\":700,\"x\":\"a\tb\"}", "{\"frequency\":700,\v\"x\":1}"};
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_rows),
	    TEST(test_sources),
	    TEST(test_damage),
	    TEST(test_missing),
	    TEST(test_notes),
	    TEST(test_frequency),
	    TEST(test_lenient_json),
	    TEST(test_lenient_info),
	    TEST(test_unknown_name),
	    TEST(test_slices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
