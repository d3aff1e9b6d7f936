/*
 * test_layout_rules.c: statements about records as a whole, and about chips: what the parser makes of good ones, and
 * why it refuses others.
 */
#include "refusal_support.h"

static void parse(struct mp_layouts *set, const char *text)
{
	struct mp_error err;

	memset(set, 0, sizeof(*set));
	assert_ok(mp_layouts_parse(set, "t.rec", text, &err), &err);
}

#define TWO HEAD "field x u32 @0\ninput y u32 @4\n"

static void test_sequence(void **state)
{
	const struct refusal cases[] = {
	    {FULL "sequence\n", "t.rec:6: name missing"},
	    {FULL "sequence y\n", "t.rec:6: unknown unsigned field: 'y'"},
	    {HEAD "field n char[8] @0\nsequence n\n", "t.rec:6: unknown unsigned field: 'n'"},
	    {FULL "sequence x x\n", "t.rec:6: unexpected 'x'"},
	};
	struct mp_layouts set;

	(void)state;
	check_refusals(cases, COUNT(cases));
	parse(&set, TWO "sequence y\n");
	assert_int_equal(set.items[0]->sequence, 1);
	mp_layouts_free(&set);
}

static void test_done(void **state)
{
	static const char form[] = "t.rec:6: expected: done bytes=KEY [start=KEY unit=UNIT]";
	static const char unit[] = "t.rec:6: expected unit=ns, unit=us, unit=tick100, unit=counter or unit=host";
	const struct refusal cases[] = {
	    {FULL "done\n", form},
	    {FULL "done len\n", form},
	    {FULL "done bytes=\n", form},
	    {FULL "done start=t unit=us\n", form},
	    {FULL "done bytes=len unit=us\n", form},
	    {FULL "done bytes=len start=\n", form},
	    {FULL "done bytes=len start=t\n", unit},
	    {FULL "done bytes=len start=t unit=s\n", unit},
	    {FULL "done bytes=len start=t unit=tick100\n", "t.rec:6: a marker tells ns or us"},
	    {FULL "done bytes=len start=t unit=counter\n", "t.rec:6: a marker tells ns or us"},
	    {FULL "done bytes=Len\n", "t.rec:6: a name may only have lower-case letters, digits, '_' and '.': 'Len'"},
	    {FULL "done bytes=a23456789012345678901234567890123\n",
		"t.rec:6: name empty or longer than 31 characters:"},
	    {FULL "done bytes=len start=t unit=us x\n", "t.rec:6: unexpected 'x'"},
	    {"text r v1 verified\nfile \"f\"\ntable t\ndone bytes=len\n",
		"t.rec:4: not a keyword of this kind of layout: 'done'"},
	};
	struct mp_layouts set;

	(void)state;
	check_refusals(cases, COUNT(cases));
	parse(&set, FULL "done bytes=file_len start=start_time unit=ns\n");
	assert_string_equal(set.items[0]->done_bytes, "file_len");
	assert_string_equal(set.items[0]->done_start, "start_time");
	assert_int_equal(set.items[0]->done_unit, MP_UNIT_NS);
	mp_layouts_free(&set);
	parse(&set, FULL "done bytes=len\n");
	assert_string_equal(set.items[0]->done_start, "");
	mp_layouts_free(&set);
}

static void test_agrees(void **state)
{
	static const char form[] = "t.rec:6: expected: agrees FIELD FACT, a capture of file names";
	static const struct {
		const char *name;
		size_t fact;
	} facts[] = {{"device_id", offsetof(struct mp_identity, device_id)},
	    {"stream_id", offsetof(struct mp_identity, stream_id)},
	    {"model_id", offsetof(struct mp_identity, model_id)}, {"batch", offsetof(struct mp_identity, batch)},
	    {"input_pic_num", offsetof(struct mp_identity, input_pic_num)},
	    {"current_pic", offsetof(struct mp_identity, current_pic)}};
	const struct refusal cases[] = {
	    {FULL "agrees\n", "t.rec:6: name missing"},
	    {FULL "agrees x\n", form},
	    {FULL "agrees x model\n", form},
	    {FULL "agrees x slice\n", form},
	    {FULL "agrees y batch\n", "t.rec:6: unknown unsigned field: 'y'"},
	    {FULL "agrees x batch x\n", "t.rec:6: unexpected 'x'"},
	    {FULL "agrees x batch\nagrees x batch\nagrees x batch\nagrees x batch\nagrees x batch\n",
		"t.rec:10: too many agrees lines"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
	for (size_t i = 0; i < COUNT(facts); i++) {
		struct mp_layouts set;
		char text[256];

		snprintf(text, sizeof(text), TWO "agrees y %s\n", facts[i].name);
		parse(&set, text);
		assert_int_equal(set.items[0]->agrees_count, 1);
		assert_int_equal(set.items[0]->agrees[0].field, 1);
		assert_int_equal(set.items[0]->agrees[0].fact, facts[i].fact);
		mp_layouts_free(&set);
	}
}

#define FOUR(s) s s s s

static void test_holds(void **state)
{
	static const char form[] = "t.rec:6: expected: holds FIELD <= FIELD [scale=N], holds FIELD <= NUMBER, "
				   "or holds FIELD rises by=N [within=FIELD]";
	const struct refusal cases[] = {
	    {FULL "holds\n", form},
	    {FULL "holds x\n", form},
	    {FULL "holds x <=\n", form},
	    {FULL "holds x < 5\n", form},
	    {FULL "holds x >= 5\n", form},
	    {FULL "holds y <= 5\n", "t.rec:6: unknown unsigned field: 'y'"},
	    {FULL "holds x <= y\n", "t.rec:6: unknown unsigned field: 'y'"},
	    {FULL "holds x <= \"\"\n", "t.rec:6: name empty or longer than 31 characters: ''"},
	    {FULL "holds x <= -1\n", "t.rec:6: a name may only have lower-case letters, digits, '_' and '.': '-1'"},
	    {FULL "holds x <= 5k\n", "t.rec:6: not a number: '5k'"},
	    {FULL "holds x <= 9223372036854775808\n", "t.rec:6: number too large: '9223372036854775808'"},
	    {FULL "holds x <= 5 scale=2\n", "t.rec:6: unexpected 'scale=2'"},
	    {FULL "holds x <= x 2\n", "t.rec:6: expected scale=N"},
	    {FULL "holds x <= x scale=\n", "t.rec:6: expected scale=N"},
	    {FULL "holds x <= x scale=0\n", "t.rec:6: a number is 0"},
	    {FULL "holds x <= x scale=y\n", "t.rec:6: not a number: 'y'"},
	    {FULL "holds x <= x scale=4294967296\n", "t.rec:6: number too large: '4294967296'"},
	    {FULL "holds x <= x scale=2 x\n", "t.rec:6: unexpected 'x'"},
	    {FULL "holds x rises\n", form},
	    {FULL "holds x rises 5\n", "t.rec:6: expected by=N"},
	    {FULL "holds x rises by=0\n", "t.rec:6: a number is 0"},
	    {FULL "holds x rises by=5 x\n", "t.rec:6: expected: within=FIELD 'x'"},
	    {FULL "holds x rises by=5 within=y\n", "t.rec:6: unknown unsigned field: 'y'"},
	    {FULL "holds x rises by=5 within=x x\n", "t.rec:6: unexpected 'x'"},
	    {HEAD "field n i64 @0\nholds n <= 5\n", "t.rec:6: unknown unsigned field: 'n'"},
	    {FULL FOUR(FOUR("holds x <= 1\n")) "holds x <= 1\n", "t.rec:22: too many holds lines"},
	};
	struct mp_layouts set;
	const struct mp_holds *h;

	(void)state;
	check_refusals(cases, COUNT(cases));
	parse(&set, TWO
	    "holds y <= x\nholds x <= y scale=100\nholds x <= 0x10\nholds x rises by=7 within=y\nholds y rises by=1\n");
	h = set.items[0]->holds;
	assert_int_equal(set.items[0]->holds_count, 5);
	assert_true(h[0].field == 1 && h[0].other == 0 && h[0].scale == 1);
	assert_true(h[1].field == 0 && h[1].other == 1 && h[1].scale == 100);
	assert_true(h[2].field == 0 && h[2].other == -1 && h[2].most == 16 && !h[2].rises);
	assert_true(h[3].field == 0 && h[3].other == 1 && h[3].most == 7 && h[3].rises);
	assert_true(h[4].field == 1 && h[4].other == -1 && h[4].most == 1 && h[4].rises);
	mp_layouts_free(&set);
}

static void test_assumed_and_covered(void **state)
{
	const struct refusal cases[] = {
	    {FULL "assumed\n", "t.rec:6: column missing"},
	    {FULL "assumed y\n", "t.rec:6: unknown column: 'y'"},
	    {TWO "assumed x y\n", "t.rec:7: unknown column: 'y'"}, /* an input is no column */
	    {FULL "assumed X\n", "t.rec:6: a name may only have lower-case letters, digits, '_' and '.': 'X'"},
	    {FULL "covered\n", "t.rec:6: name missing"},
	    {FULL "covered a b\n", "t.rec:6: unexpected 'b'"},
	    {FULL "covered A\n", "t.rec:6: a name may only have lower-case letters, digits, '_' and '.': 'A'"},
	};
	struct mp_layouts set;

	(void)state;
	check_refusals(cases, COUNT(cases));
	parse(&set, TWO "constant c 1\ntime t y unit=ns\nassumed t x\ncovered svp.other\n");
	assert_true(set.items[0]->columns[0].assumed && !set.items[0]->columns[1].assumed);
	assert_true(set.items[0]->columns[2].assumed);
	assert_string_equal(set.items[0]->covered_by, "svp.other");
	mp_layouts_free(&set);
}

static void test_soc_refusals(void **state)
{
	static const char form[] = "t.rec:1: expected: soc NAME \"TITLE\", of at most 31 characters";
	static const char line[] = "t.rec:2: expected of a soc: when info.json has|lacks KEY, or tell KEY VALUE";
	static const char when[] = "t.rec:2: expected of a soc: when info.json has|lacks KEY";
	static const char tell[] = "t.rec:2: expected of a soc: tell KEY VALUE, of at most 31 characters";
#define SOC "soc a \"A\"\n"
	const struct refusal cases[] = {
	    {"soc a \"\"\n", form},
	    {"soc a \"12345678901234567890123456789012\"\n", form},
	    {"soc a \"A\" b\n", form},
	    {"soc A \"A\"\n", "t.rec:1: a name may only have lower-case letters, digits, '_' and '.': 'A'"},
	    {"soc a\n", "t.rec:1: a layout must begin with record, text, items or soc"},
	    {SOC "soc b\n", line},
	    {SOC "size 4\n", line},
	    {SOC "tell\n", tell},
	    {SOC "tell key\n", tell},
	    {SOC "tell key \"\"\n", tell},
	    {SOC "tell key 12345678901234567890123456789012\n", tell},
	    {SOC "tell key value x\n", tell},
	    {SOC "tell Key value\n", "t.rec:2: a name may only have lower-case letters, digits, '_' and '.': 'Key'"},
	    {SOC FOUR("tell k v\n") "tell k v\n", "t.rec:6: too many members"},
	    {SOC "when info.json has\n", when},
	    {SOC "when info.json key\n", when},
	    {SOC "when info.json with key\n", when},
	    {SOC "when sample.json has key\n", when},
	    {SOC "when info.json has key x\n", when},
	    {SOC "when info.json has Key\n",
		"t.rec:2: a name may only have lower-case letters, digits, '_' and '.': 'Key'"},
	    {SOC FOUR("when info.json has k\n") "when info.json has k\n", "t.rec:6: too many conditions"},
	    {"soc a \"A\"\nsoc b \"A\"\nsoc c \"A\"\nsoc d \"A\"\nsoc e \"A\"\nsoc f \"A\"\nsoc g \"A\"\nsoc h \"A\"\n"
	     "soc a \"A\"\nsoc i \"A\"\n",
		"t.rec:10: too many socs"},
	    {FULL "soc\n", "t.rec:6: name missing"},
	    {FULL "soc a\n", "t.rec:6: unknown soc: 'a'"},
	    {SOC FULL "soc a b\n", "t.rec:7: unknown soc: 'b'"},
	    {SOC FULL "soc a\nfamily prof\n", "t.rec:2: layout 'r' has series or a soc, which only svp knows"},
	    {SOC FULL "when info.json has key\n",
		"t.rec:7: expected: when info.json|sample.json|start_info|end_info KEY ==|!= VALUE"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

static void test_socs(void **state)
{
	struct mp_layouts set;
	struct mp_error err;

	(void)state;
	parse(&set,
	    "soc b \"Chip B\"\nwhen info.json has k\ntell k \"a b\"\nwhen info.json lacks l.m\ntell n 6A6A\nsoc a \"A\"\n" FULL
	    "soc a b\nrecord s v1 verified\nfile \"g\"\ntable t\nsize 1\nfield x u8 @0\nsoc a\n"
	    "soc c \"C\"\nwhen info.json has k\n");
	assert_int_equal(set.soc_count, 3);
	assert_string_equal(set.socs[0].title, "Chip B");
	assert_int_equal(set.socs[0].when_count, 2);
	assert_true(set.socs[0].whens[0].has && !set.socs[0].whens[1].has);
	assert_string_equal(set.socs[0].whens[1].key, "l.m");
	assert_int_equal(set.socs[0].tell_count, 2);
	assert_string_equal(set.socs[0].tells[0].value, "a b");
	assert_string_equal(set.socs[0].tells[1].key, "n");
	assert_string_equal(set.socs[0].tells[1].value, "6A6A");
	assert_int_equal(mp_layouts_soc(&set, "a"), 1);
	assert_int_equal(mp_layouts_soc(&set, "c"), 2);
	assert_int_equal(mp_layouts_soc(&set, "d"), -1);
	assert_int_equal(set.items[0]->socs, 3);
	assert_int_equal(set.items[1]->socs, 2);
	/* a soc of a known name is replaced where it stands, with other conditions */
	assert_ok(mp_layouts_parse(&set, "mine.rec", "soc b \"B2\"\nwhen info.json lacks x\n", &err), &err);
	assert_int_equal(set.soc_count, 3);
	assert_string_equal(set.socs[0].title, "B2");
	assert_int_equal(set.socs[0].when_count, 1);
	assert_int_equal(set.socs[0].tell_count, 0);
	assert_false(set.socs[0].whens[0].has);
	/* new ones of another text are tried before, in their order; the layouts stay those of the same chips */
	assert_ok(mp_layouts_parse(&set, "new.rec",
		      "soc e \"E\"\nwhen info.json has x\nsoc f \"F\"\nwhen info.json has y\n"
		      "record u v1 verified\nfile \"h\"\ntable t\nsize 1\nfield x u8 @0\nsoc f a\n",
		      &err),
	    &err);
	assert_int_equal(set.soc_count, 5);
	for (int i = 0; i < 5; i++)
		assert_string_equal(set.socs[i].name, ((const char *[]){"e", "f", "b", "a", "c"})[i]);
	assert_int_equal(set.items[0]->socs, 12);
	assert_int_equal(set.items[1]->socs, 8);
	assert_int_equal(set.items[2]->socs, 10);
	mp_layouts_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sequence),
	    cmocka_unit_test(test_done),
	    cmocka_unit_test(test_agrees),
	    cmocka_unit_test(test_holds),
	    cmocka_unit_test(test_assumed_and_covered),
	    cmocka_unit_test(test_soc_refusals),
	    cmocka_unit_test(test_socs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
