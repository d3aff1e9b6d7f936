/* test_pattern.c: patterns of file names and lines: matches and refusals. */
#include "support.h"

#include "raw/pattern.h"

static struct mp_capture captures[MP_PIECE_MAX];

static void parse(struct mp_pattern *p, const char *text, bool is_file_name)
{
	struct mp_error err;

	assert_ok(mp_pattern_parse(p, text, strlen(text), is_file_name, &err), &err);
}

static bool matches(const struct mp_pattern *p, const char *s)
{
	memset(captures, 0, sizeof(captures));
	return mp_pattern_match(p, s, strlen(s), captures);
}

static void assert_capture(int piece, const char *expected)
{
	assert_int_equal(captures[piece].len, strlen(expected));
	assert_memory_equal(captures[piece].text, expected, strlen(expected));
}

static void test_parse(void **state)
{
	struct mp_pattern p;

	(void)state;
	parse(&p, "a.{x:int}{}b{model_2}", true);
	assert_true(p.is_file_name);
	assert_int_equal(p.piece_count, 5);
	assert_int_equal(p.pieces[0].kind, MP_PIECE_LITERAL);
	assert_int_equal(p.pieces[0].len, 2);
	assert_int_equal(p.pieces[1].kind, MP_PIECE_INT);
	assert_memory_equal(p.pieces[1].text, "x", p.pieces[1].len);
	assert_int_equal(p.pieces[2].kind, MP_PIECE_TEXT);
	assert_int_equal(p.pieces[2].len, 0);
	assert_int_equal(p.pieces[4].len, 7);
	parse(&p, "{:int}", false);
	assert_int_equal(p.pieces[0].kind, MP_PIECE_INT);
	assert_int_equal(p.pieces[0].len, 0);
	/* a closing brace alone is text */
	parse(&p, "a}b", false);
	assert_true(matches(&p, "a}b"));
}

static void test_parse_refuses(void **state)
{
	static const struct {
		const char *text, *why;
	} cases[] = {{"", "empty"}, {"a{b", "closing brace"}, {"{A}", "'A'"}, {"{a-b}", "'a-b'"},
	    {"{a:real}", "'a:real'"}, {"{a123456789012345678901234567890x}", "longer than 31"}};
	struct mp_pattern p;
	struct mp_error err;
	char many[256] = "";

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		assert_refused(
		    mp_pattern_parse(&p, cases[i].text, strlen(cases[i].text), true, &err), &err, cases[i].why);
	for (int i = 0; i < MP_PIECE_MAX + 2; i++)
		strcat(many, "{}");
	assert_refused(mp_pattern_parse(&p, many, strlen(many), true, &err), &err, "pieces");
}

/* Numbers are found from the right: a model may contain dots, digits and dashes. */
static void test_file_names_are_greedy(void **state)
{
	static const struct {
		const char *name, *device, *model, *id, *batch;
	} cases[] = {{"aicore.0.yolov5n_noquat.32.1", "0", "yolov5n_noquat", "32", "1"},
	    {"aicore.1.a.b.c.32.1", "1", "a.b.c", "32", "1"}, {"aicore.0.7.5.32.256", "0", "7.5", "32", "256"},
	    {"AICORE.63.kws-610-pro.9.1", "63", "kws-610-pro", "9", "1"}, {"aiCore.0.5.1.2", "0", "5", "1", "2"},
	    {"aicore.0.....1.2", "0", "...", "1", "2"}};
	struct mp_pattern p;

	(void)state;
	parse(&p, "aicore.{device_id:int}.{model}.{model_id:int}.{batch:int}", true);
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_true(matches(&p, cases[i].name));
		assert_capture(1, cases[i].device);
		assert_capture(3, cases[i].model);
		assert_capture(5, cases[i].id);
		assert_capture(7, cases[i].batch);
	}
	assert_false(matches(&p, "aicore.0.1.2"));
	assert_false(matches(&p, "aicore.0.m.1.2x"));
	assert_false(matches(&p, "xaicore.0.m.1.2"));
	assert_false(matches(&p, "aicore.0.m.1."));
	assert_false(matches(&p, "aicore..m.1.2"));
	assert_false(matches(&p, ""));
}

static void test_lines_are_lazy(void **state)
{
	struct mp_pattern p;

	(void)state;
	parse(&p, "op:{op} type:{type}", false);
	assert_true(matches(&p, "op:a type:b type:c"));
	assert_capture(1, "a");
	assert_capture(3, "b type:c");
	assert_false(matches(&p, "OP:a type:b"));
	assert_false(matches(&p, "op: type:"));
	parse(&p, "{name} {a:int} {b:int}", false);
	assert_true(matches(&p, "x 1 y 2 3"));
	assert_capture(0, "x 1 y");
	assert_capture(2, "2");
	assert_capture(4, "3");
}

static void test_numbers(void **state)
{
	static const struct {
		const char *text, *digits;
	} good[] = {{"=12;", "12"}, {"=-7;", "-7"}, {"=   3;", "3"}, {"=  -3;", "-3"}, {"=00;", "00"}};
	static const char *const bad[] = {"=;", "= ;", "=-;", "=+1;", "=1 ;", "=--1;", "=- 1;", "=1.5;", "=0x1;"};
	struct mp_pattern p;

	(void)state;
	parse(&p, "={n:int};", false);
	for (size_t i = 0; i < COUNT(good); i++) {
		assert_true(matches(&p, good[i].text));
		assert_capture(1, good[i].digits);
	}
	for (size_t i = 0; i < COUNT(bad); i++)
		assert_false(matches(&p, bad[i]));
}

static void test_capture_int(void **state)
{
	static const struct {
		const char *text;
		bool fits;
		int64_t value;
	} cases[] = {{"0", true, 0}, {"-0", true, 0}, {"007", true, 7}, {"-12", true, -12},
	    {"9223372036854775807", true, INT64_MAX}, {"9223372036854775808", false, 0},
	    {"-9223372036854775807", true, -INT64_MAX}, {"-9223372036854775808", true, INT64_MIN},
	    {"-9223372036854775809", false, 0}, {"18446744073709551615", false, 0}, {"18446744073709551616", false, 0},
	    {"99999999999999999999999", false, 0}, {"1a", false, 0}, {"", false, 0}, {"-", false, 0}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mp_capture c = {cases[i].text, strlen(cases[i].text)};
		int64_t value = 4711;

		if (mp_capture_int(&c, &value) != cases[i].fits)
			fail_msg("'%s'", cases[i].text);
		assert_int_equal(value, cases[i].fits ? cases[i].value : 4711);
	}
}

/* The caller gives the length: a name need not end with NUL, and may contain NUL. */
static void test_length(void **state)
{
	struct mp_pattern p;

	(void)state;
	parse(&p, "a.{n:int}", true);
	assert_true(mp_pattern_match(&p, "a.12345", 4, captures));
	assert_capture(1, "12");
	assert_false(mp_pattern_match(&p, "a.1\0", 4, captures));
}

/* A name that makes the search explode returns at once, as no match. */
static void test_hopeless(void **state)
{
	struct mp_pattern p;
	char name[4096];

	(void)state;
	parse(&p, "{}a{}a{}a{}a{}a{}a{}a{}b", false);
	memset(name, 'a', sizeof(name));
	assert_false(mp_pattern_match(&p, name, sizeof(name), captures));
	name[sizeof(name) - 1] = 'b';
	assert_true(mp_pattern_match(&p, name + sizeof(name) - 17, 17, captures));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_parse),
	    cmocka_unit_test(test_parse_refuses),
	    cmocka_unit_test(test_file_names_are_greedy),
	    cmocka_unit_test(test_lines_are_lazy),
	    cmocka_unit_test(test_numbers),
	    cmocka_unit_test(test_capture_int),
	    cmocka_unit_test(test_length),
	    cmocka_unit_test(test_hopeless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
