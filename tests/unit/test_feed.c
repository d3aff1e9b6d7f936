/* test_feed.c: the resources of a feed. */
#include "join/feed.h"

#include <fcntl.h>
#include <unistd.h>

#include "support.h"

/* An import that fails early closes all feeds, also feeds that were never opened. */
static void test_one_that_was_never_opened_closes_nothing(void **state)
{
	static struct mp_feed feed;
	int fd = open("/dev/null", O_RDONLY);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(dup2(fd, STDIN_FILENO), STDIN_FILENO);
	mp_feed_close(&feed);
	assert_true(fcntl(STDIN_FILENO, F_GETFD) >= 0);
	if (fd != STDIN_FILENO)
		close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_that_was_never_opened_closes_nothing)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
