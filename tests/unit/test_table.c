/* test_table.c: tables as the reader sees them, byte for byte. */
#include "table_support.h"

/* Joined titles and values, a list, a total row that does not make its column text, numbers right and text left. */
static void test_grid(void **state)
{
	struct fixture *f = *state;
	static const char *const titles[] = {"Task ID", "Layer Name", "Time(us)", "/Time Ratio(%)", "Memory Bound"};
	const struct mp_value total[] = {text("-"), text("-"), real(4387.71), text("100"), null()};
	const struct mp_value layer[] = {num(4), text("conv1\037conv1_relu"), real(4338.33), real(0.76), real(50)};

	fixture_open(f, 0, false);
	section_begin(f, "AI Core Metrics", "Model name : goturn\nFps : 1", titles, COUNT(titles));
	row(f, total);
	row(f, layer);
	end(f, 0);
	assert_string_equal(fixture_text(f), "AI Core Metrics :\n"
					     "Model name : goturn\n"
					     "Fps : 1\n"
					     "╒═════════╤════════════╤═══════════════╤══════════════╕\n"
					     "│ Task ID │ Layer Name │      Time(us) │ Memory Bound │\n"
					     "│         │            │ Time Ratio(%) │              │\n"
					     "╞═════════╪════════════╪═══════════════╪══════════════╡\n"
					     "│       - │ -          │   4387.71/100 │          N/A │\n"
					     "├─────────┼────────────┼───────────────┼──────────────┤\n"
					     "│       4 │ conv1      │  4338.33/0.76 │         50.0 │\n"
					     "│         │ conv1_relu │               │              │\n"
					     "╘═════════╧════════════╧═══════════════╧══════════════╛\n"
					     "\n");
}

static void test_sections_without_rows(void **state)
{
	struct fixture *f = *state;
	static const char *const titles[] = {"A", "B"};
	const struct mp_section absent = {
	    .title = "Acl statistic", .heading = "Model id : 1", .absent = "no \x1b[2Jcalls", .column_count = 2};

	fixture_open(f, 0, false);
	assert_int_equal(f->w->section(f->w, &absent, &f->err), 0);
	end(f, 0);
	section_begin(f, "Frequency", "", NULL, 0);
	end(f, 0);
	section_begin(f, "", "Frequency : 700 Mhz", NULL, 0);
	end(f, 0);
	section_begin(f, "", "", titles, 2);
	end(f, 0);
	assert_string_equal(fixture_text(f), "Acl statistic :\nModel id : 1\n  no data: no \\x1b[2Jcalls\n\n"
					     "Frequency :\n\n"
					     "Frequency : 700 Mhz\n\n"
					     "╒═══╤═══╕\n│ A │ B │\n╞═══╪═══╡\n╘═══╧═══╛\n\n");
}

/* Titles are wrapped as headings are, in any writing; the colon stays with the last line. */
static void test_long_titles(void **state)
{
	struct fixture *f = *state;

	fixture_open(f, 24, false);
	section_begin(f, "1. Three operators wait for: conv1/conv2", "", NULL, 0);
	end(f, 0);
	section_begin(f, "2. 层的利用率偏低：没有繁忙的单元", "", NULL, 0);
	end(f, 0);
	assert_string_equal(fixture_text(f), "1. Three operators\nwait for: conv1/conv2 :\n\n"
					     "2. 层的利用率偏低：没\n有繁忙的单元 :\n\n");
}

static void test_colour_and_omitted(void **state)
{
	struct fixture *f = *state;

	fixture_open(f, 0, true);
	section_begin(f, "Op statistic", "", NULL, 0);
	end(f, 12);
	assert_string_equal(fixture_text(f), "\x1b[36mOp statistic :\x1b[0m\n  … 12 more rows (--top 0 shows all)\n\n");
}

/* The kind of a column comes from its first value outside of the total row, else from the total. */
static void test_alignment(void **state)
{
	struct fixture *f = *state;
	static const char *const titles[] = {"Identity", "Number", "Dashed", "Sum only", "Nothing"};
	const struct mp_value cells[][COUNT(titles)] = {{text("-"), text("100"), null(), num(1), null()},
	    {text("7"), null(), text("-"), null(), null()}, {num(7), num(-7), real(0.5), null(), null()}};

	fixture_grid(f, 0, titles, COUNT(titles), cells[0], 3);
	assert_non_null(strstr(f->text, "│ Identity │ Number │ Dashed │ Sum only │ Nothing │"));
	assert_non_null(strstr(f->text, "│ -        │    100 │    N/A │        1 │ N/A     │"));
	assert_non_null(strstr(f->text, "│ 7        │    N/A │      - │      N/A │ N/A     │"));
	assert_non_null(strstr(f->text, "│ 7        │     -7 │    0.5 │      N/A │ N/A     │"));
}

static void test_wide_and_combining(void **state)
{
	struct fixture *f = *state;
	static const char *const titles[] = {"层", "N"};
	const struct mp_value cells[][COUNT(titles)] = {{text("卷积"), num(1)}, {text("e\xcc\x81t\xc3\xa9"), num(2)}};

	fixture_grid(f, 0, titles, COUNT(titles), cells[0], 2);
	assert_string_equal(f->text, "╒══════╤═══╕\n"
				     "│ 层   │ N │\n"
				     "╞══════╪═══╡\n"
				     "│ 卷积 │ 1 │\n"
				     "├──────┼───┤\n"
				     "│ e\xcc\x81t\xc3\xa9  │ 2 │\n"
				     "╘══════╧═══╛\n\n");
}

/* Nothing in a name, a title or a heading reaches the terminal as a command, nor breaks the grid. */
static void test_hostile_text(void **state)
{
	struct fixture *f = *state;
	static const char *const titles[] = {"Na\x1bme", "B"};
	const struct mp_value cells[] = {text("\x1b[31m\xff\r\n\xe2\x80\xae\xc2\x9b\x1e"), text("│")};

	fixture_open(f, 0, false);
	section_begin(f, "T\x07", "H\x1b]0;x\x07", titles, COUNT(titles));
	row(f, cells);
	end(f, 0);
	fixture_text(f);
	widest_line(f->text);
	assert_non_null(strstr(f->text, "T\\x07 :\nH\\x1b]0;x\\x07\n"));
	assert_non_null(strstr(f->text, "│ Na\\x1bme "));
	assert_non_null(strstr(f->text, "│ \\x1b[31m\\xff\\x0d\\x0a\\xe2\\x80\\xae\\xc2\\x9b\\x1e │"));
}

/* The widest text gives way first, at the joints of its words; numbers and short text stay. */
static void test_narrow_wraps_text(void **state)
{
	struct fixture *f = *state;
	static const char *const titles[] = {"ID", "Layer Name", "Type", "Time(us)"};
	const struct mp_value cells[] = {num(1), text("res4b22_branch2b_relu/part"), text("Conv"), real(4338.33)};

	fixture_grid(f, 40, titles, COUNT(titles), cells, 1);
	assert_string_equal(f->text, "╒════╤═══════════════╤══════╤══════════╕\n"
				     "│ ID │ Layer Name    │ Type │ Time(us) │\n"
				     "╞════╪═══════════════╪══════╪══════════╡\n"
				     "│  1 │ res4b22_      │ Conv │  4338.33 │\n"
				     "│    │ branch2b_     │      │          │\n"
				     "│    │ relu/part     │      │          │\n"
				     "╘════╧═══════════════╧══════╧══════════╛\n\n");
}

/* Text stays comfortable while numbers can be wrapped instead; the first columns keep what is left over. */
static void test_narrow_shares_the_room(void **state)
{
	struct fixture *f = *state;
	static const char *const titles[] = {"Layer", "Type", "Read(KB)", "/Write(KB)"};
	const struct mp_value cells[] = {
	    text("abcdefghijklmnopqrst"), text("convab  1 ABCDEFGHIJ"), real(141960.4), real(160815.78)};

	fixture_grid(f, 51, titles, COUNT(titles), cells, 1);
	assert_non_null(strstr(f->text, "│ abcdefghijklmnop │ convab  1        │ 141960.4/ │\n"
					"│ qrst             │ ABCDEFGHIJ       │ 160815.78 │\n"));
	fixture_grid(f, 32, titles, COUNT(titles), cells, 1);
	assert_non_null(strstr(f->text, "│ abcdefg │ convab │ 141960.4/ │\n"
					"│ hijklmn │ 1      │ 160815.78 │\n"));
}

/* Joined numbers are parted at '/', never within a number; text goes down to six columns. */
static void test_narrow_wraps_joined_numbers(void **state)
{
	struct fixture *f = *state;
	static const char *const titles[] = {"Name", "Read(KB)", "/Write(KB)", "/Total(KB)"};
	const struct mp_value cells[] = {text("conv2_x卷积"), real(141960.4), real(160815.78), real(302776.18)};

	fixture_grid(f, 23, titles, COUNT(titles), cells, 1);
	assert_string_equal(f->text, "╒════════╤════════════╕\n"
				     "│ Name   │   Read(KB) │\n"
				     "│        │  Write(KB) │\n"
				     "│        │  Total(KB) │\n"
				     "╞════════╪════════════╡\n"
				     "│ conv2_ │  141960.4/ │\n"
				     "│ x卷积  │ 160815.78/ │\n"
				     "│        │  302776.18 │\n"
				     "╘════════╧════════════╛\n\n");
}

static void test_too_narrow_prints_records(void **state)
{
	struct fixture *f = *state;
	static const char *const titles[] = {"Task ID", "Layer Name", "Time(us)", "/Time Ratio(%)", "Total Time(us)"};
	const struct mp_value cells[][COUNT(titles)] = {
	    {num(1), text("conv1\037conv1_relu"), real(4338.33), real(0.76), null()},
	    {num(2), text("res4b22_branch2b"), num(123456789012345), null(), num(1)}};

	fixture_grid(f, 24, titles, COUNT(titles), cells[0], 2);
	assert_string_equal(f->text, "────────────────────────\n"
				     "Task ID : 1\nLayer Name : conv1\n    conv1_relu\n"
				     "Time(us) : 4338.33\nTime Ratio(%) : 0.76\nTotal Time(us) : N/A\n"
				     "────────────────────────\n"
				     "Task ID : 2\nLayer Name : res4b22_\n    branch2b\n"
				     "Time(us) :\n    123456789012345\nTime Ratio(%) : N/A\nTotal Time(us) : 1\n\n");
}

/* At every width no line is wider, grids are rectangular and no character is lost. */
static void test_every_width(void **state)
{
	struct fixture *f = *state;
	static const char *const titles[] = {"ID", "Layer Name", "Time(us)", "/Ratio"};
	const struct mp_value cells[] = {
	    num(1), text("一二三四五六七八九十\037abcdefghijklmnopqrstu"), real(4338.33), null()};

	for (int width = 20; width < 70; width++) {
		fixture_grid(f, width, titles, COUNT(titles), cells, 1);
		assert_true(widest_line(f->text) <= width);
		for (char c[2] = "a"; *c <= 'u'; (*c)++)
			assert_non_null(strstr(f->text, c));
		assert_non_null(strstr(f->text, "4338.33"));
		assert_non_null(strstr(f->text, "十"));
	}
}

static void test_huge_cell_is_cut(void **state)
{
	struct fixture *f = *state;
	static const char *const titles[] = {"A"};
	static char huge[5000];
	struct mp_value cells[2];

	memset(huge, 'x', 5000);
	cells[0] = (struct mp_value){.type = MP_TEXT, .text = huge, .len = 5000};
	cells[1] = (struct mp_value){.type = MP_TEXT, .text = huge, .len = 4096};
	fixture_grid(f, 0, titles, 1, cells, 2);
	assert_int_equal(occurrences(f->text, "x…"), 1);
	assert_int_equal(occurrences(f->text, "x"), 4096 - (int)strlen("…") + 4096);
}

/* Rows after the measured rows are printed in the same grid, wrapped when wider. */
static void test_many_rows(void **state)
{
	struct fixture *f = *state;
	static const char *const titles[] = {"N", "Name", "Sum"};
	struct mp_value cells[] = {num(0), text("short"), num(1234567)};

	fixture_open(f, 0, false);
	section_begin(f, "", "", titles, COUNT(titles));
	for (int i = 0; i < 2500; i++) {
		cells[0] = num(i);
		if (i == 1000) {
			cells[1] = text("much_longer_name");
			cells[2] = num(123456789);
		}
		row(f, cells);
	}
	end(f, 0);
	fixture_text(f);
	widest_line(f->text);
	assert_int_equal(occurrences(f->text, "├"), 2499);
	assert_int_equal(occurrences(f->text, "short"), 1000);
	assert_int_equal(occurrences(f->text, "│ longer │"), 1500);
	assert_non_null(strstr(f->text, "│    999 │ short  │   1234567 │"));
	assert_non_null(strstr(f->text, "│   1000 │ much_  │ 123456789 │"));
	assert_non_null(strstr(f->text, "│   2499 │ much_  │"));
}

static void test_memory_is_bounded(void **state)
{
	struct fixture *f = *state;
	static const char *const titles[] = {"A"};
	static char name[1001];
	struct mp_value cell;
	struct rusage before, after;

	memset(name, 'x', 1000);
	cell = text(name);
	fixture_open_on(f, fopen("/dev/null", "w"), 0, false);
	section_begin(f, "", "", titles, 1);
	getrusage(RUSAGE_SELF, &before);
	for (int i = 0; i < 100000; i++)
		row(f, &cell);
	getrusage(RUSAGE_SELF, &after);
	end(f, 0);
	assert_true(after.ru_maxrss - before.ru_maxrss < 32 * 1024);
}

/* A full disk is reported at the end of the section. */
static void test_write_failure_is_reported(void **state)
{
	struct fixture *f = *state;
	FILE *full = fopen("/dev/full", "w");

	if (!full)
		skip();
	fixture_open_on(f, full, 0, false);
	section_begin(f, "", "", NULL, 0);
	assert_int_equal(f->w->end(f->w, 0, &f->err), -1);
	assert_string_not_equal(f->err.text, "");
}

/* Widths, wrapping and escapes do not depend on earlier sections. */
static void test_sections_are_independent(void **state)
{
	struct fixture *f = *state;
	static const char *const wide[] = {"A long title", "/B", "C"};
	static const char *const narrow[] = {"A", "B"};
	const struct mp_value first[] = {text("some name"), num(1), num(2)};
	const struct mp_value second[] = {num(1), text("x")};

	fixture_open(f, 0, false);
	section_begin(f, "", "", wide, 3);
	row(f, first);
	end(f, 0);
	section_begin(f, "", "", narrow, 2);
	row(f, second);
	end(f, 0);
	assert_non_null(strstr(fixture_text(f), "\n\n╒═══╤═══╕\n│ A │ B │\n╞═══╪═══╡\n│ 1 │ x │\n╘═══╧═══╛\n\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_grid),
	    TEST(test_sections_without_rows),
	    TEST(test_long_titles),
	    TEST(test_colour_and_omitted),
	    TEST(test_alignment),
	    TEST(test_wide_and_combining),
	    TEST(test_hostile_text),
	    TEST(test_narrow_wraps_text),
	    TEST(test_narrow_shares_the_room),
	    TEST(test_narrow_wraps_joined_numbers),
	    TEST(test_too_narrow_prints_records),
	    TEST(test_every_width),
	    TEST(test_huge_cell_is_cut),
	    TEST(test_many_rows),
	    TEST(test_memory_is_bounded),
	    TEST(test_write_failure_is_reported),
	    TEST(test_sections_are_independent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
