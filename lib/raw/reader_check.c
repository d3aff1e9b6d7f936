/* reader_check.c: counts unusual values of a record, and decodes only columns that can have them. */
#include "raw/reader_internal.h"

/* A number with its highest bit set is too large to be stored unchanged. */
static void count_wide(struct mp_reader *r)
{
	for (int i = 0; i < r->wide_count; i++)
		r->tally.out_of_range +=
		    mp_bits_load(r->record, r->layout->big_endian, &r->wide[i]) > (uint64_t)INT64_MAX;
}

void mp_reader_check(struct mp_reader *reader)
{
	const unsigned char *record = reader->record;
	bool uncounted = reader->uncounted, big_endian = reader->layout->big_endian;
	uint64_t all = 0, from, to;

	for (int i = 0; i < reader->wide_count; i++)
		all |= mp_bits_load(record, big_endian, &reader->wide[i]);
	if (all > (uint64_t)INT64_MAX)
		count_wide(reader);
	reader->uncounted = false;
	for (int i = 0; i < reader->doubt_count; i++)
		if (!mp_plan_count(record, big_endian, mp_plan_of(reader, reader->doubts[i]), &from, &to))
			mp_reader_value(reader, reader->doubts[i]);
	reader->uncounted = uncounted;
}
