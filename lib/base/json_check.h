/*
 * json_check.h: whether a text is one JSON value by RFC 8259, to the letter.
 * Lenient parsers let pass what the database's JSON functions then refuse.
 */
#ifndef MP_BASE_JSON_CHECK_H
#define MP_BASE_JSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Whether s is one JSON object, blanks around it allowed, nested at most 100 deep. UTF-8 is not checked. */
bool mp_json_is_object(const char *s, size_t len);

#endif
