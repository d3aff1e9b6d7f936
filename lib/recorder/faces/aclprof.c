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
	    [MP_CALL_ACL_INIT] = "aclInit",
	    [MP_CALL_ACL_FINALIZE] = "aclFinalize",
	    [MP_CALL_INIT] = "aclprofInit",
	    [MP_CALL_SET_CONFIG] = "aclprofSetConfig",
	    [MP_CALL_START] = "aclprofStart",
	    [MP_CALL_WARM_UP] = "aclprofWarmup",
	    [MP_CALL_STOP] = "aclprofStop",
	    [MP_CALL_FINALIZE] = "aclprofFinalize",
	    [MP_CALL_SUBSCRIBE] = "aclprofModelSubscribe",
	    [MP_CALL_UNSUBSCRIBE] = "aclprofModelUnSubscribe",
	    [MP_CALL_GET_OP_DESC_SIZE] = "aclprofGetOpDescSize",
	    [MP_CALL_GET_OP_NUM] = "aclprofGetOpNum",
	    [MP_CALL_GET_OP_TYPE_LEN] = "aclprofGetOpTypeLen",
	    [MP_CALL_GET_OP_TYPE] = "aclprofGetOpType",
	    [MP_CALL_GET_OP_NAME_LEN] = "aclprofGetOpNameLen",
	    [MP_CALL_GET_OP_NAME] = "aclprofGetOpName",
	    [MP_CALL_GET_OP_START] = "aclprofGetOpStart",
	    [MP_CALL_GET_OP_END] = "aclprofGetOpEnd",
	    [MP_CALL_GET_OP_DURATION] = "aclprofGetOpDuration",
	    [MP_CALL_GET_MODEL_ID] = "aclprofGetModelId",
	    [MP_CALL_GET_OP_FLAG] = "aclprofGetOpFlag",
	    [MP_CALL_GET_OP_ATTRIBUTE] = "aclprofGetOpAttriValue",
	    [MP_CALL_CREATE_CONFIG] = "aclprofCreateConfig",
	    [MP_CALL_DESTROY_CONFIG] = "aclprofDestroyConfig",
	    [MP_CALL_CREATE_SUBSCRIBE_CONFIG] = "aclprofCreateSubscribeConfig",
	    [MP_CALL_DESTROY_SUBSCRIBE_CONFIG] = "aclprofDestroySubscribeConfig",
	    [MP_CALL_CREATE_STAMP] = "aclprofCreateStamp",
	    [MP_CALL_DESTROY_STAMP] = "aclprofDestroyStamp",
	    [MP_CALL_SET_STAMP_MESSAGE] = "aclprofSetStampTraceMessage",
	    [MP_CALL_MARK] = "aclprofMark",
	    [MP_CALL_PUSH] = "aclprofPush",
	    [MP_CALL_POP] = "aclprofPop",
	    [MP_CALL_RANGE_START] = "aclprofRangeStart",
	    [MP_CALL_RANGE_STOP] = "aclprofRangeStop",
	    [MP_CALL_SET_STAMP_TAG] = "aclprofSetStampTagName",
	    [MP_CALL_SET_STAMP_STACK] = "aclprofSetStampCallStack",
	    [MP_CALL_SET_STAMP_PAYLOAD] = "aclprofSetStampPayload",
	    [MP_CALL_SET_STAMP_CATEGORY] = "aclprofSetStampCategory",
	    [MP_CALL_SET_CATEGORY_NAME] = "aclprofSetCategoryName",
	    [MP_CALL_REPORT_STAMP] = "aclprofReportStamp",
	    [MP_CALL_MARK_EX] = "aclprofMarkEx",
	    [MP_CALL_RANGE_PUSH] = "aclprofRangePushEx",
	    [MP_CALL_RANGE_POP] = "aclprofRangePop",
	    [MP_CALL_CREATE_STEP] = "aclprofCreateStepInfo",
	    [MP_CALL_DESTROY_STEP] = "aclprofDestroyStepInfo",
	    [MP_CALL_STEP_TIMESTAMP] = "aclprofGetStepTimestamp",
	    [MP_CALL_GET_FEATURES] = "aclprofGetSupportedFeatures",
	    [MP_CALL_GET_FEATURES_V2] = "aclprofGetSupportedFeaturesV2",
	},
    .params =
	{
	    [MP_PARAM_CONFIG_PATH] = "configPath",
	    [MP_PARAM_RESULT_PATH] = "profilerResultPath",
	    [MP_PARAM_LENGTH] = "length",
	    [MP_PARAM_DEVICE_LIST] = "deviceIdList",
	    [MP_PARAM_DEVICE_COUNT] = "deviceNums",
	    [MP_PARAM_METRICS] = "aicoreMetrics",
	    [MP_PARAM_EVENTS] = "aicoreEvents",
	    [MP_PARAM_DATA_TYPES] = "dataTypeConfig",
	    [MP_PARAM_CONFIG] = "profilerConfig",
	    [MP_PARAM_CONFIG_TYPE] = "configType",
	    [MP_PARAM_CONFIG_VALUE] = "config",
	    [MP_PARAM_CONFIG_LENGTH] = "configLength",
	    [MP_PARAM_MODEL_ID] = "modelId",
	    [MP_PARAM_SUBSCRIBE_CONFIG] = "profSubscribeConfig",
	    [MP_PARAM_TIME_SWITCH] = "timeInfoSwitch",
	    [MP_PARAM_FD] = "fd",
	    [MP_PARAM_OP_INFO] = "opInfo",
	    [MP_PARAM_OP_INFO_LEN] = "opInfoLen",
	    [MP_PARAM_INDEX] = "index",
	    [MP_PARAM_OP_DESC_SIZE] = "opDescSize",
	    [MP_PARAM_OP_NUMBER] = "opNumber",
	    [MP_PARAM_OP_TYPE] = "opType",
	    [MP_PARAM_OP_TYPE_LEN] = "opTypeLen",
	    [MP_PARAM_OP_NAME] = "opName",
	    [MP_PARAM_OP_NAME_LEN] = "opNameLen",
	    [MP_PARAM_STAMP] = "stamp",
	    [MP_PARAM_MESSAGE] = "msg",
	    [MP_PARAM_MESSAGE_LEN] = "msgLen",
	    [MP_PARAM_RANGE_ID] = "rangeId",
	    [MP_PARAM_ATTRIBUTE] = "attri",
	    [MP_PARAM_TAG] = "tag",
	    [MP_PARAM_CALL_STACK] = "callStack",
	    [MP_PARAM_PAYLOAD] = "value",
	    [MP_PARAM_CATEGORY_NAME] = "categoryName",
	    [MP_PARAM_RANGE_ATTRIBUTES] = "attr",
	    [MP_PARAM_STEP] = "stepInfo",
	    [MP_PARAM_STEP_TAG] = "tag",
	    [MP_PARAM_FEATURES_SIZE] = "featuresSize",
	    [MP_PARAM_FEATURES] = "featuresData",
	},
};

static const struct mp_next vendor = {
    .init = "aclInit", .finalize = "aclFinalize", .libraries = {"libascendcl.so", "libacl.so"}};

MSPROF_EXPORT aclError aclInit(const char *configPath)
{
	return mp_next_init(&vendor, &face, configPath);
}

MSPROF_EXPORT aclError aclFinalize(void)
{
	return mp_next_finalize(&vendor, &face);
}

MSPROF_EXPORT aclError aclprofInit(const char *profilerResultPath, size_t length)
{
	mp_next_begin_late(&vendor, &face);
	return msprof_control_init(&face, profilerResultPath, length);
}

MSPROF_EXPORT aclError aclprofSetConfig(aclprofConfigType configType, const char *config, size_t configLength)
{
	return msprof_control_set_config(&face, (int)configType, config, configLength);
}

MSPROF_EXPORT aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums,
    aclprofAicoreMetrics aicoreMetrics, const aclprofAicoreEvents *aicoreEvents, uint64_t dataTypeConfig)
{
	return (aclprofConfig *)msprof_config_create(
	    &face, deviceIdList, deviceNums, (int)aicoreMetrics, aicoreEvents, dataTypeConfig);
}

MSPROF_EXPORT aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig)
{
	return msprof_config_destroy(&face, (const struct msprof_config *)profilerConfig);
}

MSPROF_EXPORT aclError aclprofStart(const aclprofConfig *profilerConfig)
{
	return msprof_control_start(&face, (const struct msprof_config *)profilerConfig);
}

MSPROF_EXPORT aclError aclprofStop(const aclprofConfig *profilerConfig)
{
	return msprof_control_stop(&face, (const struct msprof_config *)profilerConfig);
}

MSPROF_EXPORT aclError aclprofFinalize(void)
{
	return msprof_control_finalize(&face);
}

MSPROF_EXPORT aclprofSubscribeConfig *aclprofCreateSubscribeConfig(
    int8_t timeInfoSwitch, aclprofAicoreMetrics aicoreMetrics, void *fd)
{
	return (aclprofSubscribeConfig *)msprof_subscribe_config_create(&face, timeInfoSwitch, (int)aicoreMetrics, fd);
}

MSPROF_EXPORT aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig *profSubscribeConfig)
{
	return msprof_subscribe_config_destroy(&face, (const struct msprof_subscribe_config *)profSubscribeConfig);
}

MSPROF_EXPORT aclError aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig *profSubscribeConfig)
{
	mp_next_begin_late(&vendor, &face);
	return msprof_control_subscribe(&face, modelId, (const struct msprof_subscribe_config *)profSubscribeConfig);
}

MSPROF_EXPORT aclError aclprofModelUnSubscribe(uint32_t modelId)
{
	return msprof_control_unsubscribe(&face, modelId);
}

MSPROF_EXPORT aclError aclprofGetOpDescSize(size_t *opDescSize)
{
	return msprof_op_size(&face, opDescSize);
}

MSPROF_EXPORT aclError aclprofGetOpNum(const void *opInfo, size_t opInfoLen, uint32_t *opNumber)
{
	return msprof_op_count(&face, opInfo, opInfoLen, opNumber);
}

MSPROF_EXPORT aclError aclprofGetOpTypeLen(const void *opInfo, size_t opInfoLen, uint32_t index, size_t *opTypeLen)
{
	return msprof_op_text_size(&face, MSPROF_OP_TYPE, opInfo, opInfoLen, index, opTypeLen);
}

MSPROF_EXPORT aclError aclprofGetOpType(
    const void *opInfo, size_t opInfoLen, uint32_t index, char *opType, size_t opTypeLen)
{
	return msprof_op_text_copy(&face, MSPROF_OP_TYPE, opInfo, opInfoLen, index, opType, opTypeLen);
}

MSPROF_EXPORT aclError aclprofGetOpNameLen(const void *opInfo, size_t opInfoLen, uint32_t index, size_t *opNameLen)
{
	return msprof_op_text_size(&face, MSPROF_OP_NAME, opInfo, opInfoLen, index, opNameLen);
}

MSPROF_EXPORT aclError aclprofGetOpName(
    const void *opInfo, size_t opInfoLen, uint32_t index, char *opName, size_t opNameLen)
{
	return msprof_op_text_copy(&face, MSPROF_OP_NAME, opInfo, opInfoLen, index, opName, opNameLen);
}

MSPROF_EXPORT uint64_t aclprofGetOpStart(const void *opInfo, size_t opInfoLen, uint32_t index)
{
	return msprof_op_get(&face, MSPROF_OP_START, opInfo, opInfoLen, index);
}

MSPROF_EXPORT uint64_t aclprofGetOpEnd(const void *opInfo, size_t opInfoLen, uint32_t index)
{
	return msprof_op_get(&face, MSPROF_OP_END, opInfo, opInfoLen, index);
}

MSPROF_EXPORT uint64_t aclprofGetOpDuration(const void *opInfo, size_t opInfoLen, uint32_t index)
{
	return msprof_op_get(&face, MSPROF_OP_DURATION, opInfo, opInfoLen, index);
}

MSPROF_EXPORT size_t aclprofGetModelId(const void *opInfo, size_t opInfoLen, uint32_t index)
{
	return (size_t)msprof_op_get(&face, MSPROF_OP_MODEL_ID, opInfo, opInfoLen, index);
}

MSPROF_EXPORT aclprofSubscribeOpFlag aclprofGetOpFlag(const void *opInfo, size_t opInfoLen, uint32_t index)
{
	return (aclprofSubscribeOpFlag)msprof_op_flag(&face, opInfo, opInfoLen, index);
}

MSPROF_EXPORT void *aclprofCreateStamp(void)
{
	return msprof_stamp_create(&face);
}

MSPROF_EXPORT void aclprofDestroyStamp(void *stamp)
{
	msprof_stamp_destroy(&face, stamp);
}

MSPROF_EXPORT aclError aclprofSetStampTraceMessage(void *stamp, const char *msg, uint32_t msgLen)
{
	return msprof_stamp_set_message(&face, stamp, msg, msgLen);
}

MSPROF_EXPORT aclError aclprofMark(void *stamp)
{
	return msprof_stamp_mark(&face, stamp);
}

MSPROF_EXPORT aclError aclprofPush(void *stamp)
{
	return msprof_stamp_push(&face, stamp);
}

MSPROF_EXPORT aclError aclprofPop(void)
{
	return msprof_stamp_pop(&face);
}

MSPROF_EXPORT aclError aclprofRangeStart(void *stamp, uint32_t *rangeId)
{
	return msprof_stamp_range_start(&face, stamp, rangeId);
}

MSPROF_EXPORT aclError aclprofRangeStop(uint32_t rangeId)
{
	return msprof_stamp_range_stop(&face, rangeId);
}

MSPROF_EXPORT const char *aclprofGetOpAttriValue(
    const void *opInfo, size_t opInfoLen, uint32_t index, aclprofSubscribeOpAttri attri)
{
	return msprof_op_attribute(&face, opInfo, opInfoLen, index, (int)attri);
}

MSPROF_EXPORT aclError aclprofSetStampTagName(void *stamp, const char *tagName, uint16_t len)
{
	(void)len;
	return msprof_stamp_set_other(&face, MP_CALL_SET_STAMP_TAG, MP_PARAM_TAG, stamp, tagName);
}

MSPROF_EXPORT aclError aclprofSetStampCallStack(void *stamp, const char *callStack, uint32_t len)
{
	(void)len;
	return msprof_stamp_set_other(&face, MP_CALL_SET_STAMP_STACK, MP_PARAM_CALL_STACK, stamp, callStack);
}

MSPROF_EXPORT aclError aclprofSetStampPayload(void *stamp, const int32_t type, void *value)
{
	(void)type;
	return msprof_stamp_set_other(&face, MP_CALL_SET_STAMP_PAYLOAD, MP_PARAM_PAYLOAD, stamp, value);
}

MSPROF_EXPORT aclError aclprofSetStampCategory(void *stamp, uint32_t category)
{
	return msprof_stamp_set_category(&face, stamp, category);
}

MSPROF_EXPORT aclError aclprofSetCategoryName(uint32_t category, const char *categoryName)
{
	(void)category;
	return msprof_stamp_set_category_name(&face, categoryName);
}

MSPROF_EXPORT aclError aclprofMsproftxSwitch(bool isOpen)
{
	return msprof_stamp_switch(&face, isOpen);
}

MSPROF_EXPORT aclError aclprofReportStamp(
    const char *tag, unsigned int tagLen, unsigned char *data, unsigned int dataLen)
{
	(void)tagLen, (void)dataLen;
	return msprof_stamp_report(&face, tag, data);
}

/* The stream belongs to the device, which is not recorded. */
MSPROF_EXPORT aclError aclprofMarkEx(const char *msg, size_t msgLen, aclrtStream stream)
{
	(void)stream;
	return msprof_mark_ex(&face, msg, msgLen);
}

MSPROF_EXPORT uint64_t aclprofStr2Id(const char *message)
{
	return msprof_name(message);
}

MSPROF_EXPORT aclError aclprofRangePushEx(aclprofEventAttributes *attr)
{
	return msprof_range_push(&face, attr);
}

MSPROF_EXPORT aclError aclprofRangePop(void)
{
	return msprof_range_pop(&face);
}

MSPROF_EXPORT aclprofStepInfo *aclprofCreateStepInfo(void)
{
	return (aclprofStepInfo *)msprof_step_create(&face);
}

MSPROF_EXPORT void aclprofDestroyStepInfo(aclprofStepInfo *stepinfo)
{
	msprof_step_destroy(&face, stepinfo);
}

MSPROF_EXPORT aclError aclprofGetStepTimestamp(aclprofStepInfo *stepInfo, aclprofStepTag tag, aclrtStream stream)
{
	(void)stream;
	return msprof_step_timestamp(&face, stepInfo, (int)tag);
}

MSPROF_EXPORT aclError aclprofWarmup(const aclprofConfig *profilerConfig)
{
	return msprof_control_warm_up(&face, (const struct msprof_config *)profilerConfig);
}

MSPROF_EXPORT aclError aclprofGetSupportedFeatures(size_t *featuresSize, void **featuresData)
{
	return msprof_features(&face, MP_CALL_GET_FEATURES, featuresSize, featuresData);
}

MSPROF_EXPORT aclError aclprofGetSupportedFeaturesV2(size_t *featuresSize, void **featuresData)
{
	return msprof_features(&face, MP_CALL_GET_FEATURES_V2, featuresSize, featuresData);
}

MSPROF_EXPORT aclError aclprofRegisterDeviceCallback(void)
{
	return ACL_SUCCESS;
}
