/*
 * ms_tools_ext_mem.h: the calls of mstx for memory of an allocator of the application; ms_tools_ext.h has the others.
 *
 * Link with -lms_tools_ext. The calls are accepted, and nothing of them is recorded.
 */
#ifndef MSPROF_MS_TOOLS_EXT_MEM_H
#define MSPROF_MS_TOOLS_EXT_MEM_H

#include <stddef.h>
#include <stdint.h>

#ifndef MSTX_TOOLS_EXT_MEM
#define MSTX_TOOLS_EXT_MEM

#ifdef __cplusplus
extern "C" {
#endif

#ifndef MSTX_DECLSPEC
#define MSTX_DECLSPEC __attribute__((visibility("default")))
#endif

typedef struct mstxDomainRegistration_st mstxDomainRegistration_t;
typedef mstxDomainRegistration_t *mstxDomainHandle_t;

typedef struct mstxMemHeap_st mstxMemHeap_t;
typedef mstxMemHeap_t *mstxMemHeapHandle_t;
typedef struct mstxMemRegion_st mstxMemRegion_t;
typedef mstxMemRegion_t *mstxMemRegionHandle_t;

#define MSTX_MEM_PERMISSIONS_REGION_FLAGS_NONE 0x00
#define MSTX_MEM_PERMISSIONS_REGION_FLAGS_READ 0x01
#define MSTX_MEM_PERMISSIONS_REGION_FLAGS_WRITE 0x02
#define MSTX_MEM_PERMISSIONS_REGION_FLAGS_SHARED 0x04

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

typedef struct mstxMemPermissionsAssignRegionsDesc_t {
	uint32_t flags; /* MSTX_MEM_PERMISSIONS_REGION_FLAGS_..., joined with | */
	mstxMemRegionRef_t region;
} mstxMemPermissionsAssignRegionsDesc_t;

typedef struct mstxMemPermissionsAssignBatch_t {
	size_t regionCount;
	const mstxMemPermissionsAssignRegionsDesc_t *regionDescArray;
} mstxMemPermissionsAssignBatch_t;

/* Returns NULL: no tool tracks the memory. Handles of regions are not written. */
MSTX_DECLSPEC mstxMemHeapHandle_t mstxMemHeapRegister(mstxDomainHandle_t domain, const mstxMemHeapDesc_t *desc);
MSTX_DECLSPEC void mstxMemHeapUnregister(mstxDomainHandle_t domain, mstxMemHeapHandle_t heap);
MSTX_DECLSPEC void mstxMemRegionsRegister(mstxDomainHandle_t domain, const mstxMemRegionsRegisterBatch_t *desc);
MSTX_DECLSPEC void mstxMemRegionsUnregister(mstxDomainHandle_t domain, const mstxMemRegionsUnregisterBatch_t *desc);
MSTX_DECLSPEC void mstxMemPermissionsAssign(mstxDomainHandle_t domain, const mstxMemPermissionsAssignBatch_t *desc);

#ifdef __cplusplus
}
#endif

#endif
#endif
