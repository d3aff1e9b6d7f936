/* trace_notes.h: what a reader of a trace must know of its data. Used by the writers of timelines. */
#ifndef MP_REPORT_TRACE_NOTES_H
#define MP_REPORT_TRACE_NOTES_H

#include "base/out.h"
#include "store/db.h"

/* A JSON array with an object for each loss and note of the job; its key is the kind. */
int mp_trace_notes(struct mp_out *out, struct mp_db *db, struct mp_error *err);

#endif
