/* learn_tables.h: what was learned, as sections of a report. */
#ifndef MSPROF_LEARN_TABLES_H
#define MSPROF_LEARN_TABLES_H

#include "learn/learn.h"
#include "report/writer.h"

/* Write the layout, the places of counters, what is missing or unexplained, and the proof. Returns 0, or -1 with err.
 */
int learn_tables_print(const struct mp_learned *learned, struct mp_writer *w, struct mp_error *err);

#endif
