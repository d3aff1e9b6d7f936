/* test_store_fresh.c: whether the database matches the files of its job. */
#include "store_file_support.h"

static void touch(const char *path)
{
	const struct timespec times[2] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000, .tv_nsec = 5}};

	assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void test_fresh(void **state)
{
	struct job_test *t = *state;

	write_job(t);
	import(t);
	assert_true(fresh(t, 0));
	assert_false(fresh(t, 900)); /* another frequency than at import */
	touch(below(t->data, CORE_FILE));
	assert_false(fresh(t, 0));
	import(t);
	assert_true(fresh(t, 0));
	touch(below(t->dir, "info.json.0"));
	import(t);
	assert_true(fresh(t, 0));
	write_text(t->dir, "info.json.0", "{\"DeviceInfo\": [{\"aic_frequency\": \"701\"}]}");
	assert_false(fresh(t, 0));
}

static void test_stale_by_files(void **state)
{
	struct job_test *t = *state;

	write_job(t);
	touch(below(t->data, "net.7.net.info"));
	import(t);
	write_text(t->data, "net.7.net.info", "another size\n");
	touch(below(t->data, "net.7.net.info")); /* the same time, another size */
	assert_false(fresh(t, 0));
	import(t);
	add_raw(t, "aicpu.0.net.16.7.1.1.0"); /* a new file */
	assert_false(fresh(t, 0));
	import(t);
	assert_true(fresh(t, 0));
	write_text(t->data, "readme", "nobody decodes this");
	assert_true(fresh(t, 0));
	assert_int_equal(unlink(below(t->data, API_FILE)), 0); /* parsed before: no longer needed */
	assert_true(fresh(t, 0));
	touch(below(t->data, CORE_FILE));
	assert_false(fresh(t, 0));
}

static void test_stale_by_layouts(void **state)
{
	struct job_test *t = *state;

	write_job(t);
	import(t);
	assert_ok(mp_layouts_parse(&t->layouts, "x.rec", "# nothing but a comment\n", &t->err), &t->err);
	assert_false(fresh(t, 0));
	remove_at(AT_FDCWD, t->data);
	assert_int_equal(mkdir(t->data, 0700), 0);
	assert_true(fresh(t, 0)); /* nothing to decode anew */
}

static void import_at(struct job_test *t, int64_t frequency_mhz)
{
	const struct mp_import_options given = {.frequency_mhz = frequency_mhz, .tool_version = "test"};

	mp_job_close(t->job);
	t->job = NULL;
	assert_ok(mp_job_open(
		      &t->job, t->dir, &t->layouts, &(struct mp_job_options){.frequency_mhz = frequency_mhz}, &t->err),
	    &t->err);
	assert_ok(mp_import(t->job, &t->layouts, &given, &t->err), &t->err);
}

/* The frequency of an option is kept only if the job itself has none. */
static void test_given_frequency(void **state)
{
	struct job_test *t = *state;

	write_job(t);
	import_at(t, 900);
	assert_true(fresh(t, 900));
	assert_false(fresh(t, 0)); /* the file's frequency counts again */
	assert_false(fresh(t, 700));
	write_text(t->dir, "info.json.0", "{\"DeviceInfo\": []}");
	import_at(t, 900);
	assert_true(fresh(t, 900));
	assert_true(fresh(t, 0));
	assert_false(fresh(t, 700));
}

/* Without raw files nothing can be computed anew. */
static void test_given_frequency_without_raw_files(void **state)
{
	struct job_test *t = *state;
	struct mp_db *db;
	bool is_fresh;

	write_job(t);
	import_at(t, 900);
	remove_at(AT_FDCWD, t->data);
	assert_int_equal(mkdir(t->data, 0700), 0);
	assert_true(fresh(t, 0));
	assert_true(fresh(t, 900));
	db = open_db(t);
	assert_refused(mp_job_db_fresh(db, t->job, &t->layouts, 700, &is_fresh, &t->err), &t->err,
	    "msprof.db' was made with another frequency, and the raw files are gone");
	mp_db_close(db);
}

/* A marker that appears later means that the data is complete; a clock file is an input like other files. */
static void test_stale_by_marker_and_clock(void **state)
{
	struct job_test *t = *state;

	write_job(t);
	assert_int_equal(unlink(below(t->data, API_FILE ".done")), 0);
	import(t);
	assert_true(fresh(t, 0));
	write_text(t->data, API_FILE ".done", "");
	assert_false(fresh(t, 0));
	import(t);
	assert_true(fresh(t, 0));
	assert_int_equal(unlink(below(t->data, API_FILE ".done")), 0);
	assert_false(fresh(t, 0));
	import(t);
	write_text(t->dir, "host_start.log.0", "clock_realtime: 5\n");
	assert_false(fresh(t, 0));
	import(t);
	assert_true(fresh(t, 0));
	write_text(t->dir, "host_start.log.0", "clock_realtime: 17\n");
	assert_false(fresh(t, 0));
}

static int64_t gone(struct job_test *t)
{
	struct mp_db *db = open_db(t);
	int64_t count;

	job_open(t);
	assert_ok(mp_job_db_gone(db, t->job, &count, &t->err), &t->err);
	mp_db_close(db);
	return count;
}

static void test_gone(void **state)
{
	struct job_test *t = *state;

	write_job(t);
	import(t);
	assert_int_equal(gone(t), 0);
	assert_int_equal(unlink(below(t->data, API_FILE)), 0);
	assert_int_equal(gone(t), 1);
	add_raw(t, "aicpu.0.net.16.7.1.1.0"); /* a new file does not replace an old file */
	write_text(t->data, "readme", "nor does one that nobody decodes");
	assert_int_equal(gone(t), 1);
	remove_at(AT_FDCWD, t->data);
	assert_int_equal(mkdir(t->data, 0700), 0);
	assert_int_equal(gone(t), 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_fresh),
	    TEST(test_stale_by_files),
	    TEST(test_stale_by_layouts),
	    TEST(test_given_frequency),
	    TEST(test_given_frequency_without_raw_files),
	    TEST(test_stale_by_marker_and_clock),
	    TEST(test_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
