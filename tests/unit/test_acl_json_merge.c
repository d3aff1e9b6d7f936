/* test_acl_json_merge.c: merging and rewriting acl.json; hostile files, and files without JSON. */
#include "acl_json_support.h"

#include "base/json.h"
#include "base/text.h"

static char *text_of(const struct mp_acl_json *file)
{
	struct mp_error err;
	char *text = NULL;

	assert_ok(mp_acl_json_text(file, &text, &err), &err);
	if (!mp_json_is_object(text, strlen(text)))
		fail_msg("not JSON: %s", text);
	return text;
}

static void test_merge_of_nothing(void **state)
{
	struct mp_acl_json *file = parse(MP_ACL_SVP, "{}");
	struct mp_error err;
	char *text;

	(void)state;
	assert_ok(mp_acl_json_merge(file, "profiling", NULL, &err), &err);
	assert_true(file->settings.on);
	text = text_of(file);
	assert_string_equal(text,
	    "{\n    \"profiler\": {\n        \"output\": \"profiling\",\n"
	    "        \"aicpu\": \"on\",\n        \"aacpu\": \"on\",\n"
	    "        \"aic_metrics\": \"ArithmeticUtilization\",\n        \"aac_metrics\": \"ArithmeticUtilization\",\n"
	    "        \"interval\": \"0\",\n        \"acl_api\": \"on\",\n        \"switch\": \"on\"\n    }\n}\n");
	free(text);
	mp_acl_json_free(file);
}

static void test_merge_order(void **state)
{
	static const struct mp_acl_pair overrides[] = {{"interval", "7"}, {"aicpu", "on"}, {NULL, NULL}};
	struct mp_acl_json *file = parse(MP_ACL_SVP,
	    "{\"profiler\":{\"switch\":\"off\",\"interval\":3,\"aic_metrics\":\"none\",\"aacpu\":\"off\",\"output\":\"here\"}}");
	struct mp_acl_item item;
	struct mp_error err;

	(void)state;
	assert_ok(mp_acl_json_merge(file, "profiling", overrides, &err), &err);
	assert_false(file->settings.on); /* set by the file */
	assert_string_equal(file->settings.output, "here");
	assert_int_equal(file->settings.interval, 7);
	assert_true(file->settings.calls);
	assert_value(file, "aacpu", "on");
	assert_value(file, "aac_metrics", NULL); /* a bad value means "not collected", also after a merge */
	assert_true(mp_acl_json_item(file, 1, &item));
	assert_string_equal(item.key, "aicpu");
	assert_int_equal(item.origin, MP_ACL_CALLER);
	assert_true(mp_acl_json_item(file, 2, &item) && item.origin == MP_ACL_BAD_VALUE);
	mp_acl_json_free(file);
	file = parse(MP_ACL_SVP, "{\"profiler\":{\"output\":\"a b\"}}");
	assert_ok(mp_acl_json_merge(file, "profiling", NULL, &err), &err);
	assert_string_equal(file->settings.output, "profiling");
	mp_acl_json_free(file);
}

static void test_merge_refused(void **state)
{
	static const struct {
		const char *key, *value, *says;
	} cases[] = {{"interval", "-1", "interval '-1': not a whole number"}, {"interval", "x", "interval 'x'"},
	    {"interval", "10000", "not a whole number from 0 to 9999"},
	    {"acl_api", "ON", "acl_api 'ON': not 'on' or 'off'"},
	    {"aic_metrics", "Memory", "not 'ArithmeticUtilization'"}, {"output", "a b", "the character ' '"},
	    {"nosuch", "on", "nosuch: unknown key"}};
	struct mp_acl_json *file = parse(MP_ACL_SVP, "{\"profiler\":{\"interval\":\"5\"}}");
	struct mp_error err;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mp_acl_pair pairs[] = {{"aacpu", "on"}, {cases[i].key, cases[i].value}, {NULL, NULL}};

		assert_refused(mp_acl_json_merge(file, NULL, pairs, &err), &err, cases[i].says);
		assert_true(file->settings.interval == 5 && file->settings.calls && !file->settings.on);
		assert_value(file, "aacpu", "off"); /* as the libraries take a file without it */
	}
	assert_refused(mp_acl_json_merge(file, "a;b", NULL, &err), &err, "';'");
	mp_acl_json_free(file);
	file = parse(MP_ACL_SVP, "{\"dump\":{\"dump_path\":\"x\"}}");
	assert_refused(mp_acl_json_merge(file, NULL, NULL, &err), &err, "'profiler' and 'dump'");
	mp_acl_json_free(file);
	file = parse(MP_ACL_SVP, "{\"profiler\":{\"switch\":\"on\",\"switch\":\"on\"}}");
	assert_refused(mp_acl_json_merge(file, NULL, NULL, &err), &err, "profiler.switch 'on': given twice");
	mp_acl_json_free(file);
}

/* What libraries of boards do not read, or fail on, is written anew as it was meant. */
static void test_merge_mends(void **state)
{
	static const struct {
		const char *members, *wants; /* of the text that is written */
	} cases[] = {{"\"interval\":3", "\"interval\": \"3\""}, {"\"interval\":1.5", "\"interval\": \"0\""},
	    {"\"interval\":\"10000\"", "\"interval\": \"0\""}, {"\"aacpu\":\"off\"", "\"aicpu\": \"off\""},
	    {"\"aacpu\":\"on\",\"aicpu\":\"off\"", "\"aacpu\": \"off\""}, {"\"acl_api\":1", "\"acl_api\": \"off\""},
	    {"\"output\":\"\"", "\"output\": \"profiling\""}};
	struct mp_error err;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mp_acl_json *file, *again;
		char text[256], *written;

		snprintf(text, sizeof(text), "{\"profiler\":{\"switch\":\"on\",%s}}", cases[i].members);
		file = parse(MP_ACL_SVP, text);
		assert_ok(mp_acl_json_merge(file, "profiling", NULL, &err), &err);
		assert_true(file->settings.on);
		written = text_of(file);
		if (!strstr(written, cases[i].wants))
			fail_msg("no %s in %s", cases[i].wants, written);
		again = parse(MP_ACL_SVP, written);
		mp_acl_json_judge(again);
		assert_int_equal(again->errors + again->warnings, 0);
		free(written);
		mp_acl_json_free(again);
		mp_acl_json_free(file);
	}
}

/* Foreign members are copied literally: wide numbers, escapes, order. Another merge changes nothing. */
static void test_round_trip(void **state)
{
	struct mp_acl_json *file = parse(MP_ACL_SVP,
	    "{\"a\\u0022\":12345678901234567890,\"profiler\":{\"x\":{\"y\":[\"}\\\\\",1.10]},\"aicpu\":\"off\",\"z\":null},"
	    "\"b\": [ {\"profiler\":1} , \"\\\"]\" ],\"c\":\"\x7f\xe2\x80\xae\"}");
	struct mp_error err;
	char *first, *second;

	(void)state;
	assert_ok(mp_acl_json_merge(file, NULL, NULL, &err), &err);
	first = text_of(file);
	mp_acl_json_free(file);
	assert_string_equal(first,
	    "{\n    \"a\\u0022\": 12345678901234567890,\n    \"profiler\": {\n        \"aicpu\": \"off\",\n"
	    "        \"aacpu\": \"off\",\n        \"aic_metrics\": \"ArithmeticUtilization\",\n"
	    "        \"aac_metrics\": \"ArithmeticUtilization\",\n        \"interval\": \"0\",\n        \"acl_api\": \"on\",\n"
	    "        \"switch\": \"on\",\n        \"x\": {\"y\":[\"}\\\\\",1.10]},\n        \"z\": null\n    },\n"
	    "    \"b\": [ {\"profiler\":1} , \"\\\"]\" ],\n    \"c\": \"\\u007f\\u202e\"\n}\n");
	file = parse(MP_ACL_SVP, first);
	assert_int_equal(file->warnings, 2);
	assert_ok(mp_acl_json_merge(file, NULL, NULL, &err), &err);
	second = text_of(file);
	assert_string_equal(first, second);
	free(first);
	free(second);
	mp_acl_json_free(file);
}

static void test_text_of_ascend(void **state)
{
	struct mp_acl_json *file = parse(MP_ACL_ASCEND,
			       "{\"profiler\":{\"optype\":\"a\\\"\\\\b\",\"sys_cpu_freq\":\"20\",\"aacpu\":\"on\"}}"),
			   *again;
	char *text = text_of(file);

	(void)state;
	assert_non_null(strstr(text, "\"sys_cpu_freq\": 20"));
	assert_non_null(strstr(text, "\"aicpu\": \"on\""));
	again = parse(MP_ACL_ASCEND, text);
	assert_int_equal(again->errors + again->warnings, 0);
	assert_value(again, "optype", "a\"\\b");
	free(text);
	mp_acl_json_free(file);
	mp_acl_json_free(again);
	file = parse(MP_ACL_ASCEND, "{\"dump\":{\"dump_path\":\".\"}}");
	text = text_of(file);
	assert_string_equal(text, "{\n    \"dump\": {\"dump_path\":\".\"}\n}\n");
	free(text);
	mp_acl_json_free(file);
}

static void test_not_json(void **state)
{
	static const struct {
		const char *text;
		size_t len; /* 0: the length of the string */
		const char *says;
	} cases[] = {{"", 0, "empty"}, {" ", 0, "not a JSON object"}, {"[1]", 0, "not a JSON object"},
	    {"\"x\"", 0, "not a JSON object"}, {"{\"profiler\":{\n\"switch\":\"on\",}}", 0, "error in line 2"},
	    {"# acl.json\n{}", 0, "error in line 1"}, {"{\"a\":01}", 0, "not a JSON object"},
	    {"{'a':1}", 0, "not a JSON object"}, {"{} x", 0, "not a JSON object"}, {"{\"a\":1", 0, "not a JSON object"},
	    {"{\"a\":\"\n\"}", 0, "error in line 1, column 7"}, {"{}\0 ", 4, "a NUL byte"},
	    {"{\"a\":\"\xff\"}", 0, "not UTF-8"}, {"\xef\xbb\xbf{}", 0, "byte order mark"},
	    {"{\"profiler\":{\"output\":\"a\\u0000;b\"}}", 0, "the character NUL"},
	    {"{\"a\":\"\\ud800\"}", 0, "not a JSON object"},
	    {"{ \u201cprofiler\u201d:1}", 0, "line 1, column 3, at '\u201c': write '\"'"},
	    {"{\"a\":\"\u8def\u5f84\"\uff0c\"b\":1}", 0, "line 1, column 10, at '\uff0c': write ','"},
	    {"{\n\"\u4e2d\"\uff1a1}", 0, "line 2, column 4, at '\uff1a': write ':'"},
	    {"{\"a\":\uff5b}}", 0, "column 6, at '\uff5b': write '{'"},
	    {"{\"a\":[1\uff3d}", 0, "column 8, at '\uff3d': write ']'"},
	    {"{\u3000}", 0, "column 2, at '\u3000': write ' '"},
	    {"{\"a\":1, // \u8f93\u51fa\n\"b\":2}", 0, "line 1, column 9, at '/': JSON has no comments"},
	    {"{\"a\":\u8def}", 0, "line 1, column 6, at '\u8def'"}};
	struct mp_acl_json *file;
	struct mp_error err;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t len = cases[i].len ? cases[i].len : strlen(cases[i].text);

		assert_refused(
		    mp_acl_json_parse(&file, MP_ACL_SVP, "test", cases[i].text, len, &err), &err, cases[i].says);
	}
	file = parse(MP_ACL_SVP, "{\"a\":\"\\\\u0000\"}"); /* a backslash and letters */
	mp_acl_json_free(file);
}

/* 200 openings, 40,000 unknown keys, a key of 300,000 bytes with an escape sequence for the terminal. */
static void test_hostile(void **state)
{
	char *text = calloc(1, MP_ACL_SIZE_MAX + 2);
	struct mp_acl_json *file;
	struct mp_error err;
	size_t len;

	(void)state;
	assert_non_null(text);
	memset(text, '[', 200);
	memcpy(text, "{\"a\":", 5);
	assert_refused(mp_acl_json_parse(&file, MP_ACL_SVP, "test", text, 200, &err), &err, "not a JSON object");
	len = (size_t)sprintf(text, "{\"profiler\":{");
	for (int i = 0; i < 40000; i++)
		len += (size_t)sprintf(text + len, "\"k%d\":1,", i);
	sprintf(text + len, "\"interval\":1,\"switch\":\"on\",\"switch\":\"on\"}}");
	file = parse(MP_ACL_SVP, text);
	assert_int_equal(file->warnings, 40000);
	assert_int_equal(file->finding_count, MP_ACL_FINDINGS_MAX);
	assert_finding(file, MP_ACL_ERROR, "given twice");
	assert_refused(mp_acl_json_merge(file, NULL, NULL, &err), &err, "given twice");
	mp_acl_json_free(file);
	len = (size_t)sprintf(text, "{\"profiler\":{\"\\u001b[31m");
	memset(text + len, 'x', 300000);
	sprintf(text + len + 300000, "\":\"\\u009b\xe2\x80\xae\"}}");
	file = parse(MP_ACL_ASCEND, text);
	assert_int_equal(file->errors, 1);
	assert_false(mp_has_control(file->findings[0].key, strlen(file->findings[0].key)));
	assert_false(mp_has_control(file->findings[0].value, strlen(file->findings[0].value)));
	mp_acl_json_free(file);
	free(text);
}

static void test_read(void **state)
{
	char *dir = temp_dir(), *text = malloc(MP_ACL_SIZE_MAX + 1);
	struct mp_acl_json *file;
	struct mp_error err;

	(void)state;
	write_text(dir, "acl.json", GUIDE);
	assert_ok(mp_acl_json_read(&file, below(dir, "acl.json"), MP_ACL_SVP, &err), &err);
	assert_true(file->settings.on);
	mp_acl_json_free(file);
	memset(text, ' ', MP_ACL_SIZE_MAX + 1);
	memcpy(text, "{}", 2);
	write_file(dir, "large", text, MP_ACL_SIZE_MAX);
	assert_ok(mp_acl_json_read(&file, below(dir, "large"), MP_ACL_SVP, &err), &err);
	mp_acl_json_free(file);
	write_file(dir, "large", text, MP_ACL_SIZE_MAX + 1);
	assert_refused(mp_acl_json_read(&file, below(dir, "large"), MP_ACL_SVP, &err), &err, "larger than 1 MiB");
	assert_int_equal(mkfifo(below(dir, "fifo"), 0600), 0);
	assert_refused(mp_acl_json_read(&file, below(dir, "fifo"), MP_ACL_SVP, &err), &err, "not a regular file");
	assert_refused(mp_acl_json_read(&file, dir, MP_ACL_SVP, &err), &err, "not a regular file");
	assert_refused(mp_acl_json_read(&file, below(dir, "nosuch"), MP_ACL_SVP, &err), &err, "cannot open");
	free(text);
	remove_dir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_merge_of_nothing),
	    cmocka_unit_test(test_merge_order),
	    cmocka_unit_test(test_merge_refused),
	    cmocka_unit_test(test_merge_mends),
	    cmocka_unit_test(test_round_trip),
	    cmocka_unit_test(test_text_of_ascend),
	    cmocka_unit_test(test_not_json),
	    cmocka_unit_test(test_hostile),
	    cmocka_unit_test(test_read),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
