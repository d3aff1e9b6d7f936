/* test_layout_items.c: layouts of items and of model files: good statements, and refusals with line and reason. */
#include "refusal_support.h"

#define ITEMS "items r v1 verified\nfile \"f\"\ntable t\n"
#define TAG ITEMS "tag u16 form 13..15 u8 u16[]\n"
#define MODEL                                                                                                          \
	"items r v1 verified\ntable t\nmodel begin u32 @4 + u32 @8\ntag u8 form 4..7 u8\neach 1\nitem a number 2\n"

static void test_tag(void **state)
{
	static const char form[] = "t.rec:4: expected: tag TYPE form LOW..HIGH FORM..., or tag TYPE FORM";
	static const char high[] = "t.rec:4: the form must be in the highest bits of the tag";
	static const char bits[] = "t.rec:4: expected bits LOW..HIGH within an unsigned type";
	static const char type[] =
	    "t.rec:4: not a type (u8 u16 u32 u64 i8 i16 i32 i64 hash char[N] bytes[N] mixed[N]):";
	static const char kind[] = "t.rec:4: a form must be u8, u16, u32 or u64, or u8[], u16[] or u32[]:";
	const struct refusal cases[] = {
	    {ITEMS "tag\n", form},
	    {ITEMS "tag u16\n", form},
	    {ITEMS "tag u16 form\n", form},
	    {ITEMS "tag u16 form 13..15\n", form},
	    {ITEMS "tag u16 bits 13..15 u8\n", form},
	    {ITEMS "tag u24 form 13..15 u8\n", form},
	    {ITEMS "tag u16 form x u8\n", bits},
	    {ITEMS "tag u16 form 13..16 u8\n", bits},
	    {ITEMS "tag u16 form 15..13 u8\n", bits},
	    {ITEMS "tag i16 form 13..15 u8\n", bits},
	    {ITEMS "tag char[2] form 0..1 u8\n", bits},
	    {ITEMS "tag u16 form 0..2 u8\n", high},
	    {ITEMS "tag u16 form 12..14 u8\n", high},
	    {ITEMS "tag u16 form 0..15 u8\n", high},
	    {ITEMS "tag u16 form 13..15 u24\n", type},
	    {ITEMS "tag u16 form 13..15 []\n", type},
	    {ITEMS "tag u16 form 13..15 i8\n", kind},
	    {ITEMS "tag u16 form 13..15 hash\n", kind},
	    {ITEMS "tag u16 form 13..15 char[4]\n", kind},
	    {ITEMS "tag u16 form 13..15 u64[]\n", kind},
	    {ITEMS "tag u8 form 7..7 u8 u8[]\n", "t.rec:4: more forms than the tag tells apart"},
	    {ITEMS "tag u16 form 12..15 u8 u8 u8 u8 u8 u8 u8 u8\n", "t.rec:4: more forms than the tag tells apart"},
	    {ITEMS "tag u16 u8 u8\n", form},
	    {ITEMS "tag u64 u8\n", "t.rec:4: a tag must be u8, u16 or u32"},
	    {ITEMS "tag i16 u8\n", "t.rec:4: a tag must be u8, u16 or u32"},
	    {ITEMS "tag u16 u64[]\n", kind},
	    {TAG "tag u8 form 7..7 u8\n", "t.rec:5: tag is given twice"},
	    {HEAD "tag u8 form 7..7 u8\n", "t.rec:5: not a keyword of this kind of layout: 'tag'"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

static void test_items(void **state)
{
	static const char form[] = "t.rec:5: expected: item NAME number|text TAG";
	const struct refusal cases[] = {
	    {ITEMS "each 1\n", "t.rec:4: a tag line must come first"},
	    {ITEMS "item a text 1\n", "t.rec:4: a tag line must come first"},
	    {TAG "each\n", "t.rec:5: number missing"},
	    {TAG "each x\n", "t.rec:5: not a number: 'x'"},
	    {TAG "each 8192\n", "t.rec:5: number too large: '8192'"},
	    {TAG "each 1 2\n", "t.rec:5: unexpected '2'"},
	    {TAG "item\n", form},
	    {TAG "item a\n", form},
	    {TAG "item a text\n", form},
	    {TAG "item a bytes 1\n", form},
	    {TAG "item a text 1 2\n", "t.rec:5: unexpected '2'"},
	    {TAG "item A text 1\n", "t.rec:5: a name may only have lower-case letters, digits, '_' and '.': 'A'"},
	    {TAG "item a text x\n", "t.rec:5: not a number: 'x'"},
	    {TAG "item a number 0x2000\n", "t.rec:5: number too large: '0x2000'"},
	    {TAG "item a text 1\nitem a text 2\n", "t.rec:6: column defined twice"},
	    {TAG "size 4\nfield a u8 @0\neach 1\n", "t.rec:1: byte 1 is not described; declare it with pad or skip"},
	    {TAG "size 1\nfield a u16 @0\neach 1\n", "t.rec:1: 'a' ends past the size of 1 bytes"},
	    {TAG "endian big\n", "t.rec:5: not a keyword of this kind of layout: 'endian'"},
	    {TAG "done bytes=a\n", "t.rec:5: not a keyword of this kind of layout: 'done'"},
	    {HEAD "item a text 1\n", "t.rec:5: not a keyword of this kind of layout: 'item'"},
	    {HEAD "each 1\n", "t.rec:5: not a keyword of this kind of layout: 'each'"},
	    {ITEMS, "t.rec:1: layout 'r' stores no column"},
	    {TAG "each 1\n", "t.rec:1: layout 'r' stores no column"},
	    {TAG "item a text 1\n", "t.rec:1: layout 'r' has no tag or each line"},
	    {TAG "each 0\nitem a text 1\n", "t.rec:1: layout 'r' has no tag or each line"},
	    {TAG "each 1\nitem a text 1\nmatch u8 @0 == 1\n",
		"t.rec:1: layout 'r': a model file, and nothing else of items, has match lines"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

static void test_model(void **state)
{
	static const char form[] = "t.rec:2: expected: model begin u32 @OFFSET + u32 @OFFSET";
#define OPEN "items r v1 verified\n"
	const struct refusal cases[] = {
	    {OPEN "model\n", form},
	    {OPEN "model begin u32 @4\n", form},
	    {OPEN "model begin u32 @4 + u32\n", form},
	    {OPEN "model begin u32 @4 - u32 @8\n", form},
	    {OPEN "model begin u16 @4 + u32 @8\n", form},
	    {OPEN "model begin u32 @4 + u16 @8\n", form},
	    {OPEN "model end u32 @4 + u32 @8\n", form},
	    {OPEN "model begin u32 4 + u32 @8\n", "t.rec:2: an offset such as @16 is missing"},
	    {OPEN "model begin u32 @4 + u32 @x\n", "t.rec:2: not a number: 'x'"},
	    {OPEN "model begin u32 @4 + u32 @4097\n", "t.rec:2: number too large: '4097'"},
	    {OPEN "model begin u32 @4 + u32 @8 x\n", "t.rec:2: unexpected 'x'"},
	    {HEAD "model begin u32 @4 + u32 @8\n", "t.rec:5: not a keyword of this kind of layout: 'model'"},
	    {MODEL, "t.rec:1: layout 'r': a model file, and nothing else of items, has match lines"},
	    {MODEL "match u32 @0 == 1\nfile \"f\"\n", "t.rec:1: layout 'r' of a model file has a file line"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

static void test_good(void **state)
{
	static const char text[] =
	    ITEMS "tag u32 form 29..31 u8 u16 u32 u64 u8[] u16[] u32[]\n"
		  "each 0x1fffffff\nitem a number 0\nitem b text 0x1ffffffe\n"
		  "items m v2 learned\nmodel begin u32 @0x10 + u32 @4\ntable t\nmatch u32 @0 == 7\n"
		  "match u8 @4 bits 0..3 == 2\ntag u8 form 7..7 u8[]\neach 1\nitem a text 2\n";
	static const size_t widths[] = {1, 2, 4, 8, 1, 2, 4};
	struct mp_layouts set = {0};
	struct mp_error err;
	const struct mp_layout *l;

	(void)state;
	assert_ok(mp_layouts_parse(&set, "t.rec", text, &err), &err);
	l = set.items[0];
	assert_true(l->kind == MP_RECORD_ITEMS && !l->is_model && l->tag_width == 4 && l->form_shift == 29);
	assert_int_equal(l->form_count, COUNT(widths));
	for (size_t i = 0; i < COUNT(widths); i++)
		assert_true(l->forms[i].width == widths[i] && l->forms[i].is_bytes == (i > 3));
	assert_int_equal(l->each, 0x1fffffff);
	assert_int_equal(l->column_count, 2);
	assert_true(l->columns[0].kind == MP_COLUMN_ITEM && l->columns[0].num == 0 && !l->columns[0].is_text);
	assert_true(l->columns[1].kind == MP_COLUMN_ITEM && l->columns[1].num == 0x1ffffffe && l->columns[1].is_text);
	l = set.items[1];
	assert_true(l->is_model && l->file_count == 0 && l->begins[0] == 16 && l->begins[1] == 4);
	assert_int_equal(l->match_count, 2);
	assert_true(l->tag_width == 1 && l->form_shift == 7 && l->form_count == 1 && l->forms[0].is_bytes);
	assert_ok(mp_layouts_finish(&set, &err), &err);
	mp_layouts_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_tag),
	    cmocka_unit_test(test_items),
	    cmocka_unit_test(test_model),
	    cmocka_unit_test(test_good),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
