/* side_read.h: adds a job to a side, from the tables of its database. docs/INSIGHT.md describes schema/insight/samples.
 */
#ifndef MP_COMPARE_SIDE_READ_H
#define MP_COMPARE_SIDE_READ_H

#include "compare/side.h"
#include "store/db.h"

/* Add the steps, operators, calls and facts of an open database to the current run, which may have several parts: host
 * and devices. A job without steps adds no sample. Returns 0, or -1 with err. */
int mp_side_read(struct mp_side *side, struct mp_db *db, const char *family, struct mp_error *err);

#endif
