/*
 * fuzz_reader.c: any bytes as a raw file. The first byte selects the layout, the second the clock and the portions; the
 * rest is the file. Every byte must be accounted for, in the file and in its portions.
 */
#include "fuzz.h"

#include "base/text.h"
#include "raw/reader.h"

static void check_damage(const struct mp_tally *t)
{
	int64_t sum = 0, end = 0;

	CHECK(t->damage_count <= MP_DAMAGE_MAX);
	for (int i = 0; i < t->damage_count; i++) {
		CHECK(t->damage[i].bytes > 0 && t->damage[i].offset >= end && t->damage[i].reason[0]);
		end = t->damage[i].offset + t->damage[i].bytes;
		sum += t->damage[i].bytes;
	}
	CHECK(end <= t->size && sum == t->damaged_bytes);
}

static void check_value(const struct mp_layout *l, int column, struct mp_value v)
{
	if (v.type == MP_TEXT)
		CHECK(l->columns[column].is_text && v.len > 0 && mp_utf8_valid(v.text, v.len));
	else if (v.type == MP_INT || v.type == MP_BLOB)
		CHECK(!l->columns[column].is_text);
	else
		CHECK(v.type == MP_NULL);
}

/* Reading each value and reading all numbers at once must agree. */
static void check_values(const struct mp_layout *l, struct mp_reader *r)
{
	int64_t numbers[MP_COLUMN_MAX];
	signed char columns[MP_COLUMN_MAX];
	bool nulls[MP_COLUMN_MAX];

	for (int i = 0; i < l->column_count; i++)
		columns[i] = (signed char)i;
	mp_reader_count(r, false);
	mp_reader_numbers(r, columns, l->column_count, numbers, nulls);
	mp_reader_count(r, true);
	for (int i = 0; i < l->column_count; i++) {
		struct mp_value v = mp_reader_value(r, i);

		check_value(l, i, v);
		CHECK(nulls[i] == (v.type != MP_INT) && (nulls[i] || numbers[i] == v.i));
	}
}

enum { PORTIONS_MAX = 4 };

/* Divide the file at places that its bytes tell. */
static size_t divide(struct mp_reader *r, struct mp_portion portions[PORTIONS_MAX], const uint8_t *data, size_t size)
{
	size_t count = size < 8 ? 1 : 1 + data[1] / 64;
	int64_t at = 0;

	for (size_t i = 0; i < count; i++) {
		at += size < 8 ? 0 : data[2 + i] * (data[1] % 2 ? 1 : 13);
		portions[i] = (struct mp_portion){.end = at,
		    .start_ns = size < 8 ? 0 : (int64_t)data[3 + i] << data[4] % 56,
		    .identity = {(int64_t)i, 0, data[1] % 3, 1, 1, (int64_t)i, 0, "m"}};
	}
	mp_reader_divide(r, portions, count);
	return count;
}

/* A record begins where the one before ended, or with its portion. */
static void check_follow(
    const struct mp_layout *l, struct mp_reader *r, const struct mp_portion *portions, size_t count, int64_t *end)
{
	bool begins = false;
	int start = mp_layout_begin(l) ? (int)(mp_layout_begin(l) - l->columns) : -1;
	struct mp_value from, span;

	if (start < 0)
		return;
	from = mp_reader_value(r, start);
	span = mp_reader_value(r, start + 1);
	CHECK(from.type == span.type);
	if (from.type != MP_INT)
		return;
	for (size_t i = 0; i < count; i++)
		begins = begins || from.i == portions[i].start_ns;
	CHECK(begins || from.i == *end);
	CHECK(from.i >= 0 && span.i >= 0 && from.i <= INT64_MAX - span.i);
	*end = from.i + span.i;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mp_layouts *set = embedded_layouts();
	const struct mp_layout *l;
	struct mp_clock clock = {.core_mhz = 0};
	struct mp_error err;
	struct mp_reader *r;
	const struct mp_tally *t;
	struct mp_portion portions[PORTIONS_MAX], all = {.end = 0};
	int64_t records = 0, end = 0;
	size_t count;
	int fd;

	if (size < 2)
		return -1;
	l = set->items[data[0] % set->count];
	if (data[1])
		clock = (struct mp_clock){.core_mhz = 1 + data[1] * 7, .counter_mhz = 1 + data[1] % 4};
	if (data[1] % 2)
		clock.host = clock.counter =
		    (struct mp_rate){data[1] % 4 == 1 ? 50000000 : 38400000, data[1] * UINT64_C(1000), data[1]};
	fd = memory_file(data + 2, size - 2);
	CHECK(mp_reader_open(&r, fd, l, &clock, NULL, &err) == 0);
	count = divide(r, portions, data, size);
	for (; mp_reader_next(r); records++) {
		check_values(l, r);
		check_follow(l, r, portions, count, &end);
	}
	t = mp_reader_tally(r);
	CHECK(t->size == (int64_t)size - 2 && t->records == records);
	CHECK(t->record_bytes >= 0 && t->blank_bytes >= 0 && t->damaged_bytes >= 0 && t->peer_bytes >= 0);
	CHECK(t->size == t->record_bytes + t->blank_bytes + t->damaged_bytes + t->peer_bytes);
	for (size_t i = 0; i < count; i++) {
		CHECK(portions[i].records >= 0 && portions[i].damaged_bytes >= 0);
		all.records += portions[i].records;
		all.record_bytes += portions[i].record_bytes;
		all.blank_bytes += portions[i].blank_bytes;
		all.damaged_bytes += portions[i].damaged_bytes;
	}
	CHECK(all.records == records && all.record_bytes == t->record_bytes && all.blank_bytes == t->blank_bytes);
	CHECK(all.damaged_bytes == t->damaged_bytes && t->disagree <= records);
	check_damage(t);
	CHECK(!mp_reader_next(r));
	mp_reader_close(r);
	close(fd);
	return 0;
}
