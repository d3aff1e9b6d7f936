/*
 * json.h: checks JSON strictly by RFC 8259, and parses a small text as a tree of cJSON. Large JSON is streamed.
 *
 * This is the one header that includes cJSON's. A tree belongs to the caller, who frees it with cJSON_Delete. It is
 * read with cJSON's own functions, which accept NULL, and then find nothing. Threads may parse at the same time, and
 * read a tree that nobody changes.
 */
#ifndef MP_BASE_JSON_PARSE_H
#define MP_BASE_JSON_PARSE_H

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"

/*
 * Parse a text that is exactly one JSON value, at most 100 levels deep; blanks around it are allowed. UTF-8 is not
 * checked. Surrogates must be pairs, and no number has more than 63 bytes, which some versions of cJSON cut. cJSON
 * keeps numbers as doubles: here a number has its digits, too, as the text has them, in its valuestring. A string ends
 * at \u0000. NULL with the place of the fault in *fault, or with NULL there when out of memory.
 */
cJSON *mp_json_parse(const char *s, size_t len, const char **fault);

/* The first member of an object with this key, or NULL: cJSON_GetObjectItem ignores case. */
static inline const cJSON *mp_json_member(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

/* Take a whole number that is written without fraction and exponent, exactly. Returns false for other values. */
bool mp_json_integer(const cJSON *item, int64_t *value);

/* Whether a string of a valid JSON text holds the character NUL, at which a C string ends. */
bool mp_json_has_nul(const char *text);

/* Write a text as a JSON string with quotes. The stream keeps errors. */
void mp_json_quote(FILE *f, const char *text);

/*
 * ---- the check, before cJSON or the JSON functions of SQLite read a text: cJSON is lenient, and SQLite refuses what
 * it accepted. No allocation, no state ----
 */

/*
 * Returns whether s is exactly one JSON object, at most 100 levels deep; blanks around the object are allowed. UTF-8 is
 * not checked.
 */
bool mp_json_is_object(const char *s, size_t len);

/*
 * The items of a large JSON array in a file, one at a time, in memory of a fixed size.
 *
 * The array is the whole text, or the member "traceEvents" of the object that is the whole text. An item has at most
 * MP_JSON_ITEM_MAX bytes. The bytes are hostile: strictness is that of mp_json_parse for each item. One thread.
 */

enum { MP_JSON_ITEM_MAX = 1 << 16 };

struct mp_json_items;

/* Begin to read a file, which stays the caller's. Returns 0, or -1 with err. Free with mp_json_items_free. */
int mp_json_items_begin(struct mp_json_items **items, int fd, struct mp_error *err);
void mp_json_items_free(struct mp_json_items *items);

/* Returns 1 with the next item, which the caller frees; 0 where none follows; or -1 with err, for lack of memory. */
int mp_json_items_next(struct mp_json_items *items, cJSON **item, struct mp_error *err);

/* Returns whether the array ended as an array does. */
bool mp_json_items_whole(const struct mp_json_items *items);

#endif
