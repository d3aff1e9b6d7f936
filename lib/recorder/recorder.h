/*
 * recorder.h: the way of an event from the thread that records it to the sinks that keep it.
 *
 * Threads put events into rings of their own (ring.h). One thread, the flusher, takes them out at least twice a second,
 * or when a megabyte of records waits, and hands each to all sinks that want it. Sinks are what is behind a recording:
 * the files of a session (session.h), the pipe of a subscription.
 *
 * This is the one part of the library with state of the process; all of it is in recorder.c. Any thread may call any
 * function here; those that change the set of sinks wait for the flusher.
 */
#ifndef MP_RECORDER_RECORDER_H
#define MP_RECORDER_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "recorder/include/msprof_recorder.h"

enum mp_event_kind { MP_EVENT_CALL, MP_EVENT_OP, MP_EVENT_STAMP };

/* The vendor's numbers. */
enum mp_stamp_type { MP_STAMP_MARK, MP_STAMP_PUSH_POP, MP_STAMP_START_STOP, MP_STAMP_MARK_EX };

/* What sinks want: bits. Calls by their type. */
enum mp_want {
	MP_WANT_OP_CALLS = 1 << MSPROF_OP,
	MP_WANT_MODEL_CALLS = 1 << MSPROF_MODEL,
	MP_WANT_RUNTIME_CALLS = 1 << MSPROF_RUNTIME,
	MP_WANT_OTHER_CALLS = 1 << MSPROF_OTHER,
	MP_WANT_CALLS = MP_WANT_OP_CALLS | MP_WANT_MODEL_CALLS | MP_WANT_RUNTIME_CALLS | MP_WANT_OTHER_CALLS,
	MP_WANT_OPS = 1 << 8,
	MP_WANT_STAMPS = 1 << 9
};

/* An event as sinks see it. Texts are NUL-terminated and valid during the call; names for the life of the process. */
struct mp_event {
	enum mp_event_kind kind;
	uint32_t tid;
	uint64_t begin_ns, end_ns;
	uint32_t model_id;         /* MSPROF_NO_MODEL where it belongs to none; of stamps too */
	uint32_t name;             /* of calls and operators */
	const char *text;          /* that name, or the message of a stamp */
	enum msprof_api_type type; /* of a call */
	uint32_t op_type;          /* name of an operator's type */
	const char *op_type_text;
	enum mp_stamp_type stamp;
	uint32_t category; /* of a stamp */
	uint32_t mark_id;  /* of a stamp of type START_STOP or MARK_EX */
};

/* Why a sink is let go that nobody detached. */
enum mp_end {
	MP_END_FORK,  /* this is a child: close descriptors, write nothing */
	MP_END_EXIT,  /* the process ends without having finalised: write what there is */
	MP_END_SIGNAL /* a signal ends it: finalise */
};

/*
 * Owned by whoever attaches it, and stays where it is until it is detached. Its functions are called by one thread at a
 * time and must not call back into this header; they never block for long, since they hold up all other sinks.
 */
struct mp_event_sink {
	unsigned wanted;
	void *state;
	void (*event)(void *state, const struct mp_event *event);
	void (*flush)(void *state);                /* after each pass: what was given is to be written now */
	void (*lost)(void *state, uint64_t count); /* events that found no room in a ring; may be NULL */
	void (*end)(void *state, enum mp_end how); /* the process goes on without this sink, or ends */
	/* set by attach */
	uint64_t begin_ns; /* what began before is not given */
	uint64_t until_ns; /* nor what begins then or later; 0: no such time */
	struct mp_event_sink *next;
};

/* From now on. -1 when the flusher cannot be started, or in a child of a process that recorded. */
int mp_recorder_attach(struct mp_event_sink *sink, struct mp_error *err);

/* Give it all events that have ended so far and flush it; it gets no more, but stays attached for `end`. */
void mp_recorder_quiet(struct mp_event_sink *sink);

/* The same, and let it go. Nothing happens when `end` was called on it. */
void mp_recorder_detach(struct mp_event_sink *sink);

/* Bring all events that have ended so far to the sinks. */
void mp_recorder_drain(void);

/* CLOCK_MONOTONIC_RAW */
uint64_t mp_recorder_now(void);

/* Record a stamp on the calling thread; message is cut to MSPROF_MESSAGE_MAX bytes. */
void mp_recorder_stamp(enum mp_stamp_type type, uint64_t begin_ns, uint64_t end_ns, uint32_t category, uint32_t mark_id,
    const char *message);

/* Whether anything records; cheap. */
bool mp_recorder_active(void);

/* Events that found no room since the process began. */
uint64_t mp_recorder_lost(void);

/* Executions of a model are recorded in steps of `interval`; 0 and 1: all. Of the process; counts begin anew. */
void mp_recorder_set_interval(uint32_t interval);

/* The models of the process, kept after they were unloaded. */
enum mp_model_state { MP_MODEL_UNKNOWN, MP_MODEL_LOADED, MP_MODEL_UNLOADED };
enum mp_model_state mp_model_state(uint32_t model_id);
bool mp_model_any(void); /* whether the process ever announced one */

#endif
