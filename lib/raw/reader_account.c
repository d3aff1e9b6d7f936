/*
 * reader_account.c: the account of a raw file: damaged bytes and what follows them, the portions of the file, and its
 * end; and records that lie across two slices of a stream.
 */
#define _GNU_SOURCE /* SEEK_DATA */
#include "raw/reader_internal.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void mp_reader_join(struct mp_reader *r, struct mp_joint *joint)
{
	int64_t head = joint->head < r->window.size ? joint->head : r->window.size;

	r->joint = joint;
	if (!head) /* a file with a header has no slices */
		return;
	r->offset = head;
	if (joint->head_lost)
		mp_reader_damage(r, 0, head, "the rest of a record whose beginning is not there");
	else if (!r->is_peer)
		r->tally.record_bytes += head;
}

const struct mp_layout *mp_reader_join_record(struct mp_reader *r, const unsigned char *p, size_t have)
{
	const struct mp_layout *l = r->layout, *owner;
	size_t need = l->size - have, after;

	if (!r->joint || r->joint->next_size < need)
		return NULL;
	memcpy(r->joined, p, have);
	memcpy(r->joined + have, r->joint->next, need);
	owner = mp_reader_claimant(r, r->joined, l->size);
	after = r->joint->next_size - need;
	if (!owner || (after && !mp_reader_claimant(r, r->joint->next + need, after < l->size ? after : l->size)))
		return NULL;
	r->joint->next_head = (int64_t)need;
	return owner;
}

size_t mp_reader_join_piece(struct mp_reader *r, const char *s, size_t len)
{
	const char *separator;
	size_t got;

	if (!r->joint || !r->joint->next_size || r->layout->kind != MP_RECORD_TEXT || len >= PIECE_MAX)
		return 0;
	got = r->joint->next_size < PIECE_MAX - len ? r->joint->next_size : PIECE_MAX - len;
	memcpy(r->joined, s, len);
	memcpy(r->joined + len, r->joint->next, got);
	separator = memchr(r->joined + len, r->layout->separator, got);
	if (!separator)
		return 0;
	r->joint->next_head = (int64_t)(separator - (const char *)r->joined - (ptrdiff_t)len) + 1;
	return (size_t)(separator - (const char *)r->joined);
}

/* The next record has none before it with which rules compare it. */
static void forget_record(struct mp_reader *r)
{
	for (int i = 0; i < r->layout->holds_count; i++)
		r->limits[i].known = false;
}

/* Adjacent damage with the same reason is one entry. Damage beyond the last entry is added to that entry. */
void mp_reader_damage(struct mp_reader *r, int64_t offset, int64_t bytes, const char *reason)
{
	struct mp_tally *t = &r->tally;
	struct mp_damage *last = t->damage_count ? &t->damage[t->damage_count - 1] : NULL;

	forget_record(r);
	if (r->is_peer)
		return;
	t->damaged_bytes += bytes;
	if (last && t->damage_count == MP_DAMAGE_MAX) {
		last->bytes += bytes;
		snprintf(last->reason, sizeof(last->reason), "this and further damage after it, summed up");
	} else if (last && last->offset + last->bytes == offset && strcmp(last->reason, reason) == 0) {
		last->bytes += bytes;
	} else {
		last = &t->damage[t->damage_count++];
		last->offset = offset;
		last->bytes = bytes;
		snprintf(last->reason, sizeof(last->reason), "%s", reason);
	}
}

/* Begin the portion at `portion_at`. */
static void begin_portion(struct mp_reader *r)
{
	r->pace_sum = 0;
	r->end_ns = r->portions[r->portion_at].start_ns;
	forget_record(r);
}

void mp_reader_divide(struct mp_reader *reader, struct mp_portion *portions, size_t count)
{
	reader->portions = portions;
	reader->portion_count = count;
	reader->portion_at = 0;
	begin_portion(reader);
}

/* What was counted since the end of the portion before belongs to the current portion. */
static void close_portion(struct mp_reader *r)
{
	struct mp_portion *p = &r->portions[r->portion_at], *b = &r->before;
	const struct mp_tally *t = &r->tally;

	p->records = t->records - b->records;
	p->record_bytes = t->record_bytes - b->record_bytes;
	p->blank_bytes = t->blank_bytes - b->blank_bytes;
	p->damaged_bytes = t->damaged_bytes - b->damaged_bytes;
	b->records = t->records;
	b->record_bytes = t->record_bytes;
	b->blank_bytes = t->blank_bytes;
	b->damaged_bytes = t->damaged_bytes;
}

/* Close the accounts of all portions. */
static void close_portions(struct mp_reader *r)
{
	for (; r->portion_at < r->portion_count; r->portion_at++)
		close_portion(r);
}

void mp_reader_enter_portion(struct mp_reader *r, int64_t offset)
{
	while (r->portion_at + 1 < r->portion_count && offset >= r->portions[r->portion_at].end) {
		close_portion(r);
		r->portion_at++;
		begin_portion(r);
	}
}

bool mp_reader_end(struct mp_reader *r)
{
	int64_t lost = r->window.size - r->window.limit;
	char reason[64];

	if (lost > 0) {
		r->tally.read_errno = r->window.read_errno;
		if (r->window.read_errno)
			snprintf(reason, sizeof(reason), "read error: %s", strerror(r->window.read_errno));
		else
			snprintf(reason, sizeof(reason), "the file shrank while it was read");
		mp_reader_damage(r, r->window.limit, lost, reason);
		r->window.size = r->window.limit;
	}
	r->record = NULL;
	close_portions(r);
	return false;
}

/*
 * Returns whether all records of the layout and its peers begin with the same first match, and that match covers its
 * whole lowest byte.
 */
static bool first_byte_tells(const struct mp_layout *l)
{
	const struct mp_match *m = &l->matches[0];

	if (!l->match_count || m->shift || (m->mask & 0xff) != 0xff)
		return false;
	for (const struct mp_layout *at = l->peer; at != l; at = at->peer)
		if (at->matches[0].offset != m->offset || at->matches[0].width != m->width ||
		    at->matches[0].value != m->value)
			return false;
	return true;
}

/* Holes of a sparse file read as zeros: skip a hole unless zeros could be a record. */
static int64_t skip_hole(struct mp_reader *r, int64_t at)
{
	const struct mp_layout *l = r->layout;
	off_t data;

	if (!first_byte_tells(l) || !l->matches[0].value)
		return at;
	errno = 0;
	data = lseek(r->window.fd, at, SEEK_DATA);
	if (data < 0)
		return errno == ENXIO ? r->window.limit : at;
	/* a record may begin with zeros before the data */
	return data - (int64_t)l->size > at ? data - (int64_t)l->size : at;
}

/* How many of the next offsets in p[0..have) cannot begin a record, by the first matched byte alone. */
static size_t skip_mismatches(const struct mp_layout *l, const unsigned char *p, size_t have)
{
	const struct mp_match *m = &l->matches[0];
	unsigned shift = l->big_endian ? (unsigned)(m->width - 1) * 8 : 0;
	const unsigned char *found;

	if (!first_byte_tells(l))
		return 0;
	found = memchr(p + m->offset, (int)(m->value >> shift & 0xff), have - m->offset);
	return found ? (size_t)(found - p) - m->offset : have - m->offset;
}

/* Whether so many bits match that a record at the place where one must be is no chance. */
static bool tells_enough(const struct mp_layout *l)
{
	int bits = 0;

	for (int i = 0; i < l->match_count; i++)
		bits += __builtin_popcountll(l->matches[i].mask);
	return bits >= 16;
}

/* Whether so many bytes are whole records. */
static bool are_whole(int64_t bytes, size_t size)
{
	return size && bytes % (int64_t)size == 0;
}

int64_t mp_reader_search(struct mp_reader *r, int64_t from)
{
	const struct mp_layout *l = r->layout, *owner;
	int64_t at = skip_hole(r, from + 1);

	for (;;) {
		size_t have, skip;
		const unsigned char *p = mp_window_at(&r->window, at, SEARCH_SIZE, &have);

		if (have < l->size)
			return r->window.limit;
		skip = skip_mismatches(l, p, have);
		if (skip >= have - l->size + 1) {
			at = skip_hole(r, at + (int64_t)(have - l->size + 1));
			continue;
		}
		at += (int64_t)skip;
		p = mp_window_at(&r->window, at, 2 * l->size, &have);
		if (have < l->size)
			return r->window.limit;
		owner = mp_reader_claimant(r, p, have);
		if (owner && (mp_reader_claimant(r, p + l->size, have - l->size) ||
				 (are_whole(at - from, l->size) && tells_enough(owner))))
			return at;
		at++;
	}
}
