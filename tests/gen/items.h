/*
 * items.h: items of tag, length and value, which the slices of a model file consist of.
 *
 * The top three bits of a tag say the form: 1, 2 and 3 a number of one, two and four bytes; 4, 5 and 6 bytes after a
 * length of one, two and four bytes. An item of bytes may hold items.
 */
#ifndef GEN_ITEMS_H
#define GEN_ITEMS_H

#include <stddef.h>
#include <stdint.h>

enum { GEN_ITEMS_ROOM = 4096 };

struct gen_items {
	uint8_t bytes[GEN_ITEMS_ROOM];
	size_t used;
};

/* A number that does not fit the form of its tag is written with four bytes. */
void gen_item_number(struct gen_items *items, uint16_t tag, uint32_t v);

void gen_item_bytes(struct gen_items *items, uint16_t tag, const void *bytes, size_t size);

/* A text with the NUL at its end, and one without. */
void gen_item_name(struct gen_items *items, uint16_t tag, const char *text);
void gen_item_text(struct gen_items *items, uint16_t tag, const char *text);

/* Four numbers: the lengths of the dimensions of a tensor. */
void gen_item_shape(struct gen_items *items, uint16_t tag, const uint32_t shape[4]);

/* What follows is inside of the item, until gen_item_end with the value that gen_item_begin returned. */
size_t gen_item_begin(struct gen_items *items, uint16_t tag);
void gen_item_end(struct gen_items *items, uint16_t tag, size_t begin);

#endif
