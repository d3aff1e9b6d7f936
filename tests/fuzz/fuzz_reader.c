/*
 * fuzz_reader.c: any bytes as a raw file. The first byte selects the layout, the second the clock; the rest is the
 * file. Every byte must be accounted for.
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mp_layouts *set = embedded_layouts();
	const struct mp_layout *l;
	struct mp_clock clock = {.core_mhz = 0};
	struct mp_error err;
	struct mp_reader *r;
	const struct mp_tally *t;
	int64_t records = 0;
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
	for (; mp_reader_next(r); records++)
		check_values(l, r);
	t = mp_reader_tally(r);
	CHECK(t->size == (int64_t)size - 2 && t->records == records);
	CHECK(t->record_bytes >= 0 && t->blank_bytes >= 0 && t->damaged_bytes >= 0 && t->peer_bytes >= 0);
	CHECK(t->size == t->record_bytes + t->blank_bytes + t->damaged_bytes + t->peer_bytes);
	check_damage(t);
	CHECK(!mp_reader_next(r));
	mp_reader_close(r);
	close(fd);
	return 0;
}
