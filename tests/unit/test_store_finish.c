/* test_store_finish.c: results computed after all records are loaded: layers, inferences, operators, notes, meta. */
#include "store_support.h"

#include "import/import_internal.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, job_setup, job_teardown)

static void test_meta(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;
	char schema[64];

	write_job(t);
	db = import_private(t);
	assert_rows(db, "SELECT key FROM meta ORDER BY key",
	    "assumed_columns / clock / counters / family / frequency_option / inference / layouts / msprof / one_clock / schema");
	assert_rows(db, "SELECT value FROM meta WHERE key = 'assumed_columns'",
	    "mac_busy,mac_ppen,vec_busy,vec_ppen,dstr,dtrans,dld,wld,ddr_read_bytes,ddr_write_bytes");
	snprintf(schema, sizeof(schema), "%016llx", (unsigned long long)mp_db_made_by());
	assert_rows(db, "SELECT value FROM meta WHERE key = 'schema'", schema);
	assert_rows(db, "SELECT value FROM meta WHERE key = 'clock'",
	    "ns since 1970, as the board counts them: tasks of the AI Core and the AI CPU, and API calls");
	mp_db_close(db);
	write_text(t->dir, "info.json.0", "{\"DeviceInfo\":[{\"id\":0,\"hwts_frequency\":\"50\"}]}");
	write_text(t->data, "hwts.log.data.45.dev.tag.0.slice_0", "");
	db = import_private(t);
	assert_rows(db, "SELECT value FROM meta WHERE key = 'clock'",
	    "tasks: system counter of the device in ns; not aligned with the host");
	assert_rows(db, "SELECT counter_mhz FROM device", "50");
	assert_rows(db, "SELECT count(*) FROM note WHERE kind = 'assumed' AND text LIKE '%MHz%'", "0");
	mp_db_close(db);
}

static void test_given_frequency_is_noted(void **state)
{
	static const struct {
		const char *info, *notes;
	} cases[] = {{INFO_SS928, "assumed|info.json.0|the core frequency of 900 MHz is that of --frequency;"
				  " the file says 700 (0: no frequency)"},
	    {"{}", "assumed|info.json.0|the core frequency of 900 MHz is that of --frequency; the file says 0 (0: "
		   "no frequency)"},
	    {"{\"DeviceInfo\": [{\"aic_frequency\": \"900\"}]}", ""}};
	const struct mp_import_options given = {.frequency_mhz = 900, .tool_version = "test"};
	struct job_test *t = *state;
	struct mp_db *db;

	write_job(t);
	for (size_t i = 0; i < COUNT(cases); i++) {
		write_text(t->dir, "info.json.0", cases[i].info);
		mp_job_close(t->job);
		assert_ok(
		    mp_job_open(&t->job, t->dir, &t->layouts, &(struct mp_job_options){.frequency_mhz = 900}, &t->err),
		    &t->err);
		assert_ok(mp_import_private(&db, t->job, &t->layouts, &given, &t->err), &t->err);
		assert_rows(db, "SELECT * FROM note WHERE text LIKE '%frequency%'", cases[i].notes);
		mp_db_close(db);
	}
}

static void test_missing_info_file(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;
	unsigned char core[AICORE_SIZE];

	write_job(t);
	put_aicore(core, 0, 1);
	write_done(t, "aicore.1.net.16.7.1.1.0", core, sizeof(core), START_US);
	db = import_private(t); /* all but the times of its tasks */
	assert_rows(db, "SELECT device_id, frequency_mhz FROM device ORDER BY 1", "0|700 / 1|null");
	assert_rows(db,
	    "SELECT count(*), count(start_ns), count(dur_ns) FROM aicore_task"
	    " WHERE rowid IN (SELECT first_row FROM source WHERE device_id = 1)",
	    "1|0|0");
	mp_db_close(db);
}

/* Files beside data/ are sources too. A missing file has no bytes to lose, but counts as lost. */
static void test_info_files(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;
	char loss[256];

	write_job(t);
	write_text(t->dir, "host_start.log.0", "clock_realtime: 5\nclock_monotonic_raw: 7\n");
	assert_int_equal(symlink("info.json.0", below(t->dir, "host_start.log.1")), 0);
	assert_int_equal(mkdir(below(t->dir, "info.json.2"), 0700), 0);
	db = import_private(t);
	assert_rows(db,
	    "SELECT file, state, device_id, size, record_bytes, damaged_bytes, remark FROM source"
	    " WHERE state = 'info' ORDER BY file",
	    "host_start.log.0|info|0|41|41|0|null / host_start.log.1|info|1|0|0|0|a link is not followed / "
	    "info.json.0|info|0|42|42|0|null / info.json.2|info|2|0|0|0|not a regular file");
	assert_rows(db, "SELECT device_id, host_realtime_ns, host_monotonic_ns FROM device",
	    "0|5|7 / 1|null|null / 2|null|null");
	assert_rows(db, "SELECT * FROM loss", "unusable information files|2");
	assert_ok(mp_job_db_loss(db, loss, sizeof(loss), &t->err), &t->err);
	assert_string_equal(loss, "2 unusable information files");
	mp_db_close(db);
}

/* Ids, names and types of fused layers keep their positions; without any name the column is NULL. */
static void test_missing_names(void **state)
{
	static struct bytes file;
	struct job_test *t = *state;
	struct mp_db *db;

	write_job(t);
	file.used = 0;
	add_layer(&file, 1, "a", "p,q", "", 0);
	add_layer(&file, 2, "", "", "T", 0);
	add_layer(&file, 3, "", "", "", 1);
	add_layer(&file, 4, "c", "s", "U", 0);
	write_file(t->data, "net.7.layer.info", file.at, file.used);
	db = import_private(t);
	assert_rows(db, "SELECT task_id, layer_count, layer_ids, names, types, oris FROM op",
	    "0|3|1,2,4|a,N/A,c|N/A,T,U|p,q,s / 1|1|3|null|null|null");
	assert_rows(db, "SELECT task_id, position, ori FROM layer", "0|0|p,q / 0|1|null / 0|2|s / 1|0|null");
	mp_db_close(db);
}

/* A note tells which models the names of output files cannot distinguish. */
static void test_models_that_share_an_id(void **state)
{
	struct job_test *t = *state;
	unsigned char core[AICORE_SIZE];
	struct mp_db *db;

	write_job(t);
	put_aicore(core, 0, 10);
	write_done(t, "aicore.0.other.16.7.1.1.0", core, sizeof(core), START_US);
	db = import_private(t);
	assert_rows(db, "SELECT kind, text FROM note WHERE text LIKE 'models %'",
	    "warning|models net, other share the id 7: the files op_statistic and acl_statistic of that id hold all of "
	    "them");
	mp_db_close(db);
}

static void put_hwts(unsigned char *p, unsigned type, uint32_t task, uint64_t counter)
{
	memset(p, 0, 64);
	p[0] = (unsigned char)type;
	put_le(p + 2, 2, 0x6bd3);
	put_le(p + 6, 2, task);
	put_le(p + 8, 8, counter);
	put_le(p + 16, 4, 3);
}

static void write_ascend(struct job_test *t, int device)
{
	unsigned char bytes[4 * 64];
	char name[64];

	put_hwts(bytes, 0, 1, 100);
	put_hwts(bytes + 64, 1, 1, 200);
	put_hwts(bytes + 128, 0, 2, 300);
	put_hwts(bytes + 192, 1, 2, 400);
	bytes[64] |= 1 << 4;
	bytes[128] |= 2 << 4;
	bytes[192] |= 3 << 4;
	snprintf(name, sizeof(name), "hwts.log.data.45.dev.tag.%d.slice_0", device);
	write_file(t->data, name, bytes, sizeof(bytes));
}

/* A description belongs to its device, and the first description counts. */
static void test_descriptions(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;

	write_ascend(t, 0);
	write_ascend(t, 1);
	write_text(t->data, "Framework.host.vm.task_desc_info.0.slice_0", "conv 1 1 3\nlate 1 1 3\n");
	write_text(t->data, "Framework.host.vm.task_desc_info.1.slice_0", "pool 1 1 3\nconv 1 2 3\n");
	write_text(t->data, "Framework.host.vm.graph_desc_info.0.slice_0",
	    "op_name:conv op_type:Conv2D\nop_name:conv op_type:Late\n");
	write_text(t->data, "Framework.host.vm.graph_desc_info.1.slice_0",
	    "op_name:conv op_type:Conv3D\nop_name:pool op_type:Pool\n");
	db = import_private(t);
	assert_rows(db, "SELECT device_id, task_id, name, type FROM tasks ORDER BY device_id, task_id",
	    "0|1|conv|Conv2D / 0|2|null|null / 1|1|pool|Pool / 1|2|conv|Conv3D");
	assert_rows(db, "SELECT kind, text FROM note WHERE text LIKE '%description%'",
	    "odd|1 of 4 tasks have no description in the data: their names are N/A");
	mp_db_close(db);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_meta),
	    TEST(test_given_frequency_is_noted),
	    TEST(test_missing_info_file),
	    TEST(test_info_files),
	    TEST(test_missing_names),
	    TEST(test_models_that_share_an_id),
	    TEST(test_descriptions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
