/*
 * svp_acl_prof.h: record what a program does on a board of the SS928 family, or receive the operators of a running
 * model through a pipe.
 *
 * Link with -lmsprof_svp. A process is in one mode at a time, and a call from any thread applies to the whole process.
 * docs/ACLPROF.md has the table of calls, modes and result codes. Calls that return a pointer return NULL on failure,
 * and print the reason as one line on standard error. Vendor headers and documents spell the core AI or AA; both
 * spellings are defined here, with the same meaning. The vendor's base header may be included before this one or after
 * it. Where the vendor's header of this name is in a later directory, or is included before this one, it counts.
 */
#if defined(__has_include_next) && !defined(__cppcheck__)
/* The vendor's directories have this one, too. GCC 12 refuses to look behind the last directory, such as /usr/include.
 */
#if __has_include(<acl/svp_acl_rt.h>) || __has_include(<svp_acl_rt.h>)
#if __has_include_next(<acl/svp_acl_prof.h>)
#pragma GCC system_header /* #include_next is no part of C */
#include_next <acl/svp_acl_prof.h>
#elif __has_include_next(<svp_acl_prof.h>)
#pragma GCC system_header /* #include_next is no part of C */
#include_next <svp_acl_prof.h>
#endif
#endif
#endif

#ifndef MSPROF_SVP_ACL_PROF_H
#define MSPROF_SVP_ACL_PROF_H

#include <stddef.h>
#include <stdint.h>

#ifndef SVP_ACL_PROF_H
#define SVP_ACL_PROF_H

#ifdef __cplusplus
extern "C" {
#endif

#ifndef SVP_ACL_BASE_H /* of the vendor's base header, where these are macros */
typedef int svp_acl_error;

enum {
	SVP_ACL_ERROR_NONE = 0,
	SVP_ACL_SUCCESS = 0,
	SVP_ACL_ERROR_INVALID_PARAM = 100000,
	SVP_ACL_ERROR_UNINITIALIZE = 100001,
	SVP_ACL_ERROR_REPEAT_INITIALIZE = 100002,
	SVP_ACL_ERROR_INVALID_FILE = 100003,
	SVP_ACL_ERROR_WRITE_FILE = 100004,
	SVP_ACL_ERROR_INVALID_FILE_SIZE = 100005,
	SVP_ACL_ERROR_PARSE_FILE = 100006,
	SVP_ACL_ERROR_INVALID_PROFILING_CONFIG = 100010,
	SVP_ACL_ERROR_INVALID_MODEL_ID = 100011,
	SVP_ACL_ERROR_REPEAT_FINALIZE = 100037,
	SVP_ACL_ERROR_PROF_ALREADY_RUN = 100042,
	SVP_ACL_ERROR_PROF_NOT_RUN = 100043,
	SVP_ACL_ERROR_PROF_REPEAT_SUBSCRIBE = 148046,
	SVP_ACL_ERROR_PROF_API_CONFLICT = 148047,
	SVP_ACL_ERROR_UNSUPPORTED_API = 148049,
	SVP_ACL_ERROR_BAD_ALLOC = 200000,
	SVP_ACL_ERROR_PROF_MODULES_UNSUPPORTED = 200007,
	SVP_ACL_ERROR_STORAGE_OVER_LIMIT = 300000,
	SVP_ACL_ERROR_INTERNAL_ERROR = 500000,
	SVP_ACL_ERROR_FAILURE = 500001,
	SVP_ACL_ERROR_PROFILING_FAILURE = 500005,
	SVP_ACL_ERROR_RT_REPORT_TIMEOUT = 507012
};
#endif

/* The data to record, joined with |. */
#define SVP_ACL_PROF_ACL_API 0x0001
#define SVP_ACL_PROF_TASK_TIME 0x0002
#define SVP_ACL_PROF_AICORE_METRICS 0x0004
#define SVP_ACL_PROF_AICPU_TRACE 0x0008

#define SVP_ACL_PROF_AICPU SVP_ACL_PROF_AICPU_TRACE
#define SVP_ACL_PROF_AACORE_METRICS SVP_ACL_PROF_AICORE_METRICS
#define SVP_ACL_PROF_AACPU_TRACE SVP_ACL_PROF_AICPU_TRACE
#define SVP_ACL_PROF_AACPU SVP_ACL_PROF_AICPU_TRACE

/* Sizes of buffers, with the NUL, that hold every name and type; records have room for 40 and 32. */
#define SVP_ACL_PROF_MAX_OP_NAME_LEN 257
#define SVP_ACL_PROF_MAX_OP_TYPE_LEN 65

typedef enum {
	SVP_ACL_AICORE_ARITHMETIC_UTILIZATION = 0,
	SVP_ACL_AACORE_ARITHMETIC_UTILIZATION = SVP_ACL_AICORE_ARITHMETIC_UTILIZATION,
	SVP_ACL_AICORE_NONE = 0xFF,
	SVP_ACL_AACORE_NONE = SVP_ACL_AICORE_NONE
} svp_acl_prof_aicore_metrics;

typedef struct svp_acl_prof_config svp_acl_prof_config;
typedef struct svp_acl_prof_aicore_events svp_acl_prof_aicore_events;
typedef struct svp_acl_prof_subscribe_config svp_acl_prof_subscribe_config;

typedef svp_acl_prof_aicore_metrics svp_acl_prof_aacore_metrics;
typedef svp_acl_prof_aicore_events svp_acl_prof_aacore_events;

/*
 * Begin; call once, before anything else. `config_path` names an acl.json. If its "profiler" has "switch" "on",
 * recording begins at once. NULL or a file with an empty object records nothing. A bad value of a key only switches
 * that feature off, but a value without quotes is an error. A second call, also after svp_acl_finalize, returns
 * REPEAT_INITIALIZE.
 */
svp_acl_error svp_acl_init(const char *config_path);

/* End all recordings and complete their files. A result is complete only after svp_acl_finalize returned 0. */
svp_acl_error svp_acl_finalize(void);

/* ---------------------------------------------------------------- record to files */

/*
 * Begin to use sessions; call after svp_acl_init and before models are loaded. Results go below the directory
 * `result_path`, which is made when missing. `length` is that of strlen, 1..4095. Init and finalize may be repeated,
 * each time with another path.
 */
svp_acl_error svp_acl_prof_init(const char *result_path, size_t length);

/* End sessions that still run, with a warning, and complete all results since svp_acl_prof_init. */
svp_acl_error svp_acl_prof_finalize(void);

/* Begin a session. Sessions may run at the same time when they share no device. */
svp_acl_error svp_acl_prof_start(const svp_acl_prof_config *profiler_config);

/* End the session that was started with the same devices, metrics and data types. */
svp_acl_error svp_acl_prof_stop(const svp_acl_prof_config *profiler_config);

/*
 * Make the description of a session: the data to record, and the devices. There are 1..64 devices, none twice. Ids are
 * below 64 unless the driver gives a number of devices. `aicore_events` is NULL. The list is copied. A description may
 * serve any number of calls; free it with svp_acl_prof_destroy_config.
 */
svp_acl_prof_config *svp_acl_prof_create_config(const uint32_t *device_id_list, uint32_t device_nums,
    svp_acl_prof_aicore_metrics aicore_metrics, const svp_acl_prof_aicore_events *aicore_events,
    uint64_t data_type_config);
svp_acl_error svp_acl_prof_destroy_config(const svp_acl_prof_config *profiler_config);

/* ---------------------------------------------------------------- subscribe through a pipe */

/*
 * From now on write the operators of the model into the pipe, whole records only, in the form of the library of a
 * board: 256 bytes with times, type and name.
 */
svp_acl_error svp_acl_prof_model_subscribe(uint32_t model_id, const svp_acl_prof_subscribe_config *subscribe_config);

/* End a subscription. Waits up to 2 s for a reader that does not read, then drops the rest with a warning. */
svp_acl_error svp_acl_prof_model_unsubscribe(uint32_t model_id);

/*
 * Make the description of a subscription. `fd` points to the descriptor of the write end of a pipe. The library closes
 * the descriptor when the last model that uses it is unsubscribed. Free with svp_acl_prof_destroy_subscribe_config.
 */
svp_acl_prof_subscribe_config *svp_acl_prof_create_subscribe_config(
    int8_t time_info_switch, svp_acl_prof_aicore_metrics aicore_metrics, const void *fd);
svp_acl_error svp_acl_prof_destroy_subscribe_config(const svp_acl_prof_subscribe_config *subscribe_config);

/*
 * Interpret bytes read from the pipe. `op_info` holds `op_info_len` bytes, a multiple of the size of a record; `index`
 * selects a record. Lengths count the NUL. A buffer that is too small for a text gives INVALID_PARAM. Times are in
 * microseconds since 1970. Start, end, duration and model id are 0 for data that is not a record.
 */
svp_acl_error svp_acl_prof_get_op_desc_size(size_t *op_desc_size);
svp_acl_error svp_acl_prof_get_op_num(const void *op_info, size_t op_info_len, uint32_t *op_number);
svp_acl_error svp_acl_prof_get_op_type_len(
    const void *op_info, size_t op_info_len, uint32_t index, size_t *op_type_len);
svp_acl_error svp_acl_prof_get_op_type(
    const void *op_info, size_t op_info_len, uint32_t index, char *op_type, size_t op_type_len);
svp_acl_error svp_acl_prof_get_op_name_len(
    const void *op_info, size_t op_info_len, uint32_t index, size_t *op_name_len);
svp_acl_error svp_acl_prof_get_op_name(
    const void *op_info, size_t op_info_len, uint32_t index, char *op_name, size_t op_name_len);
uint64_t svp_acl_prof_get_op_start(const void *op_info, size_t op_info_len, uint32_t index);
uint64_t svp_acl_prof_get_op_end(const void *op_info, size_t op_info_len, uint32_t index);
uint64_t svp_acl_prof_get_op_duration(const void *op_info, size_t op_info_len, uint32_t index);
size_t svp_acl_prof_get_model_id(const void *op_info, size_t op_info_len, uint32_t index);

#ifdef __cplusplus
}
#endif

#endif
#endif
