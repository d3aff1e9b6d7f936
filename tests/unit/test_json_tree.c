/* test_json_tree.c: JSON as a tree: values, escapes, numbers, faults; and what is written is read back. */
#include "support.h"

#include <locale.h>
#include <math.h>

#include "base/json_tree.h"

static struct mp_json_node *parse(const char *text)
{
	const char *fault;
	size_t len = strlen(text);
	char *exact = malloc(len ? len : 1); /* without a NUL, for the address sanitizer */
	struct mp_json_node *root;

	memcpy(exact, text, len);
	root = mp_json_tree(exact, len, &fault);
	free(exact); /* the tree has copies */
	if (!root)
		fail_msg("refused: %s", text);
	return root;
}

static void test_values(void **state)
{
	struct mp_json_node *root =
	    parse(" {\"a\": [1, \"x\", true, false, null, {}, []], \"b\": {\"c\": {\"d\": -0.5e1}}, \"a\": 2} ");
	const struct mp_json_node *a = mp_json_member(root, "a"), *b = mp_json_member(root, "b");
	static const enum mp_json_type types[] = {
	    MP_JSON_NUMBER, MP_JSON_TEXT, MP_JSON_BOOL, MP_JSON_BOOL, MP_JSON_NULL, MP_JSON_OBJECT, MP_JSON_ARRAY};

	(void)state;
	assert_true(mp_json_is(root, MP_JSON_OBJECT) && mp_json_is(a, MP_JSON_ARRAY));
	assert_int_equal(mp_json_size(root), 3);
	assert_int_equal(mp_json_size(a), COUNT(types));
	for (size_t i = 0; i < COUNT(types); i++)
		assert_true(mp_json_is(mp_json_item(a, i), types[i]) && !mp_json_item(a, i)->key);
	assert_null(mp_json_item(a, COUNT(types)));
	assert_true(mp_json_item(a, 2)->is_true && !mp_json_item(a, 3)->is_true);
	assert_string_equal(mp_json_text(mp_json_item(a, 1)), "x");
	assert_null(mp_json_text(mp_json_item(a, 0)));
	assert_true(mp_json_number(mp_json_member(mp_json_member(b, "c"), "d")) == -5);
	assert_string_equal(mp_json_first(root)->next->next->key, "a");
	mp_json_tree_free(root);
}

static void test_nothing(void **state)
{
	(void)state;
	assert_false(mp_json_is(NULL, MP_JSON_NULL));
	assert_null(mp_json_first(NULL));
	assert_null(mp_json_member(NULL, "a"));
	assert_null(mp_json_item(NULL, 0));
	assert_null(mp_json_text(NULL));
	assert_true(isnan(mp_json_number(NULL)));
	assert_int_equal(mp_json_size(NULL), 0);
	mp_json_tree_free(NULL);
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
		struct mp_json_node *root = parse(cases[i].json);

		assert_string_equal(mp_json_text(root), cases[i].text);
		mp_json_tree_free(root);
	}
}

static void test_numbers(void **state)
{
	static const char *const texts[] = {"0", "-0", "9007199254740993", "123456789012345678901234567890", "1e400"};
	struct mp_json_node *root;

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		root = parse(texts[i]);
		assert_true(mp_json_is(root, MP_JSON_NUMBER));
		assert_string_equal(root->text, texts[i]);
		mp_json_tree_free(root);
	}
	root = parse("[0.25,1.5]");
	/* where the system has such a locale, it changes nothing */
	setlocale(LC_NUMERIC, "de_DE.UTF-8");
	assert_true(mp_json_number(mp_json_item(root, 0)) == 0.25 && mp_json_number(mp_json_item(root, 1)) == 1.5);
	setlocale(LC_NUMERIC, "C");
	mp_json_tree_free(root);
}

static void test_faults(void **state)
{
	static const struct {
		const char *json;
		size_t at;
	} cases[] = {{"", 0}, {"{\"a\":1,}", 7}, {"{\"a\" 1}", 5}, {"[1,2", 4}, {"{} x", 3}, {"[\"\n\"]", 2},
	    {"[\"\\ud800\"]", 8}, {"[\"\\ud800\\u0041\"]", 14}, {"[\"\\udc00\"]", 8}, {"[tru]", 1}, {"[01]", 2}};
	const char *fault;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *json = cases[i].json;

		if (mp_json_tree(json, strlen(json), &fault))
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
	struct mp_json_node *root;

	(void)state;
	mp_json_quote(f, text);
	assert_int_equal(fclose(f), 0);
	root = parse(json);
	assert_string_equal(mp_json_text(root), text);
	mp_json_tree_free(root);
	free(json);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_nothing),
	    cmocka_unit_test(test_texts), cmocka_unit_test(test_numbers), cmocka_unit_test(test_faults),
	    cmocka_unit_test(test_quote)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
