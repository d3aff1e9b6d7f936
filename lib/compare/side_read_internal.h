/* side_read_internal.h: what the readers of tasks and of calls share. */
#ifndef MP_COMPARE_SIDE_READ_INTERNAL_H
#define MP_COMPARE_SIDE_READ_INTERNAL_H

#include "compare/side.h"
#include "report/report.h"

/* A job that is being read. */
struct mp_side_reading {
	struct mp_side *side;
	struct mp_db *db;
	struct mp_reports lists;
	const struct mp_report *tasks, *names, *calls, *facts; /* of its family */
};

/* A copy that ends at the first NUL, with U+FFFD for each invalid byte, as a baseline has it. NULL: out of memory. */
char *mp_reading_text(const char *text, size_t len);

/* The name of an operator (@each of names) or of a call (@rows) with these keys; texts of the item are valid until the
 * query moves. 0, or -1 with err. */
int mp_reading_name(struct mp_query *names, const int64_t *keys, struct mp_side_item *item, struct mp_error *err);

/* Read all tasks into the groups of the side. */
int mp_read_tasks(struct mp_side_reading *r, struct mp_error *err);

/* Read all calls; after the tasks. */
int mp_read_calls(struct mp_side_reading *r, struct mp_error *err);

#endif
