/*
 * safe.h: JSON that cannot end the script element in which it stands.
 *
 * '<', '>', '&' and the line separators U+2028 and U+2029 become escapes; in JSON they only occur in strings. Functions
 * return 0, or -1 with err. One thread.
 */
#ifndef MP_PAGE_SAFE_H
#define MP_PAGE_SAFE_H

#include "base/out.h"

struct mp_safe {
	struct mp_out *json; /* write here */
	struct mp_out *to;
	int seen; /* bytes of a separator at the end of what was passed on */
};

int mp_safe_open(struct mp_safe *safe, struct mp_out *to, struct mp_error *err);

/* Pass the rest on, and free. */
int mp_safe_close(struct mp_safe *safe, struct mp_error *err);

#endif
