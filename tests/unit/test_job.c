/* test_job.c: the facts in the names of files in data/. test_job_info.c tests the info files. */
#include "job_support.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, job_setup, job_teardown)

static void test_spellings(void **state)
{
	static const struct {
		const char *name, *layout, *model;
		int64_t device, id, batch, input, current;
	} cases[] = {
	    {"aicore.0.resnet50.46.1.2.10", "svp.aicore", "resnet50", 0, 46, 1, 2, 10},
	    {"AAcore.0.r.1.2.3.4", "svp.aicore", "r", 0, 1, 2, 3, 4},
	    {"aacore.1.r.1.2.3.4", "svp.aicore", "r", 1, 1, 2, 3, 4},
	    {"AICORE.2.r.1.2.3.4", "svp.aicore", "r", 2, 1, 2, 3, 4},
	    {"aicpu.0.kws-610-pro.9.256.1.0", "svp.aicpu", "kws-610-pro", 0, 9, 256, 1, 0},
	    {"AACPU.0.a.b.c.9.256.1.0", "svp.aicpu", "a.b.c", 0, 9, 256, 1, 0},
	    {"acl_api.0.yolov5n_noquat.32", "svp.acl_api", "yolov5n_noquat", 0, 32, -1, -1, -1},
	    {"AclModule.3.1.2.3", "svp.acl_api", "1.2", 3, 3, -1, -1, -1},
	    {"aclmodule.0.v1.5.32", "svp.acl_api", "v1.5", 0, 32, -1, -1, -1},
	    {"aicore.0.5.32.1.1.0", "svp.aicore", "5", 0, 32, 1, 1, 0},
	    {"aicore.0.7.5.32.1.1.0", "svp.aicore", "7.5", 0, 32, 1, 1, 0},
	    {"yolo.v5.32.layer.info", "svp.layer_info", "yolo.v5", -1, 32, -1, -1, -1},
	    {"9.1.net.info", "svp.net_info", "9", -1, 1, -1, -1, -1},
	};
	struct job_test *t = *state;

	for (size_t i = 0; i < COUNT(cases); i++)
		add_raw(t, cases[i].name);
	job_open(t);
	assert_int_equal(t->job->file_count, COUNT(cases));
	assert_int_equal(t->job->family, MP_FAMILY_SVP);
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct mp_job_file *f = file_named(t, cases[i].name);

		assert_int_equal(f->state, MP_FILE_RAW);
		assert_string_equal(f->layout->name, cases[i].layout);
		assert_string_equal(f->identity.model, cases[i].model);
		assert_int_equal(f->identity.device_id, cases[i].device);
		assert_int_equal(f->identity.model_id, cases[i].id);
		assert_int_equal(f->identity.batch, cases[i].batch);
		assert_int_equal(f->identity.input_pic_num, cases[i].input);
		assert_int_equal(f->identity.current_pic, cases[i].current);
		assert_int_equal(f->identity.slice, -1);
		assert_false(f->doubtful);
	}
}

static void test_unknown_names(void **state)
{
	static const char *const names[] = {"aicore", "aicore.0", "aicore.0.m.1.1.1", "aicore.x.m.1.1.1.0", "readme",
	    "acl_api.0.32", "aicore.-1.m.1.1.1.0", "aicore.0.m.-1.1.1.0", "aicore.0.m.1.1.1.99999999999999999999",
	    "aicore.2147483648.m.1.1.1.0", "m.layer.info", "aicore.0.m.1.1.1.0.bak", ".hidden"};
	struct job_test *t = *state;

	for (size_t i = 0; i < COUNT(names); i++)
		add_raw(t, names[i]);
	add_raw(t, "aicore.2147483647.m.1.1.1.0");
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
}

static void test_sizes_and_markers(void **state)
{
	struct job_test *t = *state;
	const struct mp_job_file *f;

	write_text(t->data, "acl_api.0.m.1", "12345");
	write_text(t->data, "acl_api.0.m.1.done", "filesize:896");
	write_text(t->data, "acl_api.0.m.1.complete", "");
	write_text(t->data, "aicore.0.m.1.1.1.0", "");
	write_text(t->data, "aicore.0.m.1.1.1.0.done", "nothing");
	write_text(t->data, "aicpu.0.m.1.1.1.0", "");
	write_text(t->data, "aicpu.0.m.1.1.1.0.complete", "");
	job_open(t);
	f = file_named(t, "acl_api.0.m.1");
	assert_int_equal(f->size, 5);
	assert_true(f->has_done);
	assert_int_equal(f->marker_size, 896);
	assert_true(f->mtime_ns > 0);
	assert_int_equal(file_named(t, "acl_api.0.m.1.done")->state, MP_FILE_MARKER);
	assert_int_equal(file_named(t, "acl_api.0.m.1.complete")->state, MP_FILE_MARKER);
	assert_true(file_named(t, "aicore.0.m.1.1.1.0")->has_done);
	assert_int_equal(file_named(t, "aicore.0.m.1.1.1.0")->marker_size, -1);
	assert_false(file_named(t, "aicpu.0.m.1.1.1.0")->has_done);
}

/* A short name takes its identity from the only marker without a file. */
static void test_short_name(void **state)
{
	struct job_test *t = *state;
	const struct mp_job_file *f;

	add_raw(t, "aicore.0.1.1");
	write_text(t->data, "aicore.0.yolo.v5.32.1.1.0.done", "filesize:128");
	add_raw(t, "aicore.0.other.7.1.1.0");
	add_raw(t, "aicore.0.other.7.1.1.0.done");
	add_raw(t, "aicore.1.else.7.1.1.0.done");    /* another device */
	add_raw(t, "aicpu.0.yolo.v5.32.1.1.0.done"); /* another kind */
	job_open(t);
	f = file_named(t, "aicore.0.1.1");
	assert_int_equal(f->state, MP_FILE_RAW);
	assert_string_equal(f->identity.model, "yolo.v5");
	assert_int_equal(f->identity.model_id, 32);
	assert_int_equal(f->identity.device_id, 0);
	assert_true(f->has_done && !f->doubtful);
	assert_int_equal(f->marker_size, 128);
	assert_false(file_named(t, "aicore.0.yolo.v5.32.1.1.0.done")->doubtful);
	assert_string_equal(file_named(t, "aicore.0.other.7.1.1.0")->identity.model, "other");
}

static void test_short_names_in_doubt(void **state)
{
	struct job_test *t = *state;

	add_raw(t, "aicore.0.1.1");
	job_open(t);
	assert_true(file_named(t, "aicore.0.1.1")->doubtful);
	assert_string_equal(file_named(t, "aicore.0.1.1")->remark, "the model is unknown: no .done marker names it");
	assert_string_equal(file_named(t, "aicore.0.1.1")->identity.model, "");
	/* two markers for one file */
	add_raw(t, "aicore.0.a.1.1.1.0.done");
	add_raw(t, "aicore.0.a.1.1.1.1.done");
	job_open(t);
	assert_true(file_named(t, "aicore.0.1.1")->doubtful);
	assert_non_null(strstr(file_named(t, "aicore.0.1.1")->remark, "in doubt"));
	/* one marker for two files */
	assert_int_equal(unlink(below(t->data, "aicore.0.a.1.1.1.1.done")), 0);
	add_raw(t, "AAcore.0.1.2");
	job_open(t);
	assert_true(file_named(t, "aicore.0.1.1")->doubtful);
	assert_true(file_named(t, "AAcore.0.1.2")->doubtful);
	assert_string_equal(file_named(t, "AAcore.0.1.2")->identity.model, "");
}

/* A marker without its raw file means lost data; a marker of an unknown kind does not. */
static void test_orphan_markers(void **state)
{
	struct job_test *t = *state;

	add_raw(t, "aicpu.0.m.1.1.1.0.done");
	add_raw(t, "aicpu.0.m.1.1.1.10.complete");
	add_raw(t, "something.done");
	add_raw(t, "acl_api.0.m.1");
	add_raw(t, "acl_api.0.m.1.done");
	job_open(t);
	assert_true(file_named(t, "aicpu.0.m.1.1.1.0.done")->doubtful);
	assert_string_equal(file_named(t, "aicpu.0.m.1.1.1.0.done")->remark, "its raw file is missing");
	assert_false(file_named(t, "aicpu.0.m.1.1.1.10.complete")->doubtful);
	assert_false(file_named(t, "something.done")->doubtful);
	assert_false(file_named(t, "acl_api.0.m.1.done")->doubtful);
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
	    "aicore.0.a.10.1.1.10", "aicore.0.b.1.1.1.0", "aicore.1.a.1.1.1.0", "acl_api.0.a.1",
	    "aicore.0.a.2.1.1.0.done", "readme"};
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
	    TEST(test_spellings),
	    TEST(test_unknown_names),
	    TEST(test_sizes_and_markers),
	    TEST(test_short_name),
	    TEST(test_short_names_in_doubt),
	    TEST(test_orphan_markers),
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
