/* test_places.c: places of reports for a range of time, devices, a model and an inference. */
#include "store_support.h"

#include "report/report.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

static struct job_test *job;
static struct mp_error err;

static int setup(void **state)
{
	if (job_setup(state))
		return -1;
	job = *state;
	write_job(job);
	return 0;
}

static int teardown(void **state)
{
	return job_teardown(state);
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

/* Places are nothing without limits; a text without places, and other braces, stay. */
static void test_places(void **state)
{
	static const char text[] =
	    "SELECT '{x}', \"{range\" FROM t WHERE 1{range host a; b + max(c, 1)}{device t.id}{model t.m}{step t.s}"
	    " ORDER BY a";
	static const char use[] = "WITH t AS (SELECT 1 WHERE 1{device d})";
	static const struct {
		unsigned limits;
		const char *result;
	} cases[] = {{0, "<WITH t AS (SELECT 1 WHERE 1)SELECT '{x}', \"{range\" FROM t WHERE 1 ORDER BY a>"},
	    {MP_LIMIT_TIME,
		"<WITH t AS (SELECT 1 WHERE 1)SELECT '{x}', \"{range\" FROM t WHERE 1"
		" AND (a) <= (SELECT to_ns FROM temp.time_range WHERE clock = 'host')"
		" AND ( b + max(c, 1)) >= (SELECT from_ns FROM temp.time_range WHERE clock = 'host') ORDER BY a>"},
	    {MP_LIMIT_DEVICES,
		"<WITH t AS (SELECT 1 WHERE 1 AND coalesce((d) IN (SELECT device_id FROM temp.wanted_device), 1))"
		"SELECT '{x}', \"{range\" FROM t WHERE 1"
		" AND coalesce((t.id) IN (SELECT device_id FROM temp.wanted_device), 1) ORDER BY a>"},
	    {MP_LIMIT_MODEL | MP_LIMIT_STEP,
		"<WITH t AS (SELECT 1 WHERE 1)SELECT '{x}', \"{range\" FROM t WHERE 1"
		" AND (t.m) = (SELECT model_id FROM temp.choice) AND (t.s) = (SELECT step FROM temp.choice) ORDER BY a>"}};
	const struct mp_sql sql = {.use = {use}, .use_count = 1, .text = text, .len = sizeof(text) - 1};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char *result = mp_report_text(&sql, "<", ">", cases[i].limits, &err);

		assert_string_equal(result, cases[i].result);
		free(result);
	}
}

static void prepare(struct mp_db *own, const struct mp_sql *sql)
{
	struct mp_query *q;

	if (!sql->text)
		return;
	assert_ok(mp_report_query(&q, own, sql, "", "", MP_STYLE_DEFAULT, &err), &err);
	mp_query_close(q);
}

/* With limits, too, all timelines of all families are valid SQL. */
static void test_limits(void **state)
{
	static const char *const limited[] = {"timeline", "trace", "stacks", "first"};

	(void)state;
	for (size_t k = 0; k < COUNT(limited) * MP_FAMILY_COUNT; k++) {
		enum mp_family family = (enum mp_family)(k % MP_FAMILY_COUNT);
		struct mp_db *own = import_as(family);
		struct mp_reports list;

		assert_ok(mp_db_want_time(own, "host", 1, 2, &err), &err);
		assert_ok(mp_db_want_device(own, 0, &err), &err);
		mp_db_want_choice(own, MP_LIMIT_MODEL);
		mp_db_want_choice(own, MP_LIMIT_STEP);
		assert_ok(mp_reports_load(
			      &list, limited[k / MP_FAMILY_COUNT], mp_family_name(family), MP_STYLE_DEFAULT, &err),
		    &err);
		for (size_t i = 0; i < list.count; i++) {
			prepare(own, &list.items[i].each);
			prepare(own, &list.items[i].rows);
			for (int l = 0; l < list.items[i].layer_count; l++)
				prepare(own, &list.items[i].layers[l]);
		}
		mp_reports_free(&list);
		mp_db_close(own);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_places),
	    TEST(test_limits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
