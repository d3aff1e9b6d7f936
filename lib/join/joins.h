/*
 * joins.h: which tables of records the joins read, and the columns of each: schema/sql/prof/joins.sql.
 *
 * A struct mp_joins is plain memory of the caller. Functions that can fail return -1 and fill the error.
 */
#ifndef MP_JOIN_JOINS_H
#define MP_JOIN_JOINS_H

#include "raw/layout.h"
#include "store/db.h"

enum mp_join {
	MP_JOIN_RUNS,
	MP_JOIN_SUBRUNS,
	MP_JOIN_LAUNCHES,
	MP_JOIN_OPERATORS,
	MP_JOIN_COUNTERS,
	MP_JOIN_CALLS,
	MP_JOIN_COUNT
};

enum { MP_JOIN_COLUMN_MAX = 8 };

/* The columns of each part, in the order of joins.sql. */
enum mp_log_column {
	MP_LOG_END,
	MP_LOG_TYPE,
	MP_LOG_STREAM,
	MP_LOG_TASK,
	MP_LOG_PLAIN,
	MP_LOG_TIME,
	MP_LOG_CONTEXT,
	MP_LOG_COUNT
};
enum mp_launch_column {
	MP_LAUNCH_DEVICE,
	MP_LAUNCH_STREAM,
	MP_LAUNCH_TASK,
	MP_LAUNCH_BATCH,
	MP_LAUNCH_TYPE,
	MP_LAUNCH_TIME,
	MP_LAUNCH_THREAD,
	MP_LAUNCH_KERNEL,
	MP_LAUNCH_COUNT
};
enum mp_operator_column {
	MP_OPERATOR_THREAD,
	MP_OPERATOR_TIME,
	MP_OPERATOR_TASK_TYPE,
	MP_OPERATOR_NAME,
	MP_OPERATOR_TYPE,
	MP_OPERATOR_COUNT
};
enum mp_counters_column {
	MP_COUNTERS_STREAM,
	MP_COUNTERS_TASK,
	MP_COUNTERS_CONTEXT,
	MP_COUNTERS_TYPE,
	MP_COUNTERS_FFTS,
	MP_COUNTERS_SUBTASK,
	MP_COUNTERS_START,
	MP_COUNTERS_DUR,
	MP_COUNTERS_COUNT
};
enum mp_call_column { MP_CALL_LEVEL, MP_CALL_TYPE, MP_CALL_THREAD, MP_CALL_START, MP_CALL_DUR, MP_CALL_COUNT };

/* A part. The column "-" is one that the table lacks. */
struct mp_join_table {
	char records[MP_NAME_SIZE]; /* the table */
	bool of_device;             /* files of a device; else of the host */
	char columns[MP_JOIN_COLUMN_MAX][MP_NAME_SIZE];
	int count;
};

struct mp_joins {
	struct mp_join_table tables[MP_JOIN_COUNT];
};

/* Reads temp.joined, which joins.sql makes. Fails where a part, a table or a column is missing. */
int mp_joins_read(struct mp_joins *joins, struct mp_db *db, struct mp_error *err);

/* Returns the part that the records of a layout are, or -1. */
int mp_joins_find(const struct mp_joins *joins, const struct mp_layout *layout);

#endif
