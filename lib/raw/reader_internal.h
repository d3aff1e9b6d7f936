/* reader_internal.h: what the files of the reader share. */
#ifndef MP_RAW_READER_INTERNAL_H
#define MP_RAW_READER_INTERNAL_H

#include <endian.h>
#include <string.h>

#include "raw/reader.h"
#include "raw/window.h"

enum { PIECE_MAX = 64 * 1024, SEARCH_SIZE = 64 * 1024, VALUE_TEXT_MAX = 4 * PIECE_MAX + MP_COLUMN_MAX };

/* A number of a record: eight bytes in the layout's order, shifted and masked. */
struct mp_bits {
	uint16_t offset;
	unsigned char shift;
	uint64_t mask;
};

/* How a column is decoded: from a number of the record, or the difference of two. */
struct mp_plan {
	enum {
		MP_PLAN_SLOW,   /* by the layout */
		MP_PLAN_NUMBER, /* number * num + add; of numbers as they are, and of times whose scale is a whole one
				 */
		MP_PLAN_DIFFERENCE, /* the same of a difference */
		MP_PLAN_TIME,       /* a number is scaled */
		MP_PLAN_DURATION    /* a difference is */
	} kind;
	struct mp_bits from;
	uint64_t limit;    /* numbers and differences above it are decoded by the layout, which counts what is odd */
	uint64_t num, add; /* modulo 2^64; what they make is in range */
	struct mp_bits to;
	struct mp_scale scale;
};

/* Eight bytes of a record, in the order of this machine, of which some bits must have a value. */
struct mp_probe {
	size_t offset;
	uint64_t mask, value;
};

/* What a record of at least eight bytes must be like to be one of the layout. */
struct mp_claim {
	const struct mp_layout *layout;
	int probe_count;
	struct mp_probe probes[MP_MATCH_MAX];
};

struct mp_reader {
	const struct mp_layout *layout;
	struct mp_window window;
	struct mp_scale scales[5]; /* by enum mp_unit */
	struct mp_sequence *sequence;
	struct mp_sequence own_sequence;
	int64_t offset;              /* where the next record is looked for */
	const unsigned char *record; /* the current one */
	size_t record_len;
	bool uncounted;                          /* values are decoded, and what is odd in them is counted elsewhere */
	struct mp_plan plans[1 + MP_COLUMN_MAX]; /* by column, from the second on: the first is that of column -1, which
						    there is not */
	struct mp_bits wide[MP_FIELD_MAX];       /* numbers whose highest bit would be that of a sign */
	int wide_count;
	unsigned char doubts[MP_COLUMN_MAX]; /* other columns whose values may be odd */
	int doubt_count;
	struct mp_claim *claims; /* of the layout and its peers, in the order in which they are tried */
	int claim_count;
	bool has_zeros;                            /* there is padding that must be zero */
	bool is_peer;                              /* another reader accounts for the bytes */
	bool in_long;                              /* text records: within a piece that is longer than allowed */
	struct mp_capture captures[MP_COLUMN_MAX]; /* text records: by column; len 0 is absent */
	char scratch[VALUE_TEXT_MAX];              /* texts of the current record that are not in it as they are */
	size_t scratch_used;
	struct mp_joint *joint;          /* of a slice, or NULL */
	unsigned char joined[PIECE_MAX]; /* a record that lies across two slices */
	struct mp_tally tally;
};

/* Which of the layout and its peers the record at p is of, as far as `have` bytes tell: the one with the most match
 * bytes, or NULL. */
const struct mp_layout *mp_reader_claimant(const struct mp_reader *r, const unsigned char *p, size_t have);

/* Set plans, doubts and claims, by layout and scales. */
int mp_reader_plan(struct mp_reader *r, struct mp_error *err);

void mp_reader_damage(struct mp_reader *r, int64_t offset, int64_t bytes, const char *reason);

/* Complete the record that begins at p, `have` bytes before the end, in r->joined: whose it is, or NULL. */
const struct mp_layout *mp_reader_join_record(struct mp_reader *r, const unsigned char *p, size_t have);

/* Complete the piece of text s in r->joined: its length without the separator, or 0. */
size_t mp_reader_join_piece(struct mp_reader *r, const char *s, size_t len);

/* The unsigned number of that width at p. */
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
	default: /* a layout has no other widths */
		memcpy(&v64, p, 8);
		return big_endian ? be64toh(v64) : le64toh(v64);
	}
}

static inline const struct mp_plan *mp_plan_of(const struct mp_reader *r, int column)
{
	return &r->plans[1 + column];
}

static inline uint64_t mp_bits_load(const unsigned char *record, bool big_endian, const struct mp_bits *b)
{
	uint64_t bits;

	memcpy(&bits, record + b->offset, 8);
	return (big_endian ? be64toh(bits) : le64toh(bits)) >> b->shift & b->mask;
}

/* The number that a plan is about, before it is scaled; false: it is above the limit, or the plan is slow. */
static inline bool mp_plan_count(
    const unsigned char *record, bool big_endian, const struct mp_plan *plan, uint64_t *count)
{
	uint64_t from, to;

	if (plan->kind == MP_PLAN_SLOW)
		return false;
	*count = from = mp_bits_load(record, big_endian, &plan->from);
	if (plan->kind == MP_PLAN_DURATION || plan->kind == MP_PLAN_DIFFERENCE) {
		to = mp_bits_load(record, big_endian, &plan->to);
		if (to < from)
			return false;
		*count = to - from;
	}
	return *count <= plan->limit;
}

#endif
