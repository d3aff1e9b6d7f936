/* op_record.c: encodes and decodes records of the pipe by their layouts. */
#include "recorder/op_record.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

#include "base/schema.h"
#include "base/text.h"
#include "raw/encode.h"
#include "raw/layout.h"
#include "recorder/crc32c.h"

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
