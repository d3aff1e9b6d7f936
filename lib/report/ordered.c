/*
 * ordered.c: threads take the parts in order, and a ring of buffers is written in that order.
 *
 * There is no deadlock: a part waits only for earlier parts, and the earliest unfinished part waits for nothing.
 */
#include "report/ordered.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "base/thread.h"

enum { ROOM = 1 << 20, SLOTS_EACH = 2, SLOT_MAX = SLOTS_EACH * MP_ORDERED_MAX };

struct crew;

/* A part that is being made, or waits to be written. */
struct slot {
	struct crew *crew;
	struct mp_out *out;
	int64_t part;
	int member;
	bool done;
};

struct crew {
	const struct mp_ordered *parts;
	struct mp_out *out;    /* the output of the part whose turn it is */
	pthread_mutex_t lock;  /* guards all members below */
	pthread_cond_t moved;  /* a change that threads wait for */
	int64_t next;          /* the first part that no thread has taken */
	int64_t turn;          /* the first part that is not written */
	int64_t end;           /* the first failed part, or the number of parts */
	struct mp_error error; /* of the first failed part */
	int members, slot_count;
	struct slot slots[SLOT_MAX];
};

struct worker {
	struct crew *crew;
	int number;
	pthread_t thread;
};

static void wait_for_others(struct crew *c, int member)
{
	pthread_cond_wait(&c->moved, &c->lock);
	if (member == 0 && c->parts->waited) {
		pthread_mutex_unlock(&c->lock);
		c->parts->waited(c->parts->user);
		pthread_mutex_lock(&c->lock);
	}
}

/* Write or hand over what is kept of the part whose turn it is. */
static int move(struct crew *c, struct mp_out *from, struct mp_error *err)
{
	const char *bytes;
	size_t size;
	int status;

	if (!c->parts->take) {
		mp_out_move(c->out, from);
		return 0;
	}
	bytes = mp_out_kept(from, &size);
	status = size ? c->parts->take(c->parts->user, c->out, bytes, size, err) : 0;
	mp_out_restart(from);
	return status;
}

/* Under the lock: a part has failed. */
static void end_at(struct crew *c, int64_t part, const struct mp_error *err)
{
	if (part >= c->end)
		return;
	c->end = part;
	c->error = *err;
}

/* The buffer of a part is full: wait for the part's turn, then write the buffer. */
static void write_slot(void *user)
{
	struct slot *s = user;
	struct crew *c = s->crew;
	struct mp_error err;
	bool in_vain;

	pthread_mutex_lock(&c->lock);
	while (c->turn != s->part && s->part < c->end)
		wait_for_others(c, s->member);
	in_vain = s->part >= c->end;
	pthread_mutex_unlock(&c->lock);
	if (!in_vain && move(c, s->out, &err)) {
		pthread_mutex_lock(&c->lock);
		end_at(c, s->part, &err);
		pthread_mutex_unlock(&c->lock);
		in_vain = true;
	}
	if (in_vain) {
		mp_out_restart(s->out);
		mp_out_stop(s->out);
	}
	pthread_cond_broadcast(&c->moved); /* wakes threads that wait for a turn */
}

static struct slot *take(struct crew *c, int member)
{
	struct slot *s = NULL;

	pthread_mutex_lock(&c->lock);
	while (c->next < c->end && c->next >= c->turn + c->slot_count)
		wait_for_others(c, member);
	if (c->next < c->end) {
		s = &c->slots[c->next % c->slot_count];
		s->part = c->next++;
		s->member = member;
		s->done = false;
	}
	pthread_mutex_unlock(&c->lock);
	return s;
}

/* End a part. The thread that ends the current part writes it, and all later parts that are done. */
static void finish(struct slot *s, int status, struct mp_error *err)
{
	struct crew *c = s->crew;

	pthread_mutex_lock(&c->lock);
	s->done = true;
	if (status)
		end_at(c, s->part, err);
	while (s->done && s->part == c->turn && s->part <= c->end) {
		pthread_mutex_unlock(&c->lock);
		status = move(c, s->out, err);
		pthread_mutex_lock(&c->lock);
		if (status)
			end_at(c, s->part, err);
		c->turn++;
		s = &c->slots[c->turn % c->slot_count];
	}
	pthread_cond_broadcast(&c->moved);
	pthread_mutex_unlock(&c->lock);
}

static void *work(void *user)
{
	struct worker *m = user;
	const struct mp_ordered *parts = m->crew->parts;
	struct mp_error err;
	struct slot *s;

	while ((s = take(m->crew, m->number)))
		finish(s, parts->make(parts->user, m->number, s->part, s->out, &err), &err);
	return NULL;
}

static void begin_threads(struct crew *c, struct worker *members, int threads)
{
	for (c->members = 1; c->members < threads; c->members++) {
		members[c->members] = (struct worker){.crew = c, .number = c->members};
		if (mp_thread_start(&members[c->members].thread, work, &members[c->members]))
			break; /* fewer threads suffice */
	}
}

static int write_alone(const struct mp_ordered *parts, struct mp_out *out, struct mp_error *err)
{
	for (int64_t i = 0; i < parts->count; i++)
		if (parts->make(parts->user, 0, i, out, err))
			return -1;
	return 0;
}

static int write_together(struct crew *c, int threads, struct mp_error *err)
{
	struct worker members[MP_ORDERED_MAX] = {{.crew = c}};

	pthread_mutex_init(&c->lock, NULL); /* neither fails without attributes */
	pthread_cond_init(&c->moved, NULL);
	c->members = 1;
	begin_threads(c, members, threads);
	work(&members[0]);
	for (int i = 1; i < c->members; i++)
		pthread_join(members[i].thread, NULL);
	pthread_cond_destroy(&c->moved);
	pthread_mutex_destroy(&c->lock);
	if (c->end == c->parts->count)
		return 0;
	*err = c->error;
	return -1;
}

int mp_ordered_write(const struct mp_ordered *parts, int threads, struct mp_out *out, struct mp_error *err)
{
	struct crew c = {.parts = parts, .out = out, .end = parts->count};
	int status;

	if (threads > MP_ORDERED_MAX)
		threads = MP_ORDERED_MAX;
	while ((threads > 1 || parts->take) && c.slot_count < SLOTS_EACH * threads) {
		struct slot *s = &c.slots[c.slot_count];

		*s = (struct slot){.crew = &c, .part = -1};
		if (mp_out_keep(&s->out, ROOM, write_slot, s, err))
			break; /* fewer slots suffice */
		c.slot_count++;
	}
	if (threads > c.slot_count / SLOTS_EACH)
		threads = c.slot_count / SLOTS_EACH;
	if (!parts->take && threads < 2)
		status = write_alone(parts, out, err);
	else
		status = threads ? write_together(&c, threads, err) : -1;
	for (int i = 0; i < c.slot_count; i++)
		mp_out_abort(c.slots[i].out);
	return status;
}
