/* reader_support.h: one layout, one file, and a reader between them. */
#ifndef MP_TESTS_READER_SUPPORT_H
#define MP_TESTS_READER_SUPPORT_H

#include "support.h"

#include "raw/reader.h"

/* Everything that a reading needs; free with reading_close. */
struct reading {
	struct mp_layouts set;
	struct mp_clock clock;
	struct mp_sequence sequence;
	struct mp_reader *reader;
	int fd;
};

/* Start again with another file; layout, clock and sequence stay. */
static inline void reading_file(struct reading *r, const void *bytes, size_t size)
{
	struct mp_error err;

	mp_reader_close(r->reader);
	if (r->fd >= 0)
		close(r->fd);
	r->fd = unnamed_file(bytes, size);
	assert_ok(mp_reader_open(&r->reader, r->fd, r->set.items[0], &r->clock, &r->sequence, &err), &err);
}

static inline void reading_open(struct reading *r, const char *layout, const void *bytes, size_t size)
{
	struct mp_error err;

	memset(r, 0, sizeof(*r));
	r->fd = -1;
	r->clock = (struct mp_clock){.core_mhz = 700, .counter_mhz = 100};
	assert_ok(mp_layouts_parse(&r->set, "t.rec", layout, &err), &err);
	reading_file(r, bytes, size);
}

static inline void reading_close(struct reading *r)
{
	mp_reader_close(r->reader);
	mp_layouts_free(&r->set);
	close(r->fd);
}

static inline struct mp_value value_of(struct reading *r, const char *column)
{
	int index = mp_layout_column(r->set.items[0], column);

	assert_true(index >= 0);
	return mp_reader_value(r->reader, index);
}

static inline void assert_int_value(struct reading *r, const char *column, int64_t expected)
{
	struct mp_value v = value_of(r, column);

	assert_int_equal(v.type, MP_INT);
	assert_int_equal(v.i, expected);
}

static inline void assert_text_value(struct reading *r, const char *column, const char *expected)
{
	struct mp_value v = value_of(r, column);

	assert_int_equal(v.type, MP_TEXT);
	assert_int_equal(v.len, strlen(expected));
	assert_memory_equal(v.text, expected, v.len);
}

static inline void assert_null_value(struct reading *r, const char *column)
{
	assert_int_equal(value_of(r, column).type, MP_NULL);
}

/* Every byte belongs to a record, is blank, or belongs to one place of damage. */
static inline void assert_accounted(const struct mp_tally *t)
{
	int64_t sum = 0, end = 0;

	assert_int_equal(t->size, t->record_bytes + t->blank_bytes + t->damaged_bytes);
	for (int i = 0; i < t->damage_count; i++) {
		assert_true(t->damage[i].bytes > 0 && t->damage[i].offset >= end);
		end = t->damage[i].offset + t->damage[i].bytes;
		sum += t->damage[i].bytes;
	}
	assert_true(end <= t->size);
	assert_int_equal(sum, t->damaged_bytes);
}

/* Read to the end. Returns the number of records. */
static inline int64_t read_all(struct reading *r)
{
	int64_t count = 0;

	while (mp_reader_next(r->reader))
		count++;
	assert_int_equal(count, mp_reader_tally(r->reader)->records);
	assert_accounted(mp_reader_tally(r->reader));
	assert_false(mp_reader_next(r->reader));
	return count;
}

static inline void assert_damage(const struct mp_tally *t, int i, int64_t offset, int64_t bytes, const char *reason)
{
	assert_true(i < t->damage_count);
	assert_int_equal(t->damage[i].offset, offset);
	assert_int_equal(t->damage[i].bytes, bytes);
	assert_string_equal(t->damage[i].reason, reason);
}

#endif
