/*
 * acl.h: begin and end of a program that uses the ACL, as far as profiling is concerned.
 *
 * Link with -lmsprof_aclprof. Any thread may call both functions; they act on the whole process. The vendor's header of
 * this name, where there is one in a later directory, is included, too: it has more.
 */
#if defined(__has_include_next) && !defined(__cppcheck__)
/* The vendor's directories have this one, too. GCC 12 refuses to look behind the last directory, such as /usr/include.
 */
#if __has_include(<acl/acl_rt.h>) || __has_include(<acl_rt.h>)
#if __has_include_next(<acl/acl.h>)
#pragma GCC system_header /* #include_next is no part of C */
#include_next <acl/acl.h>
#elif __has_include_next(<acl.h>)
#pragma GCC system_header /* #include_next is no part of C */
#include_next <acl.h>
#endif
#endif
#endif

#ifndef MSPROF_ACL_H
#define MSPROF_ACL_H

#include "acl_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Begin; call once, before anything else. `configPath` names an acl.json. If its "profiler" has "switch" "on",
 * recording begins at once. NULL or a file with an empty object records nothing. A second call, also after aclFinalize,
 * returns REPEAT_INITIALIZE. A file that cannot be used gives INVALID_FILE or INVALID_PARAM; the process is then not
 * initialised. The path is read only during the call.
 */
aclError aclInit(const char *configPath);

/*
 * End all recordings and complete their files. A result is complete only after aclFinalize returned 0. A second call
 * returns REPEAT_FINALIZE, a call without aclInit UNINITIALIZE.
 */
aclError aclFinalize(void);

#ifdef __cplusplus
}
#endif

#endif
