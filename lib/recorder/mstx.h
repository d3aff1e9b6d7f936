/*
 * mstx.h: the interface between the calls of mstx and the recorder: marks and ranges of domains.
 *
 * A domain is a handle that lives as long as the process; NULL is the default domain. Handles are never invalid: a
 * destroyed domain records nothing until it is created again. Any thread may call any function, and may end the range
 * of another thread. Messages are UTF-8, at most 255 bytes; longer ones are cut at a character. No call waits: they
 * cost what a mark of the recorder costs, or some nanoseconds when nothing is recorded.
 */
#ifndef MP_RECORDER_MSTX_H
#define MP_RECORDER_MSTX_H

#include <stdint.h>

#include "recorder/include/msprof_recorder.h"

struct msprof_mstx_domain;

/*
 * The domain of a name, which is the same for the same name. NULL for no name, for the name of the default domain, and
 * when the process has 1,024 domains.
 */
MSPROF_EXPORT struct msprof_mstx_domain *msprof_mstx_create(const char *name);
MSPROF_EXPORT void msprof_mstx_destroy(struct msprof_mstx_domain *domain);

/* `stream` is a handle of the application, which is recorded and not used; NULL: none. */
MSPROF_EXPORT void msprof_mstx_mark(struct msprof_mstx_domain *domain, const char *message, const void *stream);

/*
 * Begin a range. Returns its number, which no other range of the process has; 0 while nothing is recorded, or when
 * 8,192 ranges are open.
 */
MSPROF_EXPORT uint64_t msprof_mstx_range_start(
    struct msprof_mstx_domain *domain, const char *message, const void *stream);

/* End a range; it belongs to the thread that began it. A number that is not open is ignored. */
MSPROF_EXPORT void msprof_mstx_range_end(uint64_t range);

#endif
