/*
 * titles.h: what titles of columns and names of files mean, by schema/learn/titles.txt. For lib/learn only.
 *
 * A set borrows the text that it was parsed from; free it with mp_titles_free. A parsed set is read-only; any thread.
 */
#ifndef MP_LEARN_TITLES_H
#define MP_LEARN_TITLES_H

#include "learn/reference.h"

struct mp_title {
	char text[48]; /* without blanks, underscores and case */
	enum mp_meaning meaning;
	int64_t unit;
	unsigned places; /* bits of kinds and MP_PLACE_TRACE; 0: everywhere */
};

enum { MP_PLACE_TRACE = 1 << 8, MP_NAME_PATTERNS = 32 };

struct mp_titles {
	struct mp_title *items;
	size_t count;
	struct {
		const char *text;
		size_t len;
	} names[MP_NAME_PATTERNS]; /* patterns of names of files */
	size_t name_count;
};

/* Parse a text; errors name `path` below schema/ and the line. Returns 0, or -1 with err. */
int mp_titles_parse(struct mp_titles *titles, const char *path, const char *text, struct mp_error *err);
void mp_titles_free(struct mp_titles *titles);

/* Set the meaning and unit of a column with this title in a table of a kind. */
void mp_titles_find(
    const struct mp_titles *titles, struct mp_reference_column *column, enum mp_reference_kind kind, bool is_trace);

/* Returns whether a title has a meaning in some kind of table. */
bool mp_titles_know(const struct mp_titles *titles, const char *title);

/* Read the identity in a name of a file, which may have an extension. */
void mp_titles_identify(const struct mp_titles *titles, const char *name, struct mp_identity *identity);

#endif
