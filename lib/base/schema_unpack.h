/* schema_unpack.h: the packed schema of a static program. Only this file of the schema needs zlib. */
#ifndef MP_BASE_SCHEMA_UNPACK_H
#define MP_BASE_SCHEMA_UNPACK_H

#include "base/error.h"

/* Unpack the schema, if it is packed: once, before anything else uses it. Returns 0, or -1 with err. */
int mp_schema_unpack(struct mp_error *err);

#endif
