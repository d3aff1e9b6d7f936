/* test_reader_items.c: items of tag, length and value: forms, nesting, lying lengths, and the account of every byte. */
#include "items_support.h"

static const char CUT[] = "an item cut short by the end of the file";
static const char NO_ITEM[] = "no item begins here";
static const char TOO_LONG[] = "an item longer than the rest of the file";
static const char UNFILLED[] = "an item that its items do not fill";
static const char OVER_64K[] = "longer than 64 KiB";

static struct bytes file, inner;

/* Begin a file; other items than records lie between records. */
static void begin(void)
{
	file.used = inner.used = 0;
}

/* Each form of numbers, bytes and records; items without a column are passed over. */
static void test_forms(void **state)
{
	static const unsigned numbers[] = {U8, U16, U32}, bytes[] = {U8_BYTES, U16_BYTES, U32_BYTES};
	static const int64_t values[] = {0xab, 0xabcd, 0xabcdef01};
	struct reading r;

	(void)state;
	reading_open(&r, ITEM_LAYOUT, "", 0);
	for (size_t i = 0; i < 3; i++)
		for (size_t k = 0; k < 3; k++) {
			begin();
			add_number(&file, U32 | 0x1fff, 7);
			add_text(&file, bytes[k] | 0x040, "other");
			add_number(&inner, U8 | 0x001, 9);
			add_number(&inner, numbers[i] | 0x112, (uint64_t)values[i]);
			add_text(&inner, bytes[k] | 0x114, "conv1");
			add_bytes(&file, bytes[(i + k) % 3] | 0x111, inner.at, inner.used);
			reading_file(&r, file.at, file.used);
			assert_true(mp_reader_next(r.reader));
			assert_int_value(&r, "id", values[i]);
			assert_text_value(&r, "name", "conv1");
			assert_null_value(&r, "task");
			assert_false(mp_reader_next(r.reader));
			assert_int_equal(mp_reader_tally(r.reader)->blank_bytes, 6 + 2 + (1 << k) + 5);
			assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, 0);
			assert_accounted(mp_reader_tally(r.reader));
		}
	reading_close(&r);
}

/* A record begins with fields; its items have one form, and an empty text among them is a text. */
static void test_fields(void **state)
{
	static const char layout[] = "items r v1 verified\nfile \"f\"\ntable t\ntag u16 u32[]\neach 1\nsize 3\n"
				     "field id u16 @0\nskip 1 @2\nitem name text 2\nitem other text 3\n";
	static const unsigned char bytes[] = {1, 0, 15, 0, 0, 0, 7, 1, 99, 2, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0,
	    0,                                                 /* an empty text */
	    1, 0, 10, 0, 0, 0, 8, 0, 0, 2, 0, 1, 0, 0, 0, 'x', /* a text */
	    1, 0, 2, 0, 0, 0, 9, 9};                           /* too short for its fields */
	struct reading r;

	(void)state;
	reading_open(&r, layout, "", 0);
	reading_file(&r, bytes, sizeof(bytes));
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "id", 0x107);
	assert_text_value(&r, "name", "");
	assert_null_value(&r, "other");
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "id", 8);
	assert_text_value(&r, "name", "x");
	assert_false(mp_reader_next(r.reader));
	assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, 8);
	assert_accounted(mp_reader_tally(r.reader));
	reading_close(&r);
}

/* Texts end with NUL or not; an empty one, one of another form, or none is NULL; the first of a tag counts. */
static void test_values(void **state)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *name;
		int64_t bad_text;
	} cases[] = {{"abc", 3, "abc", 0}, {"abc\0", 4, "abc", 0}, {"abc\0def", 7, "abc", 0}, {"", 0, NULL, 0},
	    {"\0x", 2, NULL, 0}, {"a\xff", 2, "a\\xff", 1}, {"\xc3\xa9", 2, "\xc3\xa9", 0}};
	struct reading r;

	(void)state;
	reading_open(&r, ITEM_LAYOUT, "", 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		begin();
		add_bytes(&inner, U8_BYTES | 0x114, cases[i].bytes, cases[i].len);
		add_number(&inner, U8 | 0x157, 3);
		add_number(&inner, U8 | 0x157, 4);
		add_text(&inner, U8_BYTES | 0x112, "a text, where a number should be");
		add_bytes(&file, U8_BYTES | 0x111, inner.at, inner.used);
		reading_file(&r, file.at, file.used);
		assert_true(mp_reader_next(r.reader));
		assert_int_value(&r, "task", 3);
		assert_null_value(&r, "id");
		if (cases[i].name)
			assert_text_value(&r, "name", cases[i].name);
		else
			assert_null_value(&r, "name");
		assert_int_equal(mp_reader_tally(r.reader)->bad_text, cases[i].bad_text);
	}
	reading_close(&r);
}

/* A number of 64 bits that is too large is stored as the largest, and counted. */
static void test_large_numbers(void **state)
{
	static const unsigned char bytes[] = {
	    0xa1, 18, 0x62, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x63, 1, 0, 0, 0, 0, 0, 0, 0x7f};
	struct reading r;

	(void)state;
	reading_open(&r,
	    "items r v1 verified\nfile \"f\"\ntable t\ntag u8 form 5..7 u8 u16 u64 u32 u8[]\neach 1\n"
	    "item a number 2\nitem b number 3\n",
	    bytes, sizeof(bytes));
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "a", INT64_MAX);
	assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 1);
	assert_int_value(&r, "b", 0x7f00000000000001);
	assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 1);
	mp_reader_check(r.reader);
	assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 2);
	reading_close(&r);
}

/* Cut at every byte: records before the cut stay, and the rest is damage or blank. */
static void test_truncated_everywhere(void **state)
{
	size_t ends[4];
	struct reading r;

	(void)state;
	begin();
	add_record(&file, U8_BYTES, 1, "a");
	ends[0] = file.used;
	add_text(&file, U32_BYTES | 0x013, "not a record");
	ends[1] = file.used;
	add_record(&file, U32_BYTES, 2, "bb");
	ends[2] = file.used;
	add_record(&file, U16_BYTES, 3, "");
	ends[3] = file.used;
	reading_open(&r, ITEM_LAYOUT, "", 0);
	for (size_t size = 0; size <= file.used; size++) {
		int64_t whole = 0, records = 0;

		for (size_t i = 0; i < COUNT(ends) && ends[i] <= size; i++) {
			whole = (int64_t)ends[i];
			records += i != 1;
		}
		reading_file(&r, file.at, size);
		assert_int_equal(read_all(&r), records);
		assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, (int64_t)size - whole);
		assert_int_equal(mp_reader_tally(r.reader)->damage_count, (int64_t)size > whole);
		if ((int64_t)size > whole) {
			const char *why = mp_reader_tally(r.reader)->damage[0].reason;

			assert_true(strcmp(why, CUT) == 0 || strcmp(why, TOO_LONG) == 0);
		}
	}
	reading_close(&r);
}

/* Lengths that lie: what follows the damage is found again. */
static void test_lengths(void **state)
{
	static const struct {
		unsigned tag;
		uint64_t len;
		size_t have; /* bytes of the value */
		const char *why;
	} cases[] = {
	    {U32_BYTES | 0x111, UINT32_MAX, 0, TOO_LONG},
	    {U32_BYTES | 0x040, UINT32_MAX, 0, TOO_LONG},
	    {U16_BYTES | 0x111, 0xffff, 0, TOO_LONG},
	    {U8_BYTES | 0x111, 200, 0, TOO_LONG},
	    {U8_BYTES | 0x111, 1, 1, UNFILLED},
	    {U8_BYTES | 0x111, 3, 3, UNFILLED}, /* a tag that is no tag */
	    {U32_BYTES | 0x111, 65537, 65537, OVER_64K},
	    {U32_BYTES | 0x111, 100000, 100000, OVER_64K},
	    {U16 | 0x111, 0, 0, UNFILLED},
	    {0x0111, 0, 0, NO_ITEM},
	    {0xe111, 0, 0, NO_ITEM},
	};
	struct reading r;

	(void)state;
	reading_open(&r, ITEM_LAYOUT, "", 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t from, to;

		begin();
		add_record(&file, U8_BYTES, 1, "before");
		from = file.used;
		if ((cases[i].tag & 0xe000) >= U8_BYTES && (cases[i].tag & 0xe000) != 0xe000)
			add_head(&file, cases[i].tag, cases[i].len);
		else
			add_number(&file, cases[i].tag, 0);
		memset(file.at + file.used, 0, cases[i].have);
		file.used += cases[i].have;
		to = file.used;
		add_record(&file, U8_BYTES, 2, "behind");
		reading_file(&r, file.at, file.used);
		assert_true(mp_reader_next(r.reader));
		assert_int_value(&r, "id", 1);
		assert_true(mp_reader_next(r.reader));
		assert_int_value(&r, "id", 2);
		assert_text_value(&r, "name", "behind");
		assert_false(mp_reader_next(r.reader));
		assert_accounted(mp_reader_tally(r.reader));
		assert_int_equal(mp_reader_tally(r.reader)->damage_count, 1);
		assert_damage(mp_reader_tally(r.reader), 0, (int64_t)from, (int64_t)(to - from), cases[i].why);
	}
	reading_close(&r);
}

/* Records of no bytes at all, and of the most that there may be. */
static void test_extremes(void **state)
{
	static char text[65536];
	struct mp_value v;
	struct reading r;

	(void)state;
	begin();
	add_head(&file, U8_BYTES | 0x111, 0);
	add_head(&file, U16_BYTES | 0x111, 0);
	add_head(&file, U32_BYTES | 0x111, 0);
	add_head(&file, U32_BYTES | 0x111, 65536);
	memset(text, 0xff, sizeof(text));
	add_bytes(&file, U16_BYTES | 0x114, text, 65536 - 4);
	reading_open(&r, ITEM_LAYOUT, file.at, file.used);
	for (int i = 0; i < 3; i++) {
		assert_true(mp_reader_next(r.reader));
		assert_null_value(&r, "id");
		assert_null_value(&r, "name");
	}
	assert_true(mp_reader_next(r.reader));
	v = value_of(&r, "name"); /* each byte stands as \xff */
	assert_int_equal(v.len, 4 * (65536 - 4));
	assert_false(mp_reader_next(r.reader));
	assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, 0);
	assert_int_equal(mp_reader_tally(r.reader)->record_bytes, file.used);
	/* one byte more, which its items fill */
	begin();
	add_head(&file, U32_BYTES | 0x111, 65537);
	add_bytes(&file, U16_BYTES | 0x114, text, 65537 - 4);
	reading_file(&r, file.at, file.used);
	assert_int_equal(read_all(&r), 0);
	assert_damage(mp_reader_tally(r.reader), 0, 0, (int64_t)file.used, OVER_64K);
	reading_close(&r);
}

/* Nested items that end behind their record make it no record, even if they lie within the file. */
static void test_nested_too_long(void **state)
{
	static const unsigned lens[] = {0, 1, 2, 3, 200};
	struct reading r;

	(void)state;
	reading_open(&r, ITEM_LAYOUT, "", 0);
	for (size_t i = 0; i < COUNT(lens); i++) {
		begin();
		add_head(&file, U8_BYTES | 0x111, 5);
		add_head(&file, U8_BYTES | 0x114, lens[i]);
		memcpy(file.at + file.used, "xx", 2);
		file.used += 2;
		add_record(&file, U8_BYTES, 7, "good");
		reading_file(&r, file.at, file.used);
		assert_true(mp_reader_next(r.reader));
		if (lens[i] == 2) {
			assert_text_value(&r, "name", "xx");
			assert_true(mp_reader_next(r.reader));
		}
		assert_int_value(&r, "id", 7);
		assert_false(mp_reader_next(r.reader));
		assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, lens[i] == 2 ? 0 : 8);
		assert_accounted(mp_reader_tally(r.reader));
	}
	reading_close(&r);
}

/* A record behind more than a window of junk is found. */
static void test_junk(void **state)
{
	enum { JUNK = 3 * 1024 * 1024 + 1 };
	unsigned char *bytes = calloc(1, JUNK + 64);
	struct reading r;

	(void)state;
	begin();
	add_record(&file, U16_BYTES, 5, "found");
	memcpy(bytes + JUNK, file.at, file.used);
	reading_open(&r, ITEM_LAYOUT, bytes, JUNK + file.used);
	assert_true(mp_reader_next(r.reader));
	assert_text_value(&r, "name", "found");
	assert_false(mp_reader_next(r.reader));
	assert_damage(mp_reader_tally(r.reader), 0, 0, JUNK, NO_ITEM);
	reading_close(&r);
	free(bytes);
}

/*
 * What looks like a record up to its last byte, again every 12 bytes, behind small records: the file is read in bounded
 * time, and what was not looked at is damage.
 */
static void test_bounded_search(void **state)
{
	enum { UNITS = 100000 };
	static const unsigned char unit[12] = {0x20, 0x60, 0x11, 0x81, 3,
	    0x15,                                /* a number, or a record of the last byte and the next tag */
	    0x20, 0x60, 0x11, 0xa1, 0xf1, 0xff}; /* a number, or a record that one byte too much follows */
	unsigned char *bytes = malloc(UNITS * sizeof(unit) + 64);
	struct reading r;
	const struct mp_tally *t;

	(void)state;
	begin();
	add_record(&file, U16_BYTES, 5, "last");
	bytes[0] = 0;
	for (size_t i = 0; i < UNITS; i++)
		memcpy(bytes + 1 + i * sizeof(unit), unit, sizeof(unit));
	memcpy(bytes + 1 + UNITS * sizeof(unit), file.at, file.used);
	reading_open(&r, ITEM_LAYOUT, bytes, 1 + UNITS * sizeof(unit) + file.used);
	while (mp_reader_next(r.reader))
		assert_null_value(&r, "id"); /* not the last one, which is good */
	t = mp_reader_tally(r.reader);
	assert_accounted(t);
	assert_in_range(t->records, 900, 1100); /* 64 MiB of attempts of 64 KiB */
	assert_true(t->damaged_bytes > t->size / 2);
	reading_close(&r);
	free(bytes);
}

/* Random damage: the sums always hold. */
static void test_random_damage(void **state)
{
	uint64_t seed = 17;
	struct reading r;

	(void)state;
	reading_open(&r, ITEM_LAYOUT, "", 0);
	for (int round = 0; round < 300; round++) {
		begin();
		for (unsigned i = 0; i < 20; i++)
			add_record(&file, U8_BYTES + 0x2000 * (i % 3), i, "a name");
		for (uint64_t hits = 1 + next_random(&seed) % 6; hits; hits--)
			file.at[next_random(&seed) % file.used] = (unsigned char)next_random(&seed);
		reading_file(&r, file.at, file.used - next_random(&seed) % 30);
		while (mp_reader_next(r.reader))
			for (int i = 0; i < 3; i++)
				mp_reader_value(r.reader, i);
		assert_accounted(mp_reader_tally(r.reader));
		assert_in_range(mp_reader_tally(r.reader)->records, 8, 20);
	}
	reading_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_forms),
	    cmocka_unit_test(test_fields),
	    cmocka_unit_test(test_fields),
	    cmocka_unit_test(test_values),
	    cmocka_unit_test(test_large_numbers),
	    cmocka_unit_test(test_truncated_everywhere),
	    cmocka_unit_test(test_lengths),
	    cmocka_unit_test(test_extremes),
	    cmocka_unit_test(test_nested_too_long),
	    cmocka_unit_test(test_junk),
	    cmocka_unit_test(test_bounded_search),
	    cmocka_unit_test(test_random_damage),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
