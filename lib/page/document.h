/* document.h: the parts of the data document. Functions return 0, or -1 with err; the mp_out keeps its own errors. */
#ifndef MP_PAGE_DOCUMENT_H
#define MP_PAGE_DOCUMENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/index.h"
#include "base/out.h"
#include "base/vec.h"
#include "insight/ops.h"
#include "page/page.h"
#include "page/strip.h"

/*
 * All slices of the time line in one array, with their tracks and names.
 *
 * The queries are those of schema/page/tracks; docs/REPORT.md describes them. A struct of zeros is empty. It owns
 * everything; free with mp_slices_free, after an error, too. Functions return 0, or -1 with err. One thread.
 */

struct mp_page_slice {
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
	struct mp_big items; /* struct mp_page_slice: those of each track by start, the longest first */
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

/* From the first to the last slice of a clock; 0 where it has none. */
int64_t mp_clock_length_ns(const struct mp_slices *slices, int clock);

int mp_slices_read(struct mp_slices *slices, const struct mp_page *page, struct mp_error *err);
void mp_slices_free(struct mp_slices *slices);

/*
 * The time line and the flame graph of a page as JSON.
 *
 * docs/REPORT.md has the members. Free with mp_page_timeline_free, after an error, too. Functions return 0, or -1 with
 * err; the mp_out keeps its own errors. One thread.
 */

struct mp_page_timeline {
	struct mp_slices slices;
	struct mp_strip *strips; /* of the tracks in `order` */
	uint32_t *order;         /* the tracks that are shown, in the order of the page */
	size_t shown;
	struct mp_stacks stacks;
	int64_t length_ns;
	int64_t left_out_tracks, left_out_nodes;
};

/* Read all slices, and find what the page has of them. */
int mp_page_timeline_read(struct mp_page_timeline *timeline, const struct mp_page *page, struct mp_error *err);

/* Write the value of the member "timeline". */
int mp_page_timeline_put(
    struct mp_page_timeline *timeline, const struct mp_page *page, struct mp_out *out, struct mp_error *err);

/* Write the value of the member "stacks": null without a call. */
int mp_stacks_put(struct mp_page_timeline *timeline, struct mp_out *out, struct mp_error *err);

void mp_page_timeline_free(struct mp_page_timeline *timeline);

/* Write the whole document. */
int mp_document_put(const struct mp_page *page, struct mp_out *out, struct mp_error *err);

/* Write the objects of all rows of the queries of a folder below schema/page, separated by commas; `any`: there was
 * one before, and after. */
int mp_objects_put(const struct mp_page *page, const char *folder, bool *any, struct mp_out *out, struct mp_error *err);

/* Write the values of members; "roofline" is null where no peak is known. */
int mp_job_put(const struct mp_page *page, struct mp_out *out, struct mp_error *err);
int mp_operators_put(const struct mp_page *page, struct mp_out *out, struct mp_error *err);
int mp_roofline_put(const struct mp_page *page, struct mp_out *out, struct mp_error *err);

/* Write the value of the member "counters"; times count from begin_ns on. */
int mp_counters_put(const struct mp_page *page, int64_t begin_ns, struct mp_out *out, struct mp_error *err);

/*
 * JSON that cannot end the script element in which it stands.
 *
 * '<', '>', '&' and the line separators U+2028 and U+2029 become escapes; in JSON they only occur in strings. Functions
 * return 0, or -1 with err. One thread.
 */

struct mp_safe {
	struct mp_out *json; /* write here */
	struct mp_out *to;
	int seen; /* bytes of a separator at the end of what was passed on */
};

int mp_safe_open(struct mp_safe *safe, struct mp_out *to, struct mp_error *err);

/* Pass the rest on, and free. */
int mp_safe_close(struct mp_safe *safe, struct mp_error *err);

#endif
