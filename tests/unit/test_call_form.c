/* test_call_form.c: the record of each event in a JOB, whatever events came before it. The places of fields are written
 * out by hand. */
#include "base/schema.h"
#include "recorder/call_files.h"
#include "support.h"

enum { SIZE = 128, TYPE = 4, BEGIN = 8, END = 16, PID = 24, TID = 28, NAME = 32, DETAIL = 96 };

static struct mp_layouts layouts;
static struct mp_call_form form;

static int begin(void **state)
{
	struct mp_wall wall = {.realtime_ns = 5000000, .monotonic_ns = 1000000};
	struct mp_error err;

	(void)state;
	return mp_layouts_parse(&layouts, "svp.rec", mp_schema_text("records/svp.rec"), &err) ||
	       mp_layouts_finish(&layouts, &err) ||
	       mp_call_form_init(&form, &layouts, mp_layouts_soc(&layouts, "ss928"), &wall, 77, &err);
}

static int end(void **state)
{
	(void)state;
	mp_layouts_free(&layouts);
	return 0;
}

static uint32_t some_number(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (uint32_t)(state >> 32);
}

static void put(unsigned char *record, size_t at, int width, uint64_t value)
{
	for (int i = 0; i < width; i++)
		record[at + (size_t)i] = (unsigned char)(value >> 8 * i & 0xff);
}

/* Make the record, and the one that must come out. Returns the number that the board's library has for the call. */
static int check(const struct mp_event *e, unsigned type, const char *detail)
{
	unsigned char wanted[SIZE] = {0x5a, 0x5a}, made[SIZE];
	int number;

	memset(made, 0xee, sizeof(made));
	put(wanted, TYPE, 4, type);
	put(wanted, BEGIN, 8, e->begin_ns + 4000000);
	put(wanted, END, 8, e->end_ns + 4000000);
	put(wanted, PID, 4, 77);
	put(wanted, TID, 4, e->tid);
	memcpy(wanted + NAME, e->text, strlen(e->text) < 64 ? strlen(e->text) : 64);
	memcpy(wanted + DETAIL, detail, strlen(detail));
	number = mp_call_form_all(&form, e, made);
	assert_memory_equal(made, wanted, SIZE);
	return number;
}

static void a_record_has_nothing_of_the_one_before(void **state)
{
	static char names[200][80];
	uint64_t now_ns = 2000000;

	(void)state;
	for (int i = 0; i < 200; i++)
		snprintf(names[i], sizeof(names[i]), "%s%d",
		    i % 3 ? "call_" : "a_long_name_of_a_call_that_is_cut_where_its_field_ends_after_64_bytes_", i);
	for (int i = 0; i < 5000; i++) {
		/* names whose numbers share a place, each with several types, and with operators */
		uint32_t n = some_number();
		uint32_t name = 1 + n % 2 * MP_KNOWN_CALLS + n / 2 % 2, op_type = n / 4 % 3;
		struct mp_event e = {.kind = MP_EVENT_CALL,
		    .tid = 100 + (uint32_t)i,
		    .begin_ns = now_ns,
		    .end_ns = now_ns + (uint64_t)i,
		    .name = name,
		    .text = names[name],
		    .type = (enum msprof_api_type)(MSPROF_OP + n / 12 % 2),
		    .op_type = op_type,
		    .op_type_text = op_type == 1 ? "Conv" : "Pool"};

		now_ns += 10;
		assert_int_equal(check(&e, (unsigned)e.type, !op_type ? "" : e.op_type_text), -1);
		if (i % 9)
			continue;
		e.kind = MP_EVENT_STAMP;
		e.text = "a mark";
		e.op_type = 0;
		assert_int_equal(check(&e, 5, ""), -1);
	}
}

static void calls_that_the_library_of_a_board_numbers_are_known_again(void **state)
{
	struct mp_event e = {.kind = MP_EVENT_CALL,
	    .begin_ns = 2000000,
	    .end_ns = 2000001,
	    .text = "svp_acl_mdl_execute",
	    .type = MSPROF_RUNTIME};
	int number;

	(void)state;
	e.name = 300;
	number = check(&e, MSPROF_RUNTIME, "");
	assert_true(number >= 0);
	e.name = 300 + MP_KNOWN_CALLS;
	e.text = "another";
	assert_int_equal(check(&e, MSPROF_RUNTIME, ""), -1);
	e.name = 300;
	e.text = "svp_acl_mdl_execute";
	assert_int_equal(check(&e, MSPROF_RUNTIME, ""), number);
	e.name = 0; /* without room for its name */
	e.text = "?";
	assert_int_equal(check(&e, MSPROF_RUNTIME, ""), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_record_has_nothing_of_the_one_before),
	    cmocka_unit_test(calls_that_the_library_of_a_board_numbers_are_known_again),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
