/*
 * reader_internal.h: shared by the files of the reader: the state of a reader, and the plans made from layout and
 * clock. The reader owns plans, claims and buffers.
 */
#ifndef MP_RAW_READER_INTERNAL_H
#define MP_RAW_READER_INTERNAL_H

#include <endian.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/error.h"
#include "raw/reader.h"

enum { MP_WINDOW_SIZE = 256 * 1024 };

/*
 * A sliding view of a file, read with pread. A window owns its buffer; the descriptor stays the caller's. The view does
 * not use mmap: a job may be on a network file system, where truncating a mapped file is a fatal signal. The size is
 * fixed when the window opens.
 */
struct mp_window {
	int fd;
	int read_errno; /* why reading stopped early; 0 at the end of the file */
	int64_t size;   /* of the file at open */
	int64_t limit;  /* end of the readable bytes; less than size after an error */
	int64_t start;  /* file offset of data[0] */
	size_t used;    /* bytes in data */
	unsigned char *data;
};

/*
 * Returns the bytes at `offset`. *have receives their number: `want` (at most half the window), or less at the end of
 * the readable bytes.
 */
const unsigned char *mp_window_at(struct mp_window *w, int64_t offset, size_t want, size_t *have);

enum {
	PIECE_MAX = 64 * 1024,
	SEARCH_SIZE = 64 * 1024,
	SEARCH_ITEMS_MAX = 64 * 1024 * 1024,
	VALUE_TEXT_MAX = 4 * PIECE_MAX + MP_COLUMN_MAX
};

/* A number in a record: eight bytes in the layout's order, shifted and masked. */
struct mp_bits {
	uint16_t offset;
	unsigned char shift;
	uint64_t mask;
};

/* How to decode a column: from one number of the record, or from two. */
struct mp_plan {
	enum {
		MP_PLAN_SLOW,       /* decode by the layout */
		MP_PLAN_NUMBER,     /* number * num + add: plain numbers, and times with a whole scale */
		MP_PLAN_DIFFERENCE, /* the same for a difference */
		MP_PLAN_TIME,       /* scale a number */
		MP_PLAN_DURATION,   /* the difference of two scaled numbers */
		MP_PLAN_GIVEN       /* a number that was made with the record */
	} kind;
	struct mp_bits from;
	uint64_t
	    limit; /* numbers and differences above the limit are decoded by the layout, which counts unusual values */
	uint64_t num, add; /* modulo 2^64; results are in range */
	struct mp_bits to;
	struct mp_scale scale;
	const int64_t *given;
};

/* Eight bytes of a record in the order of this machine; the masked bits must have a value. */
struct mp_probe {
	size_t offset;
	uint64_t mask, value;
};

/* The conditions for a record of at least eight bytes to belong to the layout. */
struct mp_claim {
	const struct mp_layout *layout;
	int probe_count;
	struct mp_probe probes[MP_MATCH_MAX];
};

/* The two numbers of a `holds` of the layout; and those of the record before, if `known`. */
struct mp_reader_limit {
	struct mp_bits low, high;
	uint64_t before, before_other;
	bool known;
};

struct mp_reader {
	const struct mp_layout *layout;
	struct mp_window window;
	struct mp_scale scales[MP_COLUMN_MAX]; /* of computed columns */
	struct mp_sequence *sequence;
	struct mp_sequence own_sequence;
	int64_t offset;              /* where to look for the next record */
	const unsigned char *record; /* the current record */
	size_t record_len;
	bool uncounted; /* values are decoded, but their unusual values are counted elsewhere */
	struct mp_plan plans[1 + MP_COLUMN_MAX]; /* by column + 1; the first plan is that of the missing column -1 */
	struct mp_bits wide[MP_FIELD_MAX];       /* numbers with a highest bit that would become a sign */
	int wide_count;
	unsigned char doubts[MP_COLUMN_MAX]; /* other columns that may have unusual values */
	int doubt_count;
	struct mp_claim *claims; /* of the layout and its peers, in the order of trying */
	int claim_count;
	bool has_zeros;              /* the layout has padding that must be zero */
	bool is_peer;                /* another reader accounts for the bytes */
	bool has_rules;              /* records follow each other, or must fulfil something */
	struct mp_portion *portions; /* of the file */
	size_t portion_count, portion_at;
	struct mp_portion own_portion; /* the only one, unless the caller gives others */
	struct mp_portion before;      /* the sums of the accounts of earlier portions */
	struct mp_scale pace;          /* of the field by which records follow each other; den 0: none */
	int pace_field;
	struct mp_bits pace_bits, sequence_bits;
	uint64_t pace_sum;                 /* of that field, in the portion so far */
	int64_t begin_ns, end_ns, span_ns; /* of the current record */
	struct mp_reader_limit limits[MP_HOLDS_MAX];
	struct mp_bits agree_bits[MP_AGREES_MAX];
	int64_t search_left;                       /* items: bytes that may still be looked at behind damage */
	bool in_long;                              /* text records: inside a piece that is longer than allowed */
	struct mp_capture captures[MP_COLUMN_MAX]; /* text records: by column; len 0 is absent */
	char scratch[VALUE_TEXT_MAX];              /* texts of the current record that had to be changed */
	size_t scratch_used;
	struct mp_joint *joint;          /* of a slice of a stream, or NULL */
	unsigned char joined[PIECE_MAX]; /* a record that lies across two slices */
	struct mp_tally tally;
};

/*
 * The layout, among this one and its peers, to which the record at p belongs; NULL when not found. With `have` bytes
 * known, the layout with the most match bytes wins.
 */
const struct mp_layout *mp_reader_claimant(const struct mp_reader *r, const unsigned char *p, size_t have);

/* Move to the next item or piece of text that is a record. Returns false at the end. */
bool mp_reader_next_item(struct mp_reader *r);
bool mp_reader_next_piece(struct mp_reader *r);

/* An item that begins at some bytes. */
struct mp_reader_item {
	uint64_t tag;  /* without its form */
	bool is_bytes; /* else a number */
	size_t head;   /* bytes before the value */
	uint64_t len;  /* bytes of the value */
};

/*
 * Parse the beginning of an item. Returns NULL, or what is wrong: an unknown form, or `have` bytes end before the
 * value. The tag is 0 then, which no record has.
 */
const char *mp_reader_parse_item(
    const struct mp_layout *l, const unsigned char *p, size_t have, struct mp_reader_item *item);

/* The end of the stream: account for the bytes between the readable end and the size at open. Returns false. */
bool mp_reader_end(struct mp_reader *r);

/* The value of a column by the layout. */
struct mp_value mp_reader_slow_value(struct mp_reader *r, int index);

/* Move to the portion in which the offset lies. */
void mp_reader_enter_portion(struct mp_reader *r, int64_t offset);

void mp_reader_damage(struct mp_reader *r, int64_t offset, int64_t bytes, const char *reason);

/*
 * The first offset after `from` with a whole record that is followed by a match or the end, or where one record must be
 * as bad ones have the same size; else the limit.
 */
int64_t mp_reader_search(struct mp_reader *r, int64_t from);

/* Complete in r->joined the record that begins at p, `have` bytes before the end. Returns its layout, or NULL. */
const struct mp_layout *mp_reader_join_record(struct mp_reader *r, const unsigned char *p, size_t have);

/* Complete the piece of text s in r->joined. Returns its length without the separator, or 0. */
size_t mp_reader_join_piece(struct mp_reader *r, const char *s, size_t len);

/* Load an unsigned number of `width` bytes at p. */
static inline uint64_t mp_load(const unsigned char *p, size_t width, bool big_endian)
{
	uint64_t v64;
	uint32_t v32;
	uint16_t v16;

	switch (width) {
	case 1:
		return *p;
	case 2:
		memcpy(&v16, p, 2);
		return big_endian ? be16toh(v16) : le16toh(v16);
	case 4:
		memcpy(&v32, p, 4);
		return big_endian ? be32toh(v32) : le32toh(v32);
	default: /* layouts have no other width */
		memcpy(&v64, p, 8);
		return big_endian ? be64toh(v64) : le64toh(v64);
	}
}

/* The number of a field of the current record. */
uint64_t mp_reader_bits(const struct mp_reader *r, int field);

#endif
