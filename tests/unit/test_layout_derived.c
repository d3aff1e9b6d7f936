/* test_layout_derived.c: refusals of statements that compute columns: times, durations, values, shares and maps. */
#include "refusal_support.h"

static void test_times(void **state)
{
	static const char unit[] = "t.rec:6: expected unit=ns, unit=us, unit=tick100, unit=cycle, unit=counter, "
				   "unit=host, or unit=Nmhz of 1 to 1000";
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
	    {FULL "time t x unit=0mhz\n", unit},
	    {FULL "time t x unit=1001mhz\n", unit},
	    {FULL "time t x unit=mhz\n", unit},
	    {FULL "time t x unit=50MHz\n", unit},
	    {FULL "time t x unit=+5mhz\n", unit},
	    {FULL "time t x unit=99999999999999999999999mhz\n", unit},
	    {FULL "duration d\n", "t.rec:6: name missing"},
	    {FULL "duration d x\n", unit},
	    {FULL "duration d x unit=ms\n", unit},
	    {FULL "duration d x unit=ns x\n",
		"t.rec:6: a name may only have lower-case letters, digits, '_' and '.': 'unit=ns'"},
	    {FULL "cycles c x unit=ms\n", unit},
	    {FULL "cycles c y unit=ns\n", "t.rec:6: unknown unsigned field: 'y'"},
	    {HEAD "field f f64 @0\ntime t f unit=ns\n", "t.rec:6: unknown unsigned field: 'f'"},
	    {FULL "duration d x y unit=ns\n", "t.rec:6: unknown unsigned field: 'y'"},
	    {FULL "duration d x x\n", unit},
	    {FULL "duration x x x unit=ns\n", "t.rec:6: column defined twice"},
	    {FULL "sequence\n", "t.rec:6: name missing"},
	    {FULL "sequence y\n", "t.rec:6: unknown unsigned field: 'y'"},
	};

	(void)state;
	check_refusals(cases, COUNT(cases));
}

static void test_values(void **state)
{
	static const char scale[] = "t.rec:6: expected scale=N/D, of 1 to 4294967295:";
	static const char per[] = "t.rec:7: expected per=N, of 1 to 4294967295";
	const struct refusal cases[] = {
	    {FULL "value\n", "t.rec:6: name missing"},
	    {FULL "value v\n", "t.rec:6: name missing"},
	    {FULL "value v y\n", "t.rec:6: unknown field of a number: 'y'"},
	    {HEAD "field n char[8] @0\nvalue v n\n", "t.rec:6: unknown field of a number: 'n'"},
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
	    {FULL "value v x minus y\n", "t.rec:6: unknown field of a number: 'y'"},
	    {FULL "value v x scale=1/2 x\n", "t.rec:6: unexpected 'x'"},
	    {FULL "value x x\n", "t.rec:6: column defined twice"},
	    {HEAD "field f f32 @0\nfield u u32 @4\nvalue v f minus u\n",
		"t.rec:7: a float and a whole number cannot be subtracted"},
	    {FULL "duration d x unit=ns\nshare s x\n", per},
	    {FULL "duration d x unit=ns\nshare s x per=0\n", per},
	    {FULL "duration d x unit=ns\nshare s x per=4294967296\n", per},
	    {FULL "duration d x unit=ns\nshare s x per=x\n", per},
	    {FULL "share s x per=10\n", "t.rec:1: share 's' needs a layout with exactly one duration"},
	    {FULL "duration d x unit=ns\nduration e x unit=us\nshare s x per=10\n",
		"t.rec:1: share 's' needs a layout with exactly one duration"},
	    {HEAD "header\n", "t.rec:5: number missing"},
	    {HEAD "header 4096\n", "t.rec:5: number too large: '4096'"},
	    {FULL "header 16\nfamily prof\n", "t.rec:1: layout 'r' has a header; files in slices cannot have that"},
	    {FULL "header 16\nfile \"f.{slice:int}\"\n",
		"t.rec:1: layout 'r' has a header; files in slices cannot have that"},
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
	    {SMALL "map m x\n", "t.rec:7: expected FROM=TO, of two numbers"},
	    {SMALL "map m x 1\n", "t.rec:7: expected FROM=TO, of two numbers: '1'"},
	    {SMALL "map m x =1\n", "t.rec:7: expected FROM=TO, of two numbers: '=1'"},
	    {SMALL "map m x 1=\n", "t.rec:7: expected FROM=TO, of two numbers: '1='"},
	    {SMALL "map m x 1=2=3\n", "t.rec:7: not a number: '2=3'"},
	    {SMALL "map m x a=1\n", "t.rec:7: not a number: 'a'"},
	    {SMALL "map m x 1=-1\n", "t.rec:7: not a number: '-1'"},
	    {SMALL "map m x 256=1\n", "t.rec:7: number too large: '256'"},
	    {SMALL "map m x 1=0x8000000000000000\n", "t.rec:7: number too large: '0x8000000000000000'"},
	    {SMALL "map m x 1=2 0x01=3\n", "t.rec:7: a number is mapped twice"},
	    {SMALL "map x x 1=2\n", "t.rec:7: column defined twice"},
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

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_times),
	    cmocka_unit_test(test_values),
	    cmocka_unit_test(test_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
