/* acl_json_keys.c: the keys of acl.json as tables, and which values they accept. Knows no file and no finding. */
#include "config/acl_json_internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))
#define ON_OFF .kind = MP_ACL_WORD, .words = "on off"
#define RANGE(from, to) .kind = MP_ACL_NUMBER, .least = (from), .most = (to)

/* Characters that shells, which handle such paths, would interpret. */
static const char forbidden_in_paths[] = "\"'\\%><|&$;`";

/* In the order of the guide's example. What a file leaves out is as the libraries take it, not as the guide says. */
static const struct mp_acl_key svp_keys[] = {
    {"output", .kind = MP_ACL_PLAIN_PATH, .may_be_empty = true, .most = MP_ACL_OUTPUT_MAX,
	.effect = "the program's own directory is used"},
    {"aicpu", .guide = "aacpu", ON_OFF, .absent = "off", .bad = "off", .collect = "on",
	.effect = "the JOB has no aicpu data"},
    {"aic_metrics", .guide = "aac_metrics", .kind = MP_ACL_WORD, .words = "ArithmeticUtilization",
	.collect = "ArithmeticUtilization", .effect = "the JOB has no aicore data"},
    {"interval", RANGE(0, 9999), .absent = "0", .bad = "0", .collect = "0", .effect = "profiling stays off"},
    {"acl_api", ON_OFF, .absent = "off", .bad = "off", .collect = "on", .effect = "ACL calls are not collected"},
    {"switch", ON_OFF, .absent = "off", .bad = "off", .collect = "on", .effect = "profiling stays off"},
};

static const struct mp_acl_key ascend_keys[] = {
    {"output", .kind = MP_ACL_PATH, .may_be_empty = true, .most = MP_ACL_OUTPUT_MAX},
    {"storage_limit", .kind = MP_ACL_MEGABYTES, .may_be_empty = true, .least = 200, .most = UINT32_MAX},
    {"aicpu", .other = "aacpu", ON_OFF, .absent = "off"},
    {"aic_metrics", .other = "aac_metrics", .kind = MP_ACL_WORD, .may_be_empty = true, .absent = "PipeUtilization",
	.words = "ArithmeticUtilization PipeUtilization Memory MemoryL0 MemoryUB ResourceConflictRatio L2Cache "
		 "PipelineExecuteUtilization MemoryAccess"},
    {"ascendcl", ON_OFF, .absent = "on"},
    {"runtime_api", ON_OFF, .absent = "on"},
    {"task_time", .kind = MP_ACL_WORD, .words = "on off l0 l1 l2 l3", .absent = "on"},
    {"ge_api", .kind = MP_ACL_WORD, .words = "l0 l1 off", .absent = "off"},
    {"l2", ON_OFF, .absent = "off"},
    {"hccl", ON_OFF, .absent = "off"},
    {"msproftx", ON_OFF, .absent = "off"},
    {"task_tsfw", ON_OFF, .absent = "off"},
    {"task_memory", ON_OFF, .absent = "off"},
    {"task_block", .kind = MP_ACL_WORD, .words = "all on off"},
    {"instr_profiling", ON_OFF, .absent = "off"},
    {"instr_profiling_freq", RANGE(300, 30000), .absent = "1000"},
    {"sys_hardware_mem_freq", RANGE(1, 100)},
    {"sys_io_sampling_freq", RANGE(1, 100)},
    {"dvpp_freq", RANGE(1, 100)},
    {"sys_lp_freq", RANGE(1, 100)},
    {"sys_interconnection_freq", RANGE(1, 50)},
    {"sys_cpu_freq", RANGE(1, 50)},
    {"host_sys_usage_freq", RANGE(1, 50)},
    {"llc_profiling", .kind = MP_ACL_WORD, .words = "read write", .absent = "read"},
    {"host_sys", .kind = MP_ACL_WORDS, .words = "cpu mem disk network osrt numa"},
    {"host_sys_usage", .kind = MP_ACL_WORDS, .words = "cpu mem"},
    {"sys_mem_serviceflow", .kind = MP_ACL_TEXT, .least = 1, .most = MP_ACL_SIZE_MAX},
    {"optype", .kind = MP_ACL_TEXT, .least = 1, .most = 256},
    {"switch", ON_OFF, .absent = "off"},
};

static const struct mp_acl_key dump_keys[] = {
    {"dump_path", .kind = MP_ACL_PATH, .most = MP_ACL_OUTPUT_MAX},
    {"dump_mode", .kind = MP_ACL_WORD, .words = "input output all"},
    {"dump_op_switch", ON_OFF},
};

_Static_assert(COUNT(svp_keys) <= MP_ACL_KEYS_MAX && COUNT(ascend_keys) <= MP_ACL_KEYS_MAX, "room in struct mp_acl");

struct mp_acl_table mp_acl_profiler_table(enum mp_acl_profile profile)
{
	if (profile == MP_ACL_SVP)
		return (struct mp_acl_table){svp_keys, COUNT(svp_keys)};
	return (struct mp_acl_table){ascend_keys, COUNT(ascend_keys)};
}

struct mp_acl_table mp_acl_dump_table(void)
{
	return (struct mp_acl_table){dump_keys, COUNT(dump_keys)};
}

int mp_acl_find_key(struct mp_acl_table table, const char *name)
{
	for (int i = 0; i < table.count; i++) {
		const char *spellings[] = {table.keys[i].name, table.keys[i].other, table.keys[i].guide};

		for (int k = 0; k < COUNT(spellings); k++)
			if (spellings[k] && strcmp(spellings[k], name) == 0)
				return i;
	}
	return -1;
}

/* Returns whether the first len bytes of text are one of the words. */
static bool is_word(const char *words, const char *text, size_t len)
{
	while (*words) {
		size_t n = strcspn(words, " ");

		if (n == len && memcmp(words, text, n) == 0)
			return true;
		words += n + (words[n] == ' ');
	}
	return false;
}

static int check_words(const struct mp_acl_key *key, const char *text, struct mp_error *reason)
{
	bool several = key->kind == MP_ACL_WORDS;

	for (;;) {
		size_t n = several ? strcspn(text, ",") : strlen(text);

		if (!is_word(key->words, text, n))
			break;
		if (!text[n])
			return 0;
		text += n + 1;
	}
	if (strcmp(key->words, "on off") == 0)
		return mp_fail(reason, "not 'on' or 'off'");
	if (!strchr(key->words, ' '))
		return mp_fail(reason, "not '%s'", key->words);
	return mp_fail(reason, several ? "not a list (with ',') of: %s" : "not one of: %s", key->words);
}

/* The decimal number at the beginning of text; -1 when there is no number, or the number is above `most`. */
static int64_t leading_number(const char *text, int64_t most, const char **end)
{
	int64_t v = 0;

	*end = text;
	for (; **end >= '0' && **end <= '9'; ++*end) {
		v = v * 10 + (**end - '0');
		if (v > most)
			return -1;
	}
	return *end == text ? -1 : v;
}

static int check_number(const struct mp_acl_key *key, const char *text, struct mp_error *reason)
{
	bool megabytes = key->kind == MP_ACL_MEGABYTES;
	const char *end;
	int64_t v = leading_number(text, key->most, &end);

	if (v >= key->least && strcmp(end, megabytes ? "MB" : "") == 0)
		return 0;
	return mp_fail(reason, megabytes ? "not '%lldMB' to '%lldMB'" : "not a whole number from %lld to %lld",
	    (long long)key->least, (long long)key->most);
}

static int forbidden(const char *text, size_t len, const char *rule, struct mp_error *reason)
{
	char shown[20];

	mp_sanitise(shown, sizeof(shown), text, len);
	return mp_fail(reason, "the character '%s' is not allowed%s", shown, rule);
}

/* Refuse the first character that is a control character or in `bad`. */
static int check_characters(const char *text, const char *bad, struct mp_error *reason)
{
	size_t len = strlen(text);

	while (len) {
		int32_t cp;
		size_t n = mp_utf8_next(text, len, &cp);

		if (mp_is_control(cp) || (n == 1 && strchr(bad, *text)))
			return forbidden(text, n, "", reason);
		text += n;
		len -= n;
	}
	return 0;
}

int mp_acl_path_check(const char *path, struct mp_error *err)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/";
	int32_t cp;

	while (strncmp(path, "./", 2) == 0 || strncmp(path, "../", 3) == 0)
		path += path[1] == '/' ? 2 : 3;
	if (strcmp(path, ".") == 0 || strcmp(path, "..") == 0)
		return 0;
	path += strspn(path, plain);
	if (!*path)
		return 0;
	return forbidden(path, mp_utf8_next(path, strlen(path), &cp),
	    ": letters, digits and '_' are, '/' between them, './' and '../' in front", err);
}

static int check_length(const struct mp_acl_key *key, const char *text, struct mp_error *reason)
{
	size_t len = strlen(text);

	if (!len && !key->may_be_empty)
		return mp_fail(reason, "empty");
	if ((int64_t)len > key->most)
		return mp_fail(reason, "longer than %lld bytes", (long long)key->most);
	return 0;
}

int mp_acl_check_value(const struct mp_acl_key *key, const char *text, struct mp_error *reason)
{
	if (!*text && key->may_be_empty)
		return 0;
	switch (key->kind) {
	case MP_ACL_WORD:
	case MP_ACL_WORDS:
		return check_words(key, text, reason);
	case MP_ACL_NUMBER:
	case MP_ACL_MEGABYTES:
		return check_number(key, text, reason);
	case MP_ACL_TEXT:
		return check_length(key, text, reason) ? -1 : check_characters(text, "", reason);
	case MP_ACL_PATH:
		return check_length(key, text, reason) ? -1 : check_characters(text, forbidden_in_paths, reason);
	case MP_ACL_PLAIN_PATH:
		return check_length(key, text, reason) ? -1 : mp_acl_path_check(text, reason);
	}
	return mp_fail(reason, "not checked");
}

const char *mp_acl_item_text(const struct mp_acl_key *key, const cJSON *item, char text[32], struct mp_error *reason)
{
	double number = cJSON_GetNumberValue(item);

	if (cJSON_IsString(item))
		return item->valuestring;
	if (key->kind != MP_ACL_NUMBER) {
		mp_error_set(reason, "not a string");
		return NULL;
	}
	/* doubles hold every whole number up to 2^53 */
	if (!(fabs(number) <= 9007199254740992.0) || floor(number) != number) {
		mp_error_set(
		    reason, "not a whole number from %lld to %lld", (long long)key->least, (long long)key->most);
		return NULL;
	}
	snprintf(text, 32, "%lld", (long long)number);
	return text;
}
