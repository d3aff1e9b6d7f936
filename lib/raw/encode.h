/*
 * encode.h: writes values by name into the bytes of a record: the reverse of raw/reader.h.
 *
 * An encoder borrows its layout and owns nothing else. Values go into slots, the positions of the names given to
 * mp_encoder_init, so that no record looks a name up. A value that does not fit its field is recorded, not cut
 * silently: call mp_encoder_check once at the end. One thread at a time.
 */
#ifndef MP_RAW_ENCODE_H
#define MP_RAW_ENCODE_H

#include "raw/layout.h"

struct mp_encoder {
	const struct mp_layout *layout;
	const struct mp_field *slots[MP_FIELD_MAX];
	const struct mp_field *misfit;            /* the first field that was too small, or NULL */
	unsigned char blank[MP_RECORD_SIZE_MAX];  /* zeros and the match values */
	unsigned char record[MP_RECORD_SIZE_MAX]; /* the first layout->size bytes are the record */
};

/* Prepare an encoder. Errors: the set has no such binary layout, or the layout lacks one of the fields. */
int mp_encoder_init(struct mp_encoder *e, const struct mp_layouts *set, const char *layout, const char *const *names,
    int count, struct mp_error *err);

/* Begin a record with all fields zero. */
void mp_encoder_begin(struct mp_encoder *e);

void mp_encoder_number(struct mp_encoder *e, int slot, uint64_t value);
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
