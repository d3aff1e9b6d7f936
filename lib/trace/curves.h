/*
 * curves.h: the curves of a trace, by process, name and column. A struct of zeros is empty; free with
 * mp_trace_curves_free. One thread at a time.
 */
#ifndef MP_TRACE_CURVES_H
#define MP_TRACE_CURVES_H

#include "trace/texts.h"

struct mp_trace_curves {
	struct mp_trace_texts keys;
	uint32_t *tracks; /* the track of each curve */
	uint32_t count;
};

/* The track of a curve; 0: it is new, and the caller sets it. Returns NULL out of memory, or of room for curves. */
uint32_t *mp_trace_curves_find(struct mp_trace_curves *c, uint32_t process, int column, const struct mp_value *name);

void mp_trace_curves_free(struct mp_trace_curves *c);

#endif
