/* test_safe.c: nothing in JSON that ends or begins an element passes, wherever its bytes lie in the buffer. */
#include "out_support.h"

#include "page/document.h"

/* The text after it passed, which begins `before` bytes into the output. */
static char *passed(const char *text, size_t len, size_t before)
{
	struct mp_error err;
	struct mp_safe safe;
	struct sink s;
	char *result;

	sink_open(&s);
	assert_ok(mp_safe_open(&safe, s.out, &err), &err);
	for (size_t i = 0; i < before; i++)
		mp_out_char(safe.json, 'x');
	for (size_t i = 0; i < len; i++)
		mp_out_write(safe.json, text + i, 1);
	assert_ok(mp_safe_close(&safe, &err), &err);
	result = strdup(sink_text(&s) + before);
	sink_close(&s);
	return result;
}

static void check(const char *text, const char *want)
{
	static const size_t around[] = {0, 1, 65536, 131072, 262144};

	for (size_t i = 0; i < sizeof(around) / sizeof(around[0]); i++)
		for (size_t back = 0; back < 6 && back <= around[i]; back++) {
			char *got = passed(text, strlen(text), around[i] - back);

			assert_string_equal(got, want);
			free(got);
		}
}

static void test_harmful_characters_are_escapes(void **state)
{
	(void)state;
	check("</script>", "\\u003c/script\\u003e");
	check("<!-- &amp;", "\\u003c!-- \\u0026amp;");
	check("\xe2\x80\xa8"
	      "a\xe2\x80\xa9",
	    "\\u2028a\\u2029");
	check("\xe2\x80\xe2\x80\xa8<", "\xe2\x80\\u2028\\u003c");
	check("\xe2\xe2\x80\xa9", "\xe2\\u2029");
	check("\xe2<\xe2\x80<", "\xe2\\u003c\xe2\x80\\u003c");
}

static void test_all_else_is_the_same(void **state)
{
	(void)state;
	check("{\"a\": [1, \"b\\\"\\u0007\"]}", "{\"a\": [1, \"b\\\"\\u0007\"]}");
	check("\xe2\x80\xa6 \xe2\x82\xac \xe2", "\xe2\x80\xa6 \xe2\x82\xac \xe2");
	check("\xe2\x80", "\xe2\x80");
	check("", "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_harmful_characters_are_escapes),
	    cmocka_unit_test(test_all_else_is_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
