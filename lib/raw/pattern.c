/* pattern.c: parses and matches the patterns of layouts. Knows no file and no record. */
#include "raw/pattern.h"

#include <string.h>

enum { STEP_MAX = 100000 };

static int add_capture(struct mp_pattern *p, const char *text, size_t len, struct mp_error *err)
{
	struct mp_piece *piece = &p->pieces[p->piece_count];

	piece->kind = MP_PIECE_TEXT;
	if (len >= 4 && memcmp(text + len - 4, ":int", 4) == 0) {
		piece->kind = MP_PIECE_INT;
		len -= 4;
	} else if (len >= 5 && memcmp(text + len - 5, ":hash", 5) == 0) {
		piece->kind = MP_PIECE_HASH;
		len -= 5;
	}
	for (size_t i = 0; i < len; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz_0123456789", text[i]))
			return mp_fail(err, "capture '%.*s' is not a lower-case name", (int)len, text);
	if (len > 31)
		return mp_fail(err, "capture name is longer than 31 characters");
	piece->text = text;
	piece->len = len;
	p->piece_count++;
	return 0;
}

int mp_pattern_parse(struct mp_pattern *p, const char *text, size_t len, bool is_file_name, struct mp_error *err)
{
	size_t at = 0;

	p->piece_count = 0;
	p->is_file_name = is_file_name;
	while (at < len) {
		const char *open = memchr(text + at, '{', len - at);
		size_t literal = open ? (size_t)(open - (text + at)) : len - at;

		if (p->piece_count + 2 > MP_PIECE_MAX)
			return mp_fail(err, "pattern has more than %d pieces", MP_PIECE_MAX);
		if (literal) {
			p->pieces[p->piece_count++] = (struct mp_piece){MP_PIECE_LITERAL, text + at, literal};
			at += literal;
		}
		if (open) {
			const char *close = memchr(open, '}', len - at);

			if (!close)
				return mp_fail(err, "capture without a closing brace");
			if (add_capture(p, open + 1, (size_t)(close - open - 1), err))
				return -1;
			at = (size_t)(close - text) + 1;
		}
	}
	return p->piece_count ? 0 : mp_fail(err, "pattern is empty");
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static char fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool literal_here(const struct mp_pattern *p, const struct mp_piece *piece, const char *s, size_t len)
{
	if (piece->len > len)
		return false;
	if (!p->is_file_name)
		return memcmp(piece->text, s, piece->len) == 0;
	for (size_t i = 0; i < piece->len; i++)
		if (fold(piece->text[i]) != fold(s[i]))
			return false;
	return true;
}

struct matcher {
	const struct mp_pattern *pattern;
	struct mp_capture *captures;
	int steps;
};

static bool match_from(struct matcher *m, int index, const char *s, size_t len);

static bool match_int(struct matcher *m, int index, const char *s, size_t len)
{
	size_t start = 0, end;

	while (start < len && s[start] == ' ')
		start++;
	end = start;
	if (end < len && s[end] == '-' && m->pattern->pieces[index].kind == MP_PIECE_INT)
		end++;
	if (end >= len || !is_digit(s[end]))
		return false;
	while (end < len && is_digit(s[end]))
		end++;
	m->captures[index] = (struct mp_capture){s + start, end - start};
	return match_from(m, index + 1, s + end, len - end);
}

/* Try every length; the literal that must follow rules nearly all out. */
static bool match_text(struct matcher *m, int index, const char *s, size_t len)
{
	const struct mp_piece *next = index + 1 < m->pattern->piece_count ? &m->pattern->pieces[index + 1] : NULL;
	bool greedy = m->pattern->is_file_name;

	if (!next) {
		m->captures[index] = (struct mp_capture){s, len};
		return len > 0;
	}
	for (size_t i = 0; i < len; i++) {
		size_t take = greedy ? len - i : i + 1;

		if (++m->steps > STEP_MAX)
			return false;
		if (next->kind == MP_PIECE_LITERAL && !literal_here(m->pattern, next, s + take, len - take))
			continue;
		m->captures[index] = (struct mp_capture){s, take};
		if (match_from(m, index + 1, s + take, len - take))
			return true;
	}
	return false;
}

static bool match_from(struct matcher *m, int index, const char *s, size_t len)
{
	const struct mp_piece *piece = &m->pattern->pieces[index];

	if (index == m->pattern->piece_count)
		return len == 0;
	if (++m->steps > STEP_MAX)
		return false;
	switch (piece->kind) {
	case MP_PIECE_LITERAL:
		return literal_here(m->pattern, piece, s, len) &&
		       match_from(m, index + 1, s + piece->len, len - piece->len);
	case MP_PIECE_INT:
	case MP_PIECE_HASH:
		return match_int(m, index, s, len);
	default:
		return match_text(m, index, s, len);
	}
}

bool mp_pattern_match(const struct mp_pattern *p, const char *s, size_t len, struct mp_capture captures[MP_PIECE_MAX])
{
	struct matcher m = {p, captures, 0};

	return match_from(&m, 0, s, len);
}

static bool read_digits(const char *s, size_t len, uint64_t *value)
{
	uint64_t v = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned digit = (unsigned)(s[i] - '0');

		if (digit > 9 || v > (UINT64_MAX - digit) / 10)
			return false;
		v = v * 10 + digit;
	}
	*value = v;
	return len > 0;
}

bool mp_capture_hash(const struct mp_capture *c, int64_t *value)
{
	uint64_t v;

	if (!read_digits(c->text, c->len, &v))
		return false;
	memcpy(value, &v, sizeof(v));
	return true;
}

bool mp_capture_int(const struct mp_capture *c, int64_t *value)
{
	bool negative = c->len && c->text[0] == '-';
	uint64_t v;

	if (!read_digits(c->text + negative, c->len - negative, &v) || v > (uint64_t)INT64_MAX + negative)
		return false;
	*value = (int64_t)(negative ? 0 - v : v);
	return true;
}
