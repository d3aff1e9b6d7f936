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

/* Guess the start of tasks: a duration of 32 bits, a clock, and another one where `clocks` is 2. */
static void guess_start(struct mp_times *times, int clocks)
{
	struct file f = {.part = {.size = RECORDS * RECORD}};
	struct mp_solution s = {.times = {.single = true, .end = {0, MP_TYPE_U32}, .unit = MP_UNIT_NS}};
	const struct mp_shape shape = {.record = RECORD};
	struct mp_views views = {.count = 1};
	uint32_t rows[RECORDS];
	struct mp_error err = {.text = ""};
	uint64_t seed = 5, now = UINT64_C(7) << 32;
	struct mp_units units;

	f.raw = (struct mp_raw){.bytes = f.bytes, .size = f.part.size, .parts = &f.part, .part_count = 1};
	for (uint32_t i = 0; i < RECORDS; i++) {
		uint32_t took = 1000 + (uint32_t)(next_random(&seed) % 9000);
		uint64_t other = now * 3 / 2;

		memcpy(f.bytes + i * RECORD, &took, sizeof(took));
		memcpy(f.bytes + i * RECORD + 8, &now, sizeof(now));
		if (clocks == 2)
			memcpy(f.bytes + i * RECORD + 24, &other, sizeof(other));
		now += took + 10;
		rows[i] = i;
	}
	views.items[0].units = rows;
	views.items[0].count = RECORDS;
	assert_int_equal(mp_units_all(&units, &f.raw, &shape, &err), 0);
	assert_int_equal(mp_guess_start(&s, &views, &units, &err), 0);
	mp_units_free(&units);
	*times = s.times;
}

static void clocks_that_may_be_the_start(void **state)
{
	struct mp_times times;

	(void)state;
	guess_start(&times, 1);
	assert_true(times.has_start && times.start_guessed && !times.start_unsure);
	assert_int_equal(times.start.offset, 8);
	guess_start(&times, 2);
	assert_true(times.has_start && times.start_guessed && times.start_unsure);
	assert_int_equal(times.rival.offset, 24);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(begin_of_records),
	    cmocka_unit_test(header_of_noise),
	    cmocka_unit_test(no_begin_of_few_bytes),
	    cmocka_unit_test(records_behind_damage),
	    cmocka_unit_test(clocks_that_may_be_the_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
