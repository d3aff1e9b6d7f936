/*
 * test_layout_errors.c: refusals of the layout language, with file, line and reason. Those of statements that compute
 * columns are in test_layout_derived.c, those about whole records and chips in test_layout_rules.c, those of items in
 * test_layout_items.c.
 */
#include "refusal_support.h"

#define TEXT "text r v1 verified\nfile \"f\"\ntable t\n"
#define TEN(s) s s s s s s s s s s

static void test_openers(void **state)
{
	static const char form[] = "t.rec:1: expected: record|text|items NAME vN verified|reference|learned|unverified";
	const struct refusal cases[] = {
	    {"size 4\n", "t.rec:1: a layout must begin with record, text, items or soc"},
	    {"\n\nfile \"f\"\n", "t.rec:3: a layout must begin with record, text, items or soc"},
	    {"record\n", "t.rec:1: name missing"},
	    {"record Abc v1 verified\n",
		"t.rec:1: a name may only have lower-case letters, digits, '_' and '.': 'Abc'"},
	    {"record a12345678901234567890123456789012 v1 verified\n",
		"t.rec:1: name empty or longer than 31 characters:"},
	    {"record \"\" v1 verified\n", "t.rec:1: name empty or longer than 31 characters: ''"},
	    {"record a\n", form},
	    {"record a v1\n", form},
	    {"record a 1 verified\n", form},
	    {"record a v0 verified\n", form},
	    {"record a v-1 verified\n", form},
	    {"record a v1x verified\n", form},
	    {"record a v1 tested\n", form},
	    {"record a v1 verified twice\n", form},
	    {FULL "record b v1 tested\n", "t.rec:6: expected: record|text|items"},
	    {HEAD "colour red\n", "t.rec:5: unknown keyword 'colour'"},
	    {HEAD "Field x u64 @0\n", "t.rec:5: unknown keyword 'Field'"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

static void test_words(void **state)
{
	const struct refusal cases[] = {
	    {HEAD "field \"x\n", "t.rec:5: quote is not closed"},
	    {HEAD TEN("a ") TEN("a ") TEN("a ") "\n", "t.rec:5: too many words"},
	    {HEAD "size x\n", "t.rec:5: not a number: 'x'"},
	    {HEAD "size -4\n", "t.rec:5: not a number: '-4'"},
	    {HEAD "size +4\n", "t.rec:5: not a number: '+4'"},
	    {HEAD "size 4k\n", "t.rec:5: not a number: '4k'"},
	    {HEAD "size 0x\n", "t.rec:5: not a number: '0x'"},
	    {HEAD "size \"\"\n", "t.rec:5: not a number: ''"},
	    {HEAD "size 00000000000000000000000000000000004\n", "t.rec:5: not a number:"},
	    {HEAD "size\n", "t.rec:5: number missing"},
	    {HEAD "size 4097\n", "t.rec:5: number too large: '4097'"},
	    {HEAD "size 99999999999999999999\n", "t.rec:5: number too large:"},
	    {HEAD "size 0\n", "t.rec:5: size is 0"},
	    {HEAD "parts 0\n", "t.rec:5: parts is 0"},
	    {HEAD "parts 1000001\n", "t.rec:5: number too large"},
	    {HEAD "size 4\nparts 3\nfield a u32 @0\n", "t.rec:1: layout 'r' has parts without share"},
	    {HEAD "size 4 4\n", "t.rec:5: unexpected '4'"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

/* A number beyond 64 bits does not become the largest number. */
static void test_number_range(void **state)
{
	const struct refusal cases[] = {
	    {HEAD "match u64 @0 == 18446744073709551616\n", "t.rec:5: "},
	    {HEAD "match u64 @0 == 0x10000000000000000\n", "t.rec:5: "},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

static void test_identity(void **state)
{
	const struct refusal cases[] = {
	    {HEAD "family\n", "t.rec:5: family must be svp, ascend910, ascend2022, prof or pytorch"},
	    {HEAD "family intel\n", "t.rec:5: family must be svp, ascend910, ascend2022, prof or pytorch"},
	    {HEAD "chip\n", "t.rec:5: chip numbers missing"},
	    {HEAD "chip not\n", "t.rec:5: chip numbers missing"},
	    {HEAD "chip 31\n", "t.rec:5: "},
	    {HEAD "when\n", "t.rec:5: expected: when info.json|sample.json|start_info|end_info KEY ==|!= VALUE"},
	    {HEAD "when mine.json key == x\n",
		"t.rec:5: expected: when info.json|sample.json|start_info|end_info KEY ==|!= VALUE"},
	    {HEAD "when info.json key = x\n",
		"t.rec:5: expected: when info.json|sample.json|start_info|end_info KEY ==|!= VALUE"},
	    {HEAD "when info.json key ==\n",
		"t.rec:5: expected: when info.json|sample.json|start_info|end_info KEY ==|!= VALUE"},
	    {HEAD "when info.json key == x y\n", "t.rec:5: unexpected 'y'"},
	    {HEAD "when info.json Key == x\n",
		"t.rec:5: a name may only have lower-case letters, digits, '_' and '.': 'Key'"},
	    {HEAD "when info.json key == \"\"\n", "t.rec:5: a value empty or longer than 31 characters: ''"},
	    {HEAD "when info.json key == x\nwhen info.json key != y\n", "t.rec:6: when is given twice"},
	    {HEAD "table\n", "t.rec:5: name missing"},
	    {HEAD "table T\n", "t.rec:5: a name may only have lower-case letters, digits, '_' and '.': 'T'"},
	    {HEAD "file\n", "t.rec:5: file pattern missing"},
	    {HEAD "file f\n", "t.rec:5: a pattern must be in double quotes: 'f'"},
	    {HEAD "file \"\"\n", "t.rec:5: pattern is empty"},
	    {HEAD "file \"a{b\"\n", "t.rec:5: capture without a closing brace"},
	    {HEAD "file \"{Model}\"\n", "t.rec:5: capture 'Model' is not a lower-case name"},
	    {HEAD "file \"{task}\"\n", "t.rec:5: unknown capture in a file name"},
	    {HEAD "file \"{model:int}\"\n", "t.rec:5: unknown capture in a file name"},
	    {HEAD "file \"{device_id}\"\n", "t.rec:5: unknown capture in a file name"},
	    {HEAD "file \"1\" \"2\" \"3\" \"4\" \"5\" \"6\" \"7\" \"8\"\n", "t.rec:5: too many file patterns"},
	    {HEAD "file \"" TEN("{}") TEN("{}") TEN("{}") TEN("{}") "\"\n", "t.rec:5: pattern has more than 40 pieces"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

/* What layouts of earlier versions had is not passed over. */
static void test_former_statements(void **state)
{
	const struct refusal cases[] = {
	    {"json j v1 verified\n", "t.rec:1: a layout must begin with record, text, items or soc"},
	    {FULL "json j v1 verified\n", "t.rec:6: unknown keyword 'json'"},
	    {FULL "header 16\n", "t.rec:6: unknown keyword 'header'"},
	    {FULL "kind u8 @0 == 1\n", "t.rec:6: unknown keyword 'kind'"},
	    {FULL "pair u8 @0 start=1 end=2 key=x\n", "t.rec:6: unknown keyword 'pair'"},
	    {FULL "wrap x\n", "t.rec:6: unknown keyword 'wrap'"},
	    {FULL "cycles c x unit=ns\n", "t.rec:6: unknown keyword 'cycles'"},
	    {FULL "zip\n", "t.rec:6: unknown keyword 'zip'"},
	    {FULL "each .\n", "t.rec:6: not a keyword of this kind of layout: 'each'"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

static void test_fields(void **state)
{
	static const char type[] =
	    "t.rec:5: not a type (u8 u16 u32 u64 i8 i16 i32 i64 hash char[N] bytes[N] mixed[N]):";
	static const char bits[] = "t.rec:5: expected bits LOW..HIGH within an unsigned type";
	const struct refusal cases[] = {
	    {HEAD "field\n", "t.rec:5: name missing"},
	    {HEAD "field x\n", "t.rec:5: type missing"},
	    {HEAD "field x u24 @0\n", type},
	    {HEAD "field x f32 @0\n", type},
	    {HEAD "field x mixed[15] @0\n", type},
	    {HEAD "field x bytes[0] @0\n", type},
	    {HEAD "field x char[0] @0\n", type},
	    {HEAD "field x char[4097] @0\n", type},
	    {HEAD "field x char[4 @0\n", type},
	    {HEAD "field x u64\n", "t.rec:5: an offset such as @16 is missing"},
	    {HEAD "field x u64 0\n", "t.rec:5: an offset such as @16 is missing"},
	    {HEAD "field x u64 @\n", "t.rec:5: an offset such as @16 is missing"},
	    {HEAD "field x u64 @x\n", "t.rec:5: not a number: 'x'"},
	    {HEAD "field x u64 @4097\n", "t.rec:5: number too large: '4097'"},
	    {HEAD "field x u64 @0 byte 0..3\n", "t.rec:5: unexpected 'byte'"},
	    {HEAD "field x u64 @0 bits\n", bits},
	    {HEAD "field x u8 @0 bits 0..8\n", bits},
	    {HEAD "field x u8 @0 bits 4..3\n", bits},
	    {HEAD "field x u8 @0 bits 4\n", bits},
	    {HEAD "field x u8 @0 bits 0-3\n", bits},
	    {HEAD "field x u8 @0 bits 0..3x\n", bits},
	    {HEAD "field x u64 @0 bits 0..64\n", bits},
	    {HEAD "field x i8 @0 bits 0..3\n", bits},
	    {HEAD "field x char[8] @0 bits 0..3\n", bits},
	    {HEAD "field x u8 @0 bits 0..3 4\n", "t.rec:5: unexpected '4'"},
	    {HEAD "field x u32 @0\nfield x u32 @4\n", "t.rec:6: field defined twice"},
	    {HEAD "input x u32 @0\nfield x u32 @4\n", "t.rec:6: field defined twice"},
	    {HEAD "field x7..0 u32 @0\n", "t.rec:5: expected: NAME0..9 TYPE @OFFSET"},
	    {HEAD "field x.. u32 @0\n", "t.rec:5: expected: NAME0..9"},
	    {HEAD "field x0..2a u32 @0\n", "t.rec:5: expected: NAME0..9"},
	    {HEAD "field x0..3 u32 @0 bits 0..3\n", "t.rec:5: expected: NAME0..9"},
	    {HEAD "field x1 u32 @0\nfield x0..3 u32 @4\n", "t.rec:6: field defined twice"},
	    {HEAD "field x0..64 u32 @0\n", "t.rec:5: too many fields"},
	    {HEAD "endian\n", "t.rec:5: endian must be little or big"},
	    {HEAD "endian middle\n", "t.rec:5: endian must be little or big"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

static void test_match_and_pad(void **state)
{
	static const char form[] =
	    "t.rec:5: expected: match TYPE @OFFSET [bits LOW..HIGH] == VALUE, of an unsigned type";
	const struct refusal cases[] = {
	    {HEAD "match\n", "t.rec:5: type missing"},
	    {HEAD "match u16\n", "t.rec:5: an offset such as @16 is missing"},
	    {HEAD "match u16 @0\n", form},
	    {HEAD "match u16 @0 = 1\n", form},
	    {HEAD "match i16 @0 == 1\n", form},
	    {HEAD "match char[2] @0 == 1\n", form},
	    {HEAD "match u16 @0 ==\n", "t.rec:5: number missing"},
	    {HEAD "match u16 @0 == 65536\n", "t.rec:5: number too large: '65536'"},
	    {HEAD "match u8 @0 == 0x100\n", "t.rec:5: number too large: '0x100'"},
	    {HEAD "match u16 @0 == 1 2\n", "t.rec:5: unexpected '2'"},
	    {HEAD TEN("match u8 @0 == 1\n"), "t.rec:13: too many match lines"},
	    {HEAD "pad\n", "t.rec:5: number missing"},
	    {HEAD "pad 4\n", "t.rec:5: an offset such as @16 is missing"},
	    {HEAD "pad 4097 @0\n", "t.rec:5: number too large: '4097'"},
	    {HEAD "skip 4 @0 5\n", "t.rec:5: unexpected '5'"},
	    {HEAD TEN("pad 1 @0\n") TEN("skip 1 @0\n"), "t.rec:21: too many pads"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

/* Padding of zero bytes is refused: a decoder that accepted it would read past it. */
static void test_empty_pad(void **state)
{
	const struct refusal cases[] = {{FULL "pad 0 @0\n", "t.rec:6: "}, {FULL "skip 0 @8\n", "t.rec:6: "}};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

static void test_text(void **state)
{
	const struct refusal cases[] = {
	    {TEXT "split\n", "t.rec:4: split must be newline or nul"},
	    {TEXT "split comma\n", "t.rec:4: split must be newline or nul"},
	    {TEXT "line\n", "t.rec:4: expected: line \"PATTERN\""},
	    {TEXT "line \"{a}\" \"{b}\"\n", "t.rec:4: unexpected '{b}'"},
	    {TEXT "line {a}\n", "t.rec:4: a pattern must be in double quotes: '{a}'"},
	    {TEXT "line \"\"\n", "t.rec:4: pattern is empty"},
	    {TEXT "line \"{a}\"\nline \"{a:int}\"\n", "t.rec:5: capture has another type in another line"},
	    {TEXT TEN("line \"{a}\"\n"), "t.rec:12: too many line patterns"},
	    {TEXT "size 4\n", "t.rec:4: not a keyword of this kind of layout: 'size'"},
	    {TEXT "match u8 @0 == 1\n", "t.rec:4: not a keyword of this kind of layout: 'match'"},
	    {HEAD "line \"{a}\"\n", "t.rec:5: not a keyword of this kind of layout: 'line'"},
	    {HEAD "split nul\n", "t.rec:5: not a keyword of this kind of layout: 'split'"},
	    {TEXT "series \"a\" \"b\" npu\n", "t.rec:4: expected: series \"TEXT\" \"TITLE\" USE KIND"},
	    {TEXT "series a \"b\" npu level\n", "t.rec:4: expected 1 to 31 characters in double quotes: 'a'"},
	    {TEXT "series \"a\" \"\" npu level\n", "t.rec:4: expected 1 to 31 characters in double quotes: ''"},
	    {TEXT "series \"a\" \"b\" cpu level\n", "t.rec:4: unknown word 'cpu'"},
	    {TEXT "series \"a\" \"b\" npu watts\n", "t.rec:4: unknown word 'watts'"},
	    {TEXT "beside data\n", "t.rec:4: unexpected 'data'"},
	    {TEXT "line \"caf\xe9 {a}\"\n", "t.rec:4: not UTF-8"},
	    {HEAD "beside\n", "t.rec:5: not a keyword of this kind of layout: 'beside'"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

/* Errors that only a whole layout shows; they name the line where the layout begins. */
static void test_stanzas(void **state)
{
	const struct refusal cases[] = {
	    {"\nrecord r v1 verified\ntable t\nsize 8\nfield x u64 @0\n", "t.rec:2: layout 'r' has no file line"},
	    {"record r v1 verified\nfile \"f\"\nsize 8\nfield x u64 @0\n", "t.rec:1: layout 'r' has no table line"},
	    {"record r v1 verified\nfile \"f\"\ntable t\nfield x u64 @0\n", "t.rec:1: layout 'r' has no size line"},
	    {HEAD "skip 8 @0\n", "t.rec:1: layout 'r' stores no column"},
	    {HEAD "input x u64 @0\n", "t.rec:1: layout 'r' stores no column"},
	    {TEXT, "t.rec:1: layout 'r' has no line pattern"},
	    {TEXT "line \"abc\"\n", "t.rec:1: layout 'r' stores no column"},
	    {FULL "text b v1 verified\nfile \"f\"\ntable t\nrecord c v1 verified\n",
		"t.rec:6: layout 'b' has no line pattern"},
	    {HEAD "field x u64 @1\n", "t.rec:1: 'x' ends past the size of 8 bytes"},
	    {HEAD "field x u8 @8\n", "t.rec:1: 'x' ends past the size of 8 bytes"},
	    {HEAD "field x char[9] @0\n", "t.rec:1: 'x' ends past the size of 8 bytes"},
	    {FULL "pad 1 @8\n", "t.rec:1: 'pad' ends past the size of 8 bytes"},
	    {FULL "match u16 @7 == 1\n", "t.rec:1: 'match' ends past the size of 8 bytes"},
	    {HEAD "field x u32 @0\nfield y u32 @3\n", "t.rec:1: 'y' overlaps at byte 3"},
	    {FULL "pad 1 @7\n", "t.rec:1: 'pad' overlaps at byte 7"},
	    {FULL "skip 1 @0\n", "t.rec:1: 'skip' overlaps at byte 0"},
	    {FULL "match u16 @0 == 1\nmatch u8 @1 == 1\n", "t.rec:1: 'match' overlaps at byte 1"},
	    {HEAD "field x u32 @0 bits 0..15\nfield y u32 @0 bits 15..31\npad 4 @4\n",
		"t.rec:1: 'y' overlaps at byte 1"},
	    {HEAD "field x u32 @0\n", "t.rec:1: byte 4 is not described; declare it with pad or skip"},
	    {HEAD "field x u32 @4\n", "t.rec:1: byte 0 is not described"},
	    {HEAD "field x u64 @0 bits 0..54\n", "t.rec:1: byte 6 is not described"},
	    {HEAD "endian big\nfield x u64 @0 bits 0..54\n", "t.rec:1: byte 0 is not described"},
	    {HEAD "match u16 @0 == 1\nfield x u32 @4\n", "t.rec:1: byte 2 is not described"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

/* Enough different fields to fill the tables. */
static void test_too_many(void **state)
{
	char text[8192];
	int used = snprintf(text, sizeof(text), "record r v1 verified\nfile \"f\"\ntable t\nsize 4096\n");
	int columns = used;
	const struct refusal fields[] = {{text, "t.rec:69: too many fields"}};
	const struct refusal times[] = {{text, "t.rec:69: too many columns"}};

	(void)state;
	for (int i = 0; i <= MP_FIELD_MAX; i++)
		used += snprintf(text + used, sizeof(text) - (size_t)used, "field f%d u8 @%d\n", i, i);
	check_refusals(fields, 1);
	used = columns + snprintf(text + columns, sizeof(text) - (size_t)columns, "field x u8 @0\n");
	for (int i = 1; i <= MP_COLUMN_MAX; i++)
		used += snprintf(text + used, sizeof(text) - (size_t)used, "time t%d x unit=ns\n", i);
	check_refusals(times, 1);
}

/* Numbers are decimal, or hexadecimal with 0x; a leading zero does not make them octal. */
static void test_leading_zero(void **state)
{
	struct mp_layouts set = {0};
	struct mp_error err;

	(void)state;
	assert_ok(mp_layouts_parse(&set, "t.rec",
		      "record r v01 verified\nfile \"f\"\ntable t\nsize 010\nmatch u8 @00 == 09\nfield x char[9] @01\n",
		      &err),
	    &err);
	assert_int_equal(set.items[0]->size, 10);
	assert_int_equal(set.items[0]->matches[0].value, 9);
	assert_int_equal(set.items[0]->fields[0].offset, 1);
	mp_layouts_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_openers),
	    cmocka_unit_test(test_words),
	    cmocka_unit_test(test_number_range),
	    cmocka_unit_test(test_identity),
	    cmocka_unit_test(test_former_statements),
	    cmocka_unit_test(test_fields),
	    cmocka_unit_test(test_match_and_pad),
	    cmocka_unit_test(test_empty_pad),
	    cmocka_unit_test(test_text),
	    cmocka_unit_test(test_stanzas),
	    cmocka_unit_test(test_too_many),
	    cmocka_unit_test(test_leading_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
