/*
 * acl_base.h: result codes, handles and types of the ACL family of calls.
 *
 * Every call that returns an aclError gives 0 on success, and otherwise one of these codes. One line on standard error
 * then names the call, the parameter, its value and the mistake.
 *
 * The vendor has a header of this name with the same content. Where there is one in a later directory it is included
 * here and counts; else the first of the two that a program includes, and the other one is empty. Functions declared
 * here are the vendor's: a program that calls them links the vendor's library.
 */
#if defined(__has_include_next) && !defined(__cppcheck__)
/* The vendor's directories have this one, too. GCC 12 refuses to look behind the last directory, such as /usr/include.
 */
#if __has_include(<acl/acl_rt.h>) || __has_include(<acl_rt.h>)
#if __has_include_next(<acl/acl_base.h>)
#pragma GCC system_header /* #include_next is no part of C */
#include_next <acl/acl_base.h>
#elif __has_include_next(<acl_base.h>)
#pragma GCC system_header /* #include_next is no part of C */
#include_next <acl_base.h>
#endif
#endif
#endif

#ifndef MSPROF_ACL_BASE_H
#define MSPROF_ACL_BASE_H

#include <stddef.h>
#include <stdint.h>

#if !defined(INC_EXTERNAL_ACL_ACL_BASE_H_) && !defined(INC_EXTERNAL_ACL_ACL_BASE_RT_H_)
#define INC_EXTERNAL_ACL_ACL_BASE_H_
#define INC_EXTERNAL_ACL_ACL_BASE_RT_H_

#ifdef __cplusplus
extern "C" {
#endif

#define ACL_FUNC_VISIBILITY __attribute__((visibility("default")))
#define ACL_DEPRECATED __attribute__((deprecated))
#define ACL_DEPRECATED_MESSAGE(message) __attribute__((deprecated(message)))

typedef int aclError;
typedef uint16_t aclFloat16;
typedef void *aclrtStream;
typedef void *aclrtEvent;
typedef void *aclrtContext;
typedef void *aclrtNotify;
typedef void *aclrtCntNotify;
typedef void *aclrtLabel;
typedef void *aclrtLabelList;
typedef void *aclrtMbuf;
typedef void *aclmdlRITask;
typedef void *aclrtAllocatorDesc;
typedef void *aclrtAllocator;
typedef void *aclrtAllocatorBlock;
typedef void *aclrtAllocatorAddr;
typedef void *aclrtTaskGrp;
typedef struct aclDataBuffer aclDataBuffer;
typedef struct aclTensorDesc aclTensorDesc;
typedef struct aclOpExecutor aclOpExecutor;

enum {
	ACL_SUCCESS = 0,
	ACL_ERROR_NONE = 0,
	ACL_ERROR_INVALID_PARAM = 100000,
	ACL_ERROR_UNINITIALIZE = 100001,
	ACL_ERROR_REPEAT_INITIALIZE = 100002,
	ACL_ERROR_INVALID_FILE = 100003,
	ACL_ERROR_WRITE_FILE = 100004,
	ACL_ERROR_INVALID_FILE_SIZE = 100005,
	ACL_ERROR_PARSE_FILE = 100006,
	ACL_ERROR_FILE_MISSING_ATTR = 100007,
	ACL_ERROR_FILE_ATTR_INVALID = 100008,
	ACL_ERROR_INVALID_DUMP_CONFIG = 100009,
	ACL_ERROR_INVALID_PROFILING_CONFIG = 100010,
	ACL_ERROR_INVALID_MODEL_ID = 100011,
	ACL_ERROR_DESERIALIZE_MODEL = 100012,
	ACL_ERROR_PARSE_MODEL = 100013,
	ACL_ERROR_READ_MODEL_FAILURE = 100014,
	ACL_ERROR_MODEL_SIZE_INVALID = 100015,
	ACL_ERROR_MODEL_MISSING_ATTR = 100016,
	ACL_ERROR_MODEL_INPUT_NOT_MATCH = 100017,
	ACL_ERROR_MODEL_OUTPUT_NOT_MATCH = 100018,
	ACL_ERROR_MODEL_NOT_DYNAMIC = 100019,
	ACL_ERROR_OP_TYPE_NOT_MATCH = 100020,
	ACL_ERROR_OP_INPUT_NOT_MATCH = 100021,
	ACL_ERROR_OP_OUTPUT_NOT_MATCH = 100022,
	ACL_ERROR_OP_ATTR_NOT_MATCH = 100023,
	ACL_ERROR_OP_NOT_FOUND = 100024,
	ACL_ERROR_OP_LOAD_FAILED = 100025,
	ACL_ERROR_UNSUPPORTED_DATA_TYPE = 100026,
	ACL_ERROR_FORMAT_NOT_MATCH = 100027,
	ACL_ERROR_BIN_SELECTOR_NOT_REGISTERED = 100028,
	ACL_ERROR_KERNEL_NOT_FOUND = 100029,
	ACL_ERROR_BIN_SELECTOR_ALREADY_REGISTERED = 100030,
	ACL_ERROR_KERNEL_ALREADY_REGISTERED = 100031,
	ACL_ERROR_INVALID_QUEUE_ID = 100032,
	ACL_ERROR_REPEAT_SUBSCRIBE = 100033,
	ACL_ERROR_STREAM_NOT_SUBSCRIBE = 100034,
	ACL_ERROR_THREAD_NOT_SUBSCRIBE = 100035,
	ACL_ERROR_WAIT_CALLBACK_TIMEOUT = 100036,
	ACL_ERROR_REPEAT_FINALIZE = 100037,
	ACL_ERROR_NOT_STATIC_AIPP = 100038,
	ACL_ERROR_COMPILING_STUB_MODE = 100039,
	ACL_ERROR_GROUP_NOT_SET = 100040,
	ACL_ERROR_GROUP_NOT_CREATE = 100041,
	ACL_ERROR_PROF_ALREADY_RUN = 100042,
	ACL_ERROR_PROF_NOT_RUN = 100043,
	ACL_ERROR_DUMP_ALREADY_RUN = 100044,
	ACL_ERROR_DUMP_NOT_RUN = 100045,
	ACL_ERROR_PROF_REPEAT_SUBSCRIBE = 148046,
	ACL_ERROR_PROF_API_CONFLICT = 148047,
	ACL_ERROR_INVALID_MAX_OPQUEUE_NUM_CONFIG = 148048,
	ACL_ERROR_INVALID_OPP_PATH = 148049,
	ACL_ERROR_OP_UNSUPPORTED_DYNAMIC = 148050,
	ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED = 148051,
	ACL_ERROR_UNSUPPORTED_JPEG = 148052,
	ACL_ERROR_INVALID_BUNDLE_MODEL_ID = 148053,
	ACL_ERROR_BAD_ALLOC = 200000,
	ACL_ERROR_API_NOT_SUPPORT = 200001,
	ACL_ERROR_INVALID_DEVICE = 200002,
	ACL_ERROR_MEMORY_ADDRESS_UNALIGNED = 200003,
	ACL_ERROR_RESOURCE_NOT_MATCH = 200004,
	ACL_ERROR_INVALID_RESOURCE_HANDLE = 200005,
	ACL_ERROR_FEATURE_UNSUPPORTED = 200006,
	ACL_ERROR_PROF_MODULES_UNSUPPORTED = 200007,
	ACL_ERROR_STORAGE_OVER_LIMIT = 300000,
	ACL_ERROR_INTERNAL_ERROR = 500000,
	ACL_ERROR_FAILURE = 500001,
	ACL_ERROR_GE_FAILURE = 500002,
	ACL_ERROR_RT_FAILURE = 500003,
	ACL_ERROR_DRV_FAILURE = 500004,
	ACL_ERROR_PROFILING_FAILURE = 500005,
	ACL_ERROR_RT_REPORT_TIMEOUT = 507012
};

typedef enum {
	ACL_DT_UNDEFINED = -1,
	ACL_FLOAT = 0,
	ACL_FLOAT16 = 1,
	ACL_INT8 = 2,
	ACL_INT32 = 3,
	ACL_UINT8 = 4,
	ACL_INT16 = 6,
	ACL_UINT16 = 7,
	ACL_UINT32 = 8,
	ACL_INT64 = 9,
	ACL_UINT64 = 10,
	ACL_DOUBLE = 11,
	ACL_BOOL = 12,
	ACL_STRING = 13,
	ACL_COMPLEX64 = 16,
	ACL_COMPLEX128 = 17,
	ACL_BF16 = 27,
	ACL_INT4 = 29,
	ACL_UINT1 = 30,
	ACL_COMPLEX32 = 33,
	ACL_HIFLOAT8 = 34,
	ACL_FLOAT8_E5M2 = 35,
	ACL_FLOAT8_E4M3FN = 36,
	ACL_FLOAT8_E8M0 = 37,
	ACL_FLOAT6_E3M2 = 38,
	ACL_FLOAT6_E2M3 = 39,
	ACL_FLOAT4_E2M1 = 40,
	ACL_FLOAT4_E1M2 = 41
} aclDataType;

typedef enum {
	ACL_FORMAT_UNDEFINED = -1,
	ACL_FORMAT_NCHW = 0,
	ACL_FORMAT_NHWC = 1,
	ACL_FORMAT_ND = 2,
	ACL_FORMAT_NC1HWC0 = 3,
	ACL_FORMAT_FRACTAL_Z = 4,
	ACL_FORMAT_NC1HWC0_C04 = 12,
	ACL_FORMAT_HWCN = 16,
	ACL_FORMAT_NDHWC = 27,
	ACL_FORMAT_FRACTAL_NZ = 29,
	ACL_FORMAT_NCDHW = 30,
	ACL_FORMAT_NDC1HWC0 = 32,
	ACL_FRACTAL_Z_3D = 33,
	ACL_FORMAT_NC = 35,
	ACL_FORMAT_NCL = 47,
	ACL_FORMAT_FRACTAL_NZ_C0_16 = 50,
	ACL_FORMAT_FRACTAL_NZ_C0_32 = 51,
	ACL_FORMAT_FRACTAL_NZ_C0_2 = 52,
	ACL_FORMAT_FRACTAL_NZ_C0_4 = 53,
	ACL_FORMAT_FRACTAL_NZ_C0_8 = 54
} aclFormat;

typedef enum { ACL_DEBUG = 0, ACL_INFO = 1, ACL_WARNING = 2, ACL_ERROR = 3 } aclLogLevel;

typedef enum { ACL_MEMTYPE_DEVICE = 0, ACL_MEMTYPE_HOST = 1, ACL_MEMTYPE_HOST_COMPILE_INDEPENDENT = 2 } aclMemType;

typedef enum {
	ACL_OPT_DETERMINISTIC = 0,
	ACL_OPT_ENABLE_DEBUG_KERNEL = 1,
	ACL_OPT_STRONG_CONSISTENCY = 2,
	ACL_OPT_ENABLE_KERNEL_EARLY_START = 3
} aclSysParamOpt;

typedef enum {
	ACL_CANN_ATTR_UNDEFINED = -1,
	ACL_CANN_ATTR_INF_NAN = 0,
	ACL_CANN_ATTR_BF16 = 1,
	ACL_CANN_ATTR_JIT_COMPILE = 2
} aclCannAttr;

typedef enum {
	ACL_DEVICE_INFO_UNDEFINED = -1,
	ACL_DEVICE_INFO_AI_CORE_NUM = 0,
	ACL_DEVICE_INFO_VECTOR_CORE_NUM = 1,
	ACL_DEVICE_INFO_L2_SIZE = 2
} aclDeviceInfo;

#define ACL_TENSOR_SHAPE_RANGE_NUM 2
#define ACL_TENSOR_VALUE_RANGE_NUM 2
#define ACL_UNKNOWN_RANK 0xFFFFFFFFFFFFFFFE

/* ---------------------------------------------------------------- of the vendor's library */

float aclFloat16ToFloat(aclFloat16 value);
aclFloat16 aclFloatToFloat16(float value);
size_t aclDataTypeSize(aclDataType dataType);
const char *aclrtGetSocName(void);
aclError aclGetCannAttributeList(const aclCannAttr **cannAttrList, size_t *num);
aclError aclGetCannAttribute(aclCannAttr cannAttr, int32_t *value);
aclError aclGetDeviceCapability(uint32_t deviceId, aclDeviceInfo deviceInfo, int64_t *value);
aclError aclDestroyAclOpExecutor(aclOpExecutor *executor);

aclDataBuffer *aclCreateDataBuffer(void *data, size_t size);
aclError aclDestroyDataBuffer(const aclDataBuffer *dataBuffer);
aclError aclUpdateDataBuffer(aclDataBuffer *dataBuffer, void *data, size_t size);
void *aclGetDataBufferAddr(const aclDataBuffer *dataBuffer);
uint32_t aclGetDataBufferSize(const aclDataBuffer *dataBuffer);
size_t aclGetDataBufferSizeV2(const aclDataBuffer *dataBuffer);

aclTensorDesc *aclCreateTensorDesc(aclDataType dataType, int numDims, const int64_t *dims, aclFormat format);
void aclDestroyTensorDesc(const aclTensorDesc *desc);
aclDataType aclGetTensorDescType(const aclTensorDesc *desc);
aclFormat aclGetTensorDescFormat(const aclTensorDesc *desc);
size_t aclGetTensorDescSize(const aclTensorDesc *desc);
size_t aclGetTensorDescElementCount(const aclTensorDesc *desc);
size_t aclGetTensorDescNumDims(const aclTensorDesc *desc);
int64_t aclGetTensorDescDim(const aclTensorDesc *desc, size_t index);
aclError aclGetTensorDescDimV2(const aclTensorDesc *desc, size_t index, int64_t *dimSize);
aclError aclGetTensorDescDimRange(const aclTensorDesc *desc, size_t index, size_t dimRangeNum, int64_t *dimRange);
const char *aclGetTensorDescName(aclTensorDesc *desc);
aclTensorDesc *aclGetTensorDescByIndex(aclTensorDesc *desc, size_t index);
void *aclGetTensorDescAddress(const aclTensorDesc *desc);
aclError aclTransTensorDescFormat(const aclTensorDesc *srcDesc, aclFormat dstFormat, aclTensorDesc **dstDesc);
void aclSetTensorDescName(aclTensorDesc *desc, const char *name);
aclError aclSetTensorShapeRange(aclTensorDesc *desc, size_t dimsCount, int64_t dimsRange[][ACL_TENSOR_SHAPE_RANGE_NUM]);
aclError aclSetTensorValueRange(
    aclTensorDesc *desc, size_t valueCount, int64_t valueRange[][ACL_TENSOR_VALUE_RANGE_NUM]);
aclError aclSetTensorStorageFormat(aclTensorDesc *desc, aclFormat format);
aclError aclSetTensorStorageShape(aclTensorDesc *desc, int numDims, const int64_t *dims);
aclError aclSetTensorFormat(aclTensorDesc *desc, aclFormat format);
aclError aclSetTensorShape(aclTensorDesc *desc, int numDims, const int64_t *dims);
aclError aclSetTensorOriginFormat(aclTensorDesc *desc, aclFormat format);
aclError aclSetTensorOriginShape(aclTensorDesc *desc, int numDims, const int64_t *dims);
aclError aclSetTensorDynamicInput(aclTensorDesc *desc, const char *dynamicInputName);
aclError aclSetTensorConst(aclTensorDesc *desc, void *dataBuffer, size_t length);
aclError aclSetTensorPlaceMent(aclTensorDesc *desc, aclMemType memType);

void aclAppLog(aclLogLevel logLevel, const char *func, const char *file, uint32_t line, const char *fmt, ...);
#define ACL_APP_LOG(level, ...) aclAppLog(level, __func__, __FILE__, __LINE__, __VA_ARGS__)

#ifdef __cplusplus
}
#endif

#endif
#endif
