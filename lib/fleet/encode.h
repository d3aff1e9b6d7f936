/*
 * encode.h: rows in the form that an engine loads fastest: binary COPY of PostgreSQL, RowBinary of ClickHouse.
 *
 * Invalid UTF-8 and NUL, which PostgreSQL refuses, become \xNN; a text beyond MP_FLEET_TEXT_MAX is cut, and its end
 * says so. Nothing is allocated; any thread.
 */
#ifndef MP_FLEET_ENCODE_H
#define MP_FLEET_ENCODE_H

#include <stdbool.h>

#include "base/value.h"
#include "fleet/url.h"

enum { MP_FLEET_TEXT_MAX = 16384 };

/* The most bytes that a value needs. */
enum { MP_FLEET_VALUE_MAX = 4 * MP_FLEET_TEXT_MAX + 64 };

enum mp_fleet_kind { MP_FLEET_INT, MP_FLEET_REAL, MP_FLEET_TEXT, MP_FLEET_WORD };

/* The type of a column, as a report's @types writes it: "int", "int?" for one with NULL, "real", "text", "word". */
struct mp_fleet_type {
	enum mp_fleet_kind kind;
	bool nullable;
};

/* Read the next type of a list that blanks separate. Returns what follows it, or NULL for another word. */
const char *mp_fleet_type_next(struct mp_fleet_type *type, const char *list);

/* Begin a row. Returns the place behind. */
char *mp_fleet_put_row(char *dst, enum mp_fleet_engine engine, int columns);

/* Put a number of 32 bits, the type of words. */
char *mp_fleet_put_word(char *dst, enum mp_fleet_engine engine, uint32_t value);

/* Put a value, but a word. Returns the place behind, or NULL when the value is not of the type. */
char *mp_fleet_put(char *dst, enum mp_fleet_engine engine, struct mp_fleet_type type, const struct mp_value *value);

#endif
