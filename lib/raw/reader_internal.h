/* reader_internal.h: what the files of the reader share. */
#ifndef MP_RAW_READER_INTERNAL_H
#define MP_RAW_READER_INTERNAL_H

#include <endian.h>
#include <string.h>

#include "raw/reader.h"
#include "raw/window.h"

enum { PIECE_MAX = 64 * 1024, SEARCH_SIZE = 64 * 1024, VALUE_TEXT_MAX = 4 * PIECE_MAX + MP_COLUMN_MAX };

struct mp_reader {
	const struct mp_layout *layout;
	struct mp_window window;
	struct mp_scale scales[5]; /* by enum mp_unit */
	struct mp_sequence *sequence;
	struct mp_sequence own_sequence;
	int64_t offset;             /* where the next record is looked for */
	const unsigned char *record; /* the current one */
	size_t record_len;
	bool uncounted;             /* values are decoded, and what is odd in them is counted elsewhere */
	uint64_t limits[5];         /* by enum mp_unit: times and durations of counts up to it are in range */
	unsigned char doubts[MP_COLUMN_MAX]; /* columns whose values may be odd */
	int doubt_count;
	bool is_peer;               /* another reader accounts for the bytes */
	bool in_long;               /* text records: within a piece that is longer than allowed */
	struct mp_capture captures[MP_COLUMN_MAX]; /* text records: by column; len 0 is absent */
	char scratch[VALUE_TEXT_MAX]; /* texts of the current record that are not in it as they are */
	size_t scratch_used;
	struct mp_joint *joint;          /* of a slice, or NULL */
	unsigned char joined[PIECE_MAX]; /* a record that lies across two slices */
	struct mp_tally tally;
};

/* Which of the layout and its peers the record at p is of, as far as `have` bytes tell; or NULL. */
const struct mp_layout *mp_reader_claimant(const struct mp_layout *l, const unsigned char *p, size_t have);

/* Set what mp_reader_judge goes by. */
void mp_reader_find_doubts(struct mp_reader *r);

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

#endif
