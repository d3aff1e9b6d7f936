/*
 * reader.h: one raw file as a stream of records.
 *
 * The reader counts every byte: it belongs to a record, to blank space that a text
 * layout allows, or to damage with an offset and a reason. After damage it goes
 * on at the next place where the layout matches. Memory is one buffer whatever the
 * file's size. The descriptor, the layout and the clock stay the caller's and
 * must outlive the reader. One thread at a time.
 * A read error is damage too: it ends the stream, it does not fail it; the caller finds it in the tally.
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
	int64_t offset; /* of the record after the gap */
	uint64_t expected;
	uint64_t found;
};

/* The running number of records, carried over the slices of a stream. */
struct mp_sequence {
	bool known;
	uint64_t last;
};

struct mp_tally {
	int64_t size; /* of the file when it was opened = the sum of the next four */
	int64_t record_bytes;
	int64_t blank_bytes;
	int64_t damaged_bytes;
	int64_t peer_bytes; /* of records that peers of the layout decode */
	int64_t records;
	int64_t odd_padding;                    /* records whose zero padding is not zero */
	int64_t negative;                       /* durations whose end lies before their start */
	int64_t out_of_range;                   /* numbers that 64 signed bits do not hold; stored as the largest */
	int64_t bad_text;                       /* texts that are not UTF-8; stored with \xNN */
	int read_errno;                         /* why reading ended early, or 0 */
	struct mp_damage damage[MP_DAMAGE_MAX]; /* the last one sums up what found no place */
	int damage_count;
	struct mp_gap gaps[MP_DAMAGE_MAX]; /* the first ones */
	int64_t gap_count;
};

struct mp_reader;

/* Read fd, a regular file, from offset 0. `sequence` may be NULL. */
int mp_reader_open(struct mp_reader **reader, int fd, const struct mp_layout *layout, const struct mp_clock *clock,
    struct mp_sequence *sequence, struct mp_error *err);

/* Before the first record: only give the records of this layout; the reader of a peer accounts for all other bytes. */
void mp_reader_be_peer(struct mp_reader *reader);

/* How a slice of a stream follows the one before and leads to the next. */
struct mp_joint {
	int64_t head;      /* bytes at its beginning that belong to the last record of the slice before */
	bool head_lost;    /* that record is not there: these bytes are damage */
	int next_fd;       /* the slice after it, or -1 */
	int64_t next_head; /* set at the end: bytes of the next slice that belong to the last record of this one */
};

/*
 * Read a slice of a stream; call it before the first record. A record that the end cuts is completed from
 * the next slice, and counts here. The joint stays the caller's.
 */
void mp_reader_join(struct mp_reader *reader, struct mp_joint *joint);

/* The next record; false at the end. */
bool mp_reader_next(struct mp_reader *reader);

/* Column `index` of the layout, of the current record. Text is valid until the next record. */
struct mp_value mp_reader_value(struct mp_reader *reader, int index);

/* The same where it is a number, and 0 where it is none; and many of them at once: columns < 0, and those that are no
 * numbers, are NULL. */
int64_t mp_reader_number(struct mp_reader *reader, int index);
void mp_reader_numbers(struct mp_reader *reader, const signed char *columns, int count, int64_t *values, bool *nulls);

/*
 * Whether mp_reader_value counts what is odd in the values that it gives; true at first, for callers that ask for each
 * column of a record once. Others have it done by mp_reader_check: it counts once what is odd in any column of the
 * current record.
 */
void mp_reader_count(struct mp_reader *reader, bool count);
void mp_reader_check(struct mp_reader *reader);

/* The bytes of the current binary record, and where they begin in the file; -1: they lie across two slices. */
const unsigned char *mp_reader_bytes(const struct mp_reader *reader, int64_t *offset);

/* Make a record of the layout that was kept the current one, for mp_reader_value alone; the bytes stay the caller's. */
void mp_reader_look(struct mp_reader *reader, const unsigned char *bytes);

/* What was counted so far; complete after mp_reader_next returned false. */
const struct mp_tally *mp_reader_tally(const struct mp_reader *reader);

void mp_reader_close(struct mp_reader *reader);

#endif
