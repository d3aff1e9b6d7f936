/*
 * fuzz_ops.c: records as a subscriber reads them from the pipe of either family, made, changed and asked by operations.
 *
 * The first byte is the family. Operations follow, each a byte of its kind and six of its arguments: a record is added,
 * a byte changed, a record signed or measured again, one copied over another, the end cut or made longer, a name made,
 * a question asked. Getters refuse, or give values within bounds, and agree with each other; what nobody changed is
 * what was added.
 */
#include "fuzz.h"

#include "recorder/face.h"
#include "recorder/op_record.h"

enum { RECORDS = 16, OP_SIZE = 7, ASKED_MORE = 3 };
enum { ADD, CHANGE, SIGN, COPY, RESIZE, NAME, ASK, KINDS };

static struct msprof_face face;
static unsigned char bytes[(RECORDS + 1) * MP_OP_RECORD_MAX];
static struct mp_op_record added[RECORDS];
static bool intact[RECORDS]; /* nobody changed it */
static size_t size, record_size;

static const char *const names[] = {"", "conv1", "Convolution", "\xe5\x8d\xb7\xe7\xa7\xaf",
    "a name that is longer than its sixty-four bytes of room, so that it is cut where a character ends \xe5\x8d\xb7",
    "\x1b[31m"};
enum { NAMES = sizeof(names) / sizeof(names[0]) };

/* Numbers at the ends of what a field can have. */
static uint64_t number_of(uint8_t byte)
{
	return byte < 128 ? byte : UINT64_MAX >> (byte & 63);
}

static void add_record(const uint8_t *a)
{
	const size_t at = size / record_size;
	struct mp_op_record *r = &added[at < RECORDS ? at : 0];

	if (at >= RECORDS || size % record_size)
		return;
	*r = (struct mp_op_record){.model_id = (uint32_t)number_of(a[0]),
	    .start_us = number_of(a[1]),
	    .end_us = number_of(a[2]),
	    .duration_us = number_of(a[3]),
	    .flag = a[4],
	    .thread_id = (uint32_t)number_of(a[5]),
	    .op_index = mp_op_index(a[4] & 7, a[5] & 7),
	    .name = names[a[4] % NAMES],
	    .type = names[a[5] % NAMES]};
	mp_op_record_encode(face.profile, r, bytes + size);
	intact[at] = true;
	size += record_size;
}

/* The signature of Ascend comes first. The texts of a board lie at bytes 184 and 216, their sizes at 120 and 124. */
static void sign(unsigned char *at)
{
	uint32_t sizes[2], crc;

	if (face.profile == MSPROF_ASCEND) {
		crc = mp_crc32c(at + sizeof(crc), record_size - sizeof(crc));
		memcpy(at, &crc, sizeof(crc));
		return;
	}
	at[215] = at[255] = '\0';
	sizes[0] = (uint32_t)strlen((char *)at + 184) + 1;
	sizes[1] = (uint32_t)strlen((char *)at + 216) + 1;
	memcpy(at + 120, sizes, sizeof(sizes));
}

static void check_text(enum msprof_op_text text, uint32_t index, size_t most)
{
	char copy[MSPROF_NAME_MAX + 1];
	size_t len;

	if (msprof_op_text_size(&face, text, bytes, size, index, &len))
		return;
	CHECK(len >= 1 && len <= most);
	CHECK(msprof_op_text_copy(&face, text, bytes, size, index, copy, len) == 0);
	CHECK(strlen(copy) == len - 1);
	CHECK(msprof_op_text_copy(&face, text, bytes, size, index, copy, len - 1) != 0);
	CHECK(msprof_op_text_copy(&face, text, bytes, size, index, NULL, len) != 0);
}

/* What the pipe's forms keep of a record. */
static void check_intact(uint32_t i)
{
	const struct mp_op_record *r = &added[i];

	CHECK(msprof_op_get(&face, MSPROF_OP_START, bytes, size, i) == r->start_us);
	CHECK(msprof_op_get(&face, MSPROF_OP_END, bytes, size, i) == r->end_us);
	CHECK(msprof_op_get(&face, MSPROF_OP_MODEL_ID, bytes, size, i) == r->model_id);
	CHECK(face.profile == MSPROF_SVP || msprof_op_flag(&face, bytes, size, i) == r->flag);
}

static void ask(uint32_t i, uint8_t attribute)
{
	check_text(MSPROF_OP_TYPE, i, 65);
	check_text(MSPROF_OP_NAME, i, MSPROF_NAME_MAX + 1);
	for (int number = MSPROF_OP_START; number <= MSPROF_OP_MODEL_ID; number++)
		if (msprof_op_get(&face, (enum msprof_op_number)number, bytes, size, i))
			CHECK(i < size / record_size);
	msprof_op_flag(&face, bytes, size, i);
	if (msprof_op_attribute(&face, bytes, size, i, attribute % 3))
		CHECK(i < size / record_size && face.profile == MSPROF_ASCEND);
	if (i < size / record_size && size % record_size == 0 && intact[i])
		check_intact(i);
}

static void resize(const uint8_t *a)
{
	const size_t most = RECORDS * record_size;
	const size_t to = a[1] & 1 ? a[0] % (RECORDS + 1) * record_size : (a[0] | (size_t)a[2] << 8) % (most + 1);

	for (size_t i = to / record_size; i < RECORDS; i++)
		intact[i] = false;
	if (to > size)
		memset(bytes + size, a[3], to - size);
	size = to;
}

static void operate(const uint8_t *op)
{
	const uint8_t *a = op + 1;
	const size_t count = size / record_size, one = count ? a[0] % count : 0, other = count ? a[1] % count : 0;

	switch (op[0] % KINDS) {
	case ADD:
		add_record(a);
		break;
	case CHANGE:
		if (count) {
			intact[one] = false;
			bytes[one * record_size + (a[1] | (size_t)a[2] << 8) % record_size] = a[3];
		}
		break;
	case SIGN:
		if (count) {
			intact[one] = intact[one] && face.profile == MSPROF_ASCEND;
			sign(bytes + one * record_size);
		}
		break;
	case COPY:
		if (count) {
			memmove(bytes + one * record_size, bytes + other * record_size, record_size);
			intact[one] = intact[other];
			added[one] = added[other];
		}
		break;
	case RESIZE:
		resize(a);
		break;
	case NAME:
		msprof_name(names[a[0] % NAMES]);
		break;
	default:
		ask(a[0] % (RECORDS + ASKED_MORE), a[1]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t length)
{
	struct mp_error err;
	uint32_t count = 0;
	bool all = true;

	if (!length)
		return -1;
	setenv("MSPROF_LOG", "off", 1);
	face.profile = data[0] & 1 ? MSPROF_SVP : MSPROF_ASCEND;
	CHECK(mp_op_record_size(face.profile, &record_size, &err) == 0);
	size = 0;
	memset(intact, 0, sizeof(intact));
	for (size_t at = 1; at + OP_SIZE <= length; at += OP_SIZE)
		operate(data + at);
	for (size_t i = 0; i < size / record_size; i++)
		all = all && intact[i];
	if (msprof_op_count(&face, bytes, size, &count) == 0)
		CHECK(count == size / record_size && size % record_size == 0);
	else
		CHECK(!all || size % record_size);
	for (uint32_t i = 0; i < RECORDS + ASKED_MORE; i++)
		ask(i, data[0]);
	return 0;
}
