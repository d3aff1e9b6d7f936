/*
 * fuzz_ops.c: any bytes as data read from a subscriber's pipe of both families, as they are, or with valid signatures
 * or lengths of texts. Getters refuse, or give values within bounds, and agree with each other.
 */
#include "fuzz.h"

#include "recorder/crc32c.h"
#include "recorder/face.h"
#include "recorder/op_record.h"

enum { RECORDS = 16 };

static struct msprof_face face;

/* The texts of a board lie at bytes 184 and 216, the bytes with their NUL at 120 and 124. */
static void measure(unsigned char *bytes, size_t count, size_t record_size)
{
	for (size_t i = 0; i < count; i++) {
		unsigned char *at = bytes + i * record_size;
		uint32_t sizes[2];

		at[215] = at[255] = '\0';
		sizes[0] = (uint32_t)strlen((char *)at + 184) + 1;
		sizes[1] = (uint32_t)strlen((char *)at + 216) + 1;
		memcpy(at + 120, sizes, sizeof(sizes));
	}
}

static void sign(unsigned char *bytes, size_t count, size_t record_size)
{
	struct mp_op_record record = {.model_id = 0};
	unsigned char blank[MP_OP_RECORD_MAX];
	uint32_t crc;

	mp_op_record_encode(MSPROF_ASCEND, &record, blank);
	memcpy(&crc, blank, sizeof(crc)); /* the signature comes first */
	CHECK(crc == mp_crc32c(blank + sizeof(crc), record_size - sizeof(crc)));
	for (size_t i = 0; i < count; i++) {
		unsigned char *at = bytes + i * record_size;

		crc = mp_crc32c(at + sizeof(crc), record_size - sizeof(crc));
		memcpy(at, &crc, sizeof(crc));
	}
}

static void check_text(enum msprof_op_text text, const void *data, size_t len, uint32_t index, size_t most)
{
	char copy[MSPROF_NAME_MAX + 1];
	size_t size;

	if (msprof_op_text_size(&face, text, data, len, index, &size))
		return;
	CHECK(size >= 1 && size <= most);
	CHECK(msprof_op_text_copy(&face, text, data, len, index, copy, size) == 0);
	CHECK(strlen(copy) == size - 1);
	CHECK(msprof_op_text_copy(&face, text, data, len, index, copy, size - 1) != 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	unsigned char bytes[RECORDS * MP_OP_RECORD_MAX];
	size_t record_size;
	struct mp_error err;
	uint32_t count = 0;

	setenv("MSPROF_LOG", "off", 1);
	face.profile = size && data[0] & 2 ? MSPROF_SVP : MSPROF_ASCEND;
	CHECK(mp_op_record_size(face.profile, &record_size, &err) == 0);
	if (size < 1 || size - 1 > RECORDS * record_size)
		return 0;
	msprof_name("a name that may be asked for");
	memcpy(bytes, data + 1, size - 1);
	if (data[0] & 1)
		(face.profile == MSPROF_SVP ? measure : sign)(bytes, (size - 1) / record_size, record_size);
	if (msprof_op_count(&face, bytes, size - 1, &count) == 0)
		CHECK(count == (size - 1) / record_size);
	else
		CHECK((size - 1) % record_size != 0 || !(data[0] & 1));
	for (uint32_t i = 0; i <= RECORDS; i++) {
		check_text(MSPROF_OP_TYPE, bytes, size - 1, i, 65);
		check_text(MSPROF_OP_NAME, bytes, size - 1, i, MSPROF_NAME_MAX + 1);
		for (int number = MSPROF_OP_START; number <= MSPROF_OP_MODEL_ID; number++)
			if (i >= (size - 1) / record_size)
				CHECK(msprof_op_get(&face, (enum msprof_op_number)number, bytes, size - 1, i) == 0);
		msprof_op_flag(&face, bytes, size - 1, i);
	}
	return 0;
}
