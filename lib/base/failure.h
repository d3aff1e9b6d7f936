/* failure.h: separates errors of the machine from errors of one file. No state. */
#ifndef MP_BASE_FAILURE_H
#define MP_BASE_FAILURE_H

#include <errno.h>
#include <stdbool.h>

/*
 * Returns whether an errno of open is a failure of the machine: no descriptors, no memory, a broken disk or mount.
 * Otherwise the file itself is at fault: missing, a link, a pipe, or not readable for this user. A failure of the
 * machine is no reason to report damaged data.
 */
static inline bool mp_is_machine_failure(int code)
{
	return code != ENOENT && code != EACCES && code != EPERM && code != ELOOP && code != EINVAL && code != ENXIO &&
	       code != EISDIR && code != ENOTDIR;
}

#endif
