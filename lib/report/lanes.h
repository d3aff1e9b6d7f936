/*
 * lanes.h: puts the events of one thread on lanes such that the events of a
 * lane nest or do not overlap, as trace viewers demand.
 *
 * Events come in order of start, the longer first among equals. (Events in falling order of their
 * ends do as well, when time is turned round: place(-end, -start).) Lane 0 is the thread
 * itself. Memory grows with the events that are open at one time,
 * not with their number; each event costs O(log n) at worst.
 */
#ifndef MP_REPORT_LANES_H
#define MP_REPORT_LANES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct mp_lanes;

int mp_lanes_create(struct mp_lanes **lanes, struct mp_error *err);

/* Whether the event may come next: not before the last one in the order above. */
bool mp_lanes_in_order(const struct mp_lanes *lanes, int64_t start_ns, int64_t end_ns);

/* The lane for [start_ns, end_ns], end_ns >= start_ns; -1 when out of memory. */
int64_t mp_lanes_place(struct mp_lanes *lanes, int64_t start_ns, int64_t end_ns, struct mp_error *err);

void mp_lanes_free(struct mp_lanes *lanes);

#endif
