/* op_record.c: encodes and decodes records of the pipe by their layout. */
#include "recorder/op_record.h"

#include <pthread.h>
#include <string.h>

#include "base/schema.h"
#include "raw/encode.h"
#include "raw/layout.h"
#include "recorder/crc32c.h"

enum slot {
	SLOT_SIGNATURE,
	SLOT_MODEL_ID,
	SLOT_FLAG,
	SLOT_THREAD_ID,
	SLOT_OP_INDEX,
	SLOT_DURATION,
	SLOT_START,
	SLOT_END,
	SLOT_EXECUTION,
	SLOT_DEVICE_ID,
	SLOT_COUNT
};

/* The layout, read once and constant afterwards. */
static struct {
	pthread_once_t once;
	int status;
	struct mp_error err;
	struct mp_layouts set;
	struct mp_encoder encoder;
	size_t size, signed_from;
} op_layout = {.once = PTHREAD_ONCE_INIT};

static int load(struct mp_error *err)
{
	static const char *const names[SLOT_COUNT] = {"signature", "model_id", "flag", "thread_id", "op_index",
	    "duration_us", "start_us", "end_us", "execution_us", "device_id"};
	const char *path = "pipe/op_desc.rec", *text = mp_schema_text(path);
	const struct mp_field *signature;

	if (!text)
		return mp_fail(err, "'%s' is not part of the program", path);
	if (mp_layouts_parse(&op_layout.set, path, text, err) || mp_layouts_finish(&op_layout.set, err) ||
	    mp_encoder_init(&op_layout.encoder, &op_layout.set, "pipe.op_desc", names, SLOT_COUNT, err))
		return -1;
	op_layout.size = op_layout.encoder.layout->size;
	signature = op_layout.encoder.slots[SLOT_SIGNATURE];
	op_layout.signed_from = signature->offset + signature->width;
	return op_layout.size <= MP_OP_RECORD_MAX ? 0 : mp_fail(err, "%s: records are too large", path);
}

static void load_once(void)
{
	op_layout.status = load(&op_layout.err);
}

int mp_op_record_size(size_t *size, struct mp_error *err)
{
	pthread_once(&op_layout.once, load_once);
	if (op_layout.status)
		return mp_fail(err, "%s", op_layout.err.text);
	*size = op_layout.size;
	return 0;
}

static uint32_t signature_of(const unsigned char *bytes)
{
	return mp_crc32c(bytes + op_layout.signed_from, op_layout.size - op_layout.signed_from);
}

void mp_op_record_encode(const struct mp_op_record *record, unsigned char *bytes)
{
	const uint64_t values[SLOT_COUNT] = {0, record->model_id, record->flag, record->thread_id, record->op_index,
	    record->duration_us, record->start_us, record->end_us, record->execution_us, record->device_id};
	const struct mp_encoder *e = &op_layout.encoder;

	memset(bytes, 0, op_layout.size);
	for (int slot = 0; slot < SLOT_COUNT; slot++)
		mp_field_set(e->layout, e->slots[slot], bytes, values[slot]);
	mp_field_set(e->layout, e->slots[SLOT_SIGNATURE], bytes, signature_of(bytes));
}

int mp_op_record_decode(struct mp_op_record *record, const unsigned char *bytes)
{
	const struct mp_encoder *e = &op_layout.encoder;
	uint64_t values[SLOT_COUNT];

	for (int slot = 0; slot < SLOT_COUNT; slot++)
		values[slot] = mp_field_get(e->layout, e->slots[slot], bytes);
	if (values[SLOT_SIGNATURE] != signature_of(bytes))
		return -1;
	record->model_id = (uint32_t)values[SLOT_MODEL_ID];
	record->flag = (uint32_t)values[SLOT_FLAG];
	record->thread_id = (uint32_t)values[SLOT_THREAD_ID];
	record->device_id = (uint32_t)values[SLOT_DEVICE_ID];
	record->op_index = values[SLOT_OP_INDEX];
	record->duration_us = values[SLOT_DURATION];
	record->start_us = values[SLOT_START];
	record->end_us = values[SLOT_END];
	record->execution_us = values[SLOT_EXECUTION];
	return 0;
}
