/* test_encode.c: values by name into bytes, in both byte orders. The expected bytes are written out by hand. */
#include "raw/encode.h"
#include "support.h"

static const char text[] = "record t.one v1 unverified\n"
			   "  file \"one.{device_id:int}\"\n"
			   "  table api_call\n"
			   "  size 32\n"
			   "  match u16 @0 == 0x5a5a\n"
			   "  field low u8 @2 bits 0..2\n"
			   "  field high u8 @2 bits 3..7\n"
			   "  field small i8 @3\n"
			   "  field number u32 @4\n"
			   "  field wide u64 @8\n"
			   "  field name char[12] @16\n"
			   "  pad 4 @28\n";

enum { LOW, HIGH, SMALL, NUMBER, WIDE, NAME, SLOTS };
static const char *const names[SLOTS] = {"low", "high", "small", "number", "wide", "name"};

static void parse(struct mp_layouts *set, bool big_endian)
{
	char source[sizeof(text) + 32];
	struct mp_error err;

	snprintf(source, sizeof(source), "%s%s", text, big_endian ? "  endian big\n" : "");
	memset(set, 0, sizeof(*set));
	assert_ok(mp_layouts_parse(set, "one.rec", source, &err), &err);
	assert_ok(mp_layouts_finish(set, &err), &err);
}

static void encode(const struct mp_layouts *set, unsigned char record[32])
{
	struct mp_encoder e;
	struct mp_error err;

	assert_ok(mp_encoder_init(&e, set, "t.one", names, SLOTS, &err), &err);
	mp_encoder_begin(&e, record);
	mp_encoder_text(&e, NAME, "what was before", 12);
	mp_encoder_begin(&e, record); /* a new record clears the field */
	mp_encoder_number(&e, LOW, 5);
	mp_encoder_number(&e, HIGH, 9);
	mp_encoder_number(&e, SMALL, 127);
	mp_encoder_number(&e, NUMBER, 0x01020304);
	mp_encoder_number(&e, WIDE, UINT64_C(0x1122334455667788));
	mp_encoder_text(&e, NAME, "exactly", 5);
	assert_ok(mp_encoder_check(&e, &err), &err);
}

static void bytes_lie_where_the_layout_says(void **state)
{
	static const unsigned char little[32] = "\x5a\x5a\x4d\x7f\x04\x03\x02\x01\x88\x77\x66\x55\x44\x33\x22\x11"
						"exact";
	static const unsigned char big[32] = "\x5a\x5a\x4d\x7f\x01\x02\x03\x04\x11\x22\x33\x44\x55\x66\x77\x88"
					     "exact";
	unsigned char record[32];
	struct mp_layouts set;

	(void)state;
	parse(&set, false);
	encode(&set, record);
	assert_memory_equal(record, little, sizeof(record));
	mp_layouts_free(&set);
	parse(&set, true);
	encode(&set, record);
	assert_memory_equal(record, big, sizeof(record));
	mp_layouts_free(&set);
}

static void what_does_not_fit_is_remembered(void **state)
{
	static const struct {
		int slot;
		uint64_t value;
	} cases[] = {{LOW, 8}, {HIGH, 32}, {SMALL, 128}, {NUMBER, UINT64_C(0x100000000)}, {NAME, 1}};
	unsigned char record[32];
	struct mp_layouts set;
	struct mp_encoder e;
	struct mp_error err;

	(void)state;
	parse(&set, false);
	for (size_t i = 0; i < COUNT(cases); i++) {
		assert_ok(mp_encoder_init(&e, &set, "t.one", names, SLOTS, &err), &err);
		mp_encoder_begin(&e, record);
		mp_encoder_number(&e, cases[i].slot, cases[i].value);
		assert_refused(mp_encoder_check(&e, &err), &err, names[cases[i].slot]);
	}
	assert_ok(mp_encoder_init(&e, &set, "t.one", names, SLOTS, &err), &err);
	mp_encoder_begin(&e, record);
	mp_encoder_text(&e, NAME, "thirteen char", 13);
	assert_refused(mp_encoder_check(&e, &err), &err, "'name'");
	mp_layouts_free(&set);
}

static void unknown_layouts_and_fields_are_refused(void **state)
{
	static const char *const unknown[] = {"low", "nowhere"};
	struct mp_layouts set;
	struct mp_encoder e;
	struct mp_error err;

	(void)state;
	parse(&set, false);
	assert_refused(mp_encoder_init(&e, &set, "t.two", names, SLOTS, &err), &err, "'t.two'");
	assert_refused(mp_encoder_init(&e, &set, "t.one", unknown, 2, &err), &err, "'nowhere'");
	mp_layouts_free(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bytes_lie_where_the_layout_says),
	    cmocka_unit_test(what_does_not_fit_is_remembered),
	    cmocka_unit_test(unknown_layouts_and_fields_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
