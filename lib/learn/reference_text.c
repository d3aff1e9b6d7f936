/* reference_text.c: stores the texts of references compactly, and reads exact decimals. Knows no table. */
#include <stdlib.h>
#include <string.h>

#include "learn/memory.h"
#include "learn/reference_internal.h"

enum {
	LATE_COUNT = 1 << 15, /* texts that are remembered */
	LATE_LEN_MAX = 64,    /* longer texts are not */
	DECIMALS_MAX = 9,
	NUMBER_LEN_MAX = 100
};

struct mp_texts {
	struct mp_arena arena;
	size_t total;
	bool full;
	const char *late[LATE_COUNT]; /* by hash; a text or NULL */
};

struct mp_texts *mp_texts_create(void)
{
	return mp_learn_calloc(1, sizeof(struct mp_texts));
}

void mp_texts_free(struct mp_texts *texts)
{
	if (texts)
		mp_arena_free(&texts->arena);
	free(texts);
}

bool mp_texts_full(const struct mp_texts *texts)
{
	return texts->full;
}

struct mp_texts_mark mp_texts_mark(const struct mp_texts *texts)
{
	return (struct mp_texts_mark){mp_arena_mark(&texts->arena), texts->total};
}

void mp_texts_return(struct mp_texts *texts, struct mp_texts_mark mark)
{
	mp_arena_return(&texts->arena, mark.arena);
	texts->total = mark.total;
	texts->full = false;
	memset(texts->late, 0, sizeof(texts->late));
}

static size_t hash_of(const char *text, size_t len)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(1099511628211);
	return (size_t)((hash ^ hash >> 32) % LATE_COUNT);
}

const char *mp_texts_put(struct mp_texts *texts, const char *text, size_t len)
{
	bool is_short = len <= LATE_LEN_MAX;
	size_t place = is_short ? hash_of(text, len) : 0;
	const char *late = is_short ? texts->late[place] : NULL;
	const char *copy;

	if (len == 0)
		return "";
	if (late && strncmp(late, text, len) == 0 && !late[len])
		return late;
	if (len >= MP_REFERENCE_TEXT_MAX - texts->total) {
		texts->full = true;
		return NULL;
	}
	copy = mp_arena_add(&texts->arena, text, len);
	if (!copy)
		return NULL;
	texts->total += len + 1;
	if (is_short)
		texts->late[place] = copy;
	return copy;
}

/* A number as it is written. */
struct decimal {
	const char *whole, *fraction;
	size_t whole_len, fraction_len;
	int exponent;
	bool negative;
};

static size_t count_digits(const char *at, const char *end)
{
	const char *begin = at;

	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return (size_t)(at - begin);
}

/* Read "e+15" up to the end. */
static bool split_exponent(struct decimal *d, const char *at, const char *end)
{
	bool negative = false;
	size_t len;

	if (at == end)
		return true;
	if (*at != 'e' && *at != 'E')
		return false;
	if (++at < end && (*at == '+' || *at == '-'))
		negative = *at++ == '-';
	len = count_digits(at, end);
	if (len == 0 || len > 2 || at + len != end)
		return false;
	for (; at < end; at++)
		d->exponent = d->exponent * 10 + (*at - '0');
	if (negative)
		d->exponent = -d->exponent;
	return true;
}

static bool split_decimal(struct decimal *d, const char *at, const char *end)
{
	memset(d, 0, sizeof(*d));
	d->negative = at < end && *at == '-';
	at += d->negative;
	d->whole = at;
	d->whole_len = count_digits(at, end);
	at += d->whole_len;
	if (at < end && *at == '.') {
		d->fraction = ++at;
		d->fraction_len = count_digits(at, end);
		at += d->fraction_len;
		if (d->fraction_len == 0)
			return false;
	}
	return d->whole_len > 0 && split_exponent(d, at, end);
}

static bool add_digits(int64_t *value, const char *digits, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (__builtin_mul_overflow(*value, 10, value) || __builtin_add_overflow(*value, digits[i] - '0', value))
			return false;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool mp_decimal_read(const char *text, size_t len, int64_t *value, unsigned char *decimals)
{
	const char *end = text + len;
	struct decimal d;
	int64_t v = 0, left;

	while (text < end && is_blank(*text))
		text++;
	while (end > text && is_blank(end[-1]))
		end--;
	if (end - text > NUMBER_LEN_MAX || !split_decimal(&d, text, end))
		return false;
	left = (int64_t)d.fraction_len - d.exponent;
	for (; left > DECIMALS_MAX && d.fraction_len && d.fraction[d.fraction_len - 1] == '0'; left--)
		d.fraction_len--;
	if (left > DECIMALS_MAX || !add_digits(&v, d.whole, d.whole_len) || !add_digits(&v, d.fraction, d.fraction_len))
		return false;
	for (; left < 0; left++)
		if (__builtin_mul_overflow(v, 10, &v))
			return false;
	*value = d.negative ? -v : v;
	*decimals = (unsigned char)left;
	return true;
}
