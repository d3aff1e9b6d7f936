/* step.c: steps of a training, as ranges named by their number. */
#include "recorder/control.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "recorder/include/acl/acl_prof.h"
#include "recorder/recorder.h"
#include "recorder/refuse.h"

struct step {
	struct mp_handle handle;
	uint32_t number;
	bool set[2]; /* by tag */
	uint64_t begin_ns;
};

void *msprof_step_create(const struct msprof_face *face)
{
	static _Atomic uint32_t count;
	struct step *step = calloc(1, sizeof(*step));

	if (!step) {
		mp_say_failure(face, MP_CALL_CREATE_STEP, ACL_ERROR_BAD_ALLOC, "out of memory");
		return NULL;
	}
	step->number = atomic_fetch_add(&count, 1) + 1;
	mp_handle_add(&mp_control.steps, &step->handle);
	return step;
}

void msprof_step_destroy(const struct msprof_face *face, void *step)
{
	mp_handle_destroy(face, MP_CALL_DESTROY_STEP, MP_PARAM_STEP, &mp_control.steps, step);
}

static int set_tag(const struct msprof_face *face, struct step *step, int tag)
{
	const enum mp_call call = MP_CALL_STEP_TIMESTAMP;
	uint64_t now_ns = mp_recorder_now();
	char name[24];

	if (tag != ACL_STEP_START && tag != ACL_STEP_END)
		return mp_refuse_number(face, call, MP_PARAM_STEP_TAG, (uint64_t)(unsigned)tag, "unknown tag");
	if (step->set[tag])
		return mp_refuse_number(
		    face, call, MP_PARAM_STEP_TAG, (uint64_t)(unsigned)tag, "the step has this tag already");
	step->set[tag] = true;
	if (tag == ACL_STEP_START) {
		step->begin_ns = now_ns;
		return 0;
	}
	snprintf(name, sizeof(name), "step %" PRIu32, step->number);
	/* an end without a start is a range without a duration */
	mp_recorder_stamp(MP_STAMP_START_STOP, step->begin_ns ? step->begin_ns : now_ns, now_ns, 0, step->number, name);
	return 0;
}

int msprof_step_timestamp(const struct msprof_face *face, void *step, int tag)
{
	int code;

	pthread_mutex_lock(&mp_control.lock);
	code = mp_handle_check(face, MP_CALL_STEP_TIMESTAMP, MP_PARAM_STEP, &mp_control.steps, step);
	if (!code)
		code = set_tag(face, step, tag);
	pthread_mutex_unlock(&mp_control.lock);
	return code;
}
