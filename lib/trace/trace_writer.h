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

#include "base/out.h"
#include "report/timeline.h"
#include "trace/tracks.h"

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
	int64_t base_ns; /* JSON: the earliest time, set before the first call */
};

/* Make a writer. Returns NULL when out of memory. Free with its `free`. */
struct mp_trace_writer *mp_trace_perfetto(struct mp_out *out);
struct mp_trace_writer *mp_trace_json(struct mp_out *out);

#endif
