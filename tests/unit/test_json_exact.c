/* test_json_exact.c: 2^63 - 1 in each field of a JSON file that may pass 2^53; test_reference.c has the cells of
 * references. */
#include "job_support.h"

#include <fcntl.h>
#include <unistd.h>

#include "config/acl_json.h"
#include "raw/job.h"
#include "recorder/session.h"
#include "recorder/table.h"
#include "recorder/writers.h"

#define MOST "9223372036854775807"
#define TEST(function) cmocka_unit_test_setup_teardown(function, job_setup, job_teardown)

static const char recorder[] = "{\"clock_realtime_ns\": " MOST ", \"clock_monotonic_ns\":" MOST
			       ",\"soc\":\"ss928\",\"process\":\"0123456789abcdef\",\"pid\":" MOST "}";

static void test_job(void **state)
{
	struct job_test *t = *state;
	struct mp_job_process process;

	write_text(t->data, "recorder.json.0", recorder);
	job_open(t);
	assert_int_equal(mp_job_device(t->job, 0)->realtime_ns, INT64_MAX);
	assert_int_equal(mp_job_device(t->job, 0)->monotonic_ns, INT64_MAX);
	assert_true(mp_job_process(t->job, &process));
	assert_int_equal(process.pid, INT64_MAX);
}

static void test_facts(void **state)
{
	struct job_test *t = *state;
	char soc[MP_NAME_SIZE];
	struct mp_wall wall;
	int fd;

	write_text(t->data, "recorder.json.0", recorder);
	fd = mp_fd_hold(open(t->data, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
	assert_ok(mp_job_facts_read(fd, 0, &wall, soc, &t->err), &t->err);
	assert_int_equal(wall.realtime_ns, INT64_MAX);
	assert_int_equal(wall.monotonic_ns, INT64_MAX);
	assert_string_equal(soc, "ss928");
	assert_int_equal(mp_fd_drop(fd), 0);
}

static void test_environment(void **state)
{
	static const struct mp_environment given = {
	    .output = "out", .results = "results", .from_ns = INT64_MAX - 1, .until_ns = INT64_MAX};
	struct job_test *t = *state;
	struct mp_acl_session session;
	char *text;

	assert_ok(mp_environment_write(&text, &given, &t->err), &t->err);
	assert_int_equal(setenv(MP_ENVIRONMENT, text, 1), 0);
	assert_int_equal(mp_environment_session(&session, &t->err), 0);
	assert_int_equal(session.config.from_ns, INT64_MAX - 1);
	assert_int_equal(session.config.until_ns, INT64_MAX);
	mp_acl_session_free(&session);
	unsetenv(MP_ENVIRONMENT);
	free(text);
}

/* No key of acl.json has such a value: it is refused as it stands there. What belongs to others is copied. */
static void test_acl_json(void **state)
{
	static const char text[] = "{\"profiler\":{\"interval\":" MOST "},\"other\":" MOST "}";
	struct job_test *t = *state;
	struct mp_acl_json *file;
	char *written;

	assert_ok(mp_acl_json_parse(&file, MP_ACL_SVP, "a", text, sizeof(text) - 1, &t->err), &t->err);
	assert_int_equal(file->finding_count, 1);
	assert_string_equal(file->findings[0].value, MOST);
	assert_ok(mp_acl_json_text(file, &written, &t->err), &t->err);
	assert_non_null(strstr(written, "\"other\": " MOST));
	free(written);
	mp_acl_json_free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_job), TEST(test_facts), TEST(test_environment), TEST(test_acl_json)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
