/* sql_token.c: splits SQL into tokens, as far as this program needs. */
#include "store/sql_token.h"

#include <string.h>
#include <strings.h>

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool in_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' || (c & 0x80);
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end) {
		if (strchr(" \t\r\n\f", *at) && *at)
			at++;
		else if (end - at >= 2 && at[0] == '-' && at[1] == '-')
			while (at < end && *at != '\n')
				at++;
		else
			break;
	}
	return at;
}

static const char *skip_name(const char *at, const char *end)
{
	while (at < end && in_name(*at))
		at++;
	return at;
}

/* Returns the end of a quoted text, or NULL without a closing quote. A doubled quote is part of the text. */
static const char *skip_quoted(const char *at, const char *end, char quote)
{
	for (at++; at < end; at++)
		if (*at == quote) {
			if (quote == ']' || end - at < 2 || at[1] != quote)
				return at + 1;
			at++;
		}
	return NULL;
}

static const char *skip_number(const char *at, const char *end, enum mp_token_kind *kind)
{
	*kind = MP_TOKEN_INT;
	while (at < end && is_digit(*at))
		at++;
	if (at < end && *at == '.') {
		*kind = MP_TOKEN_REAL;
		for (at++; at < end && is_digit(*at);)
			at++;
	}
	if (at < end && (*at == 'e' || *at == 'E')) {
		const char *power = at + 1;

		if (power < end && (*power == '+' || *power == '-'))
			power++;
		if (power < end && is_digit(*power)) {
			*kind = MP_TOKEN_REAL;
			while (power < end && is_digit(*power))
				power++;
			at = power;
		}
	}
	if (at < end && in_name(*at)) { /* 0x1f, 12abc */
		*kind = MP_TOKEN_UNKNOWN;
		at = skip_name(at, end);
	}
	return at;
}

static const char *skip_sign(const char *at, const char *end)
{
	static const char *const pairs[] = {"||", "<<", ">>", "<=", ">=", "<>", "!=", "==", "->"};

	for (size_t i = 0; end - at >= 2 && i < sizeof(pairs) / sizeof(pairs[0]); i++)
		if (memcmp(at, pairs[i], 2) == 0)
			return at + 2;
	return strchr("()+-*/%&|<>=,.~;", *at) && *at ? at + 1 : NULL;
}

struct mp_token mp_token_next(struct mp_range *range)
{
	const char *at = skip_blanks(range->at, range->end), *behind;
	struct mp_token t = {MP_TOKEN_END, at, 0};
	enum mp_token_kind kind;

	if (at >= range->end) {
		range->at = range->end;
		return t;
	}
	if (*at == '\'' || *at == '"' || *at == '`' || *at == '[') {
		kind = *at == '\'' ? MP_TOKEN_STRING : MP_TOKEN_QUOTED;
		behind = skip_quoted(at, range->end, *at == '[' ? ']' : *at);
	} else if (is_digit(*at) || (*at == '.' && range->end - at >= 2 && is_digit(at[1]))) {
		behind = skip_number(at, range->end, &kind);
	} else if (*at == ':' || *at == '@') {
		kind = MP_TOKEN_PARAMETER;
		behind = skip_name(at + 1, range->end);
	} else if (in_name(*at)) {
		kind = MP_TOKEN_NAME;
		behind = skip_name(at, range->end);
	} else {
		kind = MP_TOKEN_SIGN;
		behind = skip_sign(at, range->end);
	}
	if (!behind) { /* the rest begins no known token */
		range->at = range->end;
		t.kind = MP_TOKEN_UNKNOWN;
		return t;
	}
	range->at = behind;
	t.kind = kind;
	t.len = (size_t)(behind - at);
	return t;
}

bool mp_token_is(const struct mp_token *t, const char *word)
{
	return (t->kind == MP_TOKEN_NAME || t->kind == MP_TOKEN_SIGN) && strncasecmp(t->text, word, t->len) == 0 &&
	       !word[t->len];
}

bool mp_token_is_name(const struct mp_token *t, const char *name, size_t len)
{
	const char *text = t->text;
	size_t own = t->len;

	if (t->kind == MP_TOKEN_QUOTED) {
		text++;
		own -= 2;
	} else if (t->kind != MP_TOKEN_NAME) {
		return false;
	}
	return own == len && strncasecmp(text, name, len) == 0;
}
