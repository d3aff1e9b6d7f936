/*
 * pattern.h: the one way in which msprof takes a file name or a text line apart.
 *
 * A pattern is literal text with captures: {name} takes one character or
 * more, {name:int} an optional '-' and digits (after optional blanks), {name:hash} digits, {} as
 * {name} but keeps nothing. In a file name text captures take as much as they can, so that
 * numbers are found from the right and a model's name may hold dots, and
 * literals compare without regard to case. In a line text captures take as little as they can.
 * A pattern borrows the text it was parsed from; nothing to free.
 */
#ifndef MP_RAW_PATTERN_H
#define MP_RAW_PATTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { MP_PIECE_MAX = 40 };

struct mp_piece {
	enum { MP_PIECE_LITERAL, MP_PIECE_TEXT, MP_PIECE_INT, MP_PIECE_HASH } kind;
	const char *text; /* of the literal, or the capture's name */
	size_t len;       /* 0 for a capture without a name */
};

struct mp_pattern {
	struct mp_piece pieces[MP_PIECE_MAX];
	int piece_count;
	bool is_file_name;
};

struct mp_capture {
	const char *text;
	size_t len;
};

/* Parse `text` (len bytes, must outlive the pattern). */
int mp_pattern_parse(struct mp_pattern *p, const char *text, size_t len, bool is_file_name, struct mp_error *err);

/* Match all of s. captures[i] belongs to piece i. A hopelessly ambiguous match counts as none. */
bool mp_pattern_match(const struct mp_pattern *p, const char *s, size_t len, struct mp_capture captures[MP_PIECE_MAX]);

/* The number in a capture of kind int; false when it does not fit into 64 bits. */
bool mp_capture_int(const struct mp_capture *c, int64_t *value);

/* The 64 bits of the number in a capture of kind hash, as a signed number; false when it does not fit. */
bool mp_capture_hash(const struct mp_capture *c, int64_t *value);

#endif
