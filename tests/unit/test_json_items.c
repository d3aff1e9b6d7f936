/* test_json_items.c: the items of a large array, one at a time: what is an array, where it ends, and what is too much.
 */
#include "support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"

/* The texts or numbers of all items of a text, each with a blank behind it, and '.' at the end of a whole array. */
static void expect_items(const char *text, size_t len, const char *wanted)
{
	FILE *f = tmpfile();
	struct mp_json_items *items;
	cJSON *item;
	struct mp_error err;
	char found[256] = "";
	size_t used = 0;
	int status;

	assert_non_null(f);
	assert_int_equal(fwrite(text, 1, len, f), len);
	assert_int_equal(fflush(f), 0);
	assert_int_equal(mp_json_items_begin(&items, fileno(f), &err), 0);
	while ((status = mp_json_items_next(items, &item, &err)) == 1) {
		const cJSON *name = mp_json_member(item, "n");

		used += (size_t)snprintf(found + used, sizeof(found) - used, "%.20s ",
		    name                ? name->valuestring
		    : item->valuestring ? item->valuestring
					: "?");
		cJSON_Delete(item);
	}
	assert_int_equal(status, 0);
	assert_null(item);
	assert_int_equal(mp_json_items_next(items, &item, &err), 0); /* an end stays an end */
	if (mp_json_items_whole(items))
		snprintf(found + used, sizeof(found) - used, ".");
	assert_string_equal(found, wanted);
	mp_json_items_free(items);
	fclose(f);
}

static void expect_text(const char *text, const char *wanted)
{
	expect_items(text, strlen(text), wanted);
}

static void arrays(void **state)
{
	(void)state;
	expect_text("[]", ".");
	expect_text(" [ 1 , 2.5,\n\"a]\\\"b\" ,{\"n\":\"x\"}, [3] ] trailing", "1 2.5 a]\"b x ? .");
	expect_text("\xef\xbb\xbf[true]", "? .");
	expect_text("{\"traceEvents\":[{\"n\":\"a\"}]}", "a .");
	expect_text("{\"a\": {\"traceEvents\": [9]}, \"b\": [1, \"]}\"], \"c\": 5, \"traceEvents\" : [ 7 ]", "7 .");
}

static void no_arrays(void **state)
{
	static const char *const texts[] = {"", " ", "{}", "5", "\"[1]\"", "{\"a\":[1]}", "{\"traceEvents\":5}",
	    "{\"traceEvents\"", "{\"a\" 5}", "{5:[1]}", "\xef\xbb[1]"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		expect_text(texts[i], "");
}

static void broken(void **state)
{
	(void)state;
	expect_text("[1", "");
	expect_text("[1,", "1 ");
	expect_text("[1 2]", "1 ");
	expect_text("[1,]", "1 ");
	expect_text("[,1]", "");
	expect_text("[\"a\\", "");
	expect_text("[{\"n\":1},{\"n\":}]", "1 ");
	expect_text("[1,}]", "1 ");
	expect_items("[1,\0]", 5, "1 ");
}

/* One byte more than fits ends the reading, deep nesting too; an item across the window does not. */
static void sizes(void **state)
{
	const size_t room = 3 * MP_JSON_ITEM_MAX;
	char *text = malloc(room);

	(void)state;
	assert_non_null(text);
	for (size_t more = 0; more < 2; more++) {
		const size_t len = MP_JSON_ITEM_MAX + more; /* with its quotes */

		memset(text, ' ', MP_JSON_ITEM_MAX - 5);
		text[0] = '[';
		memset(text + MP_JSON_ITEM_MAX - 5, 'x', len);
		text[MP_JSON_ITEM_MAX - 5] = text[MP_JSON_ITEM_MAX - 6 + len] = '"';
		text[MP_JSON_ITEM_MAX - 5 + len] = ']';
		expect_items(text, MP_JSON_ITEM_MAX - 4 + len, more ? "" : "xxxxxxxxxxxxxxxxxxxx .");
	}
	memset(text, '[', room);
	expect_items(text, room, "");
	/* a member before the array may be longer than an item */
	memset(text, ' ', room);
	memcpy(text, "{\"a\":{\"b\":\"", 11);
	memset(text + 11, 'y', 2 * MP_JSON_ITEM_MAX);
	memcpy(text + 11 + 2 * MP_JSON_ITEM_MAX, "\"},\"traceEvents\":[4]}", 21);
	expect_items(text, room, "4 .");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(arrays), cmocka_unit_test(no_arrays), cmocka_unit_test(broken), cmocka_unit_test(sizes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
