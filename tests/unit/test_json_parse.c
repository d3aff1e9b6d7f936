/* test_json_parse.c: JSON as a tree: values, escapes, numbers, faults; and what is written is read back. */
#include "support.h"

#include <locale.h>

#include "base/json.h"

static cJSON *parse(const char *text)
{
	const char *fault;
	size_t len = strlen(text);
	char *exact = malloc(len ? len : 1); /* without a NUL, for the address sanitizer */
	cJSON *root;

	memcpy(exact, text, len);
	root = mp_json_parse(exact, len, &fault);
	free(exact); /* the tree has copies */
	if (!root)
		fail_msg("refused: %s", text);
	return root;
}

static void test_values(void **state)
{
	cJSON *root =
	    parse(" {\"a\": [1, \"x\", true, false, null, {}, []], \"b\": {\"c\": {\"d\": -0.5e1}}, \"a\": 2} ");
	const cJSON *a = mp_json_member(root, "a"), *item;
	static const int types[] = {
	    cJSON_Number, cJSON_String, cJSON_True, cJSON_False, cJSON_NULL, cJSON_Object, cJSON_Array};
	int at = 0;

	(void)state;
	assert_true(cJSON_IsObject(root) && cJSON_IsArray(a)); /* the first of two */
	assert_int_equal(cJSON_GetArraySize(root), 3);
	assert_int_equal(cJSON_GetArraySize(a), COUNT(types));
	for (item = a->child; item; item = item->next)
		assert_int_equal(item->type, types[at++]);
	assert_string_equal(cJSON_GetStringValue(a->child->next), "x");
	item = mp_json_member(mp_json_member(mp_json_member(root, "b"), "c"), "d");
	assert_true(cJSON_GetNumberValue(item) == -5);
	assert_string_equal(item->valuestring, "-0.5e1");
	assert_null(mp_json_member(root, "A"));
	assert_null(mp_json_member(a, "a"));
	assert_null(mp_json_member(NULL, "a"));
	cJSON_Delete(root);
}

static void test_texts(void **state)
{
	static const struct {
		const char *json, *text;
	} cases[] = {{"\"\"", ""}, {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
	    {"\"\\u0041\\u007f\"", "A\x7f"}, {"\"\\u0080\\u07FF\"", "\xc2\x80\xdf\xbf"},
	    {"\"\\u0800\\uffff\"", "\xe0\xa0\x80\xef\xbf\xbf"},
	    {"\"\\ud800\\udc00\\udbff\\uDFFF\"", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"}, {"\"\xc3\xa9\"", "\xc3\xa9"},
	    {"\"a\\u0000b\"", "a"}, {"\"\\\\u0041\"", "\\u0041"}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cJSON *root = parse(cases[i].json);

		assert_string_equal(cJSON_GetStringValue(root), cases[i].text);
		cJSON_Delete(root);
	}
}

/* Digits are those of the text, whatever else has digits. */
static void test_numbers(void **state)
{
	static const char *const texts[] = {"0", "-0", "9007199254740993", "9223372036854775807",
	    "-9223372036854775808", "123456789012345678901234567890", "1e400", "0.25",
	    "100000000000000000000000000000000000000000000000000000000000000"};
	char text[512];
	cJSON *root;

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		root = parse(texts[i]);
		assert_true(cJSON_IsNumber(root));
		assert_string_equal(root->valuestring, texts[i]);
		cJSON_Delete(root);
		snprintf(text, sizeof(text), "[\"-1\\\"2\\\\\",{\"3\":%s,\"\":[]},true,%s,[[%s]]]", texts[i], texts[i],
		    texts[i]);
		root = parse(text);
		assert_string_equal(root->child->next->child->valuestring, texts[i]);
		assert_string_equal(cJSON_GetArrayItem(root, 3)->valuestring, texts[i]);
		assert_string_equal(cJSON_GetArrayItem(root, 4)->child->child->valuestring, texts[i]);
		cJSON_Delete(root);
	}
	root = parse("[0.25,1.5]");
	/* where the system has such a locale, it changes nothing */
	setlocale(LC_NUMERIC, "de_DE.UTF-8");
	assert_true(cJSON_GetNumberValue(root->child) == 0.25 && cJSON_GetNumberValue(root->child->next) == 1.5);
	setlocale(LC_NUMERIC, "C");
	cJSON_Delete(root);
}

static void test_integers(void **state)
{
	static const struct {
		const char *json;
		bool is_whole;
		int64_t value;
	} cases[] = {{"0", true, 0}, {"-0", true, 0}, {"-5", true, -5}, {"9007199254740993", true, 9007199254740993},
	    {"9223372036854775807", true, INT64_MAX}, {"-9223372036854775808", true, INT64_MIN},
	    {"9223372036854775808", false, 0}, {"1.0", false, 0}, {"1e3", false, 0}, {"\"1\"", false, 0},
	    {"null", false, 0}};
	int64_t value;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		cJSON *root = parse(cases[i].json);

		if (mp_json_integer(root, &value) != cases[i].is_whole ||
		    (cases[i].is_whole && value != cases[i].value))
			fail_msg("%s: %lld", cases[i].json, (long long)value);
		cJSON_Delete(root);
	}
	assert_false(mp_json_integer(NULL, &value));
}

static void test_faults(void **state)
{
	static const struct {
		const char *json;
		size_t at;
	} cases[] = {{"", 0}, {"{\"a\":1,}", 7}, {"{\"a\" 1}", 5}, {"[1,2", 4}, {"{} x", 3}, {"[\"\n\"]", 2},
	    {"[\"\\ud800\"]", 8}, {"[\"\\ud800\\u0041\"]", 14}, {"[\"\\udc00\"]", 8}, {"[tru]", 1}, {"[01]", 2},
	    {"[1000000000000000000000000000000000000000000000000000000000000000]", 65}};
	const char *fault;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *json = cases[i].json;

		if (mp_json_parse(json, strlen(json), &fault))
			fail_msg("accepted: %s", json);
		if (!fault || (size_t)(fault - json) != cases[i].at)
			fail_msg("%s: fault at %td", json, fault ? fault - json : -1);
	}
}

static void test_quote(void **state)
{
	static const char text[] = "a\"b\\c\n\x01\x1f\x7f\xc3\xa9/";
	char *json = NULL;
	size_t size;
	FILE *f = open_memstream(&json, &size);
	cJSON *root;

	(void)state;
	mp_json_quote(f, text);
	assert_int_equal(fclose(f), 0);
	root = parse(json);
	assert_string_equal(cJSON_GetStringValue(root), text);
	cJSON_Delete(root);
	free(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_texts),
	    cmocka_unit_test(test_numbers), cmocka_unit_test(test_integers), cmocka_unit_test(test_faults),
	    cmocka_unit_test(test_quote)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
