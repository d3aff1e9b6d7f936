/* trace_notes.h: what readers of a trace must know about its data, for the writers of timelines. */
#ifndef MP_REPORT_TRACE_NOTES_H
#define MP_REPORT_TRACE_NOTES_H

#include "base/out.h"
#include "store/db.h"

/* Prepare the query of the losses and notes of a job: a kind and a text in each row. */
int mp_trace_notes_open(struct mp_query **q, struct mp_db *db, struct mp_error *err);

/*
 * Write a JSON array with one object for each loss and note of the job; the key of the object is the kind. Returns 0,
 * or -1 with err.
 */
int mp_trace_notes(struct mp_out *out, struct mp_db *db, struct mp_error *err);

#endif
