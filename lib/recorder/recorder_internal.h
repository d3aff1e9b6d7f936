/*
 * recorder_internal.h: the state of the recorder, shared by its parts.
 *
 * The parts, each calling only earlier ones: state.c holds the state. arena.c has the memory of rings. drain.c moves
 * events from rings to sinks. recorder.c handles the threads that record. process.c handles fork, signals and exit.
 * flusher.c runs the thread that drains, the only one with descriptors. It also attaches and detaches sinks. The state
 * lives as long as the process. "With the lock" means mp_recorder.lock.
 */
#ifndef MP_RECORDER_RECORDER_INTERNAL_H
#define MP_RECORDER_RECORDER_INTERNAL_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "recorder/recorder.h"
#include "recorder/ring.h"

enum { MP_NAMES_MAX = 65536, MP_NAMES_BYTES_MAX = 2 * 1024 * 1024, MP_NAME_CACHE = 256 };

/*
 * Small numbers for texts, for the life of the process. Number 0 is "?", which also stands for every text without room.
 * Any thread may look up a number without a lock; adding takes a lock. Each thread has a cache for texts that the
 * thread has used before. Texts are never freed.
 */
struct mp_names {
	pthread_mutex_t lock;
	uint32_t count;                            /* numbers in use, 0 included */
	size_t bytes;                              /* of all texts */
	_Atomic(const char *) texts[MP_NAMES_MAX]; /* set before any thread receives the number */
	uint32_t table[2 * MP_NAMES_MAX];          /* numbers by hash; 0: free */
};

struct mp_name_cache {
	struct {
		uint32_t hash, number;
	} items[MP_NAME_CACHE];
};

/* The number of a text of `len` bytes; 0 when there is no room. The cache may be NULL. */
uint32_t mp_name_number(struct mp_names *names, struct mp_name_cache *cache, const char *text, size_t len);

/* The text of a number. One that is not in use becomes 0, which is "?". */
const char *mp_name_known(const struct mp_names *names, uint32_t *number);

/* The text of a number; "?" for a number that is not in use. */
const char *mp_name_text(const struct mp_names *names, uint32_t number);

enum { MP_MODELS_MAX = 4096 };

struct mp_model {
	_Atomic uint64_t key; /* the model's number + 1; 0: free. Set last */
	_Atomic(const char *) name;
	_Atomic int state; /* enum mp_model_state */
	_Atomic uint32_t executed;
};

/*
 * The models that a process has announced, by number: at most MP_MODELS_MAX. Any thread may search without a lock;
 * adding takes a lock. Models and names are never freed.
 */
struct mp_models {
	pthread_mutex_t lock;
	_Atomic uint32_t count;
	struct mp_model items[MP_MODELS_MAX];
};

/* The model with this number, or NULL. */
struct mp_model *mp_models_find(struct mp_models *models, uint32_t model_id);

/* The model with this number, added when new; NULL when there are too many. `name` must live as long as the process. */
struct mp_model *mp_models_add(struct mp_models *models, uint32_t model_id, const char *name);

/* A thread that records. The thread makes the struct; the consumer frees the struct after the thread has ended. */
struct mp_thread {
	struct mp_thread *next;
	struct mp_ring *ring; /* in the arena; NULL: there was no room */
	uint32_t tid;
	bool impatient; /* it has waited for room in vain */
	_Atomic bool ended;
	bool done;              /* the consumer saw that the thread had ended, before it took the last event */
	struct mp_merge events; /* of the consumer's pass */
	struct mp_name_cache names;
};

struct mp_result_place;

struct mp_recorder {
	/* read by threads that record: */
	_Atomic unsigned wanted; /* the kinds that any sink wants, and MP_WANT_RENEWAL; 0: nothing is recorded */
	_Atomic uint32_t interval;
	_Atomic(struct mp_thread *) threads; /* added at the front without the lock; removed with the lock */
	_Atomic uint64_t homeless;           /* events without a ring that are not yet reported */
	/* used by the consumer: */
	pthread_mutex_t lock;
	struct mp_event_sink *sinks;
	struct mp_result_place *places; /* place.c */
	struct mp_wall wall;            /* of the results in these places; constant while there are any */
	_Atomic unsigned prof_count;    /* PROF directories begun */
	_Atomic uint64_t identity;      /* mp_process_identity; 0: not yet asked */
	void (*renewal)(void);          /* begins the sessions of a child made by fork anew; NULL: there are none */
	/* the flusher's sleep; its lock is held only briefly */
	pthread_mutex_t sleep_lock;
	pthread_cond_t sleep;
	pthread_cond_t answer;
	struct mp_errand *errands; /* for mp_flusher_do */
	_Atomic int flusher_of;    /* the process in which the flusher runs; 0: it runs nowhere */
	_Atomic bool attached;     /* sinks are attached */
	_Atomic bool flusher_called;
	_Atomic int signal; /* the signal that asks the process to end, or 0 */
	struct mp_names names;
	struct mp_models models;
};

extern struct mp_recorder mp_recorder;

/* Slots in a ring that make its thread wake the flusher. */
extern _Atomic uint32_t mp_recorder_wake_at;

/* The process is a child of one that recorded: at the first event `renewal` is called, before anything is recorded. */
enum { MP_WANT_RENEWAL = 1 << 30 };

/* The sessions of a child have begun. */
void mp_recorder_renewed(void);

/* Update `wanted` after a change of the sinks. Call with the lock. */
void mp_sinks_settle(void);

/* Give the events of all rings to the sinks and flush the sinks. Call with the lock. */
void mp_drain_locked(void);

/* Let the sinks do what is due. Returns the ns until the next time, at most `most_ns`. Call with the lock. */
int64_t mp_sinks_tick(int64_t most_ns);

/* Free a thread and give its ring back; the thread must be in no list. */
void mp_thread_free(struct mp_thread *thread);

/* Tell the memory of rings all names and models so far, once. Returns 0, or -1 with err. Call with the lock. */
int mp_recorder_remember(struct mp_error *err);

/* The event of a slot, with texts by `texts`. Returns which sinks may want it: a bit of enum mp_want. */
struct mp_slot_texts {
	void *state;
	const char *(*name)(void *state, uint32_t *number); /* replaces a number that is not in use */
	const char *(*model)(void *state, uint32_t model_id);
};
unsigned mp_slot_event(struct mp_event *event, const struct mp_slot_texts *texts, const struct mp_ring *ring,
    const struct mp_ring_slot *slot, const char *text);

/* The calling thread is the flusher; whether it is; do what other threads wait for. */
void mp_errands_begin(void);
bool mp_is_flusher(void);
void mp_errands_run(void);

/*
 * Let the flusher do work that needs descriptors, and wait for its result. Without a flusher the work is done here.
 * Call without any lock that the flusher takes. Returns what `work` returns; `otherwise` in a process that was made
 * without the handlers of fork, which has no flusher, and whose files are another's.
 */
int mp_flusher_do(int (*work)(void *state), void *state, int otherwise);

/*
 * Start the flusher unless it runs, and let it do work, as above. Returns `otherwise` with err also where it cannot
 * start.
 */
int mp_flusher_start(int (*work)(void *state), void *state, int otherwise, struct mp_error *err);

/* Wake the flusher for a pass now. */
void mp_flusher_call(void);

/* A random number that all results of this process have, and no other process's. */
uint64_t mp_process_identity(void);

/* Install the handlers of fork, once a process. */
void mp_process_prepare(void);

/* In a child made by fork: only the calling thread is left, and its ring is the parent's. */
void mp_recorder_adopt(void);

/* The name of a model, valid as long as the process; NULL when the model was never announced. */
const char *mp_model_name(uint32_t model_id);

/* End all sinks. Call with the lock. */
void mp_sinks_end(enum mp_end how);

/* Catch the signals that end a process by default, and restore them. */
void mp_signals_catch(void);
void mp_signals_release(void);

/* End all sinks, then end the process by a signal. */
void mp_process_die(int number);

/*
 * Returns the directory of the program, and in *name its file name, as parts of one text that the caller frees; NULL
 * when unknown.
 */
char *mp_executable_split(const char **name);

#endif
