/*
 * calls_internal.h: names of calls, where they are in raw files, and what references say of calls. For the finder of
 * calls only. Functions that return int give 0, or -1 with err. One thread at a time.
 */
#ifndef MP_LEARN_CALLS_INTERNAL_H
#define MP_LEARN_CALLS_INTERNAL_H

#include "learn/search.h"

enum { MP_CALL_NAME_MAX = 256, MP_CALL_NUMBERS_MAX = 65536 };
#define MP_NO_NAME UINT32_MAX

/* The different names of the references, sorted; texts are borrowed. */
struct mp_call_names {
	const char **items;
	size_t count, longest;
};

/* A name in a raw file. */
struct mp_call_spot {
	uint32_t part;
	uint32_t name; /* index of mp_call_names; MP_NO_NAME: a record between others, with another name */
	size_t at;     /* byte of the part */
};

struct mp_call_spots {
	struct mp_call_spot *items; /* in the order of the files */
	size_t count, room;
};

int mp_call_names_read(struct mp_call_names *names, const struct mp_references *refs, struct mp_error *err);
void mp_call_names_free(struct mp_call_names *names);
/* The index of a name, or MP_NO_NAME. */
uint32_t mp_call_name_find(const struct mp_call_names *names, const char *text, size_t len);

int mp_call_spots_add(struct mp_call_spots *spots, struct mp_call_spot spot, struct mp_error *err);
void mp_call_spots_free(struct mp_call_spots *spots);
/* Find names as texts with a NUL behind them, or without one when `open`. */
int mp_call_spots_of_texts(struct mp_call_spots *spots, const struct mp_raw *raw, const struct mp_call_names *names,
    bool open, struct mp_error *err);

/* The numbers of names, as a further file of the job says them (calls_dictionary.c). */
struct mp_call_number {
	int64_t number;
	uint32_t name;
};

struct mp_call_dictionary {
	const struct mp_job_file *file; /* NULL: no file is a dictionary */
	struct mp_call_number *items;   /* sorted by number; only names of references */
	size_t count;
	bool is_json;
	char statements[1024]; /* of the layout */
	char refused[256];     /* why a file that looks like a dictionary cannot be used, or "" */
};

int mp_call_dictionary_read(struct mp_call_dictionary *dictionary, const struct mp_job *job,
    const struct mp_call_names *names, struct mp_error *err);
void mp_call_dictionary_free(struct mp_call_dictionary *dictionary);
/* The name of a number, or MP_NO_NAME. */
uint32_t mp_call_dictionary_find(const struct mp_call_dictionary *dictionary, int64_t number);
/* Write the layout of the dictionary. */
int mp_call_dictionary_emit(
    struct mp_found *found, const struct mp_call_dictionary *dictionary, size_t names, struct mp_error *err);

enum { MP_CALL_PLACES_MAX = 16 };

/* Where the number of a name is, in records of some size. */
struct mp_call_number_place {
	size_t record;
	size_t offset; /* bytes of a file, and any number of records */
	enum mp_type type;
	bool big_endian;
	size_t score;
};

struct mp_call_number_places {
	struct mp_call_number_place items[MP_CALL_PLACES_MAX]; /* the best first */
	size_t count;
};

/* The places in records of some sizes at which numbers are names as often as `expected` says of each name. */
int mp_call_number_places_find(struct mp_call_number_places *places, const struct mp_raw *raw,
    const struct mp_call_dictionary *dictionary, const struct mp_call_names *names, const size_t *expected,
    const size_t *sizes, size_t size_count, struct mp_error *err);
int mp_call_spots_of_numbers(struct mp_call_spots *spots, const struct mp_raw *raw,
    const struct mp_call_dictionary *dictionary, const struct mp_call_number_place *place, struct mp_error *err);

/* What references say of calls, with kinds as numbers (calls_rows.c). */
struct mp_call_rows {
	struct mp_views views;
	struct mp_reference refs[MP_VIEW_MAX]; /* with cells of their own */
	uint32_t *names[MP_VIEW_MAX];          /* of each row */
	bool is_sums;                          /* rows are of names and threads */
};

/* Rows of calls; those of statistics when no table has a row a call. */
int mp_call_rows_read(struct mp_call_rows *rows, const struct mp_references *refs, const struct mp_call_names *names,
    struct mp_error *err);
/* Returns whether a table sums up the calls: all of them are in it. */
bool mp_call_has_sums(const struct mp_references *refs);
void mp_call_rows_free(struct mp_call_rows *rows);

/* Count the calls of each name. */
void mp_call_rows_count(size_t *counts, const struct mp_call_rows *rows);

/* A way to say which of the records with a name is which row. */
enum mp_call_order { MP_CALLS_BY_START, MP_CALLS_BY_END };

/*
 * Map rows to units: the k-th row with a name to the k-th unit with the name. Of `names` only those whose rows are as
 * many as their units, unless that holds for no row. Returns how many rows have units.
 */
size_t mp_call_rows_map(
    struct mp_call_rows *rows, const struct mp_units *units, const uint32_t *names, enum mp_call_order order);
/* Map all rows to units with their name and duration. */
size_t mp_call_rows_map_by_time(
    struct mp_call_rows *rows, const struct mp_units *units, const uint32_t *names, const struct mp_times *times);

/*
 * Without a row a call (calls_sums.c): find durations by statistics. A unit more than calls with a name loses its name.
 * Returns 1, 0 when nothing fits, or -1 with err.
 */
int mp_call_sums_times(struct mp_times *times, struct mp_call_rows *rows, const struct mp_units *units, uint32_t *names,
    struct mp_error *err);

/* A row for each unit (calls_spread.c), with kind, process and thread where these follow from the name. */
struct mp_call_spread {
	struct mp_views views;
	struct mp_reference ref;
	struct mp_reference_column columns[3];
};

int mp_call_sums_spread(struct mp_call_spread *spread, struct mp_call_rows *rows, const struct mp_units *units,
    const uint32_t *names, struct mp_error *err);
void mp_call_spread_free(struct mp_call_spread *spread);

typedef bool mp_call_is_taken(const void *user, struct mp_place place);

/* Find the place of a number by how many calls of each name have it. Returns 1, 0, or -1 with err. */
int mp_call_sums_place(struct mp_candidate *best, struct mp_call_rows *rows, const struct mp_units *units,
    const uint32_t *names, enum mp_meaning meaning, mp_call_is_taken *is_taken, const void *user, struct mp_error *err);

/* Records whose names no row has; and names that are in no record, which damage leaves. */
struct mp_call_flaws {
	size_t strangers, lost;
};

/* A search for records of calls. */
struct mp_call_hunt {
	const struct mp_learn_input *in;
	struct mp_raw raw;
	struct mp_call_names names;
	struct mp_call_rows rows;
	struct mp_call_dictionary dictionary;
	struct mp_call_spots spots;
	struct mp_place number; /* of the name, when names are numbers; the offset is 0 */
	bool is_numbered;
	uint64_t tried[MP_CALL_PLACES_MAX]; /* spots of numbers */
	size_t tried_count;
	struct mp_solution best;
	struct mp_call_flaws flaws; /* of the best */
	struct mp_error *err;
};

/*
 * Read the files of calls. Around each file there are zeros, so that a window around a name may reach beyond it: the
 * `size` is that of all bytes.
 */
int mp_call_raw_read(struct mp_raw *raw, const struct mp_job *job, struct mp_error *err);

/* Records around spots. */
struct mp_call_grid {
	struct mp_units units;
	uint32_t *names; /* of each unit */
	size_t record, name_offset;
};

/* The place of a kind of calls is found as the byte that other records lack (calls_kinds.c). Returns whether it is. */
bool mp_call_find_kind(const struct mp_call_grid *grid, struct mp_solution *solution);
/* Returns whether records were moved by damage, or a few were lost. */
bool mp_call_is_damaged(const struct mp_call_hunt *hunt, const struct mp_call_grid *grid);
/* Bytes by which records are found again behind damage. */
void mp_call_find_marks(const struct mp_call_grid *grid, struct mp_solution *solution);

/* Try records of a size, with names where the spots are; `from` and `to`: little and big endian (calls_frame.c). */
int mp_call_try_spots(struct mp_call_hunt *hunt, size_t record, int from, int to);
/* What a reader makes of the files with the layout of a solution (calls_flaws.c). */
struct mp_call_flaws mp_call_find_flaws(const struct mp_call_hunt *hunt, const struct mp_solution *solution);
void mp_call_release(struct mp_solution *solution);

/* Returns whether a solution uses the bytes of a place. `user` is the solution. */
bool mp_call_place_is_taken(const void *user, struct mp_place place);
/* Find the place of a kind of calls whose numbers are not ours (calls_types.c). */
void mp_call_find_type(const struct mp_views *views, const struct mp_call_grid *grid, struct mp_solution *solution);
/* How many calls have a number of a kind that no row says. */
size_t mp_call_unknown_types(const struct mp_solution *solution);
/* Find times and numbers (calls_solve.c). Returns 1 when everything is explained, 0, or -1 with err. */
int mp_call_solve(struct mp_call_hunt *hunt, struct mp_call_grid *grid, struct mp_solution *solution);

#endif
