/*
 * arena.h: the memory of the rings, names and models of the process, which lies in a file beside the results.
 *
 * The memory is mapped once and stays in place. While sessions write files, it is the content of the file ARENA_FILE in
 * the directory of each result. The system keeps what a process has written to such memory, however the process ends:
 * so the events that wait in rings survive a crash, and mp_recover writes them into the result. A stopped session
 * removes its file. The file is locked as long as the process lives.
 *
 * Only what lies in the slots of rings is read again, so nothing that others do to the file leads the process astray;
 * the handler of SIGBUS (below) lets the process survive that somebody cuts it.
 *
 * Without such a file (no room, a network file system) the same memory belongs to the process alone, and a crash loses
 * it. All functions lock for themselves. A ring, a name and a model are added by any thread; the other calls hold the
 * recorder's lock.
 */
#ifndef MP_RECORDER_ARENA_H
#define MP_RECORDER_ARENA_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "recorder/ring.h"

#define MP_ARENA_FILE ".msprof.events"
#define MP_ARENA_MAGIC "MSPRING1"

enum {
	MP_ARENA_SESSIONS = 32,
	MP_ARENA_MODELS = 4096,
	MP_ARENA_TEXT = 1100,
	MP_ARENA_HEAD = 128 * 1024,
	MP_ARENA_NAMES = 2 * 1024 * 1024,
	MP_ARENA_RINGS = 13 * 1024 * 1024,
	MP_ARENA_SIZE = MP_ARENA_HEAD + MP_ARENA_NAMES + MP_ARENA_RINGS
};

/* A result that gets the events of the rings. */
struct mp_arena_session {
	_Atomic uint64_t begin_ns; /* events that began earlier are not for it; 0: the entry is free. Set last */
	uint64_t until_ns;         /* events that begin then or later are not, either; 0: no limit */
	uint32_t wanted;           /* a set of enum mp_want */
	uint32_t domains_excluded;
	char result[64];             /* the name of its directory */
	char domains[MP_ARENA_TEXT]; /* see session.h; "": all */
};

struct mp_arena_head {
	char magic[8];
	uint32_t pid;
	_Atomic uint32_t model_count; /* announcements of models */
	_Atomic uint32_t name_bytes;  /* of texts, each with its NUL; text N has the number N + 1 */
	_Atomic uint32_t ring_bytes;  /* of rings, one behind the other */
	struct {
		uint32_t model_id, name;
	} models[MP_ARENA_MODELS];
	struct mp_arena_session sessions[MP_ARENA_SESSIONS];
};

/*
 * Make the memory, once in a process, and begin it anew while no session has a file of it. Returns 1 when names and
 * models are to be added, 0 when they are there; -1 with err.
 */
int mp_arena_make(struct mp_error *err);

/*
 * A ring for the calling thread, which holds no lock and may wait for the flusher; NULL when there is no more room.
 * `free_rings` writes what waits, and so gives back the rings of threads that have ended. mp_arena_give_back takes a
 * ring that is empty.
 */
struct mp_ring *mp_arena_take(uint32_t tid, void (*free_rings)(void));
void mp_arena_give_back(struct mp_ring *ring);

/* Reserve blocks for names to come. The flusher calls it between its passes. */
void mp_arena_prepare(void);

/* Note a name, in the order of the numbers; a model. Nothing happens without memory. */
void mp_arena_name(const char *text, size_t len);
void mp_arena_model(uint32_t model_id, uint32_t name);

/*
 * Keep the memory in a file of a result's directory. With `busy`, threads record already, and only a file that exists
 * is shared. Returns the entry to fill, whose begin_ns the caller sets last; NULL when there can be no file.
 */
struct mp_arena_session *mp_arena_join(int dirfd, bool busy);

/* Remove the file of a result whose data is written. `session` may be NULL. */
void mp_arena_leave(int dirfd, struct mp_arena_session *session);

/* Around a fork; in the child the memory is its own, and empty. */
void mp_arena_before_fork(void);
void mp_arena_after_fork(void);
void mp_arena_in_child(void);

/*
 * Lets the process survive that somebody cuts the file below its memory.
 *
 * The system answers an access to memory behind the end of its file with SIGBUS. For the memory of the arena a handler
 * puts memory of the process in the place of such a page, with zeros: what the page held is lost, and the access goes
 * on. Another SIGBUS has the effect that it had before. A handler that the application installs later takes the place
 * of this one, and a thread that blocks SIGBUS is ended by the system.
 */

/* Guard memory that a file was put below, again for each file. One thread at a time, and the same memory each time. */
void mp_bus_guard(void *memory, size_t size);

/* Admit the signal in the calling thread, which will use the memory. */
void mp_bus_admit(void);

/* Returns whether a page was lost since the last call. */
bool mp_bus_was_hit(void);

#endif
