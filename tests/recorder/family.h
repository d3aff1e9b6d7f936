/* family.h: one set of names for both families, so that they share their tests. FAMILY_SVP selects the family. */
#ifndef TEST_FAMILY_H
#define TEST_FAMILY_H

#ifdef FAMILY_SVP

#include "acl/svp_acl_prof.h"

#define FAMILY "svp"
typedef svp_acl_prof_config prof_config;
typedef svp_acl_prof_subscribe_config prof_subscribe_config;
typedef svp_acl_prof_aicore_metrics prof_metrics;
#define METRICS_NONE SVP_ACL_AICORE_NONE
#define acl_init svp_acl_init
#define acl_finalize svp_acl_finalize
#define prof_init svp_acl_prof_init
#define prof_start svp_acl_prof_start
#define prof_stop svp_acl_prof_stop
#define prof_finalize svp_acl_prof_finalize
#define prof_create_config svp_acl_prof_create_config
#define prof_destroy_config svp_acl_prof_destroy_config
#define prof_subscribe svp_acl_prof_model_subscribe
#define prof_unsubscribe svp_acl_prof_model_unsubscribe
#define prof_create_subscribe_config svp_acl_prof_create_subscribe_config
#define prof_destroy_subscribe_config svp_acl_prof_destroy_subscribe_config
#define prof_op_size svp_acl_prof_get_op_desc_size
#define prof_op_num svp_acl_prof_get_op_num
#define prof_op_type_len svp_acl_prof_get_op_type_len
#define prof_op_type svp_acl_prof_get_op_type
#define prof_op_name_len svp_acl_prof_get_op_name_len
#define prof_op_name svp_acl_prof_get_op_name
#define prof_op_start svp_acl_prof_get_op_start
#define prof_op_end svp_acl_prof_get_op_end
#define prof_op_duration svp_acl_prof_get_op_duration
#define prof_model_id svp_acl_prof_get_model_id

#else

#include "acl/acl.h"
#include "acl/acl_prof.h"

#define FAMILY "acl"
typedef aclprofConfig prof_config;
typedef aclprofSubscribeConfig prof_subscribe_config;
typedef aclprofAicoreMetrics prof_metrics;
#define METRICS_NONE ACL_AICORE_NONE
#define acl_init aclInit
#define acl_finalize aclFinalize
#define prof_init aclprofInit
#define prof_start aclprofStart
#define prof_stop aclprofStop
#define prof_finalize aclprofFinalize
#define prof_create_config aclprofCreateConfig
#define prof_destroy_config aclprofDestroyConfig
#define prof_subscribe aclprofModelSubscribe
#define prof_unsubscribe aclprofModelUnSubscribe
#define prof_create_subscribe_config aclprofCreateSubscribeConfig
#define prof_destroy_subscribe_config aclprofDestroySubscribeConfig
#define prof_op_size aclprofGetOpDescSize
#define prof_op_num aclprofGetOpNum
#define prof_op_type_len aclprofGetOpTypeLen
#define prof_op_type aclprofGetOpType
#define prof_op_name_len aclprofGetOpNameLen
#define prof_op_name aclprofGetOpName
#define prof_op_start aclprofGetOpStart
#define prof_op_end aclprofGetOpEnd
#define prof_op_duration aclprofGetOpDuration
#define prof_model_id aclprofGetModelId

#endif
#endif
