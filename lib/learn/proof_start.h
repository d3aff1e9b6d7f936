/*
 * proof_start.h: moments of a table, which may differ from those of the records by one offset. For lib/learn/proof*.c
 * only.
 */
#ifndef MP_LEARN_PROOF_START_H
#define MP_LEARN_PROOF_START_H

#include "learn/proof_internal.h"

struct mp_proof_starts {
	const struct mp_reference *ref;
	const struct mp_proof_items *items;
	struct mp_written written;
	int column; /* -1: no column of moments */
	/* an offset in ns, good enough for a match */
	bool is_guessed;
	int64_t guess_ns, near_ns;
	/* cell minus moment, in 1 / (den * 10^decimals) ns, lies between from and from + width */
	bool has_offset;
	__int128 from, width;
};

/* Look whether there is an offset, before rows and items are matched. */
int mp_proof_guess_start(struct mp_proof_starts *s, const struct mp_reference *ref, const struct mp_proof_items *items,
    const struct mp_written *written, struct mp_error *err);
bool mp_proof_start_near(const struct mp_proof_starts *s, const struct mp_cell *cell, const struct mp_proof_item *item);
/* Find the offset that most rows agree on. */
int mp_proof_find_start(struct mp_proof_starts *s, const size_t *match, struct mp_error *err);
/* Use the offset that was found for another match. Returns false when the match needs no offset. */
bool mp_proof_adopt_offset(struct mp_proof_starts *s);
/* Whether a cell is the item's moment moved by the offset. */
bool mp_proof_start_moved(
    const struct mp_proof_starts *s, const struct mp_cell *cell, const struct mp_proof_item *item);
/* Variant 0: the moment; variant 1: the moment moved by the offset. */
struct mp_expected mp_proof_expected_start(
    const struct mp_proof_starts *s, const struct mp_proof_item *item, int variant);
/* Say in the line which offset the table has, if all of its moments are moved. */
void mp_proof_note_start(const struct mp_proof_starts *s, struct mp_proof_line *line);

#endif
