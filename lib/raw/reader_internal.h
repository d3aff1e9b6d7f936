/*
 * reader_internal.h: shared by the files of the reader: the state of a reader, and the plans made from layout and
 * clock. The reader owns plans, claims and buffers.
 */
#ifndef MP_RAW_READER_INTERNAL_H
#define MP_RAW_READER_INTERNAL_H

#include <endian.h>
#include <string.h>

#include "raw/reader.h"
#include "raw/window.h"

enum { PIECE_MAX = 64 * 1024, SEARCH_SIZE = 64 * 1024, VALUE_TEXT_MAX = 4 * PIECE_MAX + MP_COLUMN_MAX };

/* A number in a record: eight bytes in the layout's order, shifted and masked. */
struct mp_bits {
	uint16_t offset;
	unsigned char shift;
	uint64_t mask;
};

/* How to decode a column: from one number of the record, or from the difference of two. */
struct mp_plan {
	enum {
		MP_PLAN_SLOW,       /* decode by the layout */
		MP_PLAN_NUMBER,     /* number * num + add: plain numbers, and times with a whole scale */
		MP_PLAN_DIFFERENCE, /* the same for a difference */
		MP_PLAN_TIME,       /* scale a number */
		MP_PLAN_DURATION    /* scale a difference */
	} kind;
	struct mp_bits from;
	uint64_t
	    limit; /* numbers and differences above the limit are decoded by the layout, which counts unusual values */
	uint64_t num, add; /* modulo 2^64; results are in range */
	struct mp_bits to;
	struct mp_scale scale;
};

/* Eight bytes of a record in the order of this machine; the masked bits must have a value. */
struct mp_probe {
	size_t offset;
	uint64_t mask, value;
};

/* What a row of a paired layout lacks. */
enum mp_lack { MP_LACKS_NOTHING, MP_LACKS_START, MP_LACKS_END };

struct mp_shaper;

/* The conditions for a record of at least eight bytes to belong to the layout. */
struct mp_claim {
	const struct mp_layout *layout;
	int probe_count;
	struct mp_probe probes[MP_MATCH_MAX];
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
	/*
	 * What is decoded: the record, or with a shaper bytes that hold the record, the counts of clocks that wrap,
	 * and the same of the record that starts a pair.
	 */
	const struct mp_field *fields;
	size_t shape_size;
	struct mp_shaper *shaper; /* of layouts with wrap or pair, or NULL */
	enum mp_lack lack;
	const struct mp_plan *plan_now;          /* the plans; other ones for a row that lacks something */
	struct mp_plan plans[1 + MP_COLUMN_MAX]; /* by column + 1; the first plan is that of the missing column -1 */
	struct mp_bits wide[MP_FIELD_MAX];       /* numbers with a highest bit that would become a sign */
	int wide_count;
	unsigned char doubts[MP_COLUMN_MAX]; /* other columns that may have unusual values */
	int doubt_count;
	struct mp_claim *claims; /* of the layout and its peers, in the order of trying */
	int claim_count;
	bool has_zeros;                            /* the layout has padding that must be zero */
	bool is_peer;                              /* another reader accounts for the bytes */
	bool in_long;                              /* text records: inside a piece that is longer than allowed */
	struct mp_capture captures[MP_COLUMN_MAX]; /* text records: by column; len 0 is absent */
	char scratch[VALUE_TEXT_MAX];              /* texts of the current record that had to be changed */
	size_t scratch_used;
	struct mp_joint *joint;          /* of a slice of a stream, or NULL */
	unsigned char joined[PIECE_MAX]; /* a record that lies across two slices */
	struct mp_tally tally;
};

/* Returns whether the known bytes of a record of a paired layout say start or end. */
bool mp_starts_or_ends(const struct mp_layout *l, const unsigned char *p, size_t have);

/*
 * The layout, among this one and its peers, to which the record at p belongs; NULL when not found. With `have` bytes
 * known, the layout with the most match bytes wins.
 */
const struct mp_layout *mp_reader_claimant(const struct mp_reader *r, const unsigned char *p, size_t have);

/* Make the shaper of a layout with wrap or pair, and its fields. Returns 0, or -1 with err. */
int mp_reader_shape(struct mp_reader *r, struct mp_error *err);
void mp_shaper_free(struct mp_shaper *shaper);

/* Make the row of the current record. Returns false when the record makes no row (yet). */
bool mp_shaper_row(struct mp_reader *r);

/* At the end of the file: make a row of the next start that is left open. Returns false when no start is left. */
bool mp_shaper_rest(struct mp_reader *r);

/* Returns whether a column has no value in a row that lacks something. */
bool mp_shaper_is_null(const struct mp_reader *r, int column);

/* Set scales, plans, doubts and claims from layout and clock. Returns 0, or -1 with err. */
int mp_reader_plan(struct mp_reader *r, const struct mp_clock *clock, struct mp_error *err);

/* The value of a column that is computed from fields; and a field that is a float, as a whole number. */
struct mp_value mp_reader_derived(struct mp_reader *r, int index);
struct mp_value mp_reader_float(struct mp_reader *r, int field);

void mp_reader_damage(struct mp_reader *r, int64_t offset, int64_t bytes, const char *reason);

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

static inline uint64_t mp_reader_bits(const struct mp_reader *r, int field)
{
	const struct mp_field *f = &r->fields[field];

	return mp_load(r->record + f->offset, f->width, r->layout->big_endian) >> f->shift & f->mask;
}

static inline const struct mp_plan *mp_plan_of(const struct mp_reader *r, int column)
{
	return &r->plan_now[1 + column];
}

static inline uint64_t mp_bits_load(const unsigned char *record, bool big_endian, const struct mp_bits *b)
{
	uint64_t bits;

	memcpy(&bits, record + b->offset, 8);
	return (big_endian ? be64toh(bits) : le64toh(bits)) >> b->shift & b->mask;
}

/* The number of a plan before scaling. Returns false when the number is above the limit, or the plan is slow. */
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
