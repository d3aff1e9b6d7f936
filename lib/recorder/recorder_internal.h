/*
 * recorder_internal.h: the state of the recorder, shared by its parts: recorder.c (threads that record), drain.c (rings
 * to sinks), flusher.c (the thread that does so), process.c (fork, signals, the end).
 */
#ifndef MP_RECORDER_RECORDER_INTERNAL_H
#define MP_RECORDER_RECORDER_INTERNAL_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "recorder/models.h"
#include "recorder/names.h"
#include "recorder/recorder.h"
#include "recorder/ring.h"

/* A thread that records. Made by it, freed by the consumer after the thread has ended. */
struct mp_thread {
	struct mp_thread *next;
	struct mp_ring *ring; /* NULL: there was no memory for one */
	uint32_t tid;
	_Atomic bool ended;
	struct mp_name_cache names;
};

struct mp_result_place;

struct mp_recorder {
	/* read by threads that record */
	_Atomic unsigned wanted;  /* what any sink wants; 0: nothing is recorded */
	_Atomic uint32_t wake_at; /* slots in a ring that make it wake the flusher */
	_Atomic uint32_t interval;
	_Atomic(struct mp_thread *) threads; /* grows at the front without the lock; shrinks with it */
	_Atomic size_t ring_bytes;
	_Atomic uint64_t lost;     /* events for which there was not even a ring, and those told to sinks */
	_Atomic uint64_t homeless; /* of these what is not yet told */
	/* the consumer's side */
	pthread_mutex_t lock;
	struct mp_event_sink *sinks;
	struct mp_result_place *places; /* place.c */
	_Atomic unsigned prof_count;    /* PROF directories that were begun */
	_Atomic bool forked;            /* this is a child of a process that recorded */
	/* the flusher's sleep; its lock is held for moments only */
	pthread_mutex_t sleep_lock;
	pthread_cond_t sleep;
	bool flusher_runs;     /* with the other lock */
	_Atomic bool attached; /* there are sinks */
	_Atomic bool flusher_called;
	_Atomic int signal; /* that asks the process to end, or 0 */
	struct mp_names names;
	struct mp_models models;
};

extern struct mp_recorder mp_recorder;

/* Take what waits in all rings to the sinks and flush them. With the lock. */
void mp_drain_locked(void);

/* With its ring; it is in no list. */
void mp_thread_free(struct mp_thread *thread);

/* Start the thread where it does not run. With the lock. */
int mp_flusher_start(struct mp_error *err);

/* Have it make a pass now. */
void mp_flusher_call(void);

/* What is done once a process: the handlers of fork. */
void mp_process_prepare(void);

/* In a child made by fork: the calling thread is the only one. */
void mp_recorder_adopt(void);

/* The name of a model, for the life of the process; NULL where it was never announced. */
const char *mp_model_name(uint32_t model_id);

/* End all sinks. With the lock. */
void mp_sinks_end(enum mp_end how);

/* Catch the signals that end a process by default, and let them be again. */
void mp_signals_catch(void);
void mp_signals_release(void);

/* End all sinks and then the process, by that signal. */
void mp_process_die(int number);

#endif
