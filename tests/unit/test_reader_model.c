/* test_reader_model.c: items within a model file, behind its header and weights; headers that lie. */
#include "items_support.h"

static const char MODEL[] =
    "items m v1 verified\ntable t\nmodel begin u32 @12 + u32 @16\nmatch u32 @0 == 0x4f434950\n" ITEM_LINES;

enum { HEADER = 20 };

static struct bytes file;

static void begin(uint32_t magic, uint32_t header, uint32_t weights)
{
	file.used = HEADER;
	memset(file.at, 0xee, HEADER);
	put_le(file.at, 4, magic);
	put_le(file.at + 12, 4, header);
	put_le(file.at + 16, 4, weights);
}

/* What lies before the items is blank. */
static void test_items(void **state)
{
	static const struct {
		uint32_t header, weights;
	} cases[] = {{20, 0}, {0, 20}, {20, 100}, {64, 4000}, {20, 200000}};
	struct reading r;

	(void)state;
	reading_open(&r, MODEL, "", 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t from = cases[i].header + cases[i].weights, records;

		begin(0x4f434950, cases[i].header, cases[i].weights);
		memset(file.at + HEADER, 0x11, from - HEADER);
		file.used = from;
		records = add_record(&file, U16_BYTES, 1, "conv");
		add_text(&file, U32_BYTES | 0x040, "a net");
		records += add_record(&file, U32_BYTES, 2, "relu");
		reading_file(&r, file.at, file.used);
		assert_true(mp_reader_next(r.reader));
		assert_text_value(&r, "name", "conv");
		assert_true(mp_reader_next(r.reader));
		assert_int_value(&r, "id", 2);
		assert_false(mp_reader_next(r.reader));
		assert_accounted(mp_reader_tally(r.reader));
		assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, 0);
		assert_int_equal(mp_reader_tally(r.reader)->record_bytes, records);
		assert_int_equal(mp_reader_tally(r.reader)->blank_bytes, file.used - records);
	}
	reading_close(&r);
}

static void test_lying_headers(void **state)
{
	static const char behind[] = "its items begin behind its end", within[] = "its items begin within its header";
	static const struct {
		uint32_t magic, header, weights;
		const char *why;
	} cases[] = {
	    {0x4f434951, 20, 0, "not a model file"},
	    {0, 20, 0, "not a model file"},
	    {0x4f434950, 0, 0, within},
	    {0x4f434950, 19, 0, within},
	    {0x4f434950, 3, 16, within},
	    {0x4f434950, 1000, 0, behind},
	    {0x4f434950, 20, 1000, behind},
	    {0x4f434950, UINT32_MAX, 0, behind},
	    {0x4f434950, UINT32_MAX, UINT32_MAX, behind},
	    {0x4f434950, UINT32_MAX, 21, behind},
	};
	struct reading r;

	(void)state;
	reading_open(&r, MODEL, "", 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		begin(cases[i].magic, cases[i].header, cases[i].weights);
		add_record(&file, U16_BYTES, 1, "conv");
		reading_file(&r, file.at, file.used);
		assert_int_equal(read_all(&r), 0);
		assert_int_equal(mp_reader_tally(r.reader)->damage_count, 1);
		assert_damage(mp_reader_tally(r.reader), 0, 0, (int64_t)file.used, cases[i].why);
	}
	reading_close(&r);
}

/* A file that ends within its header, its weights or its items. */
static void test_truncated_everywhere(void **state)
{
	struct reading r;
	size_t whole;

	(void)state;
	begin(0x4f434950, 20, 10);
	memset(file.at + HEADER, 0, 10);
	file.used += 10;
	whole = file.used + add_record(&file, U16_BYTES, 1, "conv");
	reading_open(&r, MODEL, "", 0);
	for (size_t size = 0; size <= file.used; size++) {
		const char *why = size < 4    ? "not a model file"
				  : size < 20 ? "cut short by the end of the file"
				  : size < 30 ? "its items begin behind its end"
					      : NULL;
		const struct mp_tally *t;

		reading_file(&r, file.at, size);
		assert_int_equal(read_all(&r), size == whole);
		t = mp_reader_tally(r.reader);
		if (why && size)
			assert_damage(t, 0, 0, (int64_t)size, why);
		else if (size)
			assert_int_equal(t->blank_bytes, 30);
		assert_int_equal(t->damage_count, size && size != 30 && size != whole);
	}
	reading_close(&r);
}

/* The numbers of the header may lie anywhere within the reach of offsets; matches may be bits. */
static void test_far_header(void **state)
{
	struct reading r;

	(void)state;
	file.used = 4200;
	memset(file.at, 0, file.used);
	put_le(file.at + 4096, 4, 4200);
	file.at[4090] = 0xf5;
	add_record(&file, U8_BYTES, 6, "far");
	reading_open(&r,
	    "items m v1 verified\ntable t\nmodel begin u32 @4096 + u32 @0\nmatch u8 @4090 bits 0..3 == 5\n" ITEM_LINES,
	    file.at, file.used);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "id", 6);
	assert_false(mp_reader_next(r.reader));
	assert_accounted(mp_reader_tally(r.reader));
	file.at[4090] = 0xf6;
	reading_file(&r, file.at, file.used);
	assert_int_equal(read_all(&r), 0);
	reading_close(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_items),
	    cmocka_unit_test(test_lying_headers),
	    cmocka_unit_test(test_truncated_everywhere),
	    cmocka_unit_test(test_far_header),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
