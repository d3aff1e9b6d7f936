/*
 * documented_acl.c: a program that uses only the vendor's documented names and types, for both ways to profile. Linked
 * only with libmsprof_aclprof. An argument is the directory to record into. Exits with 0 when every call succeeded.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "acl/acl.h"
#include "acl/acl_prof.h"

#define TRY(call)                                                                                                      \
	do {                                                                                                           \
		aclError code = (call);                                                                                \
		if (code != ACL_SUCCESS) {                                                                             \
			printf("%s: %d\n", #call, code);                                                               \
			return 1;                                                                                      \
		}                                                                                                      \
	} while (0)

/* The types of the calls that both ways below do not make. */
static aclError (*const others[])(const void *, size_t, uint32_t, size_t *) = {
    aclprofGetOpTypeLen, aclprofGetOpNameLen};
static aclError (*const set_config)(aclprofConfigType, const char *, size_t) = aclprofSetConfig;
static aclprofSubscribeOpFlag (*const get_flag)(const void *, size_t, uint32_t) = aclprofGetOpFlag;

static int write_files(const char *path)
{
	uint32_t devices[] = {0, 1}, range;
	aclprofConfig *config;
	void *stamp;

	TRY(aclprofInit(path, strlen(path)));
	TRY(set_config(ACL_PROF_STORAGE_LIMIT, "500MB", strlen("500MB")));
	config = aclprofCreateConfig(devices, 2, ACL_AICORE_ARITHMETIC_UTILIZATION, NULL,
	    ACL_PROF_ACL_API | ACL_PROF_TASK_TIME | ACL_PROF_AICORE_METRICS | ACL_PROF_AICPU | ACL_PROF_L2CACHE |
		ACL_PROF_HCCL_TRACE | ACL_PROF_MSPROFTX | ACL_PROF_RUNTIME_API);
	if (!config)
		return 1;
	TRY(aclprofStart(config));
	stamp = aclprofCreateStamp();
	if (!stamp)
		return 1;
	TRY(aclprofSetStampTraceMessage(stamp, "inference", strlen("inference")));
	TRY(aclprofPush(stamp));
	TRY(aclprofPop());
	TRY(aclprofRangeStart(stamp, &range));
	TRY(aclprofRangeStop(range));
	TRY(aclprofMark(stamp));
	aclprofDestroyStamp(stamp);
	TRY(aclprofStop(config));
	TRY(aclprofDestroyConfig(config));
	TRY(aclprofFinalize());
	return 0;
}

static void *read_operators(void *arg)
{
	static char data[4096];
	char name[ACL_PROF_MAX_OP_NAME_LEN], type[ACL_PROF_MAX_OP_TYPE_LEN];
	size_t size;
	ssize_t n;
	uint32_t count;

	if (aclprofGetOpDescSize(&size) || size * 10 > sizeof(data))
		return "size";
	while ((n = read(*(int *)arg, data, size * 10)) > 0) {
		size_t len = (size_t)n;

		if (aclprofGetOpNum(data, len, &count))
			return "number";
		for (uint32_t i = 0; i < count; i++) {
			if (aclprofGetOpType(data, len, i, type, sizeof(type)) ||
			    aclprofGetOpName(data, len, i, name, sizeof(name)))
				return "text";
			if (aclprofGetOpEnd(data, len, i) - aclprofGetOpStart(data, len, i) !=
			    aclprofGetOpDuration(data, len, i))
				return "time";
			if (aclprofGetModelId(data, len, i) != 1 || get_flag(data, len, i) != ACL_SUBSCRIBE_OP ||
			    others[0] == others[1])
				return "model";
		}
	}
	return NULL;
}

static int subscribe(void)
{
	int ends[2];
	aclprofSubscribeConfig *config;
	pthread_t reader;
	void *wrong;

	if (pipe(ends))
		return 1;
	config = aclprofCreateSubscribeConfig(1, ACL_AICORE_NONE, &ends[1]);
	if (!config)
		return 1;
	TRY(aclprofModelSubscribe(1, config));
	if (pthread_create(&reader, NULL, read_operators, &ends[0]))
		return 1;
	TRY(aclprofModelUnSubscribe(1));
	if (pthread_join(reader, &wrong) || wrong)
		return 1;
	close(ends[0]);
	TRY(aclprofDestroySubscribeConfig(config));
	return 0;
}

int main(int argc, char **argv)
{
	TRY(aclInit(NULL));
	if (write_files(argc > 1 ? argv[1] : ".") || subscribe())
		return 1;
	TRY(aclFinalize());
	return 0;
}
