/*
 * reader.c: walks a raw file record by record and accounts for every byte. The layout gives the bytes a meaning; the
 * store keeps the values.
 */
#define _GNU_SOURCE /* SEEK_DATA */
#include "raw/reader_internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

static int window_open(struct mp_window *w, int fd, struct mp_error *err)
{
	struct stat st;

	memset(w, 0, sizeof(*w));
	if (fstat(fd, &st))
		return mp_fail_errno(err, "cannot read the size");
	w->fd = fd;
	w->size = w->limit = st.st_size;
	w->data = malloc(MP_WINDOW_SIZE);
	return w->data ? 0 : mp_fail_memory(err, "a read buffer");
}

static void window_close(struct mp_window *w)
{
	free(w->data);
	w->data = NULL;
}

static void refill(struct mp_window *w, int64_t offset)
{
	size_t keep = 0;

	if (offset >= w->start && offset < w->start + (int64_t)w->used) {
		keep = w->used - (size_t)(offset - w->start);
		memmove(w->data, w->data + (w->used - keep), keep);
	}
	w->start = offset;
	w->used = keep;
	while (w->used < MP_WINDOW_SIZE && w->start + (int64_t)w->used < w->limit) {
		int64_t at = w->start + (int64_t)w->used;
		size_t room = MP_WINDOW_SIZE - w->used;
		ssize_t n =
		    pread(w->fd, w->data + w->used, (int64_t)room < w->limit - at ? room : (size_t)(w->limit - at), at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) { /* an error, or the file became shorter meanwhile */
			w->read_errno = n < 0 ? errno : 0;
			w->limit = at;
			return;
		}
		w->used += (size_t)n;
	}
}

const unsigned char *mp_window_move(struct mp_window *w, int64_t offset, size_t want, size_t *have)
{
	if (offset >= w->limit) {
		*have = 0;
		return w->data;
	}
	if ((int64_t)want > w->limit - offset)
		want = (size_t)(w->limit - offset);
	if (offset < w->start || offset + (int64_t)want > w->start + (int64_t)w->used) {
		refill(w, offset);
		if (want > w->used)
			want = w->used;
	}
	*have = want;
	return w->data + (offset - w->start);
}

int mp_reader_open(struct mp_reader **reader, int fd, const struct mp_layout *layout, const struct mp_clock *clock,
    struct mp_sequence *sequence, struct mp_error *err)
{
	struct mp_reader *r = calloc(1, sizeof(*r));

	*reader = NULL;
	if (!r)
		return mp_fail_memory(err, "a reader");
	if (window_open(&r->window, fd, err)) {
		free(r);
		return -1;
	}
	r->layout = layout;
	r->sequence = sequence ? sequence : &r->own_sequence;
	if (mp_reader_plan(r, clock, err)) {
		mp_reader_close(r);
		return -1;
	}
	r->tally.size = r->window.size;
	r->search_left = SEARCH_ITEMS_MAX;
	r->own_portion = (struct mp_portion){.end = r->window.size, .identity = MP_NO_IDENTITY};
	mp_reader_divide(r, &r->own_portion, 1);
	*reader = r;
	return 0;
}

void mp_reader_be_peer(struct mp_reader *reader)
{
	reader->is_peer = true;
}

void mp_reader_close(struct mp_reader *reader)
{
	if (!reader)
		return;
	window_close(&reader->window);
	free(reader->claims);
	free(reader);
}

const struct mp_tally *mp_reader_tally(const struct mp_reader *reader)
{
	return &reader->tally;
}

const unsigned char *mp_reader_bytes(const struct mp_reader *reader, int64_t *offset)
{
	*offset = reader->record == reader->joined ? -1 : reader->offset - (int64_t)reader->record_len;
	return reader->record;
}

void mp_reader_look(struct mp_reader *reader, const unsigned char *bytes)
{
	reader->scratch_used = 0;
	reader->record = bytes;
	reader->record_len = reader->layout->size;
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

/*
 * The first offset after `from` with a whole record that is followed by a match or the end, or where one record must be
 * as bad ones have the same size; else the limit.
 */
static int64_t resynchronise(struct mp_reader *r, int64_t from)
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

static void count_sequence(struct mp_reader *r, size_t have)
{
	const struct mp_field *f = &r->layout->fields[r->layout->sequence];
	uint64_t found = mp_load(r->record + f->offset, f->width, r->layout->big_endian) >> f->shift & f->mask;
	uint64_t expected = (r->sequence->last + 1) & f->mask;

	if (r->sequence->known && found != expected) {
		if (r->tally.gap_count < MP_DAMAGE_MAX)
			r->tally.gaps[r->tally.gap_count] = (struct mp_gap){r->offset - (int64_t)have, expected, found};
		r->tally.gap_count++;
	}
	r->sequence->known = true;
	r->sequence->last = found;
}

static void count_padding(struct mp_reader *r)
{
	for (int i = 0; i < r->layout->pad_count; i++) {
		const struct mp_pad *pad = &r->layout->pads[i];
		const unsigned char *p = r->record + pad->offset;

		if (pad->zero && (p[0] || memcmp(p, p + 1, pad->width - 1) != 0)) {
			r->tally.odd_padding++;
			return;
		}
	}
}

static void take_record(struct mp_reader *r, const unsigned char *p, size_t have)
{
	r->record = p;
	r->record_len = r->layout->size;
	if (r->has_rules)
		mp_reader_apply_rules(r);
	r->offset += (int64_t)have;
	r->tally.records++;
	r->tally.record_bytes += (int64_t)have;
	if (r->has_zeros)
		count_padding(r);
	if (r->layout->sequence >= 0)
		count_sequence(r, have);
}

static bool next_binary(struct mp_reader *r)
{
	const struct mp_layout *l = r->layout;

	for (;;) {
		size_t have;
		const unsigned char *p = mp_window_at(&r->window, r->offset, l->size, &have);
		const struct mp_layout *owner;
		int64_t next;

		if (have == 0)
			return mp_reader_end(r);
		if (r->offset >= r->portions[r->portion_at].end)
			mp_reader_enter_portion(r, r->offset);
		owner = have < l->size ? mp_reader_join_record(r, p, have) : mp_reader_claimant(r, p, have);
		if (have < l->size && owner)
			p = r->joined;
		else if (have < l->size) {
			mp_reader_damage(r, r->offset, (int64_t)have,
			    mp_reader_claimant(r, p, have) ? "record cut short by the end of the file"
							   : "no record begins here");
			r->offset += (int64_t)have;
			return mp_reader_end(r);
		}
		have = have < l->size ? have : l->size;
		if (owner == l) {
			take_record(r, p, have);
			return true;
		}
		if (owner) {
			r->offset += (int64_t)have;
			r->tally.peer_bytes += r->is_peer ? 0 : (int64_t)have;
			continue;
		}
		next = resynchronise(r, r->offset);
		mp_reader_damage(r, r->offset, next - r->offset, "no record begins here");
		r->offset = next;
	}
}

static bool take_line(struct mp_reader *r, const char *s, size_t len)
{
	const struct mp_layout *l = r->layout;
	struct mp_capture found[MP_PIECE_MAX];

	for (int i = 0; i < l->line_count; i++) {
		const struct mp_pattern *p = &l->lines[i];

		if (!mp_pattern_match(p, s, len, found))
			continue;
		memset(r->captures, 0, sizeof(r->captures));
		for (int k = 0; k < p->piece_count; k++) {
			char name[MP_NAME_SIZE] = "";

			if (p->pieces[k].kind == MP_PIECE_LITERAL || !p->pieces[k].len)
				continue;
			memcpy(name, p->pieces[k].text, p->pieces[k].len);
			r->captures[mp_layout_column(l, name)] = found[k];
		}
		return true;
	}
	return false;
}

static bool is_blank(const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr(" \t\r", s[i]) || !s[i])
			return false;
	return true;
}

/* Check one piece of text. A piece ends at its separator; without one it may have been cut. */
static const char *check_piece(struct mp_reader *r, const char *s, size_t len, bool separated)
{
	if (!separated)
		return "text cut short by the end of the file";
	return take_line(r, s, len) ? NULL : "not a line that the layout knows";
}

static bool next_piece(struct mp_reader *r)
{
	for (;;) {
		size_t have, len, whole, joined;
		const char *s = (const char *)mp_window_at(&r->window, r->offset, PIECE_MAX + 1, &have);
		const char *separator = memchr(s, r->layout->separator, have);
		const char *why;

		if (have == 0)
			return mp_reader_end(r);
		len = separator ? (size_t)(separator - s) : have;
		whole = len + (separator != NULL);
		r->offset += (int64_t)whole;
		if (!separator && !r->in_long && (joined = mp_reader_join_piece(r, s, len))) {
			s = separator = (const char *)r->joined; /* the separator is in the next slice */
			len = joined;
		}
		if (!r->in_long && separator && is_blank(s, len)) {
			r->tally.blank_bytes += (int64_t)whole;
			continue;
		}
		/* the window shows a long piece in parts; the rest of it does not start a new piece */
		r->in_long = r->in_long || len > PIECE_MAX;
		why = r->in_long ? "longer than 64 KiB" : check_piece(r, s, len, separator != NULL);
		r->in_long = r->in_long && !separator;
		if (why) {
			mp_reader_damage(r, r->offset - (int64_t)whole, (int64_t)whole, why);
			continue;
		}
		r->record = (const unsigned char *)s;
		r->record_len = len;
		r->tally.records++;
		r->tally.record_bytes += (int64_t)whole;
		return true;
	}
}

bool mp_reader_next(struct mp_reader *reader)
{
	reader->scratch_used = 0;
	if (reader->layout->kind == MP_RECORD_BINARY)
		return next_binary(reader);
	return reader->layout->kind == MP_RECORD_TEXT ? next_piece(reader) : mp_reader_next_item(reader);
}
