/* failure.h: whether an errno speaks of this machine or of the one file that was asked for. */
#ifndef MP_BASE_FAILURE_H
#define MP_BASE_FAILURE_H

#include <errno.h>
#include <stdbool.h>

/*
 * What is wrong with a file itself: it is gone, a link, a pipe, or not for us to read. Everything else
 * (out of descriptors or memory, a disk or a mount that fails) is no reason to call the data damaged.
 */
static inline bool mp_is_machine_failure(int code)
{
	return code != ENOENT && code != EACCES && code != EPERM && code != ELOOP && code != EINVAL && code != ENXIO &&
	       code != EISDIR && code != ENOTDIR;
}

#endif
