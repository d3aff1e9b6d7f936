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
#define FACE_CALL(id, result, ascend, svp, ...) [MP_CALL_##id] = #svp,
#define ASCEND_CALL(...)
#define FACE_NAME(id, ascend, svp) [MP_CALL_##id] = #svp,
#define ASCEND_NAME(...)
#include "recorder/face_calls.h"
	},
    .params =
	{
#define FACE_PARAM(id, ascend, svp) [MP_PARAM_##id] = (svp),
#include "recorder/face_calls.h"
	},
};

static const struct mp_next vendor = {
    .init = "svp_acl_init", .finalize = "svp_acl_finalize", .libraries = {"libsvp_acl.so"}};

typedef svp_acl_prof_config family_config;
typedef svp_acl_prof_subscribe_config family_subscribe_config;

#define FACE_CALL(id, result, ascend, svp, parameters, work)                                                           \
	MSPROF_EXPORT result svp parameters                                                                            \
	{                                                                                                              \
		return work;                                                                                           \
	}
#define ASCEND_CALL(...)
#define FACE_NAME(...)
#define ASCEND_NAME(...)
#include "recorder/face_calls.h"

MSPROF_EXPORT svp_acl_prof_config *svp_acl_prof_create_config(const uint32_t *device_id_list, uint32_t device_nums,
    svp_acl_prof_aicore_metrics aicore_metrics, const svp_acl_prof_aicore_events *aicore_events,
    uint64_t data_type_config)
{
	return (svp_acl_prof_config *)msprof_config_create(
	    &face, device_id_list, device_nums, (int)aicore_metrics, aicore_events, data_type_config);
}

MSPROF_EXPORT svp_acl_prof_subscribe_config *svp_acl_prof_create_subscribe_config(
    int8_t time_info_switch, svp_acl_prof_aicore_metrics aicore_metrics, const void *fd)
{
	return (svp_acl_prof_subscribe_config *)msprof_subscribe_config_create(
	    &face, time_info_switch, (int)aicore_metrics, fd);
}
