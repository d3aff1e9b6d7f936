/* hunt.h: the search for records of tasks, in the parts hunt.c (rows to units to columns), tasks.c (shapes, kinds) and
 * counted.c (shapes of a few records).
 */
#ifndef MP_LEARN_HUNT_H
#define MP_LEARN_HUNT_H

#include "learn/search.h"

enum { MP_SEEN_MAX = 256 };
/* A search that takes longer ends with the best so far. */
#define MP_COST_MAX UINT64_C(2000000000)
/* Where all is explained, but some rows differ, a better solution is searched for this long. */
#define MP_COST_MORE UINT64_C(50000000)
/* Where a column is missing, records that begin earlier are searched for this long. */
#define MP_COST_EARLIER UINT64_C(500000000)
/* Where all columns are explained, but not all rows have records. */
#define MP_COST_ROWS UINT64_C(300000000)
enum { MP_COST_KEY = 500, MP_COST_SOLVE = 400000 };

/* A number by which rows may be found, and a bit for each view of which it finds many. */
struct mp_hunt_key {
	struct mp_key key;
	uint32_t views;
};

/* A search for the records of one layout. */
struct mp_hunt {
	const struct mp_learn_input *in;
	struct mp_raw raw;
	struct mp_views views;
	const struct mp_part_of_record *parts;
	size_t part_count;
	uint64_t cost;  /* of the search so far, in about as many steps */
	uint64_t limit; /* of the cost */
	bool complete;  /* the best explains everything, though maybe by accident */
	bool strict;    /* numbers of rows are those of as many units, but for a few */
	bool by_order;  /* try the order of rows as that of units */
	struct mp_solution best;
	uint64_t seen[MP_SEEN_MAX]; /* mappings that were tried for these units */
	size_t seen_count;
	uint64_t sets[MP_SEEN_MAX]; /* hashes of sets of records that were tried for this shape */
	size_t set_count;
	struct mp_hunt_key *keys; /* of the shape that is tried */
	size_t key_count, key_room;
	struct mp_error *err;
};

/* What the units are, while solutions are tried. */
struct mp_try {
	const struct mp_shape *shape;
	const struct mp_units *units;
	bool tagged; /* of the records `of` those with this byte */
	const struct mp_units *of;
	unsigned kind_offset;
	unsigned char kind;
	bool paired;
	unsigned tag_offset;
	unsigned char tag, tag_start;
	struct mp_place key;
};

/*
 * List the numbers of all records of a shape that may be keys. Records of one kind have no others: what finds few rows
 * among all records finds no more among some.
 */
int mp_hunt_list_keys(struct mp_hunt *h, const struct mp_units *all);
/* Try a number as key of a view. Returns 1 when everything is explained, 0, or -1 with err. */
int mp_hunt_key(struct mp_hunt *h, const struct mp_try *p, struct mp_view *view, const struct mp_key *key);
/* Try the ways to find the units of rows. Returns like mp_hunt_key. */
int mp_hunt_units(struct mp_hunt *h, const struct mp_try *p);
/* How many rows of a view have units. */
size_t mp_hunt_mapped(const struct mp_view *view);
/* Returns whether a table has ids of tasks. */
bool mp_hunt_has_ids(const struct mp_hunt *h);
/* Try the records of a shape: all of them, or those of a kind, or pairs. `try_all`: kinds, too. Returns like
 * mp_hunt_key. */
int mp_hunt_shape(struct mp_hunt *h, const struct mp_shape *shape, bool try_all);
/* Try the shapes that have as many records as a table has rows (counted.c). Returns like mp_hunt_key. */
int mp_hunt_counted(struct mp_hunt *h);
void mp_solution_free(struct mp_solution *s);

#endif
