/*
 * slices.h: all slices of the time line in one array, with their tracks and names.
 *
 * The queries are those of schema/page/tracks; docs/REPORT.md describes them. A struct of zeros is empty. It owns
 * everything; free with mp_slices_free, after an error, too. Functions return 0, or -1 with err. One thread.
 */
#ifndef MP_PAGE_SLICES_H
#define MP_PAGE_SLICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/big.h"
#include "base/index.h"
#include "insight/ops.h"
#include "page/page.h"

struct mp_slice {
	int64_t start_ns, end_ns;
	uint32_t op, track;
};

enum mp_track_kind { MP_TRACK_STEP, MP_TRACK_HOST, MP_TRACK_DEVICE, MP_TRACK_KINDS };

extern const char *const mp_track_kinds[MP_TRACK_KINDS];

struct mp_track {
	char *name, *group;
	enum mp_track_kind kind;
	int clock;
	size_t count;                 /* of its slices */
	int64_t place, order, number; /* the order of tracks: by report, group, number */
	int64_t last_ns, last_end_ns; /* the slice that was read last */
};

enum { MP_CLOCKS = 2 };

struct mp_slices {
	struct mp_big items; /* struct mp_slice: those of each track by start, the longest first */
	size_t count;
	struct mp_track *tracks;
	size_t track_count;
	struct mp_ops ids; /* of tracks */
	struct mp_ops ops; /* what slices are named by */
	struct mp_text_set keys, groups, names;
	uint32_t *op_names; /* the number of the name of each of ops */
	int64_t begin_ns[MP_CLOCKS], end_ns[MP_CLOCKS];
	bool has_clock[MP_CLOCKS];
};

int mp_slices_read(struct mp_slices *slices, const struct mp_page *page, struct mp_error *err);
void mp_slices_free(struct mp_slices *slices);

#endif
