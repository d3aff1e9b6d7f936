/*
 * page.h: reads and writes the numbers in pages and records of SQLite's file format
 * (https://www.sqlite.org/fileformat2.html). No allocation, no state; any thread.
 */
#ifndef MP_LEAF_PAGE_H
#define MP_LEAF_PAGE_H

#include <stdint.h>
#include <string.h>

enum {
	MP_PAGE_DATABASE_HEADER = 100, /* bytes of the database header, at the beginning of page 1 */
	MP_PAGE_LEAF = 13,             /* the first byte of a leaf of a table's tree */
	MP_PAGE_INTERIOR = 5,          /* the first byte of a page above leaves */
	MP_PAGE_LEAF_HEADER = 8,
	MP_PAGE_INTERIOR_HEADER = 12,
	MP_PAGE_SIZE_MAX = 65536,
	MP_PAGE_LOCKED_AT = 0x40000000, /* the page with this offset is never used */
	MP_VARINT_SIZE = 9              /* the most bytes of a varint */
};

/* The serial types of values in a record. Even types from 12 on are blobs, odd types from 13 on are texts. */
enum {
	MP_SERIAL_NULL = 0,
	MP_SERIAL_INT64 = 6,
	MP_SERIAL_REAL = 7,
	MP_SERIAL_ZERO = 8,
	MP_SERIAL_ONE = 9,
	MP_SERIAL_BLOB = 12,
	MP_SERIAL_TEXT = 13
};

static inline uint32_t mp_page_get16(const unsigned char *at)
{
	return (uint32_t)at[0] << 8 | at[1];
}

static inline uint32_t mp_page_get32(const unsigned char *at)
{
	return mp_page_get16(at) << 16 | mp_page_get16(at + 2);
}

static inline void mp_page_put16(unsigned char *at, uint32_t v)
{
	at[0] = (unsigned char)(v >> 8);
	at[1] = (unsigned char)v;
}

static inline void mp_page_put32(unsigned char *at, uint32_t v)
{
	mp_page_put16(at, v >> 16);
	mp_page_put16(at + 2, v);
}

/* Read a varint, 64 bits in 1 to 9 bytes. Returns the end of the varint, or NULL when `end` cuts the varint. */
static inline const unsigned char *mp_varint_get(const unsigned char *at, const unsigned char *end, uint64_t *v)
{
	uint64_t bits = 0;

	for (int i = 0; i < MP_VARINT_SIZE - 1 && at < end; i++) {
		bits = bits << 7 | (*at & 0x7f);
		if (*at++ < 0x80) {
			*v = bits;
			return at;
		}
	}
	if (at >= end)
		return NULL;
	*v = bits << 8 | *at;
	return at + 1;
}

/* Write a varint of up to MP_VARINT_SIZE bytes that ends at `end`. Returns the beginning of the varint. */
static inline unsigned char *mp_varint_put_before(unsigned char *end, uint64_t v)
{
	if (v >> 7 * (MP_VARINT_SIZE - 1)) { /* the ninth byte has eight bits */
		*--end = (unsigned char)v;
		v >>= 8;
		for (int i = 1; i < MP_VARINT_SIZE; i++, v >>= 7)
			*--end = (unsigned char)(v | 0x80);
		return end;
	}
	*--end = (unsigned char)(v & 0x7f);
	while (v >>= 7)
		*--end = (unsigned char)(v | 0x80);
	return end;
}

/* Write a varint. Returns the end of the varint. */
static inline unsigned char *mp_varint_put(unsigned char *at, uint64_t v)
{
	unsigned char bytes[MP_VARINT_SIZE], *end = bytes + sizeof(bytes), *from = mp_varint_put_before(end, v);
	size_t size = (size_t)(end - from);

	memcpy(at, from, size);
	return at + size;
}

/* Returns the size of a value of this type. The reserved types 10 and 11 have size 0. */
static inline uint64_t mp_serial_size(uint64_t type)
{
	static const unsigned char sizes[MP_SERIAL_BLOB] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0, 0, 0};

	return type < MP_SERIAL_BLOB ? sizes[type] : (type - MP_SERIAL_BLOB) / 2;
}

/* Returns the integer of a type from 1 to 6 at `at`. Eight bytes must be readable, whatever the type. */
static inline int64_t mp_serial_int(const unsigned char *at, uint64_t type)
{
	static const unsigned char beyond[] = {0, 56, 48, 40, 32, 16, 0}; /* bits that belong to the next value */
	uint64_t word;

	memcpy(&word, at, sizeof(word));
#if __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return (int64_t)word >> beyond[type];
}

#endif
