/*
 * acl_prof.h: record what a program does (aclprofInit, Start, Stop, Finalize), or receive the operators of a running
 * model through a pipe (aclprofModelSubscribe).
 *
 * Link with -lmsprof_aclprof. A process is in one mode at a time, and a call from any thread applies to the whole
 * process. docs/ACLPROF.md has the table of calls, modes and result codes. Calls that return a pointer return NULL on
 * failure, and print the reason as one line on standard error. Texts are bytes that end with a NUL. The length of a
 * text is that of strlen; the size of a buffer counts the NUL. Where the vendor's header of this name is in a later
 * directory, or is included before this one, it counts.
 */
#if defined(__has_include_next) && !defined(__cppcheck__)
/* The vendor's directories have this one, too. GCC 12 refuses to look behind the last directory, such as /usr/include.
 */
#if __has_include(<acl/acl_rt.h>) || __has_include(<acl_rt.h>)
#if __has_include_next(<acl/acl_prof.h>)
#pragma GCC system_header /* #include_next is no part of C */
#include_next <acl/acl_prof.h>
#elif __has_include_next(<acl_prof.h>)
#pragma GCC system_header /* #include_next is no part of C */
#include_next <acl_prof.h>
#endif
#endif
#endif

#ifndef MSPROF_ACL_PROF_H
#define MSPROF_ACL_PROF_H

#include "acl_base.h"

#ifndef INC_EXTERNAL_ACL_PROF_H_
#define INC_EXTERNAL_ACL_PROF_H_

#ifdef __cplusplus
extern "C" {
#endif

/* The data to record, joined with |. */
#define ACL_PROF_ACL_API 0x00000001ULL
#define ACL_PROF_TASK_TIME 0x00000002ULL
#define ACL_PROF_AICORE_METRICS 0x00000004ULL
#define ACL_PROF_AICPU 0x00000008ULL
#define ACL_PROF_AICPU_TRACE ACL_PROF_AICPU
#define ACL_PROF_L2CACHE 0x00000010ULL
#define ACL_PROF_HCCL_TRACE 0x00000020ULL
#define ACL_PROF_TRAINING_TRACE 0x00000040ULL
#define ACL_PROF_MSPROFTX 0x00000080ULL
#define ACL_PROF_RUNTIME_API 0x00000100ULL
#define ACL_PROF_GE_API_L0 0x00000200ULL
#define ACL_PROF_TASK_TIME_L0 0x00000800ULL
#define ACL_PROF_TASK_MEMORY 0x00001000ULL
#define ACL_PROF_TASK_TIME_L2 0x00002000ULL
#define ACL_PROF_OP_ATTR 0x00004000ULL
#define ACL_PROF_TASK_TIME_L3 0x00008000ULL
#define ACL_PROF_GE_API_L1 0x01000000ULL
#define ACL_PROF_API_STATS 0x400000000ULL
#define ACL_PROF_AICORE_SHAPE 0x800000000ULL

/* Sizes of buffers, with the NUL, that hold every name and type. */
#define ACL_PROF_MAX_OP_NAME_LEN 257
#define ACL_PROF_MAX_OP_TYPE_LEN 65

typedef enum {
	ACL_AICORE_ARITHMETIC_UTILIZATION = 0,
	ACL_AICORE_PIPE_UTILIZATION = 1,
	ACL_AICORE_MEMORY_BANDWIDTH = 2,
	ACL_AICORE_L0B_AND_WIDTH = 3,
	ACL_AICORE_RESOURCE_CONFLICT_RATIO = 4,
	ACL_AICORE_MEMORY_UB = 5,
	ACL_AICORE_L2_CACHE = 6,
	ACL_AICORE_PIPE_EXECUTE_UTILIZATION = 7,
	ACL_AICORE_MEMORY_ACCESS = 8,
	ACL_AICORE_NONE = 0xFF
} aclprofAicoreMetrics;

/* The settings of aclprofSetConfig; docs/ACLPROF.md lists their values. */
typedef enum {
	ACL_PROF_ARGS_MIN = 0,
	ACL_PROF_STORAGE_LIMIT = 1,
	ACL_PROF_SYS_HARDWARE_MEM_FREQ = 3,
	ACL_PROF_LLC_MODE = 4,
	ACL_PROF_SYS_IO_FREQ = 5,
	ACL_PROF_SYS_INTERCONNECTION_FREQ = 6,
	ACL_PROF_DVPP_FREQ = 7,
	ACL_PROF_HOST_SYS = 8,
	ACL_PROF_HOST_SYS_USAGE = 9,
	ACL_PROF_HOST_SYS_USAGE_FREQ = 10,
	ACL_PROF_LOW_POWER_FREQ = 11,
	ACL_PROF_SYS_MEM_SERVICEFLOW = 12,
	ACL_PROF_SYS_CPU_FREQ = 13,
	ACL_PROF_OPTYPE = 14,
	ACL_PROF_NTS_METRICS = 15,
	ACL_PROF_PATH = 16,
	ACL_PROF_ARGS_MAX = 17
} aclprofConfigType;

/* The subject of a record of the pipe. */
typedef enum {
	ACL_SUBSCRIBE_OP = 0,
	ACL_SUBSCRIBE_SUBGRAPH = 1,
	ACL_SUBSCRIBE_OP_THREAD = 2,
	ACL_SUBSCRIBE_NONE = 0xFF
} aclprofSubscribeOpFlag;

/* The attributes of a record of the pipe. */
typedef enum { ACL_SUBSCRIBE_ATTRI_THREADID = 0, ACL_SUBSCRIBE_ATTRI_NONE = 1 } aclprofSubscribeOpAttri;

typedef enum { ACL_STEP_START = 0, ACL_STEP_END = 1 } aclprofStepTag;

typedef enum { ACL_PROF_MESSAGE_TYPE_TENSOR_INFO = 0 } aclprofMessageType;

typedef struct aclprofConfig aclprofConfig;
typedef struct aclprofStopConfig aclprofStopConfig;
typedef struct aclprofAicoreEvents aclprofAicoreEvents;
typedef struct aclprofSubscribeConfig aclprofSubscribeConfig;
typedef struct aclprofStepInfo aclprofStepInfo;

/* What aclprofRangePushEx describes. Programs of their own definition define the first macro before. */
#ifndef ACL_PROF_TENSOR_INFO_DEFINED
#define ACL_PROF_TENSOR_INFO_DEFINED

#define ACL_PROF_EVENT_ATTR_VERSION 1
#ifndef ACL_PROF_TENSOR_DATA_SHAPE_LEN
#define ACL_PROF_TENSOR_DATA_SHAPE_LEN 8
#endif

typedef struct aclprofTensor {
	uint32_t type;     /* 0: input, 1: output */
	uint32_t format;   /* aclFormat */
	uint32_t dataType; /* aclDataType */
	uint32_t shapeDim; /* numbers in use of `shape` */
	uint32_t shape[ACL_PROF_TENSOR_DATA_SHAPE_LEN];
} aclprofTensor;

typedef struct aclprofTensorInfo {
	uint64_t opNameId, opTypeId; /* from aclprofStr2Id */
	uint32_t resv;
	uint32_t tensorNum;
	uint32_t kernelType;
	uint32_t blockNums;
	void *stream;
	aclprofTensor *tensors;
} aclprofTensorInfo;

typedef struct aclprofEventAttributes {
	uint16_t version;
	uint16_t size; /* of this structure */
	uint32_t messageType;
	union Message {
		aclprofTensorInfo *tensorInfo;
	} message;
} aclprofEventAttributes;
#endif

/* ---------------------------------------------------------------- record to files */

/*
 * Begin to use sessions; call after aclInit and before models are loaded. Results go below the directory
 * `profilerResultPath`, which is made when missing. `length` is 1..4095. aclprofInit and aclprofFinalize may be
 * repeated, each time with another path.
 */
aclError aclprofInit(const char *profilerResultPath, size_t length);

/* Set one setting for sessions started later. The last value of a type applies. `configLength` is at most 256. */
aclError aclprofSetConfig(aclprofConfigType configType, const char *config, size_t configLength);

/*
 * Make the description of a session: the data to record, and the devices. There are at most 64 devices, none twice. Ids
 * are below 64 unless the driver gives a number of devices. A session without devices needs ACL_PROF_MSPROFTX.
 * `aicoreEvents` is NULL. The list is copied. A description may serve any number of calls; free it with
 * aclprofDestroyConfig.
 */
aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums, aclprofAicoreMetrics aicoreMetrics,
    const aclprofAicoreEvents *aicoreEvents, uint64_t dataTypeConfig);
aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig);

/* Begin a session. Sessions may run at the same time when they share no device. */
aclError aclprofStart(const aclprofConfig *profilerConfig);

/* End the session that was started with the same devices, metrics and data types. */
aclError aclprofStop(const aclprofConfig *profilerConfig);

/* End sessions that still run, with a warning, and complete all results since aclprofInit. */
aclError aclprofFinalize(void);

/* ---------------------------------------------------------------- subscribe through a pipe */

/*
 * Make the description of a subscription. `fd` points to the descriptor of the write end of a pipe. The library closes
 * the descriptor when the last model that uses it is unsubscribed. Names are readable until the description is
 * destroyed. Free with aclprofDestroySubscribeConfig.
 */
aclprofSubscribeConfig *aclprofCreateSubscribeConfig(
    int8_t timeInfoSwitch, aclprofAicoreMetrics aicoreMetrics, void *fd);
aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig *profSubscribeConfig);

/* From now on write the operators of the model into the pipe, whole records only. */
aclError aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig *profSubscribeConfig);

/* End a subscription. Waits up to 2 s for a reader that does not read, then drops the rest with a warning. */
aclError aclprofModelUnSubscribe(uint32_t modelId);

/*
 * Interpret bytes read from the pipe. `opInfo` holds `opInfoLen` bytes, a multiple of the size of a record; `index`
 * selects a record. Lengths count the NUL. A buffer that is too small for a text gives INVALID_PARAM. Times are in
 * microseconds. Start, end, duration and model id are 0 for data that is not a record.
 */
aclError aclprofGetOpDescSize(size_t *opDescSize);
aclError aclprofGetOpNum(const void *opInfo, size_t opInfoLen, uint32_t *opNumber);
aclError aclprofGetOpTypeLen(const void *opInfo, size_t opInfoLen, uint32_t index, size_t *opTypeLen);
aclError aclprofGetOpType(const void *opInfo, size_t opInfoLen, uint32_t index, char *opType, size_t opTypeLen);
aclError aclprofGetOpNameLen(const void *opInfo, size_t opInfoLen, uint32_t index, size_t *opNameLen);
aclError aclprofGetOpName(const void *opInfo, size_t opInfoLen, uint32_t index, char *opName, size_t opNameLen);
uint64_t aclprofGetOpStart(const void *opInfo, size_t opInfoLen, uint32_t index);
uint64_t aclprofGetOpEnd(const void *opInfo, size_t opInfoLen, uint32_t index);
uint64_t aclprofGetOpDuration(const void *opInfo, size_t opInfoLen, uint32_t index);
size_t aclprofGetModelId(const void *opInfo, size_t opInfoLen, uint32_t index);
aclprofSubscribeOpFlag aclprofGetOpFlag(const void *opInfo, size_t opInfoLen, uint32_t index);

/* The number of a thread, of records with the flag ACL_SUBSCRIBE_OP_THREAD. Valid until the thread's next call. */
const char *aclprofGetOpAttriValue(const void *opInfo, size_t opInfoLen, uint32_t index, aclprofSubscribeOpAttri attri);

/* ---------------------------------------------------------------- marks and ranges (msproftx) */

/*
 * A stamp carries a message into a mark or a range. All these calls work between Start and Stop. A process has at most
 * 100 stamps at a time. Push and Pop belong to the calling thread; any thread may end a range.
 */
void *aclprofCreateStamp(void);
void aclprofDestroyStamp(void *stamp);

/* Set the message of a stamp. `msgLen` is 1..127. */
aclError aclprofSetStampTraceMessage(void *stamp, const char *msg, uint32_t msgLen);

aclError aclprofMark(void *stamp);
aclError aclprofPush(void *stamp);
aclError aclprofPop(void);
aclError aclprofRangeStart(void *stamp, uint32_t *rangeId);
aclError aclprofRangeStop(uint32_t rangeId);

/* A mark without a stamp. `stream` is accepted and has no effect. `msgLen` is 1..127. */
aclError aclprofMarkEx(const char *msg, size_t msgLen, aclrtStream stream);

/*
 * A range of the calling thread, described by an operator. The range bears the name of the operator. aclprofStr2Id
 * gives the number of a name; 0 for NULL and an empty text.
 */
uint64_t aclprofStr2Id(const char *message);
aclError aclprofRangePushEx(aclprofEventAttributes *attr);
aclError aclprofRangePop(void);

/*
 * A step of a training. Each tag is set once; a step with both is a range while something is recorded. `stream` is
 * accepted and has no effect.
 */
aclprofStepInfo *aclprofCreateStepInfo(void);
void aclprofDestroyStepInfo(aclprofStepInfo *stepinfo);
aclError aclprofGetStepTimestamp(aclprofStepInfo *stepInfo, aclprofStepTag tag, aclrtStream stream);

/* ---------------------------------------------------------------- that frameworks look up by name */

/* Allowed where aclprofStart is. There is nothing to warm up. */
aclError aclprofWarmup(const aclprofConfig *profilerConfig);

/* The features of an NPU that a framework may use: none. `*featuresData` must be NULL before. */
aclError aclprofGetSupportedFeatures(size_t *featuresSize, void **featuresData);
aclError aclprofGetSupportedFeaturesV2(size_t *featuresSize, void **featuresData);

/* Without effect: no device is opened or closed. */
aclError aclprofRegisterDeviceCallback(void);

#ifdef __cplusplus
}
#endif

#endif
#endif
