/*
 * reader_items.c: records that are not of one size. Items of tag, length and value: an item with the tag of the layout
 * is a record; its value is items again, which must fill it to the last byte; other items are understood and passed
 * over. And pieces of text between separators.
 */
#include "raw/reader_internal.h"

enum { TAG_AND_LENGTH_MAX = 16, BEGIN_MAX = MP_RECORD_SIZE_MAX + 8 };

/* Returns whether items fill `len` bytes, behind the fields of the layout, to the last one. */
static bool filled(const struct mp_layout *l, const unsigned char *p, size_t len)
{
	struct mp_reader_item item;

	if (len < l->size)
		return false;
	for (size_t at = l->size; at < len; at += item.head + (size_t)item.len)
		if (mp_reader_parse_item(l, p + at, len - at, &item) || item.len > len - at - item.head)
			return false;
	return true;
}

/*
 * Returns whether a whole record begins at the offset; its bytes are at *p then. What only looks like one has costs,
 * and what all of them may cost in a file is bounded.
 */
static bool whole_record(struct mp_reader *r, int64_t offset, const unsigned char **p, struct mp_reader_item *item)
{
	size_t have;

	*p = mp_window_at(&r->window, offset, TAG_AND_LENGTH_MAX, &have);
	if (mp_reader_parse_item(r->layout, *p, have, item) || item->tag != r->layout->each || !item->is_bytes ||
	    item->len > PIECE_MAX || offset + (int64_t)(item->head + item->len) > r->window.limit)
		return false;
	*p = mp_window_at(&r->window, offset, item->head + (size_t)item->len, &have);
	if (have == item->head + item->len && filled(r->layout, *p + item->head, (size_t)item->len))
		return true;
	r->search_left -= (int64_t)item->len;
	return false;
}

/* The offset after `from` of the next whole record, else the limit. */
static int64_t search(struct mp_reader *r, int64_t from)
{
	const unsigned char *p;
	struct mp_reader_item item;

	for (int64_t at = from + 1; at < r->window.limit; at++) {
		if (whole_record(r, at, &p, &item))
			return at;
		if (--r->search_left < 0)
			break;
	}
	return r->window.limit;
}

/* The items of a model file begin behind its weights. Returns NULL, or what is wrong. */
static const char *find_begin(struct mp_reader *r)
{
	const struct mp_layout *l = r->layout;
	size_t have, need = 0;
	const unsigned char *p = mp_window_at(&r->window, 0, BEGIN_MAX, &have);

	for (int i = 0; i < l->match_count; i++)
		if (l->matches[i].offset + l->matches[i].width > have ||
		    (mp_load(p + l->matches[i].offset, l->matches[i].width, l->big_endian) >> l->matches[i].shift &
			l->matches[i].mask) != l->matches[i].value)
			return "not a model file";
	for (int i = 0; i < 2; i++)
		need = l->begins[i] + 4 > need ? l->begins[i] + 4 : need;
	if (have < need)
		return "cut short by the end of the file";
	r->offset =
	    (int64_t)(mp_load(p + l->begins[0], 4, l->big_endian) + mp_load(p + l->begins[1], 4, l->big_endian));
	if (r->offset < (int64_t)need)
		return "its items begin within its header";
	if (r->offset > r->window.limit)
		return "its items begin behind its end";
	r->tally.blank_bytes += r->offset;
	return NULL;
}

/* Pass over what is no record at the offset. Returns NULL, or what is wrong with it. */
static const char *pass(struct mp_reader *r)
{
	size_t have;
	const unsigned char *p = mp_window_at(&r->window, r->offset, TAG_AND_LENGTH_MAX, &have);
	const char *why;
	struct mp_reader_item item;

	why = mp_reader_parse_item(r->layout, p, have, &item);
	if (why)
		return why;
	if (item.len > (uint64_t)(r->window.limit - r->offset) - item.head)
		return "an item longer than the rest of the file";
	if (item.tag == r->layout->each)
		return item.len > PIECE_MAX ? "longer than 64 KiB" : "an item that its items do not fill";
	r->tally.blank_bytes += (int64_t)(item.head + item.len);
	r->offset += (int64_t)(item.head + item.len);
	return NULL;
}

bool mp_reader_next_item(struct mp_reader *r)
{
	const unsigned char *p;
	struct mp_reader_item item = {.tag = 0};
	const char *why = NULL;

	if (r->layout->is_model && !r->offset && r->window.limit && (why = find_begin(r))) {
		mp_reader_damage(r, 0, r->window.limit, why);
		r->offset = r->window.limit;
	}
	while (r->offset < r->window.limit) {
		int64_t next;

		if (whole_record(r, r->offset, &p, &item)) {
			r->record = p + item.head;
			r->record_len = (size_t)item.len;
			r->tally.records++;
			r->tally.record_bytes += (int64_t)(item.head + item.len);
			r->offset += (int64_t)(item.head + item.len);
			return true;
		}
		why = pass(r);
		if (!why)
			continue;
		next = search(r, r->offset);
		mp_reader_damage(r, r->offset, next - r->offset, why);
		r->offset = next;
	}
	return mp_reader_end(r);
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

bool mp_reader_next_piece(struct mp_reader *r)
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
