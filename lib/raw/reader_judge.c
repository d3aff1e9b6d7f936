/* reader_judge.c: what is odd in the values of a record, without decoding those that cannot be. */
#include "raw/reader_internal.h"

void mp_reader_judge(struct mp_reader *reader)
{
	bool uncounted = reader->uncounted;

	reader->uncounted = false;
	for (int i = 0; i < reader->doubt_count; i++) {
		const struct mp_plan *plan = mp_plan_of(reader, reader->doubts[i]);
		uint64_t count;

		if (!mp_plan_count(reader->record, reader->layout->big_endian, plan, &count))
			mp_reader_value(reader, reader->doubts[i]);
	}
	reader->uncounted = uncounted;
}
