/*
 * texts.h: numbers for texts, from 1 on in the order in which they come first.
 *
 * The texts are kept up to a limit in all, so that memory stays bounded whatever the data: a text beyond it has no
 * number. A struct of zeros is empty; free with mp_trace_texts_free. One thread at a time.
 */
#ifndef MP_TRACE_TEXTS_H
#define MP_TRACE_TEXTS_H

#include "base/index.h"
#include "base/value.h"

enum { MP_TRACE_TEXTS_CACHE = 1024 };

struct mp_trace_texts {
	char *bytes;
	size_t used;
	size_t *ends; /* of each text */
	struct mp_index index;
	uint32_t count, last; /* the number that was given last */
	struct {
		const char *text; /* where a text was last */
		uint32_t number;
		bool stays; /* the text is still there */
	} cache[MP_TRACE_TEXTS_CACHE];
};

/* The number of a text; 0 when it is not kept. *is_new tells whether the text has its number since this call. */
uint32_t mp_trace_texts_number(struct mp_trace_texts *t, const struct mp_value *v, bool *is_new);

/* Forget the addresses of texts: they belong to a query that ends. */
void mp_trace_texts_move_on(struct mp_trace_texts *t);

void mp_trace_texts_free(struct mp_trace_texts *t);

/*
 * The curves of a trace, by process, name and column. A struct of zeros is empty; free with
 * mp_trace_curves_free. One thread at a time.
 */

struct mp_trace_curves {
	struct mp_trace_texts keys;
	uint32_t *tracks; /* the track of each curve */
	uint32_t count;
};

/* The track of a curve; 0: it is new, and the caller sets it. Returns NULL out of memory, or of room for curves. */
uint32_t *mp_trace_curves_find(struct mp_trace_curves *c, uint32_t process, int column, const struct mp_value *name);

void mp_trace_curves_free(struct mp_trace_curves *c);

#endif
