/* timeline.c: divides the room of the page among the tracks, and passes each slice to its track. */
#include "page/document.h"

#include <stdlib.h>
#include <string.h>

#include "insight/sweep.h"

/* The most slices and bins of a page: together less than 1 MB of text. */
enum {
	SLICES_MAX = 20000,
	EXACT_MAX = 14000,
	LONGEST_MAX = 2000,
	BINS_MAX = 32768,
	BINS_LEAST = 64,
	TRACKS_MAX = 256,
	NOT_SHOWN = -1
};

/* A track while they are put in order. */
struct entry {
	const struct mp_track *track;
	uint32_t number;
};

static int fewest_first(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->track->count != y->track->count)
		return x->track->count < y->track->count ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static int in_order(const void *a, const void *b)
{
	const struct mp_track *x = ((const struct entry *)a)->track, *y = ((const struct entry *)b)->track;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

int64_t mp_clock_length_ns(const struct mp_slices *s, int clock)
{
	return mp_span_ns(s->begin_ns[clock], s->end_ns[clock]);
}

/* How much a page has of the tracks that are too long for all of their slices. */
struct room {
	size_t exact;   /* tracks with all their slices, of those with the fewest */
	size_t longest; /* slices of each other one */
	int32_t bins;
};

static struct room divide(const struct entry *entries, size_t count, size_t slices)
{
	struct room room = {.exact = count, .bins = MP_FINE_BINS};
	size_t used = 0, others;

	if (slices <= SLICES_MAX)
		return room;
	room.exact = 0;
	while (room.exact < count && used + entries[room.exact].track->count <= EXACT_MAX)
		used += entries[room.exact++].track->count;
	others = count - room.exact;
	room.longest = (SLICES_MAX - EXACT_MAX) / others;
	if (room.longest > LONGEST_MAX)
		room.longest = LONGEST_MAX;
	while (others * (size_t)room.bins > BINS_MAX && room.bins > BINS_LEAST)
		room.bins /= 2;
	return room;
}

static int begin_strips(
    struct mp_page_timeline *t, struct entry *entries, size_t first, int32_t *places, struct mp_error *err)
{
	const struct mp_slices *s = &t->slices;
	size_t slices = 0;
	struct room room;
	bool *is_exact = calloc(s->track_count + 1, sizeof(*is_exact));
	int status = is_exact ? 0 : mp_fail_memory(err, "tracks");

	for (size_t i = first; i < s->track_count; i++)
		slices += entries[i].track->count;
	room = divide(entries + first, t->shown, slices);
	for (size_t i = 0; i < room.exact && !status; i++)
		is_exact[entries[first + i].number] = true;
	qsort(entries + first, t->shown, sizeof(*entries), in_order);
	for (size_t i = 0; i < t->shown && !status; i++) {
		const struct entry *e = &entries[first + i];
		struct mp_stacks *stacks = e->track->kind == MP_TRACK_HOST ? &t->stacks : NULL;

		t->order[i] = e->number;
		places[e->number] = (int32_t)i;
		if (is_exact[e->number])
			mp_strip_begin(&t->strips[i], stacks);
		else if (!mp_strip_begin_levels(
			     &t->strips[i], stacks, room.longest, room.bins, mp_clock_length_ns(s, e->track->clock)))
			status = mp_fail_memory(err, "levels of detail");
	}
	free(is_exact);
	return status;
}

/* Choose the tracks that are shown, those with the most slices; places: of the track in `order`, or NOT_SHOWN. */
static int choose(struct mp_page_timeline *t, int32_t *places, struct mp_error *err)
{
	const struct mp_slices *s = &t->slices;
	size_t first = s->track_count > TRACKS_MAX ? s->track_count - TRACKS_MAX : 0;
	struct entry *entries = calloc(s->track_count + 1, sizeof(*entries));
	int status;

	t->shown = s->track_count - first;
	t->left_out_tracks = (int64_t)first;
	t->strips = calloc(t->shown + 1, sizeof(*t->strips));
	t->order = calloc(t->shown + 1, sizeof(*t->order));
	if (!entries || !t->strips || !t->order) {
		free(entries);
		return mp_fail_memory(err, "tracks");
	}
	for (size_t i = 0; i < s->track_count; i++) {
		entries[i] = (struct entry){&s->tracks[i], (uint32_t)i};
		places[i] = NOT_SHOWN;
	}
	qsort(entries, s->track_count, sizeof(*entries), fewest_first);
	status = begin_strips(t, entries, first, places, err);
	free(entries);
	return status;
}

static int add_slices(struct mp_page_timeline *t, const int32_t *places, struct mp_error *err)
{
	struct mp_slices *s = &t->slices;
	const struct mp_page_slice *items = s->items.at;

	mp_big_rest(&s->items);
	for (size_t i = 0; i < s->count; i++) {
		const struct mp_page_slice *slice = &items[i];
		int64_t begin_ns = s->begin_ns[s->tracks[slice->track].clock];

		mp_big_touch(&s->items);
		if (places[slice->track] == NOT_SHOWN)
			continue;
		if (!mp_strip_add(&t->strips[places[slice->track]], mp_span_ns(begin_ns, slice->start_ns),
			mp_span_ns(begin_ns, slice->end_ns), s->op_names[slice->op]))
			return mp_fail_memory(err, "the time line");
	}
	for (size_t i = 0; i < t->shown; i++)
		if (!mp_strip_end(&t->strips[i]))
			return mp_fail_memory(err, "the time line");
	return 0;
}

int mp_page_timeline_read(struct mp_page_timeline *t, const struct mp_page *page, struct mp_error *err)
{
	int32_t *places;
	int status;

	memset(t, 0, sizeof(*t));
	if (mp_slices_read(&t->slices, page, err))
		return -1;
	for (int i = 0; i < MP_CLOCKS; i++)
		if (mp_clock_length_ns(&t->slices, i) > t->length_ns)
			t->length_ns = mp_clock_length_ns(&t->slices, i);
	places = calloc(t->slices.track_count + 1, sizeof(*places));
	if (!places)
		return mp_fail_memory(err, "tracks");
	status = choose(t, places, err) || add_slices(t, places, err) ? -1 : 0;
	free(places);
	if (status)
		return -1;
	t->left_out_nodes = mp_stacks_cut(&t->stacks);
	return t->left_out_nodes < 0 ? mp_fail_memory(err, "calls") : 0;
}

void mp_page_timeline_free(struct mp_page_timeline *t)
{
	for (size_t i = 0; t->strips && i < t->shown; i++)
		mp_strip_free(&t->strips[i]);
	free(t->strips);
	free(t->order);
	mp_stacks_free(&t->stacks);
	mp_slices_free(&t->slices);
}
