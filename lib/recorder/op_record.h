/*
 * op_record.h: what a subscriber reads from the pipe: one record a run of an operator (schema/pipe/op_desc.rec).
 * Any thread may call these. The layout is read once a process; -1 when that, or the record, is not as it should be.
 */
#ifndef MP_RECORDER_OP_RECORD_H
#define MP_RECORDER_OP_RECORD_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { MP_OP_RECORD_MAX = 512 };

enum { MP_OP_FLAG_OPERATOR = 0, MP_OP_FLAG_NONE = 0xff };

struct mp_op_record {
	uint32_t model_id, flag, thread_id, device_id;
	uint64_t op_index;
	uint64_t start_us, end_us, duration_us, execution_us;
};

/* Bytes of a record. */
int mp_op_record_size(size_t *size, struct mp_error *err);

/* With its signature. `bytes` has room for MP_OP_RECORD_MAX. */
void mp_op_record_encode(const struct mp_op_record *record, unsigned char *bytes);

/* -1: the signature is not that of the bytes. */
int mp_op_record_decode(struct mp_op_record *record, const unsigned char *bytes);

/* The key of a name and a type (names.h). */
static inline uint64_t mp_op_index(uint32_t name, uint32_t type)
{
	return (uint64_t)name << 32 | type;
}

static inline uint32_t mp_op_index_name(uint64_t op_index)
{
	return (uint32_t)(op_index >> 32);
}

static inline uint32_t mp_op_index_type(uint64_t op_index)
{
	return (uint32_t)op_index;
}

#endif
