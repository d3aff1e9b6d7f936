/*
 * thin.h: a curve of at most MP_THIN_POINTS points. Of many, each stretch of time keeps its least and its greatest.
 *
 * All points are looked at; where they are too many, they are added in a second pass. They come in any order. A struct
 * of zeros is empty; free with mp_thin_free. Functions that return bool give false when out of memory. One thread.
 */
#ifndef MP_PAGE_THIN_H
#define MP_PAGE_THIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MP_THIN_STRETCHES = 1024, MP_THIN_POINTS = 2 * MP_THIN_STRETCHES };

struct mp_point {
	int64_t time_ns;
	double value;
};

struct mp_stretch {
	struct mp_point least, most;
	bool has_point;
};

struct mp_thin {
	struct mp_point *points; /* of few: all; of many: the result */
	size_t seen, count;
	int64_t first_ns, last_ns;
	struct mp_stretch *stretches; /* of many: equal parts of the time from the first point to the last one */
};

bool mp_thin_look(struct mp_thin *thin, int64_t time_ns, double value);

/* Returns whether the points must be added in a second pass. */
static inline bool mp_thin_is_many(const struct mp_thin *thin)
{
	return thin->seen > MP_THIN_POINTS;
}

bool mp_thin_add(struct mp_thin *thin, int64_t time_ns, double value);

/* No point follows: put the points in order of time. */
void mp_thin_end(struct mp_thin *thin);
void mp_thin_free(struct mp_thin *thin);

#endif
