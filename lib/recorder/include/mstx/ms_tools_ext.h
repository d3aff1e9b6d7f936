/*
 * ms_tools_ext.h: marks and ranges of an application, in domains, under the vendor's names (mstx).
 *
 * Link with -lms_tools_ext. A message is UTF-8 and at most 255 bytes; a longer message is cut. A stream is a handle of
 * the application or NULL; it is recorded and not used. Any thread may call any function. Without a recording the
 * functions do nothing.
 */
#ifndef MSPROF_MS_TOOLS_EXT_H
#define MSPROF_MS_TOOLS_EXT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MSTX_DECLSPEC __attribute__((visibility("default")))

#define MSTX_SUCCESS 0
#define MSTX_FAIL 1
#define MSTX_INVALID_RANGE_ID 0

/* The tool that records, see mstxGetToolId. */
#define MSTX_TOOL_INVALID_ID 0x0
#define MSTX_TOOL_MSPROF_ID 0x1000

typedef uint64_t mstxRangeId;
typedef void *aclrtStream;

typedef struct mstxDomainRegistration_st mstxDomainRegistration_t;
typedef mstxDomainRegistration_t *mstxDomainHandle_t;

/* A moment. */
MSTX_DECLSPEC void mstxMarkA(const char *message, aclrtStream stream);

/* A range of time. Its number is 0 while nothing is recorded. Another thread may end the range. */
MSTX_DECLSPEC mstxRangeId mstxRangeStartA(const char *message, aclrtStream stream);
MSTX_DECLSPEC void mstxRangeEnd(mstxRangeId id);

/* The number of the tool that records: MSTX_TOOL_MSPROF_ID. */
MSTX_DECLSPEC void mstxGetToolId(uint64_t *id);

/*
 * A domain is a group of marks and ranges with a name. The same name gives the same handle. The name "default" is that
 * of the functions above, and gives NULL. After mstxDomainDestroy nothing of the domain is recorded.
 */
MSTX_DECLSPEC mstxDomainHandle_t mstxDomainCreateA(const char *name);
MSTX_DECLSPEC void mstxDomainDestroy(mstxDomainHandle_t domain);
MSTX_DECLSPEC void mstxDomainMarkA(mstxDomainHandle_t domain, const char *message, aclrtStream stream);
MSTX_DECLSPEC mstxRangeId mstxDomainRangeStartA(mstxDomainHandle_t domain, const char *message, aclrtStream stream);
MSTX_DECLSPEC void mstxDomainRangeEnd(mstxDomainHandle_t domain, mstxRangeId id);

/* Memory of an allocator of the application. The calls are accepted; nothing of them is recorded. */
typedef struct mstxMemHeap_st mstxMemHeap_t;
typedef mstxMemHeap_t *mstxMemHeapHandle_t;
typedef struct mstxMemRegion_st mstxMemRegion_t;
typedef mstxMemRegion_t *mstxMemRegionHandle_t;

typedef enum mstxMemHeapUsageType { MSTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR = 0 } mstxMemHeapUsageType;
typedef enum mstxMemType { MSTX_MEM_TYPE_VIRTUAL_ADDRESS = 0 } mstxMemType;
typedef enum mstxMemRegionRefType {
	MSTX_MEM_REGION_REF_TYPE_POINTER = 0,
	MSTX_MEM_REGION_REF_TYPE_HANDLE = 1
} mstxMemRegionRefType;

typedef struct mstxMemVirtualRangeDesc_t {
	uint32_t deviceId;
	const void *ptr;
	uint64_t size;
} mstxMemVirtualRangeDesc_t;

typedef struct mstxMemHeapDesc_t {
	mstxMemHeapUsageType usage;
	mstxMemType type;
	const void *typeSpecificDesc;
} mstxMemHeapDesc_t;

typedef struct mstxMemRegionsRegisterBatch_t {
	mstxMemHeapHandle_t heap;
	mstxMemType regionType;
	size_t regionCount;
	const void *regionDescArray;
	mstxMemRegionHandle_t *regionHandleArrayOut;
} mstxMemRegionsRegisterBatch_t;

typedef struct mstxMemRegionRef_t {
	mstxMemRegionRefType refType;
	union {
		const void *pointer;
		mstxMemRegionHandle_t handle;
	};
} mstxMemRegionRef_t;

typedef struct mstxMemRegionsUnregisterBatch_t {
	size_t refCount;
	const mstxMemRegionRef_t *refArray;
} mstxMemRegionsUnregisterBatch_t;

/* Returns NULL: no tool tracks the memory. */
MSTX_DECLSPEC mstxMemHeapHandle_t mstxMemHeapRegister(mstxDomainHandle_t domain, const mstxMemHeapDesc_t *desc);
MSTX_DECLSPEC void mstxMemHeapUnregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap);
MSTX_DECLSPEC void mstxMemRegionsRegister(mstxDomainHandle_t domain, const mstxMemRegionsRegisterBatch_t *desc);
MSTX_DECLSPEC void mstxMemRegionsUnregister(mstxDomainHandle_t domain, const mstxMemRegionsUnregisterBatch_t *desc);

#ifdef __cplusplus
}
#endif
#endif
