/* trace_threads.c: a small hash of threads. Writes nothing. */
#include "report/trace_threads.h"

#include <stdlib.h>
#include <string.h>

static const int64_t FIRST_OWN_TID = INT64_C(1) << 31;

void mp_trace_threads_init(struct mp_trace_threads *t)
{
	memset(t, 0, sizeof(*t));
	t->next_tid = FIRST_OWN_TID;
}

static size_t slot_of(const struct mp_trace_threads *t, int64_t pid, int64_t tid)
{
	uint64_t hash = ((uint64_t)pid * 31 + (uint64_t)tid) * UINT64_C(0x9E3779B97F4A7C15);
	size_t slot = (size_t)(hash >> 32) % (2 * MP_THREADS_MAX);

	while (t->items[slot] && (t->items[slot]->pid != pid || t->items[slot]->tid != tid))
		slot = (slot + 1) % (2 * MP_THREADS_MAX);
	return slot;
}

struct mp_trace_thread *mp_trace_threads_find(struct mp_trace_threads *t, int64_t pid, int64_t tid)
{
	if (!t->last || t->last->pid != pid || t->last->tid != tid)
		t->last = t->items[slot_of(t, pid, tid)];
	return t->last;
}

struct mp_trace_thread *mp_trace_threads_add(struct mp_trace_threads *t, int64_t pid, int64_t tid, struct mp_error *err)
{
	struct mp_trace_thread *thread;

	err->text[0] = '\0';
	if (t->count == MP_THREADS_MAX)
		return NULL;
	thread = calloc(1, sizeof(*thread));
	if (!thread || mp_lanes_create(&thread->lanes, err)) {
		free(thread);
		mp_fail_memory(err, "the threads of a timeline");
		return NULL;
	}
	thread->pid = pid;
	thread->tid = tid;
	thread->shown_tid = tid >= 0 && tid < FIRST_OWN_TID ? tid : t->next_tid++;
	t->items[slot_of(t, pid, tid)] = thread;
	t->count++;
	t->last = thread;
	return thread;
}

int64_t mp_trace_threads_add_lane(struct mp_trace_threads *t, struct mp_trace_thread *thread, struct mp_error *err)
{
	if ((thread->lane_count & (thread->lane_count + 1)) == 0) { /* 0, 1, 3, 7, ...: double */
		size_t room = 2 * ((size_t)thread->lane_count + 1);
		int64_t *tids = realloc(thread->lane_tids, room * sizeof(*tids));

		if (!tids)
			return mp_fail_memory(err, "the lanes of a timeline");
		thread->lane_tids = tids;
	}
	thread->lane_tids[thread->lane_count++] = t->next_tid;
	return t->next_tid++;
}

void mp_trace_threads_clear(struct mp_trace_threads *t)
{
	for (size_t i = 0; i < 2 * MP_THREADS_MAX; i++) {
		if (!t->items[i])
			continue;
		mp_lanes_free(t->items[i]->lanes);
		free(t->items[i]->lane_tids);
		free(t->items[i]);
		t->items[i] = NULL;
	}
	t->count = 0;
	t->last = NULL;
}
