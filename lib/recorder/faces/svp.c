/* svp.c: the family svp_acl_prof_*, as libmsprof_svp.so. Contains only names and bits; face.h does the work. */
#define _GNU_SOURCE /* faces/next.h */
#include "recorder/face.h"
#include "recorder/faces/next.h"
#include "recorder/include/acl/svp_acl_prof.h"

static const struct msprof_face face = {
    .profile = MSPROF_SVP,
    .data_types =
	SVP_ACL_PROF_ACL_API | SVP_ACL_PROF_TASK_TIME | SVP_ACL_PROF_AICORE_METRICS | SVP_ACL_PROF_AICPU_TRACE,
    .metrics_max = SVP_ACL_AICORE_ARITHMETIC_UTILIZATION,
    .calls =
	{
	    [MP_CALL_ACL_INIT] = "svp_acl_init",
	    [MP_CALL_ACL_FINALIZE] = "svp_acl_finalize",
	    [MP_CALL_INIT] = "svp_acl_prof_init",
	    [MP_CALL_START] = "svp_acl_prof_start",
	    [MP_CALL_STOP] = "svp_acl_prof_stop",
	    [MP_CALL_FINALIZE] = "svp_acl_prof_finalize",
	    [MP_CALL_SUBSCRIBE] = "svp_acl_prof_model_subscribe",
	    [MP_CALL_UNSUBSCRIBE] = "svp_acl_prof_model_unsubscribe",
	    [MP_CALL_GET_OP_DESC_SIZE] = "svp_acl_prof_get_op_desc_size",
	    [MP_CALL_GET_OP_NUM] = "svp_acl_prof_get_op_num",
	    [MP_CALL_GET_OP_TYPE_LEN] = "svp_acl_prof_get_op_type_len",
	    [MP_CALL_GET_OP_TYPE] = "svp_acl_prof_get_op_type",
	    [MP_CALL_GET_OP_NAME_LEN] = "svp_acl_prof_get_op_name_len",
	    [MP_CALL_GET_OP_NAME] = "svp_acl_prof_get_op_name",
	    [MP_CALL_GET_OP_START] = "svp_acl_prof_get_op_start",
	    [MP_CALL_GET_OP_END] = "svp_acl_prof_get_op_end",
	    [MP_CALL_GET_OP_DURATION] = "svp_acl_prof_get_op_duration",
	    [MP_CALL_GET_MODEL_ID] = "svp_acl_prof_get_model_id",
	    [MP_CALL_CREATE_CONFIG] = "svp_acl_prof_create_config",
	    [MP_CALL_DESTROY_CONFIG] = "svp_acl_prof_destroy_config",
	    [MP_CALL_CREATE_SUBSCRIBE_CONFIG] = "svp_acl_prof_create_subscribe_config",
	    [MP_CALL_DESTROY_SUBSCRIBE_CONFIG] = "svp_acl_prof_destroy_subscribe_config",
	},
    .params =
	{
	    [MP_PARAM_CONFIG_PATH] = "config_path",
	    [MP_PARAM_RESULT_PATH] = "result_path",
	    [MP_PARAM_LENGTH] = "length",
	    [MP_PARAM_DEVICE_LIST] = "device_id_list",
	    [MP_PARAM_DEVICE_COUNT] = "device_nums",
	    [MP_PARAM_METRICS] = "aicore_metrics",
	    [MP_PARAM_EVENTS] = "aicore_events",
	    [MP_PARAM_DATA_TYPES] = "data_type_config",
	    [MP_PARAM_CONFIG] = "profiler_config",
	    [MP_PARAM_MODEL_ID] = "model_id",
	    [MP_PARAM_SUBSCRIBE_CONFIG] = "subscribe_config",
	    [MP_PARAM_TIME_SWITCH] = "time_info_switch",
	    [MP_PARAM_FD] = "fd",
	    [MP_PARAM_OP_INFO] = "op_info",
	    [MP_PARAM_OP_INFO_LEN] = "op_info_len",
	    [MP_PARAM_INDEX] = "index",
	    [MP_PARAM_OP_DESC_SIZE] = "op_desc_size",
	    [MP_PARAM_OP_NUMBER] = "op_number",
	    [MP_PARAM_OP_TYPE] = "op_type",
	    [MP_PARAM_OP_TYPE_LEN] = "op_type_len",
	    [MP_PARAM_OP_NAME] = "op_name",
	    [MP_PARAM_OP_NAME_LEN] = "op_name_len",
	},
};

static const struct mp_next vendor = {
    .init = "svp_acl_init", .finalize = "svp_acl_finalize", .libraries = {"libsvp_acl.so"}};

MSPROF_EXPORT svp_acl_error svp_acl_init(const char *config_path)
{
	return mp_next_init(&vendor, &face, config_path);
}

MSPROF_EXPORT svp_acl_error svp_acl_finalize(void)
{
	return mp_next_finalize(&vendor, &face);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_init(const char *result_path, size_t length)
{
	mp_next_begin_late(&vendor, &face);
	return msprof_control_init(&face, result_path, length);
}

MSPROF_EXPORT svp_acl_prof_config *svp_acl_prof_create_config(const uint32_t *device_id_list, uint32_t device_nums,
    svp_acl_prof_aicore_metrics aicore_metrics, const svp_acl_prof_aicore_events *aicore_events,
    uint64_t data_type_config)
{
	return (svp_acl_prof_config *)msprof_config_create(
	    &face, device_id_list, device_nums, (int)aicore_metrics, aicore_events, data_type_config);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_destroy_config(const svp_acl_prof_config *profiler_config)
{
	return msprof_config_destroy(&face, (const struct msprof_config *)profiler_config);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_start(const svp_acl_prof_config *profiler_config)
{
	return msprof_control_start(&face, (const struct msprof_config *)profiler_config);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_stop(const svp_acl_prof_config *profiler_config)
{
	return msprof_control_stop(&face, (const struct msprof_config *)profiler_config);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_finalize(void)
{
	return msprof_control_finalize(&face);
}

MSPROF_EXPORT svp_acl_prof_subscribe_config *svp_acl_prof_create_subscribe_config(
    int8_t time_info_switch, svp_acl_prof_aicore_metrics aicore_metrics, const void *fd)
{
	return (svp_acl_prof_subscribe_config *)msprof_subscribe_config_create(
	    &face, time_info_switch, (int)aicore_metrics, fd);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_destroy_subscribe_config(const svp_acl_prof_subscribe_config *subscribe_config)
{
	return msprof_subscribe_config_destroy(&face, (const struct msprof_subscribe_config *)subscribe_config);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_model_subscribe(
    uint32_t model_id, const svp_acl_prof_subscribe_config *subscribe_config)
{
	mp_next_begin_late(&vendor, &face);
	return msprof_control_subscribe(&face, model_id, (const struct msprof_subscribe_config *)subscribe_config);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_model_unsubscribe(uint32_t model_id)
{
	return msprof_control_unsubscribe(&face, model_id);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_get_op_desc_size(size_t *op_desc_size)
{
	return msprof_op_size(&face, op_desc_size);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_get_op_num(const void *op_info, size_t op_info_len, uint32_t *op_number)
{
	return msprof_op_count(&face, op_info, op_info_len, op_number);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_get_op_type_len(
    const void *op_info, size_t op_info_len, uint32_t index, size_t *op_type_len)
{
	return msprof_op_text_size(&face, MSPROF_OP_TYPE, op_info, op_info_len, index, op_type_len);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_get_op_type(
    const void *op_info, size_t op_info_len, uint32_t index, char *op_type, size_t op_type_len)
{
	return msprof_op_text_copy(&face, MSPROF_OP_TYPE, op_info, op_info_len, index, op_type, op_type_len);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_get_op_name_len(
    const void *op_info, size_t op_info_len, uint32_t index, size_t *op_name_len)
{
	return msprof_op_text_size(&face, MSPROF_OP_NAME, op_info, op_info_len, index, op_name_len);
}

MSPROF_EXPORT svp_acl_error svp_acl_prof_get_op_name(
    const void *op_info, size_t op_info_len, uint32_t index, char *op_name, size_t op_name_len)
{
	return msprof_op_text_copy(&face, MSPROF_OP_NAME, op_info, op_info_len, index, op_name, op_name_len);
}

MSPROF_EXPORT uint64_t svp_acl_prof_get_op_start(const void *op_info, size_t op_info_len, uint32_t index)
{
	return msprof_op_get(&face, MSPROF_OP_START, op_info, op_info_len, index);
}

MSPROF_EXPORT uint64_t svp_acl_prof_get_op_end(const void *op_info, size_t op_info_len, uint32_t index)
{
	return msprof_op_get(&face, MSPROF_OP_END, op_info, op_info_len, index);
}

MSPROF_EXPORT uint64_t svp_acl_prof_get_op_duration(const void *op_info, size_t op_info_len, uint32_t index)
{
	return msprof_op_get(&face, MSPROF_OP_DURATION, op_info, op_info_len, index);
}

MSPROF_EXPORT size_t svp_acl_prof_get_model_id(const void *op_info, size_t op_info_len, uint32_t index)
{
	return (size_t)msprof_op_get(&face, MSPROF_OP_MODEL_ID, op_info, op_info_len, index);
}
