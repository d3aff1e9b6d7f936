/* test_learn_records.c: where records begin in files that end within one, and behind damage. */
#include "support.h"

#include "learn/search.h"

enum { RECORD = 40, RECORDS = 30, HEADER = 109, ROOM = HEADER + RECORDS * RECORD };

/* A file in memory, as the search for layouts has it. */
struct file {
	unsigned char bytes[ROOM + RECORD];
	struct mp_raw_part part;
	struct mp_raw raw;
};

/* A record of a mark and numbers, which do not use all of their bytes. */
static void put_record(unsigned char *p, uint64_t *seed)
{
	for (int i = 0; i < RECORD; i++)
		p[i] = i % 4 < 2 ? (unsigned char)next_random(seed) : 0;
	p[0] = 0xa5;
	p[1] = 0x3c;
}

/* `shift` bytes are between the records of both halves. */
static void make_file(struct file *f, size_t header, size_t shift, size_t tail)
{
	uint64_t seed = 21;
	size_t at = header;

	memset(f, 0, sizeof(*f));
	for (size_t i = 0; i < header; i++)
		f->bytes[i] = (unsigned char)next_random(&seed);
	for (int i = 0; i < RECORDS; i++) {
		put_record(f->bytes + at, &seed);
		at += RECORD;
		if (i != RECORDS / 2)
			continue;
		for (size_t k = 0; k < shift; k++)
			f->bytes[at++] = (unsigned char)(next_random(&seed) | 0x80);
	}
	f->part = (struct mp_raw_part){.size = at + tail};
	f->raw = (struct mp_raw){.bytes = f->bytes, .size = f->part.size, .parts = &f->part, .part_count = 1};
}

static size_t first_phase(struct file *f)
{
	struct mp_phases phases;

	mp_find_phases(&phases, &f->raw, RECORD, RECORDS * 3 / 4);
	assert_true(phases.count > 0);
	return phases.items[0];
}

static void begin_of_records(void **state)
{
	struct file f;

	(void)state;
	make_file(&f, HEADER, 0, 0);
	assert_int_equal(first_phase(&f), HEADER);
	make_file(&f, 0, 0, 0);
	assert_int_equal(first_phase(&f), 0);
	/* the size of a file that was cut does not tell */
	for (size_t tail = 5; tail < RECORD; tail += 6) {
		make_file(&f, HEADER, 0, tail);
		assert_int_equal(first_phase(&f), HEADER);
		make_file(&f, 0, 0, tail);
		assert_int_equal(first_phase(&f), 0);
	}
}

/* Records that begin with noise behind a header of as much noise: only the size of the file tells it. */
static void header_of_noise(void **state)
{
	enum { NOISE = 16 };
	struct file f;
	uint64_t seed = 5;

	(void)state;
	for (int round = 0; round < 20; round++) {
		make_file(&f, NOISE, 0, 0);
		for (size_t at = 0; at < f.part.size; at++)
			if (at < NOISE || (at - NOISE) % RECORD < NOISE || (at - NOISE) % RECORD >= RECORD - NOISE)
				f.bytes[at] = (unsigned char)next_random(&seed);
		assert_int_equal(first_phase(&f), NOISE);
	}
}

static void no_begin_of_few_bytes(void **state)
{
	struct file f;
	struct mp_phases phases;

	(void)state;
	make_file(&f, 0, 0, 0);
	f.part.size = RECORD + 1;
	mp_find_phases(&phases, &f.raw, RECORD, 2);
	assert_int_equal(phases.count, 0);
	f.part.size = 0;
	mp_find_phases(&phases, &f.raw, RECORD, 2);
	assert_int_equal(phases.count, 0);
}

static void records_behind_damage(void **state)
{
	const struct mp_shape shape = {.record = RECORD, .phase = HEADER};
	struct mp_error err = {.text = ""};

	(void)state;
	for (size_t shift = 0; shift < RECORD; shift += 13) {
		struct file f;
		struct mp_units units;

		make_file(&f, HEADER, shift, 0);
		assert_int_equal(mp_units_all(&units, &f.raw, &shape, &err), 0);
		assert_int_equal(units.count, RECORDS);
		for (size_t i = 0; i < units.count; i++)
			assert_int_equal(units.items[i].own[0] << 8 | units.items[i].own[1], 0xa53c);
		/* the layout needs the mark only where records are shifted */
		assert_int_equal(units.sync_count, shift ? 2 : 0);
		mp_units_free(&units);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(begin_of_records),
	    cmocka_unit_test(header_of_noise),
	    cmocka_unit_test(no_begin_of_few_bytes),
	    cmocka_unit_test(records_behind_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
