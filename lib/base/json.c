/* json.c: gives cJSON texts that the check accepts, and keeps the digits of numbers. */
#include "base/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The rest of a checked text, where numbers are looked for. */
struct rest {
	const char *at, *end;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Pass over the string at r->at. */
static void skip_string(struct rest *r)
{
	for (r->at++; *r->at != '"'; r->at++)
		r->at += *r->at == '\\';
	r->at++;
}

/* The next number of the text, which has one; NULL when out of memory. */
static char *take_number(struct rest *r)
{
	const char *begin;
	size_t len;
	char *digits;

	while (*r->at != '-' && !is_digit(*r->at)) {
		if (*r->at == '"')
			skip_string(r);
		else
			r->at++;
	}
	begin = r->at;
	while (r->at < r->end && (is_digit(*r->at) || (*r->at && strchr("+-.eE", *r->at))))
		r->at++;
	len = (size_t)(r->at - begin);
	digits = cJSON_malloc(len + 1);
	if (!digits)
		return NULL;
	memcpy(digits, begin, len);
	digits[len] = '\0';
	return digits;
}

/*
 * Give the numbers of a tree their digits: they are in the order of the text. cJSON_Delete frees the valuestring of any
 * item. The depth is bounded by the check. Returns false when out of memory.
 */
static bool keep_digits(cJSON *item, struct rest *r)
{
	for (; item; item = item->next) {
		if (cJSON_IsNumber(item) && !(item->valuestring = take_number(r)))
			return false;
		if (!keep_digits(item->child, r))
			return false;
	}
	return true;
}

bool mp_json_integer(const cJSON *item, int64_t *value)
{
	char *end;

	if (!cJSON_IsNumber(item))
		return false;
	errno = 0;
	*value = strtoll(item->valuestring, &end, 10);
	return !errno && !*end;
}

bool mp_json_has_nul(const char *text)
{
	while ((text = strchr(text, '\\'))) {
		if (strncmp(text, "\\u0000", 6) == 0)
			return true;
		text += 2;
	}
	return false;
}

void mp_json_quote(FILE *f, const char *text)
{
	putc('"', f);
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			fprintf(f, "\\%c", *text);
		else if ((unsigned char)*text < 0x20)
			fprintf(f, "\\u%04x", (unsigned)*text);
		else
			putc(*text, f);
	}
	putc('"', f);
}

/* ---- the check: a recogniser, not a parser: nothing is kept or allocated ---- */

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

cJSON *mp_json_parse(const char *s, size_t len, const char **fault)
{
	struct json_scan t = {.at = s, .end = s + len, .for_cjson = true};
	struct rest r = {s, s + len};
	const bool good = whole(&t);
	cJSON *root;

	*fault = good ? NULL : t.at;
	if (!good)
		return NULL;
	root = cJSON_ParseWithLength(s, len); /* of what was checked it refuses nothing */
	if (!root || keep_digits(root, &r))
		return root;
	cJSON_Delete(root);
	return NULL;
}

bool mp_json_is_object(const char *s, size_t len)
{
	struct json_scan t = {.at = s, .end = s + len};

	skip_blanks(&t);
	return t.at < t.end && *t.at == '{' && whole(&t);
}
