/* bytes_support.h: files of items of tag, length and value, written byte by byte. */
#ifndef MP_TESTS_BYTES_SUPPORT_H
#define MP_TESTS_BYTES_SUPPORT_H

#include "support.h"

/* The forms of a tag. */
enum { U8 = 0x2000, U16 = 0x4000, U32 = 0x6000, U8_BYTES = 0x8000, U16_BYTES = 0xa000, U32_BYTES = 0xc000 };

struct bytes {
	unsigned char at[256 * 1024];
	size_t used;
};

static inline void add_number(struct bytes *b, unsigned tag, uint64_t value)
{
	size_t width = (tag & 0xe000) == U8 ? 1 : (tag & 0xe000) == U16 ? 2 : 4;

	put_le(b->at + b->used, 2, tag);
	put_le(b->at + b->used + 2, width, value);
	b->used += 2 + width;
}

/* Add a tag and a length, without the value. */
static inline void add_head(struct bytes *b, unsigned tag, uint64_t len)
{
	add_number(b, (tag & 0x1fff) | ((tag & 0xe000) - 0x6000), len);
	put_le(b->at + b->used - ((tag & 0xe000) == U8_BYTES ? 3 : (tag & 0xe000) == U16_BYTES ? 4 : 6), 2, tag);
}

static inline void add_bytes(struct bytes *b, unsigned tag, const void *value, size_t len)
{
	add_head(b, tag, len);
	memcpy(b->at + b->used, value, len);
	b->used += len;
}

static inline void add_text(struct bytes *b, unsigned tag, const char *text)
{
	add_bytes(b, tag, text, strlen(text));
}

/* Add a record with a number and a name. Returns its bytes. */
static inline size_t add_record(struct bytes *b, unsigned form, unsigned id, const char *name)
{
	static struct bytes inner;
	size_t before = b->used;

	inner.used = 0;
	add_number(&inner, U16 | 0x112, id);
	add_text(&inner, U8_BYTES | 0x114, name);
	add_bytes(b, form | 0x111, inner.at, inner.used);
	return b->used - before;
}

#endif
