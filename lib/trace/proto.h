/*
 * proto.h: writes fields of Protocol Buffers (https://protobuf.dev/programming-guides/encoding). Every function writes
 * at `at`, which needs room, and returns the end. No state, no allocation; any thread.
 */
#ifndef MP_TRACE_PROTO_H
#define MP_TRACE_PROTO_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

enum { MP_PROTO_VARINT_MAX = 10, MP_PROTO_TAG_MAX = 5 };
enum mp_proto_type { MP_PROTO_VARINT = 0, MP_PROTO_FIXED64 = 1, MP_PROTO_BYTES = 2 };

static inline char *mp_proto_put(char *at, uint64_t v)
{
	while (v >= 0x80) {
		*at++ = (char)(v | 0x80);
		v >>= 7;
	}
	*at = (char)v;
	return at + 1;
}

/* Returns the number of bytes of a varint. */
static inline size_t mp_proto_size(uint64_t v)
{
	return (size_t)(70 - __builtin_clzll(v | 1)) / 7;
}

static inline char *mp_proto_put_tag(char *at, unsigned field, enum mp_proto_type type)
{
	return mp_proto_put(at, field << 3 | type);
}

static inline char *mp_proto_put_number(char *at, unsigned field, uint64_t v)
{
	return mp_proto_put(mp_proto_put_tag(at, field, MP_PROTO_VARINT), v);
}

static inline char *mp_proto_put_fixed(char *at, unsigned field, uint64_t v)
{
	at = mp_proto_put_tag(at, field, MP_PROTO_FIXED64);
	v = htole64(v);
	return (char *)memcpy(at, &v, sizeof(v)) + sizeof(v);
}

static inline char *mp_proto_put_double(char *at, unsigned field, double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	return mp_proto_put_fixed(at, field, bits);
}

/* The tag and length of `size` bytes that follow. */
static inline char *mp_proto_put_length(char *at, unsigned field, size_t size)
{
	return mp_proto_put(mp_proto_put_tag(at, field, MP_PROTO_BYTES), size);
}

#endif
