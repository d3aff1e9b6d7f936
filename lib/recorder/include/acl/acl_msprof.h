/*
 * acl_msprof.h: the calls of older releases for marks and ranges; see acl_prof.h for the others.
 *
 * Link with -lmsprof_aclprof. Programs of those releases run unchanged. A category is recorded. Tags, payloads, call
 * stacks and names of categories are checked, but there is nowhere to record them.
 */
#ifndef MSPROF_ACL_MSPROF_H
#define MSPROF_ACL_MSPROF_H

#include <stdbool.h>

#include "acl_prof.h"

#ifdef __cplusplus
extern "C" {
#endif

aclError aclprofSetStampTagName(void *stamp, const char *tagName, uint16_t len);
aclError aclprofSetStampCallStack(void *stamp, const char *callStack, uint32_t len);
aclError aclprofSetStampPayload(void *stamp, const int32_t type, void *value);
aclError aclprofSetStampCategory(void *stamp, uint32_t category);
aclError aclprofSetCategoryName(uint32_t category, const char *categoryName);

/* Switch marks and ranges off and on; they are on at first. */
aclError aclprofMsproftxSwitch(bool isOpen);

/* Bytes of an unknown layout. They are not recorded, which is a warning once. */
aclError aclprofReportStamp(const char *tag, unsigned int tagLen, unsigned char *data, unsigned int dataLen);

#ifdef __cplusplus
}
#endif

#endif
