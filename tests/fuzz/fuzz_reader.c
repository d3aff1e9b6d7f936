/*
 * fuzz_reader.c: any bytes as a raw file. The first byte chooses the layout, the
 * second the clock; the rest is the file. Every byte must be accounted for.
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
	else if (v.type == MP_INT)
		CHECK(!l->columns[column].is_text);
	else
		CHECK(v.type == MP_NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct mp_layouts *set = embedded_layouts();
	const struct mp_layout *l;
	struct mp_clock clock = {0, 0};
	struct mp_error err;
	struct mp_reader *r;
	const struct mp_tally *t;
	int64_t records = 0;
	int fd;

	if (size < 2)
		return -1;
	l = set->items[data[0] % set->count];
	if (data[1])
		clock = (struct mp_clock){1 + data[1] * 7, 1 + data[1] % 4};
	fd = memory_file(data + 2, size - 2);
	CHECK(mp_reader_open(&r, fd, l, &clock, NULL, &err) == 0);
	for (; mp_reader_next(r); records++)
		for (int i = 0; i < l->column_count; i++)
			check_value(l, i, mp_reader_value(r, i));
	t = mp_reader_tally(r);
	CHECK(t->size == (int64_t)size - 2 && t->records == records);
	CHECK(t->record_bytes >= 0 && t->blank_bytes >= 0 && t->damaged_bytes >= 0);
	CHECK(t->size == t->record_bytes + t->blank_bytes + t->damaged_bytes);
	check_damage(t);
	CHECK(!mp_reader_next(r));
	mp_reader_close(r);
	close(fd);
	return 0;
}
