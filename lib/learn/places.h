/*
 * places.h: places in the hardware's words of records: which of them explain what tables say of a counter, and which
 * one each counter has.
 *
 * The caller owns words, rows and candidates. Functions that return int give 0, or -1 with err. One thread at a time.
 */
#ifndef MP_LEARN_PLACES_H
#define MP_LEARN_PLACES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "learn/reference.h"

/*
 * The numbers that learning judges by, and the work that it may do, so that no bytes make it endless. Work is
 * counted in steps: a record or a cell that is looked at. Whoever has used up a share stops, and says what was not
 * searched.
 *
 * A struct mp_work belongs to its caller and one thread. Nothing is allocated.
 */

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

/* The counters, in the order of their meanings from MP_MEANS_MAC_BUSY on: of cycles, and of bytes. */
enum {
	MP_MAC_BUSY,
	MP_MAC_PPEN,
	MP_VEC_BUSY,
	MP_VEC_PPEN,
	MP_DSTR,
	MP_DTRANS,
	MP_DLD,
	MP_WLD,
	MP_DDR_READ,
	MP_DDR_WRITE,
	MP_COUNTERS
};

/* The words of all records that were read, and the ticks (100 cycles) of their tasks. */
struct mp_learn_words {
	unsigned char *bytes; /* `span` bytes a record, which lie there from offset `low` on */
	size_t low, span;
	bool *hardware; /* which bytes of a record are the hardware's */
	uint32_t *ticks;
	size_t count;
};

struct mp_place {
	uint16_t offset; /* 0: none */
	uint8_t width;   /* 2, 4 or 8 */
	bool per_mille;  /* counts thousandths of the task's cycles */
	uint32_t scale;  /* cycles or bytes of one */
	uint16_t minus;  /* the counter is the difference to this place, of the same scale; 0: none */
	uint8_t minus_width;
};

/* A counter that cannot be: more than MP_COUNTER_MAX, or less than nothing. */
#define MP_IMPOSSIBLE UINT64_MAX
#define MP_COUNTER_MAX (UINT64_C(1) << 50)

static inline bool mp_is_bytes(int counter)
{
	return counter >= MP_DDR_READ;
}

static inline enum mp_meaning mp_counter_meaning(int counter)
{
	return (enum mp_meaning)(MP_MEANS_MAC_BUSY + counter);
}

/* The name of a counter, which is that of its column in layouts. */
static inline const char *mp_counter_name(int counter)
{
	return mp_meaning_name(mp_counter_meaning(counter));
}

/* Whether two places share bytes. */
static inline bool mp_places_overlap(const struct mp_place *a, const struct mp_place *b)
{
	return a->offset < b->offset + b->width && b->offset < a->offset + a->width;
}

/* Whether a place is the hardware's. */
bool mp_place_is_possible(const struct mp_learn_words *words, const struct mp_place *p);

/* The counter of a record: in tenths of a cycle, or in bytes; or MP_IMPOSSIBLE. */
uint64_t mp_place_value(const struct mp_learn_words *words, const struct mp_place *p, int counter, size_t record);

/* "u32 @8 x 4", "u16 @10 per mille", "u32 @44 minus u32 @40", for messages. */
void mp_place_text(const struct mp_place *p, char *text, size_t size);

/* What a row is made of: a record, or the sum of several. */
struct mp_item {
	uint64_t ticks;
	__int128 counters[MP_COUNTERS]; /* in tenths of a cycle, or bytes; -1: unknown */
};

/* What a column that counters make should say of an item. Returns false when one of its counters is unknown. */
bool mp_expect(const struct mp_table *t, enum mp_meaning meaning, const struct mp_item *item, struct mp_exact *exact);

/* A row of a table, and the records that it is of: one, or all that a row of totals sums up. */
struct mp_row {
	uint32_t first, count;
	uint32_t row;
	uint16_t table;
};

struct mp_learn_rows {
	const struct mp_references *refs;
	struct mp_row *items; /* of one table after the other, each with its totals last */
	size_t count;
};

/* The counter of a row; -1 where it cannot be. *ticks: of its records. */
__int128 mp_row_counter(const struct mp_learn_words *words, const struct mp_place *p, int counter,
    const struct mp_row *row, uint64_t *ticks);

struct mp_candidate {
	struct mp_place place;
	uint64_t hash;    /* of the counter in all records: candidates with the same one are equal */
	uint64_t against; /* of a difference: the hash of what is subtracted */
};

struct mp_candidates {
	struct mp_candidate *items;
	size_t count;
	size_t rows, nonzero; /* rows that say something; that it is not 0 */
	size_t misses;        /* rows that the candidates leave unexplained */
	bool not_searched;    /* the work ended: there are no candidates */
};

/*
 * Find the candidates of a counter: places that explain all rows, or if there are none, those that leave the
 * fewest rows unexplained, up to a sixteenth. With the candidates of `read`, also places of a total of bytes, from
 * which they are subtracted. The list is empty at first; the caller frees its items.
 */
int mp_search(struct mp_candidates *found, const struct mp_learn_words *words, const struct mp_learn_rows *rows,
    int counter, const struct mp_candidates *read, struct mp_work *work, struct mp_error *err);

enum { MP_OTHERS = 4 };

struct mp_others {
	struct mp_place places[MP_OTHERS]; /* the first of them */
	size_t count;
};

/* What was found of a counter. */
struct mp_learn_finding {
	struct mp_place place;   /* offset 0: nothing was found */
	struct mp_others equal;  /* places with the same number in all records */
	struct mp_others rivals; /* places with other numbers, which explain the tables as well */
	size_t candidates;       /* places that explain this counter alone */
	size_t rows, fits;       /* that say something, and that the place explains */
	size_t nonzero;          /* rows that say more than 0 */
	bool overlapped;         /* nothing was found: each of these overlaps the place of another counter */
	bool not_searched;       /* the work ended before all places were tried */
};

void mp_others_add(struct mp_others *others, const struct mp_place *place);

/*
 * Choose among the candidates of all counters: no two places overlap, and what tables compute from several counters
 * comes out. Sorts the candidates. Where the work ends, each candidate that was not tried is a rival.
 */
void mp_choose(struct mp_learn_finding findings[MP_COUNTERS], struct mp_candidates lists[MP_COUNTERS],
    const struct mp_learn_words *words, const struct mp_learn_rows *rows, struct mp_work *work);

#endif
