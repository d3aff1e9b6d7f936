/*
 * pattern.h: the patterns that split file names and text lines.
 *
 * A pattern is literal text with captures. {name} matches one or more characters, {name:int} optional blanks, an
 * optional '-' and digits, {name:hash} digits. {} matches like {name} without keeping the text. In a file name, text
 * captures match as much as possible. So numbers are found from the right, and a model's name may contain dots.
 * Literals of a file name ignore case. In a line, text captures match as little as possible. A pattern borrows the text
 * it was parsed from and owns nothing. A parsed pattern is read-only; any thread.
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
	const char *text; /* the text of the literal, or the name of the capture */
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

/* Parse `text` of `len` bytes, which must outlive the pattern. Returns 0, or -1 with err. */
int mp_pattern_parse(struct mp_pattern *p, const char *text, size_t len, bool is_file_name, struct mp_error *err);

/* Match all of s; captures[i] belongs to piece i. Returns false also for a match that would need too many tries. */
bool mp_pattern_match(const struct mp_pattern *p, const char *s, size_t len, struct mp_capture captures[MP_PIECE_MAX]);

/* Read the number in a capture of kind int. Returns false when the number does not fit into 64 bits. */
bool mp_capture_int(const struct mp_capture *c, int64_t *value);

/* Read the 64 bits in a capture of kind hash as a signed number. Returns false when the digits do not fit. */
bool mp_capture_hash(const struct mp_capture *c, int64_t *value);

#endif
