/*
 * prof_info.h: writes the control files of host/ in a PROF directory. Functions that return int give 0, or -1; nothing
 * is kept.
 */
#ifndef MP_RECORDER_PROF_INFO_H
#define MP_RECORDER_PROF_INFO_H

#include <stdint.h>

#include "base/error.h"

struct mp_prof_times {
	uint64_t realtime_ns, monotonic_ns;
};

/* The current times of both clocks. */
struct mp_prof_times mp_prof_now(void);

/* Write info.json, sample.json, start_info and host_start.log. `devices`, `members`: see prof_writer.h. */
int mp_prof_info_begin(
    int dirfd, struct mp_prof_times start, const char *devices, const char *members, struct mp_error *err);

/* Remove these files. */
void mp_prof_info_remove(int dirfd);

/* Overwrite the number of lost records in info.json, in place, which needs no disk space. */
int mp_prof_info_lost(int dirfd, uint64_t lost);

/* Write end_info. */
int mp_prof_info_end(int dirfd, struct mp_prof_times start, struct mp_prof_times end, struct mp_error *err);

#endif
