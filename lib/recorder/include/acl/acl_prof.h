/*
 * acl_prof.h: record what a program does (aclprofInit, Start, Stop, Finalize), or have the operators of a model sent
 * through a pipe while it runs (aclprofModelSubscribe).
 *
 * Link with -lmsprof_aclprof. One mode at a time is on in a process, and a call made by any thread is for all of them.
 * docs/ACLPROF.md has the table of calls, modes and result codes. Calls that return a pointer give NULL when they
 * fail; what was wrong is one line on standard error. Texts are bytes that end with a NUL; a length that goes with a
 * text is that of strlen, unless it is the size of a buffer.
 */
#ifndef MSPROF_ACL_PROF_H
#define MSPROF_ACL_PROF_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What to record, joined with |. */
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

/* Sizes of buffers that hold every name and type, with the NUL. */
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

/* What aclprofSetConfig sets; the values it takes are in docs/ACLPROF.md. */
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

/* What a record of the pipe is about. */
typedef enum {
	ACL_SUBSCRIBE_OP = 0,
	ACL_SUBSCRIBE_SUBGRAPH = 1,
	ACL_SUBSCRIBE_OP_THREAD = 2,
	ACL_SUBSCRIBE_NONE = 0xFF
} aclprofSubscribeOpFlag;

typedef struct aclprofConfig aclprofConfig;
typedef struct aclprofAicoreEvents aclprofAicoreEvents;
typedef struct aclprofSubscribeConfig aclprofSubscribeConfig;

/* ---------------------------------------------------------------- record to files */

/*
 * After aclInit and before models are loaded: results go below the directory `profilerResultPath`, which is made
 * where it is missing. `length` is 1..4095. Init and aclprofFinalize may be repeated, each time with another path.
 */
aclError aclprofInit(const char *profilerResultPath, size_t length);

/* Set one thing for the sessions that start later; the last value of a type counts. `configLength` is at most 256. */
aclError aclprofSetConfig(aclprofConfigType configType, const char *config, size_t configLength);

/*
 * What a session records, and of which devices (at most 64, none twice; ids are below 64 where no driver tells a
 * number). No device at all needs ACL_PROF_MSPROFTX. `aicoreEvents` is NULL. The list is copied. Free the result with
 * aclprofDestroyConfig; it may serve any number of calls.
 */
aclprofConfig *aclprofCreateConfig(uint32_t *deviceIdList, uint32_t deviceNums, aclprofAicoreMetrics aicoreMetrics,
    const aclprofAicoreEvents *aicoreEvents, uint64_t dataTypeConfig);
aclError aclprofDestroyConfig(const aclprofConfig *profilerConfig);

/* Begin a session. Sessions run beside each other when they have no device in common. */
aclError aclprofStart(const aclprofConfig *profilerConfig);

/* End the session that was started with the same content (devices, metrics, data types). */
aclError aclprofStop(const aclprofConfig *profilerConfig);

/* End the sessions that still run, with a warning, and complete all results since aclprofInit. */
aclError aclprofFinalize(void);

/* ---------------------------------------------------------------- subscribe through a pipe */

/*
 * `fd` points to the descriptor of a pipe's write end, which the library closes when the last model that uses it is
 * unsubscribed. Names are readable until the config is destroyed. Free with aclprofDestroySubscribeConfig.
 */
aclprofSubscribeConfig *aclprofCreateSubscribeConfig(
    int8_t timeInfoSwitch, aclprofAicoreMetrics aicoreMetrics, void *fd);
aclError aclprofDestroySubscribeConfig(const aclprofSubscribeConfig *profSubscribeConfig);

/* From now on the operators of the model are written into the pipe, whole records only. */
aclError aclprofModelSubscribe(uint32_t modelId, const aclprofSubscribeConfig *profSubscribeConfig);

/* Waits up to 2 s for a reader that does not read, then drops the rest with a warning. */
aclError aclprofModelUnSubscribe(uint32_t modelId);

/*
 * What was read from the pipe: `opInfo` holds `opInfoLen` bytes, a multiple of the size of a record, and `index` is a
 * record's place. Lengths count the NUL. A buffer too small for a text is INVALID_PARAM. Times are in microseconds;
 * start, end, duration and model id are 0 for data that is no record.
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

/* ---------------------------------------------------------------- marks and ranges (msproftx) */

/*
 * A stamp carries a message into a mark or a range. All of these work between Start and Stop. A process has 100
 * stamps at a time. Push and Pop belong to the thread that calls them; a range may be ended by another thread.
 */
void *aclprofCreateStamp(void);
void aclprofDestroyStamp(void *stamp);

/* `msgLen` is 1..127. */
aclError aclprofSetStampTraceMessage(void *stamp, const char *msg, uint32_t msgLen);

aclError aclprofMark(void *stamp);
aclError aclprofPush(void *stamp);
aclError aclprofPop(void);
aclError aclprofRangeStart(void *stamp, uint32_t *rangeId);
aclError aclprofRangeStop(uint32_t rangeId);

#ifdef __cplusplus
}
#endif

#endif
