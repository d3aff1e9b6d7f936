/*
 * search.h: what the finders of binary records share: raw bytes, places in records, rows of references, and what fits.
 * For lib/learn only.
 *
 * A *unit* is what a row of a reference is compared with: one record, or the two records of a task's end and start. A
 * *place* is a number at an offset of a unit; offsets beyond the record are in the record of the start. Numbers are
 * compared as long double, which holds 64 bits; the proof (proof.h) is exact. Functions that return int give 0, or -1
 * with err. One thread at a time.
 */
#ifndef MP_LEARN_SEARCH_H
#define MP_LEARN_SEARCH_H

#include "learn/finders.h"

enum {
	MP_RAW_BYTES_MAX = 64 * 1024 * 1024, /* of raw files that are searched; the proof reads all */
	MP_SAMPLE = 1000,                    /* rows that are compared while searching */
	MP_SHAPE_MAX = 12,
	MP_VIEW_MAX = 32,
	MP_CANDIDATE_MAX = 12
};
#define MP_NO_UNIT UINT32_MAX

/* ---- bytes (raw.c) */

struct mp_raw_part {
	const struct mp_job_file *file;
	size_t begin, size;
	bool cut;         /* the file is longer */
	int64_t core_mhz; /* of its device; 0: unknown */
};

struct mp_raw {
	unsigned char *bytes;
	size_t size;
	struct mp_raw_part *parts;
	size_t part_count;
};

/* Read the raw files of a layout. No file is no error: part_count is 0. */
int mp_raw_read(struct mp_raw *raw, const struct mp_job *job, const char *layout, struct mp_error *err);
void mp_raw_free(struct mp_raw *raw);
/* Returns whether all files are lines of text. Records are bytes: nothing can be found there. */
bool mp_raw_is_text(const struct mp_raw *raw);

/* ---- shapes (shape.c) */

struct mp_shape {
	size_t record, phase; /* the first record begins at `phase` of a file, or a multiple of `record` later */
	bool big_endian;
};

/* The likely sizes of records, the likeliest first; each file has at least `least` records. Returns how many. */
size_t mp_shapes(struct mp_shape shapes[MP_SHAPE_MAX], const struct mp_raw *raw, size_t least);

/* ---- phases (phase.c): where the first record begins */

enum { MP_PHASE_MAX = 8 };

struct mp_phases {
	size_t items[MP_PHASE_MAX]; /* the likeliest first; no two are whole records apart */
	size_t count;
};

/* The likely phases of files with records of a size, each with at least `least` records. */
void mp_find_phases(struct mp_phases *phases, const struct mp_raw *raw, size_t record, size_t least);

/* ---- units (unit.c) */

struct mp_unit_of_row {
	const unsigned char *own, *start; /* start: of the record that starts the task, or NULL */
	uint32_t part;                    /* index of the file */
};

enum { MP_BYTE_VARIES = 1, MP_BYTE_NOT_ZERO = 2, MP_SYNC_MAX = 16 };

struct mp_units {
	const struct mp_raw *raw;
	struct mp_unit_of_row *items; /* in the order of the files */
	size_t count;
	size_t record;
	bool big_endian;
	/* of the first units, for each byte of a record: a set of the bits above; NULL: not known */
	unsigned char *seen;
	unsigned closed_offset, closed_width; /* bytes that are no number: of the name of a call */
	/* bytes that all records have, if some bytes of the files are damaged; they are needed to find records again */
	unsigned sync_count, sync_offsets[MP_SYNC_MAX];
	unsigned char sync_values[MP_SYNC_MAX];
};

enum mp_type { MP_TYPE_U8, MP_TYPE_U16, MP_TYPE_U32, MP_TYPE_U64, MP_TYPE_F32, MP_TYPE_F64, MP_TYPE_COUNT };

struct mp_place {
	unsigned offset;
	enum mp_type type;
};

/* A byte that tells kinds of records apart. */
struct mp_tag {
	unsigned offset;
	unsigned char values[8];
	size_t counts[8];
	unsigned count;
	uint64_t parting; /* a hash of which records have the same value */
	uint64_t sets[8]; /* of each value: a hash of the records that have it */
};

unsigned mp_type_width(enum mp_type type);
const char *mp_type_name(enum mp_type type);

/* All records of a shape. */
int mp_units_all(struct mp_units *units, const struct mp_raw *raw, const struct mp_shape *shape, struct mp_error *err);
/* Find the records of a shape again where bytes are damaged (sync.c). Keeps the units if there are no marks. */
void mp_units_sync(struct mp_units *units, const struct mp_shape *shape);
/* Look at the bytes of the first units. Without memory nothing is known of them, which costs time only. */
void mp_units_inspect(struct mp_units *units);
/* The records of `all` with this byte at the tag's place. */
int mp_units_tagged(
    struct mp_units *units, const struct mp_units *all, unsigned offset, unsigned char value, struct mp_error *err);
/* Ends of `all` with the latest open start that has the same number at `key`. */
int mp_units_paired(struct mp_units *units, const struct mp_units *all, unsigned offset, unsigned char start,
    unsigned char end, struct mp_place key, struct mp_error *err);
void mp_units_free(struct mp_units *units);

/* Bytes with 2 to 8 values, each frequent. Returns how many, at most `max`. */
size_t mp_tags(struct mp_tag *tags, size_t max, const struct mp_units *all);

/* Look at the bytes of the first units, for mp_units_tell. */
void mp_units_inspect(struct mp_units *units);

/*
 * Returns whether a number may tell units apart, and is not the same as a narrower one: its values differ, and its
 * upper bytes are not always 0.
 */
bool mp_units_tell(const struct mp_units *units, struct mp_place place);

/* The bytes of a unit that places may use: one record, or two. */
size_t mp_units_width(const struct mp_units *units);

/* The number at a place. Returns false when the number is negative, above INT64_MAX, or no number. */
bool mp_unit_read(const struct mp_units *units, size_t unit, struct mp_place place, int64_t *value);

/* ---- views (view.c): rows of a reference, and the units that they are of */

/* The rows of a small id, which are found without a search. */
struct mp_id {
	uint32_t first, rows; /* the first row in `lookup`, and how many */
	uint32_t met;         /* units that have the id */
};

struct mp_view {
	const struct mp_reference *ref;
	uint32_t *rows;
	uint32_t *units; /* of each row; MP_NO_UNIT: not known */
	size_t count;
	int columns[MP_MEANS_COUNT_OF]; /* -1: the reference lacks the meaning */
	/* the rows in order of the number by which units were looked up last, for mp_view_map */
	struct mp_lookup *lookup;
	size_t lookup_count;
	enum mp_meaning looked_up; /* MP_MEANS_NOTHING: not looked up */
	bool by_row;
	struct mp_id *ids; /* by the id */
	size_t id_count;   /* 0: the numbers that were looked up last are not small ids */
};

/* What a cell says: a number between low and high; rounded, or cut. In ns, bytes, per cent. */
struct mp_says {
	long double value, half, cut; /* |x - value| <= half, or 0 <= x - value < cut */
	long double tiny;             /* what a double of the value cannot say */
};

/* Which rows of TASKS references: those of the core, of the AI CPU, or all. */
struct mp_times;

enum mp_rows_of { MP_ROWS_OF_CORE, MP_ROWS_OF_CPU };

struct mp_views {
	struct mp_view items[MP_VIEW_MAX];
	size_t count;
};

int mp_views_of_tasks(
    struct mp_views *views, const struct mp_references *refs, enum mp_rows_of rows_of, struct mp_error *err);
void mp_views_free(struct mp_views *views);

/* What row `i` of a view says of a meaning. Returns false when it says nothing. */
bool mp_view_says(const struct mp_view *view, size_t i, enum mp_meaning meaning, struct mp_says *says);

/* Returns whether the records of a part are those of the view, by the names of both files. */
bool mp_view_is_of(const struct mp_view *view, const struct mp_raw_part *part);

/* How the units of rows are found: by equal numbers. */
struct mp_key {
	enum mp_meaning meaning; /* MP_MEANS_TIME: by the durations */
	struct mp_place place;   /* of the number in a unit, times scale */
	unsigned scale;
	const struct mp_times *times; /* durations, when known: rows of one number are told apart by them; or NULL */
	bool by_row;                  /* rows of one number are in the order of the table, not of their moments */
	bool complete;                /* only numbers that as many rows as units have */
	/* without times: rows that must get units, and rows of numbers that as many units have; else no row gets a unit
	 */
	size_t least, least_complete;
};

/*
 * Map the rows of a view: the k-th row with a number is of the k-th unit with the number, among those with the row's
 * duration. Returns how many different numbers were found.
 */
size_t mp_view_map(
    struct mp_view *view, const struct mp_raw *raw, const struct mp_units *units, const struct mp_key *key);
/* How many rows have a number that as many rows as units had in the last mapping. */
size_t mp_view_complete(const struct mp_view *view);
/* The i-th row is of the i-th unit. */
void mp_view_map_in_order(struct mp_view *view, const struct mp_raw *raw, const struct mp_units *units);

/* ---- what fits (fit.c) */

struct mp_fit {
	size_t rows, half, cut; /* rows that say something; that fit if rounded; that fit if cut */
	size_t different;       /* rows whose number is not 0 */
};

static inline size_t mp_fit_rows(const struct mp_fit *fit)
{
	return fit->half > fit->cut ? fit->half : fit->cut;
}

/* Returns whether a fit is good: nearly all rows fit; a handful of records may be damaged. */
bool mp_fit_good(const struct mp_fit *fit);

/* Count one row. */
void mp_fit_row(struct mp_fit *fit, const struct mp_says *says, long double x);

/* Each table has a way of printing of its own. */
struct mp_fits {
	struct mp_fit of_view[MP_VIEW_MAX];
	size_t misses; /* rows that fit in neither way */
};
/* Count a row of view number `view`; has_x false: there is no number. */
void mp_fits_row(struct mp_fits *fits, size_t view, const struct mp_says *says, bool has_x, long double x);
/* All tables together, each in its own way. */
struct mp_fit mp_fits_sum(const struct mp_fits *fits);

/* A row of a mapped view, drawn for a search. */
struct mp_drawn {
	const struct mp_view *view;
	size_t row;
	uint32_t unit;
	struct mp_says says;
};

/* Draw at most MP_SAMPLE rows that have units and say something of a meaning, those with the largest numbers first. */
size_t mp_draw(struct mp_drawn drawn[MP_SAMPLE], const struct mp_views *views, enum mp_meaning meaning);

/* ---- times (times.c, start.c) */

/* The times of units: a moment `start`, and a duration: the place `end`, or `end` minus `start`. */
struct mp_times {
	bool single, has_start;
	struct mp_place start, end;
	enum mp_unit unit;
	struct mp_fit fit, start_fit;
	bool start_guessed; /* no reference has moments */
	bool start_unsure;  /* guessed, and the number at `rival` may be the start as well */
	struct mp_place rival;
	bool start_odd; /* no reference has moments, and these do not grow along a file */
	/* a start beside a duration may be of another clock */
	bool has_start_unit;
	enum mp_unit start_unit;
	bool start_exact;   /* moments of references are those of the records, but for turns of 32 bits */
	bool start_shifted; /* moments of references differ by a constant */
	char others[160];
};

/* ns and cycles of the core of one count; 0: unknown. */
struct mp_scales {
	long double ns, cycles;
};
struct mp_scales mp_times_scales(const struct mp_units *units, size_t unit_of_row, enum mp_unit unit);
const char *mp_times_unit(char text[16], enum mp_unit unit);
static inline enum mp_unit mp_times_start_unit(const struct mp_times *times)
{
	return times->has_start_unit ? times->start_unit : times->unit;
}

/* The duration of a unit in counts. Returns false when it is not a number. */
bool mp_times_count(const struct mp_times *times, const struct mp_units *units, size_t unit, int64_t *count);

/* Find the times of mapped views. Returns 1, 0 when nothing fits, or -1 with err. */
int mp_find_times(struct mp_times *times, const struct mp_views *views, const struct mp_raw *raw,
    const struct mp_units *units, struct mp_error *err);

/* Find or check the moments of tasks whose durations are known. Returns 0, or -1 with err. */
int mp_find_start(struct mp_times *times, const struct mp_views *views, const struct mp_raw *raw,
    const struct mp_units *units, struct mp_error *err);

/* ---- columns (column.c) */

enum mp_relation { MP_AS_NUMBER, MP_AS_CYCLES, MP_AS_SHARE, MP_AS_MAP };

/*
 * A column of the table: a place, minus another one, times scale; or parts of the cycles; or what stands for a number.
 */
struct mp_candidate {
	struct mp_place place, minus;
	bool has_minus;
	unsigned scale;  /* times; MP_AS_SHARE: counts of one whole */
	unsigned divide; /* then divided by this; 0: not */
	enum mp_relation relation;
	struct mp_fit fit;
};

struct mp_column_search {
	const struct mp_views *views;
	const struct mp_units *units;
	const struct mp_times *times;
};

/* What would explain a meaning, the best first. Returns how many. */
size_t mp_candidates(
    struct mp_candidate found[MP_CANDIDATE_MAX], const struct mp_column_search *search, enum mp_meaning meaning);
/* How well a candidate explains a meaning in all rows. */
struct mp_fit mp_candidate_fit(const struct mp_candidate *candidate, const struct mp_column_search *search,
    enum mp_meaning meaning, size_t most_rows);

/* ---- a whole record (tasks.c), its fractions (parts.c), and its text (emit.c) */

struct mp_part_of_record {
	const char *column; /* of the table */
	enum mp_meaning meaning;
	bool found;
	bool evidence; /* rows of references say something of it */
	struct mp_candidate candidate;
	char others[160];
};

enum { MP_PARTS_MAX = 16, MP_CALL_KINDS = 5 };

/* Rows of references are of a unit; and rows with its counters. */
enum { MP_MAPPED = 1, MP_MAPPED_FULLY = 2 };

struct mp_solution {
	struct mp_shape shape;
	struct mp_units units;
	bool tagged; /* records of tasks have this byte; others are of other kinds */
	unsigned kind_offset;
	unsigned char kind;
	bool paired; /* start and end are two records, told apart by a byte */
	unsigned tag_offset;
	unsigned char tag, tag_start;
	struct mp_place key;
	struct mp_times times;
	struct mp_part_of_record parts[MP_PARTS_MAX];
	size_t part_count;
	unsigned mark_count, mark_offsets[4]; /* bytes that all records have, where records are hard to find without */
	unsigned char marks[4];
	bool is_of_calls; /* the records are calls, which have no cycles; the phase of the shape is the header */
	/* the bytes that the name of a call has: no number may use the first name_least; name_width: of char[], or 0 */
	unsigned name_offset, name_least, name_width;
	int64_t kinds[MP_CALL_KINDS + 1]; /* MP_AS_MAP: the number that stands for a kind of calls; -1: not known */
	size_t score;
	unsigned char *mapped; /* bits for each unit: rows of references are of it */
};

/*
 * Choose a place for each part of a solution, so that no part overlaps another (assign.c). Adds to its score. Returns
 * whether all parts were found.
 */
bool mp_assign(struct mp_solution *solution, const struct mp_column_search *search);

/* Guess a start anew, where no column of the solution is. */
int mp_guess_start(
    struct mp_solution *solution, const struct mp_views *views, const struct mp_units *units, struct mp_error *err);

/* The file patterns and the table of a built-in layout, in the text of a layout. */
int mp_found_files(struct mp_found *found, const char *layout, struct mp_error *err);

/* Bytes that tell records of tasks from others (edges.c). */
struct mp_match_found {
	unsigned count, offsets[8];
	unsigned char values[8];
	bool has_kind; /* records with another byte there are of other kinds */
	unsigned kind_offset;
	unsigned char kind;
};
void mp_find_match(struct mp_match_found *match, const struct mp_solution *solution);
/* Returns whether a column, a time or a name lies over a byte of a record. */
bool mp_is_column(const struct mp_solution *solution, size_t at);
/* The bytes before the first record. */
size_t mp_find_header(const struct mp_raw *raw, const struct mp_solution *solution);

/* In how many parts a layout stores cycles of tasks, or ns of calls, so that no number has a fraction. */
uint64_t mp_find_parts(const struct mp_raw *raw, const struct mp_solution *solution);
/* Counts a microsecond of a unit other than the core's. */
uint64_t mp_counts_per_us(enum mp_unit unit);

/* Returns whether tables that have a column have it in all rows with counters. */
bool mp_is_counter(enum mp_meaning meaning);

/* Make numbers as wide as all records say, where the tables show a few rows only (widen.c). Returns 0, or -1 with err.
 */
int mp_widen(struct mp_found *found, const struct mp_raw *raw, const struct mp_views *views,
    struct mp_solution *solution, struct mp_error *err);

/* Write the layout of a solution and what is said of it. */
int mp_emit(struct mp_found *found, const char *layout, const struct mp_raw *raw, const struct mp_views *views,
    const struct mp_solution *solution, struct mp_error *err);

#endif
