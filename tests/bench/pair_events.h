/* pair_events.h: the begin and the end of a pair as tracepoints of LTTng, which includes this file several times. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER pair
#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "pair_events.h"

#if !defined(PAIR_EVENTS_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define PAIR_EVENTS_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(
    pair, begin, LTTNG_UST_TP_ARGS(int, name), LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, name, name)))
LTTNG_UST_TRACEPOINT_EVENT(
    pair, end, LTTNG_UST_TP_ARGS(int, name), LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, name, name)))

#endif

#include <lttng/tracepoint-event.h>
