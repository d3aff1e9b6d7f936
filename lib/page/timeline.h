/*
 * timeline.h: the time line and the flame graph of a page as JSON.
 *
 * docs/REPORT.md has the members. Free with mp_page_timeline_free, after an error, too. Functions return 0, or -1 with
 * err; the mp_out keeps its own errors. One thread.
 */
#ifndef MP_PAGE_TIMELINE_H
#define MP_PAGE_TIMELINE_H

#include "page/slices.h"
#include "page/strip.h"

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

#endif
