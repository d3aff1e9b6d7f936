/*
 * lanes.h: puts the events of one thread on lanes.
 *
 * The events of a lane nest or do not overlap, as trace viewers require. Events arrive in order of start, the longer
 * event first among equals. (Events in descending order of end work too when time is reversed: place(-end, -start).)
 * Lane 0 is the thread itself. Memory grows with the number of events open at one time, not with the number of events.
 * An event costs at most O(log n). Free with mp_lanes_free. One thread at a time.
 */
#ifndef MP_REPORT_LANES_H
#define MP_REPORT_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct mp_lanes;

/* Make an empty set of lanes. Returns 0, or -1 when out of memory. */
int mp_lanes_create(struct mp_lanes **lanes, struct mp_error *err);

/* Returns whether the event may come next in the order above. */
bool mp_lanes_in_order(const struct mp_lanes *lanes, int64_t start_ns, int64_t end_ns);

/* The lane for [start_ns, end_ns], with end_ns >= start_ns; -1 when out of memory. */
int64_t mp_lanes_place(struct mp_lanes *lanes, int64_t start_ns, int64_t end_ns, struct mp_error *err);

/* Free the lanes. NULL is allowed. */
void mp_lanes_free(struct mp_lanes *lanes);

#endif
