/* test_pipe.c: operators through a pipe, from publishing to reading. Built for each family. */
#include "pipe.h"

static uint64_t published_ns;

#ifdef FAMILY_SVP

static uint64_t since_1970_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static bool is_text(const char *field, size_t room, uint32_t size, const char *text)
{
	char want[64] = "";

	snprintf(want, sizeof(want), "%s", text);
	return size == strlen(text) + 1 && memcmp(field, want, room) == 0;
}

static bool are_zero(const void *bytes, size_t size)
{
	const char *at = bytes;

	for (size_t i = 0; i < size; i++)
		if (at[i])
			return false;
	return true;
}

/* Times of the record are those of the wall clock: of a moment between the subscription and now. */
static void check_records(const struct op_desc *ops, uint64_t before_us)
{
	uint64_t now_us = since_1970_us();

	for (int i = 0; i < 2; i++) {
		CHECK(ops[i].model_id == 3 && are_zero(ops[i].hardware, sizeof(ops[i].hardware)));
		CHECK(are_zero(ops[i].unused, sizeof(ops[i].unused)) && !ops[i].between);
		CHECK(ops[i].start >= before_us && ops[i].start <= now_us + 10);
		CHECK(ops[i].end - ops[i].start == ops[i].duration);
	}
	CHECK(ops[0].duration == 7 || ops[0].duration == 8);
	CHECK(ops[1].duration == 0 && ops[1].start == ops[0].end);
	CHECK(is_text(ops[0].type, TYPE_SIZE, ops[0].type_size, "Convolution"));
	CHECK(is_text(ops[0].name, NAME_SIZE, ops[0].name_size, "conv1"));
	CHECK(is_text(ops[1].type, TYPE_SIZE, ops[1].type_size, "Relu"));
	CHECK(is_text(ops[1].name, NAME_SIZE, ops[1].name_size, "relu1"));
}

static void damage(struct op_desc *op)
{
	op->name_size ^= 1;
}
static const char damaged[] = "a text of a record has another length than the record tells";

#else

static uint64_t since_1970_us(void)
{
	return 0;
}

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

static void check_records(const struct op_desc *ops, uint64_t before_us)
{
	(void)before_us;
	CHECK(ops[0].signature == crc32c(&ops[0].model_id, sizeof(ops[0]) - sizeof(uint32_t)));
	CHECK(ops[0].model_id == 3 && ops[0].flag == 0 && ops[0].thread_id == (uint32_t)getpid() &&
	      ops[0].device_id == 0);
	CHECK(ops[0].start == (published_ns + 1999) / 1000 && ops[0].end == (published_ns + 9001) / 1000);
	CHECK(ops[0].duration == ops[0].end - ops[0].start && ops[0].execution_time == ops[0].duration);
	CHECK(ops[1].duration == 0 && ops[1].op_index != ops[0].op_index);
	CHECK(ops[0].cube_ops == 0 && ops[0].vector_ops == 0);
}

static void damage(struct op_desc *op)
{
	op->start ^= 1;
}
static const char damaged[] = "the signature of a record is wrong";

#endif

/* ---------------------------------------------------------------- */

static int run_record(void *unused)
{
	struct op_desc ops[4];
	uint64_t now, before_us = since_1970_us();

	(void)unused;
	open_pipe();
	CHECK(prof_subscribe(3, config) == 0);
	published_ns = now = msprof_begin();
	publish(3, "conv1", "Convolution", now + 1999, now + 9001);
	publish(4, "other", "Convolution", now, now + 1000);
	publish(3, "relu1", "Relu", now + 9001, now + 9001);
	CHECK(prof_unsubscribe(3) == 0);
	CHECK(sizeof(struct op_desc) == DESC_SIZE);
	CHECK(read_all(ops, sizeof(ops)) == 2 * sizeof(ops[0]));
	check_records(ops, before_us);
	close_pipe();
	return 0;
}

static void test_record(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_record, NULL, NULL), 0);
}

/* Texts that are too long for their place are cut: of boards in the record, of Ascend only types. */
static void check_getters(const struct op_desc *ops, size_t len, const char *long_name)
{
	char name[257], type[65];
	size_t n;
	uint32_t count;

	CHECK(prof_op_size(&n) == 0 && n == DESC_SIZE);
	CHECK(prof_op_num(ops, len, &count) == 0 && count == 3);
	CHECK(prof_op_num(ops, 0, &count) == 0 && count == 0);
	CHECK(prof_op_name_len(ops, len, 1, &n) == 0 && n == NAME_SIZE);
	CHECK(prof_op_name(ops, len, 1, name, sizeof(name)) == 0 && strlen(name) == NAME_SIZE - 1 &&
	      strncmp(name, long_name, NAME_SIZE - 1) == 0);
	CHECK(prof_op_type_len(ops, len, 1, &n) == 0 && n == TYPE_SIZE);
	CHECK(prof_op_type(ops, len, 1, type, sizeof(type)) == 0 && strlen(type) == TYPE_SIZE - 1 &&
	      strncmp(type, long_name, TYPE_SIZE - 1) == 0);
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
	damage(&ops[1]);
	CHECK(prof_op_num(ops, len, &count) == 100000);
	CHECK(prof_op_name(ops, len, 1, name, sizeof(name)) == 100000);
	CHECK(prof_op_type_len(ops, len, 1, &n) == 100000);
	CHECK(prof_op_start(ops, len, 1) == 0 && prof_model_id(ops, len, 1) == 0);
	CHECK(prof_op_name(ops, len, 0, name, sizeof(name)) == 0);
	damage(&ops[1]);
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
	for (int i = 0; i < 2; i++) /* reading a name does not consume it */
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
	assert_said(dir, damaged);
	remove_dir(dir);
}

/* The order of the Python sample: reading during writing; nothing stays open. */
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
	publish_now(1, "a"); /* no subscription any longer */
	publish_now(2, "b");
	CHECK(prof_unsubscribe(2) == 0);
	CHECK(read_all(ops, sizeof(ops)) == 4 * DESC_SIZE);
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
	CHECK(read_all(ops, sizeof(ops)) == 2 * DESC_SIZE);
	close_pipe();
	return 0;
}

static void test_fork(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_fork, NULL, NULL), 0);
}

/* A nonblocking descriptor, and a pipe that carries other data first. */
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
	bad = prof_create_subscribe_config(1, METRICS_NONE, &file); /* a number may mean this after it was closed */
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
	    cmocka_unit_test(test_two_models_on_one_pipe),
	    cmocka_unit_test(test_fork),
	    cmocka_unit_test(test_nonblocking),
	    cmocka_unit_test(test_bad_descriptors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
