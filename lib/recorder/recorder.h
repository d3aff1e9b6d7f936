/*
 * recorder.h: carries an event from the thread that records it to the sinks that keep it.
 *
 * Threads put events into rings of their own (ring.h). One thread, the flusher, passes the events to all sinks that
 * want them. The flusher runs at least twice a second, and when a megabyte of records waits. A sink is the back end of
 * a recording: the files of a session (session.h), or a subscription's pipe.
 *
 * Only this part of the library has state of the process; the state is in state.c. Any thread may call any
 * function here; functions that change the set of sinks wait for the flusher.
 */
#ifndef MP_RECORDER_RECORDER_H
#define MP_RECORDER_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "recorder/include/msprof_recorder.h"

enum mp_event_kind {
	MP_EVENT_CALL,
	MP_EVENT_OP,
	MP_EVENT_STAMP,
	MP_EVENT_DOMAIN_STAMP, /* a mark or a range of a domain (mstx) */
	MP_EVENT_OP_RANGE      /* an operator that is told as a range */
};

/* The vendor's numbers. */
enum mp_stamp_type { MP_STAMP_MARK, MP_STAMP_PUSH_POP, MP_STAMP_START_STOP, MP_STAMP_MARK_EX };

/* The kinds of events that a sink wants, as bits; calls by type. */
enum mp_want {
	MP_WANT_OP_CALLS = 1 << MSPROF_OP,
	MP_WANT_MODEL_CALLS = 1 << MSPROF_MODEL,
	MP_WANT_RUNTIME_CALLS = 1 << MSPROF_RUNTIME,
	MP_WANT_OTHER_CALLS = 1 << MSPROF_OTHER,
	MP_WANT_CALLS = MP_WANT_OP_CALLS | MP_WANT_MODEL_CALLS | MP_WANT_RUNTIME_CALLS | MP_WANT_OTHER_CALLS,
	MP_WANT_OPS = 1 << 8,
	MP_WANT_STAMPS = 1 << 9
};

/* An event as given to sinks. Texts are NUL-terminated and valid during the call; names live as long as the process. */
struct mp_event {
	enum mp_event_kind kind;
	uint32_t tid;
	const char *thread; /* the name of the thread that recorded it; "": it has none */
	uint64_t begin_ns, end_ns;
	uint32_t model_id;         /* MSPROF_NO_MODEL when the event belongs to no model; always for stamps */
	const char *model;         /* its name; NULL: no model, or one that was never announced */
	uint32_t name;             /* of calls and operators */
	const char *text;          /* the text of `name`, or the message of a stamp */
	enum msprof_api_type type; /* of a call */
	uint32_t op_type; /* name of the type of an operator, or of the one that a call runs; 0: unknown, or none */
	const char *op_type_text;
	enum mp_stamp_type stamp;
	uint32_t domain; /* name of the domain, of a domain's stamp */
	const char *domain_text;
	uint64_t stream;   /* the handle that a domain's stamp was given, or 0 */
	uint32_t category; /* of a stamp */
	uint32_t mark_id;  /* of a stamp of type START_STOP or MARK_EX; of a domain's stamp a number of its own */
};

/* Why a sink is ended that its owner has not detached. */
enum mp_end {
	MP_END_FORK,  /* the process is a child made by fork: close descriptors, write nothing */
	MP_END_EXIT,  /* the process ends without finalising: write the remaining data */
	MP_END_SIGNAL /* a signal ends the process: finalise */
};

/*
 * A sink. The caller owns the struct, which must stay in place until detached. One thread at a time calls its
 * functions. They must not call functions of this header, and must not block for long, because they delay all other
 * sinks.
 */
struct mp_event_sink {
	unsigned wanted;
	void *state;
	void (*event)(void *state, const struct mp_event *event);
	void (*flush)(void *state);                /* after each pass: write the events given so far */
	void (*lost)(void *state, uint64_t count); /* `count` events found no room in a ring; may be NULL */
	void (*end)(void *state, enum mp_end how); /* the process continues without this sink, or ends */
	int64_t (*tick)(
	    void *state); /* does what is due; returns the ns until the next time, or INT64_MAX; may be NULL */
	/* mp_recorder_attach sets the rest */
	uint64_t begin_ns; /* events that began earlier are not given */
	uint64_t until_ns; /* events that begin at this time or later are not given; 0: no limit */
	struct mp_event_sink *next;
};

/*
 * Attach a sink, which receives events from now on. Returns 0; -1 with err when the flusher cannot start.
 */
int mp_recorder_attach(struct mp_event_sink *sink, struct mp_error *err);

/* Give all ended events to a sink and flush it. The sink receives no further events, but stays attached for `end`. */
void mp_recorder_quiet(struct mp_event_sink *sink);

/* Do the same, and detach the sink. Does nothing when `end` was called on the sink. */
void mp_recorder_detach(struct mp_event_sink *sink);

/* Give all ended events to the sinks. */
void mp_recorder_drain(void);

/* The current time of CLOCK_MONOTONIC_RAW in ns. */
uint64_t mp_recorder_now(void);

/* The id of the calling thread. */
uint32_t mp_recorder_tid(void);

/* Record a stamp on the calling thread. The message is cut to MSPROF_MESSAGE_MAX bytes. */
void mp_recorder_stamp(enum mp_stamp_type type, uint64_t begin_ns, uint64_t end_ns, uint32_t category, uint32_t mark_id,
    const char *message);

/* Record a range that ends now and is an operator, with numbers of names. */
void mp_recorder_op_range(uint64_t begin_ns, uint32_t name, uint32_t op_type);

enum { MP_DOMAIN_MESSAGE_MAX = 255 };

/* A mark, or a range that ends now, of a domain. The message has at most MP_DOMAIN_MESSAGE_MAX bytes. */
struct mp_domain_stamp {
	enum mp_stamp_type type;
	uint64_t begin_ns, end_ns;
	uint32_t domain; /* from msprof_name */
	uint32_t tid;    /* of the thread that began a range; 0: this thread */
	uint64_t stream;
	const char *message;
	size_t message_size;
};
void mp_recorder_domain_stamp(const struct mp_domain_stamp *stamp);

/*
 * Returns whether any sink wants stamps; cheap. Call without a lock of the recorder: in a child made by fork this may
 * start the recorder, and so may mp_recorder_active, msprof_begin and msprof_op_publish.
 */
bool mp_recorder_wants_stamps(void);

/* Returns whether any sink is recording; cheap. */
bool mp_recorder_active(void);

/*
 * Record only the first of each `interval` executions of a model; 0 and 1: all. Applies to the process; counting starts
 * again.
 */
void mp_recorder_set_interval(uint32_t interval);

/* The models of the process; unloaded models are kept. */
enum mp_model_state { MP_MODEL_UNKNOWN, MP_MODEL_LOADED, MP_MODEL_UNLOADED };
enum mp_model_state mp_model_state(uint32_t model_id);
bool mp_model_any(void); /* returns whether the process ever announced a model */

/*
 * Times since 1970 for those of the recorder's clock. A pair of readings of both clocks, taken once, moves all times by
 * the same amount: their order and differences stay exact, whatever becomes of the wall clock meanwhile.
 */
struct mp_wall {
	uint64_t realtime_ns, monotonic_ns; /* of CLOCK_REALTIME and of mp_recorder_now, at the same moment */
};

/* Read both clocks. */
void mp_wall_read(struct mp_wall *wall);

/* The time since 1970 of a time of mp_recorder_now, in ns; 0 for times before 1970. */
static inline uint64_t mp_wall_ns(const struct mp_wall *wall, uint64_t ns)
{
	uint64_t sum = wall->realtime_ns + ns;

	return sum > wall->monotonic_ns ? sum - wall->monotonic_ns : 0;
}

#endif
