/* test_reader_slices.c: records and lines across two slices, cut at every place; names that may be hashes. */
#include "reader_support.h"

static const char RECORD[] = "record r v1 verified\nfile \"f\"\ntable t\nsize 24\nmatch u16 @0 == 0x5a5a\n"
			     "field n u8 @2\npad 1 @3\nfield name mixed[20] @4\n";
static const char BARE[] = "record r v1 verified\nfile \"f\"\ntable t\nsize 4\nfield n u32 @0\n";
static const char LINES[] = "text x v1 verified\nfile \"f\"\ntable t\nline \"{hash}:{name}\"\n";

static void put_record(unsigned char *p, unsigned n, const char *name, uint64_t hash)
{
	memset(p, 0, 24);
	put_le(p, 2, 0x5a5a);
	p[2] = (unsigned char)n;
	p[4] = name != NULL;
	if (name)
		memcpy(p + 12, name, strnlen(name, 12));
	else
		put_le(p + 12, 8, hash);
}

static void test_mixed(void **state)
{
	unsigned char bytes[4 * 24];
	struct reading r;

	(void)state;
	put_record(bytes, 1, "conv", 0);
	put_record(bytes + 24, 2, "twelve-bytes", 0);
	put_record(bytes + 48, 3, NULL, UINT64_MAX);
	put_record(bytes + 72, 4, "", 0);
	reading_open(&r, RECORD, bytes, sizeof(bytes));
	assert_true(mp_reader_next(r.reader));
	assert_text_value(&r, "name", "conv");
	assert_true(mp_reader_next(r.reader));
	assert_text_value(&r, "name", "twelve-bytes");
	assert_true(mp_reader_next(r.reader));
	assert_text_value(&r, "name", "18446744073709551615");
	assert_true(mp_reader_next(r.reader));
	assert_null_value(&r, "name");
	reading_close(&r);
}

/* Texts that had to be changed stay separate, and stay until the next record. */
static void test_texts_of_one_record(void **state)
{
	static const char layout[] =
	    "record r v1 verified\nfile \"f\"\ntable t\nsize 42\nfield a mixed[16] @0\nfield b mixed[16] @16\n"
	    "field c char[5] @32\nfield d char[5] @37\n";
	unsigned char bytes[42] = {0};
	struct mp_value values[4];
	struct reading r;

	(void)state;
	put_le(bytes + 8, 8, 123);
	put_le(bytes + 24, 8, 456);
	memcpy(bytes + 32, "x\xff", 2);
	memcpy(bytes + 37, "y\xfe", 2);
	reading_open(&r, layout, bytes, sizeof(bytes));
	assert_true(mp_reader_next(r.reader));
	for (int i = 0; i < 4; i++)
		values[i] = mp_reader_value(r.reader, i);
	assert_memory_equal(values[0].text, "123", 3);
	assert_memory_equal(values[1].text, "456", 3);
	assert_memory_equal(values[2].text, "x\\xff", 5);
	assert_memory_equal(values[3].text, "y\\xfe", 5);
	reading_close(&r);
}

/* Read the slices [0, cut) and [cut, size). Returns the number of records of both. */
static int64_t read_in_two(const char *layout, const unsigned char *bytes, size_t size, size_t cut, int64_t *damaged)
{
	struct mp_joint joint = {.next = bytes + cut, .next_size = size - cut};
	const struct mp_tally *t;
	struct reading r;
	int64_t records = 0;

	reading_open(&r, layout, bytes, cut);
	mp_reader_join(r.reader, &joint);
	while (mp_reader_next(r.reader))
		records++;
	t = mp_reader_tally(r.reader);
	assert_accounted(t);
	*damaged = t->damaged_bytes;
	joint = (struct mp_joint){.head = joint.next_head};
	reading_file(&r, bytes + cut, size - cut);
	mp_reader_join(r.reader, &joint);
	while (mp_reader_next(r.reader))
		records++;
	t = mp_reader_tally(r.reader);
	assert_accounted(t);
	*damaged += t->damaged_bytes;
	reading_close(&r);
	return records;
}

static void test_cut_at_every_byte(void **state)
{
	static const char lines[] = "12:conv\n345:relu:6\n9:x\n";
	unsigned char bytes[5 * 24];
	int64_t damaged;

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		put_record(bytes + (size_t)i * 24, i, i % 2 ? "odd" : NULL, i);
	for (size_t cut = 0; cut <= sizeof(bytes); cut++) {
		assert_int_equal(read_in_two(RECORD, bytes, sizeof(bytes), cut, &damaged), 5);
		assert_int_equal(damaged, 0);
		assert_int_equal(read_in_two(BARE, bytes, sizeof(bytes), cut, &damaged), 30);
	}
	for (size_t cut = 0; cut < sizeof(lines); cut++) {
		assert_int_equal(read_in_two(LINES, (const unsigned char *)lines, sizeof(lines) - 1, cut, &damaged), 3);
		assert_int_equal(damaged, 0);
	}
}

/* The next slice does not continue this record: both halves are damage, and the rest is read. */
static void test_not_joined(void **state)
{
	unsigned char bytes[4 * 24];
	int64_t damaged;

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		put_record(bytes + (size_t)i * 24, i, "n", 0);
	memmove(bytes + 30, bytes + 48, 48); /* 6 bytes of the second record, then the third */
	assert_int_equal(read_in_two(RECORD, bytes, 30 + 48, 30, &damaged), 3);
	assert_int_equal(damaged, 6);
	assert_int_equal(read_in_two(RECORD, bytes, 24 + 6, 30, &damaged), 1);
	assert_int_equal(damaged, 6);
}

static void test_lost_head(void **state)
{
	struct mp_joint joint = {.head = 10, .head_lost = true};
	unsigned char bytes[10 + 24] = {0};
	struct reading r;

	(void)state;
	put_record(bytes + 10, 7, "n", 0);
	reading_open(&r, RECORD, bytes, sizeof(bytes));
	mp_reader_join(r.reader, &joint);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "n", 7);
	assert_false(mp_reader_next(r.reader));
	assert_accounted(mp_reader_tally(r.reader));
	assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, 10);
	/* a head larger than the slice is the whole slice */
	joint.head = 1000;
	reading_file(&r, bytes, sizeof(bytes));
	mp_reader_join(r.reader, &joint);
	assert_false(mp_reader_next(r.reader));
	assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, sizeof(bytes));
	reading_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_mixed),
	    cmocka_unit_test(test_texts_of_one_record),
	    cmocka_unit_test(test_cut_at_every_byte),
	    cmocka_unit_test(test_not_joined),
	    cmocka_unit_test(test_lost_head),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
