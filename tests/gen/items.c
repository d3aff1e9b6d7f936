/* items.c: items of tag, length and value. */
#include "items.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"

enum { FORM_SHIFT = 13, FIELD_MASK = 0x1fff, FORM_U8 = 1, FORM_U16, FORM_U32 };

static const size_t widths[8] = {0, 1, 2, 4, 1, 2, 4, 0}; /* of the number or of the length, by form */

/* Texts have limits that the options keep: the generator is wrong where they do not fit. */
static uint8_t *add(struct gen_items *items, size_t size)
{
	uint8_t *at = items->bytes + items->used;

	if (size > GEN_ITEMS_ROOM - items->used)
		abort();
	items->used += size;
	return at;
}

static void put(uint8_t *at, size_t width, uint32_t v)
{
	if (width == 1)
		*at = (uint8_t)v;
	else if (width == 2)
		gen_put16(at, v);
	else
		gen_put32(at, v);
}

static size_t width_of(uint16_t tag)
{
	return widths[tag >> FORM_SHIFT];
}

void gen_item_number(struct gen_items *items, uint16_t tag, uint32_t v)
{
	size_t width = width_of(tag);

	if (width < 4 && v >> 8 * width) {
		tag = (uint16_t)((tag & FIELD_MASK) | FORM_U32 << FORM_SHIFT);
		width = 4;
	}
	gen_put16(add(items, 2), tag);
	put(add(items, width), width, v);
}

size_t gen_item_begin(struct gen_items *items, uint16_t tag)
{
	size_t begin = items->used;

	gen_put16(add(items, 2), tag);
	add(items, width_of(tag));
	return begin;
}

void gen_item_end(struct gen_items *items, uint16_t tag, size_t begin)
{
	size_t width = width_of(tag), from = begin + 2 + width;

	put(items->bytes + begin + 2, width, (uint32_t)(items->used - from));
}

void gen_item_bytes(struct gen_items *items, uint16_t tag, const void *bytes, size_t size)
{
	size_t begin = gen_item_begin(items, tag);

	memcpy(add(items, size), bytes, size);
	gen_item_end(items, tag, begin);
}

void gen_item_name(struct gen_items *items, uint16_t tag, const char *text)
{
	gen_item_bytes(items, tag, text, strlen(text) + 1);
}

void gen_item_text(struct gen_items *items, uint16_t tag, const char *text)
{
	gen_item_bytes(items, tag, text, strlen(text));
}

void gen_item_shape(struct gen_items *items, uint16_t tag, const uint32_t shape[4])
{
	uint8_t bytes[16];

	for (size_t i = 0; i < 4; i++)
		gen_put32(bytes + 4 * i, shape[i]);
	gen_item_bytes(items, tag, bytes, sizeof(bytes));
}
