/* test_guess.c: the likely size of records and header. */
#include "support.h"

#include "raw/guess.h"

/* Records with a magic number, a count, a clock and noise, behind a header. */
static void check(size_t record, size_t header, size_t count)
{
	size_t size = header + record * count;
	unsigned char *bytes = malloc(size);
	uint64_t seed = record * 7919 + header, clock = 0;
	struct mp_guess guess;

	assert_non_null(bytes);
	for (size_t i = 0; i < size; i++)
		bytes[i] = i < header ? (unsigned char)next_random(&seed) : 0;
	for (size_t i = 0; i < count; i++) {
		unsigned char *at = bytes + header + i * record;
		uint64_t values[2] = {clock, clock + next_random(&seed) % 5000};

		clock += 10000 + next_random(&seed) % 1000;
		at[0] = 0xa5;
		at[1] = 0x5a;
		at[2] = (unsigned char)(i % 7);
		memcpy(at + 4, values, record - 4 < 16 ? record - 4 : 16);
		for (size_t k = 20; k + 8 <= record; k += 8)
			at[k] = (unsigned char)next_random(&seed);
	}
	guess = mp_guess(bytes, size, (int64_t)size);
	assert_int_equal(guess.record, record);
	assert_int_equal(guess.header, header % record);
	free(bytes);
}

static void test_records(void **state)
{
	static const size_t records[] = {20, 24, 32, 40, 48, 64, 100, 128, 136, 256};

	(void)state;
	for (size_t i = 0; i < COUNT(records); i++)
		for (size_t header = 0; header <= 16; header += 8)
			check(records[i], header, 400);
	check(64, 16, 20);
}

static void test_nothing(void **state)
{
	static unsigned char bytes[MP_GUESS_SIZE];
	uint64_t seed = 3;

	(void)state;
	assert_int_equal(mp_guess(bytes, sizeof(bytes), sizeof(bytes)).record, 0);
	assert_int_equal(mp_guess(bytes, 0, 0).record, 0);
	assert_int_equal(mp_guess(bytes, 11, 11).record, 0);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)next_random(&seed);
	assert_int_equal(mp_guess(bytes, sizeof(bytes), sizeof(bytes)).record, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_records), cmocka_unit_test(test_nothing)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
