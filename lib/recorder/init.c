/* init.c: begins and ends a recording by an acl.json, under names of our own. */
#include <errno.h>
#include <stdatomic.h>

#include "recorder/control.h"
#include "recorder/environment.h"
#include "recorder/face.h"

static const struct msprof_face faces[] = {
    [MSPROF_SVP] = {.profile = MSPROF_SVP,
	.calls = {[MP_CALL_ACL_INIT] = "msprof_init", [MP_CALL_ACL_FINALIZE] = "msprof_finalize"}},
    [MSPROF_ASCEND] = {.profile = MSPROF_ASCEND,
	.calls = {[MP_CALL_ACL_INIT] = "msprof_init", [MP_CALL_ACL_FINALIZE] = "msprof_finalize"}},
};

int msprof_init(const char *acl_json, enum msprof_profile profile)
{
	return msprof_control_acl_init(&faces[profile == MSPROF_ASCEND], acl_json);
}

int msprof_finalize(void)
{
	return msprof_control_acl_finalize(&faces[MSPROF_SVP]);
}

int msprof_wrap_init(const char *acl_json, enum msprof_profile profile)
{
	return mp_control_wrap_init(&faces[profile == MSPROF_ASCEND], acl_json);
}

int msprof_wrap_begin(void)
{
	static atomic_bool done; /* the variable is read once, as it was at the start of the process */
	int error, code;

	if (atomic_load_explicit(&done, memory_order_relaxed) || atomic_exchange(&done, true) ||
	    !mp_environment_is_set())
		return MSPROF_OK;
	error = errno;
	code = mp_control_wrap_init(&faces[MSPROF_ASCEND], NULL);
	errno = error;
	return code;
}

int msprof_wrap_finalize(void)
{
	return mp_control_wrap_finalize(&faces[MSPROF_SVP]);
}
