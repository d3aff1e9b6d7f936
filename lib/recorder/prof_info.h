/* prof_info.h: the control files of host/ in a PROF directory. */
#ifndef MP_RECORDER_PROF_INFO_H
#define MP_RECORDER_PROF_INFO_H

#include <stdint.h>

#include "base/error.h"

struct mp_prof_times {
	uint64_t realtime_ns, monotonic_ns;
};

struct mp_prof_times mp_prof_now(void);

/* info.json, sample.json, start_info, host_start.log. `members` as in session.h. */
int mp_prof_info_begin(int dirfd, struct mp_prof_times start, const char *members, struct mp_error *err);

/* Write the number of lost records over that in info.json: needs no space. */
int mp_prof_info_lost(int dirfd, uint64_t lost);

/* end_info */
int mp_prof_info_end(int dirfd, struct mp_prof_times start, struct mp_prof_times end, struct mp_error *err);

#endif
