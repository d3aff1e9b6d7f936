/*
 * sync.c: finds the records of a file in which bytes are damaged: bytes that are more or fewer than a record shift the
 * records behind them. Records are known by marks, bytes that most of them have.
 */
#include <stdlib.h>
#include <string.h>

#include "learn/search.h"

enum { FIRST = 6 };

/* Bytes of a record that are not 0 and the same in most records. */
struct marks {
	size_t record, count;
	unsigned offsets[MP_SYNC_MAX];
	unsigned char values[MP_SYNC_MAX];
};

/* How many of the first units of each file have the most frequent value at an offset, which is stored. */
static size_t most_frequent(const struct mp_units *units, size_t at, size_t first, unsigned char *value, size_t *all)
{
	size_t counts[256] = {0}, most = 0, of_file = 0;

	*all = 0;
	for (size_t i = 0; i < units->count; i++) {
		of_file = i && units->items[i].part == units->items[i - 1].part ? of_file + 1 : 0;
		if (of_file >= first)
			continue;
		counts[units->items[i].own[at]]++;
		(*all)++;
	}
	for (unsigned v = 0; v < 256; v++)
		if (counts[v] > most) {
			most = counts[v];
			*value = (unsigned char)v;
		}
	return most;
}

/* Find the bytes that most of the first units of each file have. */
static void find_marks(struct marks *m, const struct mp_units *units, size_t first)
{
	unsigned char last = 0;

	m->record = units->record;
	m->count = 0;
	for (size_t at = 0; at < units->record && m->count < MP_SYNC_MAX; at++) {
		unsigned char value = 0;
		size_t all, most = most_frequent(units, at, first, &value, &all);

		/* a run of one byte is padding, and the same some bytes later */
		if (most * 10 < all * 6 || !value || (at && value == last)) {
			last = most * 10 < all * 6 ? 0 : value;
			continue;
		}
		last = value;
		m->offsets[m->count] = (unsigned)at;
		m->values[m->count++] = value;
	}
}

static size_t marks_at(const struct marks *m, const unsigned char *own)
{
	size_t count = 0;

	for (size_t i = 0; i < m->count; i++)
		count += own[m->offsets[i]] == m->values[i];
	return count;
}

/* Returns whether a record may begin here: one of another kind has fewer marks. The end of the file will do. */
static bool may_begin(const struct marks *m, const unsigned char *bytes, size_t size, size_t at)
{
	return at + m->record > size || 2 * marks_at(m, bytes + at) >= m->count;
}

/* No record begins at `at`: where records go on behind it; or `at` when records are not shifted within three records.
 */
static size_t resume(const struct marks *m, const unsigned char *bytes, size_t size, size_t at)
{
	for (size_t part = 4; part >= 3; part--)
		for (size_t to = at + 1; to < at + 3 * m->record && to + m->record <= size; to++)
			if (4 * marks_at(m, bytes + to) >= part * m->count && may_begin(m, bytes, size, to + m->record))
				return (to - at) % m->record ? to : at;
	return at;
}

/* The records of a file behind the header. Sets *shifted when some are not at multiples of a record. */
static void walk(
    struct mp_units *units, const struct marks *m, const struct mp_raw *raw, uint32_t part, size_t phase, bool *shifted)
{
	const unsigned char *bytes = raw->bytes + raw->parts[part].begin;
	size_t size = raw->parts[part].size;

	for (size_t at = phase; at + m->record <= size; at += m->record) {
		if (!may_begin(m, bytes, size, at) && !may_begin(m, bytes, size, at + m->record)) {
			size_t to = resume(m, bytes, size, at);

			*shifted |= to != at;
			at = to;
		}
		units->items[units->count++] = (struct mp_unit_of_row){.own = bytes + at, .part = part};
	}
}

/* Keep the marks that records of all kinds have. */
static void keep_common(struct mp_units *units, const struct marks *m)
{
	units->sync_count = 0;
	for (size_t k = 0; k < m->count; k++) {
		size_t count = 0;

		for (size_t i = 0; i < units->count; i++)
			count += units->items[i].own[m->offsets[k]] == m->values[k];
		if (count * 10 < units->count * 8)
			continue;
		units->sync_offsets[units->sync_count] = m->offsets[k];
		units->sync_values[units->sync_count++] = m->values[k];
	}
}

void mp_units_sync(struct mp_units *units, const struct mp_shape *shape)
{
	const struct mp_raw *raw = units->raw;
	bool shifted = false;
	struct marks m;

	/* before the first damage, records are at their places */
	for (int round = 0; round < 2; round++) {
		find_marks(&m, units, round ? SIZE_MAX : FIRST);
		if (m.count < 2)
			return;
		shifted = false;
		units->count = 0;
		for (size_t i = 0; i < raw->part_count; i++)
			walk(units, &m, raw, (uint32_t)i, shape->phase, &shifted);
	}
	if (shifted)
		keep_common(units, &m);
}
