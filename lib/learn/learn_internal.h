/*
 * learn_internal.h: the steps of learn.c that follow when rows are matched with records. One thread at a time.
 * Functions that return int give 0, or -1 with err.
 */
#ifndef MP_LEARN_LEARN_INTERNAL_H
#define MP_LEARN_LEARN_INTERNAL_H

#include <stdio.h>

#include "learn/learn.h"

/*
 * Guess by what must hold in each record that the counters lie behind each other in the order of columns. A finding
 * without a place has the places that one counter may have as its rivals.
 */
int mp_guess_places(struct mp_finding findings[MP_COUNTERS], const struct mp_records *records, struct mp_work *work,
    struct mp_error *err);

/*
 * Write the built-in layout of the records with the counters where they were found; those that were not found have no
 * column. The stream keeps errors.
 */
int mp_emit_layout(const struct mp_learned *learned, FILE *out, struct mp_error *err);

/*
 * Decode the job with `layouts`, compute each cell of the tables that counters, times or task ids make, and compare: to
 * the digit, under one rule of rounding a column. Fills learned->proof.
 */
int mp_prove(struct mp_learned *learned, const char *path, const struct mp_layouts *layouts, struct mp_error *err);

#endif
