/*
 * work.h: the numbers that learning judges by, and the work that it may do, so that no bytes make it endless. Work is
 * counted in steps: a record or a cell that is looked at. Whoever has used up a share stops, and says what was not
 * searched.
 *
 * A struct mp_work belongs to its caller and one thread. Nothing is allocated.
 */
#ifndef MP_LEARN_WORK_H
#define MP_LEARN_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Each number of a judgement, and why it is there. What follows from the format of records is not here. */
enum {
	/* A counter is sure with so many rows, or fewer that are not 0: zeros fit many places, other numbers few. */
	MP_SURE_ROWS = 10,
	MP_SURE_NONZERO = 5,
	/* A layout is proven where so many counters, half of them, are more than 0: tables of zeros prove nothing. */
	MP_PROVEN_COUNTERS = 5,
	/* A table is of an inference to which more of its rows fit than one of so many parts, the half: in a table of
	 * another job some rows fit by accident. */
	MP_MATCH_PART = 2,
	/* Where no place explains all rows, it may leave one of so many: a wrong place fails in most of them. */
	MP_MISSES_PART = 16,
	/* So many places of a counter are kept, so that memory is bounded: tables that allow more prove nothing. */
	MP_CANDIDATES_MAX = 4096,
	/* A task moves no more bytes in a cycle, which are a bus of 512 bits: larger words have other meanings. */
	MP_BYTES_A_CYCLE = 64,
	/* A cell of 0 means nothing more where its last decimal is no more than so many bytes, or its decimals of a
	 * per cent no fewer: then only places without a bit explain a column of zeros. */
	MP_FINE_BYTES = 10,
	MP_FINE_DECIMALS = 2,
	/* So many records are read, so that memory is bounded. The first inferences are enough; the rest is left out.
	 */
	MP_RECORDS_MAX = 256 * 1024,
	/* Matching takes at most one of so many parts of the work, so that the search for places has as much. */
	MP_WORK_MATCH_PART = 2,
	/* The search leaves one of so many parts of the work to the choice among what it found. */
	MP_WORK_CHOICE_PART = 8
};

/*
 * Steps for a job: so many, and so many for each of its records and rows. A job of 100,000 tasks needs a twentieth of
 * it. A step takes about 10 ns.
 */
#define MP_WORK_MIN UINT64_C(150000000)
#define MP_WORK_EACH UINT64_C(1000)

struct mp_work {
	uint64_t total, left;
	uint64_t keep;                                             /* of what is left, the steps of others */
	bool ended;                                                /* a share was used up */
	void (*progress)(void *user, int64_t done, int64_t total); /* called now and then; may be NULL */
	void *user;
};

/* Begin with `total` steps. */
static inline void mp_work_begin(struct mp_work *w, uint64_t total)
{
	w->total = w->left = total;
	w->keep = 0;
	w->ended = false;
}

/* Share out: the next steps may be one of `parts` of what is left, but for `reserve`. */
static inline void mp_work_share(struct mp_work *w, uint64_t reserve, size_t parts)
{
	w->keep = w->left - (w->left > reserve ? (w->left - reserve) / parts : 0);
	w->ended = false;
}

/* Take steps from the share. Returns false, and ends the share, when there are not so many. */
static inline bool mp_work_take(struct mp_work *w, uint64_t steps)
{
	const uint64_t before = w->left;

	if (w->ended || w->left - w->keep < steps) {
		w->ended = true;
		return false;
	}
	w->left -= steps;
	if (w->progress && (before ^ w->left) >> 20)
		w->progress(w->user, (int64_t)(w->total - w->left), (int64_t)w->total);
	return true;
}

#endif
