/*
 * test_job.c: the facts in the names of files in data/. test_job_info.c tests the info files, test_job_soc.c chips and
 * families, test_job_markers.c what markers say.
 */
#include "job_support.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, job_setup, job_teardown)

/* A name and what it says; NULL for a layout: nobody knows the name. */
struct named {
	const char *name, *layout, *model;
	int64_t device, stream, id, batch, input, current;
};

static void check_names(struct job_test *t, const char *info, const struct named *cases, size_t count)
{
	write_text(t->dir, "info.json.0", info);
	for (size_t i = 0; i < count; i++)
		add_raw(t, cases[i].name);
	job_open(t);
	assert_int_equal(t->job->file_count, count);
	assert_int_equal(t->job->family, MP_FAMILY_SVP);
	for (size_t i = 0; i < count; i++) {
		const struct mp_job_file *f = file_named(t, cases[i].name);

		if (!f->layout || !cases[i].layout || strcmp(f->layout->name, cases[i].layout) != 0) {
			if (f->layout || cases[i].layout)
				fail_msg("%s is of %s", cases[i].name, f->layout ? f->layout->name : "no layout");
			assert_int_equal(f->state, MP_FILE_UNKNOWN);
			assert_int_equal(f->identity.device_id, -1);
			continue;
		}
		assert_int_equal(f->state, MP_FILE_RAW);
		assert_string_equal(f->identity.model, cases[i].model);
		assert_int_equal(f->identity.device_id, cases[i].device);
		assert_int_equal(f->identity.stream_id, cases[i].stream);
		assert_int_equal(f->identity.model_id, cases[i].id);
		assert_int_equal(f->identity.batch, cases[i].batch);
		assert_int_equal(f->identity.input_pic_num, cases[i].input);
		assert_int_equal(f->identity.current_pic, cases[i].current);
		assert_int_equal(f->identity.slice, -1);
	}
}

/* SS928: with the number of the stream, or without it. */
static void test_ss928(void **state)
{
	static const struct named cases[] = {
	    {"aicore.0.resnet50.16.46.1.2.10", "svp.aicore_ss928", "resnet50", 0, 16, 46, 1, 2, 10},
	    {"aicore.0.r.1.2.3.4", "svp.aicore_ss928", "r", 0, -1, 1, 2, 3, 4},
	    {"AICORE.2.r.7.1.2.3.4", "svp.aicore_ss928", "r", 2, 7, 1, 2, 3, 4},
	    {"aicore.0.5.16.32.1.1.0", "svp.aicore_ss928", "5", 0, 16, 32, 1, 1, 0},
	    {"aicore.0.v1.5.16.32.1.1.0", "svp.aicore_ss928", "v1.5", 0, 16, 32, 1, 1, 0},
	    {"aicore.0.a_b#.16.0.256.4.8", "svp.aicore_ss928", "a_b#", 0, 16, 0, 256, 4, 8},
	    {"aicpu.0.kws-610-pro.16.9.256.1.0", "svp.aicpu", "kws-610-pro", 0, 16, 9, 256, 1, 0},
	    {"aicpu.0.kws.9.256.1.0", "svp.aicpu", "kws", 0, -1, 9, 256, 1, 0},
	    {"acl_api.0.yolov5n_noquat.32", "svp.acl_api_ss928", "yolov5n_noquat", 0, -1, 32, -1, -1, -1},
	    {"acl_api.3.1.2.3", "svp.acl_api_ss928", "1.2", 3, -1, 3, -1, -1, -1},
	    {"cont.0.xt.1.256.8.16", "svp.cont", "", 0, -1, 1, 256, 8, 16},
	    {"msprof_api.0.net.2", "svp.host_call", "net", 0, -1, 2, -1, -1, -1},
	    {"yolo.v5.32.layer.info", "svp.layer_info", "yolo.v5", -1, -1, 32, -1, -1, -1},
	    {"9.1.net.info", "svp.net_info", "9", -1, -1, 1, -1, -1, -1},
	    {"aicore.0.256.1", NULL, NULL, 0, 0, 0, 0, 0, 0},     /* of another chip */
	    {"AAcore.0.r.1.2.3.4", NULL, NULL, 0, 0, 0, 0, 0, 0}, /* the guide's names: no library writes them */
	    {"AclModule.0.r.1", NULL, NULL, 0, 0, 0, 0, 0, 0},
	};

	check_names(*state, INFO_SS928, cases, COUNT(cases));
}

/* Hi3519DV500: the file of the AI Core is shared, and names no model. */
static void test_dv500(void **state)
{
	static const struct named cases[] = {
	    {"aicore.0.256.1", "svp.aicore_dv500", "", 0, -1, -1, 256, 1, -1},
	    {"aicore.1.1.4", "svp.aicore_dv500", "", 1, -1, -1, 1, 4, -1},
	    {"aicore.0.m.16.1.256.1.0", "svp.aicore_dv500", "m.16", 0, -1, 1, 256, 1, 0},
	    {"acl_api.0.m.1", "svp.acl_api_dv500", "m", 0, -1, 1, -1, -1, -1},
	    {"aicpu.0.m.1.256.1.0", NULL, NULL, 0, 0, 0, 0, 0, 0}, /* its header is not known */
	};

	check_names(*state, INFO_DV500, cases, COUNT(cases));
}

static void test_cv610(void **state)
{
	static const struct named cases[] = {
	    {"aicore.0.256.1", "svp.aicore_cv610", "", 0, -1, -1, 256, 1, -1},
	    {"aicore.0.m.1.256.1.0", "svp.aicore_cv610", "m", 0, -1, 1, 256, 1, 0},
	    {"acl_api.0.m.1", "svp.acl_api_dv500", "m", 0, -1, 1, -1, -1, -1},
	};

	check_names(*state, INFO_CV610, cases, COUNT(cases));
}

static void test_unknown_names(void **state)
{
	static const char *const names[] = {"aicore", "aicore.0", "aicore.0.m.1.1.1", "aicore.x.m.1.1.1.0", "readme",
	    "acl_api.0.32", "aicore.-1.m.1.1.1.0", "aicore.0.m.-1.1.1.0", "aicore.0.m.1.1.1.99999999999999999999",
	    "aicore.0.m.1.1.1.4294967296", "aicore.0.m.1.1.1.9223372036854775807", "aicore.0.m.4294967296.1.1.0",
	    "aicore.2147483648.m.1.1.1.0", "m.layer.info", "aicore.0.m.1.1.1.0.bak", ".hidden"};
	struct job_test *t = *state;

	for (size_t i = 0; i < COUNT(names); i++)
		add_raw(t, names[i]);
	add_raw(t, "aicore.2147483647.m.1.1.1.0");
	add_raw(t, "aicore.0.m.1.1.1.4294967295");
	job_open(t);
	for (size_t i = 0; i < COUNT(names); i++) {
		const struct mp_job_file *f = file_named(t, names[i]);

		if (f->state != MP_FILE_UNKNOWN)
			fail_msg("%s is known", names[i]);
		assert_null(f->layout);
		assert_int_equal(f->identity.device_id, -1);
		assert_string_equal(f->identity.model, "");
	}
	assert_int_equal(file_named(t, "aicore.2147483647.m.1.1.1.0")->identity.device_id, INT32_MAX);
	assert_int_equal(file_named(t, "aicore.0.m.1.1.1.4294967295")->identity.current_pic, UINT32_MAX);
}

static void test_control_characters(void **state)
{
	static const char *const names[] = {"acl_api.0.a\nb.1", "acl_api.0.a\x1b[2J.1", "acl_api.0.\xff.1",
	    "acl_api.0.\xc2\x9b.1", "acl_api.0.\xe2\x80\xae.1", "\x7f.done"};
	struct job_test *t = *state;

	for (size_t i = 0; i < COUNT(names); i++)
		add_raw(t, names[i]);
	add_raw(t, "acl_api.0.\xe4\xb8\xad\xe6\x96\x87 x.1");
	job_open(t);
	for (size_t i = 0; i < COUNT(names); i++) {
		assert_int_equal(file_named(t, names[i])->state, MP_FILE_UNKNOWN);
		assert_string_equal(file_named(t, names[i])->remark, "control characters in the name");
		assert_null(file_named(t, names[i])->layout);
	}
	assert_string_equal(
	    file_named(t, "acl_api.0.\xe4\xb8\xad\xe6\x96\x87 x.1")->identity.model, "\xe4\xb8\xad\xe6\x96\x87 x");
}

/* Only regular files are opened; anything else is listed. */
static void test_not_regular(void **state)
{
	static const struct {
		const char *name, *remark;
	} cases[] = {{"acl_api.0.link.1", "a link is not followed"}, {"acl_api.0.fifo.1", "not a regular file"},
	    {"acl_api.0.dir.1", "a directory"}, {"acl_api.0.gone.1", "a link is not followed"}};
	struct job_test *t = *state;

	write_text(t->dir, "secret", "secret");
	assert_int_equal(symlink("../secret", below(t->data, "acl_api.0.link.1")), 0);
	assert_int_equal(symlink("nowhere", below(t->data, "acl_api.0.gone.1")), 0);
	assert_int_equal(mkfifo(below(t->data, "acl_api.0.fifo.1"), 0600), 0);
	assert_int_equal(mkdir(below(t->data, "acl_api.0.dir.1"), 0700), 0);
	assert_int_equal(mkfifo(below(t->data, "acl_api.0.fifo.1.done"), 0600), 0);
	job_open(t);
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct mp_job_file *f = file_named(t, cases[i].name);

		assert_int_equal(f->state, MP_FILE_UNREADABLE);
		assert_string_equal(f->remark, cases[i].remark);
		assert_int_equal(f->size, 0);
		assert_non_null(f->layout);
		assert_int_equal(mp_job_open_file(t->job, f), -1);
		assert_false(f->has_done);
	}
}

/* A file that becomes something else between listing and opening is refused as well. */
static void test_open_file(void **state)
{
	struct job_test *t = *state;
	const struct mp_job_file *f;
	char text[8] = "";
	int fd;

	write_text(t->data, "acl_api.0.m.1", "abc");
	job_open(t);
	f = file_named(t, "acl_api.0.m.1");
	fd = mp_job_open_file(t->job, f);
	assert_true(fd >= 0);
	assert_int_equal(read(fd, text, sizeof(text)), 3);
	assert_string_equal(text, "abc");
	close(fd);
	assert_int_equal(unlink(below(t->data, "acl_api.0.m.1")), 0);
	assert_int_equal(mp_job_open_file(t->job, f), -1);
	assert_int_equal(mkfifo(below(t->data, "acl_api.0.m.1"), 0600), 0);
	assert_int_equal(mp_job_open_file(t->job, f), -1);
}

/* Order by table, then identity as numbers, then name. */
static void test_order(void **state)
{
	static const char *const expected[] = {"aicore.0.a.2.1.1.0", "aicore.0.a.10.1.1.0", "aicore.0.a.10.1.1.9",
	    "aicore.0.a.10.1.1.10", "aicore.0.a.9.10.1.1.10", "aicore.0.a.16.10.1.1.0", "aicore.0.b.1.1.1.0",
	    "aicore.1.a.1.1.1.0", "acl_api.0.a.1", "aicore.0.a.2.1.1.0.done", "readme"};
	struct job_test *t = *state;

	for (size_t i = COUNT(expected); i--;)
		add_raw(t, expected[i]);
	job_open(t);
	assert_int_equal(t->job->file_count, COUNT(expected));
	for (size_t i = 0; i < COUNT(expected); i++)
		assert_string_equal(t->job->files[i].name, expected[i]);
}

static void test_many_files(void **state)
{
	struct job_test *t = *state;
	char name[64];

	for (int i = 0; i < 700; i++) {
		snprintf(name, sizeof(name), "aicore.0.m.1.1.1.%d", i);
		add_raw(t, name);
	}
	job_open(t);
	assert_int_equal(t->job->file_count, 700);
	for (int i = 0; i < 700; i++)
		assert_int_equal(t->job->files[i].identity.current_pic, i);
}

static void test_slices_mean_ascend(void **state)
{
	struct job_test *t = *state;
	const struct mp_job_file *f;

	add_raw(t, "hwts.log.data.45.dev.profiler_default_tag.2.slice_7");
	add_raw(t, "training_trace.46.dev.tag.0.slice_10");
	add_raw(t, "aicore.0.m.1.1.1.0");
	job_open(t);
	assert_int_equal(t->job->family, MP_FAMILY_ASCEND910);
	f = file_named(t, "hwts.log.data.45.dev.profiler_default_tag.2.slice_7");
	assert_string_equal(f->layout->name, "ascend910.hwts");
	assert_int_equal(f->identity.slice, 7);
	assert_int_equal(f->identity.device_id, 2);
	assert_int_equal(file_named(t, "aicore.0.m.1.1.1.0")->state, MP_FILE_UNKNOWN);
	assert_non_null(mp_job_device(t->job, 2));
	assert_true(mp_job_device(t->job, 2)->clock_assumed);
	assert_int_equal(mp_job_device(t->job, 2)->clock.counter_mhz, 100);
}

/* A model with a name similar to a slice is a model. */
static void test_no_slice(void **state)
{
	struct job_test *t = *state;

	add_raw(t, "acl_api.0.m.slice_x.1");
	add_raw(t, "acl_api.0.my-slice_1.1");
	add_raw(t, "slice_0");
	job_open(t);
	assert_int_equal(t->job->family, MP_FAMILY_SVP);
	assert_string_equal(file_named(t, "acl_api.0.m.slice_x.1")->identity.model, "m.slice_x");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_ss928),
	    TEST(test_dv500),
	    TEST(test_cv610),
	    TEST(test_unknown_names),
	    TEST(test_control_characters),
	    TEST(test_not_regular),
	    TEST(test_open_file),
	    TEST(test_order),
	    TEST(test_many_files),
	    TEST(test_slices_mean_ascend),
	    TEST(test_no_slice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
