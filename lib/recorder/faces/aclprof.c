/* aclprof.c: the family aclprof*, as libmsprof_aclprof.so. Contains only names and bits; face.h does the work. */
#define _GNU_SOURCE /* faces/next.h */
#include "recorder/face.h"
#include "recorder/faces/next.h"
#include "recorder/include/acl/acl.h"
#include "recorder/include/acl/acl_msprof.h"
#include "recorder/include/acl/acl_prof.h"

static const struct msprof_face face = {
    .profile = MSPROF_ASCEND,
    .data_types = ACL_PROF_ACL_API | ACL_PROF_TASK_TIME | ACL_PROF_AICORE_METRICS | ACL_PROF_AICPU | ACL_PROF_L2CACHE |
		  ACL_PROF_HCCL_TRACE | ACL_PROF_TRAINING_TRACE | ACL_PROF_MSPROFTX | ACL_PROF_RUNTIME_API |
		  ACL_PROF_GE_API_L0 | ACL_PROF_TASK_TIME_L0 | ACL_PROF_TASK_MEMORY | ACL_PROF_TASK_TIME_L2 |
		  ACL_PROF_OP_ATTR | ACL_PROF_TASK_TIME_L3 | ACL_PROF_GE_API_L1 | ACL_PROF_API_STATS |
		  ACL_PROF_AICORE_SHAPE,
    .stamp_bit = ACL_PROF_MSPROFTX,
    .metrics_max = ACL_AICORE_MEMORY_ACCESS,
    .calls =
	{
#define FACE_CALL(id, result, ascend, ...) [MP_CALL_##id] = #ascend,
#define ASCEND_CALL FACE_CALL
#define FACE_NAME(id, ascend, ...) [MP_CALL_##id] = #ascend,
#define ASCEND_NAME(id, ascend) [MP_CALL_##id] = #ascend,
#include "recorder/face_calls.h"
	},
    .params =
	{
#define FACE_PARAM(id, ascend, svp) [MP_PARAM_##id] = (ascend),
#include "recorder/face_calls.h"
	},
};

static const struct mp_next vendor = {
    .init = "aclInit", .finalize = "aclFinalize", .libraries = {"libascendcl.so", "libacl.so"}};

typedef aclprofConfig family_config;
typedef aclprofSubscribeConfig family_subscribe_config;

#define ASCEND_CALL(id, result, name, parameters, work)                                                                \
	MSPROF_EXPORT result name parameters                                                                           \
	{                                                                                                              \
		return work;                                                                                           \
	}
#define FACE_CALL(id, result, ascend, svp, parameters, work) ASCEND_CALL(id, result, ascend, parameters, work)
#define FACE_NAME(...)
#define ASCEND_NAME(...)
#include "recorder/face_calls.h"

MSPROF_EXPORT aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums,
    aclprofAicoreMetrics aicoreMetrics, const aclprofAicoreEvents *aicoreEvents, uint64_t dataTypeConfig)
{
	return (aclprofConfig *)msprof_config_create(
	    &face, deviceIdList, deviceNums, (int)aicoreMetrics, aicoreEvents, dataTypeConfig);
}

MSPROF_EXPORT aclprofSubscribeConfig *aclprofCreateSubscribeConfig(
    int8_t timeInfoSwitch, aclprofAicoreMetrics aicoreMetrics, void *fd)
{
	return (aclprofSubscribeConfig *)msprof_subscribe_config_create(&face, timeInfoSwitch, (int)aicoreMetrics, fd);
}

MSPROF_EXPORT void aclprofDestroyStamp(void *stamp)
{
	msprof_stamp_destroy(&face, stamp);
}

MSPROF_EXPORT void aclprofDestroyStepInfo(aclprofStepInfo *stepinfo)
{
	msprof_step_destroy(&face, stepinfo);
}

MSPROF_EXPORT aclError aclprofMsproftxSwitch(bool isOpen)
{
	return msprof_stamp_switch(&face, isOpen);
}

MSPROF_EXPORT uint64_t aclprofStr2Id(const char *message)
{
	return msprof_name(message);
}

MSPROF_EXPORT aclError aclprofRegisterDeviceCallback(void)
{
	return ACL_SUCCESS;
}
