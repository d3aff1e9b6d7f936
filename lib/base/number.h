/*
 * number.h: writes numbers as text, without locale, allocation or state; any thread. And reads one of the environment.
 *
 * Each function needs MP_NUMBER_SIZE bytes at its destination, and may overwrite the bytes behind the text. Functions
 * that return size_t add a NUL and return the length without the NUL.
 */
#ifndef MP_BASE_NUMBER_H
#define MP_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/value.h"

enum { MP_NUMBER_SIZE = 40 }; /* enough for every text below with its NUL */

/* Write the shortest text that reads back as v, in Python's notation: "0.1", "50.0", "1e+16", "nan", "inf". */
size_t mp_number_real(char *dst, double v);

/* Write the text of a MP_REAL value like mp_number_real, but without a NUL. Returns the end of the text. */
char *mp_number_put_real(char *at, const struct mp_value *v);

/* Write the decimal digits of v. */
size_t mp_number_int(char *dst, int64_t v);

/* Write the decimal digits of v. */
size_t mp_number_unsigned(char *dst, uint64_t v);

/* Write nanoseconds as microseconds with three decimals, exactly: 1234567 becomes "1234.567". */
size_t mp_number_us(char *dst, int64_t ns);

/*
 * Read a whole number of a variable of the environment, from `least` to `most`; `otherwise` without one. Must not run
 * beside setenv() of another thread. Returns 0, or -1 with err.
 */
int mp_number_setting(const char *variable, const char *unit, int least, int most, int64_t otherwise, int64_t *number,
    struct mp_error *err);

#endif
