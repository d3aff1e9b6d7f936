/*
 * fuzz_acl_json.c: any bytes as an acl.json, under both profiles. Findings have no control characters. The written text
 * is JSON; read back after a merge, it has the same meaning, and no library of a board fails because of it.
 */
#include "fuzz.h"

#include "base/json.h"
#include "base/text.h"
#include "config/acl_json.h"

static void check_findings(const struct mp_acl_json *file)
{
	CHECK(file->finding_count <= file->errors + file->warnings);
	for (size_t i = 0; i < file->finding_count; i++) {
		char text[640];

		mp_acl_finding_text(&file->findings[i], text, sizeof(text));
		CHECK(strlen(text) < sizeof(text) - 1 && !mp_has_control(text, strlen(text)));
	}
}

static void check_profile(enum mp_acl_profile profile, const char *text, size_t len)
{
	struct mp_acl_json *file, *again;
	char *first, *second;
	struct mp_error err;

	if (mp_acl_json_parse(&file, profile, "fuzz", text, len, &err))
		return;
	mp_acl_json_judge(file);
	check_findings(file);
	if (!mp_acl_json_merge(file, "profiling", NULL, &err)) {
		CHECK(mp_acl_json_text(file, &first, &err) == 0);
		CHECK(mp_json_is_object(first, strlen(first)));
		/* indenting and escaping may exceed the size limit of a file */
		if (strlen(first) <= MP_ACL_SIZE_MAX) {
			CHECK(mp_acl_json_parse(&again, profile, "again", first, strlen(first), &err) == 0);
			mp_acl_json_judge(again);
			CHECK(again->errors == 0 && again->settings.on == file->settings.on);
			CHECK(mp_acl_json_merge(again, NULL, NULL, &err) == 0);
			CHECK(again->settings.interval == file->settings.interval);
			CHECK(mp_acl_json_text(again, &second, &err) == 0);
			if (profile == MP_ACL_ASCEND)
				CHECK(strcmp(first, second) == 0);
			free(second);
			mp_acl_json_free(again);
		}
		free(first);
	}
	mp_acl_json_free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_profile(MP_ACL_SVP, (const char *)data, size);
	check_profile(MP_ACL_ASCEND, (const char *)data, size);
	return 0;
}
