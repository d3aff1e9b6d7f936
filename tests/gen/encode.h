/*
 * encode.h: values by name into the bytes of a record: the reverse of raw/reader.h.
 *
 * An encoder borrows its layout. Values go into slots, the positions of the names
 * given to gen_encoder_init, so that no name is looked up for each record. A value
 * that does not fit its field is remembered, not cut silently: ask
 * gen_encoder_check once at the end.
 */
#ifndef GEN_ENCODE_H
#define GEN_ENCODE_H

#include "raw/layout.h"

struct gen_encoder {
	const struct mp_layout *layout;
	const struct mp_field *slots[MP_FIELD_MAX];
	const struct mp_field *misfit;		  /* the first field that was too small */
	unsigned char blank[MP_RECORD_SIZE_MAX];  /* zeros and the match values */
	unsigned char record[MP_RECORD_SIZE_MAX]; /* layout->size bytes of it count */
};

/* Errors: no such binary layout in the set, or it lacks one of the fields. */
int gen_encoder_init(struct gen_encoder *e, const struct mp_layouts *set, const char *layout, const char *const *names,
    int count, struct mp_error *err);

/* Begin a record: every field is zero. */
void gen_encoder_begin(struct gen_encoder *e);

void gen_encoder_number(struct gen_encoder *e, int slot, uint64_t value);
void gen_encoder_text(struct gen_encoder *e, int slot, const char *text);

/* 0 when all values so far had room. */
int gen_encoder_check(const struct gen_encoder *e, struct mp_error *err);

#endif
