/* test_csv_json.c: hostile and ordinary cells in the two machine formats. */
#include "out_support.h"

#include <cjson/cJSON.h>
#include <math.h>

#include "base/text.h"
#include "report/formats.h"

static struct sink sink;

static int setup(void **state)
{
	(void)state;
	sink_open(&sink);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	sink_close(&sink);
	return 0;
}

static const char *json_of(const char *s, size_t len)
{
	sink_close(&sink);
	sink_open(&sink);
	mp_json_string(sink.out, s, len);
	return sink_text(&sink);
}

/* What a JSON reader reads back; the caller frees the text. */
static char *json_round_trip(const char *s, size_t len)
{
	const char *text = json_of(s, len);
	cJSON *item = cJSON_ParseWithOpts(text, NULL, 1);
	char *back;

	if (!cJSON_IsString(item))
		fail_msg("not JSON: %s", text);
	assert_false(mp_has_control(text, strlen(text)));
	back = strdup(item->valuestring);
	cJSON_Delete(item);
	return back;
}

static void test_json_escapes(void **state)
{
	(void)state;
	assert_string_equal(json_of("", 0), "\"\"");
	assert_string_equal(json_of("a\"b\\c/d", 7), "\"a\\\"b\\\\c/d\"");
	assert_string_equal(json_of("\n\t\0\x7f", 4), "\"\\u000a\\u0009\\u0000\\u007f\"");
	assert_string_equal(json_of("\xc2\x9b\xe2\x80\xae\xe2\x81\xa6", 8), "\"\\u009b\\u202e\\u2066\"");
	assert_string_equal(json_of("caf\xc3\xa9 \xf0\x9f\x98\x80", 10), "\"caf\xc3\xa9 \xf0\x9f\x98\x80\"");
	assert_string_equal(json_of("a\xff\xc0\x80z", 5), "\"a\\ufffd\\ufffd\\ufffdz\"");
	assert_string_equal(json_of("a\x1f"
				    "b\x1f",
				4),
	    "\"a,b,\"");
}

/* All code points that a name may contain, and random ones, are read back unchanged. */
static void test_json_round_trip(void **state)
{
	char all[0x7e + 2 * 0x80], *back;
	size_t used = 0;
	uint64_t seed = 21;

	(void)state;
	for (int cp = 1; cp < 0x100; cp++) {
		if (cp == MP_LIST_SEPARATOR)
			continue;
		if (cp >= 0x80)
			all[used++] = (char)(0xc0 | cp >> 6);
		all[used++] = (char)(cp < 0x80 ? cp : 0x80 | (cp & 0x3f));
	}
	assert_int_equal(used, sizeof(all));
	back = json_round_trip(all, used);
	assert_int_equal(strlen(back), used);
	assert_memory_equal(back, all, used);
	free(back);
	for (int round = 0; round < 300; round++) {
		char bytes[64];
		size_t len = next_random(&seed) % sizeof(bytes);

		for (size_t i = 0; i < len; i++)
			bytes[i] = (char)(1 + next_random(&seed) % 255);
		back = json_round_trip(bytes, len);
		assert_true(mp_utf8_valid(back, strlen(back)));
		if (mp_utf8_valid(bytes, len) && !memchr(bytes, MP_LIST_SEPARATOR, len))
			assert_int_equal(strncmp(back, bytes, len), 0);
		free(back);
	}
}

static void test_json_rows(void **state)
{
	static const char *const titles[] = {"Name", "/Time(us)", "N", "X"};
	const struct mp_section s = {.title = "T", .heading = "H", .titles = titles, .column_count = 4};
	const struct mp_value cells[] = {text_cell("a\x1f"
						   "b"),
	    real_cell(0.1), int_cell(-5), null_cell(), text_cell("-"), real_cell(NAN), int_cell(INT64_MIN),
	    real_cell(INFINITY)};
	struct mp_json json;

	(void)state;
	mp_json_init(&json, sink.out, false);
	write_section(&json.writer, &s, cells, 2, 0);
	mp_json_finish(&json);
	assert_string_equal(sink_text(&sink), "[\n"
					      "    {\n"
					      "        \"Name\": \"a,b\",\n"
					      "        \"Time(us)\": 0.1,\n"
					      "        \"N\": -5,\n"
					      "        \"X\": \"N/A\"\n"
					      "    },\n"
					      "    {\n"
					      "        \"Name\": \"-\",\n"
					      "        \"Time(us)\": \"N/A\",\n"
					      "        \"N\": -9223372036854775808,\n"
					      "        \"X\": \"N/A\"\n"
					      "    }\n"
					      "]\n");
}

static void test_json_empty(void **state)
{
	static const char *const titles[] = {"A"};
	const struct mp_section s = {.title = "T", .heading = "", .titles = titles, .column_count = 1};
	struct mp_json json;

	(void)state;
	mp_json_init(&json, sink.out, false);
	mp_json_finish(&json);
	assert_string_equal(sink_text(&sink), "[]\n");
	mp_json_init(&json, sink.out, false);
	write_section(&json.writer, &s, NULL, 0, 0);
	mp_json_finish(&json);
	mp_json_init(&json, sink.out, true);
	mp_json_finish(&json);
	assert_string_equal(sink_text(&sink), "[]\n[]\n[]\n");
}

static void test_json_sections(void **state)
{
	static const char *const titles[] = {"A", "B"}, *const keys[] = {"device_id", "model"};
	const struct mp_value key_values[] = {int_cell(3), text_cell("m\"")}, cells[] = {int_cell(1), text_cell("x")};
	const struct mp_section full = {.title = "One",
	    .heading = "not for machines",
	    .key_names = keys,
	    .keys = key_values,
	    .key_count = 2,
	    .titles = titles,
	    .column_count = 2};
	const struct mp_section absent = {.title = "Two", .heading = "", .absent = "because"};
	const struct mp_section good_news = {.title = "Three", .heading = "", .absent = "none: all is well"};
	struct mp_json json;
	const cJSON *one, *two;
	cJSON *all;

	(void)state;
	mp_json_init(&json, sink.out, true);
	write_section(&json.writer, &full, cells, 1, 7);
	write_section(&json.writer, &absent, NULL, 0, 0);
	write_section(&json.writer, &good_news, NULL, 0, 0);
	mp_json_finish(&json);
	all = cJSON_ParseWithOpts(sink_text(&sink), NULL, 0);
	assert_int_equal(cJSON_GetArraySize(all), 3);
	assert_null(cJSON_GetObjectItem(cJSON_GetArrayItem(all, 2), "no_data"));
	one = cJSON_GetArrayItem(all, 0);
	two = cJSON_GetArrayItem(all, 1);
	assert_string_equal(cJSON_GetObjectItem(one, "table")->valuestring, "One");
	assert_int_equal(cJSON_GetObjectItem(one, "device_id")->valueint, 3);
	assert_string_equal(cJSON_GetObjectItem(one, "model")->valuestring, "m\"");
	assert_int_equal(cJSON_GetObjectItem(one, "more_rows")->valueint, 7);
	assert_null(cJSON_GetObjectItem(one, "no_data"));
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(one, "rows")), 1);
	assert_string_equal(
	    cJSON_GetObjectItem(cJSON_GetArrayItem(cJSON_GetObjectItem(one, "rows"), 0), "B")->valuestring, "x");
	assert_string_equal(cJSON_GetObjectItem(two, "no_data")->valuestring, "because");
	assert_true(cJSON_IsArray(cJSON_GetObjectItem(two, "rows")));
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(two, "rows")), 0);
	assert_null(cJSON_GetObjectItem(two, "more_rows"));
	cJSON_Delete(all);
}

/* With sections a missing value is null, and so is the dash of a total; an error ends open objects. */
static void test_json_null_and_error(void **state)
{
	static const char *const titles[] = {"A", "B", "C"}, *const keys[] = {"model_id"};
	const struct mp_value none = {.type = MP_NULL}, infinite = {.type = MP_REAL, .d = INFINITY},
			      blob = {.type = MP_BLOB, .text = "x", .len = 1};
	const struct mp_value total[] = {text_cell("-"), text_cell("-"), int_cell(1)},
			      plain[] = {text_cell("x"), text_cell("-"), none}, odd[] = {none, infinite, blob};
	const struct mp_section s = {.title = "T",
	    .heading = "",
	    .key_names = keys,
	    .keys = &none,
	    .key_count = 1,
	    .titles = titles,
	    .column_count = 3};
	struct mp_error err;
	struct mp_json json;
	cJSON *all;
	char *text;

	(void)state;
	mp_json_init(&json, sink.out, true);
	mp_json_fail(&json, NULL, "no job");
	assert_int_equal(json.writer.section(&json.writer, &s, &err), 0);
	assert_int_equal(json.writer.row(&json.writer, total, &err), 0);
	assert_int_equal(json.writer.row(&json.writer, plain, &err), 0);
	assert_int_equal(json.writer.row(&json.writer, odd, &err), 0);
	mp_json_fail(&json, "JOBA", "torn \"page\"");
	mp_json_fail(&json, "JOBB", "gone");
	mp_json_finish(&json);
	all = cJSON_ParseWithOpts(sink_text(&sink), NULL, 0);
	text = cJSON_PrintUnformatted(all);
	cJSON_Delete(all);
	assert_non_null(text);
	assert_string_equal(text,
	    "[{\"table\":null,\"job\":null,\"rows\":[],\"error\":\"no job\"},"
	    "{\"table\":\"T\",\"model_id\":null,\"rows\":[{\"A\":null,\"B\":null,\"C\":1},{\"A\":\"x\",\"B\":\"-\",\"C\":null},"
	    "{\"A\":null,\"B\":null,\"C\":null}],\"error\":\"torn \\\"page\\\"\"},"
	    "{\"table\":null,\"job\":\"JOBB\",\"rows\":[],\"error\":\"gone\"}]");
	free(text);
}

/* One cell as CSV, without its line end. */
static const char *csv_of(struct mp_value cell)
{
	static const char *const titles[] = {"T"};
	const struct mp_section s = {.title = "", .heading = "", .titles = titles, .column_count = 1};
	static char text[1000];
	struct mp_csv csv;

	sink_close(&sink);
	sink_open(&sink);
	mp_csv_init(&csv, sink.out, false);
	write_section(&csv.writer, &s, &cell, 1, 0);
	snprintf(text, sizeof(text), "%s", sink_text(&sink));
	assert_int_equal(strncmp(text, "T\n", 2), 0);
	assert_int_equal(text[strlen(text) - 1], '\n');
	text[strlen(text) - 1] = '\0';
	return text + 2;
}

static void test_csv_cells(void **state)
{
	(void)state;
	assert_string_equal(csv_of(null_cell()), "N/A");
	assert_string_equal(csv_of(int_cell(-12)), "-12");
	assert_string_equal(csv_of(real_cell(100)), "100.0");
	assert_string_equal(csv_of(real_cell(4387.71)), "4387.71");
	assert_string_equal(csv_of(text_cell("")), "");
	assert_string_equal(csv_of(text_cell("plain text;'")), "plain text;'");
	assert_string_equal(csv_of(text_cell("a,b")), "\"a,b\"");
	assert_string_equal(csv_of(text_cell("say \"x\"")), "\"say \"\"x\"\"\"");
	assert_string_equal(csv_of(text_cell("\"")), "\"\"\"\"");
	assert_string_equal(csv_of(text_cell("conv1\x1f"
					     "relu")),
	    "\"conv1,relu\"");
	assert_string_equal(csv_of(text_cell("a\tb")), "a\tb");
	assert_string_equal(
	    csv_of(text_cell("a\tb,\xc3\xa9")), "\"a\tb,\xc3\xa9\""); /* a tab, whatever its neighbours */
	assert_string_equal(csv_of(text_cell("\x1f")), "\",\"");
	assert_string_equal(csv_of(text_cell("a\r\nb\x1b[m")), "a\\x0d\\x0ab\\x1b[m");
	assert_string_equal(csv_of(text_cell("caf\xc3\xa9")), "caf\xc3\xa9");
	assert_string_equal(csv_of(text_cell("\xff,\xe2\x80\xae\xc2\x9b")), "\"\\xff,\\xe2\\x80\\xae\\xc2\\x9b\"");
	assert_string_equal(csv_of((struct mp_value){.type = MP_TEXT, .text = "abc", .len = 2}), "ab");
	assert_string_equal(csv_of((struct mp_value){.type = MP_TEXT, .text = "a\0b", .len = 3}), "a\\x00b");
}

static void test_csv_lines(void **state)
{
	static const char *const titles[] = {"Task ID", "/Time, us", "\"q\""};
	const struct mp_section s = {.title = "T", .heading = "H", .titles = titles, .column_count = 3};
	const struct mp_value cells[] = {
	    int_cell(1), null_cell(), text_cell("x"), int_cell(2), real_cell(0.5), text_cell("y")};
	struct mp_csv csv;

	(void)state;
	mp_csv_init(&csv, sink.out, false);
	write_section(&csv.writer, &s, cells, 2, 9);
	mp_csv_init(&csv, sink.out, true);
	write_section(&csv.writer, &s, cells, 1, 0);
	assert_string_equal(sink_text(&sink), "Task ID,\"Time, us\",\"\"\"q\"\"\"\n1,N/A,x\n2,0.5,y\n"
					      "Task ID,\"Time, us\",\"\"\"q\"\"\"\r\n1,N/A,x\r\n");
}

/* An odd character is found at any place in a text of any length, and none is found in plain texts. */
static void test_plain(void **state)
{
	static const char odd[] = {'"', '\\', '\n', '\t', '\x7f', '\x1f', '\0', '\xff', ','};
	char text[40], copy[sizeof(text)];

	(void)state;
	for (size_t len = 0; len < sizeof(text); len++) {
		memset(text, 'z', sizeof(text));
		memset(copy, '#', sizeof(copy));
		assert_true(mp_plain_copy(copy, text, len, '\\', false));
		assert_memory_equal(copy, text, len);
		assert_true(copy[len] == '#');
		for (size_t at = 0; at < len; at++)
			for (size_t i = 0; i < sizeof(odd); i++) {
				text[at] = odd[i];
				assert_int_equal(mp_plain_copy(copy, text, len, '\\', false), odd[i] == ',');
				assert_int_equal(
				    mp_plain_copy(copy, text, len, ',', true), odd[i] == '\t' || odd[i] == '\\');
				text[at] = 'z';
			}
	}
	for (int c = 0; c < 256; c++) {
		memset(text, c, 8);
		assert_int_equal(mp_plain_copy(copy, text, 8, ',', true),
		    (c >= 0x20 && c < 0x7f && c != '"' && c != ',') || c == '\t');
	}
}

/* The marks of a text hold for both formats, and the output does not depend on marks. */
static void test_marks(void **state)
{
	static const char some[] = "abz ~!'`;:.-_/()[]{}@#$%^&*+=?<>|\\\",\t\n\x1f\x7f\xc3\xa9\xff";
	static char text[600];
	uint64_t seed = 21;

	(void)state;
	for (int i = 0; i < 20000; i++) {
		size_t len = next_random(&seed) % (i % 50 ? 70 : sizeof(text)), odd = next_random(&seed) % 4;
		struct mp_value v = mp_text(text, len);
		char plain[2 * sizeof(text)];

		for (size_t at = 0; at < len; at++)
			text[at] = some[next_random(&seed) % (next_random(&seed) % 40 ? 10 : sizeof(some) - 1)];
		if (len && odd == 0)
			text[next_random(&seed) % len] = some[next_random(&seed) % sizeof(some)];
		v.marks = (uint16_t)mp_text_marks(text, len);
		snprintf(plain, sizeof(plain), "\"%.*s\"", (int)len, text);
		if (v.marks & MP_MARK_JSON)
			assert_string_equal(json_of(text, len), plain);
		else if (len)
			assert_string_not_equal(json_of(text, len), plain);
		if (v.marks & MP_MARK_CSV) {
			plain[len + 1] = '\0';
			assert_string_equal(csv_of(mp_text(text, len)), plain + 1);
			assert_string_equal(csv_of(v), plain + 1);
		}
	}
	assert_int_equal(mp_text_marks("", 0), MP_MARK_PLAIN);
	assert_int_equal(mp_text_marks("a,b", 3), MP_MARK_JSON);
	assert_int_equal(mp_text_marks("a\tb\\", 4), MP_MARK_CSV);
	assert_int_equal(mp_text_marks("a\x1f", 2), 0);
}

/* A row may be longer than its reserved room. */
static void test_csv_long(void **state)
{
	enum { LONG = 100000, COLUMNS = 200 };
	static const char *titles[COLUMNS + 100];
	struct mp_section s = {.title = "T", .heading = "", .titles = titles, .column_count = COLUMNS};
	struct mp_value cells[COLUMNS];
	struct mp_error err;
	struct mp_csv csv;
	char *text = malloc(LONG), *expected = malloc(8 * LONG), *at = expected;

	(void)state;
	assert_true(text && expected);
	memset(text, 'x', LONG);
	for (int i = 0; i < COLUMNS; i++) {
		size_t len = i % 50 == 49 ? LONG : (size_t)(252 + i % 8);

		titles[i] = "t";
		at += sprintf(at, "%st", i ? "," : "");
		cells[i] = mp_marked(text, len, i % 3 ? MP_MARK_PLAIN : 0);
	}
	for (int i = 0; i < COLUMNS; i++)
		at += sprintf(at, "%c%.*s", i ? ',' : '\n', (int)cells[i].len, text);
	sprintf(at, "\n");
	mp_csv_init(&csv, sink.out, false);
	write_section(&csv.writer, &s, cells, 1, 0);
	assert_string_equal(sink_text(&sink), expected);
	s.column_count = COLUMNS + 100;
	assert_refused(csv.writer.section(&csv.writer, &s, &err), &err, "'T' has more than");
	free(text);
	free(expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_json_escapes, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_json_round_trip, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_json_rows, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_json_empty, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_json_sections, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_json_null_and_error, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_csv_cells, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_csv_lines, setup, teardown),
	    cmocka_unit_test(test_plain),
	    cmocka_unit_test_setup_teardown(test_marks, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_csv_long, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
