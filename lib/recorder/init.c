/* init.c: begin and end of a recording that an acl.json asks for. */
#include "config/acl_json.h"
#include "recorder/log.h"
#include "recorder/recorder_internal.h"
#include "recorder/session.h"

static int begin(const char *acl_json, enum msprof_profile profile, struct mp_error *err)
{
	struct mp_acl_session settings;
	int code = mp_acl_session_read(&settings, acl_json, profile == MSPROF_SVP ? MP_ACL_SVP : MP_ACL_ASCEND, err);

	if (code || !settings.on)
		return code;
	mp_recorder_set_interval(settings.interval);
	code = mp_session_start(&mp_recorder.from_file, &settings.config, err);
	mp_acl_session_free(&settings);
	return code;
}

int msprof_init(const char *acl_json, enum msprof_profile profile)
{
	struct mp_error err;
	int none = 0, code;

	if (!atomic_compare_exchange_strong(&mp_recorder.life, &none, 1))
		return MSPROF_REPEAT_INITIALIZE;
	code = begin(acl_json, profile, &err);
	if (code)
		mp_log(MP_LOG_ERROR, "%s", err.text);
	return code;
}

int msprof_finalize(void)
{
	struct mp_error err;
	int one = 1, code;

	if (!atomic_compare_exchange_strong(&mp_recorder.life, &one, 2))
		return MSPROF_REPEAT_FINALIZE;
	code = mp_session_finish(mp_recorder.from_file, &err);
	mp_recorder.from_file = NULL;
	if (code)
		mp_log(MP_LOG_ERROR, "%s", err.text);
	return code;
}
