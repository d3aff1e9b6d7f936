/* json_parse.c: gives cJSON texts that json_check.c accepts, and keeps the digits of numbers. */
#include "base/json_parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_check.h"

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

cJSON *mp_json_parse(const char *s, size_t len, const char **fault)
{
	struct rest r = {s, s + len};
	cJSON *root;

	if (!mp_json_is_readable(s, len, fault))
		return NULL;
	*fault = NULL;
	root = cJSON_ParseWithLength(s, len); /* of what was checked it refuses nothing */
	if (!root || keep_digits(root, &r))
		return root;
	cJSON_Delete(root);
	return NULL;
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
