/*
 * ms_tools_ext.h: marks and ranges of an application, in domains, under the vendor's names (mstx).
 *
 * Link with -lms_tools_ext. A message is UTF-8 and at most 255 bytes; a longer message is cut. A stream is a handle of
 * the application or NULL; it is recorded and not used. Any thread may call any function. Without a recording the
 * functions do nothing. Where the vendor's header of this name is included before this one, it counts.
 */
#ifndef MSPROF_MS_TOOLS_EXT_H
#define MSPROF_MS_TOOLS_EXT_H

#include "ms_tools_ext_mem.h"

#ifndef MSTX_TOOLS_EXT
#define MSTX_TOOLS_EXT

#ifdef __cplusplus
extern "C" {
#endif

#define MSTX_SUCCESS 0
#define MSTX_FAIL 1
#define MSTX_INVALID_RANGE_ID 0

/* Tools, see mstxGetToolId. */
#define MSTX_TOOL_INVALID_ID 0x0
#define MSTX_TOOL_MSPROF_ID 0x1000
#define MSTX_TOOL_MSOPPROF_ID 0x1001
#define MSTX_TOOL_MSSANITIZER_ID 0x1002
#define MSTX_TOOL_MSLEAKS_ID 0x1003

typedef uint64_t mstxRangeId;
typedef void *aclrtStream;

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

#ifdef __cplusplus
}
#endif

#endif
#endif
