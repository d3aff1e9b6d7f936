/* test_layout_read.c: a directory of .rec files. */
#include "support.h"

#define STANZA(name, table) "record " name " v1 verified\nfile \"" name "\"\ntable " table "\nsize 1\nfield x u8 @0\n"

static struct mp_layouts set;
static struct mp_error err;
static char *dir;

static int setup(void **state)
{
	(void)state;
	dir = temp_dir();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	mp_layouts_free(&set);
	remove_dir(dir);
	return 0;
}

static void test_order(void **state)
{
	(void)state;
	write_text(dir, "b.rec", STANZA("one", "late"));
	write_text(dir, "a.rec", STANZA("one", "early") STANZA("two", "early"));
	write_text(dir, "c.rec.bak", "not a layout");
	write_text(dir, ".rec", "not a layout");
	assert_ok(mp_layouts_read(&set, dir, &err), &err);
	assert_int_equal(set.count, 2);
	assert_string_equal(layout_named(&set, "one")->table, "late");
	assert_string_equal(layout_named(&set, "one")->origin, "b.rec:1");
	assert_string_equal(layout_named(&set, "two")->table, "early");
}

static void test_refused_directories(void **state)
{
	(void)state;
	assert_refused(mp_layouts_read(&set, dir, &err), &err, "no .rec file in '");
	assert_refused(mp_layouts_read(&set, below(dir, "none"), &err), &err, "cannot open '");
	write_text(dir, "x.rec", "\nrecord\n");
	assert_refused(mp_layouts_read(&set, dir, &err), &err, "x.rec:2: name missing");
}

static void test_refused_files(void **state)
{
	static char large[1024 * 1024 + 1];

	(void)state;
	memset(large, '\n', sizeof(large));
	write_file(dir, "l.rec", large, sizeof(large));
	assert_refused(mp_layouts_read(&set, dir, &err), &err, "l.rec' is larger than 1 MiB");
	memcpy(large, STANZA("x", "t"), strlen(STANZA("x", "t")));
	write_file(dir, "l.rec", large, sizeof(large) - 1);
	assert_ok(mp_layouts_read(&set, dir, &err), &err);
	write_file(dir, "l.rec", "record\0", 7);
	assert_refused(mp_layouts_read(&set, dir, &err), &err, "l.rec' holds a NUL byte");
	assert_int_equal(unlink(below(dir, "l.rec")), 0);
	assert_int_equal(mkdir(below(dir, "d.rec"), 0700), 0);
	assert_refused(mp_layouts_read(&set, dir, &err), &err, "d.rec'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_order, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_refused_directories, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_refused_files, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
