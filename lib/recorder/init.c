/* init.c: begin and end of a recording that an acl.json asks for, under names of our own. */
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
