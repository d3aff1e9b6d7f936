/* timeline_internal.h: the state of a trace that is being written, for the files of timeline.h. */
#ifndef MP_REPORT_TIMELINE_INTERNAL_H
#define MP_REPORT_TIMELINE_INTERNAL_H

#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "base/index.h"
#include "base/number.h"
#include "base/out.h"
#include "base/text.h"
#include "base/value.h"
#include "report/formats.h"
#include "report/report.h"
#include "report/timeline.h"

/*
 * Writes values as members of a JSON object, each with its key.
 *
 * A member as last written is kept: when its value, a number or a text that stays, occurs again, the text is copied.
 * The caller reserves room in the output for a whole object, puts its members there, and reports the bytes used.
 * Functions are inline, because an export calls them for each value. Nothing is allocated; one thread at a time.
 */

enum { MP_KEY_SIZE = 96, MP_MEMBER_COPY = 48, MP_MEMBER_TEXT = 256 };

/* The most bytes that a member needs, except for long texts and texts with escapes, which reserve room anew. */
enum { MP_MEMBER_ROOM = MP_KEY_SIZE + MP_MEMBER_TEXT + MP_JSON_SLACK };

/* A member as last written, and its value. Every copy has the size that most members need. */
struct mp_member {
	char text[MP_KEY_SIZE]; /* `,"pid":`, followed by the value when it occurred twice */
	unsigned key_len;
	unsigned len;      /* of key and value; 0: the value is not in the text */
	enum mp_type type; /* of the last value */
	union {
		int64_t i;
		const char *stays;
	};
};

/* Where the members of an object go. */
struct mp_members {
	struct mp_out *out;
	size_t room; /* for a whole object */
	char *begun; /* the last place reserved */
	char sign;   /* what precedes the next member: the brace of the object, or a comma */
};

/* Begin a member with the key `,"KEY":`. */
static inline void mp_member_begin(struct mp_member *m, const char *key, size_t len)
{
	memset(m->text, 0, sizeof(m->text));
	memcpy(m->text, key, len);
	m->key_len = (unsigned)len;
	m->type = MP_NULL;
	m->len = 0;
}

/* Write a value of unknown length, and reserve room anew. */
static inline char *mp_members_put_other(struct mp_members *o, char *at, const struct mp_value *v)
{
	mp_out_advance(o->out, (size_t)(at - o->begun));
	mp_json_value(o->out, v);
	return o->begun = mp_out_reserve(o->out, o->room);
}

static inline char *mp_members_put_text(struct mp_members *o, char *at, const struct mp_value *v)
{
	char *end;

	if (v->len > MP_MEMBER_TEXT)
		return mp_members_put_other(o, at, v);
	if (v->marks & MP_MARK_JSON) {
		*at = '"';
		end = mp_copy_text(at + 1, v->text, v->len);
		*end = '"';
		return end + 1;
	}
	end = mp_json_plain(at, v->text, v->len);
	return end ? end : mp_members_put_other(o, at, v);
}

static inline char *mp_members_put_value(struct mp_members *o, char *at, const struct mp_value *v)
{
	if (v->type == MP_INT)
		return mp_digits_put_int(at, v->i);
	if (v->type == MP_REAL && isfinite(v->d))
		return mp_number_put_real(at, v);
	return v->type == MP_TEXT ? mp_members_put_text(o, at, v) : mp_members_put_other(o, at, v);
}

/* Returns whether the value equals the last value; otherwise the value becomes the last value. */
static inline bool mp_member_is_last(struct mp_member *m, const struct mp_value *v)
{
	if (v->type == MP_INT) {
		if (m->type == MP_INT && m->i == v->i)
			return true;
		m->i = v->i;
	} else if (v->marks & MP_MARK_STAYS) {
		if (m->type == MP_TEXT && m->stays == v->text)
			return true;
		m->stays = v->text;
	} else {
		return false;
	}
	m->type = v->type;
	m->len = 0;
	return false;
}

/* Put a member; with `is_empty` its value is an empty object. */
static inline char *mp_members_put(
    struct mp_members *o, char *at, struct mp_member *m, const struct mp_value *v, bool is_empty)
{
	bool again = mp_member_is_last(m, v);
	const char *begun = o->begun;
	char *end;

	memcpy(at, m->text, MP_MEMBER_COPY);
	if (m->key_len > MP_MEMBER_COPY)
		memcpy(at + MP_MEMBER_COPY, m->text + MP_MEMBER_COPY, MP_KEY_SIZE - MP_MEMBER_COPY);
	*at = o->sign;
	o->sign = ',';
	if (again && m->len)
		return at + m->len;
	end = at + m->key_len;
	if (is_empty) {
		memcpy(end, "{}", 2);
		end += 2;
	} else {
		end = mp_members_put_value(o, end, v);
	}
	if (again && o->begun == begun && end - at <= MP_MEMBER_COPY) {
		m->len = (unsigned)(end - at);
		memcpy(m->text, at, MP_MEMBER_COPY);
	}
	return end;
}

/*
 * A row of a timeline as an event of a Chrome trace, in two pieces, because its number of a thread may
 * be that of a lane, which is known only when all events before it are.
 *
 * One struct for each thread that writes, and for each query.
 */

/* When and where an event is. */
struct mp_trace_time {
	int64_t pid, tid, start_ns, dur_ns; /* as in the row: dur_ns may be negative */
};

struct mp_trace_event {
	const char *path; /* of the report */
	int arg_count;
	struct mp_members object;
	struct mp_member name, pid, args[MP_REPORT_COLUMN_MAX];
	struct mp_value cells[MP_REPORT_COLUMN_MAX];
};

/* Begin to write the rows of a query; error: it lacks columns. */
int mp_trace_event_begin(struct mp_trace_event *e, const struct mp_report *report, const struct mp_query *rows,
    struct mp_out *out, struct mp_error *err);

/* Read the current row; error: it has no time. */
int mp_trace_event_read(
    struct mp_trace_event *e, const struct mp_query *rows, struct mp_trace_time *time, struct mp_error *err);

/* Write the row up to the number of its thread, and what comes after the number. dur_ns is that of the trace. */
void mp_trace_event_head(struct mp_trace_event *e);
void mp_trace_event_tail(struct mp_trace_event *e, int64_t start_ns, int64_t dur_ns);

/*
 * The threads of a timeline, and the numbers of threads and lanes in the trace.
 *
 * Viewers read a tid as 32 bits. Lanes, and threads with numbers outside 32 bits, get numbers from 2^31 upwards. The
 * struct owns its threads; free them with mp_trace_threads_clear. One thread at a time.
 */

enum { MP_THREADS_MAX = 1024 }; /* threads held at one time */

struct mp_trace_thread {
	int64_t pid, tid;
	int64_t shown_tid;
	struct mp_lanes *lanes;
	int64_t *lane_tids; /* numbers of lanes 1 and up, as far as they were named */
	int64_t lane_count; /* the number of lane_tids */
	char name[256];
};

struct mp_trace_threads {
	struct mp_trace_thread *items[MP_THREADS_MAX];
	int count;
	struct mp_index index; /* of items */
	int64_t next_tid;
	struct mp_trace_thread *last; /* the thread that was found last */
};

/* Prepare an empty set. */
void mp_trace_threads_init(struct mp_trace_threads *t);

/* The thread, or NULL when not yet added. */
struct mp_trace_thread *mp_trace_threads_find(struct mp_trace_threads *t, int64_t pid, int64_t tid);

/*
 * Add a thread. Returns NULL with err when out of memory, and NULL without err when there are MP_THREADS_MAX threads.
 */
struct mp_trace_thread *mp_trace_threads_add(
    struct mp_trace_threads *t, int64_t pid, int64_t tid, struct mp_error *err);

/* Add the next lane to a thread. Returns the tid of the lane, or -1 with err. */
int64_t mp_trace_threads_add_lane(struct mp_trace_threads *t, struct mp_trace_thread *thread, struct mp_error *err);

/* Free all threads; numbering continues. */
void mp_trace_threads_clear(struct mp_trace_threads *t);

enum mp_trace_outcome {
	MP_TRACE_WRITTEN,
	MP_TRACE_OUT_OF_ORDER, /* rows are not in the order of recording */
	MP_TRACE_TOO_LONG,     /* ranges of rows need too much memory */
	MP_TRACE_FAILED
};

struct mp_trace {
	const struct mp_report *report;
	struct mp_report_row each; /* the current row of @each */
	enum mp_style style;
	struct mp_team *team;
	struct mp_out *out;
	const struct mp_timeline_progress *progress;
	struct mp_trace_threads threads;
	bool backwards; /* rows come in the order of recording, last row first; else sorted by thread */
	bool has_process;
	int64_t process; /* sorted rows: the process that was named last */
	bool has_event;
	int64_t moved;
	atomic_llong events; /* another thread may tell the progress */
};

/* Begin the file anew. */
void mp_trace_begin(struct mp_trace *t, bool backwards);

/*
 * Find the lane of the next event, and write what names it. *tid receives its number, *dur_ns a duration that is not
 * negative. Afterwards the caller writes the event.
 */
enum mp_trace_outcome mp_trace_place(
    struct mp_trace *t, const struct mp_trace_time *time, int64_t *tid, struct mp_error *err);

/* The duration in the trace. An end before the start: the event stays at its start; `check` reports the record. */
static inline int64_t mp_trace_duration(const struct mp_trace_time *time)
{
	return time->dur_ns < 0 ? 0 : time->dur_ns;
}

/* Write all rows by ranges of the key of @split, from the last to the first. */
enum mp_trace_outcome mp_trace_write_ranges(struct mp_trace *t, struct mp_error *err);

#endif
