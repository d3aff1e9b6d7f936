/* test_stamps.c: marks and ranges. Built for the family with these calls. */
#include "child.h"

#include <pthread.h>

#include "acl/acl_msprof.h"
#include "family.h"

static aclprofConfig *config;

static void start(void)
{
	CHECK(aclInit(NULL) == 0 && aclprofInit("out", 3) == 0);
	config = aclprofCreateConfig((uint32_t[]){0}, 1, ACL_AICORE_NONE, NULL, ACL_PROF_ACL_API);
	CHECK(aclprofStart(config) == 0);
}

static void end(void)
{
	CHECK(aclprofStop(config) == 0 && aclprofDestroyConfig(config) == 0);
	CHECK(aclprofFinalize() == 0 && aclFinalize() == 0);
}

static void *new_stamp(const char *message)
{
	void *stamp = aclprofCreateStamp();

	CHECK(stamp && aclprofSetStampTraceMessage(stamp, message, (uint32_t)strlen(message)) == 0);
	return stamp;
}

static int run_only_between(void *unused)
{
	uint32_t range;
	void *stamp;

	(void)unused;
	CHECK(!aclprofCreateStamp());
	CHECK(aclprofPop() == 100043);
	CHECK(aclInit(NULL) == 0 && aclprofInit("out", 3) == 0);
	CHECK(!aclprofCreateStamp());
	config = aclprofCreateConfig((uint32_t[]){0}, 1, ACL_AICORE_NONE, NULL, ACL_PROF_ACL_API);
	CHECK(aclprofStart(config) == 0);
	stamp = new_stamp("message");
	CHECK(aclprofMark(stamp) == 0);
	CHECK(aclprofStop(config) == 0);
	CHECK(aclprofMark(stamp) == 100043 && aclprofPush(stamp) == 100043 && aclprofPop() == 100043);
	CHECK(aclprofRangeStart(stamp, &range) == 100043 && aclprofRangeStop(1) == 100043);
	CHECK(aclprofSetStampTraceMessage(stamp, "x", 1) == 100043);
	aclprofDestroyStamp(stamp);
	CHECK(aclprofDestroyConfig(config) == 0);
	CHECK(aclprofFinalize() == 0 && aclFinalize() == 0);
	return 0;
}

static void test_only_between_start_and_stop(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_only_between, NULL, NULL), 0);
}

static int run_arguments(void *unused)
{
	char longest[129];
	uint32_t range, other;
	void *stamp;

	(void)unused;
	memset(longest, 'm', 128);
	longest[128] = '\0';
	start();
	stamp = new_stamp("m");
	CHECK(aclprofSetStampTraceMessage(stamp, NULL, 1) == 100000);
	CHECK(aclprofSetStampTraceMessage(stamp, "m", 0) == 100000);
	CHECK(aclprofSetStampTraceMessage(stamp, "m", 2) == 100000);
	CHECK(aclprofSetStampTraceMessage(stamp, longest, 128) == 100000);
	CHECK(aclprofSetStampTraceMessage(stamp, longest, 127) == 0);
	CHECK(aclprofMark(NULL) == 100000 && aclprofPush(NULL) == 100000);
	CHECK(aclprofMark(longest) == 100000);
	CHECK(aclprofPop() == 100000);
	CHECK(aclprofRangeStart(stamp, NULL) == 100000);
	CHECK(aclprofRangeStop(77) == 100000);
	CHECK(aclprofRangeStart(stamp, &range) == 0);
	CHECK(aclprofRangeStart(stamp, &other) == 100000 && aclprofPush(stamp) == 100000);
	CHECK(aclprofRangeStop(range + 1) == 100000);
	CHECK(aclprofRangeStop(range) == 0 && aclprofRangeStop(range) == 100000);
	CHECK(aclprofPush(stamp) == 0 && aclprofPush(stamp) == 100000 && aclprofPop() == 0 && aclprofPop() == 100000);
	aclprofDestroyStamp(stamp);
	CHECK(aclprofMark(stamp) == 100000);
	aclprofDestroyStamp(stamp);
	aclprofDestroyStamp(NULL);
	end();
	return 0;
}

static void test_arguments(void **state)
{
	char *dir;

	(void)state;
	assert_int_equal(in_child(run_arguments, NULL, &dir), 0);
	assert_said(dir, "EK0001 aclprofDestroyStamp");
	assert_said(dir, "EK0006 aclprofDestroyStamp");
	remove_dir(dir);
}

static int run_pool(void *unused)
{
	void *stamps[100];

	(void)unused;
	start();
	for (int i = 0; i < 100; i++) {
		stamps[i] = aclprofCreateStamp();
		CHECK(stamps[i]);
	}
	CHECK(!aclprofCreateStamp());
	aclprofDestroyStamp(stamps[42]);
	CHECK(aclprofCreateStamp() == stamps[42]);
	CHECK(aclprofPush(stamps[1]) == 0 && aclprofRangeStart(stamps[2], &(uint32_t){0}) == 0);
	for (int i = 2; i < 100; i++)
		aclprofDestroyStamp(stamps[i]);
	CHECK(aclprofStop(config) == 0);
	CHECK(aclprofStart(config) == 0);
	CHECK(aclprofPop() == 100000); /* the push belonged to another session */
	CHECK(aclprofPush(stamps[1]) == 0 && aclprofPop() == 0);
	end();
	return 0;
}

static void test_pool_and_leaks(void **state)
{
	char *dir;

	(void)state;
	assert_int_equal(in_child(run_pool, NULL, &dir), 0);
	assert_said(dir, "all 100 stamps are in use");
	assert_said(dir, "is still pushed or a range");
	assert_said(dir, "aclprofStop: 2 ranges were begun and not ended");
	assert_said(dir, "aclprofStop: 2 stamps were created and not destroyed");
	remove_dir(dir);
}

/* ---------------------------------------------------------------- without stamps */

static int run_ranges_of_operators(void *unused)
{
	aclprofTensorInfo info = {.opNameId = aclprofStr2Id("conv1")};
	aclprofEventAttributes good = {.message = {&info}}, empty = {.message = {NULL}}, other = {.messageType = 1};

	(void)unused;
	CHECK(aclprofStr2Id(NULL) == 0 && aclprofStr2Id("") == 0 && aclprofStr2Id("conv1") == info.opNameId);
	CHECK(aclprofRangePop() == 100000);
	CHECK(aclprofRangePushEx(NULL) == 100000 && aclprofRangePushEx(&empty) == 100000);
	CHECK(aclprofRangePushEx(&other) == 100000 && aclprofRangePop() == 100000);
	start();
	for (int i = 0; i < 64; i++)
		CHECK(aclprofRangePushEx(&good) == 0);
	CHECK(aclprofRangePushEx(&good) == 100000);
	for (int i = 0; i < 64; i++)
		CHECK(aclprofRangePop() == 0);
	CHECK(aclprofRangePop() == 100000);
	end();
	return 0;
}

static void test_ranges_of_operators(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_ranges_of_operators, NULL, NULL), 0);
}

static int run_marks_and_steps(void *unused)
{
	char longest[129];
	aclprofStepInfo *step = aclprofCreateStepInfo();

	(void)unused;
	memset(longest, 'm', 128);
	longest[128] = '\0';
	CHECK(step && aclprofMarkEx("m", 1, &step) == 100043);
	start();
	CHECK(aclprofMarkEx(NULL, 1, &step) == 100000 && aclprofMarkEx("m", 0, &step) == 100000);
	CHECK(aclprofMarkEx("m", 2, &step) == 100000 && aclprofMarkEx("mm", 1, &step) == 100000);
	CHECK(aclprofMarkEx(longest, 128, &step) == 100000 && aclprofMarkEx(longest + 1, 127, NULL) == 0);
	CHECK(aclprofGetStepTimestamp(NULL, ACL_STEP_START, NULL) == 100000);
	CHECK(aclprofGetStepTimestamp((aclprofStepInfo *)longest, ACL_STEP_START, NULL) == 100000);
	CHECK(aclprofGetStepTimestamp(step, (aclprofStepTag)2, NULL) == 100000);
	CHECK(aclprofGetStepTimestamp(step, ACL_STEP_START, NULL) == 0);
	CHECK(aclprofGetStepTimestamp(step, ACL_STEP_START, NULL) == 100000);
	CHECK(aclprofGetStepTimestamp(step, ACL_STEP_END, NULL) == 0);
	CHECK(aclprofGetStepTimestamp(step, ACL_STEP_END, NULL) == 100000);
	aclprofDestroyStepInfo(step);
	CHECK(aclprofGetStepTimestamp(step, ACL_STEP_END, NULL) == 100000);
	aclprofDestroyStepInfo(step);
	aclprofDestroyStepInfo(NULL);
	end();
	return 0;
}

static void test_marks_and_steps(void **state)
{
	char *dir;

	(void)state;
	assert_int_equal(in_child(run_marks_and_steps, NULL, &dir), 0);
	assert_said(dir, "EK0002 aclprofMarkEx: call aclprofStart first");
	assert_said(dir, "EK0001 aclprofGetStepTimestamp: value '2' of parameter 'tag' is invalid");
	assert_said(dir, "EK0001 aclprofDestroyStepInfo");
	assert_said(dir, "EK0006 aclprofDestroyStepInfo");
	remove_dir(dir);
}

static int run_lookups(void *unused)
{
	int here;
	size_t count;
	void *list = &here;

	(void)unused;
	CHECK(aclprofWarmup(NULL) == 100043);
	CHECK(
	    aclprofGetSupportedFeatures(NULL, &list) == 100000 && aclprofGetSupportedFeatures(&count, NULL) == 100000);
	CHECK(aclprofGetSupportedFeaturesV2(&count, &list) == 100000);
	list = NULL;
	CHECK(aclprofGetSupportedFeaturesV2(&count, &list) == 0 && count == 0 && list);
	CHECK(!aclprofGetOpAttriValue(NULL, 80, 0, ACL_SUBSCRIBE_ATTRI_THREADID));
	CHECK(aclprofSetStampCategory(NULL, 1) == 100000 && aclprofSetStampPayload(NULL, 1, &here) == 100000);
	CHECK(aclprofSetCategoryName(1, NULL) == 100000 && aclprofReportStamp(NULL, 0, NULL, 0) == 100000);
	start();
	CHECK(aclprofWarmup(config) == 100042);
	CHECK(aclprofSetStampTagName(new_stamp("m"), NULL, 0) == 100000);
	CHECK(aclprofStop(config) == 0 && aclprofWarmup(config) == 0 && aclprofWarmup(NULL) == 100000);
	CHECK(aclprofDestroyConfig(config) == 0 && aclprofFinalize() == 0 && aclFinalize() == 0);
	return 0;
}

static void test_lookups(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_lookups, NULL, NULL), 0);
}

/* ---------------------------------------------------------------- threads */

static void *push_and_pop(void *arg)
{
	uint32_t *range = arg;

	CHECK(aclprofPop() == 100000); /* pushes of another thread belong to that thread */
	for (int i = 0; i < 200; i++) {
		void *outer = new_stamp("outer"), *inner = new_stamp("inner");

		CHECK(aclprofPush(outer) == 0 && aclprofPush(inner) == 0);
		CHECK(aclprofMark(inner) == 0);
		CHECK(aclprofPop() == 0 && aclprofPop() == 0 && aclprofPop() == 100000);
		aclprofDestroyStamp(outer);
		aclprofDestroyStamp(inner);
	}
	if (*range)
		CHECK(aclprofRangeStop(*range) == 0); /* begun by another */
	return NULL;
}

static int run_threads(void *unused)
{
	pthread_t ids[16];
	uint32_t ranges[16] = {0};
	void *mine, *shared;

	(void)unused;
	start();
	mine = new_stamp("mine");
	shared = new_stamp("shared");
	CHECK(aclprofPush(mine) == 0 && aclprofRangeStart(shared, &ranges[3]) == 0);
	for (int i = 0; i < 16; i++)
		CHECK(pthread_create(&ids[i], NULL, push_and_pop, &ranges[i]) == 0);
	for (int i = 0; i < 16; i++)
		CHECK(pthread_join(ids[i], NULL) == 0);
	CHECK(aclprofPop() == 0);
	aclprofDestroyStamp(mine);
	aclprofDestroyStamp(shared);
	end();
	return 0;
}

static void test_threads(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_threads, NULL, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_only_between_start_and_stop),
	    cmocka_unit_test(test_arguments),
	    cmocka_unit_test(test_pool_and_leaks),
	    cmocka_unit_test(test_ranges_of_operators),
	    cmocka_unit_test(test_marks_and_steps),
	    cmocka_unit_test(test_lookups),
	    cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
