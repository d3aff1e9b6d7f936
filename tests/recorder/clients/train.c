/*
 * train.c: a client of the calls for trainings: steps, marks on a stream, ranges of operators, features, warming up.
 * Uses the public names and types alone. An argument is the directory to record into. Exits with 0 when every call
 * succeeded.
 */
#include <stdio.h>
#include <string.h>

#include "acl/acl.h"
#include "acl/acl_prof.h"

#define TRY(call)                                                                                                      \
	do {                                                                                                           \
		aclError code = (call);                                                                                \
		if (code != ACL_ERROR_NONE) {                                                                          \
			printf("%s: %d\n", #call, code);                                                               \
			return 1;                                                                                      \
		}                                                                                                      \
	} while (0)

static int run_operator(const char *name, const char *type, aclrtStream stream)
{
	aclprofTensor tensors[2] = {
	    {.type = 0, .format = ACL_FORMAT_ND, .dataType = ACL_FLOAT16, .shapeDim = 2, .shape = {16, 32}},
	    {.type = 1, .format = ACL_FORMAT_ND, .dataType = ACL_FLOAT16, .shapeDim = 1, .shape = {16}}};
	aclprofTensorInfo info = {.opNameId = aclprofStr2Id(name),
	    .opTypeId = aclprofStr2Id(type),
	    .tensorNum = 2,
	    .stream = stream,
	    .tensors = tensors};
	aclprofEventAttributes attributes = {.version = ACL_PROF_EVENT_ATTR_VERSION,
	    .size = sizeof(attributes),
	    .messageType = ACL_PROF_MESSAGE_TYPE_TENSOR_INFO,
	    .message = {&info}};

	TRY(aclprofRangePushEx(&attributes));
	TRY(aclprofMarkEx("launched", strlen("launched"), stream));
	TRY(aclprofRangePop());
	return 0;
}

static int run_steps(aclrtStream stream)
{
	for (int i = 0; i < 3; i++) {
		aclprofStepInfo *step = aclprofCreateStepInfo();

		if (!step)
			return 1;
		TRY(aclprofGetStepTimestamp(step, ACL_STEP_START, stream));
		if (run_operator("layer1/MatMul", "MatMul", stream))
			return 1;
		TRY(aclprofGetStepTimestamp(step, ACL_STEP_END, stream));
		aclprofDestroyStepInfo(step);
	}
	return 0;
}

int main(int argc, char **argv)
{
	const char *path = argc > 1 ? argv[1] : ".";
	uint32_t devices[] = {0};
	size_t features = 99;
	void *list = NULL;
	aclprofConfig *config;
	int stream;

	TRY(aclInit(NULL));
	TRY(aclprofRegisterDeviceCallback());
	TRY(aclprofGetSupportedFeatures(&features, &list));
	if (features != 0 || !list)
		return 1;
	TRY(aclprofInit(path, strlen(path)));
	config = aclprofCreateConfig(devices, 1, ACL_AICORE_NONE, NULL, ACL_PROF_ACL_API | ACL_PROF_MSPROFTX);
	if (!config)
		return 1;
	TRY(aclprofWarmup(config));
	TRY(aclprofStart(config));
	if (run_steps(&stream))
		return 1;
	TRY(aclprofStop(config));
	TRY(aclprofDestroyConfig(config));
	TRY(aclprofFinalize());
	TRY(aclFinalize());
	return 0;
}
