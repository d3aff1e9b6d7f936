/*
 * reader.h: reads one raw file as a stream of records.
 *
 * The reader accounts for every byte. A byte belongs to a record, to blank space of a text layout, or to damage with an
 * offset and a reason. After damage the reader continues at the next place that matches the layout. Memory is one
 * buffer, whatever the size of the file. The descriptor, the layout and the clock stay the caller's and must outlive
 * the reader. One thread at a time. A read error ends the stream as damage; the tally tells the errno.
 */
#ifndef MP_RAW_READER_H
#define MP_RAW_READER_H

#include "base/error.h"
#include "base/value.h"
#include "raw/clock.h"
#include "raw/layout.h"

enum { MP_DAMAGE_MAX = 1000 };

struct mp_damage {
	int64_t offset;
	int64_t bytes;
	char reason[64];
};

struct mp_gap {
	int64_t offset; /* of the first record after the gap */
	uint64_t expected;
	uint64_t found;
};

/* The running number of records, carried from slice to slice of a stream. */
struct mp_sequence {
	bool known;
	uint64_t last;
};

/* The account of one file. The sizes add up; the counts are of unusual values. */
struct mp_tally {
	int64_t size; /* of the file at open; the sum of the next four */
	int64_t record_bytes;
	int64_t blank_bytes;
	int64_t damaged_bytes;
	int64_t peer_bytes; /* of records that belong to peers of the layout */
	int64_t records;
	int64_t odd_padding;                    /* records whose zero padding is not zero */
	int64_t negative;                       /* durations that end before their start */
	int64_t out_of_range;                   /* numbers above INT64_MAX, stored as INT64_MAX */
	int64_t bad_text;                       /* texts that are not UTF-8, stored with \xNN */
	int64_t unmapped;                       /* numbers that a map lacks, stored as NULL or as their digits */
	int64_t disagree;                       /* records whose field differs from the name or marker of the file */
	int64_t broken[MP_HOLDS_MAX];           /* records in which a holds line of the layout is false */
	int read_errno;                         /* why reading stopped early, or 0 */
	struct mp_damage damage[MP_DAMAGE_MAX]; /* the last entry sums up all further damage */
	int damage_count;
	struct mp_gap gaps[MP_DAMAGE_MAX]; /* the first gaps */
	int64_t gap_count;
};

/*
 * A portion of a raw file: what one marker describes. The records of a portion follow each other from start_ns. A
 * record belongs to the portion in which it begins.
 */
struct mp_portion {
	int64_t end;      /* offset behind the last byte */
	int64_t start_ns; /* of its first record */
	struct mp_identity identity;
	/* the account of the portion, once all records are read; the sums are those of the tally */
	int64_t records, record_bytes, blank_bytes, damaged_bytes;
};

struct mp_reader;

/* Read the regular file fd from offset 0. `sequence` may be NULL. Returns 0, or -1 with err. */
int mp_reader_open(struct mp_reader **reader, int fd, const struct mp_layout *layout, const struct mp_clock *clock,
    struct mp_sequence *sequence, struct mp_error *err);

/*
 * Give only the records of this layout; the reader of a peer accounts for all other bytes. Call before the first
 * record.
 */
void mp_reader_be_peer(struct mp_reader *reader);

/*
 * Divide the file into portions, in the order of their ends; the last one takes all that is left. The portions stay the
 * caller's, and must outlive the reader. Without this call the file is one portion that starts at 0. Call before the
 * first record.
 */
void mp_reader_divide(struct mp_reader *reader, struct mp_portion *portions, size_t count);

/* Bytes behind a slice that may belong to its last record or piece, and to what follows that. */
enum { MP_JOINT_BYTES = 64 * 1024 };

/* How a slice of a stream continues the previous slice and leads to the next ones. */
struct mp_joint {
	int64_t head;              /* bytes at the beginning that belong to the last record of the previous slice */
	bool head_lost;            /* the beginning of that record is missing: these bytes are damage */
	const unsigned char *next; /* up to MP_JOINT_BYTES of the next slices; as many as there are where less */
	size_t next_size;
	int64_t next_head; /* result: bytes of the next slices that belong to the last record of this slice */
};

/*
 * Read a slice of a stream. A record cut by the end is completed from the next slices, and counted in this slice. The
 * joint stays the caller's. Call before the first record.
 */
void mp_reader_join(struct mp_reader *reader, struct mp_joint *joint);

/* Move to the next record. Returns false at the end. */
bool mp_reader_next(struct mp_reader *reader);

/* The value of column `index` of the current record. A text is valid until the next record. */
struct mp_value mp_reader_value(struct mp_reader *reader, int index);

/* The values of all columns. */
void mp_reader_row(struct mp_reader *reader, struct mp_value *values);

/*
 * Numbers only: the values of several columns at once. A column that is not a number, or an index < 0, gives 0 and
 * NULL.
 */
void mp_reader_numbers(struct mp_reader *reader, const signed char *columns, int count, int64_t *values, bool *nulls);

/*
 * Choose whether mp_reader_value counts unusual values. The default is true, for callers that ask for each column of a
 * record once. Other callers call mp_reader_check once a record, which counts the unusual values of all columns.
 */
void mp_reader_count(struct mp_reader *reader, bool count);
void mp_reader_check(struct mp_reader *reader);

/*
 * The bytes of the current binary record, and their offset in the file. The offset is -1 when the record lies across
 * two slices.
 */
const unsigned char *mp_reader_bytes(const struct mp_reader *reader, int64_t *offset);

/* Make the bytes of a kept record current, for mp_reader_value only. The bytes stay the caller's. */
void mp_reader_look(struct mp_reader *reader, const unsigned char *bytes);

/* The account so far; complete after mp_reader_next returned false. */
const struct mp_tally *mp_reader_tally(const struct mp_reader *reader);

/* Free a reader; the descriptor stays open. NULL is allowed. */
void mp_reader_close(struct mp_reader *reader);

#endif
