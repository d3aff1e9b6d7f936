/* import_internal.h: the part of an import that needs no records. */
#ifndef MP_IMPORT_INTERNAL_H
#define MP_IMPORT_INTERNAL_H

#include "import/import.h"
#include "store/load.h"

/* Stores what the job says of itself: rows of meta, device and control, and notes of what is assumed. Returns -1 on
 * error. */
int mp_import_job(struct mp_load *load, const struct mp_import_options *options, struct mp_error *err);

#endif
