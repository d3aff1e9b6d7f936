/* acl_json_support.h: shared by the tests of acl.json. */
#ifndef MP_TESTS_ACL_JSON_SUPPORT_H
#define MP_TESTS_ACL_JSON_SUPPORT_H

#include "support.h"

#include "config/acl_json.h"

#define GUIDE                                                                                                          \
	"{ \"profiler\":{ \"output\":\"/root/AscendProjects/MyAppTest/profiling\", \"aacpu\":\"on\", "                 \
	"\"aac_metrics\":\"ArithmeticUtilization\", \"interval\":\"0\", \"acl_api\":\"on\", \"switch\":\"on\" } }"

static inline struct mp_acl_json *parse(enum mp_acl_profile profile, const char *text)
{
	struct mp_acl_json *file = NULL;
	struct mp_error err;

	if (mp_acl_json_parse(&file, profile, "test", text, strlen(text), &err))
		fail_msg("%s: %s", text, err.text);
	return file;
}

/* {"profiler":{"KEY":VALUE}} */
static inline struct mp_acl_json *parse_one(enum mp_acl_profile profile, const char *key, const char *value)
{
	char text[4096];

	snprintf(text, sizeof(text), "{\"profiler\":{\"%s\":%s}}", key, value);
	return parse(profile, text);
}

/* A finding whose text holds `part`. */
static inline void assert_finding(const struct mp_acl_json *file, enum mp_acl_severity severity, const char *part)
{
	char text[640] = "";

	for (size_t i = 0; i < file->finding_count; i++) {
		mp_acl_finding_text(&file->findings[i], text, sizeof(text));
		if (file->findings[i].severity == severity && strstr(text, part))
			return;
	}
	fail_msg("no finding of severity %d says \"%s\"; the last one: \"%s\"", severity, part, text);
}

static inline void assert_value(const struct mp_acl_json *file, const char *key, const char *value)
{
	const char *is = mp_acl_json_value(file, key);

	if (value)
		assert_string_equal(is ? is : "(none)", value);
	else
		assert_null(is);
}

#endif
