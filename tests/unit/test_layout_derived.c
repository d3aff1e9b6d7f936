/* test_layout_derived.c: statements that compute columns: times, durations, values, shares, maps and constants. */
#include "refusal_support.h"

static void test_times(void **state)
{
	static const char unit[] = "t.rec:6: expected unit=ns, unit=us, unit=tick100, unit=counter or unit=host";
	const struct refusal cases[] = {
	    {FULL "time\n", "t.rec:6: name missing"},
	    {FULL "time t\n", "t.rec:6: name missing"},
	    {FULL "time t y unit=ns\n", "t.rec:6: unknown unsigned field: 'y'"},
	    {HEAD "field n char[8] @0\ntime t n unit=ns\n", "t.rec:6: unknown unsigned field: 'n'"},
	    {FULL "time t x\n", unit},
	    {FULL "time t x unit=ms\n", unit},
	    {FULL "time t x ns\n", unit},
	    {FULL "time x x unit=ns\n", "t.rec:6: column defined twice"},
	    {FULL "time t x unit=ns x\n", "t.rec:6: unexpected 'x'"},
	    {FULL "duration d\n", "t.rec:6: name missing"},
	    {FULL "duration d x\n", "t.rec:6: name missing"},
	    {FULL "duration d x unit=ns\n",
		"t.rec:6: a name may only have lower-case letters, digits, '_' and '.': 'unit=ns'"},
	    {FULL "duration d x x unit=ms\n", unit},
	    {FULL "duration d x x unit=50mhz\n", unit},
	    {FULL "duration d x x unit=ns x\n", "t.rec:6: unexpected 'x'"},
	    {FULL "duration d x y unit=ns\n", "t.rec:6: unknown unsigned field: 'y'"},
	    {FULL "duration d x x\n", unit},
	    {FULL "duration x x x unit=ns\n", "t.rec:6: column defined twice"},
	    {FULL "follow\n", "t.rec:6: name missing"},
	    {FULL "follow s\n", "t.rec:6: name missing"},
	    {FULL "follow s d\n", "t.rec:6: name missing"},
	    {FULL "follow s d x\n", unit},
	    {FULL "follow s d y unit=us\n", "t.rec:6: unknown unsigned field: 'y'"},
	    {HEAD "field n i64 @0\nfollow s d n unit=us\n", "t.rec:6: unknown unsigned field: 'n'"},
	    {FULL "follow s s x unit=us\n", "t.rec:6: column defined twice"},
	    {FULL "follow x d x unit=us\n", "t.rec:6: column defined twice"},
	    {FULL "follow s d x unit=us x\n", "t.rec:6: unexpected 'x'"},
	    {FULL "follow s d x unit=us\nfollow t e x unit=us\n", "t.rec:7: follow is given twice"},
	    {"text r v1 learned\nfollow s d x unit=us\n", "t.rec:2: not a keyword of this kind of layout: 'follow'"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

#define FOLLOW FULL "follow start_ns dur_ns x unit=tick100\n"

static void test_values(void **state)
{
	static const char scale[] = "t.rec:6: expected scale=N/D, of 1 to 4294967295:";
	static const char per[] = "t.rec:7: expected per=N";
	const struct refusal cases[] = {
	    {FULL "value\n", "t.rec:6: name missing"},
	    {FULL "value v\n", "t.rec:6: name missing"},
	    {FULL "value v y\n", "t.rec:6: unknown unsigned field: 'y'"},
	    {HEAD "field n char[8] @0\nvalue v n\n", "t.rec:6: unknown unsigned field: 'n'"},
	    {FULL "value v x scale=\n", scale},
	    {FULL "value v x scale=1\n", scale},
	    {FULL "value v x scale=0/1\n", scale},
	    {FULL "value v x scale=1/0\n", scale},
	    {FULL "value v x scale=4294967296/1\n", scale},
	    {FULL "value v x scale=1/4294967296\n", scale},
	    {FULL "value v x scale=-1/1\n", scale},
	    {FULL "value v x scale=1/2/3\n", scale},
	    {FULL "value v x plus x\n", scale},
	    {FULL "value v x minus\n", "t.rec:6: name missing"},
	    {FULL "value v x minus x\n", "t.rec:6: a field minus itself"},
	    {FULL "value v x minus y\n", "t.rec:6: unknown unsigned field: 'y'"},
	    {FULL "value v x scale=1/2 x\n", "t.rec:6: unexpected 'x'"},
	    {FULL "value x x\n", "t.rec:6: column defined twice"},
	    {HEAD "field n i64 @0\nvalue v n\n", "t.rec:6: unknown unsigned field: 'n'"},
	    {FOLLOW "share\n", "t.rec:7: name missing"},
	    {FOLLOW "share s y per=10\n", "t.rec:7: unknown unsigned field: 'y'"},
	    {FOLLOW "share s x\n", per},
	    {FOLLOW "share s x per=\n", per},
	    {FOLLOW "share s x per=0\n", "t.rec:7: a number is 0"},
	    {FOLLOW "share s x per=4294967296\n", "t.rec:7: number too large: '4294967296'"},
	    {FOLLOW "share s x per=y\n", "t.rec:7: not a number: 'y'"},
	    {FOLLOW "share s x per=5 x\n", "t.rec:7: unexpected 'x'"},
	    {FULL "share s x per=10\n", "t.rec:1: share 's' needs a layout with follow, of unit=tick100"},
	    {FULL "follow a b x unit=us\nshare s x per=10\n",
		"t.rec:1: share 's' needs a layout with follow, of unit=tick100"},
	    {FOLLOW "parts 3\n", "t.rec:1: layout 'r' has parts without share"},
	    {FULL "constant\n", "t.rec:6: name missing"},
	    {FULL "constant c\n", "t.rec:6: number missing"},
	    {FULL "constant c x\n", "t.rec:6: not a number: 'x'"},
	    {FULL "constant c -1\n", "t.rec:6: not a number: '-1'"},
	    {FULL "constant c 9223372036854775808\n", "t.rec:6: number too large: '9223372036854775808'"},
	    {FULL "constant x 1\n", "t.rec:6: column defined twice"},
	    {FULL "constant c 1 2\n", "t.rec:6: unexpected '2'"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

static void test_maps(void **state)
{
#define SMALL HEAD "field x u8 @0\nskip 7 @1\n"
	const struct refusal cases[] = {
	    {SMALL "map\n", "t.rec:7: name missing"},
	    {SMALL "map m\n", "t.rec:7: name missing"},
	    {SMALL "map m y 1=2\n", "t.rec:7: unknown unsigned field: 'y'"},
	    {HEAD "field n i8 @0\nskip 7 @1\nmap m n 1=2\n", "t.rec:7: unknown unsigned field: 'n'"},
	    {SMALL "map m x\n", "t.rec:7: expected FROM=TO, a number and a number or text"},
	    {SMALL "map m x 1\n", "t.rec:7: expected FROM=TO, a number and a number or text: '1'"},
	    {SMALL "map m x =1\n", "t.rec:7: expected FROM=TO, a number and a number or text: '=1'"},
	    {SMALL "map m x 1=\n", "t.rec:7: expected FROM=TO, a number and a number or text: '1='"},
	    {SMALL "map m x 1=2=3\n", "t.rec:7: not a number: '2=3'"},
	    {SMALL "map m x a=1\n", "t.rec:7: not a number: 'a'"},
	    {SMALL "map m x 1=-1\n", "t.rec:7: not a number: '-1'"},
	    {SMALL "map m x 256=1\n", "t.rec:7: number too large: '256'"},
	    {SMALL "map m x 1=0x8000000000000000\n", "t.rec:7: number too large: '0x8000000000000000'"},
	    {SMALL "map m x 1=2 0x01=3\n", "t.rec:7: a number is mapped twice"},
	    {SMALL "map x x 1=2\n", "t.rec:7: column defined twice"},
	    {SMALL "map m x 1=2a\n", "t.rec:7: not a number: '2a'"}, /* a text does not begin with a digit */
	    {SMALL "map m x 1=\"a b\"\n", "t.rec:7: a text of a map has no quotes: '\"a b\"'"},
	    {SMALL "map m x 1=a 2=3\n", "t.rec:7: a map has numbers or texts, not both"},
	    {SMALL "map m x 1=2\nmap m x 3=a\n", "t.rec:8: a map has numbers or texts, not both"},
	    {SMALL "map m x 1=a\nmap m x 2=b 1=c\n", "t.rec:8: a number is mapped twice"},
	    {SMALL "constant m 1\nmap m x 1=a\n", "t.rec:8: column defined twice"},
	    {SMALL "map m x 1=caf\xe9\n", "t.rec:7: not UTF-8"},
	    {HEAD "field x u8 @0\nfield y u8 @1\nskip 6 @2\nmap m x 1=a\nmap m y 2=b\n",
		"t.rec:9: column defined twice"},
	    {SMALL "map m x 0=1 1=1 2=1 3=1 4=1 5=1 6=1 7=1 8=1 9=1 10=1 11=1 12=1 13=1 14=1 15=1 16=1 17=1 18=1 19=1 "
		   "20=1 21=1\n",
		"t.rec:7: too many words"},
	    {SMALL "map a x 0=1 1=1 2=1 3=1 4=1 5=1 6=1 7=1 8=1 9=1 10=1 11=1 12=1 13=1 14=1 15=1\n"
		   "map b x 0=1 1=1 2=1 3=1 4=1 5=1 6=1 7=1 8=1 9=1 10=1 11=1 12=1 13=1 14=1 15=1\n"
		   "map c x 0=1 1=1 2=1 3=1 4=1 5=1 6=1 7=1 8=1 9=1 10=1 11=1 12=1 13=1 14=1 15=1\n"
		   "map d x 0=1 1=1 2=1 3=1 4=1 5=1 6=1 7=1 8=1 9=1 10=1 11=1 12=1 13=1 14=1 15=1 16=1\n",
		"t.rec:10: too many numbers in maps"},
	    {"text r v1 learned\nmap m x 1=2\n", "t.rec:2: not a keyword of this kind of layout: 'map'"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

/* What the parser makes of good statements. */
static void test_columns(void **state)
{
	static const char text[] = FOLLOW "constant c 0xff\nparts 6\nshare s x per=1000\nvalue v x scale=3/4\n"
					  "map n x 1=2 0x10=3\nmap t x 7=conv,relu\nmap t x 0xffffffffffffffff=a=b\n"
					  "map n x 18=0x7fffffffffffffff\n";
	static const struct {
		const char *name;
		int kind;
		enum mp_unit unit;
		uint64_t num, den;
		bool is_text, needs_core;
	} columns[] = {{"x", MP_COLUMN_FIELD, MP_UNIT_NS, 0, 0, false, false},
	    {"start_ns", MP_COLUMN_BEGIN, MP_UNIT_TICK100, 0, 0, false, true},
	    {"dur_ns", MP_COLUMN_SPAN, MP_UNIT_TICK100, 0, 0, false, true},
	    {"c", MP_COLUMN_CONSTANT, MP_UNIT_NS, 255, 0, false, false},
	    {"s", MP_COLUMN_SHARE, MP_UNIT_NS, 1, 1000, false, false},
	    {"v", MP_COLUMN_VALUE, MP_UNIT_NS, 3, 4, false, false},
	    {"n", MP_COLUMN_MAP, MP_UNIT_NS, 0, 0, false, false}, {"t", MP_COLUMN_MAP, MP_UNIT_NS, 0, 0, true, false}};
	static const struct {
		int column;
		uint64_t from, to;
		const char *text;
	} maps[] = {{6, 1, 2, NULL}, {6, 16, 3, NULL}, {7, 7, 9, "conv,relu"}, {7, UINT64_MAX, 3, "a=b"},
	    {6, 18, INT64_MAX, NULL}};
	struct mp_layouts set = {0};
	struct mp_error err;
	const struct mp_layout *l;

	(void)state;
	assert_ok(mp_layouts_parse(&set, "t.rec", text, &err), &err);
	l = set.items[0];
	assert_int_equal(l->parts, 6);
	assert_int_equal(l->column_count, COUNT(columns));
	for (int i = 0; i < l->column_count; i++) {
		const struct mp_column *c = &l->columns[i];

		assert_string_equal(c->name, columns[i].name);
		assert_true((int)c->kind == columns[i].kind && c->unit == columns[i].unit);
		assert_true(c->num == columns[i].num && c->den == columns[i].den && c->from == 0 && c->to == 0);
		assert_true(c->is_text == columns[i].is_text && !c->assumed);
		assert_int_equal(mp_column_needs_core(c), columns[i].needs_core);
	}
	assert_ptr_equal(mp_layout_begin(l), &l->columns[1]);
	assert_int_equal(l->map_count, COUNT(maps));
	for (int i = 0; i < l->map_count; i++) {
		assert_true(l->maps[i].column == maps[i].column && l->maps[i].from == maps[i].from);
		assert_true(l->maps[i].to == maps[i].to && !l->maps[i].text == !maps[i].text);
		if (maps[i].text)
			assert_memory_equal(l->maps[i].text, maps[i].text, l->maps[i].to);
	}
	mp_layouts_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_times),
	    cmocka_unit_test(test_values),
	    cmocka_unit_test(test_maps),
	    cmocka_unit_test(test_columns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
