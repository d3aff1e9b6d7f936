/* test_acl_json.c: the acl.json of applications: both tables of keys, boundaries, errors and warnings. */
#include "acl_json_support.h"

static void test_guide_example(void **state)
{
	struct mp_acl_json *file = parse(MP_ACL_SVP, GUIDE);

	(void)state;
	assert_int_equal(file->errors + file->warnings, 0);
	assert_true(file->has_profiler && !file->has_dump && file->settings.on);
	assert_string_equal(file->settings.output, "/root/AscendProjects/MyAppTest/profiling");
	assert_value(file, "aic_metrics", "ArithmeticUtilization");
	assert_value(file, "aac_metrics", "ArithmeticUtilization");
	assert_value(file, "aicpu", "on");
	assert_true(file->settings.calls && file->settings.interval == 0);
	mp_acl_json_free(file);
}

static void test_defaults(void **state)
{
	static const char *const texts[] = {"{}", "{\"profiler\":{}}", " {\"other\":1}\n"};

	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct mp_acl_json *file = parse(MP_ACL_SVP, texts[i]);

		assert_int_equal(file->errors + file->warnings, 0);
		assert_true(!file->settings.on && file->settings.calls);
		assert_true(!file->settings.output && !file->settings.interval);
		assert_value(file, "aicpu", "off");
		assert_value(file, "aic_metrics", NULL);
		assert_value(file, "acl_api", "off");
		mp_acl_json_free(file);
		file = parse(MP_ACL_ASCEND, texts[i]);
		assert_int_equal(file->errors + file->warnings, 0);
		assert_true(!file->settings.on && file->settings.calls);
		assert_value(file, "aicpu", "off");
		assert_value(file, "aac_metrics", "PipeUtilization");
		assert_value(file, "instr_profiling_freq", "1000");
		assert_value(file, "llc_profiling", "read");
		assert_value(file, "sys_cpu_freq", NULL);
		mp_acl_json_free(file);
	}
	mp_acl_json_free(NULL);
}

/* Valid values, in JSON, and invalid values. A key with an invalid value counts as `off`. */
static const struct row {
	enum mp_acl_profile profile;
	const char *key;
	const char *good[12];
	const char *bad[12];
	const char *off; /* of svp */
} rows[] = {
    {MP_ACL_SVP, "switch", {"\"on\"", "\"off\""},
	{"\"ON\"", "\"1\"", "\"\"", "1", "true", "null", "[]", "{}", "\"on \""}, "off"},
    {MP_ACL_SVP, "aacpu", {"\"on\"", "\"off\""}, {"\"yes\"", "\"\"", "0"}, "off"},
    {MP_ACL_SVP, "aicpu", {"\"on\"", "\"off\""}, {"\"yes\"", "\"\"", "0"}, "off"},
    {MP_ACL_SVP, "acl_api", {"\"on\"", "\"off\""}, {"\"On\"", "\"on off\""}, "off"},
    {MP_ACL_SVP, "aac_metrics", {"\"ArithmeticUtilization\""},
	{"\"PipeUtilization\"", "\"\"", "\"arithmeticutilization\""}, NULL},
    {MP_ACL_SVP, "aic_metrics", {"\"ArithmeticUtilization\""}, {"\"Memory\"", "1"}, NULL},
    {MP_ACL_SVP, "interval", {"\"0\"", "\"2\"", "\"9999\""},
	{"\"-1\"", "-1", "1.5", "\"1.5\"", "\"\"", "\" 1\"", "\"x\"", "\"10000\"", "10000", "1e300",
	    "\"99999999999999999999\"", "false"},
	"0"},
    {MP_ACL_SVP, "output",
	{"\"/root/AscendProjects/MyAppTest/profiling\"", "\"output\"", "\"./result/profiler\"", "\"../x\"", "\"\"",
	    "\"../../a_1\"", "\".\"", "\"./\"", "\"/\"", "\"./../a//b/\""},
	{"\"a b\"", "\"a;b\"", "\"a$b\"", "\"\xe4\xb8\xad\"", "\"a-b\"", "\"a.b\"", "\"a/../b\"", "\"...\"", "\".x\"",
	    "\"/../x\"", "\"a\\n\"", "5"},
	NULL},
    {MP_ACL_ASCEND, "switch", {"\"on\"", "\"off\""}, {"\"ON\"", "1", "true"}, NULL},
    {MP_ACL_ASCEND, "output", {"\"./result/profiler\"", "\"\"", "\"/home/a-b/1.0 x\"", "\"\xe4\xb8\xad\""},
	{"\"a;b\"", "\"a$b\"", "\"a|b\"", "\"a`b\"", "\"a'b\"", "\"a\\\\b\"", "\"a\\tb\"", "\"a\xc2\x9b\"", "7"}, NULL},
    {MP_ACL_ASCEND, "ascendcl", {"\"on\"", "\"off\""}, {"\"l0\""}, NULL},
    {MP_ACL_ASCEND, "runtime_api", {"\"on\"", "\"off\""}, {"\"\""}, NULL},
    {MP_ACL_ASCEND, "task_time", {"\"on\"", "\"off\"", "\"l0\"", "\"l1\"", "\"l2\"", "\"l3\""}, {"\"l4\"", "\"\""},
	NULL},
    {MP_ACL_ASCEND, "ge_api", {"\"off\"", "\"l0\"", "\"l1\""}, {"\"on\"", "\"l2\""}, NULL},
    {MP_ACL_ASCEND, "aic_metrics",
	{"\"\"", "\"ArithmeticUtilization\"", "\"PipeUtilization\"", "\"Memory\"", "\"MemoryL0\"", "\"MemoryUB\"",
	    "\"ResourceConflictRatio\"", "\"L2Cache\"", "\"PipelineExecuteUtilization\"", "\"MemoryAccess\""},
	{"\"Memory MemoryL0\"", "\"Pipe\"", "3"}, NULL},
    {MP_ACL_ASCEND, "aac_metrics", {"\"Memory\""}, {"\"memory\""}, NULL},
    {MP_ACL_ASCEND, "aicpu", {"\"on\"", "\"off\""}, {"1"}, NULL},
    {MP_ACL_ASCEND, "aacpu", {"\"on\"", "\"off\""}, {"1"}, NULL},
    {MP_ACL_ASCEND, "l2", {"\"on\"", "\"off\""}, {"\"x\""}, NULL},
    {MP_ACL_ASCEND, "hccl", {"\"on\"", "\"off\""}, {"\"x\""}, NULL},
    {MP_ACL_ASCEND, "msproftx", {"\"on\"", "\"off\""}, {"\"x\""}, NULL},
    {MP_ACL_ASCEND, "task_tsfw", {"\"on\"", "\"off\""}, {"\"x\""}, NULL},
    {MP_ACL_ASCEND, "task_memory", {"\"on\"", "\"off\""}, {"\"x\""}, NULL},
    {MP_ACL_ASCEND, "instr_profiling", {"\"on\"", "\"off\""}, {"\"x\""}, NULL},
    {MP_ACL_ASCEND, "instr_profiling_freq", {"300", "30000", "\"300\""}, {"299", "30001", "\"1000 \""}, NULL},
    {MP_ACL_ASCEND, "storage_limit", {"\"200MB\"", "\"4294967295MB\"", "\"\""},
	{"\"199MB\"", "\"4294967296MB\"", "\"200\"", "\"200mb\"", "\"MB\"", "200", "\"-200MB\"", "\"200MBx\""}, NULL},
    {MP_ACL_ASCEND, "sys_hardware_mem_freq", {"1", "100", "\"50\""}, {"0", "101", "\"\""}, NULL},
    {MP_ACL_ASCEND, "sys_io_sampling_freq", {"1", "100"}, {"0", "101"}, NULL},
    {MP_ACL_ASCEND, "dvpp_freq", {"1", "100"}, {"0", "101"}, NULL},
    {MP_ACL_ASCEND, "sys_lp_freq", {"1", "100"}, {"0", "101"}, NULL},
    {MP_ACL_ASCEND, "sys_interconnection_freq", {"1", "50"}, {"0", "51"}, NULL},
    {MP_ACL_ASCEND, "sys_cpu_freq", {"1", "50", "\"50\""}, {"0", "51", "\"51\"", "1.5"}, NULL},
    {MP_ACL_ASCEND, "host_sys_usage_freq", {"1", "50"}, {"0", "51"}, NULL},
    {MP_ACL_ASCEND, "llc_profiling", {"\"read\"", "\"write\""}, {"\"capacity\""}, NULL},
    {MP_ACL_ASCEND, "host_sys", {"\"cpu\"", "\"cpu,mem\"", "\"numa,osrt,network,disk,mem,cpu\""},
	{"\"\"", "\"cpu,\"", "\",cpu\"", "\"cpu mem\"", "\"cpu,gpu\""}, NULL},
    {MP_ACL_ASCEND, "host_sys_usage", {"\"cpu\"", "\"mem\"", "\"mem,cpu\""}, {"\"disk\"", "\"\""}, NULL},
    {MP_ACL_ASCEND, "sys_mem_serviceflow", {"\"aaa,bbb\""}, {"\"\"", "\"a\\u001b\"", "1"}, NULL},
    {MP_ACL_ASCEND, "optype", {"\"MatMul\""}, {"\"\"", "[]"}, NULL},
    {MP_ACL_ASCEND, "task_block", {"\"all\"", "\"on\"", "\"off\""}, {"\"l0\""}, NULL},
};

static void test_values(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct row *r = &rows[i];
		char key[64];

		snprintf(key, sizeof(key), "profiler.%s ", r->key);
		for (int k = 0; k < 12 && r->good[k]; k++) {
			struct mp_acl_json *file = parse_one(r->profile, r->key, r->good[k]);

			if (file->errors + file->warnings)
				fail_msg("%s %s: %s", r->key, r->good[k], file->findings[0].reason);
			mp_acl_json_free(file);
		}
		for (int k = 0; k < 12 && r->bad[k]; k++) {
			struct mp_acl_json *file = parse_one(r->profile, r->key, r->bad[k]);
			bool svp = r->profile == MP_ACL_SVP, unread = svp && strncmp(r->key, "aac", 3) == 0;
			enum mp_acl_severity severity = !svp                            ? MP_ACL_ERROR
							: unread || r->bad[k][0] == '"' ? MP_ACL_WARNING
											: MP_ACL_REFUSED;

			if (file->errors != (severity != MP_ACL_WARNING) || file->errors + file->warnings != 1)
				fail_msg("%s %s: %zu errors", r->key, r->bad[k], file->errors);
			assert_finding(file, severity, key);
			if (svp)
				assert_value(file, r->key, r->off);
			mp_acl_json_free(file);
		}
	}
}

/* Every key of a table has a row above, under one of its spellings. */
static void test_rows_are_complete(void **state)
{
	(void)state;
	for (int profile = MP_ACL_SVP; profile <= MP_ACL_ASCEND; profile++) {
		struct mp_acl_json *file = parse((enum mp_acl_profile)profile, "{}");
		struct mp_acl_item item;
		size_t count = 0;

		for (; mp_acl_json_item(file, count, &item); count++) {
			bool found = false;

			for (size_t i = 0; i < COUNT(rows) && !found; i++)
				found = (int)rows[i].profile == profile && strcmp(rows[i].key, item.key) == 0;
			if (!found)
				fail_msg("no test of %s", item.key);
			assert_int_equal(item.origin, MP_ACL_DEFAULT);
		}
		assert_int_equal(count, profile == MP_ACL_SVP ? 6 : 29);
		mp_acl_json_free(file);
	}
}

static void test_normal_form(void **state)
{
	struct mp_acl_json *file = parse(MP_ACL_ASCEND,
	    "{\"profiler\":{\"sys_cpu_freq\":\"050\",\"dvpp_freq\":6e1,\"storage_limit\":\"\",\"aic_metrics\":\"\"}}");

	(void)state;
	assert_value(file, "sys_cpu_freq", "50");
	assert_value(file, "dvpp_freq", "60");
	assert_value(file, "storage_limit", NULL);
	assert_value(file, "aac_metrics", "");
	assert_value(file, "nosuch", NULL);
	mp_acl_json_free(file);
}

static void test_lengths(void **state)
{
	char value[1200];

	(void)state;
	for (int len = 255; len <= 257; len++) {
		struct mp_acl_json *file;

		snprintf(value, sizeof(value), "\"%0*d\"", len, 0);
		file = parse_one(MP_ACL_ASCEND, "optype", value);
		assert_int_equal(file->errors, len > 256);
		mp_acl_json_free(file);
	}
	for (int len = MP_ACL_OUTPUT_MAX; len <= MP_ACL_OUTPUT_MAX + 1; len++) {
		struct mp_acl_json *svp, *ascend;

		snprintf(value, sizeof(value), "\"%0*d\"", len, 0);
		svp = parse_one(MP_ACL_SVP, "output", value);
		ascend = parse_one(MP_ACL_ASCEND, "output", value);
		assert_int_equal(svp->warnings, len > MP_ACL_OUTPUT_MAX);
		assert_int_equal(ascend->errors, len > MP_ACL_OUTPUT_MAX);
		mp_acl_json_free(svp);
		mp_acl_json_free(ascend);
	}
}

static void test_offending_character(void **state)
{
	static const struct {
		const char *value, *says;
	} cases[] = {{"\"a b\"", "' '"}, {"\"a;b\"", "';'"}, {"\"a$b\"", "'$'"},
	    {"\"x/\xe4\xb8\xad\"", "'\xe4\xb8\xad'"}, {"\"a-b\"", "'-'"}, {"\"a/../b\"", "'.'"},
	    {"\"a\\u001b\"", "'\\x1b'"}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mp_acl_json *file = parse_one(MP_ACL_SVP, "output", cases[i].value);
		char says[64];

		snprintf(says, sizeof(says), "the character %s is not allowed", cases[i].says);
		assert_finding(file, MP_ACL_WARNING, says);
		assert_null(file->settings.output);
		mp_acl_json_free(file);
	}
}

static void test_unknown_keys(void **state)
{
	struct mp_acl_json *file =
	    parse(MP_ACL_SVP, "{\"profiler\":{\"Switch\":\"on\",\"nosuch\":{\"a\":1}},\"mine\":{\"switch\":3}}");

	(void)state;
	assert_int_equal(file->warnings, 2);
	assert_finding(file, MP_ACL_WARNING, "profiler.Switch 'on': unknown key; did you mean 'switch'");
	assert_finding(file, MP_ACL_WARNING, "profiler.nosuch '{...}': unknown key");
	mp_acl_json_free(file);
	file = parse(MP_ACL_ASCEND, "{\"profiler\":{\"interval\":\"0\"}}");
	assert_int_equal(file->errors, 1);
	assert_finding(file, MP_ACL_ERROR, "profiler.interval '0': unknown key");
	mp_acl_json_free(file);
	file = parse(MP_ACL_SVP, "{\"profiler\":[1]}");
	assert_finding(file, MP_ACL_WARNING, "profiler '[...]': not an object");
	mp_acl_json_free(file);
	file = parse(MP_ACL_ASCEND, "{\"profiler\":null}");
	assert_finding(file, MP_ACL_ERROR, "profiler 'null': not an object");
	mp_acl_json_free(file);
}

/* Ambiguous files are errors in both profiles. */
static void test_ambiguous(void **state)
{
	static const struct {
		const char *text, *says;
	} cases[] = {{"{\"profiler\":{\"switch\":\"on\"},\"dump\":{\"dump_path\":\".\"}}", "'profiler' and 'dump'"},
	    {"{\"dump\":{\"dump_path\":\".\"},\"profiler\":{\"switch\":\"off\"}}", "'profiler' and 'dump'"},
	    {"{\"profiler\":{\"switch\":\"off\",\"switch\":\"on\"}}", "profiler.switch 'on': given twice"},
	    {"{\"profiler\":{\"aacpu\":\"on\",\"aacpu\":\"on\"}}", "profiler.aacpu 'on': given twice"},
	    {"{\"profiler\":{\"switch\":\"on\",\"\\u0073witch\":\"off\"}}", "given twice"},
	    {"{\"profiler\":{},\"profiler\":{\"switch\":\"on\"}}", "profiler '{...}': given twice"},
	    {"{\"dump\":{\"dump_path\":\".\"},\"dump\":1}", "dump '1': given twice"},
	    {"{\"dump\":{\"dump_path\":\".\",\"dump_path\":\".\"}}", "dump.dump_path '.': given twice"}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		for (int profile = MP_ACL_SVP; profile <= MP_ACL_ASCEND; profile++) {
			struct mp_acl_json *file = parse((enum mp_acl_profile)profile, cases[i].text);

			assert_int_equal(file->errors, 1);
			assert_finding(file, MP_ACL_ERROR, cases[i].says);
			mp_acl_json_free(file);
		}
}

/* The spelling that libraries of boards read counts, wherever it stands. For Ascend both are one key. */
static void test_both_spellings(void **state)
{
	static const struct {
		const char *members, *aicpu, *says; /* NULL: no finding */
	} cases[] = {{"\"aicpu\":\"off\"", "off", NULL}, {"\"aacpu\":\"on\"", "on", NULL},
	    {"\"aicpu\":\"on\",\"aacpu\":\"on\"", "on", NULL},
	    {"\"aicpu\":\"off\",\"aacpu\":\"on\"", "off", "profiler.aacpu 'on': 'aicpu' has another value"},
	    {"\"aacpu\":\"off\",\"aicpu\":\"on\"", "on", "profiler.aacpu 'off': 'aicpu' has another value"},
	    {"\"aacpu\":1,\"aicpu\":\"on\"", "on", "profiler.aacpu '1': 'aicpu' has another value"},
	    {"\"aac_metrics\":\"x\",\"aic_metrics\":\"ArithmeticUtilization\"", "off",
		"profiler.aac_metrics 'x': 'aic_metrics' has another value, and that is what the libraries"}};
	struct mp_acl_json *file;
	char text[256];

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		snprintf(text, sizeof(text), "{\"profiler\":{%s}}", cases[i].members);
		file = parse(MP_ACL_SVP, text);
		assert_value(file, "aicpu", cases[i].aicpu);
		assert_int_equal(file->errors, 0);
		assert_int_equal(file->warnings, cases[i].says != NULL);
		if (cases[i].says)
			assert_finding(file, MP_ACL_WARNING, cases[i].says);
		mp_acl_json_free(file);
	}
	file = parse(MP_ACL_ASCEND, "{\"profiler\":{\"aicpu\":\"on\",\"aacpu\":\"on\"}}");
	assert_finding(file, MP_ACL_ERROR, "profiler.aacpu 'on': given twice, both spellings count");
	mp_acl_json_free(file);
}

/* What the libraries of boards make of a file as it is. */
static void test_judgement(void **state)
{
	static const char unread[] =
	    "profiler.aac_metrics 'ArithmeticUtilization': the libraries of boards do not read "
	    "this key, but 'aic_metrics'; the JOB has no aicore data";
	static const char nothing[] = "profiler: aicpu, aic_metrics and acl_api are off: no JOB appears";
	static const char missing[] = "profiler.output: missing: some libraries crash";
	static const struct {
		const char *members, *refused, *warning; /* NULL: none */
	} cases[] = {{"\"output\":\"p\",\"acl_api\":\"on\"", NULL, NULL},
	    {"\"output\":\"p\",\"aicpu\":\"on\"", NULL, NULL},
	    {"\"output\":\"p\",\"aic_metrics\":\"ArithmeticUtilization\"", NULL, NULL},
	    {"\"output\":\"\",\"acl_api\":\"on\"", NULL, NULL}, {"\"acl_api\":\"on\"", missing, NULL},
	    {"\"output\":\"p\"", NULL, nothing},
	    {"\"output\":\"p\",\"acl_api\":\"ON\",\"aic_metrics\":\"Memory\"", NULL, nothing},
	    {"\"output\":\"p\",\"aac_metrics\":\"ArithmeticUtilization\"", NULL, nothing},
	    {"\"output\":\"p\",\"aac_metrics\":\"ArithmeticUtilization\",\"acl_api\":\"on\"", NULL, unread},
	    {"\"switch\":\"off\"", NULL, "profiler.switch 'off': profiling stays off: nothing"},
	    {"\"switch\":\"off\",\"aacpu\":\"on\"", NULL, "profiler.aacpu 'on'"},
	    {"\"interval\":\"x\"", NULL, "profiler.interval 'x'"},
	    {"\"interval\":3,\"output\":\"p\"", "profiler.interval '3': not a text in quotes: svp_acl_init fails",
		nothing}};

	struct mp_acl_json *ascend;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		bool off = strstr(cases[i].members, "switch") != NULL;
		struct mp_acl_json *file;
		char text[256];

		snprintf(
		    text, sizeof(text), "{\"profiler\":{%s%s}}", off ? "" : "\"switch\":\"on\",", cases[i].members);
		file = parse(MP_ACL_SVP, text);
		mp_acl_json_judge(file);
		assert_int_equal(file->errors, cases[i].refused != NULL);
		if (cases[i].refused)
			assert_finding(file, MP_ACL_REFUSED, cases[i].refused);
		if (cases[i].warning)
			assert_finding(file, MP_ACL_WARNING, cases[i].warning);
		else
			assert_int_equal(file->warnings, 0);
		mp_acl_json_free(file);
	}
	ascend = parse(MP_ACL_ASCEND, "{\"profiler\":{\"switch\":\"on\",\"aacpu\":\"on\"}}");
	mp_acl_json_judge(ascend);
	assert_int_equal(ascend->errors + ascend->warnings, 0);
	mp_acl_json_free(ascend);
}

/* Boards profile nothing where the interval is bad; a number without quotes still tells what was meant. */
static void test_interval(void **state)
{
	static const struct {
		const char *value;
		bool on;
		int64_t interval;
	} cases[] = {{"\"0\"", true, 0}, {"\"007\"", true, 7}, {"\"9999\"", true, 9999}, {"\"10000\"", false, 0},
	    {"\"-1\"", false, 0}, {"2e1", true, 20}, {"1.5", false, 0}, {"null", false, 0}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mp_acl_json *file;
		char text[128];

		snprintf(text, sizeof(text), "{\"profiler\":{\"switch\":\"on\",\"interval\":%s}}", cases[i].value);
		file = parse(MP_ACL_SVP, text);
		assert_int_equal(file->settings.on, cases[i].on);
		assert_int_equal(file->settings.interval, cases[i].interval);
		if (!cases[i].on && cases[i].value[0] == '"')
			assert_finding(file, MP_ACL_WARNING, "not a whole number from 0 to 9999; profiling stays off");
		mp_acl_json_free(file);
	}
}

static void test_dump(void **state)
{
	static const struct {
		const char *members, *says; /* NULL: valid */
	} cases[] = {{"\"dump_path\":\".\"", NULL},
	    {"\"dump_list\":[{\"model_name\":\"m\"}],\"dump_mode\":\"output\",\"dump_path\":\".\"", NULL},
	    {"\"dump_list\":[{\"model_name\":\"m\",\"layer\":[\"a\",\"b\"]}],\"dump_op_switch\":\"on\",\"dump_path\":\".\"",
		NULL},
	    {"\"dump_mode\":\"input\"", "dump.dump_path: missing"}, {"\"dump_path\":\"\"", "dump.dump_path '': empty"},
	    {"\"dump_path\":\"/nosuch/dir\"", "dump.dump_path '/nosuch/dir': the directory does not exist"},
	    {"\"dump_path\":\"/dev/null\"", "dump.dump_path '/dev/null': not a directory"},
	    {"\"dump_path\":\".\",\"dump_mode\":\"both\"", "dump.dump_mode 'both': not one of: input output all"},
	    {"\"dump_path\":\".\",\"dump_op_switch\":1", "dump.dump_op_switch '1': not a string"},
	    {"\"dump_path\":\".\",\"dump_list\":{}", "dump.dump_list '{...}': not an array"},
	    {"\"dump_path\":\".\",\"dump_list\":[{\"model_name\":\"m\"},7]", "dump.dump_list[1] '7': not an object"},
	    {"\"dump_path\":\".\",\"dump_list\":[{}]", "dump.dump_list[0].model_name: missing"},
	    {"\"dump_path\":\".\",\"dump_list\":[{\"model_name\":\"m\",\"layer\":\"a\"}]",
		"dump.dump_list[0].layer 'a'"},
	    {"\"dump_path\":\".\",\"dump_list\":[{\"model_name\":\"m\",\"layer\":[\"\"]}]", "not the name of a layer"}};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mp_acl_json *file;
		char text[512];

		snprintf(text, sizeof(text), "{\"dump\":{%s}}", cases[i].members);
		file = parse(MP_ACL_ASCEND, text);
		assert_int_equal(file->warnings, 0);
		assert_int_equal(file->errors, cases[i].says != NULL);
		if (cases[i].says)
			assert_finding(file, MP_ACL_ERROR, cases[i].says);
		assert_true(file->has_dump && !file->settings.on);
		mp_acl_json_free(file);
	}
}

/* The directories of a board are not on this machine. Keys beyond the documented keys are only a warning. */
static void test_dump_elsewhere(void **state)
{
	struct mp_acl_json *file = parse(MP_ACL_SVP, "{\"dump\":{\"dump_path\":\"/nosuch/dir\"}}");

	(void)state;
	assert_int_equal(file->errors + file->warnings, 0);
	mp_acl_json_free(file);
	file = parse(MP_ACL_ASCEND, "{\"dump\":{\"dump_path\":\".\",\"dump_step\":\"0\"}}");
	assert_int_equal(file->errors, 0);
	assert_finding(file, MP_ACL_WARNING, "dump.dump_step '0': unknown key");
	mp_acl_json_free(file);
	file = parse(MP_ACL_SVP, "{\"dump\":[]}");
	assert_finding(file, MP_ACL_WARNING, "dump '[...]': not an object");
	mp_acl_json_free(file);
}

/* The tests use a writable directory as ".", because the sources may be read-only. */
static int setup(void **state)
{
	*state = temp_dir();
	return chdir(*state);
}

static int teardown(void **state)
{
	remove_dir(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_guide_example),
	    cmocka_unit_test(test_defaults),
	    cmocka_unit_test(test_values),
	    cmocka_unit_test(test_rows_are_complete),
	    cmocka_unit_test(test_normal_form),
	    cmocka_unit_test(test_lengths),
	    cmocka_unit_test(test_offending_character),
	    cmocka_unit_test(test_unknown_keys),
	    cmocka_unit_test(test_ambiguous),
	    cmocka_unit_test(test_both_spellings),
	    cmocka_unit_test(test_judgement),
	    cmocka_unit_test(test_interval),
	    cmocka_unit_test(test_dump),
	    cmocka_unit_test(test_dump_elsewhere),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
