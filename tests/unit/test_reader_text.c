/* test_reader_text.c: records of text. */
#include "reader_support.h"

static const char LINES[] = "text t v1 verified\nfile \"f\"\ntable t\n"
			    "line \"{name} {a:int} {b:int}\"\nline \"stop {why}\"\n";
static const char PIECES[] = "text t v1 verified\nfile \"f\"\ntable t\nsplit nul\nline \"[{a:int}] {name}\"\n";

static const char UNKNOWN_LINE[] = "not a line that the layout knows";
static const char CUT[] = "text cut short by the end of the file";
static const char TOO_LONG[] = "longer than 64 KiB";

enum { PIECE_MAX = 64 * 1024 };

static void open_text(struct reading *r, const char *layout, const char *text)
{
	reading_open(r, layout, text, strlen(text));
}

/* As a number a text is 0, and missing. */
static void assert_no_number(struct reading *r, const char *column)
{
	signed char index = (signed char)mp_layout_column(r->set.items[0], column);
	int64_t value = 5;
	bool is_null = false;

	mp_reader_numbers(r->reader, &index, 1, &value, &is_null);
	assert_true(value == 0 && is_null);
	assert_int_equal(mp_int_of(mp_reader_value(r->reader, index)), 0);
}

static void test_captures(void **state)
{
	struct reading r;

	(void)state;
	open_text(&r, LINES, "conv1 1 -2\nstop end of it\ntwo words   3    4\n");
	assert_true(mp_reader_next(r.reader));
	assert_no_number(&r, "name");
	assert_text_value(&r, "name", "conv1");
	assert_int_value(&r, "a", 1);
	assert_int_value(&r, "b", -2);
	assert_null_value(&r, "why");
	assert_true(mp_reader_next(r.reader));
	assert_text_value(&r, "why", "end of it");
	assert_null_value(&r, "name");
	assert_null_value(&r, "a");
	assert_true(mp_reader_next(r.reader));
	assert_text_value(&r, "name", "two words");
	assert_int_value(&r, "a", 3);
	assert_int_value(&r, "b", 4);
	assert_false(mp_reader_next(r.reader));
	assert_accounted(mp_reader_tally(r.reader));
	assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, 0);
	reading_close(&r);
}

static void test_odd_values(void **state)
{
	struct reading r;

	(void)state;
	open_text(&r, LINES, "a\xff\x1b 99999999999999999999 0\nx 1 2\n");
	assert_true(mp_reader_next(r.reader));
	assert_text_value(&r, "name", "a\\xff\\x1b");
	assert_int_value(&r, "a", INT64_MAX);
	assert_int_value(&r, "b", 0);
	assert_int_equal(mp_reader_tally(r.reader)->bad_text, 1);
	assert_int_equal(mp_reader_tally(r.reader)->out_of_range, 1);
	reading_close(&r);
}

static void test_blank_and_unknown_lines(void **state)
{
	const struct mp_tally *t;
	struct reading r;

	(void)state;
	open_text(&r, LINES, "\nx 1 2\n \t\r\nnonsense\nrubbish\nx 1 2\nx 1\n");
	assert_int_equal(read_all(&r), 2);
	t = mp_reader_tally(r.reader);
	assert_int_equal(t->blank_bytes, 5);
	assert_int_equal(t->record_bytes, 12);
	assert_int_equal(t->damage_count, 2);
	assert_damage(t, 0, 11, 17, UNKNOWN_LINE);
	assert_damage(t, 1, 34, 4, UNKNOWN_LINE);
	reading_close(&r);
}

static void test_text_truncated_everywhere(void **state)
{
	static const char text[] = "x 1 2\n\nstop it\nconv 10 20\n";
	static const int64_t ends[] = {6, 7, 15, 26};
	struct reading r;

	(void)state;
	open_text(&r, LINES, "");
	for (size_t size = 0; size < sizeof(text); size++) {
		int64_t whole = 0, records = 0;

		for (size_t i = 0; i < COUNT(ends) && ends[i] <= (int64_t)size; i++) {
			whole = ends[i];
			records += i != 1;
		}
		reading_file(&r, text, size);
		assert_int_equal(read_all(&r), records);
		assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, (int64_t)size - whole);
		if ((int64_t)size > whole)
			assert_damage(mp_reader_tally(r.reader), 0, whole, (int64_t)size - whole, CUT);
	}
	reading_close(&r);
}

static void test_nul_pieces(void **state)
{
	static const char text[] = "[1] a\nb\0\0[2] c\0[3] d";
	struct reading r;

	(void)state;
	reading_open(&r, PIECES, text, sizeof(text) - 1);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "a", 1);
	assert_text_value(&r, "name", "a\nb");
	assert_true(mp_reader_next(r.reader));
	assert_text_value(&r, "name", "c");
	assert_false(mp_reader_next(r.reader));
	assert_accounted(mp_reader_tally(r.reader));
	assert_int_equal(mp_reader_tally(r.reader)->blank_bytes, 1);
	assert_damage(mp_reader_tally(r.reader), 0, 15, 5, CUT);
	reading_close(&r);
}

/* NUL bytes are no blank space, and neither is blank space that no separator ends. */
static void test_blank_end(void **state)
{
	struct reading r;

	(void)state;
	reading_open(&r, LINES, "x 1 2\n\0\0\n \t\n  \t", 15);
	assert_int_equal(read_all(&r), 1);
	assert_int_equal(mp_reader_tally(r.reader)->blank_bytes, 3);
	assert_damage(mp_reader_tally(r.reader), 0, 6, 3, UNKNOWN_LINE);
	assert_damage(mp_reader_tally(r.reader), 1, 12, 3, CUT);
	reading_close(&r);
}

static void test_longest_line(void **state)
{
	char *text = malloc(2 * PIECE_MAX);
	struct reading r;

	(void)state;
	memset(text, 'x', 2 * PIECE_MAX);
	memcpy(text + PIECE_MAX - 4, " 1 2\nx 3 4\n", 11);
	reading_open(&r, LINES, text, PIECE_MAX + 7);
	assert_true(mp_reader_next(r.reader));
	assert_int_equal(value_of(&r, "name").len, PIECE_MAX - 4);
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "a", 3);
	assert_false(mp_reader_next(r.reader));
	assert_int_equal(mp_reader_tally(r.reader)->damaged_bytes, 0);
	/* only bytes that need four characters each */
	memset(text, 0xff, PIECE_MAX - 4);
	reading_file(&r, text, PIECE_MAX + 1);
	assert_true(mp_reader_next(r.reader));
	assert_int_equal(value_of(&r, "name").len, 4 * (PIECE_MAX - 4));
	reading_close(&r);
	free(text);
}

/* A line that is too long is damage to its end: its rest is not a line. */
static void test_too_long_line(void **state)
{
	static const char tail[] = "x 7 8\nx 3 4\n";
	char *text = malloc(PIECE_MAX + 64);
	struct reading r;

	(void)state;
	memset(text, 'x', PIECE_MAX + 64);
	memcpy(text + PIECE_MAX + 1, tail, sizeof(tail) - 1);
	reading_open(&r, LINES, text, PIECE_MAX + sizeof(tail));
	assert_true(mp_reader_next(r.reader));
	assert_int_value(&r, "a", 3);
	assert_int_value(&r, "b", 4);
	assert_false(mp_reader_next(r.reader));
	assert_accounted(mp_reader_tally(r.reader));
	assert_damage(mp_reader_tally(r.reader), 0, 0, PIECE_MAX + 7, TOO_LONG);
	reading_close(&r);
	free(text);
}

/* Lines over three windows; none is lost or doubled. */
static void test_window_boundaries(void **state)
{
	enum { LINE_COUNT = 200000 };
	char *text = malloc((size_t)LINE_COUNT * 24);
	size_t size = 0;
	struct reading r;

	(void)state;
	for (int i = 0; i < LINE_COUNT; i++)
		size += (size_t)sprintf(text + size, "n%d %d %d\n", i, i, -i);
	assert_true(size > 3 * 1024 * 1024);
	reading_open(&r, LINES, text, size);
	for (int64_t i = 0; i < LINE_COUNT; i++) {
		assert_true(mp_reader_next(r.reader));
		assert_int_value(&r, "a", i);
		assert_int_value(&r, "b", -i);
	}
	assert_false(mp_reader_next(r.reader));
	assert_int_equal(mp_reader_tally(r.reader)->record_bytes, size);
	assert_accounted(mp_reader_tally(r.reader));
	reading_close(&r);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_captures),
	    cmocka_unit_test(test_odd_values),
	    cmocka_unit_test(test_blank_and_unknown_lines),
	    cmocka_unit_test(test_text_truncated_everywhere),
	    cmocka_unit_test(test_nul_pieces),
	    cmocka_unit_test(test_blank_end),
	    cmocka_unit_test(test_longest_line),
	    cmocka_unit_test(test_too_long_line),
	    cmocka_unit_test(test_window_boundaries),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
