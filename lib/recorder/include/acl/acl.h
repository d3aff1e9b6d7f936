/*
 * acl.h: begin and end of a program that uses the ACL, as far as profiling is concerned.
 *
 * Link with -lmsprof_aclprof. Both functions may be called by any thread and act on the whole process.
 */
#ifndef MSPROF_ACL_H
#define MSPROF_ACL_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Call it once, before anything else. `configPath` names an acl.json, whose "profiler" with "switch" "on" begins to
 * record at once; NULL or a file with an empty object records nothing. A second call, also after aclFinalize, is
 * REPEAT_INITIALIZE; a file that cannot be used is INVALID_FILE or INVALID_PARAM, and the process is then
 * not initialised. The path is read during the call only.
 */
aclError aclInit(const char *configPath);

/*
 * Ends what is being recorded and completes its files: only after it returned 0 is a result complete. A second call is
 * REPEAT_FINALIZE, one without aclInit UNINITIALIZE.
 */
aclError aclFinalize(void);

#ifdef __cplusplus
}
#endif

#endif
