/* test_job_markers.c: what .done markers say of raw files, and of inferences that share a file. */
#include "job_support.h"

#define TEST(function) cmocka_unit_test_setup_teardown(function, job_setup, job_teardown)
#define RAW "aicore.0.m.16.1.1.1.0"

static const struct mp_marker *marker_of(const struct job_test *t, const char *name)
{
	const struct mp_job_file *f = file_named(t, name);

	assert_true(f->has_done);
	assert_int_equal(f->marker_count, 1);
	return &f->markers[0];
}

/* The texts of the library, with its end of the last line and without. */
static void test_texts(void **state)
{
	static const char roi[] = "file_len:512\nstart_time:1700000000123456\nend_time:1700000000123500\ncache_hit:10\n"
				  "cache_mis:2\nonline_batch_num:17,300";
	static const struct {
		const char *text;
		int64_t bytes, start_ns;
	} cases[] = {
	    {roi, 512, 1700000000123456000},
	    {"", -1, -1},
	    {"nothing", -1, -1},
	    {"file_len:5", 5, -1},
	    {"file_len:5\n", 5, -1},
	    {"\n\nx:1\nfile_len:5\n", 5, -1},
	    {"start_time:7\nfile_len:5", 5, 7000},
	    {"xfile_len:5\n", -1, -1},
	    {"file_lens:5\n", -1, -1},
	    {"file_len\n", -1, -1},
	    {"file_len:\n", -1, -1},
	    {"file_len: 5\n", -1, -1},
	    {"file_len=5\n", -1, -1},
	    {"file_len55\n", -1, -1},
	    {"file_len:-5\n", -1, -1},
	    {"file_len:+5\n", -1, -1},
	    {"file_len:5x\n", -1, -1},
	    {"file_len:0x5\n", -1, -1},
	    {"file_len:5 \n", -1, -1},
	    {"file_len:5.0\n", -1, -1},
	    {"FILE_LEN:5\n", -1, -1},
	    {"file_len:5\nfile_len:6\n", 5, -1},
	    {"file_len:9223372036854775807\n", INT64_MAX, -1},
	    {"file_len:9223372036854775808\n", -1, -1},
	    {"file_len:99999999999999999999999\n", -1, -1},
	    {"file_len:0\nstart_time:0\n", 0, 0},
	    {"start_time:2305843009213693\n", -1, 2305843009213693000},
	    {"start_time:2305843009213694\n", -1, -1},
	    {"filesize:896", -1, -1},
	};
	struct job_test *t = *state;

	add_raw(t, RAW);
	for (size_t i = 0; i < COUNT(cases); i++) {
		const struct mp_marker *m;

		write_text(t->data, RAW ".done", cases[i].text);
		job_open(t);
		m = marker_of(t, RAW);
		if (m->bytes != cases[i].bytes || m->start_ns != cases[i].start_ns)
			fail_msg(
			    "%s: %lld bytes, start %lld", cases[i].text, (long long)m->bytes, (long long)m->start_ns);
		if (cases[i].text[0])
			assert_string_equal(m->text, cases[i].text);
		else
			assert_null(m->text);
		assert_string_equal(m->identity.model, "m");
		assert_int_equal(m->identity.stream_id, 16);
		assert_int_equal(t->job->earliest_ns, cases[i].start_ns > 0 ? cases[i].start_ns : 0);
		assert_int_equal(file_named(t, RAW ".done")->state, MP_FILE_MARKER);
	}
}

/* NUL bytes, as a loss of power leaves them, make it no text: what stands before them may be cut. */
static void test_nul(void **state)
{
	static const char *const texts[] = {
	    "file_len:51\0", "file_len:512\n\0\0", "\0file_len:512\n", "file_len:5\0002\n"};
	static const size_t sizes[] = {12, 15, 14, 13};
	struct job_test *t = *state;

	add_raw(t, RAW);
	for (size_t i = 0; i < COUNT(texts); i++) {
		write_file(t->data, RAW ".done", texts[i], sizes[i]);
		job_open(t);
		assert_int_equal(marker_of(t, RAW)->bytes, -1);
		assert_null(marker_of(t, RAW)->text);
	}
}

/* 4 KiB of a marker are read, and of those whole lines. */
static void test_long_text(void **state)
{
	struct job_test *t = *state;
	char text[2 * MP_MARKER_SIZE];

	add_raw(t, RAW);
	memset(text, 'x', sizeof(text));
	memcpy(text + MP_MARKER_SIZE - 12, "\nfile_len:12", 12);
	write_file(t->data, RAW ".done", text, MP_MARKER_SIZE);
	job_open(t);
	assert_int_equal(marker_of(t, RAW)->bytes, 12);
	assert_int_equal(strlen(marker_of(t, RAW)->text), MP_MARKER_SIZE);
	memcpy(text + MP_MARKER_SIZE, "34\n", 3); /* the number goes on behind the limit */
	write_file(t->data, RAW ".done", text, MP_MARKER_SIZE + 3);
	job_open(t);
	assert_int_equal(marker_of(t, RAW)->bytes, -1);
	assert_int_equal(strlen(marker_of(t, RAW)->text), MP_MARKER_SIZE - 11);
	memset(text, 'x', sizeof(text));
	write_file(t->data, RAW ".done", text, sizeof(text));
	job_open(t);
	assert_null(marker_of(t, RAW)->text);
}

/* Each layout has its own keys; one without any takes filesize. */
static void test_keys(void **state)
{
	struct job_test *t = *state;

	add_raw(t, "acl_api.0.m.1");
	write_text(t->data, "acl_api.0.m.1.done", "file_len:32\nstart_time:5\nend_time:6\npid:7\ntid:8\n");
	add_raw(t, "msprof_api.0.m.1");
	write_text(t->data, "msprof_api.0.m.1.done", "filesize:896");
	write_text(t->data, "acl_api.0.m.1.complete", "");
	add_raw(t, "aicpu.0.m.16.1.1.1.0");
	write_text(t->data, "aicpu.0.m.16.1.1.1.0.complete", "file_len:1\n");
	write_text(t->data, "recorder.json.0", "{}");
	job_open(t);
	assert_int_equal(marker_of(t, "acl_api.0.m.1")->bytes, 32);
	assert_int_equal(marker_of(t, "acl_api.0.m.1")->start_ns, -1); /* calls have times of their own */
	assert_int_equal(marker_of(t, "msprof_api.0.m.1")->bytes, 896);
	assert_false(file_named(t, "aicpu.0.m.16.1.1.1.0")->has_done);
	assert_int_equal(file_named(t, "aicpu.0.m.16.1.1.1.0")->marker_count, 0);
	assert_int_equal(file_named(t, "acl_api.0.m.1.complete")->state, MP_FILE_MARKER);
	assert_int_equal(file_named(t, "recorder.json.0")->state, MP_FILE_MARKER);
	assert_string_equal(mp_job_device(t->job, 0)->recorder_text, "{}");
	assert_int_equal(t->job->earliest_ns, 0);
}

/* A marker without its raw file means lost data; a marker of an unknown kind does not. */
static void test_orphans(void **state)
{
	struct job_test *t = *state;

	add_raw(t, "aicpu.0.m.16.1.1.1.0.done");
	add_raw(t, "aicpu.0.m.16.1.1.1.10.complete");
	add_raw(t, "something.done");
	add_raw(t, "readme");
	add_raw(t, "readme.done");
	add_raw(t, "acl_api.0.m.1");
	add_raw(t, "acl_api.0.m.1.done");
	assert_int_equal(symlink("/etc/hostname", below(t->data, "acl_api.0.n.1.done")), 0);
	job_open(t);
	assert_true(file_named(t, "aicpu.0.m.16.1.1.1.0.done")->doubtful);
	assert_string_equal(file_named(t, "aicpu.0.m.16.1.1.1.0.done")->remark, "its raw file is missing");
	assert_false(file_named(t, "aicpu.0.m.16.1.1.1.10.complete")->doubtful);
	assert_false(file_named(t, "something.done")->doubtful);
	assert_false(file_named(t, "readme.done")->doubtful);
	assert_false(file_named(t, "acl_api.0.m.1.done")->doubtful);
	assert_int_equal(file_named(t, "acl_api.0.n.1.done")->state, MP_FILE_UNREADABLE);
}

/* Markers of inferences that share a file, in the order of their starts; one without a start comes last. */
static void test_shared(void **state)
{
	static const struct {
		const char *name, *text;
	} markers[] = {
	    {"aicore.0.b.0.256.1.0.done", "file_len:256\nstart_time:10\n"},
	    {"aicore.0.a.1.256.1.0.done", "file_len:512\nstart_time:20\n"},
	    {"aicore.0.b.0.256.1.2.done", "file_len:768\nstart_time:9\n"},
	    {"aicore.0.b.0.256.1.1.done", "file_len:1024\nstart_time:20\n"},
	    {"aicore.0.c.0.256.1.7.done", ""},                           /* killed while it was written */
	    {"aicore.0.c.0.256.4.0.done", "file_len:1\nstart_time:1\n"}, /* of the other file */
	    {"aicore.0.d.0.1.1.0.done", "file_len:1\nstart_time:1\n"},   /* of none */
	    {"aicore.1.d.0.256.1.0.done", "file_len:1\nstart_time:1\n"},
	};
	static const struct {
		const char *model;
		int64_t id, picture, bytes, start_ns;
	} expected[] = {{"b", 0, 2, 768, 9000}, {"b", 0, 0, 256, 10000}, {"a", 1, 0, 512, 20000},
	    {"b", 0, 1, 1024, 20000}, {"c", 0, 7, -1, -1}};
	struct job_test *t = *state;
	const struct mp_job_file *f;

	write_text(t->dir, "info.json.0", INFO_DV500);
	add_raw(t, "aicore.0.256.1");
	add_raw(t, "aicore.0.256.4");
	add_raw(t, "aicore.0.16.1");
	for (size_t i = 0; i < COUNT(markers); i++)
		write_text(t->data, markers[i].name, markers[i].text);
	job_open(t);
	f = file_named(t, "aicore.0.256.1");
	assert_true(f->has_done && !f->doubtful);
	assert_int_equal(f->marker_count, COUNT(expected));
	for (size_t i = 0; i < COUNT(expected); i++) {
		const struct mp_marker *m = &f->markers[i];

		assert_string_equal(m->identity.model, expected[i].model);
		assert_int_equal(m->identity.model_id, expected[i].id);
		assert_int_equal(m->identity.current_pic, expected[i].picture);
		assert_int_equal(m->bytes, expected[i].bytes);
		assert_int_equal(m->start_ns, expected[i].start_ns);
	}
	assert_int_equal(file_named(t, "aicore.0.256.4")->marker_count, 1);
	assert_true(file_named(t, "aicore.0.16.1")->doubtful);
	assert_string_equal(file_named(t, "aicore.0.16.1")->remark, "the model is unknown: no .done marker names it");
	assert_false(file_named(t, markers[0].name)->doubtful);
	assert_string_equal(file_named(t, markers[0].name)->remark, "describes a part of a file that several share");
	assert_true(file_named(t, "aicore.0.d.0.1.1.0.done")->doubtful);
	assert_true(file_named(t, "aicore.1.d.0.256.1.0.done")->doubtful);
	assert_int_equal(t->job->earliest_ns, 1000);
}

/* A marker of the shared name itself names no model. */
static void test_own_marker(void **state)
{
	struct job_test *t = *state;

	write_text(t->dir, "info.json.0", INFO_CV610);
	add_raw(t, "aicore.0.256.1");
	write_text(t->data, "aicore.0.256.1.done", "file_len:128\nstart_time:5\n");
	write_text(t->data, "aicore.0.m.0.256.1.0.done", "file_len:256\nstart_time:4\n");
	job_open(t);
	assert_int_equal(file_named(t, "aicore.0.256.1")->marker_count, 2);
	assert_string_equal(file_named(t, "aicore.0.256.1")->markers[0].identity.model, "m");
	assert_string_equal(file_named(t, "aicore.0.256.1")->markers[1].identity.model, "");
}

static void test_many(void **state)
{
	enum { MANY = 1000 };
	struct job_test *t = *state;
	const struct mp_job_file *f;
	char name[64], text[64];

	write_text(t->dir, "info.json.0", INFO_DV500);
	add_raw(t, "aicore.0.256.1");
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "aicore.0.m%d.0.256.1.%d.done", i % 7, i);
		snprintf(text, sizeof(text), "file_len:%d\nstart_time:%d\n", 256 * i, i * 37 % MANY + 1);
		write_text(t->data, name, text);
	}
	job_open(t);
	f = file_named(t, "aicore.0.256.1");
	assert_int_equal(f->marker_count, MANY);
	for (int i = 0; i < MANY; i++) {
		assert_int_equal(f->markers[i].start_ns, 1000 * (i + 1));
		assert_int_equal(f->markers[i].bytes, 256 * f->markers[i].identity.current_pic);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_texts),
	    TEST(test_nul),
	    TEST(test_long_text),
	    TEST(test_keys),
	    TEST(test_orphans),
	    TEST(test_shared),
	    TEST(test_own_marker),
	    TEST(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
