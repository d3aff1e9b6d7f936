/* test_layout.c: the layout language, and sets of layouts. test_layout_errors.c tests refusals. */
#include "support.h"

static const char EVERYTHING[] = "# a comment\n"
				 "record a.b v12 verified # another\r\n"
				 "  family ascend910\n"
				 "\tfile \"x.{device_id:int}.{model}.{model_id:int}\" \"y.{slice:int}.{}\"\n"
				 "  file \"z # {batch:int} {input_pic_num:int} {current_pic:int}\"\n"
				 "  table  t_1\n"
				 "  size   0x28\n"
				 "  endian big\n"
				 "  match  u16 @0 == 0x6BD3\n"
				 "  match  u8 @2 == 7\n"
				 "  field  low u8 @3 bits 0..3\n"
				 "  field  high u8 @3 bits 4..7\n"
				 "  field  small i16 @4\n"
				 "  input  from u32 @8\n"
				 "  input  to u32 @12\n"
				 "  field  name char[8] @16\n"
				 "  field  all u64 @24 bits 0..63\n"
				 "  pad    2 @6\n"
				 "  skip   8 @32\n"
				 "  sequence low\n"
				 "  time   start_ns from unit=us\n"
				 "  duration dur_ns from to unit=tick100\n";

static void parse(struct mp_layouts *set, const char *text)
{
	struct mp_error err;

	memset(set, 0, sizeof(*set));
	assert_ok(mp_layouts_parse(set, "t.rec", text, &err), &err);
}

static void check_column(
    const struct mp_layout *l, int i, const char *name, int kind, int from, int to, enum mp_unit unit)
{
	assert_string_equal(l->columns[i].name, name);
	assert_int_equal(l->columns[i].kind, kind);
	assert_int_equal(l->columns[i].from, from);
	assert_int_equal(l->columns[i].to, to);
	assert_int_equal(l->columns[i].unit, unit);
	assert_int_equal(mp_layout_column(l, name), i);
}

static void check_field(const struct mp_field *f, int kind, size_t offset, size_t width, unsigned shift, uint64_t mask)
{
	assert_int_equal(f->kind, kind);
	assert_int_equal(f->offset, offset);
	assert_int_equal(f->width, width);
	assert_int_equal(f->shift, shift);
	assert_true(f->mask == mask);
}

static void test_binary_keywords(void **state)
{
	struct mp_layouts set;
	const struct mp_layout *l;

	(void)state;
	parse(&set, EVERYTHING);
	l = set.items[0];
	assert_int_equal(set.count, 1);
	assert_string_equal(l->name, "a.b");
	assert_string_equal(l->origin, "t.rec:2");
	assert_string_equal(l->table, "t_1");
	assert_true(l->version == 12 && l->verified && l->big_endian);
	assert_true(l->family == MP_FAMILY_ASCEND910 && l->kind == MP_RECORD_BINARY && l->size == 40);
	assert_int_equal(l->file_count, 3);
	assert_int_equal(l->match_count, 2);
	assert_true(l->matches[0].offset == 0 && l->matches[0].width == 2 && l->matches[0].value == 0x6bd3);
	assert_true(l->matches[1].offset == 2 && l->matches[1].width == 1 && l->matches[1].value == 7);
	assert_int_equal(l->field_count, 7);
	check_field(&l->fields[0], MP_FIELD_UINT, 3, 1, 0, 15);
	check_field(&l->fields[1], MP_FIELD_UINT, 3, 1, 4, 15);
	check_field(&l->fields[2], MP_FIELD_SINT, 4, 2, 0, 0xffff);
	check_field(&l->fields[3], MP_FIELD_UINT, 8, 4, 0, UINT32_MAX);
	check_field(&l->fields[6], MP_FIELD_UINT, 24, 8, 0, UINT64_MAX);
	assert_true(l->fields[5].kind == MP_FIELD_CHARS && l->fields[5].width == 8);
	assert_true(l->fields[0].stored && !l->fields[3].stored && !l->fields[4].stored);
	assert_true(l->pad_count == 2 && l->pads[0].zero && !l->pads[1].zero);
	assert_true(l->pads[0].offset == 6 && l->pads[0].width == 2 && l->pads[1].width == 8);
	assert_int_equal(l->sequence, 0);
	assert_int_equal(l->column_count, 7);
	check_column(l, 0, "low", MP_COLUMN_FIELD, 0, 0, MP_UNIT_NS);
	check_column(l, 3, "name", MP_COLUMN_FIELD, 5, 0, MP_UNIT_NS);
	check_column(l, 5, "start_ns", MP_COLUMN_TIME, 3, 3, MP_UNIT_US);
	check_column(l, 6, "dur_ns", MP_COLUMN_DURATION, 3, 4, MP_UNIT_TICK100);
	assert_true(l->columns[3].is_text && !l->columns[0].is_text && !l->columns[5].is_text);
	assert_int_equal(mp_layout_column(l, "from"), -1);
	assert_int_equal(mp_layout_field(l, "to"), 4);
	assert_int_equal(mp_layout_field(l, "nothing"), -1);
	mp_layouts_free(&set);
	assert_true(!set.items && !set.texts && !set.count);
}

static void test_numbered_fields(void **state)
{
	struct mp_layouts set;
	const struct mp_layout *l;

	(void)state;
	parse(&set, "record r v1 verified\nfile \"f\"\ntable t\nsize 20\nfield a9..10 u64 @0\ninput b0..1 u16 @16\n");
	l = set.items[0];
	assert_int_equal(l->field_count, 4);
	check_column(l, 0, "a9", MP_COLUMN_FIELD, 0, 0, 0);
	check_column(l, 1, "a10", MP_COLUMN_FIELD, 1, 0, 0);
	assert_int_equal(l->column_count, 2);
	assert_int_equal(l->fields[1].offset, 8);
	assert_string_equal(l->fields[3].name, "b1");
	assert_int_equal(l->fields[3].offset, 18);
	assert_false(l->fields[3].stored);
	mp_layouts_free(&set);
}

static void test_text_keywords(void **state)
{
	struct mp_layouts set;
	const struct mp_layout *l;

	(void)state;
	parse(&set, "text t v1 unverified\n family svp\n file \"f\"\n table t\n split nul\n"
		    " line \"{a} {b:int}\"\n line \"{b:int}-{c}{}{:int}\"\n"
		    "text n v1 reference\n file \"g\"\n table t\n split newline\n line \"{a}\"\n"
		    "text s v3 learned\n file \"h\"\n table t\n beside\n line \"{a:hash}\"\n"
		    " series \"x*\" \"y z\" npu percent\n series \"*\" \"*\" none level\n"
		    "text d v1 verified\n file \"i\"\n table t\n line \"x{a}\""); /* no newline at the end */
	assert_int_equal(set.count, 4);
	l = set.items[0];
	assert_true(
	    l->kind == MP_RECORD_TEXT && l->separator == '\0' && l->line_count == 2 && l->verified == MP_UNVERIFIED);
	assert_true(set.items[1]->verified == MP_VERIFIED_REFERENCE && set.items[3]->verified == MP_VERIFIED);
	assert_int_equal(l->column_count, 3);
	check_column(l, 0, "a", MP_COLUMN_CAPTURE, 0, 0, MP_UNIT_NS);
	check_column(l, 2, "c", MP_COLUMN_CAPTURE, 0, 0, MP_UNIT_NS);
	assert_true(l->columns[0].is_text && !l->columns[1].is_text && l->columns[2].is_text);
	assert_true(set.items[1]->separator == '\n' && set.items[3]->separator == '\n');
	assert_false(l->beside);
	l = set.items[2];
	assert_true(l->beside && l->version == 3 && l->verified == MP_VERIFIED_LEARNED && l->columns[0].is_hash);
	assert_int_equal(l->series_count, 2);
	assert_string_equal(l->series[0].text, "x*");
	assert_string_equal(l->series[0].title, "y z");
	assert_string_equal(l->series[0].use, "npu");
	assert_string_equal(l->series[0].kind, "percent");
	assert_string_equal(l->series[1].kind, "level");
	mp_layouts_free(&set);
}

static void test_types(void **state)
{
	static const struct {
		const char *type;
		size_t width;
		int kind;
	} cases[] = {{"u8", 1, MP_FIELD_UINT}, {"u16", 2, MP_FIELD_UINT}, {"u32", 4, MP_FIELD_UINT},
	    {"u64", 8, MP_FIELD_UINT}, {"i8", 1, MP_FIELD_SINT}, {"i16", 2, MP_FIELD_SINT}, {"i32", 4, MP_FIELD_SINT},
	    {"i64", 8, MP_FIELD_SINT}, {"hash", 8, MP_FIELD_HASH}, {"char[1]", 1, MP_FIELD_CHARS},
	    {"char[4096]", 4096, MP_FIELD_CHARS}, {"bytes[1]", 1, MP_FIELD_BYTES}, {"mixed[16]", 16, MP_FIELD_MIXED}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mp_layouts set;
		char text[256];

		snprintf(text, sizeof(text), "record r v1 verified\nfile \"f\"\ntable t\nsize %zu\nfield x %s @0\n",
		    cases[i].width, cases[i].type);
		parse(&set, text);
		assert_int_equal(set.items[0]->fields[0].width, cases[i].width);
		assert_int_equal(set.items[0]->fields[0].kind, cases[i].kind);
		mp_layouts_free(&set);
	}
}

static void test_units(void **state)
{
	static const char *const names[] = {"ns", "us", "tick100", "counter", "host"};
	static const enum mp_unit units[] = {MP_UNIT_NS, MP_UNIT_US, MP_UNIT_TICK100, MP_UNIT_COUNTER, MP_UNIT_HOST};

	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct mp_layouts set;
		char text[256];

		snprintf(text, sizeof(text),
		    "record r v1 verified\nfile \"f\"\ntable t\nsize 8\ninput x u64 @0\ntime t x unit=%s\n", names[i]);
		parse(&set, text);
		assert_int_equal(set.items[0]->columns[0].unit, units[i]);
		assert_int_equal(set.items[0]->column_count, 1);
		mp_layouts_free(&set);
	}
}

static void test_empty_texts(void **state)
{
	struct mp_layouts set;
	struct mp_error err;

	(void)state;
	parse(&set, "");
	assert_int_equal(set.count, 0);
	assert_ok(mp_layouts_parse(&set, "t.rec", "\n# nothing\n \t\r\n", &err), &err);
	assert_int_equal(set.count, 0);
	assert_refused(mp_layouts_finish(&set, &err), &err, "no layout at all");
	mp_layouts_free(&set);
}

#define STANZA(name, file, match)                                                                                      \
	"record " name " v1 verified\nfile \"" file "\"\ntable t\nsize 4\n" match "field x u32 @0\n"
#define SOCS "soc x \"X\"\nsoc y \"Y\"\nsoc z \"Z\"\n"

static void test_replacement_by_name(void **state)
{
	struct mp_layouts set;
	struct mp_error err;
	uint64_t before;

	(void)state;
	parse(&set, STANZA("b", "f", "") STANZA("a", "g", ""));
	before = set.fingerprint;
	assert_ok(mp_layouts_parse(
		      &set, "mine.rec", "\nrecord b v2 unverified\nfile \"h\"\ntable u\nsize 1\nfield y u8 @0\n", &err),
	    &err);
	assert_int_equal(set.count, 2);
	assert_true(set.fingerprint != before);
	assert_ok(mp_layouts_finish(&set, &err), &err);
	assert_string_equal(set.items[0]->name, "a");
	assert_string_equal(set.items[1]->name, "b");
	assert_int_equal(set.items[1]->version, 2);
	assert_string_equal(set.items[1]->origin, "mine.rec:2");
	assert_string_equal(set.items[1]->table, "u");
	mp_layouts_free(&set);
}

static void test_fingerprint(void **state)
{
	struct mp_layouts a, b, c;

	(void)state;
	parse(&a, STANZA("a", "f", ""));
	parse(&b, STANZA("a", "f", ""));
	parse(&c, STANZA("a", "f", "match u8 @0 == 1\n"));
	assert_true(a.fingerprint == b.fingerprint && a.fingerprint != c.fingerprint);
	mp_layouts_free(&a);
	mp_layouts_free(&b);
	mp_layouts_free(&c);
}

/* Two layouts of a family may not match the same files, unless their match bytes tell the records apart. */
static void test_same_files(void **state)
{
	static const struct {
		const char *text;
		bool clash;
	} cases[] = {
	    {STANZA("a", "f", "") STANZA("b", "f", ""), true},
	    {STANZA("a", "f", "") STANZA("b", "g", ""), false},
	    {STANZA("a", "f", "") STANZA("b", "F", ""), true},
	    {STANZA("a", "f", "family ascend910\n") STANZA("b", "f", ""), false},
	    {STANZA("a", "f", "chip 15 16\n") STANZA("b", "f", "chip not 15 16\n"), false},
	    {STANZA("a", "f", "chip 15 16\n") STANZA("b", "f", "chip not 15\n"), true},
	    {STANZA("a", "f", "chip 15\n") STANZA("b", "f", ""), true},
	    {STANZA("a", "f", "when info.json k == x\n") STANZA("b", "f", "when info.json k != x\n"), false},
	    {STANZA("a", "f", "when info.json k == x\n") STANZA("b", "f", "when info.json k == \"y z\"\n"), false},
	    {STANZA("a", "f", "when info.json k == x\n") STANZA("b", "f", "when info.json k != y\n"), true},
	    {STANZA("a", "f", "when info.json k == x\n") STANZA("b", "f", "when info.json l != x\n"), true},
	    {STANZA("a", "f", "when info.json k == x\n") STANZA("b", "f", "when sample.json k != x\n"), true},
	    {STANZA("a", "f", "when info.json k == x\n") STANZA("b", "f", ""), true},
	    {STANZA("a", "f", "when info.json k == x\nmatch u8 @0 == 1\n") STANZA("b", "f", "match u8 @0 == 2\n"),
		true},
	    {STANZA("a", "f", "when info.json k == x\nmatch u8 @0 == 1\n")
		    STANZA("b", "f", "when info.json k == x\nmatch u8 @0 == 2\n"),
		false},
	    {STANZA("a", "f", "match u16 @0 == 1\n") STANZA("b", "f", "match u16 @0 == 2\n"), false},
	    {STANZA("a", "f", "match u8 @0 bits 0..3 == 1\n") STANZA("b", "f", "match u8 @0 bits 0..3 == 2\n"), false},
	    {STANZA("a", "f", "match u8 @0 bits 0..3 == 1\n") STANZA("b", "f", "match u8 @0 bits 4..7 == 2\n"), true},
	    {STANZA("a", "f", "match u8 @0 == 1\n") STANZA("b", "f", "match u8 @0 == 1\nmatch u8 @1 == 1\n"), false},
	    {STANZA("a", "f", "match u16 @0 == 1\n") STANZA("b", "g", "match u16 @0 == 2\n"), false},
	    {STANZA("a", "f", "match u16 @0 == 1\n") STANZA("b", "f", "match u16 @0 == 1\n"), true},
	    {STANZA("a", "f", "match u16 @0 == 1\n") STANZA("b", "f", "match u16 @2 == 2\n"), true},
	    {STANZA("a", "f", "match u16 @0 == 1\n") STANZA("b", "f", ""), true},
	    {STANZA("a", "{model}.{model_id:int}", "") STANZA("b", "x.{model_id:int}", ""), true},
	    {STANZA("a", "x.{model_id:int}", "") STANZA("b", "{model}.{model_id:int}", ""), true},
	    {STANZA("a", "{model}.x", "") STANZA("b", "{model_id:int}.y", ""), false},
	    {SOCS STANZA("a", "f", "soc x\n") STANZA("b", "f", "soc y z\n"), false},
	    {SOCS STANZA("a", "f", "soc x y\n") STANZA("b", "f", "soc y z\n"), true},
	    {SOCS STANZA("a", "f", "soc x\n") STANZA("b", "f", ""), true},
	    {SOCS STANZA("a", "f", "soc x\nmatch u8 @0 == 1\n") STANZA("b", "f", "soc x\nmatch u8 @0 == 2\n"), false},
	    {SOCS STANZA("a", "f", "soc x\nmatch u8 @0 == 1\n") STANZA("b", "f", "soc x y\nmatch u8 @0 == 2\n"), true},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mp_layouts set;
		struct mp_error err = {.text = ""};

		parse(&set, cases[i].text);
		if ((mp_layouts_finish(&set, &err) != 0) != cases[i].clash)
			fail_msg("case %zu: %s", i, err.text);
		if (cases[i].clash) {
			assert_non_null(strstr(err.text, "'a'"));
			assert_non_null(strstr(err.text, "'b'"));
			assert_int_equal(strncmp(err.text, "t.rec:", 6), 0);
			assert_non_null(strstr(err.text, "claim the same files"));
		}
		mp_layouts_free(&set);
	}
}

/* What of the boards' files the layouts know, and for which chips. */
static void test_embedded(void **state)
{
	static const struct {
		const char *name, *socs;
		size_t size;
	} svp[] = {{"svp.aicore_ss928", "ss928", 256}, {"svp.aicore_dv500", "dv500", 256},
	    {"svp.aicore_cv610", "cv610", 128}, {"svp.aicpu", "ss928", 128}, {"svp.acl_api_ss928", "ss928", 32},
	    {"svp.acl_api_dv500", "cv610 dv500", 40}, {"svp.cont", "", 1}, {"svp.host_call", "", 128}};
	struct mp_layouts set;

	(void)state;
	load_embedded(&set);
	for (size_t i = 0; i < COUNT(svp); i++) {
		const struct mp_layout *l = layout_named(&set, svp[i].name);

		assert_int_equal(l->verified, MP_VERIFIED);
		assert_int_equal(l->family, MP_FAMILY_SVP);
		assert_int_equal(l->size, svp[i].size);
		for (int k = 0; k < set.soc_count; k++)
			assert_int_equal(
			    l->socs >> k & 1, !svp[i].socs[0] || strstr(svp[i].socs, set.socs[k].name) != NULL);
	}
	assert_int_equal(set.soc_count, 3);
	assert_int_equal(set.socs[set.soc_count - 1].when_count, 0); /* the last one fits any info.json */
	assert_int_equal(layout_named(&set, "svp.layer_info")->kind, MP_RECORD_ITEMS);
	assert_true(layout_named(&set, "svp.model_layers")->is_model);
	assert_int_equal(layout_named(&set, "ascend910.hwts")->size, 64);
	assert_true(layout_named(&set, "ascend910.hwts")->sequence >= 0);
	assert_string_equal(mp_family_name(MP_FAMILY_SVP), "svp");
	assert_string_equal(mp_family_name(MP_FAMILY_ASCEND910), "ascend910");
	for (size_t i = 1; i < set.count; i++)
		assert_true(strcmp(set.items[i - 1]->name, set.items[i]->name) < 0);
	mp_layouts_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_binary_keywords),
	    cmocka_unit_test(test_numbered_fields),
	    cmocka_unit_test(test_text_keywords),
	    cmocka_unit_test(test_types),
	    cmocka_unit_test(test_units),
	    cmocka_unit_test(test_empty_texts),
	    cmocka_unit_test(test_replacement_by_name),
	    cmocka_unit_test(test_fingerprint),
	    cmocka_unit_test(test_same_files),
	    cmocka_unit_test(test_embedded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
