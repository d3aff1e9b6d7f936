/*
 * number.h: numbers as text, without locale and without allocation.
 */
#ifndef MP_BASE_NUMBER_H
#define MP_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "base/value.h"

enum {
	MP_NUMBER_SIZE = 40
}; /* room for any of the texts below, with its NUL; what is behind the text may be written over, too */

/* The shortest text that reads back as v, in Python's notation ("0.1", "50.0", "1e+16"); "nan", "inf". */
size_t mp_number_real(char *dst, double v);

/* The same of a value that is a real, without a NUL, in as much room: the end. */
char *mp_number_put_real(char *at, const struct mp_value *v);

/* Decimal digits of v. */
size_t mp_number_int(char *dst, int64_t v);

size_t mp_number_unsigned(char *dst, uint64_t v);

/* Nanoseconds as microseconds with three decimals: 1234567 -> "1234.567". Exact. */
size_t mp_number_us(char *dst, int64_t ns);

#endif
