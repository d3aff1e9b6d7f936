/* test_job_soc.c: the family of a job, the chip of a board, and jobs of forms that are not supported any more. */
#include "job_support.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, job_setup, job_teardown)

static void open_as(struct job_test *t, enum mp_family family)
{
	mp_job_close(t->job);
	t->job = NULL;
	assert_ok(
	    mp_job_open(&t->job, t->dir, &t->layouts, &(struct mp_job_options){.family = &family}, &t->err), &t->err);
}

/* The first chip whose conditions hold; the keys may be anywhere in the list, or beside it. */
static void test_chips(void **state)
{
	static const struct {
		const char *text, *soc, *title;
	} cases[] = {
	    {INFO_SS928, "ss928", "SS928"},
	    {INFO_DV500, "dv500", "Hi3519DV500"},
	    {INFO_CV610, "cv610", "Hi3516CV610"},
	    {"{\"DeviceInfo\": []}", "ss928", "SS928"},
	    {"{}", "ss928", "SS928"},
	    {"{\"DeviceInfo\": [{\"magic_num\": 5}]}", "dv500", "Hi3519DV500"},
	    {"{\"DeviceInfo\": [{\"magic_num\": \"\"},{\"soc_version\": \"\"}]}", "cv610", "Hi3516CV610"},
	    {"{\"magic_num\": null}", "dv500", "Hi3519DV500"},
	    {"{\"DeviceInfo\": [{\"Magic_num\": \"6A6A\"}]}", "ss928", "SS928"},
	    {"{\"DeviceInfo\": [{\"x\": {\"magic_num\": \"6A6A\"}}]}", "ss928", "SS928"},
	};
	struct job_test *t = *state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		write_text(t->dir, "info.json.0", cases[i].text);
		job_open(t);
		assert_int_equal(t->job->family, MP_FAMILY_SVP);
		if (strcmp(t->job->soc->name, cases[i].soc) != 0)
			fail_msg("%s is %s", cases[i].text, t->job->soc->name);
		assert_string_equal(t->job->soc->title, cases[i].title);
	}
}

/* Without an info file that can be used, the chip whose layouts know most of the names; else the last one. */
static void test_chips_by_names(void **state)
{
	static const struct {
		const char *names[3], *soc;
	} cases[] = {
	    {{NULL}, "ss928"},
	    {{"aicore.0.m.16.0.256.1.0", "acl_api.0.m.0", NULL}, "ss928"},
	    {{"aicore.0.256.1", "acl_api.0.m.0", NULL}, "dv500"},
	    {{"aicore.0.256.1", "aicpu.0.m.16.0.256.1.0", "aicpu.0.m.16.0.256.1.1"}, "ss928"},
	    {{"cont.0.x.0.256.1.0", "m.0.layer.info", "readme"}, "ss928"},
	};
	struct job_test *t = *state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		remove_at(AT_FDCWD, t->data);
		assert_int_equal(mkdir(t->data, 0700), 0);
		for (int k = 0; k < 3 && cases[i].names[k]; k++)
			add_raw(t, cases[i].names[k]);
		write_text(t->dir, "info.json.0", "damaged");
		job_open(t);
		assert_string_equal(t->job->soc->name, cases[i].soc);
	}
	write_text(t->dir, "info.json.1", INFO_CV610); /* of another device, and whole */
	job_open(t);
	assert_string_equal(t->job->soc->name, "cv610");
}

/* Conditions of a user's chips are tried in the order of the file. */
static void test_conditions(void **state)
{
	static const char text[] =
	    "soc x \"X\"\nwhen info.json has a\nwhen info.json lacks b\nsoc y \"Y\"\n"
	    "when info.json lacks a\nsoc z \"Z\"\n"
	    "record r v1 verified\nfile \"f\"\ntable api_call\nsize 1\nfield type u8 @0\nsoc x\n"
	    "record s v1 verified\nfile \"f\"\ntable api_call\nsize 1\nfield type u8 @0\nsoc y z\n";
	static const struct {
		const char *info, *soc, *layout;
	} cases[] = {
	    {"{\"a\":1}", "x", "r"}, {"{\"a\":1,\"b\":1}", "z", "s"}, {"{\"b\":1}", "y", "s"}, {"{}", "y", "s"}};
	struct job_test *t = *state;

	mp_layouts_free(&t->layouts);
	assert_ok(mp_layouts_parse(&t->layouts, "t.rec", text, &t->err), &t->err);
	assert_ok(mp_layouts_finish(&t->layouts, &t->err), &t->err);
	add_raw(t, "f");
	for (size_t i = 0; i < COUNT(cases); i++) {
		write_text(t->dir, "info.json.0", cases[i].info);
		job_open(t);
		assert_string_equal(t->job->soc->name, cases[i].soc);
		assert_string_equal(file_named(t, "f")->layout->name, cases[i].layout);
	}
	mp_job_close(t->job);
	t->job = NULL;
	/* layouts without chips leave it open */
	mp_layouts_free(&t->layouts);
	assert_ok(mp_layouts_parse(&t->layouts, "t.rec",
		      "record r v1 verified\nfile \"f\"\ntable api_call\nsize 1\nfield type u8 @0\n", &t->err),
	    &t->err);
	job_open(t);
	assert_null(t->job->soc);
	assert_int_equal(file_named(t, "f")->state, MP_FILE_RAW);
}

/*
 * DeviceInfo of a board is a list of objects of one key each; any other is that of an Ascend card, unless only boards
 * write files of the names that there are.
 */
static void test_device_info(void **state)
{
	static const struct {
		const char *text;
		enum mp_family family;
	} cases[] = {
	    {INFO_SS928, MP_FAMILY_SVP},
	    {"{\"DeviceInfo\":[]}", MP_FAMILY_SVP},
	    {"{\"deviceinfo\":5}", MP_FAMILY_SVP},
	    {"{\"DeviceInfo\":[{\"id\":0,\"env_type\":3,\"aic_frequency\":\"800\"}]}", MP_FAMILY_ASCEND2022},
	    {"{\"DeviceInfo\":[{\"aic_frequency\":\"800\"},{\"id\":0,\"x\":1}]}", MP_FAMILY_ASCEND2022},
	    {"{\"DeviceInfo\":[{}]}", MP_FAMILY_ASCEND2022},
	    {"{\"DeviceInfo\":[5]}", MP_FAMILY_ASCEND2022},
	    {"{\"DeviceInfo\":5}", MP_FAMILY_ASCEND2022},
	    {"{\"DeviceInfo\":{\"id\":0}}", MP_FAMILY_ASCEND2022},
	    {"{\"DeviceInfo\":null}", MP_FAMILY_ASCEND2022},
	};
	struct job_test *t = *state;

	for (size_t i = 0; i < COUNT(cases); i++) {
		bool board = cases[i].family == MP_FAMILY_SVP;

		write_text(t->dir, "info.json.0", cases[i].text);
		job_open(t);
		if (t->job->family != cases[i].family)
			fail_msg("%s is of %s", cases[i].text, mp_family_name(t->job->family));
		assert_int_equal(!t->job->soc, !board);
		if (!board)
			assert_int_equal(t->job->devices[0].file_mhz, 0); /* the frequency of a board only */
		add_raw(t, "acl_api.0.m.1");
		job_open(t);
		assert_int_equal(t->job->family, MP_FAMILY_SVP);
		assert_int_equal(file_named(t, "acl_api.0.m.1")->state, MP_FILE_RAW);
		add_raw(t, "hwts.data.0.slice_0");
		job_open(t);
		assert_int_equal(t->job->family, MP_FAMILY_ASCEND2022);
		assert_int_equal(file_named(t, "acl_api.0.m.1")->state, MP_FILE_UNKNOWN);
		assert_int_equal(unlink(below(t->data, "acl_api.0.m.1")), 0);
		assert_int_equal(unlink(below(t->data, "hwts.data.0.slice_0")), 0);
	}
	/* one card among boards makes it a job of cards, wherever it stands */
	write_text(t->dir, "info.json.0", "{\"DeviceInfo\":[{\"id\":0,\"x\":1}]}");
	write_text(t->dir, "info.json.1", INFO_SS928);
	job_open(t);
	assert_int_equal(t->job->family, MP_FAMILY_ASCEND2022);
	write_text(t->dir, "info.json.0", INFO_SS928);
	write_text(t->dir, "info.json.1", "{\"DeviceInfo\":[{\"id\":0,\"x\":1}]}");
	job_open(t);
	assert_int_equal(t->job->family, MP_FAMILY_ASCEND2022);
}

/* A user may say the family, whatever names and info files tell; not that of a PROF directory. */
static void test_given_family(void **state)
{
	const enum mp_family svp = MP_FAMILY_SVP;
	struct job_test *t = *state;

	add_raw(t, "hwts.data.0.slice_0");
	add_raw(t, "aicore.0.m.16.1.1.1.0");
	job_open(t);
	assert_int_equal(t->job->family, MP_FAMILY_ASCEND2022);
	open_as(t, MP_FAMILY_SVP);
	assert_int_equal(t->job->family, MP_FAMILY_SVP);
	assert_string_equal(t->job->soc->name, "ss928");
	assert_int_equal(file_named(t, "aicore.0.m.16.1.1.1.0")->state, MP_FILE_RAW);
	assert_int_equal(file_named(t, "hwts.data.0.slice_0")->state, MP_FILE_UNKNOWN);
	open_as(t, MP_FAMILY_ASCEND910);
	assert_int_equal(t->job->family, MP_FAMILY_ASCEND910);
	assert_null(t->job->soc);
	write_text(t->dir, "info.json.0", "{\"DeviceInfo\":[{\"id\":0,\"x\":1}]}");
	open_as(t, MP_FAMILY_SVP);
	assert_int_equal(t->job->family, MP_FAMILY_SVP);
	remove_at(AT_FDCWD, t->data);
	assert_int_equal(mkdir(below(t->dir, "host"), 0700) + mkdir(below(t->dir, "host/data"), 0700), 0);
	mp_job_close(t->job);
	t->job = NULL;
	assert_int_equal(
	    mp_job_open(&t->job, t->dir, &t->layouts, &(struct mp_job_options){.family = &svp}, &t->err), -1);
	assert_non_null(strstr(t->err.text, "is a PROF directory: it cannot be read as family 'svp'"));
}

/* The form of recorders before msprof 0.9 is refused with one sentence, unless the job was imported before. */
static void test_version1(void **state)
{
	static const char *const texts[] = {"{\"version\":1,\"device\":0,\"frequency\":700}", "{\"version\":1}",
	    "{\"version\":1.0,\"collector\":\"host\"}"};
	static const char *const others[] = {"{\"version\":2}", "{\"version\":\"1\"}", "{\"Version\":1}",
	    "{\"version\":1,\"DeviceInfo\": [{\"aic_frequency\": \"700\"}]}", "{\"frequency\":700}"};
	struct job_test *t = *state;
	enum mp_family card = MP_FAMILY_ASCEND2022;

	add_raw(t, "acl_api.0.m.1");
	add_raw(t, "acl_api.0.m.1.done");
	for (size_t i = 0; i < COUNT(texts); i++) {
		char expected[2048];

		write_text(t->dir, "info.json.0", texts[i]);
		snprintf(expected, sizeof(expected),
		    "'%s' was recorded before msprof 0.9, in a form that is not read any more: record it again",
		    t->dir);
		assert_int_equal(mp_job_open(&t->job, t->dir, &t->layouts, NULL, &t->err), -1);
		assert_string_equal(t->err.text, expected);
		assert_null(t->job);
	}
	for (size_t i = 0; i < COUNT(others); i++) {
		write_text(t->dir, "info.json.0", others[i]);
		job_open(t);
		assert_null(t->job->missing);
	}
	/* the sentence is about boards */
	write_text(t->dir, "info.json.0", texts[0]);
	open_as(t, card);
	add_raw(t, "hwts.data.0.slice_0");
	job_open(t);
	assert_int_equal(t->job->family, MP_FAMILY_ASCEND2022);
	assert_int_equal(unlink(below(t->data, "hwts.data.0.slice_0")), 0);
	assert_int_equal(mkdir(below(t->dir, "sqlite"), 0700), 0);
	write_text(t->dir, "sqlite/msprof.db", "");
	job_open(t);
	assert_string_equal(t->job->missing, "recorded before msprof 0.9, in a form that is not read any more");
	assert_int_equal(t->job->file_count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_chips),
	    TEST(test_chips_by_names),
	    TEST(test_conditions),
	    TEST(test_device_info),
	    TEST(test_given_family),
	    TEST(test_version1),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
