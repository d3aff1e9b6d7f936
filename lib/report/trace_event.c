/* trace_event.c: writes the parts of an event with few copies. Knows no lanes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "report/timeline_internal.h"

enum { COLUMN_PID, COLUMN_TID, COLUMN_NAME, COLUMN_START, COLUMN_DUR, COLUMN_ARGS };

int mp_trace_event_begin(struct mp_trace_event *e, const struct mp_report *report, const struct mp_query *rows,
    struct mp_out *out, struct mp_error *err)
{
	int columns = mp_query_column_count(rows);
	char key[MP_KEY_SIZE];

	if (columns < COLUMN_ARGS || columns > MP_REPORT_COLUMN_MAX)
		return mp_fail(
		    err, "schema/%s: a timeline has pid, tid, name, start_ns, dur_ns and arguments", report->path);
	e->path = report->path;
	e->arg_count = 0;
	mp_member_begin(&e->name, ",\"name\":", 8);
	mp_member_begin(&e->pid, ",\"pid\":", 7);
	for (int i = COLUMN_ARGS; i < columns; i++) {
		const char *title = mp_query_title(rows, i);
		int n;

		if (title[0] == '_') /* hidden columns come last */
			break;
		n = snprintf(key, sizeof(key), ",\"%s\":", title);
		if (n >= MP_KEY_SIZE)
			return mp_fail(err, "schema/%s: argument name too long", report->path);
		mp_member_begin(&e->args[e->arg_count++], key, (size_t)n);
	}
	e->object =
	    (struct mp_members){.out = out, .room = (size_t)(e->arg_count + COLUMN_ARGS) * (size_t)MP_MEMBER_ROOM};
	return 0;
}

static int64_t number(const struct mp_value *v)
{
	return v->type == MP_INT ? v->i : 0;
}

int mp_trace_event_read(
    struct mp_trace_event *e, const struct mp_query *rows, struct mp_trace_time *time, struct mp_error *err)
{
	mp_query_row(rows, e->cells, COLUMN_ARGS + e->arg_count);
	if (e->cells[COLUMN_START].type != MP_INT)
		return mp_report_refuse_rows(e->path, "row without a time", err);
	*time = (struct mp_trace_time){number(&e->cells[COLUMN_PID]), number(&e->cells[COLUMN_TID]),
	    e->cells[COLUMN_START].i, number(&e->cells[COLUMN_DUR])};
	return 0;
}

static char *put_literal(char *at, const char *text, size_t len)
{
	memcpy(at, text, len);
	return at + len;
}

#define PUT(at, literal) put_literal(at, literal, sizeof(literal) - 1)

static char *begin_piece(struct mp_trace_event *e)
{
	return e->object.begun = mp_out_reserve(e->object.out, e->object.room);
}

static void end_piece(struct mp_trace_event *e, const char *end)
{
	mp_out_advance(e->object.out, (size_t)(end - e->object.begun));
}

void mp_trace_event_head(struct mp_trace_event *e)
{
	const struct mp_value pid = {.type = MP_INT, .i = number(&e->cells[COLUMN_PID])};
	char *at = begin_piece(e);

	e->object.sign = '{';
	at = mp_members_put(&e->object, at, &e->name, &e->cells[COLUMN_NAME], false);
	at = PUT(at, ",\"ph\":\"X\"");
	at = mp_members_put(&e->object, at, &e->pid, &pid, false);
	end_piece(e, PUT(at, ",\"tid\":"));
}

void mp_trace_event_tail(struct mp_trace_event *e, int64_t start_ns, int64_t dur_ns)
{
	char *at = begin_piece(e);

	at = PUT(at, ",\"ts\":");
	at += mp_number_us(at, start_ns);
	at = PUT(at, ",\"dur\":");
	at += mp_number_us(at, dur_ns);
	at = PUT(at, ",\"args\":");
	e->object.sign = '{';
	for (int i = 0; i < e->arg_count; i++)
		at = mp_members_put(&e->object, at, &e->args[i], &e->cells[COLUMN_ARGS + i], false);
	if (e->object.sign == '{') /* no arguments */
		*at++ = '{';
	end_piece(e, PUT(at, "}}"));
}

/* The threads of a trace, by process and thread. Writes nothing. */

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
