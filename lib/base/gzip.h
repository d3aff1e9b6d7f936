/*
 * gzip.h: compresses an output on its way to the file (RFC 1952), or bytes (RFC 1950).
 *
 * The same bytes give the same file: the header has neither a time nor a name.
 */
#ifndef MP_BASE_GZIP_H
#define MP_BASE_GZIP_H

#include "base/deflate.h"
#include "base/out.h"

/*
 * Compress all that is written to the output from now on, with several threads; nothing may have been written. Returns
 * 0, or -1 with err.
 */
int mp_gzip_out(struct mp_out *out, int threads, struct mp_error *err);

/* Compress bytes in zlib's format. The result needs mp_deflate_room(size) and MP_ZLIB_ROOM. Returns its size. */
enum { MP_ZLIB_ROOM = 16 };
size_t mp_zlib_pack(struct mp_deflate *d, const char *bytes, size_t size, char *result);

#endif
