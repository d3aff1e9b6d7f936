/*
 * op_record.c: encodes and decodes records of the pipe by their layouts; answers questions about bytes that a
 * subscriber read from the pipe. Takes no lock: readers must never wait.
 */
#include "recorder/op_record.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/schema.h"
#include "base/text.h"
#include "raw/encode.h"
#include "raw/layout.h"
#include "recorder/control.h"
#include "recorder/include/acl/acl_prof.h"
#include "recorder/recorder_internal.h"

static const uint32_t remainders[16] = {0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
    0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9, 0xc38d26c4, 0xd3d3e1ab, 0xe330a81a,
    0xf36e6f75};

uint32_t mp_crc32c(const void *bytes, size_t size)
{
	const unsigned char *at = bytes;
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < size; i++) {
		crc = remainders[(crc ^ at[i]) & 15] ^ crc >> 4;
		crc = remainders[(crc ^ at[i] >> 4) & 15] ^ crc >> 4;
	}
	return crc;
}

/* The first four are those of both forms. */
enum slot {
	SLOT_MODEL_ID,
	SLOT_DURATION,
	SLOT_START,
	SLOT_END,
	SLOT_COMMON,
	SLOT_SIGNATURE = SLOT_COMMON,
	SLOT_FLAG,
	SLOT_THREAD_ID,
	SLOT_OP_INDEX,
	SLOT_EXECUTION,
	SLOT_DEVICE_ID,
	SLOT_ASCEND_COUNT,
	SLOT_TYPE_SIZE = SLOT_COMMON,
	SLOT_NAME_SIZE,
	SLOT_TYPE,
	SLOT_NAME,
	SLOT_SVP_COUNT
};

#define COMMON "model_id", "duration_us", "start_us", "end_us"
static const char *const ascend_names[SLOT_ASCEND_COUNT] = {
    COMMON, "signature", "flag", "thread_id", "op_index", "execution_us", "device_id"};
static const char *const svp_names[SLOT_SVP_COUNT] = {COMMON, "type_size", "name_size", "type", "name"};

/* The layouts, read once and constant afterwards. */
static struct {
	pthread_once_t once;
	int status;
	struct mp_error err;
	struct mp_layouts set;
	struct mp_encoder ascend, svp;
	size_t signed_from;
} forms = {.once = PTHREAD_ONCE_INIT};

static int load(struct mp_error *err)
{
	static const char *const paths[] = {"pipe/op_desc.rec", "pipe/svp_op.rec"};
	const struct mp_field *signature;

	for (int i = 0; i < 2; i++) {
		const char *text = mp_schema_text(paths[i]);

		if (!text)
			return mp_fail(err, "'%s' is not part of the program", paths[i]);
		if (mp_layouts_parse(&forms.set, paths[i], text, err))
			return -1;
	}
	if (mp_layouts_finish(&forms.set, err) ||
	    mp_encoder_init(&forms.ascend, &forms.set, "pipe.op_desc", ascend_names, SLOT_ASCEND_COUNT, err) ||
	    mp_encoder_init(&forms.svp, &forms.set, "pipe.svp_op", svp_names, SLOT_SVP_COUNT, err))
		return -1;
	signature = forms.ascend.slots[SLOT_SIGNATURE];
	forms.signed_from = signature->offset + signature->width;
	return forms.ascend.layout->size <= MP_OP_RECORD_MAX && forms.svp.layout->size <= MP_OP_RECORD_MAX
		   ? 0
		   : mp_fail(err, "pipe: records are too large");
}

static void load_once(void)
{
	forms.status = load(&forms.err);
}

static const struct mp_encoder *form_of(enum msprof_profile family)
{
	return family == MSPROF_SVP ? &forms.svp : &forms.ascend;
}

int mp_op_record_size(enum msprof_profile family, size_t *size, struct mp_error *err)
{
	pthread_once(&forms.once, load_once);
	if (forms.status)
		return mp_fail(err, "%s", forms.err.text);
	*size = form_of(family)->layout->size;
	return 0;
}

static uint64_t get(const struct mp_encoder *e, int slot, const unsigned char *bytes)
{
	return mp_field_get(e->layout, e->slots[slot], bytes);
}

static void set(const struct mp_encoder *e, int slot, unsigned char *bytes, uint64_t value)
{
	mp_field_set(e->layout, e->slots[slot], bytes, value);
}

static uint32_t signature_of(const unsigned char *bytes)
{
	return mp_crc32c(bytes + forms.signed_from, forms.ascend.layout->size - forms.signed_from);
}

static void encode_ascend(const struct mp_op_record *record, unsigned char *bytes)
{
	const struct mp_encoder *e = &forms.ascend;

	set(e, SLOT_FLAG, bytes, record->flag);
	set(e, SLOT_THREAD_ID, bytes, record->thread_id);
	set(e, SLOT_OP_INDEX, bytes, record->op_index);
	set(e, SLOT_EXECUTION, bytes, record->execution_us);
	set(e, SLOT_DEVICE_ID, bytes, record->device_id);
	set(e, SLOT_SIGNATURE, bytes, signature_of(bytes));
}

static void encode_text(unsigned char *bytes, int slot, int size_slot, const char *text)
{
	const struct mp_field *f = forms.svp.slots[slot];
	size_t len = text ? mp_cut(text, f->width - 1) : 0;

	if (len)
		memcpy(bytes + f->offset, text, len);
	set(&forms.svp, size_slot, bytes, len + 1);
}

void mp_op_record_encode(enum msprof_profile family, const struct mp_op_record *record, unsigned char *bytes)
{
	const struct mp_encoder *e = form_of(family);

	memset(bytes, 0, e->layout->size);
	set(e, SLOT_MODEL_ID, bytes, record->model_id);
	set(e, SLOT_DURATION, bytes, record->duration_us);
	set(e, SLOT_START, bytes, record->start_us);
	set(e, SLOT_END, bytes, record->end_us);
	if (family != MSPROF_SVP) {
		encode_ascend(record, bytes);
		return;
	}
	encode_text(bytes, SLOT_TYPE, SLOT_TYPE_SIZE, record->type);
	encode_text(bytes, SLOT_NAME, SLOT_NAME_SIZE, record->name);
}

static const char *decode_ascend(struct mp_op_record *record, const unsigned char *bytes)
{
	const struct mp_encoder *e = &forms.ascend;

	record->flag = (uint32_t)get(e, SLOT_FLAG, bytes);
	record->thread_id = (uint32_t)get(e, SLOT_THREAD_ID, bytes);
	record->device_id = (uint32_t)get(e, SLOT_DEVICE_ID, bytes);
	record->op_index = get(e, SLOT_OP_INDEX, bytes);
	record->execution_us = get(e, SLOT_EXECUTION, bytes);
	return get(e, SLOT_SIGNATURE, bytes) == signature_of(bytes) ? NULL : "the signature of a record is wrong";
}

/* The text of a field; NULL when its length is another one than the record tells. */
static const char *decode_text(const unsigned char *bytes, int slot, int size_slot)
{
	const struct mp_field *f = forms.svp.slots[slot];
	const char *text = (const char *)bytes + f->offset;
	uint64_t size = get(&forms.svp, size_slot, bytes);

	return size && size <= f->width && strnlen(text, f->width) == size - 1 ? text : NULL;
}

const char *mp_op_record_decode(enum msprof_profile family, struct mp_op_record *record, const unsigned char *bytes)
{
	const struct mp_encoder *e = form_of(family);

	*record = (struct mp_op_record){.model_id = (uint32_t)get(e, SLOT_MODEL_ID, bytes),
	    .flag = MP_OP_FLAG_OPERATOR,
	    .duration_us = get(e, SLOT_DURATION, bytes),
	    .start_us = get(e, SLOT_START, bytes),
	    .end_us = get(e, SLOT_END, bytes)};
	if (family != MSPROF_SVP)
		return decode_ascend(record, bytes);
	record->type = decode_text(bytes, SLOT_TYPE, SLOT_TYPE_SIZE);
	record->name = decode_text(bytes, SLOT_NAME, SLOT_NAME_SIZE);
	return record->type && record->name ? NULL : "a text of a record has another length than the record tells";
}

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
