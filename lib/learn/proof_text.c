/* proof_text.c: compares texts and lists of texts as tables write them. */
#include "learn/proof_internal.h"

#include <string.h>

static const char *const cuts[] = {"~", "...", "\xe2\x80\xa6"}; /* the last is one character of three dots */

/* The length of a text without the mark that it was cut; the whole length when the mark is missing. */
static size_t uncut(const char *cell, size_t len)
{
	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		size_t mark = strlen(cuts[i]);

		if (len > mark && memcmp(cell + len - mark, cuts[i], mark) == 0)
			return len - mark;
	}
	return len;
}

bool mp_proof_is_cut(const char *cell)
{
	size_t len = strlen(cell);

	return uncut(cell, len) < len;
}

bool mp_proof_is_empty(const char *cell)
{
	return !*cell || strcmp(cell, "N/A") == 0 || strcmp(cell, "-") == 0 || strcmp(cell, "None") == 0 ||
	       strcmp(cell, "null") == 0;
}

uint64_t mp_proof_hash(uint64_t hash, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return (hash ^ len) * UINT64_C(0x9e3779b97f4a7c15);
}

/* The next character that counts, with all separators as ','; 0 at the end. Brackets, quotes and blanks do not count.
 */
static char next_counting(const char **at, const char *end)
{
	while (*at < end) {
		char c = *(*at)++;

		if (strchr(";|+\n\r\t", c))
			return ',';
		if (!strchr("[]{}()\"' \\", c))
			return c;
	}
	return '\0';
}

bool mp_proof_same_text(const char *cell, const char *text)
{
	size_t len, kept;
	const char *end, *text_end;
	char a, b;

	if (strcmp(cell, text) == 0)
		return true;
	len = strlen(cell);
	kept = uncut(cell, len);
	end = cell + kept;
	text_end = text + strlen(text);
	if (kept < len && strncmp(cell, text, kept) == 0)
		return true;
	do {
		a = next_counting(&cell, end);
		b = next_counting(&text, text_end);
	} while (a == b && a);
	return a == b || (kept < len && !a);
}

const char *mp_proof_item_of_list(const char **at, size_t *len)
{
	const char *item = *at;

	if (!item)
		return NULL;
	*len = strcspn(item, ",");
	*at = item[*len] ? item + *len + 1 : NULL;
	return item;
}
