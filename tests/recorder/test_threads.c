/*
 * test_threads.c: all calls from many threads at a time. Each call gets a code that some order of the calls would give.
 */
#include "child.h"

#include <pthread.h>
#include <stdatomic.h>

#include "family.h"
#include "msprof_recorder.h"

enum { THREADS = 16, CALLS = 150 };

static prof_config *configs[4];
static int ends[2];
static atomic_int started, stopped;

static bool is_one_of(int code, const int *codes)
{
	for (; *codes >= 0; codes++)
		if (*codes == code)
			return true;
	fprintf(stderr, "%d\n", code);
	return false;
}

#define CHECK_ONE_OF(call, ...) CHECK(is_one_of(call, (const int[]){__VA_ARGS__, -1}))

static void record(void)
{
	uint64_t begin = msprof_begin();
	struct msprof_op op = {.begin_ns = begin, .end_ns = begin + 10, .model_id = 3, .name = msprof_name("op")};

	msprof_api_end(begin, MSPROF_RUNTIME, msprof_name("call"), MSPROF_NO_MODEL);
	CHECK(msprof_op_publish(&op) == 0);
}

/* The library closes the copy. */
static int subscribe(void)
{
	int fd = dup(ends[1]), code;
	prof_subscribe_config *config = prof_create_subscribe_config(1, METRICS_NONE, &fd);

	CHECK(config);
	code = prof_subscribe(3, config);
	if (code)
		close(fd);
	CHECK(prof_destroy_subscribe_config(config) == 0);
	return code;
}

static void call_something(uint64_t random)
{
	const prof_config *config = configs[random / 16 % 4];
	int code;

	switch (random % 10) {
	case 0:
		CHECK_ONE_OF(prof_init("out", 3), 0, 100002, 148047);
		break;
	case 1:
	case 2:
		code = prof_start(config);
		started += code == 0;
		CHECK_ONE_OF(code, 0, 100042, 100043, 148047);
		break;
	case 3:
		code = prof_stop(config);
		stopped += code == 0;
		CHECK_ONE_OF(code, 0, 100010, 100043, 148047);
		break;
	case 4:
		if (random / 1024 % 8 == 0)
			CHECK_ONE_OF(prof_finalize(), 0, 100043, 148047);
		break;
	case 5:
		CHECK_ONE_OF(subscribe(), 0, 148046, 148047);
		break;
	case 6:
		CHECK_ONE_OF(prof_unsubscribe(3), 0, 100011, 148047);
		break;
	case 7:
		CHECK_ONE_OF(prof_op_size(&(size_t){0}), 0, 148047);
		break;
	default:
		record();
	}
}

static void *call_at_random(void *seed)
{
	uint64_t random = *(uint64_t *)seed;

	for (int i = 0; i < CALLS; i++)
		call_something(next_random(&random));
	return NULL;
}

static void *read_pipe(void *unused)
{
	char data[800];

	while (read(ends[0], data, sizeof(data)) > 0)
		;
	return unused;
}

static int run_at_random(void *unused)
{
	pthread_t ids[THREADS], reader;
	uint64_t seeds[THREADS];

	(void)unused;
	setenv("MSPROF_LOG", "off", 1);
	CHECK(acl_init(NULL) == 0);
	CHECK(pipe(ends) == 0);
	for (uint32_t i = 0; i < 4; i++)
		configs[i] = prof_create_config((uint32_t[]){i, i + 1}, 2, METRICS_NONE, NULL, 1);
	CHECK(pthread_create(&reader, NULL, read_pipe, NULL) == 0);
	for (uint64_t i = 0; i < THREADS; i++) {
		seeds[i] = i;
		CHECK(pthread_create(&ids[i], NULL, call_at_random, &seeds[i]) == 0);
	}
	for (int i = 0; i < THREADS; i++)
		CHECK(pthread_join(ids[i], NULL) == 0);
	CHECK(acl_finalize() == 0);
	close(ends[1]);
	CHECK(pthread_join(reader, NULL) == 0);
	for (int i = 0; i < 4; i++)
		CHECK(prof_destroy_config(configs[i]) == 0);
	CHECK(started >= stopped);
	return 0;
}

static void test_all_calls_at_random(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_at_random, NULL, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_calls_at_random)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
