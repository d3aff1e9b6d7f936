/* packer.c: a ring of pieces. The writer fills one, threads pack those behind it, and the writer writes the oldest. */
#include "base/packer.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/thread.h"
#include "base/vec.h"

enum { SLOTS_EACH = 2, SLOT_MAX = SLOTS_EACH * MP_PACKER_THREADS_MAX };
enum state { EMPTY, READY, BUSY, DONE };

struct slot {
	struct mp_packer_piece piece;
	char *bytes, *packed;
	size_t used;
	size_t most, packed_most; /* bytes that were ever wanted of each */
	enum state state;         /* guarded by the packer's lock */
};

struct packer {
	struct mp_out_filter filter;
	const struct mp_packer_form *form;
	struct mp_deflate *deflate; /* the writer's */
	struct slot slots[SLOT_MAX];
	int slot_count, filled; /* the slot that is being filled, or waits for that; changes under the lock */
	size_t wanted;          /* bytes in it before it may be a piece */
	bool begun;             /* the head is written */
	uint32_t sum;
	uint64_t size;
	int threads, started;
	pthread_t workers[MP_PACKER_THREADS_MAX];
	pthread_mutex_t lock;
	pthread_cond_t moved; /* a slot is ready or done */
	bool stopped;
};

/* Returns the oldest slot that is ready, as busy, or NULL. Under the lock. */
static struct slot *take_ready(struct packer *p)
{
	for (int i = 0; i < p->slot_count; i++) {
		struct slot *s = &p->slots[(p->filled + i) % p->slot_count];

		if (s->state == READY) {
			s->state = BUSY;
			return s;
		}
	}
	return NULL;
}

/* Pack a busy slot. Called and left under the lock, which is free meanwhile. */
static void pack(struct packer *p, struct mp_deflate *deflate, struct slot *s)
{
	pthread_mutex_unlock(&p->lock);
	p->form->pack(deflate, &s->piece);
	pthread_mutex_lock(&p->lock);
	s->state = DONE;
	pthread_cond_broadcast(&p->moved);
}

static void *work(void *user)
{
	struct packer *p = user;
	struct mp_deflate *deflate = mp_deflate_new();

	if (!deflate)
		return NULL; /* the writer packs, too */
	pthread_mutex_lock(&p->lock);
	while (!p->stopped) {
		struct slot *s = take_ready(p);

		if (s)
			pack(p, deflate, s);
		else
			pthread_cond_wait(&p->moved, &p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	mp_deflate_free(deflate);
	return NULL;
}

static void begin_threads(struct packer *p)
{
	while (p->started < p->threads - 1 && mp_thread_start(&p->workers[p->started], work, p) == 0)
		p->started++;
	p->threads = p->started + 1; /* do not try again after an error */
}

static void begin_file(struct packer *p, mp_out_put *put, struct mp_out *out)
{
	if (!p->begun && p->form->head)
		put(out, p->form->head, p->form->head_size);
	p->begun = true;
}

/* Write what is packed in a slot, which is empty then. Pack others, or this one, while it is not done. */
static void write_slot(struct packer *p, struct slot *s, mp_out_put *put, struct mp_out *out)
{
	bool is_done;

	pthread_mutex_lock(&p->lock);
	while (s->state == READY || s->state == BUSY) {
		struct slot *other = take_ready(p);

		if (other)
			pack(p, p->deflate, other);
		else
			pthread_cond_wait(&p->moved, &p->lock);
	}
	is_done = s->state == DONE;
	s->state = EMPTY;
	pthread_mutex_unlock(&p->lock);
	if (!is_done)
		return;
	begin_file(p, put, out);
	put(out, s->piece.packed, s->piece.packed_size);
	if (p->form->join)
		p->sum = p->form->join(p->sum, s->piece.sum, s->piece.size);
	p->size += s->piece.size;
	s->used = 0;
}

/* Hand over the first bytes of the slot that is filled, and begin the next one with those behind them. */
static bool hand_over(struct packer *p, size_t size, mp_out_put *put, struct mp_out *out)
{
	struct slot *s = &p->slots[p->filled], *next = &p->slots[(p->filled + 1) % p->slot_count];
	const size_t rest = s->used - size;

	if (!mp_vec_reach(s->packed, &s->packed_most, mp_deflate_room(size) + 2 * (size_t)MP_PIECE_ROOM))
		return false;
	s->piece = (struct mp_packer_piece){.bytes = s->bytes, .size = size, .packed = s->packed + MP_PIECE_ROOM};
	pthread_mutex_lock(&p->lock);
	s->state = READY;
	p->filled = (p->filled + 1) % p->slot_count;
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
	write_slot(p, next, put, out);
	if (rest && !mp_vec_reach(next->bytes, &next->most, rest))
		return false;
	if (rest)
		memcpy(next->bytes, s->bytes + size, rest);
	next->used = rest;
	p->wanted = MP_PIECE_SIZE;
	return true;
}

/* The slot has as many bytes as it wants: they are a piece, or it wants more. */
static bool end_piece(struct packer *p, mp_out_put *put, struct mp_out *out)
{
	const struct slot *s = &p->slots[p->filled];
	size_t size = p->form->cut(s->bytes, s->used);

	if (size) {
		begin_threads(p);
		return hand_over(p, size, put, out);
	}
	p->wanted *= 2;
	return p->wanted <= MP_DEFLATE_PIECE_MAX;
}

static bool end_file(struct packer *p, mp_out_put *put, struct mp_out *out)
{
	char tail[MP_PIECE_ROOM];

	if (p->slots[p->filled].used && !hand_over(p, p->slots[p->filled].used, put, out))
		return false;
	for (int i = 0; i < p->slot_count; i++)
		write_slot(p, &p->slots[(p->filled + i) % p->slot_count], put, out);
	begin_file(p, put, out);
	if (p->form->tail)
		put(out, tail, p->form->tail(p->sum, p->size, tail));
	return true;
}

static int pass(
    struct mp_out_filter *filter, const char *bytes, size_t size, bool last, mp_out_put *put, struct mp_out *out)
{
	struct packer *p = (struct packer *)filter;
	bool done = true;

	while (done && size) {
		struct slot *s = &p->slots[p->filled];
		size_t n = p->wanted > s->used ? p->wanted - s->used : 0;

		if (!n) {
			done = end_piece(p, put, out);
			continue;
		}
		n = n < size ? n : size;
		done = mp_vec_reach(s->bytes, &s->most, p->wanted);
		if (!done)
			break;
		memcpy(s->bytes + s->used, bytes, n);
		s->used += n;
		bytes += n;
		size -= n;
	}
	if (done && (!last || end_file(p, put, out)))
		return 0;
	errno = ENOMEM;
	return -1;
}

static void restart(struct mp_out_filter *filter)
{
	struct packer *p = (struct packer *)filter;

	pthread_mutex_lock(&p->lock);
	for (int i = 0; i < p->slot_count; i++) {
		struct slot *s = &p->slots[i];

		while (s->state == BUSY)
			pthread_cond_wait(&p->moved, &p->lock);
		s->state = EMPTY;
		s->used = 0;
	}
	pthread_mutex_unlock(&p->lock);
	p->begun = false;
	p->sum = 0;
	p->size = 0;
	p->wanted = MP_PIECE_SIZE;
}

static void end(struct mp_out_filter *filter)
{
	struct packer *p = (struct packer *)filter;

	pthread_mutex_lock(&p->lock);
	p->stopped = true;
	pthread_cond_broadcast(&p->moved);
	pthread_mutex_unlock(&p->lock);
	for (int i = 0; i < p->started; i++)
		pthread_join(p->workers[i], NULL);
	pthread_cond_destroy(&p->moved);
	pthread_mutex_destroy(&p->lock);
	for (int i = 0; i < p->slot_count; i++) {
		free(p->slots[i].bytes);
		free(p->slots[i].packed);
	}
	mp_deflate_free(p->deflate);
	free(p);
}

int mp_packer_out(struct mp_out *out, const struct mp_packer_form *form, int threads, struct mp_error *err)
{
	struct packer *p = calloc(1, sizeof(*p));

	if (!p || !(p->deflate = mp_deflate_new())) {
		free(p);
		return mp_fail_memory(err, "a compressed output");
	}
	p->filter = (struct mp_out_filter){pass, restart, end};
	p->form = form;
	p->threads = threads < 1 ? 1 : threads > MP_PACKER_THREADS_MAX ? MP_PACKER_THREADS_MAX : threads;
	p->slot_count = SLOTS_EACH * p->threads;
	p->wanted = MP_PIECE_SIZE;
	pthread_mutex_init(&p->lock, NULL); /* neither fails without attributes */
	pthread_cond_init(&p->moved, NULL);
	mp_out_through(out, &p->filter);
	return 0;
}

/* ---- gzip: the pieces of a file are parts of one deflate stream; zlib joins their sums ---- */

static size_t gzip_cut(const char *bytes, size_t size)
{
	(void)bytes;
	return size;
}

static void gzip_pack(struct mp_deflate *d, struct mp_packer_piece *p)
{
	p->packed_size = mp_deflate_piece(d, p->bytes, p->size, p->packed);
	p->sum = mp_deflate_crc(p->bytes, p->size);
}

static uint32_t gzip_join(uint32_t sum, uint32_t next, size_t size)
{
	return (uint32_t)crc32_combine(sum, next, (z_off_t)size);
}

static size_t gzip_tail(uint32_t sum, uint64_t size, char *at)
{
	memcpy(at, MP_DEFLATE_END, MP_DEFLATE_END_SIZE);
	at += MP_DEFLATE_END_SIZE;
	for (int i = 0; i < 4; i++) {
		at[i] = (char)(sum >> 8 * i);
		at[4 + i] = (char)(size >> 8 * i);
	}
	return MP_DEFLATE_END_SIZE + 8;
}

int mp_gzip_out(struct mp_out *out, int threads, struct mp_error *err)
{
	/* deflate, without a time, made fast, by a system that is not told */
	static const struct mp_packer_form form = {
	    gzip_cut, gzip_pack, gzip_join, gzip_tail, "\x1f\x8b\x08\0\0\0\0\0\x04\xff", 10};

	return mp_packer_out(out, &form, threads, err);
}

size_t mp_zlib_pack(struct mp_deflate *d, const char *bytes, size_t size, char *result)
{
	const uint32_t sum = mp_deflate_adler(bytes, size);
	char *at = result + 2;

	memcpy(result, "\x78\x01", 2); /* deflate with a window of 32 KiB, made fast */
	at += mp_deflate_piece(d, bytes, size, at);
	memcpy(at, MP_DEFLATE_END, MP_DEFLATE_END_SIZE);
	at += MP_DEFLATE_END_SIZE;
	for (int i = 0; i < 4; i++)
		*at++ = (char)(sum >> (24 - 8 * i));
	return (size_t)(at - result);
}
