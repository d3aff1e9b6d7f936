/* failure.h: whether an errno speaks of this machine or of the one file that was asked for. */
#ifndef MP_BASE_FAILURE_H
#define MP_BASE_FAILURE_H

#include <errno.h>
#include <stdbool.h>

/* Out of descriptors, out of memory, a disk or a mount that fails: no reason to call the data damaged. */
static inline bool mp_is_machine_failure(int code)
{
	return code == EMFILE || code == ENFILE || code == ENOMEM || code == EIO || code == ESTALE;
}

#endif
