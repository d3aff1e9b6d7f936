/* trace_threads.c: the threads of a trace, by process and thread. Writes nothing. */
#include "report/trace_threads.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

static const int64_t FIRST_OWN_TID = INT64_C(1) << 31;

void mp_trace_threads_init(struct mp_trace_threads *t)
{
	memset(t, 0, sizeof(*t));
	t->next_tid = FIRST_OWN_TID;
}

/* A thread to look up. */
struct thread_key {
	const struct mp_trace_threads *threads;
	int64_t pid, tid;
};

static bool same_thread(const void *key, uint32_t item)
{
	const struct thread_key *w = key;
	const struct mp_trace_thread *thread = w->threads->items[item];

	return thread->pid == w->pid && thread->tid == w->tid;
}

/* NULL: memory was short. */
static uint32_t *find_place(struct mp_trace_threads *t, int64_t pid, int64_t tid)
{
	uint64_t hash = mp_hash_mix(mp_hash_mix(0, (uint64_t)pid), (uint64_t)tid);

	return mp_index_find(&t->index, (size_t)t->count, hash, same_thread, &(struct thread_key){t, pid, tid});
}

struct mp_trace_thread *mp_trace_threads_find(struct mp_trace_threads *t, int64_t pid, int64_t tid)
{
	if (!t->last || t->last->pid != pid || t->last->tid != tid) {
		const uint32_t *place = find_place(t, pid, tid);

		t->last = place && *place ? t->items[*place - 1] : NULL;
	}
	return t->last;
}

struct mp_trace_thread *mp_trace_threads_add(struct mp_trace_threads *t, int64_t pid, int64_t tid, struct mp_error *err)
{
	struct mp_trace_thread *thread;
	uint32_t *place;

	err->text[0] = '\0';
	if (t->count == MP_THREADS_MAX)
		return NULL;
	place = find_place(t, pid, tid);
	thread = place ? calloc(1, sizeof(*thread)) : NULL;
	if (!thread || mp_lanes_create(&thread->lanes, err)) {
		free(thread);
		mp_fail_memory(err, "the threads of a timeline");
		return NULL;
	}
	thread->pid = pid;
	thread->tid = tid;
	thread->shown_tid = tid >= 0 && tid < FIRST_OWN_TID ? tid : t->next_tid++;
	t->items[t->count++] = thread;
	*place = (uint32_t)t->count;
	t->last = thread;
	return thread;
}

int64_t mp_trace_threads_add_lane(struct mp_trace_threads *t, struct mp_trace_thread *thread, struct mp_error *err)
{
	if (!mp_vec_room(thread->lane_tids, (size_t)thread->lane_count, 1))
		return mp_fail_memory(err, "the lanes of a timeline");
	thread->lane_tids[thread->lane_count++] = t->next_tid;
	return t->next_tid++;
}

void mp_trace_threads_clear(struct mp_trace_threads *t)
{
	for (int i = 0; i < t->count; i++) {
		mp_lanes_free(t->items[i]->lanes);
		free(t->items[i]->lane_tids);
		free(t->items[i]);
	}
	mp_index_free(&t->index);
	t->count = 0;
	t->last = NULL;
}
