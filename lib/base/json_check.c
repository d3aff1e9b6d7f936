/* json_check.c: a recogniser, not a parser: nothing is kept or allocated. */
#include "base/json_check.h"

#include <string.h>

enum { DEPTH_MAX = 100, NUMBER_MAX = 63 };

struct json_scan {
	const char *at, *end;
	bool for_cjson; /* refuse what cJSON refuses */
	int depth;
};

static bool value(struct json_scan *t);

static void skip_blanks(struct json_scan *t)
{
	while (t->at < t->end && (*t->at == ' ' || *t->at == '\t' || *t->at == '\n' || *t->at == '\r'))
		t->at++;
}

static bool take(struct json_scan *t, char c)
{
	if (t->at == t->end || *t->at != c)
		return false;
	t->at++;
	return true;
}

static bool word(struct json_scan *t, const char *w)
{
	size_t len = strlen(w);

	if ((size_t)(t->end - t->at) < len || memcmp(t->at, w, len) != 0)
		return false;
	t->at += len;
	return true;
}

static bool digits(struct json_scan *t)
{
	const char *begin = t->at;

	while (t->at < t->end && *t->at >= '0' && *t->at <= '9')
		t->at++;
	return t->at > begin;
}

static bool number(struct json_scan *t)
{
	const char *begin = t->at;

	take(t, '-');
	if (!take(t, '0') && !digits(t))
		return false;
	if (take(t, '.') && !digits(t))
		return false;
	if (take(t, 'e') || take(t, 'E')) {
		if (!take(t, '+'))
			take(t, '-');
		if (!digits(t))
			return false;
	}
	return !t->for_cjson || t->at - begin <= NUMBER_MAX;
}

/* Take the four digits of a code of UTF-16. */
static bool code(struct json_scan *t, unsigned *value)
{
	*value = 0;
	for (int i = 0; i < 4; i++, t->at++) {
		char c = t->at < t->end ? *t->at : ' ';

		if (c >= '0' && c <= '9')
			*value = *value << 4 | (unsigned)(c - '0');
		else if ((c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'))
			*value = *value << 4 | ((unsigned)(c - 'A' + 10) & 0xf);
		else
			return false;
	}
	return true;
}

/* Take the digits behind "\\u"; cJSON wants surrogates in pairs. */
static bool unicode(struct json_scan *t)
{
	unsigned high, low;

	if (!code(t, &high))
		return false;
	if (!t->for_cjson || high < 0xd800 || high > 0xdfff)
		return true;
	return high < 0xdc00 && take(t, '\\') && take(t, 'u') && code(t, &low) && low >= 0xdc00 && low <= 0xdfff;
}

static bool string(struct json_scan *t)
{
	if (!take(t, '"'))
		return false;
	while (t->at < t->end) {
		unsigned char c = (unsigned char)*t->at++;

		if (c == '"')
			return true;
		if (c < 0x20 || (c == '\\' && t->at == t->end)) {
			t->at--; /* the place of the fault */
			return false;
		}
		if (c != '\\')
			continue;
		c = (unsigned char)*t->at++;
		if (c == 'u') {
			if (!unicode(t))
				return false;
		} else if (!c || !strchr("\"\\/bfnrt", c)) {
			return false;
		}
	}
	return false;
}

/* Check the items of an object or an array, after the opening bracket. */
static bool items(struct json_scan *t, char close)
{
	skip_blanks(t);
	if (take(t, close))
		return true;
	do {
		skip_blanks(t);
		if (close == '}') {
			if (!string(t))
				return false;
			skip_blanks(t);
			if (!take(t, ':'))
				return false;
		}
		if (!value(t))
			return false;
		skip_blanks(t);
	} while (take(t, ','));
	return take(t, close);
}

static bool value(struct json_scan *t)
{
	bool good;

	skip_blanks(t);
	if (t->at == t->end || t->depth == DEPTH_MAX)
		return false;
	t->depth++;
	if (take(t, '{'))
		good = items(t, '}');
	else if (take(t, '['))
		good = items(t, ']');
	else if (*t->at == '"')
		good = string(t);
	else if (*t->at == '-' || (*t->at >= '0' && *t->at <= '9'))
		good = number(t);
	else
		good = word(t, "true") || word(t, "false") || word(t, "null");
	t->depth--;
	return good;
}

static bool whole(struct json_scan *t)
{
	if (!value(t))
		return false;
	skip_blanks(t);
	return t->at == t->end;
}

bool mp_json_is_readable(const char *s, size_t len, const char **fault)
{
	struct json_scan t = {.at = s, .end = s + len, .for_cjson = true};

	if (whole(&t))
		return true;
	*fault = t.at;
	return false;
}

bool mp_json_is_object(const char *s, size_t len)
{
	struct json_scan t = {.at = s, .end = s + len};

	skip_blanks(&t);
	return t.at < t.end && *t.at == '{' && whole(&t);
}
