/* test_table_widths.c: the columns of texts, without a locale; the C library, which has one, agrees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <locale.h>
#include <stdlib.h>
#include <wchar.h>

#include <cmocka.h>

#include "table.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int width_by_library(const char *s)
{
	wchar_t wide[64];
	size_t len;
	int width;

	assert_non_null(setlocale(LC_CTYPE, "C.UTF-8"));
	len = mbstowcs(wide, s, COUNT(wide));
	assert_true(len < COUNT(wide));
	width = wcswidth(wide, len);
	assert_non_null(setlocale(LC_CTYPE, "C"));
	return width;
}

static void test_scripts(void **state)
{
	static const char *const names[] = {"ASCII_1/x", "人脸检测，“全角”（ＡＢＣ）", "ひらがなカタカナｶﾅ　。",
	    "한국어", "\u1112\u1161\u11ab", "עִבְרִית", "हिन्दी", "ไทยที่", "😀🚀", "\U00020000\U0002fa1d", "a\u200bb\u00adc",
	    "…─—·±é", "e\u0301"};

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++)
		assert_int_equal(table_extent_of(names[i], "").line, width_by_library(names[i]));
}

/* The first and the last character of the table's ranges, the ends of Unicode, and bytes that are no UTF-8. */
static void test_edges(void **state)
{
	static const struct {
		const char *text;
		int width;
	} cases[] = {{"\u02ff", 1}, {"\u0300", 0}, {"\u036f", 0}, {"\u0370", 1}, {"\u10ff", 1}, {"\u1100", 2},
	    {"\u115f", 2}, {"\u1160", 0}, {"\uff00", 1}, {"\uff01", 2}, {"\uff60", 2}, {"\uff61", 1}, {"\U0003fffd", 2},
	    {"\U0003fffe", 1}, {"\U0010ffff", 1}, {"\xff", 1}, {"\xe4\xb8", 2}, {"", 0}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_int_equal(table_extent_of(cases[i].text, "").line, cases[i].width);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_scripts), cmocka_unit_test(test_edges)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
