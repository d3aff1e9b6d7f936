/*
 * range_ex.c: marks and ranges without stamps. The open ranges of a thread are a stack of its own. A range whose end
 * finds no recording is not recorded.
 */
#include "recorder/control.h"

#include <string.h>

#include "recorder/include/acl/acl_prof.h"
#include "recorder/recorder_internal.h"
#include "recorder/refuse.h"

enum { DEPTH_MAX = 64 };

static _Thread_local struct {
	unsigned depth;
	struct {
		uint64_t begin_ns;
		uint32_t name, type;
	} open[DEPTH_MAX];
} ranges;

int msprof_mark_ex(const struct msprof_face *face, const char *message, size_t len)
{
	const enum mp_call call = MP_CALL_MARK_EX;
	uint64_t now_ns = mp_recorder_now();

	if (!atomic_load(&mp_control.recording))
		return mp_refuse_order(face, call, ACL_ERROR_PROF_NOT_RUN, MP_CALL_START);
	if (!message)
		return mp_refuse_null(face, call, MP_PARAM_MESSAGE);
	if (len == 0 || len > MSPROF_MESSAGE_MAX)
		return mp_refuse_number(face, call, MP_PARAM_MESSAGE_LEN, len, "a message must have 1 to 127 bytes");
	if (strnlen(message, len + 1) != len)
		return mp_refuse_number(face, call, MP_PARAM_MESSAGE_LEN, len, "not the length of the message");
	mp_recorder_stamp(MP_STAMP_MARK_EX, now_ns, now_ns, 0, 0, message);
	return 0;
}

int msprof_range_push(const struct msprof_face *face, const void *attributes)
{
	const aclprofEventAttributes *given = attributes;
	const enum mp_call call = MP_CALL_RANGE_PUSH;

	if (!given)
		return mp_refuse_null(face, call, MP_PARAM_RANGE_ATTRIBUTES);
	if (given->messageType != ACL_PROF_MESSAGE_TYPE_TENSOR_INFO)
		return mp_refuse_number(
		    face, call, MP_PARAM_RANGE_ATTRIBUTES, given->messageType, "unknown type of a message");
	if (!given->message.tensorInfo)
		return mp_refuse_value(face, call, MP_PARAM_RANGE_ATTRIBUTES, "", "the message is a null pointer");
	if (ranges.depth == DEPTH_MAX)
		return mp_refuse_failure(
		    face, call, ACL_ERROR_INVALID_PARAM, "this thread has 64 open ranges: end some");
	ranges.open[ranges.depth].name = (uint32_t)given->message.tensorInfo->opNameId;
	ranges.open[ranges.depth].type = (uint32_t)given->message.tensorInfo->opTypeId;
	ranges.open[ranges.depth++].begin_ns = msprof_begin();
	return 0;
}

int msprof_range_pop(const struct msprof_face *face)
{
	if (!ranges.depth)
		return mp_refuse_failure(
		    face, MP_CALL_RANGE_POP, ACL_ERROR_INVALID_PARAM, "this thread has no open range");
	ranges.depth--;
	mp_recorder_op_range(
	    ranges.open[ranges.depth].begin_ns, ranges.open[ranges.depth].name, ranges.open[ranges.depth].type);
	return 0;
}

int msprof_features(const struct msprof_face *face, enum mp_call call, size_t *count, void **features)
{
	static char none[1];

	if (!count)
		return mp_refuse_null(face, call, MP_PARAM_FEATURES_SIZE);
	if (!features)
		return mp_refuse_null(face, call, MP_PARAM_FEATURES);
	if (*features)
		return mp_refuse_value(face, call, MP_PARAM_FEATURES, "", "it must point to a null pointer");
	*count = 0;
	*features = none;
	return 0;
}
