/*
 * trace_writer.h: what a format of traces is told: processes, tracks, slices, samples, arrows and notes. For the files
 * of lib/trace only.
 *
 * Processes and tracks have numbers from 1 on, in one sequence. Slices of a track nest or do not overlap. A writer
 * borrows its mp_out, which keeps errors. One thread at a time.
 */
#ifndef MP_TRACE_TRACE_WRITER_H
#define MP_TRACE_TRACE_WRITER_H

#include <stdbool.h>

#include "base/index.h"
#include "base/out.h"
#include "report/timeline.h"

/*
 * Begins of slices that wait until the ends at their time are written.
 *
 * Slices come backwards: in descending order of ends, the longer one first among equals. A reader sorts packets by time
 * and keeps the order of equal times. So all ends must precede the begins of the same time: a begin waits until a slice
 * comes that ends before. Waiting begins nest, so those that are due are the last. A struct of zeros is empty; that of
 * a lane is freed with its track. One thread at a time.
 */

struct mp_trace_begin {
	int64_t start_ns;
	size_t at; /* of its bytes */
};

struct mp_trace_pending {
	char *bytes, *held;
	size_t used, held_used;
	size_t most, held_most; /* so far */
	int64_t held_ns;        /* the time of the begins in `held`: ends of this time may come */
	struct mp_trace_begin *begins;
	size_t count, begins_most;
};

/* A slice ends at end_ns: write the begins after it, and hold those at it. Returns false when out of memory. */
bool mp_trace_pending_reach(struct mp_trace_pending *p, struct mp_out *out, int64_t end_ns);

/* Write the begins that are held: no further end of their time comes. */
void mp_trace_pending_release(struct mp_trace_pending *p, struct mp_out *out);

/* Add a begin, and return room for `size` bytes, or NULL when out of memory. */
char *mp_trace_pending_add(struct mp_trace_pending *p, int64_t start_ns, size_t size);

/*
 * The processes, tracks and lanes of a trace, and their numbers.
 *
 * Numbers run from 1 on in one sequence, so that every number fits into 31 bits and into few bytes. Tracks are kept as
 * long as their query runs. The struct owns all; free with mp_trace_tracks_free. One thread at a time.
 */

enum { MP_TRACE_TRACKS_MAX = 1024 }; /* tracks held at one time */

struct mp_trace_lane {
	uint32_t number;
	struct mp_trace_pending pending;
};

struct mp_trace_track {
	int64_t layer, process, track;
	uint32_t process_number;
	int32_t rank;
	struct mp_lanes *lanes;
	struct mp_trace_lane *lane; /* lane 0 is the track itself */
	int64_t lane_count;
	char name[256];
};

struct mp_trace_process {
	int64_t layer, process;
	uint32_t number;
};

struct mp_trace_tracks {
	struct mp_trace_track *items[MP_TRACE_TRACKS_MAX];
	int count;
	struct mp_index index;       /* of items */
	struct mp_trace_track *last; /* the track that was found last */
	struct mp_trace_process *processes;
	uint32_t process_count;
	struct mp_index process_index;
	uint32_t next_number;
};

/* Prepare an empty set, whose numbers begin with 1. */
void mp_trace_tracks_init(struct mp_trace_tracks *t);

/* The number of a process. *is_new tells whether it has its number since this call. Returns 0 when out of memory. */
uint32_t mp_trace_tracks_process(struct mp_trace_tracks *t, int64_t layer, int64_t process, bool *is_new);

/* The next number; 0 when they are used up. */
uint32_t mp_trace_tracks_number(struct mp_trace_tracks *t);

/* The track, or NULL when not yet added. */
struct mp_trace_track *mp_trace_tracks_find(struct mp_trace_tracks *t, int64_t layer, int64_t process, int64_t track);

/* Add a track without a lane. Returns NULL when out of memory, or when there are MP_TRACE_TRACKS_MAX tracks. */
struct mp_trace_track *mp_trace_tracks_add(struct mp_trace_tracks *t, int64_t layer, int64_t process, int64_t track);

/* Add the next lane of a track. Returns NULL when out of memory or of numbers. */
struct mp_trace_lane *mp_trace_tracks_add_lane(struct mp_trace_tracks *t, struct mp_trace_track *track);

/* Free all tracks. Processes and numbers stay. */
void mp_trace_tracks_clear(struct mp_trace_tracks *t);

void mp_trace_tracks_free(struct mp_trace_tracks *t);

/* The further columns of a query: arguments of slices, or curves of a counter. */
struct mp_trace_keys {
	int first, count;
	const char *titles[MP_REPORT_COLUMN_MAX]; /* without "args." or "value." */
};

struct mp_trace_slice {
	uint32_t process, track;
	struct mp_trace_pending *pending; /* of the track; NULL: slices come in order of start */
	int64_t start_ns, end_ns;
	const struct mp_value *name, *args;
	const uint32_t *arrows; /* numbers of arrows that begin or end here */
	size_t arrow_count;
};

/* The begin of a slice. */
struct mp_trace_place {
	uint32_t process, track;
	int64_t time_ns;
};

/* An arrow from a call to a task that it launched. */
struct mp_trace_arrow {
	uint32_t number;
	struct mp_trace_place from, to;
};

struct mp_trace_end {
	const struct mp_timeline_stats *stats;
	int64_t first_ns;     /* the earliest time */
	uint32_t next_number; /* free numbers of tracks begin here */
};

struct mp_trace_writer {
	void (*process)(struct mp_trace_writer *w, uint32_t process, const char *name, int64_t rank);
	/* is_counter: the track has samples, else slices */
	void (*track)(struct mp_trace_writer *w, uint32_t process, uint32_t track, const char *name, int32_t rank,
	    bool is_counter);
	/* Rows of a query follow. The texts of earlier queries are gone. Returns 0, or -1 with err. */
	int (*begin_rows)(struct mp_trace_writer *w, const struct mp_trace_keys *keys, struct mp_error *err);
	int (*slice)(struct mp_trace_writer *w, const struct mp_trace_slice *slice, struct mp_error *err);
	/* The tracks of a sample: one for each key; 0 where the value is NULL. */
	void (*sample)(struct mp_trace_writer *w, uint32_t process, const struct mp_value *name, const uint32_t *tracks,
	    int64_t time_ns, const struct mp_value *values);
	void (*arrow)(struct mp_trace_writer *w, const struct mp_trace_arrow *arrow);
	/* The last call; `db` has the notes. Returns 0, or -1 with err. */
	int (*end)(struct mp_trace_writer *w, struct mp_db *db, const struct mp_trace_end *end, struct mp_error *err);
	void (*free)(struct mp_trace_writer *w);
	int64_t base_ns; /* what times are less in the trace, set before the first call; JSON: the earliest time */
};

/* Make a writer. Returns NULL when out of memory. Free with its `free`. */
struct mp_trace_writer *mp_trace_perfetto(struct mp_out *out);
struct mp_trace_writer *mp_trace_json(struct mp_out *out);

#endif
