/*
 * op_read.c: answers questions about bytes that a subscriber read from the pipe. Takes no lock: readers must never
 * wait.
 */
#include "recorder/control.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "recorder/include/acl/acl_prof.h"
#include "recorder/op_record.h"
#include "recorder/recorder_internal.h"
#include "recorder/refuse.h"

enum { TYPE_LEN_MAX = 64 };

/* The differences between the texts of an operator. */
static const struct {
	enum mp_call size_call, copy_call;
	enum mp_param buffer, size;
} texts[] = {
    [MSPROF_OP_TYPE] = {MP_CALL_GET_OP_TYPE_LEN, MP_CALL_GET_OP_TYPE, MP_PARAM_OP_TYPE, MP_PARAM_OP_TYPE_LEN},
    [MSPROF_OP_NAME] = {MP_CALL_GET_OP_NAME_LEN, MP_CALL_GET_OP_NAME, MP_PARAM_OP_NAME, MP_PARAM_OP_NAME_LEN},
};

static int check_data(const struct msprof_face *face, enum mp_call call, const void *data, size_t len, size_t *size)
{
	struct mp_error err;
	int code = mp_control_allows(face, call);

	if (code)
		return code;
	if (mp_op_record_size(face->profile, size, &err))
		return mp_refuse_failure(face, call, ACL_ERROR_FAILURE, err.text);
	if (!data)
		return mp_refuse_null(face, call, MP_PARAM_OP_INFO);
	if (len % *size != 0)
		return mp_refuse_number(
		    face, call, MP_PARAM_OP_INFO_LEN, len, "not a multiple of the size of a record");
	return 0;
}

static int read_record(const struct msprof_face *face, enum mp_call call, const void *data, size_t len, uint32_t index,
    struct mp_op_record *record)
{
	const char *why;
	size_t size;
	int code = check_data(face, call, data, len, &size);

	if (code)
		return code;
	if (index >= len / size)
		return mp_refuse_number(
		    face, call, MP_PARAM_INDEX, index, "the index is greater than that of the last record");
	why = mp_op_record_decode(face->profile, record, (const unsigned char *)data + index * size);
	return why ? mp_refuse_value(face, call, MP_PARAM_OP_INFO, "", why) : 0;
}

int msprof_op_size(const struct msprof_face *face, size_t *size)
{
	const enum mp_call call = MP_CALL_GET_OP_DESC_SIZE;
	struct mp_error err;
	int code = mp_control_allows(face, call);

	if (code)
		return code;
	if (!size)
		return mp_refuse_null(face, call, MP_PARAM_OP_DESC_SIZE);
	return mp_op_record_size(face->profile, size, &err) ? mp_refuse_failure(face, call, ACL_ERROR_FAILURE, err.text)
							    : 0;
}

int msprof_op_count(const struct msprof_face *face, const void *data, size_t len, uint32_t *count)
{
	const enum mp_call call = MP_CALL_GET_OP_NUM;
	struct mp_op_record record;
	size_t size;
	int code = check_data(face, call, data, len, &size);

	if (code)
		return code;
	if (!count)
		return mp_refuse_null(face, call, MP_PARAM_OP_NUMBER);
	if (len / size > UINT32_MAX)
		return mp_refuse_number(face, call, MP_PARAM_OP_INFO_LEN, len, "there are too many records");
	for (uint32_t i = 0; i < len / size; i++) {
		code = read_record(face, call, data, len, i, &record);
		if (code)
			return code;
	}
	*count = (uint32_t)(len / size);
	return 0;
}

/*
 * The name or type of an operator, and its length without the NUL: in the record, or known to this process. A type that
 * is too long is cut at a character.
 */
static const char *op_text(enum msprof_op_text text, const struct mp_op_record *record, size_t *len)
{
	const char *s = text == MSPROF_OP_TYPE ? record->type : record->name;
	uint32_t number =
	    text == MSPROF_OP_TYPE ? mp_op_index_type(record->op_index) : mp_op_index_name(record->op_index);

	if (!s)
		s = mp_name_text(&mp_recorder.names, number);
	*len = text == MSPROF_OP_TYPE ? mp_cut(s, TYPE_LEN_MAX) : strlen(s);
	return s;
}

int msprof_op_text_size(const struct msprof_face *face, enum msprof_op_text text, const void *data, size_t len,
    uint32_t index, size_t *size)
{
	struct mp_op_record record;
	int code = read_record(face, texts[text].size_call, data, len, index, &record);

	if (code)
		return code;
	if (!size)
		return mp_refuse_null(face, texts[text].size_call, texts[text].size);
	op_text(text, &record, size);
	*size += 1;
	return 0;
}

int msprof_op_text_copy(const struct msprof_face *face, enum msprof_op_text text, const void *data, size_t len,
    uint32_t index, char *copy, size_t size)
{
	struct mp_op_record record;
	const char *s;
	size_t text_len;
	int code = read_record(face, texts[text].copy_call, data, len, index, &record);

	if (code)
		return code;
	if (!copy)
		return mp_refuse_null(face, texts[text].copy_call, texts[text].buffer);
	s = op_text(text, &record, &text_len);
	if (size <= text_len)
		return mp_refuse_number(face, texts[text].copy_call, texts[text].size, size, "the text is longer");
	memcpy(copy, s, text_len);
	copy[text_len] = '\0';
	return 0;
}

uint64_t msprof_op_get(
    const struct msprof_face *face, enum msprof_op_number number, const void *data, size_t len, uint32_t index)
{
	static const enum mp_call calls[] = {[MSPROF_OP_START] = MP_CALL_GET_OP_START,
	    [MSPROF_OP_END] = MP_CALL_GET_OP_END,
	    [MSPROF_OP_DURATION] = MP_CALL_GET_OP_DURATION,
	    [MSPROF_OP_MODEL_ID] = MP_CALL_GET_MODEL_ID};
	struct mp_op_record record;

	if (read_record(face, calls[number], data, len, index, &record))
		return 0;
	switch (number) {
	case MSPROF_OP_START:
		return record.start_us;
	case MSPROF_OP_END:
		return record.end_us;
	case MSPROF_OP_DURATION:
		return record.duration_us;
	case MSPROF_OP_MODEL_ID:
		return record.model_id;
	}
	return 0;
}

uint32_t msprof_op_flag(const struct msprof_face *face, const void *data, size_t len, uint32_t index)
{
	struct mp_op_record record;

	return read_record(face, MP_CALL_GET_OP_FLAG, data, len, index, &record) ? MP_OP_FLAG_NONE : record.flag;
}

const char *msprof_op_attribute(
    const struct msprof_face *face, const void *data, size_t len, uint32_t index, int attribute)
{
	static _Thread_local char text[12];
	const enum mp_call call = MP_CALL_GET_OP_ATTRIBUTE;
	struct mp_op_record record;

	if (read_record(face, call, data, len, index, &record))
		return NULL;
	if (attribute != ACL_SUBSCRIBE_ATTRI_THREADID || record.flag != ACL_SUBSCRIBE_OP_THREAD) {
		mp_say_number(face, call, MP_PARAM_ATTRIBUTE, (uint64_t)(unsigned)attribute,
		    "the record does not have this attribute");
		return NULL;
	}
	snprintf(text, sizeof(text), "%" PRIu32, record.thread_id);
	return text;
}
