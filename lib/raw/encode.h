/*
 * encode.h: writes values by name into the bytes of a record: the reverse of raw/reader.h.
 *
 * An encoder borrows its layout and the memory of a record, and owns nothing. Values go into slots, the positions of
 * the names given to mp_encoder_init, so that no record looks a name up. A value that does not fit its field is
 * recorded, not cut silently: call mp_encoder_check once at the end. One thread at a time.
 */
#ifndef MP_RAW_ENCODE_H
#define MP_RAW_ENCODE_H

#include <string.h>

#include "raw/layout.h"

struct mp_encoder {
	const struct mp_layout *layout;
	unsigned char *record;
	const struct mp_field *misfit; /* the first field that was too small, or NULL */
	const struct mp_field *slots[MP_FIELD_MAX];
	unsigned char plain[MP_FIELD_MAX];       /* bytes of a slot whose number is one store; 0: it is another one */
	unsigned char blank[MP_RECORD_SIZE_MAX]; /* zeros and the match values */
};

/* Prepare an encoder. Errors: the set has no such binary layout, or the layout lacks one of the fields. */
int mp_encoder_init(struct mp_encoder *e, const struct mp_layouts *set, const char *layout, const char *const *names,
    int count, struct mp_error *err);

/* Begin a record of layout->size bytes with all fields zero. */
void mp_encoder_begin(struct mp_encoder *e, unsigned char *record);

/* Go on with a record that has values already. */
static inline void mp_encoder_resume(struct mp_encoder *e, unsigned char *record)
{
	e->record = record;
}

/* With a constant width this is one store. */
static inline void mp_store_little(unsigned char *at, size_t width, uint64_t value)
{
	if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)
		memcpy(at, &value, width);
	else
		for (size_t i = 0; i < width; i++)
			at[i] = (unsigned char)(value >> 8 * i & 0xff);
}

void mp_encoder_number_of_any_form(struct mp_encoder *e, int slot, uint64_t value);

static inline void mp_encoder_number(struct mp_encoder *e, int slot, uint64_t value)
{
	unsigned char *at = e->record + e->slots[slot]->offset;

	if (e->plain[slot] == 8)
		mp_store_little(at, 8, value);
	else if (e->plain[slot] == 4 && value <= UINT32_MAX)
		mp_store_little(at, 4, value);
	else if (e->plain[slot] == 2 && value <= UINT16_MAX)
		mp_store_little(at, 2, value);
	else
		mp_encoder_number_of_any_form(e, slot, value);
}

/* Write `len` bytes, without a NUL. */
void mp_encoder_text(struct mp_encoder *e, int slot, const char *text, size_t len);
/* Write a text; one that is too long is cut at a character. */
void mp_encoder_cut(struct mp_encoder *e, int slot, const char *text);

/* Returns 0 when all values so far fitted, else -1 with the first field that was too small. */
int mp_encoder_check(const struct mp_encoder *e, struct mp_error *err);

/* Read or write a number in the bytes of a record. Bits that do not fit are cut. */
uint64_t mp_field_get(const struct mp_layout *layout, const struct mp_field *field, const unsigned char *record);
void mp_field_set(const struct mp_layout *layout, const struct mp_field *field, unsigned char *record, uint64_t value);

#endif
