/*
 * gzip.h: compresses an output on its way to the file (RFC 1952), as a stream.
 *
 * The same bytes give the same file: the header has neither a time nor a name. Only callers of this file need zlib.
 */
#ifndef MP_BASE_GZIP_H
#define MP_BASE_GZIP_H

#include "base/out.h"

/* Compress all that is written to the output from now on; nothing may have been written. Returns 0, or -1 with err. */
int mp_gzip_out(struct mp_out *out, struct mp_error *err);

#endif
