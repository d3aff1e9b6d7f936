/* test_json_check.c: valid and invalid JSON by RFC 8259, also cut at every byte. */
#include "support.h"

#include "base/json.h"

static void test_objects(void **state)
{
	static const char *const texts[] = {"{}", " \t\r\n{ } \n", "{\"a\":1}", "{\"a\" : [ ] , \"b\":{}}",
	    "{\"\":\"\"}", "{\"a\":[1,-2,0,-0,0.5,1.25e+10,1E-3,2e5,10]}", "{\"a\":[true,false,null,\"x\"]}",
	    "{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\uD83D\\uABcd\"}", "{\"a\":1,\"a\":2}",
	    "{\"\xc3\xa9\":\"\x7f\"}", "{\"a\":[[[[{\"b\":[]}]]]]}", "{\"a\":99999999999999999999999999}"};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		if (!mp_json_is_object(texts[i], strlen(texts[i])))
			fail_msg("refused: %s", texts[i]);
}

static void test_others(void **state)
{
	static const char *const texts[] = {"", " ", "[]", "1", "null", "\"x\"", "{", "}", "{}}", "{} {}", "{},",
	    "{a:1}", "{'a':1}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{\"a\":1 \"b\":2}", "{\"a\":[1,]}",
	    "{\"a\":[,1]}", "{\"a\":[1 2]}", "{\"a\":[1}", "{\"a\":01}", "{\"a\":-}", "{\"a\":1.}", "{\"a\":.5}",
	    "{\"a\":+1}", "{\"a\":1e}", "{\"a\":1e+}", "{\"a\":0x10}", "{\"a\":NaN}", "{\"a\":Infinity}",
	    "{\"a\":-Infinity}", "{\"a\":True}", "{\"a\":nul}", "{\"a\":nulll}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}",
	    "{\"a\":\"\\u12g4\"}", "{\"a\":\"\t\"}", "{\"a\":\"\n\"}", "{\"a\":\"\x01\"}", "{\"a\":\"\\",
	    "{\"a\":\"\\\"}", "\v{}", "{\"a\":1\f}", "\xef\xbb\xbf{}", "{/**/}", "{\"a\":1}//", "{1:2}"};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++)
		if (mp_json_is_object(texts[i], strlen(texts[i])))
			fail_msg("accepted: %s", texts[i]);
	assert_false(mp_json_is_object("{}\0", 3));
	assert_false(mp_json_is_object("{\"a\":\"\0\"}", 9));
	assert_false(mp_json_is_object("{\"a\":\"\\\0\"}", 10));
}

/* No proper prefix of an object is an object, and none is read past its end. */
static void test_cut_everywhere(void **state)
{
	static const char text[] = "{\"a\":[1.5e-7,true,{\"b\\u00e9\":null}],\"c\":\"\\\\\"}";

	(void)state;
	for (size_t len = 0; len < sizeof(text) - 1; len++) {
		char *part = malloc(len + 1); /* allocated at exactly this size, for the address sanitizer */

		memcpy(part, text, len);
		if (mp_json_is_object(part, len))
			fail_msg("accepted: %.*s", (int)len, part);
		free(part);
	}
	assert_true(mp_json_is_object(text, sizeof(text) - 1));
}

static bool nested(size_t depth)
{
	size_t len = 5 + 2 * (depth - 1) + 1;
	char *text = malloc(len);
	bool good;

	memcpy(text, "{\"a\":", 5);
	memset(text + 5, '[', depth - 1);
	memset(text + 5 + depth - 1, ']', depth - 1);
	text[len - 1] = '}';
	good = mp_json_is_object(text, len);
	free(text);
	return good;
}

static void test_depth(void **state)
{
	(void)state;
	assert_true(nested(100));
	assert_false(nested(101));
	assert_false(nested(1000000));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_objects),
	    cmocka_unit_test(test_others),
	    cmocka_unit_test(test_cut_everywhere),
	    cmocka_unit_test(test_depth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
