/* test_reader_damage.c: cut, broken and shrinking files: the records saved, and the account of every byte. */
#include "reader_support.h"

static const char LAYOUT[] = "record r v1 verified\nfile \"f\"\ntable t\nsize 16\nmatch u16 @0 == 0x5a5a\n"
			     "field n u32 @4\npad 2 @2\nskip 8 @8\n";

static const char NOTHING_HERE[] = "no record begins here";
static const char CUT[] = "record cut short by the end of the file";

enum { SIZE = 16 };

static void put_record(unsigned char *p, uint32_t n)
{
	memset(p, 0, SIZE);
	put_le(p, 2, 0x5a5a);
	put_le(p + 4, 4, n);
}

/* Build bytes from a text: R is a record (numbered), x a byte of junk, Z the two match bytes. */
static size_t build(unsigned char *bytes, const char *plan)
{
	unsigned char *at = bytes;
	uint32_t n = 0;

	for (; *plan; plan++) {
		if (*plan == 'R') {
			put_record(at, n++);
			at += SIZE;
		} else if (*plan == 'Z') {
			put_le(at, 2, 0x5a5a);
			at += 2;
		} else {
			*at++ = 0xee;
		}
	}
	return (size_t)(at - bytes);
}

static void test_truncation_everywhere(void **state)
{
	enum { RECORDS = 5 };
	unsigned char bytes[RECORDS * SIZE];
	struct reading r;

	(void)state;
	build(bytes, "RRRRR");
	reading_open(&r, LAYOUT, bytes, 0);
	for (size_t size = 0; size <= sizeof(bytes); size++) {
		const struct mp_tally *t;
		int64_t whole = (int64_t)(size / SIZE), rest = (int64_t)(size % SIZE);

		reading_file(&r, bytes, size);
		assert_int_equal(read_all(&r), whole);
		t = mp_reader_tally(r.reader);
		assert_int_equal(t->size, size);
		assert_int_equal(t->damaged_bytes, rest);
		assert_int_equal(t->damage_count, rest != 0);
		if (rest)
			assert_damage(t, 0, whole * SIZE, rest, CUT);
	}
	reading_close(&r);
}

/* Break every byte of the file in turn: at most one record is lost, and none is invented. */
static void test_each_byte_broken(void **state)
{
	enum { RECORDS = 4 };
	unsigned char bytes[RECORDS * SIZE];
	struct reading r;

	(void)state;
	build(bytes, "RRRR");
	reading_open(&r, LAYOUT, bytes, 0);
	for (size_t i = 0; i < sizeof(bytes); i++) {
		bool is_match = i % SIZE < 2;

		bytes[i] ^= 0xff;
		reading_file(&r, bytes, sizeof(bytes));
		assert_int_equal(read_all(&r), is_match ? RECORDS - 1 : RECORDS);
		if (is_match)
			assert_damage(mp_reader_tally(r.reader), 0, (int64_t)(i / SIZE * SIZE), SIZE, NOTHING_HERE);
		bytes[i] ^= 0xff;
	}
	reading_close(&r);
}

/* Resume at the next byte with a whole matching record that is followed by a match or the end. */
static void test_resynchronisation(void **state)
{
	static const struct {
		const char *plan;
		int64_t records, offset, bytes; /* of the first damage */
		int places;
	} cases[] = {
	    {"xR", 1, 0, 1, 1}, {"xxxRR", 2, 0, 3, 1}, {"RxR", 2, 16, 1, 1},
	    {"RxRxR", 2, 16, 18, 1}, /* the middle record is followed by junk: not trusted after damage */
	    {"RxRRxR", 4, 16, 1, 2}, {"xZxRR", 2, 0, 4, 1}, /* a match in the junk, without a match behind it */
	    {"xZxxxxxxxxxxxxxxRR", 3, 0, 1,
		1}, /* a match in the junk and a match 16 bytes later: indistinguishable from a record */
	    {"Rx", 1, 16, 1, 1}, {"Rxxxxxxxxxxxxxxx", 1, 16, 15, 1}, {"Rxxxxxxxxxxxxxxxxx", 1, 16, 17, 1},
	    {"x", 0, 0, 1, 1}, {"xxxxxxxxxxxxxxxxxxxx", 0, 0, 20, 1}, {"xZ", 0, 0, 3, 1}, /* a whole record must fit */
	};
	struct reading r;

	(void)state;
	reading_open(&r, LAYOUT, "", 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		unsigned char bytes[16 * SIZE];
		const struct mp_tally *t;

		reading_file(&r, bytes, build(bytes, cases[i].plan));
		if (read_all(&r) != cases[i].records)
			fail_msg("%s: %lld records", cases[i].plan, (long long)mp_reader_tally(r.reader)->records);
		t = mp_reader_tally(r.reader);
		if (t->damage_count != cases[i].places || t->damage[0].offset != cases[i].offset ||
		    t->damage[0].bytes != cases[i].bytes)
			fail_msg("%s: %d places, first %lld+%lld", cases[i].plan, t->damage_count,
			    (long long)t->damage[0].offset, (long long)t->damage[0].bytes);
	}
	reading_close(&r);
}

/* A record cut by the end still confirms the record before it. */
static void test_damage_then_cut(void **state)
{
	unsigned char bytes[8 * SIZE];
	size_t size = build(bytes, "RxRR");
	struct reading r;

	(void)state;
	reading_open(&r, LAYOUT, bytes, size - 3);
	assert_int_equal(read_all(&r), 2);
	assert_damage(mp_reader_tally(r.reader), 0, SIZE, 1, NOTHING_HERE);
	assert_damage(mp_reader_tally(r.reader), 1, 2 * SIZE + 1, SIZE - 3, CUT);
	reading_close(&r);
}

/* Junk over several windows, then records again. */
static void test_junk_over_windows(void **state)
{
	enum { JUNK = 2 * 1024 * 1024 + 5 };
	unsigned char *bytes = malloc(JUNK + 3 * SIZE);
	struct reading r;

	(void)state;
	memset(bytes, 0xee, JUNK);
	for (uint32_t i = 0; i < 3; i++)
		put_record(bytes + JUNK + i * SIZE, i);
	reading_open(&r, LAYOUT, bytes, JUNK + 3 * SIZE);
	for (int64_t i = 0; i < 3; i++) {
		assert_true(mp_reader_next(r.reader));
		assert_int_value(&r, "n", i);
	}
	assert_int_equal(mp_reader_tally(r.reader)->damage_count, 1);
	assert_damage(mp_reader_tally(r.reader), 0, 0, JUNK, NOTHING_HERE);
	reading_close(&r);
	free(bytes);
}

/* Damage beyond the stored entries: the last entry sums up. */
static void test_damage_overflow(void **state)
{
	enum { PLACES = MP_DAMAGE_MAX + 500, STEP = 1 + 2 * SIZE };
	unsigned char *bytes = malloc((size_t)PLACES * STEP);
	const struct mp_tally *t;
	struct reading r;

	(void)state;
	for (size_t i = 0; i < PLACES; i++)
		build(bytes + i * STEP, "xRR");
	reading_open(&r, LAYOUT, bytes, (size_t)PLACES * STEP);
	assert_int_equal(read_all(&r), 2 * PLACES);
	t = mp_reader_tally(r.reader);
	assert_int_equal(t->damage_count, MP_DAMAGE_MAX);
	assert_int_equal(t->damaged_bytes, PLACES);
	assert_damage(t, 0, 0, 1, NOTHING_HERE);
	assert_damage(t, MP_DAMAGE_MAX - 2, (MP_DAMAGE_MAX - 2) * STEP, 1, NOTHING_HERE);
	assert_damage(t, MP_DAMAGE_MAX - 1, (MP_DAMAGE_MAX - 1) * STEP, PLACES - MP_DAMAGE_MAX + 1,
	    "this and further damage after it, summed up");
	reading_close(&r);
	free(bytes);
}

/* Random damage to random bytes: the sum always holds, and undamaged records keep their values. */
static void test_random_damage(void **state)
{
	enum { RECORDS = 64 };
	unsigned char bytes[RECORDS * SIZE] = {0};
	uint64_t seed = 42;
	struct reading r;

	(void)state;
	reading_open(&r, LAYOUT, bytes, 0);
	for (int round = 0; round < 500; round++) {
		size_t size = sizeof(bytes) - (size_t)(next_random(&seed) % 40);
		int64_t last = -1;

		for (uint32_t i = 0; i < RECORDS; i++)
			put_record(bytes + i * SIZE, i);
		for (uint64_t hits = next_random(&seed) % 12; hits; hits--)
			bytes[(next_random(&seed) % RECORDS) * SIZE + (next_random(&seed) & 1)] = (unsigned char)hits;
		reading_file(&r, bytes, size);
		while (mp_reader_next(r.reader)) {
			struct mp_value n = value_of(&r, "n");

			assert_true(n.i > last && n.i < RECORDS);
			last = n.i;
		}
		assert_accounted(mp_reader_tally(r.reader));
	}
	reading_close(&r);
}

/* Gigabytes of zeros are one place of damage, read in one buffer. */
static void test_sparse_file(void **state)
{
	static const char huge[] =
	    "record r v1 verified\nfile \"f\"\ntable t\nsize 4096\nfield n u64 @0\npad 4088 @8\n";
	const int64_t size = INT64_C(256) * 1024 * 1024 + 100;
	int64_t records = 0;
	struct mp_error err;
	struct reading r;

	(void)state;
	reading_open(&r, huge, "", 0);
	assert_int_equal(ftruncate(r.fd, size), 0);
	mp_reader_close(r.reader);
	assert_ok(mp_reader_open(&r.reader, r.fd, r.set.items[0], &r.clock, NULL, &err), &err);
	while (mp_reader_next(r.reader))
		records++;
	assert_int_equal(records, size / 4096);
	assert_accounted(mp_reader_tally(r.reader));
	assert_damage(mp_reader_tally(r.reader), 0, size - 100, 100, CUT);
	assert_int_equal(mp_reader_tally(r.reader)->odd_padding, 0);
	reading_close(&r);
	reading_open(&r, LAYOUT, "", 0);
	assert_int_equal(ftruncate(r.fd, size / 8), 0);
	mp_reader_close(r.reader);
	assert_ok(mp_reader_open(&r.reader, r.fd, r.set.items[0], &r.clock, NULL, &err), &err);
	assert_int_equal(read_all(&r), 0);
	assert_int_equal(mp_reader_tally(r.reader)->damage_count, 1);
	assert_damage(mp_reader_tally(r.reader), 0, 0, size / 8, NOTHING_HERE);
	reading_close(&r);
}

/* A file that shrinks while it is read loses its end; a file that grows is read at its first size. */
static void test_changing_file(void **state)
{
	enum { RECORDS = 3 * 1024 * 1024 / SIZE };
	unsigned char *bytes = calloc(RECORDS, SIZE);
	int64_t records = 0;
	struct reading r;

	(void)state;
	for (uint32_t i = 0; i < RECORDS; i++)
		put_record(bytes + (size_t)i * SIZE, i);
	reading_open(&r, LAYOUT, bytes, (size_t)RECORDS * SIZE);
	assert_true(mp_reader_next(r.reader));
	assert_int_equal(ftruncate(r.fd, 2 * 1024 * 1024), 0);
	for (records = 1; mp_reader_next(r.reader);)
		records++;
	assert_int_equal(records, 2 * 1024 * 1024 / SIZE);
	assert_accounted(mp_reader_tally(r.reader));
	assert_damage(mp_reader_tally(r.reader), 0, 2 * 1024 * 1024, 1024 * 1024, "the file shrank while it was read");
	assert_false(mp_reader_next(r.reader));
	assert_accounted(mp_reader_tally(r.reader));
	reading_file(&r, bytes, SIZE);
	assert_int_equal(pwrite(r.fd, bytes, SIZE, SIZE), SIZE);
	assert_int_equal(read_all(&r), 1);
	assert_int_equal(mp_reader_tally(r.reader)->size, SIZE);
	reading_close(&r);
	free(bytes);
}

/* Unreadable bytes are damage, not a failure. */
static void test_read_error(void **state)
{
	unsigned char bytes[2 * SIZE];
	struct reading r;
	struct mp_error err;
	char *dir = temp_dir();
	int fd;

	(void)state;
	build(bytes, "RR");
	write_file(dir, "f", bytes, sizeof(bytes));
	reading_open(&r, LAYOUT, "", 0);
	fd = open(below(dir, "f"), O_WRONLY | O_CLOEXEC);
	assert_true(fd >= 0 && dup2(fd, r.fd) == r.fd);
	close(fd);
	mp_reader_close(r.reader);
	assert_ok(mp_reader_open(&r.reader, r.fd, r.set.items[0], &r.clock, NULL, &err), &err);
	assert_int_equal(read_all(&r), 0);
	assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, sizeof(bytes));
	assert_non_null(strstr(mp_reader_tally(r.reader)->damage[0].reason, "read error: "));
	reading_close(&r);
	remove_dir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_truncation_everywhere),
	    cmocka_unit_test(test_each_byte_broken),
	    cmocka_unit_test(test_resynchronisation),
	    cmocka_unit_test(test_damage_then_cut),
	    cmocka_unit_test(test_junk_over_windows),
	    cmocka_unit_test(test_damage_overflow),
	    cmocka_unit_test(test_random_damage),
	    cmocka_unit_test(test_sparse_file),
	    cmocka_unit_test(test_changing_file),
	    cmocka_unit_test(test_read_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
