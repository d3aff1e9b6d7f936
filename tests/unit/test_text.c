/* test_text.c: UTF-8 is decoded strictly, and nothing harmful passes mp_sanitise. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"

struct decoded {
	const char *bytes;
	size_t size; /* the expected results of mp_utf8_next */
	int32_t cp;
};

static void check_decoded(const struct decoded *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int32_t cp = -2;

		assert_int_equal(mp_utf8_next(cases[i].bytes, strlen(cases[i].bytes), &cp), cases[i].size);
		assert_int_equal(cp, cases[i].cp);
		assert_int_equal(mp_utf8_valid(cases[i].bytes, cases[i].size), cases[i].cp >= 0);
	}
}

/* The first and last code points of every length, and those around the surrogates. */
static void test_valid_is_decoded(void **state)
{
	static const struct decoded cases[] = {{"A", 1, 'A'}, {"\x7f", 1, 0x7f}, {"\xc2\x80", 2, 0x80},
	    {"\xdf\xbf", 2, 0x7ff}, {"\xe0\xa0\x80", 3, 0x800}, {"\xe4\xb8\xad", 3, 0x4e2d},
	    {"\xed\x9f\xbf", 3, 0xd7ff}, {"\xee\x80\x80", 3, 0xe000}, {"\xef\xbf\xbf", 3, 0xffff},
	    {"\xf0\x90\x80\x80", 4, 0x10000}, {"\xf4\x8f\xbf\xbf", 4, 0x10ffff}, {"\xc3\xa9 and more", 2, 0xe9}};
	int32_t cp = -2;

	(void)state;
	check_decoded(cases, sizeof(cases) / sizeof(cases[0]));
	assert_int_equal(mp_utf8_next("\0", 1, &cp), 1);
	assert_int_equal(cp, 0);
}

static void test_invalid_is_one_byte(void **state)
{
	static const struct decoded cases[] = {
	    {"\x80", 1, -1}, {"\xbf", 1, -1},                                       /* continuation alone */
	    {"\xc0\xaf", 1, -1}, {"\xc1\xbf", 1, -1}, {"\xe0\x9f\xbf", 1, -1},      /* overlong */
	    {"\xf0\x8f\xbf\xbf", 1, -1}, {"\xed\xa0\x80", 1, -1},                   /* surrogates */
	    {"\xed\xbf\xbf", 1, -1}, {"\xf4\x90\x80\x80", 1, -1},                   /* above U+10FFFF */
	    {"\xf5\x80\x80\x80", 1, -1}, {"\xff", 1, -1}, {"\xfe", 1, -1},          /* not a first byte */
	    {"\xc3", 1, -1}, {"\xe4\xb8", 1, -1}, {"\xf0\x9f\x98", 1, -1},          /* the end is missing */
	    {"\xc3(", 1, -1}, {"\xe4\xb8(", 1, -1}, {"\xf0\x9f\x98\xc3\xa9", 1, -1} /* the invalid byte is replaced */
	};

	(void)state;
	check_decoded(cases, sizeof(cases) / sizeof(cases[0]));
}

/* The decoder must not read bytes behind `len`. */
static void test_length_is_respected(void **state)
{
	int32_t cp;

	(void)state;
	assert_int_equal(mp_utf8_next("\xe4\xb8\xad", 2, &cp), 1);
	assert_int_equal(cp, -1);
	assert_true(mp_utf8_valid("\xe4\xb8\xad", 3));
	assert_false(mp_utf8_valid("\xe4\xb8\xad", 2));
	assert_false(mp_utf8_valid("abc\xff"
				   "def",
	    7));
	assert_true(mp_utf8_valid("", 0));
}

static void test_control_characters(void **state)
{
	static const int32_t controls[] = {
	    0, 7, '\t', '\n', 0x1b, 0x1f, 0x7f, 0x80, 0x9b, 0x9f, 0x202a, 0x202e, 0x2066, 0x2069};
	static const int32_t harmless[] = {' ', '~', 0xa0, 0x301, 0x202f, 0x2065, 0x206a, 0x4e2d, 0x1f600};

	(void)state;
	for (size_t i = 0; i < sizeof(controls) / sizeof(controls[0]); i++)
		assert_true(mp_is_control(controls[i]));
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		assert_false(mp_is_control(harmless[i]));
}

static void test_has_control(void **state)
{
	(void)state;
	assert_false(mp_has_control("", 0));
	assert_false(mp_has_control("conv1 \xe4\xb8\xad", 9));
	assert_true(mp_has_control("conv1\n", 6));
	assert_false(mp_has_control("conv1\n", 5));
	assert_true(mp_has_control("a\0b", 3));
	assert_true(mp_has_control("a\xff", 2));
	assert_true(mp_has_control("a\xc2\x9b", 3));
	assert_true(mp_has_control("a\xe2\x80\xae", 4));
}

static void check_sanitised(const char *s, size_t len, const char *expected)
{
	char dst[128];

	memset(dst, '#', sizeof(dst));
	assert_int_equal(mp_sanitise(dst, sizeof(dst), s, len), strlen(expected));
	assert_string_equal(dst, expected);
}

static void test_sanitise(void **state)
{
	(void)state;
	check_sanitised("", 0, "");
	check_sanitised("conv1/\xe4\xb8\xad", 9, "conv1/\xe4\xb8\xad");
	check_sanitised("\x1b[31mred", 8, "\\x1b[31mred");
	check_sanitised("a\0b\n\x7f", 5, "a\\x00b\\x0a\\x7f");
	check_sanitised("\xff\xe4\xb8", 3, "\\xff\\xe4\\xb8");
	check_sanitised("\xc2\x9bm", 3, "\\xc2\\x9bm");
	check_sanitised("\xe2\x80\xae"
			"evil",
	    7,
	    "\\xe2\\x80\\xae"
	    "evil");
}

/* At every size the result is a terminated prefix of whole characters. */
static void test_sanitise_cuts_at_characters(void **state)
{
	static const char source[] = "a\xe4\xb8\xad\x1b\xc2\x9bz";
	static const struct {
		size_t size;
		const char *expected;
	} cases[] = {{1, ""}, {2, "a"}, {4, "a"}, {5, "a\xe4\xb8\xad"}, {8, "a\xe4\xb8\xad"}, {9, "a\xe4\xb8\xad\\x1b"},
	    {16, "a\xe4\xb8\xad\\x1b"}, {17, "a\xe4\xb8\xad\\x1b\\xc2\\x9b"}, {18, "a\xe4\xb8\xad\\x1b\\xc2\\x9bz"}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char dst[32];

		memset(dst, '#', sizeof(dst));
		assert_int_equal(
		    mp_sanitise(dst, cases[i].size, source, sizeof(source) - 1), strlen(cases[i].expected));
		assert_string_equal(dst, cases[i].expected);
		assert_int_equal(dst[cases[i].size], '#');
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_valid_is_decoded),
	    cmocka_unit_test(test_invalid_is_one_byte),
	    cmocka_unit_test(test_length_is_respected),
	    cmocka_unit_test(test_control_characters),
	    cmocka_unit_test(test_has_control),
	    cmocka_unit_test(test_sanitise),
	    cmocka_unit_test(test_sanitise_cuts_at_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
