/* test_pipe.c: operators through a pipe, from what is published to what the reader asks. Built for each family. */
#include "child.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

#include "family.h"
#include "msprof_recorder.h"

/* The vendor's record, as a compiler lays it out: a second opinion of schema/pipe/op_desc.rec. */
struct op_desc {
	uint32_t signature, model_id, flag, thread_id;
	uint64_t op_index, duration, start, end, execution_time, cube_ops, vector_ops;
	uint32_t device_id;
};

static uint32_t crc32c(const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < size; i++) {
		crc ^= at[i];
		for (int bit = 0; bit < 8; bit++)
			crc = crc & 1 ? crc >> 1 ^ 0x82f63b78 : crc >> 1;
	}
	return crc;
}

static int ends[2];
static prof_subscribe_config *config;

static void open_pipe(void)
{
	CHECK(acl_init(NULL) == 0);
	CHECK(pipe(ends) == 0);
	config = prof_create_subscribe_config(1, METRICS_NONE, &ends[1]);
	CHECK(config);
}

static void close_pipe(void)
{
	CHECK(close(ends[0]) == 0);
	CHECK(prof_destroy_subscribe_config(config) == 0);
	CHECK(acl_finalize() == 0);
}

static void publish(uint32_t model_id, const char *name, const char *type, uint64_t begin_ns, uint64_t end_ns)
{
	struct msprof_op op = {.begin_ns = begin_ns,
	    .end_ns = end_ns,
	    .model_id = model_id,
	    .name = msprof_name(name),
	    .type = msprof_name(type)};

	CHECK(msprof_op_publish(&op) == 0);
}

static void publish_now(uint32_t model_id, const char *name)
{
	uint64_t now = msprof_begin();

	publish(model_id, name, "Test", now, now + 5000);
}

/* All that comes until the end of the pipe. */
static size_t read_all(void *buffer, size_t size)
{
	size_t len = 0;

	for (;;) {
		ssize_t n = read(ends[0], (char *)buffer + len, size - len);

		CHECK(n >= 0);
		if (n == 0)
			return len;
		len += (size_t)n;
		CHECK(len < size);
	}
}

/* ---------------------------------------------------------------- */

static int run_record(void *unused)
{
	struct op_desc ops[4];
	uint64_t now;

	(void)unused;
	open_pipe();
	CHECK(prof_subscribe(3, config) == 0);
	now = msprof_begin();
	publish(3, "conv1", "Convolution", now + 1999, now + 9001);
	publish(4, "other", "Convolution", now, now + 1000);
	publish(3, "relu1", "Relu", now + 9001, now + 9001);
	CHECK(prof_unsubscribe(3) == 0);
	CHECK(sizeof(struct op_desc) == 80);
	CHECK(read_all(ops, sizeof(ops)) == 2 * sizeof(ops[0]));
	CHECK(ops[0].signature == crc32c(&ops[0].model_id, sizeof(ops[0]) - sizeof(uint32_t)));
	CHECK(ops[0].model_id == 3 && ops[0].flag == 0 && ops[0].thread_id == (uint32_t)getpid() &&
	      ops[0].device_id == 0);
	CHECK(ops[0].start == (now + 1999) / 1000 && ops[0].end == (now + 9001) / 1000);
	CHECK(ops[0].duration == ops[0].end - ops[0].start && ops[0].execution_time == ops[0].duration);
	CHECK(ops[1].duration == 0 && ops[1].op_index != ops[0].op_index);
	CHECK(ops[0].cube_ops == 0 && ops[0].vector_ops == 0);
	close_pipe();
	return 0;
}

static void test_record(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_record, NULL, NULL), 0);
}

static void check_getters(const struct op_desc *ops, size_t len, const char *long_name)
{
	char name[257], type[65];
	size_t n;
	uint32_t count;

	CHECK(prof_op_size(&n) == 0 && n == 80);
	CHECK(prof_op_num(ops, len, &count) == 0 && count == 3);
	CHECK(prof_op_num(ops, 0, &count) == 0 && count == 0);
	CHECK(prof_op_name_len(ops, len, 1, &n) == 0 && n == 257);
	CHECK(prof_op_name(ops, len, 1, name, sizeof(name)) == 0 && strcmp(name, long_name) == 0);
	CHECK(prof_op_type_len(ops, len, 1, &n) == 0 && n == 65);
	CHECK(prof_op_type(ops, len, 1, type, sizeof(type)) == 0 && strncmp(type, long_name, 64) == 0 &&
	      strlen(type) == 64);
	CHECK(prof_op_name_len(ops, len, 0, &n) == 0 && n == 6);
	CHECK(prof_op_name(ops, len, 0, name, 6) == 0 && strcmp(name, "conv1") == 0);
	CHECK(prof_op_name(ops, len, 0, name, 5) == 100000);
	CHECK(prof_op_type(ops, len, 0, type, 11) == 100000);
	CHECK(prof_op_type(ops, len, 0, type, 12) == 0 && strcmp(type, "Convolution") == 0);
	CHECK(prof_op_start(ops, len, 0) == ops[0].start && prof_op_end(ops, len, 0) == ops[0].end);
	CHECK(prof_op_duration(ops, len, 0) == ops[0].end - ops[0].start);
	CHECK(prof_model_id(ops, len, 2) == 9);
}

static void check_refusals(struct op_desc *ops, size_t len)
{
	char name[257];
	size_t n;
	uint32_t count;

	CHECK(prof_op_num(ops, len - 1, &count) == 100000);
	CHECK(prof_op_num(NULL, len, &count) == 100000);
	CHECK(prof_op_num(ops, len, NULL) == 100000);
	CHECK(prof_op_size(NULL) == 100000);
	CHECK(prof_op_name(ops, len, 3, name, sizeof(name)) == 100000);
	CHECK(prof_op_name(ops, len, 0, NULL, sizeof(name)) == 100000);
	CHECK(prof_op_name_len(ops, len, 0, NULL) == 100000);
	CHECK(prof_op_start(ops, len, 3) == 0 && prof_op_end(NULL, len, 0) == 0 &&
	      prof_op_duration(ops, len - 1, 0) == 0);
	ops[1].start ^= 1;
	CHECK(prof_op_num(ops, len, &count) == 100000);
	CHECK(prof_op_name(ops, len, 1, name, sizeof(name)) == 100000);
	CHECK(prof_op_type_len(ops, len, 1, &n) == 100000);
	CHECK(prof_op_start(ops, len, 1) == 0 && prof_model_id(ops, len, 1) == 0);
	CHECK(prof_op_name(ops, len, 0, name, sizeof(name)) == 0);
	ops[1].start ^= 1;
}

static int run_getters(void *unused)
{
	struct op_desc ops[8];
	char long_name[257];
	size_t len;
	uint64_t now;

	(void)unused;
	memset(long_name, 'x', 256);
	long_name[256] = '\0';
	open_pipe();
	CHECK(prof_subscribe(9, config) == 0);
	now = msprof_begin();
	publish(9, "conv1", "Convolution", now, now + 7000);
	publish(9, long_name, long_name, now, now + 7000);
	publish(9, "", "", now, now + 7000);
	CHECK(prof_unsubscribe(9) == 0);
	len = read_all(ops, sizeof(ops));
	for (int i = 0; i < 2; i++) /* names are not used up by reading them */
		check_getters(ops, len, long_name);
	check_refusals(ops, len);
	close_pipe();
	return 0;
}

static void test_getters(void **state)
{
	char *dir;

	(void)state;
	assert_int_equal(in_child(run_getters, NULL, &dir), 0);
	assert_said(dir, "EK0001");
	assert_said(dir, "EK0006");
	assert_said(dir, "the signature of a record is wrong");
	remove_dir(dir);
}

/* In the order of the Python sample, reading while it is written; nothing is left open. */
static void *read_until_end(void *arg)
{
	char data[80 * 10];
	size_t held = 0;
	long *count = arg;
	ssize_t n;

	while ((n = read(ends[0], data + held, 123)) > 0) { /* a size that no record has */
		uint32_t ops;

		held += (size_t)n;
		CHECK(prof_op_num(data, held / 80 * 80, &ops) == 0);
		for (uint32_t i = 0; i < ops; i++)
			CHECK(prof_model_id(data, ops * 80, i) == 5 && prof_op_duration(data, ops * 80, i) == 5);
		*count += ops;
		memmove(data, data + ops * 80, held - ops * 80);
		held -= ops * 80;
	}
	CHECK(n == 0 && held == 0);
	return NULL;
}

static int run_sample(void *unused)
{
	pthread_t reader;
	long count = 0;
	int before;

	(void)unused;
	CHECK(acl_init(NULL) == 0);
	before = count_fds();
	CHECK(pipe(ends) == 0);
	config = prof_create_subscribe_config(1, METRICS_NONE, &ends[1]);
	CHECK(config && prof_subscribe(5, config) == 0);
	CHECK(pthread_create(&reader, NULL, read_until_end, &count) == 0);
	for (int i = 0; i < 30000; i++) {
		uint64_t now = msprof_begin() / 1000 * 1000;

		publish(5, "conv", "Convolution", now + 1000, now + 6000);
		if (i % 1000 == 0)
			nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
	}
	CHECK(prof_unsubscribe(5) == 0);
	CHECK(pthread_join(reader, NULL) == 0);
	CHECK(count == 30000);
	CHECK(close(ends[0]) == 0);
	CHECK(close(ends[1]) == -1 && errno == EBADF);
	CHECK(prof_destroy_subscribe_config(config) == 0);
	CHECK(count_fds() == before);
	CHECK(acl_finalize() == 0);
	return 0;
}

static void test_sample(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_sample, NULL, NULL), 0);
}

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
	} else { /* before it, and its number is another file's by then */
		CHECK(close(ends[1]) == 0);
		other = open("file", O_CREAT | O_WRONLY, 0600);
		CHECK(other == ends[1]);
		CHECK(prof_unsubscribe(5) == 0);
		CHECK(write(other, "x", 1) == 1);
	}
	CHECK(read_all(ops, sizeof(ops)) == 80);
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
	CHECK(len > 0 && len % 80 == 0);
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

static int run_two_models(void *unused)
{
	struct op_desc ops[8];
	struct msprof_op late = {.model_id = 1, .name = msprof_name("late"), .type = msprof_name("Test")};

	(void)unused;
	open_pipe();
	publish_now(1, "before"); /* nobody records yet */
	CHECK(prof_subscribe(1, config) == 0);
	late.begin_ns = msprof_begin();
	CHECK(prof_subscribe(2, config) == 0);
	late.end_ns = late.begin_ns + 1;
	CHECK(msprof_op_publish(&late) == 0); /* began after model 1 was subscribed */
	late.model_id = 2;
	CHECK(msprof_op_publish(&late) == 0); /* began before model 2 was */
	publish_now(1, "a");
	publish_now(2, "b");
	CHECK(prof_unsubscribe(1) == 0);
	publish_now(1, "a"); /* nobody's any longer */
	publish_now(2, "b");
	CHECK(prof_unsubscribe(2) == 0);
	CHECK(read_all(ops, sizeof(ops)) == 4 * 80);
	CHECK(ops[0].model_id == 1 && ops[1].model_id == 1 && ops[2].model_id == 2 && ops[3].model_id == 2);
	close_pipe();
	return 0;
}

static void test_two_models_on_one_pipe(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_two_models, NULL, NULL), 0);
}

static int run_fork(void *unused)
{
	struct op_desc ops[8];
	int status;
	pid_t pid;

	(void)unused;
	open_pipe();
	CHECK(prof_subscribe(1, config) == 0);
	publish_now(1, "a");
	pid = fork();
	if (pid == 0) {
		publish_now(1, "child");
		_exit(prof_unsubscribe(1) != 0 || prof_destroy_subscribe_config(config) != 0);
	}
	CHECK(waitpid(pid, &status, 0) == pid && status == 0);
	publish_now(1, "b");
	CHECK(prof_unsubscribe(1) == 0);
	CHECK(read_all(ops, sizeof(ops)) == 2 * 80);
	close_pipe();
	return 0;
}

static void test_fork(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_fork, NULL, NULL), 0);
}

/* A descriptor that does not wait, and one that takes other data first. */
static int run_nonblocking(void *unused)
{
	pthread_t reader;
	long count = 0;

	(void)unused;
	open_pipe();
	CHECK(fcntl(ends[1], F_SETFL, O_NONBLOCK) == 0);
	CHECK(prof_subscribe(5, config) == 0);
	for (int i = 0; i < 4000; i++)
		publish_now(5, "conv");
	CHECK(pthread_create(&reader, NULL, read_until_end, &count) == 0);
	CHECK(prof_unsubscribe(5) == 0);
	CHECK(pthread_join(reader, NULL) == 0);
	CHECK(count == 4000);
	close_pipe();
	return 0;
}

static void test_nonblocking(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_nonblocking, NULL, NULL), 0);
}

static int run_bad_descriptors(void *unused)
{
	int none = -1, closed = 200, file = open("file", O_CREAT | O_WRONLY, 0600);
	prof_subscribe_config *bad;

	(void)unused;
	open_pipe();
	CHECK(!prof_create_subscribe_config(1, METRICS_NONE, NULL));
	CHECK(!prof_create_subscribe_config(1, METRICS_NONE, &none));
	bad = prof_create_subscribe_config(1, METRICS_NONE, &closed);
	CHECK(bad && prof_subscribe(1, bad) == 100000 && prof_destroy_subscribe_config(bad) == 0);
	bad = prof_create_subscribe_config(1, METRICS_NONE, &file); /* as a number may be after it was closed */
	CHECK(bad && prof_subscribe(1, bad) == 100000 && prof_destroy_subscribe_config(bad) == 0);
	bad = prof_create_subscribe_config(1, METRICS_NONE, &ends[0]); /* the wrong end */
	CHECK(bad && prof_subscribe(1, bad) == 100000 && prof_destroy_subscribe_config(bad) == 0);
	CHECK(prof_destroy_subscribe_config(bad) == 100000); /* twice */
	CHECK(prof_destroy_subscribe_config(NULL) == 100000);
	CHECK(prof_subscribe(1, NULL) == 100000);
	CHECK(prof_unsubscribe(1) == 100011); /* nothing is subscribed */
	close_pipe();
	return 0;
}

static void test_bad_descriptors(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_bad_descriptors, NULL, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_record),
	    cmocka_unit_test(test_getters),
	    cmocka_unit_test(test_sample),
	    cmocka_unit_test(test_closed_by_application),
	    cmocka_unit_test(test_stalled_reader),
	    cmocka_unit_test(test_reader_gone),
	    cmocka_unit_test(test_two_models_on_one_pipe),
	    cmocka_unit_test(test_fork),
	    cmocka_unit_test(test_nonblocking),
	    cmocka_unit_test(test_bad_descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
