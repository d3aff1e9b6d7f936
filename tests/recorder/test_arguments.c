/* test_arguments.c: refused arguments, their codes and messages. Built for each family. */
#include "child.h"

#include "family.h"
#include "msprof_recorder.h"

static void ready(void)
{
	CHECK(acl_init(NULL) == 0);
	CHECK(prof_init("out", 3) == 0);
}

/* ---------------------------------------------------------------- init */

static int run_init_paths(void *unused)
{
	static char longest[4097];
	struct stat st;
	int file;

	(void)unused;
	memset(longest, 'x', 4096);
	CHECK(acl_init(NULL) == 0);
	CHECK(prof_init(NULL, 3) == 100000);
	CHECK(prof_init("out", 0) == 100000);
	CHECK(prof_init("out", 2) == 100000);
	CHECK(prof_init("out", 4) == 100000);
	CHECK(prof_init(longest, 4096) == 100000);
	CHECK(prof_init("a\nb", 3) == 100003);
	CHECK(prof_init("\xff", 1) == 100003);
	file = open("file", O_CREAT | O_WRONLY, 0600);
	CHECK(file >= 0 && close(file) == 0);
	CHECK(prof_init("file", 4) == 100003);
	CHECK(prof_init("file/below", 10) == 100003);
	CHECK(prof_init(longest, 300) == 100000);
	longest[300] = '\0';
	CHECK(prof_init(longest, 300) == 100003);
	umask(0);
	CHECK(prof_init("./a b/c//d/", 11) == 0);
	CHECK(stat("a b/c/d", &st) == 0 && (st.st_mode & 0777) == 0750);
	CHECK(stat("a b", &st) == 0 && (st.st_mode & 0777) == 0750);
	CHECK(prof_finalize() == 0);
	CHECK(acl_finalize() == 0);
	return 0;
}

static void test_init_paths(void **state)
{
	char *dir;

	(void)state;
	assert_int_equal(in_child(run_init_paths, NULL, &dir), 0);
	assert_said(dir, FAMILY[0] == 'a' ? "EK0006 aclprofInit: parameter 'profilerResultPath' is a null pointer"
					  : "EK0006 svp_acl_prof_init: parameter 'result_path' is a null pointer");
	assert_said(dir, "value '4' of parameter 'length' is invalid");
	assert_said(dir, "a\\x0ab");
	remove_dir(dir);
}

static int run_relative(void *unused)
{
	prof_config *config;

	(void)unused;
	ready();
	CHECK(mkdir("elsewhere", 0750) == 0 && chdir("elsewhere") == 0);
	config = prof_create_config((uint32_t[]){0}, 1, METRICS_NONE, NULL, 1);
	CHECK(prof_start(config) == 0 && prof_stop(config) == 0 && prof_finalize() == 0);
	CHECK(prof_destroy_config(config) == 0);
	CHECK(access("out", F_OK) != 0 && access("../out", F_OK) == 0);
	CHECK(acl_finalize() == 0);
	return 0;
}

static void test_relative_path_is_that_of_init(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_relative, NULL, NULL), 0);
}

/* ---------------------------------------------------------------- create_config */

static int run_configs(void *unused)
{
	uint32_t devices[65], one[] = {3}, twice[] = {1, 1}, beyond[] = {64};
	prof_config *config;

	(void)unused;
	for (uint32_t i = 0; i < 65; i++)
		devices[i] = i;
	CHECK(!prof_create_config(NULL, 1, METRICS_NONE, NULL, 1));
	CHECK(!prof_create_config(one, 1, METRICS_NONE, (const void *)one, 1));
	CHECK(!prof_create_config(devices, 65, METRICS_NONE, NULL, 1));
	CHECK(!prof_create_config(beyond, 1, METRICS_NONE, NULL, 1));
	CHECK(!prof_create_config(twice, 2, METRICS_NONE, NULL, 1));
	CHECK(!prof_create_config(NULL, 0, METRICS_NONE, NULL, 1));
	CHECK(!prof_create_config(one, 1, (prof_metrics)(FAMILY[0] == 'a' ? 9 : 1), NULL, 1));
	config = prof_create_config(devices, 64, METRICS_NONE, NULL, 1);
	CHECK(config);
	CHECK(prof_destroy_config(config) == 0);
	CHECK(prof_destroy_config(config) == 100000);
	CHECK(prof_destroy_config(NULL) == 100000);
	config = prof_create_config(NULL, 0, METRICS_NONE, NULL, 0x80);
	CHECK(!config == (FAMILY[0] == 's'));
	if (config)
		CHECK(prof_destroy_config(config) == 0);
	ready();
	CHECK(prof_start(NULL) == 100000);
	CHECK(prof_start((const prof_config *)&devices) == 100000); /* not a handle of ours */
	CHECK(prof_stop(NULL) == 100000);
	CHECK(acl_finalize() == 0);
	return 0;
}

static void test_configs(void **state)
{
	char *dir;

	(void)state;
	assert_int_equal(in_child(run_configs, NULL, &dir), 0);
	assert_said(dir, "a device is given twice");
	assert_said(dir, "device numbers are 0 to 63");
	assert_said(dir, "the recording begun by init was not finalized");
	remove_dir(dir);
}

static int run_order(void *unused)
{
	prof_config *a, *b;
	uint32_t devices[] = {2, 0};

	(void)unused;
	ready();
	a = prof_create_config(devices, 2, METRICS_NONE, NULL, 3);
	devices[0] = 0;
	devices[1] = 2;
	b = prof_create_config(devices, 2, METRICS_NONE, NULL, 3);
	CHECK(prof_start(a) == 0);
	CHECK(prof_destroy_config(a) == 0); /* the session has a copy */
	CHECK(prof_start(b) == 100042);
	CHECK(prof_stop(b) == 0); /* equal content at another address and in another order */
	CHECK(prof_destroy_config(b) == 0);
	CHECK(prof_finalize() == 0 && acl_finalize() == 0);
	return 0;
}

static void test_equal_content(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_order, NULL, NULL), 0);
}

/* ---------------------------------------------------------------- set_config */

#ifndef FAMILY_SVP

static const struct {
	int type, code;
	const char *value;
} settings[] = {
    {1, 0, "200MB"},
    {1, 0, "4294967295MB"},
    {1, 100010, "199MB"},
    {1, 100010, "4294967296MB"},
    {1, 100010, "200"},
    {1, 100010, "200 MB"},
    {1, 100010, "MB"},
    {1, 100010, "-200MB"},
    {1, 100010, "200mb"},
    {1, 100010, ""},
    {3, 0, "1"},
    {3, 0, "100"},
    {3, 100010, "0"},
    {3, 100010, "101"},
    {3, 100010, "1.5"},
    {3, 100010, " 1"},
    {4, 0, "read"},
    {4, 0, "write"},
    {4, 100010, "both"},
    {4, 100010, "read,write"},
    {5, 0, "100"},
    {5, 100010, "101"},
    {6, 0, "50"},
    {6, 100010, "51"},
    {7, 0, "100"},
    {7, 100010, "0"},
    {8, 0, "cpu"},
    {8, 0, "mem"},
    {8, 0, "cpu,mem"},
    {8, 0, "mem,cpu"},
    {8, 100010, "cpu,cpu"},
    {8, 0, "disk"},
    {8, 0, "osrt,network,mem,numa"},
    {8, 100010, "mem,disk,mem"},
    {8, 100010, "disks"},
    {8, 100010, "dis"},
    {8, 100010, "cpu,"},
    {8, 100010, ",cpu"},
    {8, 100010, "cpu disk"},
    {9, 0, "mem,cpu"},
    {9, 100010, "disk"},
    {9, 0, "mem"},
    {9, 100010, ""},
    {10, 0, "50"},
    {10, 100010, "51"},
    {11, 0, "100"},
    {11, 100010, "101"},
    {12, 0, "flow"},
    {12, 100010, "a\tb"},
    {13, 0, "50"},
    {13, 100010, "x"},
    {14, 0, "MatMul,Conv2D"},
    {15, 0, "PipeUtilization"},
    {15, 0, "Custom:0x49"},
    {15, 100010, "Custom:"},
    {15, 100010, "Memory"},
    {16, 0, "other/place"},
    {16, 100010, "/proc/none/of/it"},
    {0, 100000, "1"},
    {2, 100000, "1"},
    {17, 100000, "1"},
    {-1, 100000, "1"},
};

static int run_settings(void *unused)
{
	static char longest[258];

	(void)unused;
	memset(longest, 'x', 257);
	ready();
	for (size_t i = 0; i < COUNT(settings); i++) {
		int code =
		    aclprofSetConfig((aclprofConfigType)settings[i].type, settings[i].value, strlen(settings[i].value));

		if (code != settings[i].code)
			fprintf(stderr, "%d '%s': %d\n", settings[i].type, settings[i].value, code);
		CHECK(code == settings[i].code);
	}
	CHECK(aclprofSetConfig(ACL_PROF_OPTYPE, NULL, 1) == 100000);
	CHECK(aclprofSetConfig(ACL_PROF_OPTYPE, longest, 256) == 100000);
	CHECK(aclprofSetConfig(ACL_PROF_OPTYPE, longest, 257) == 100000);
	CHECK(aclprofSetConfig(ACL_PROF_OPTYPE, "abc", 2) == 100000);
	longest[256] = '\0';
	CHECK(aclprofSetConfig(ACL_PROF_OPTYPE, longest, 256) == 0);
	CHECK(aclprofFinalize() == 0 && aclFinalize() == 0);
	return 0;
}

static void test_settings(void **state)
{
	char *dir;

	(void)state;
	assert_int_equal(in_child(run_settings, NULL, &dir), 0);
	assert_said(dir,
	    "EK0003 aclprofSetConfig: value '199MB' for storage_limit is invalid: it must be 200MB to 4294967295MB");
	assert_said(dir, "EK0001 aclprofSetConfig: value '17' of parameter 'configType' is invalid");
	remove_dir(dir);
}

#endif

/* ---------------------------------------------------------------- acl_init */

static int run_files(void *unused)
{
	(void)unused;
	write_text(".", "off.json", "{\"profiler\":{\"switch\":\"off\"}}");
	write_text(".", "broken.json", "{\"profiler\":");
	write_text(".", "bad.json", "{\"profiler\":{\"switch\":\"on\",\"aicpu\":\"perhaps\",\"output\":\".\"}}");
	CHECK(acl_init("missing.json") != 0);
	CHECK(acl_init("broken.json") != 0);
	CHECK(prof_init("out", 3) == 100001); /* a failed call initialised nothing */
	CHECK(acl_init("bad.json") == (FAMILY[0] == 'a' ? 100000 : 0));
	if (FAMILY[0] == 'a')
		CHECK(acl_init("off.json") == 0 && prof_init("out", 3) == 0 && prof_finalize() == 0);
	else
		CHECK(prof_init("out", 3) == 100042);
	CHECK(acl_finalize() == 0);
	return 0;
}

static void test_acl_json(void **state)
{
	(void)state;
	assert_int_equal(in_child(run_files, NULL, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_init_paths),
	    cmocka_unit_test(test_relative_path_is_that_of_init),
	    cmocka_unit_test(test_configs),
	    cmocka_unit_test(test_equal_content),
#ifndef FAMILY_SVP
	    cmocka_unit_test(test_settings),
#endif
	    cmocka_unit_test(test_acl_json),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
