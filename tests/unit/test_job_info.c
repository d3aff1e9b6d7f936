/* test_job_info.c: info files, devices, and the conditions for a job. */
#include "job_support.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, job_setup, job_teardown)

static const struct mp_device *device(struct job_test *t, int64_t id)
{
	const struct mp_device *d = mp_job_device(t->job, id);

	assert_non_null(d);
	assert_int_equal(d->device_id, id);
	return d;
}

/* MHz as a text, in the list of a board. */
static void test_frequency(void **state)
{
	static const struct {
		const char *text;
		int64_t mhz;
	} cases[] = {{INFO_SS928, 700}, {INFO_DV500, 700}, {INFO_CV610, 700},
	    {"{\"DeviceInfo\":[{\"magic_num\":\"6A6A\"},{\"aic_frequency\":\"1\"}]}", 1},
	    {"{\"DeviceInfo\":[{\"aic_frequency\":\"1000000\"}]}", 1000000},
	    {"{\"DeviceInfo\":[{\"aic_frequency\":\"1000001\"}]}", 0},
	    {"{\"DeviceInfo\":[{\"aic_frequency\":\"0\"}]}", 0}, {"{\"DeviceInfo\":[{\"aic_frequency\":\"\"}]}", 0},
	    {"{\"DeviceInfo\":[{\"aic_frequency\":\"-700\"}]}", 0},
	    {"{\"DeviceInfo\":[{\"aic_frequency\":\"+700\"}]}", 0},
	    {"{\"DeviceInfo\":[{\"aic_frequency\":\" 700\"}]}", 0},
	    {"{\"DeviceInfo\":[{\"aic_frequency\":\"700 \"}]}", 0},
	    {"{\"DeviceInfo\":[{\"aic_frequency\":\"700.0\"}]}", 0},
	    {"{\"DeviceInfo\":[{\"aic_frequency\":\"99999999999999999999\"}]}", 0},
	    {"{\"DeviceInfo\":[{\"aic_frequency\":700}]}", 0}, {"{\"DeviceInfo\":[{\"aic_frequency\":null}]}", 0},
	    {"{\"DeviceInfo\":[{\"Aic_frequency\":\"700\"}]}", 0}, {"{\"aic_frequency\":\"700\"}", 0},
	    {"{\"DeviceInfo\":[]}", 0}, {"{}", 0}, {"{\"frequency\":700}", 0},
	    {" \n{\"DeviceInfo\":[{\"aic_frequency\":\"700\"}]}\n", 700}};
	struct job_test *t = *state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		write_text(t->dir, "info.json.0", cases[i].text);
		job_open(t);
		if (device(t, 0)->clock.core_mhz != cases[i].mhz)
			fail_msg("%s: %lld", cases[i].text, (long long)device(t, 0)->clock.core_mhz);
		assert_string_equal(device(t, 0)->info_text, cases[i].text);
		assert_null(device(t, 0)->info.damage);
		assert_int_equal(device(t, 0)->info.size, strlen(cases[i].text));
		assert_int_equal(t->job->family, MP_FAMILY_SVP);
	}
}

static void test_frequency_option(void **state)
{
	static const struct mp_job_options given = {.frequency_mhz = 900};
	struct job_test *t = *state;

	write_text(t->dir, "info.json.1", "{}");
	write_text(t->dir, "info.json.2", "broken");
	assert_ok(mp_job_open(&t->job, t->dir, &t->layouts, &given, &t->err), &t->err);
	for (int i = 0; i < 3; i++)
		assert_int_equal(device(t, i)->clock.core_mhz, 900);
	assert_int_equal(device(t, 0)->file_mhz, 700); /* the frequency of the file is still known */
	assert_int_equal(device(t, 1)->file_mhz, 0);
}

/* What the recorder of msprof says of its job lies in data/, as a JSON object. */
static void test_recorder(void **state)
{
	static const struct {
		const char *text, *kept;
	} cases[] = {{"{\"collector\":\"host\"}", "{\"collector\":\"host\"}"}, {"", NULL}, {"[1]", NULL}, {"{", NULL}};
	struct job_test *t = *state;

	job_open(t);
	assert_null(device(t, 0)->recorder_text);
	for (size_t i = 0; i < COUNT(cases); i++) {
		write_text(t->data, "recorder.json.0", cases[i].text);
		write_text(t->data, "recorder.json.1", "{}"); /* of a device without info.json */
		job_open(t);
		if (cases[i].kept)
			assert_string_equal(device(t, 0)->recorder_text, cases[i].kept);
		else
			assert_null(device(t, 0)->recorder_text);
		assert_int_equal(t->job->device_count, 1);
		assert_int_equal(file_named(t, "recorder.json.0")->state, MP_FILE_MARKER);
	}
}

static void test_damaged_info(void **state)
{
	static const char *const texts[] = {"", "frequency", "[1]", "700", "null", "{\"DeviceInfo\":[]", "{\"a\":1} x",
	    "{\"x\":\"\xff\"}", "{'x':700}"};
	struct job_test *t = *state;

	for (size_t i = 0; i < COUNT(texts); i++) {
		write_text(t->dir, "info.json.0", texts[i]);
		job_open(t);
		assert_null(device(t, 0)->info_text);
		assert_string_equal(device(t, 0)->info.damage, "not a JSON object");
		assert_int_equal(device(t, 0)->clock.core_mhz, 0);
		assert_int_equal(device(t, 0)->info.size, strlen(texts[i]));
	}
	write_file(t->dir, "info.json.0", INFO_SS928 "\0", sizeof(INFO_SS928));
	job_open(t);
	assert_string_equal(device(t, 0)->info.name, "info.json.0");
	assert_true(device(t, 0)->info.mtime_ns > 0);
}

static void test_large_info(void **state)
{
	enum { MIB = 1024 * 1024 };
	struct job_test *t = *state;
	char *text = malloc(MIB + 1);

	memset(text, ' ', MIB + 1);
	memcpy(text, INFO_SS928, sizeof(INFO_SS928) - 1);
	write_file(t->dir, "info.json.0", text, MIB);
	job_open(t);
	assert_int_equal(device(t, 0)->clock.core_mhz, 700);
	write_file(t->dir, "info.json.0", text, MIB + 1);
	job_open(t);
	assert_null(device(t, 0)->info_text);
	assert_string_equal(device(t, 0)->info.damage, "larger than 1 MiB");
	assert_int_equal(device(t, 0)->clock.core_mhz, 0);
	free(text);
}

static void test_info_not_regular(void **state)
{
	struct job_test *t = *state;

	assert_int_equal(symlink("info.json.0", below(t->dir, "info.json.1")), 0);
	assert_int_equal(mkfifo(below(t->dir, "info.json.2"), 0600), 0);
	assert_int_equal(mkdir(below(t->dir, "info.json.3"), 0700), 0);
	job_open(t);
	assert_string_equal(device(t, 1)->info.damage, "a link is not followed");
	assert_string_equal(device(t, 2)->info.damage, "not a regular file");
	assert_string_equal(device(t, 3)->info.damage, "not a regular file");
	for (int i = 1; i < 4; i++) {
		assert_true(!device(t, i)->info_text && !device(t, i)->clock.core_mhz);
		assert_int_equal(device(t, i)->info.size, 0); /* a missing file has no bytes to lose */
	}
}

/*
 * DeviceInfo may give the frequency of the system counter, as a string; otherwise the default of the chip is assumed.
 */
static void test_counter_frequency(void **state)
{
	static const struct {
		const char *text;
		int64_t mhz;
		bool assumed;
	} cases[] = {{"{\"DeviceInfo\":[{\"hwts_frequency\":\"50\"}]}", 50, false},
	    {"{\"DeviceInfo\":[{\"id\":0,\"hwts_frequency\":\"50\"}]}", 50, false},
	    {"{\"DeviceInfo\":[{\"hwts_frequency\":\"0\"}]}", 100, true},
	    {"{\"DeviceInfo\":[{\"hwts_frequency\":\"5x\"}]}", 100, true},
	    {"{\"DeviceInfo\":[{\"hwts_frequency\":\"\"}]}", 100, true},
	    {"{\"DeviceInfo\":[{\"hwts_frequency\":\"1000001\"}]}", 100, true}, {"{\"DeviceInfo\":[]}", 100, true},
	    {"{\"DeviceInfo\":5}", 100, true}};
	struct job_test *t = *state;

	add_raw(t, "hwts.log.data.45.dev.tag.0.slice_0");
	for (size_t i = 0; i < COUNT(cases); i++) {
		write_text(t->dir, "info.json.0", cases[i].text);
		job_open(t);
		assert_int_equal(t->job->family, MP_FAMILY_ASCEND910);
		assert_int_equal(device(t, 0)->clock.counter_mhz, cases[i].mhz);
		assert_int_equal(device(t, 0)->clock_assumed, cases[i].assumed);
	}
}

static void test_devices(void **state)
{
	static const char *const names[] = {"info.json.12", "info.json.007", "info.json.", "info.json.-1",
	    "info.json.1x", "info.json.2147483648", "info.json.99999999999999999999", "info.json", "xinfo.json.5",
	    "info.json.2147483647"};
	static const int64_t ids[] = {0, 3, 12, 2147483647};
	struct job_test *t = *state;

	for (size_t i = 0; i < COUNT(names); i++)
		write_text(t->dir, names[i], "{}");
	add_raw(t, "aicore.3.m.1.1.1.0");
	add_raw(t, "aicore.3.m.1.1.1.1");
	job_open(t);
	assert_int_equal(t->job->device_count, COUNT(ids));
	for (size_t i = 0; i < COUNT(ids); i++)
		assert_int_equal(t->job->devices[i].device_id, ids[i]);
	assert_string_equal(device(t, 3)->info.name, "");
	assert_null(device(t, 3)->info_text);
	assert_string_equal(device(t, 12)->info.name, "info.json.12");
	assert_false(device(t, 3)->clock_assumed);
	assert_null(mp_job_device(t->job, 1));
}

static void test_too_many_devices(void **state)
{
	struct job_test *t = *state;
	char name[64];

	for (int i = 0; i < MP_DEVICE_MAX; i++) {
		snprintf(name, sizeof(name), "aicore.%d.m.1.1.1.0", i);
		add_raw(t, name);
	}
	job_open(t);
	assert_int_equal(t->job->device_count, MP_DEVICE_MAX);
	add_raw(t, "aicore.64.m.1.1.1.0");
	mp_job_close(t->job);
	assert_refused(mp_job_open(&t->job, t->dir, &t->layouts, NULL, &t->err), &t->err, "names more than 64 devices");
	assert_null(t->job);
}

static void test_host_start(void **state)
{
	struct job_test *t = *state;

	write_text(t->dir, "host_start.log.0",
	    "[Host]\nclock_monotonic_raw: 123456789012\ncntvct: 5\nclock_realtime: 1600000000000000001\n");
	write_text(t->dir, "host_start.log.4", "nothing");
	job_open(t);
	assert_int_equal(device(t, 0)->realtime_ns, INT64_C(1600000000000000001));
	assert_int_equal(device(t, 0)->monotonic_ns, INT64_C(123456789012));
	assert_int_equal(device(t, 0)->clock.core_mhz, 700);
	assert_int_equal(device(t, 4)->realtime_ns, -1);
	assert_int_equal(device(t, 4)->monotonic_ns, -1);
	assert_string_equal(device(t, 4)->host_start.name, "host_start.log.4");
	assert_int_equal(device(t, 4)->host_start.size, 7);
	assert_null(device(t, 4)->host_start.damage);
	assert_string_equal(device(t, 4)->info.name, "");
}

static void test_host_start_not_regular(void **state)
{
	struct job_test *t = *state;

	assert_int_equal(symlink("info.json.0", below(t->dir, "host_start.log.0")), 0);
	assert_int_equal(mkfifo(below(t->dir, "host_start.log.1"), 0600), 0);
	job_open(t);
	assert_string_equal(device(t, 0)->host_start.damage, "a link is not followed");
	assert_string_equal(device(t, 1)->host_start.damage, "not a regular file");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(device(t, i)->host_start.size, 0);
		assert_int_equal(device(t, i)->realtime_ns, -1);
	}
}

static void test_not_a_job(void **state)
{
	struct job_test *t = *state;

	assert_refused(
	    mp_job_open(&t->job, below(t->dir, "none"), &t->layouts, NULL, &t->err), &t->err, "cannot open '");
	assert_refused(
	    mp_job_open(&t->job, below(t->dir, "info.json.0"), &t->layouts, NULL, &t->err), &t->err, "cannot open '");
	assert_int_equal(unlink(below(t->dir, "info.json.0")), 0);
	assert_refused(mp_job_open(&t->job, t->dir, &t->layouts, NULL, &t->err), &t->err,
	    "' is not a complete JOB directory: it has no file 'info.json.0'");
	assert_int_equal(rmdir(t->data), 0);
	assert_refused(mp_job_open(&t->job, t->dir, &t->layouts, NULL, &t->err), &t->err,
	    "' is not a complete JOB directory: it has no directory 'data'");
	assert_int_equal(symlink("/", t->data), 0);
	assert_refused(
	    mp_job_open(&t->job, t->dir, &t->layouts, NULL, &t->err), &t->err, "/data' is a link: it is not followed");
	assert_null(t->job);
	/* a job imported before needs neither */
	assert_int_equal(unlink(t->data), 0);
	assert_int_equal(mkdir(below(t->dir, "sqlite"), 0700), 0);
	write_text(t->dir, "sqlite/msprof.db", "");
	job_open(t);
	assert_string_equal(t->job->missing, "directory 'data' not found");
	assert_int_equal(t->job->file_count, 0);
}

/* A PROF directory without any data/ is not a job. With data/ of its own it is a job, whatever else it contains. */
static void test_prof_directory(void **state)
{
	static const char *const names[] = {"host", "device_0"};
	struct job_test *t = *state;

	assert_int_equal(rmdir(t->data), 0);
	for (size_t i = 0; i < COUNT(names); i++) {
		assert_int_equal(mkdir(below(t->dir, names[i]), 0700), 0);
		assert_refused(mp_job_open(&t->job, t->dir, &t->layouts, NULL, &t->err), &t->err,
		    "has no directory 'host/data' or 'device_N/data'");
		assert_int_equal(rmdir(below(t->dir, names[i])), 0);
	}
	assert_refused(mp_job_open(&t->job, t->dir, &t->layouts, NULL, &t->err), &t->err, "has no directory 'data'");
	/* with data/ it is a job, whatever else it contains */
	assert_int_equal(mkdir(t->data, 0700) + mkdir(below(t->dir, "host"), 0700), 0);
	job_open(t);
}

static void test_name(void **state)
{
	struct job_test *t = *state;
	char path[2048];

	job_open(t);
	assert_string_equal(t->job->path, t->dir);
	assert_string_equal(t->job->name, strrchr(t->dir, '/') + 1);
	mp_job_close(t->job);
	snprintf(path, sizeof(path), "%s/data/..//", t->dir);
	assert_ok(mp_job_open(&t->job, path, &t->layouts, NULL, &t->err), &t->err);
	assert_string_equal(t->job->path, path);
	assert_string_equal(t->job->name, strrchr(t->dir, '/') + 1);
}

static void test_find(void **state)
{
	static const char *const dirs[] = {"b", "b/data", "a", "a/data", "c", ".d", ".d/data", "e", "JOBX", "job"};
	struct job_test *t = *state;
	struct mp_found found;

	assert_ok(mp_job_find(&found, t->dir, &t->layouts, false, &t->err), &t->err);
	assert_int_equal(found.count, 1); /* the path itself is a job */
	assert_string_equal(found.paths[0], t->dir);
	mp_found_free(&found);
	assert_int_equal(rmdir(t->data), 0);
	assert_ok(mp_job_find(&found, t->dir, &t->layouts, false, &t->err), &t->err);
	assert_int_equal(found.count, 1); /* the path is missing: opening it reports that */
	assert_string_equal(found.paths[0], t->dir);
	mp_found_free(&found);
	for (size_t i = 0; i < COUNT(dirs); i++)
		assert_int_equal(mkdir(below(t->dir, dirs[i]), 0700), 0);
	write_text(t->dir, "e/data", "a file");
	write_text(t->dir, "JOBFILE", "a file");
	assert_int_equal(symlink("a", below(t->dir, "l")) + symlink("a", below(t->dir, "JOBLINK")), 0);
	assert_ok(mp_job_find(&found, t->dir, &t->layouts, false, &t->err), &t->err);
	assert_int_equal(found.count, 3); /* JOBX has no data/: opening it reports that */
	assert_string_equal(found.paths[0], below(t->dir, "JOBX"));
	assert_string_equal(found.paths[1], below(t->dir, "a"));
	assert_string_equal(found.paths[2], below(t->dir, "b"));
	mp_found_free(&found);
	assert_refused(
	    mp_job_find(&found, below(t->dir, "none"), &t->layouts, true, &t->err), &t->err, "cannot open '");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_frequency),
	    TEST(test_frequency_option),
	    TEST(test_damaged_info),
	    TEST(test_large_info),
	    TEST(test_info_not_regular),
	    TEST(test_recorder),
	    TEST(test_counter_frequency),
	    TEST(test_devices),
	    TEST(test_too_many_devices),
	    TEST(test_host_start),
	    TEST(test_host_start_not_regular),
	    TEST(test_not_a_job),
	    TEST(test_prof_directory),
	    TEST(test_name),
	    TEST(test_find),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
