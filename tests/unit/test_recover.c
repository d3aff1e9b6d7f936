/* test_recover.c: the way to the result of a process that crashed: no link is followed below what the user names. */
#include "support.h"

#include "recorder/arena.h"
#include "recorder/session.h"

/* A directory `top` with a link JOBL to a job elsewhere, whose file of events is too short, and a link `up` on the way.
 */
static void test_links(void **state)
{
	char *dir = temp_dir(), job[512], top[512], link[512], way[512], up[512];
	uint64_t events;
	struct mp_error err;

	(void)state;
	snprintf(job, sizeof(job), "%s/JOBX", dir);
	snprintf(top, sizeof(top), "%s/top", dir);
	snprintf(link, sizeof(link), "%s/top/JOBL", dir);
	snprintf(up, sizeof(up), "%s/top/up", dir);
	snprintf(way, sizeof(way), "%s/top/up/JOBX", dir);
	assert_int_equal(mkdir(job, 0700) || mkdir(top, 0700), 0);
	assert_int_equal(symlink(job, link) || symlink("..", up), 0);
	write_text(job, MP_ARENA_FILE, "short");
	/* links that the user names lead there */
	assert_int_equal(mp_recover(dir, job, &events, &err), -1);
	assert_non_null(strstr(err.text, "5 bytes"));
	assert_int_equal(mp_recover(link, link, &events, &err), -1);
	assert_int_equal(mp_recover(way, way, &events, &err), -1);
	/* those below it do not */
	assert_ok(mp_recover(top, link, &events, &err), &err);
	assert_ok(mp_recover(top, way, &events, &err), &err);
	remove_dir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_links)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
