/* plain.h: which fast paths the user does without: MSPROF_PLAIN. */
#ifndef MSPROF_PLAIN_H
#define MSPROF_PLAIN_H

#include "base/error.h"

/* Stores bits of enum mp_plain (store/db.h). Returns -1 when the variable is invalid. */
int plain_read(unsigned *plain, struct mp_error *err);

#endif
