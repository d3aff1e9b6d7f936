/*
 * json_check.h: checks a text strictly by RFC 8259, before cJSON or the JSON functions of SQLite read it: cJSON is
 * lenient, and SQLite refuses what it accepted. No allocation, no state; any thread.
 */
#ifndef MP_BASE_JSON_CHECK_H
#define MP_BASE_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Returns whether s is exactly one JSON object, at most 100 levels deep; blanks around the object are allowed. UTF-8 is
 * not checked.
 */
bool mp_json_is_object(const char *s, size_t len);

/*
 * Returns whether s is exactly one JSON value, in the same way, and cJSON reads it: surrogates are pairs, and no number
 * has more than 63 bytes, which some versions of cJSON cut. Else false with the place of the fault in *fault.
 */
bool mp_json_is_readable(const char *s, size_t len, const char **fault);

#endif
