/*
 * encode.h: values by name into the bytes of a record: the reverse of raw/reader.h.
 *
 * An encoder borrows its layout. Values go into slots, the positions of the names
 * given to mp_encoder_init, so that no name is looked up for each record. A value
 * that does not fit its field is remembered, not cut silently: ask
 * mp_encoder_check once at the end.
 */
#ifndef MP_RAW_ENCODE_H
#define MP_RAW_ENCODE_H

#include "raw/layout.h"

struct mp_encoder {
	const struct mp_layout *layout;
	const struct mp_field *slots[MP_FIELD_MAX];
	const struct mp_field *misfit;            /* the first field that was too small */
	unsigned char blank[MP_RECORD_SIZE_MAX];  /* zeros and the match values */
	unsigned char record[MP_RECORD_SIZE_MAX]; /* layout->size bytes of it count */
};

/* Errors: no such binary layout in the set, or it lacks one of the fields. */
int mp_encoder_init(struct mp_encoder *e, const struct mp_layouts *set, const char *layout, const char *const *names,
    int count, struct mp_error *err);

/* Begin a record: every field is zero. */
void mp_encoder_begin(struct mp_encoder *e);

void mp_encoder_number(struct mp_encoder *e, int slot, uint64_t value);
/* `len` bytes, without a NUL. */
void mp_encoder_text(struct mp_encoder *e, int slot, const char *text, size_t len);

/* 0 when all values so far had room. */
int mp_encoder_check(const struct mp_encoder *e, struct mp_error *err);

/* A field of numbers in the bytes of a record. What does not fit is cut. */
uint64_t mp_field_get(const struct mp_layout *layout, const struct mp_field *field, const unsigned char *record);
void mp_field_set(const struct mp_layout *layout, const struct mp_field *field, unsigned char *record, uint64_t value);

#endif
