/*
 * json_check.h: checks a text strictly by RFC 8259. Lenient parsers accept texts that the JSON functions of SQLite then
 * refuse. No allocation, no state; any thread.
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
 * Count the values of a text that is exactly one JSON value, in the same way; its members and items are values, too. 0
 * with the place of the fault in *fault.
 */
size_t mp_json_count(const char *s, size_t len, const char **fault);

#endif
