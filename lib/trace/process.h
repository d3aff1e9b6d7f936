/*
 * process.h: one trace of a process with several results. The events of each result are gathered in a database
 * (import/process_db.h), each once, from which the reports of schema/reports/process_trace make a trace.
 */
#ifndef MP_TRACE_PROCESS_H
#define MP_TRACE_PROCESS_H

#include "report/report.h"

/*
 * Add the events and the notes of a result to the database, by the reports of schema/reports/process. Returns 0, or -1
 * with err.
 */
int mp_trace_process_add(
    struct mp_db *db, struct mp_db *job, const char *family, const char *result, struct mp_error *err);

#endif
