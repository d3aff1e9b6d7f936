/* test_pipe_reader.c: readers that are slow, late or gone, and descriptors that others closed. */
#include "pipe.h"

/* The SS928 document's order: the application closes the write end itself. */
static int run_closed_by_application(void *when)
{
	struct op_desc ops[4];
	int other;

	open_pipe();
	CHECK(prof_subscribe(5, config) == 0);
	publish_now(5, "conv");
	if (when) { /* after the library did */
		CHECK(prof_unsubscribe(5) == 0);
		close(ends[1]);
	} else { /* before the library did; the number then belongs to another file */
		CHECK(close(ends[1]) == 0);
		other = open("file", O_CREAT | O_WRONLY, 0600);
		CHECK(other == ends[1]);
		CHECK(prof_unsubscribe(5) == 0);
		CHECK(write(other, "x", 1) == 1);
	}
	CHECK(read_all(ops, sizeof(ops)) == DESC_SIZE);
	close_pipe();
	return 0;
}

static void test_closed_by_application(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_closed_by_application, NULL, NULL), 0);
	assert_int_equal(in_child(run_closed_by_application, "after", NULL), 0);
}

static int run_stalled(void *unused)
{
	static struct op_desc ops[1100];
	struct timespec begin, end;
	size_t len;

	(void)unused;
	open_pipe();
	CHECK(prof_subscribe(5, config) == 0);
	for (int i = 0; i < 3000; i++)
		publish_now(5, "conv");
	clock_gettime(CLOCK_MONOTONIC, &begin);
	CHECK(prof_unsubscribe(5) == 0);
	clock_gettime(CLOCK_MONOTONIC, &end);
	CHECK(end.tv_sec - begin.tv_sec >= 1); /* it waited */
	len = read_all(ops, sizeof(ops));
	CHECK(len > 0 && len % DESC_SIZE == 0);
	CHECK(prof_op_num(ops, len, &(uint32_t){0}) == 0);
	close_pipe();
	return 0;
}

static void test_stalled_reader(void **state)
{
	char *dir;

	(void)state;
	assert_int_equal(in_child(run_stalled, NULL, &dir), 0);
	assert_said(dir, "records did not reach their reader");
	remove_dir(dir);
}

/* Stop this process for longer than it would wait for a reader, when a byte arrives; then send a byte back. */
static void stop_parent(int come, int go)
{
	char byte;

	if (read(come, &byte, 1) != 1)
		_exit(1);
	nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL); /* until it waits */
	kill(getppid(), SIGSTOP);
	nanosleep(&(struct timespec){.tv_sec = 2, .tv_nsec = 500000000}, NULL);
	kill(getppid(), SIGCONT);
	nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL); /* until it has noticed the delay */
	_exit(write(go, &byte, 1) != 1);
}

static int told[2];
static void *read_when_told(void *count)
{
	CHECK(read(told[0], &(char){0}, 1) == 1);
	return read_until_end(count);
}

static int run_stopped(void *unused)
{
	int asked[2], status;
	pthread_t reader;
	long count = 0;
	pid_t pid;

	(void)unused;
	CHECK(pipe(asked) == 0 && pipe(told) == 0);
	pid = fork();
	if (pid == 0)
		stop_parent(asked[0], told[1]);
	open_pipe();
	CHECK(prof_subscribe(5, config) == 0);
	for (int i = 0; i < 3000; i++)
		publish_now(5, "conv");
	CHECK(pthread_create(&reader, NULL, read_when_told, &count) == 0);
	CHECK(write(asked[1], "x", 1) == 1);
	CHECK(prof_unsubscribe(5) == 0);
	CHECK(pthread_join(reader, NULL) == 0);
	CHECK(count == 3000);
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	close_pipe();
	return 0;
}

static void test_stopped_for_a_while(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_stopped, NULL, NULL), 0);
}

static int run_reader_gone(void *unused)
{
	(void)unused;
	signal(SIGPIPE, SIG_DFL);
	open_pipe();
	CHECK(prof_subscribe(5, config) == 0);
	CHECK(close(ends[0]) == 0);
	for (int i = 0; i < 3; i++) {
		publish_now(5, "conv");
		nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
	}
	CHECK(prof_unsubscribe(5) == 0);
	CHECK(prof_destroy_subscribe_config(config) == 0);
	CHECK(acl_finalize() == 0);
	return 0;
}

static void test_reader_gone(void **state)
{
	char *dir;

	(void)state;
	assert_int_equal(in_child(run_reader_gone, NULL, &dir), 0);
	assert_said(dir, "model 5: 3 records did not reach their reader");
	remove_dir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_closed_by_application),
	    cmocka_unit_test(test_stalled_reader),
	    cmocka_unit_test(test_stopped_for_a_while),
	    cmocka_unit_test(test_reader_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
