/*
 * feed.h: the records of a table's files as one stream, which joins read on as they need records.
 *
 * A feed belongs to one device, or to the host (-1). The feed reads each file once, slice after slice, and accounts for
 * the bytes. Records come in the order of their times, whatever their order in the files. Each record has a place, by
 * which the feed finds the record again; places ascend. One thread uses a feed. Functions return -1 with the error.
 */
#ifndef MP_JOIN_FEED_H
#define MP_JOIN_FEED_H

#include "base/vec.h"
#include "raw/layout.h"
#include "row/columns.h"
#include "store/load.h"

/* Which tables of records the joins read, and the columns of each: schema/sql/prof/joins.sql, read by tasks.c. */
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

enum { MP_FEED_COLUMN_MAX = 32, MP_FEED_LAYOUT_MAX = 4, MP_FEED_LOOK_SIZE = 16384 };

/* A reading of a file by one layout. */
struct mp_feed_pass {
	const struct mp_job_file *file;
	const struct mp_layout *layout;
};

/* A copy of a record. */
struct mp_feed_record {
	const struct mp_layout *layout;
	unsigned char bytes[MP_RECORD_SIZE_MAX];
};

/* A record that no place names, since two files share it: a copy at `at` of cut_bytes. */
struct mp_feed_cut {
	size_t at;
	int32_t pass;
};

/* Columns of a table that are read together. */
struct mp_feed_columns {
	int count;
	signed char of_table[MP_FEED_COLUMN_MAX], of_layout[MP_FEED_COLUMN_MAX]; /* -1: missing */
	const struct mp_layout *layout;                                          /* of of_layout */
};

/* The order of records whose files are not in it: feed_order.c. */
struct mp_feed_sorting {
	struct mp_feed_columns columns; /* time, what is first among equal times, what tells these apart; or none */
	bool known, is_other;           /* is_other: the files are not in order */
	const struct mp_layout *layout; /* of the file that mp_feed_ahead reads: the place of a record's time in it */
	bool has_time;
	size_t time_at;
	uint64_t last;
	struct mp_big items;
	int64_t count, next;
	struct mp_feed_record current;
};

struct mp_feed {
	struct mp_load *load;
	const char *table;
	int64_t device_id;
	struct mp_row_columns columns; /* of the table */
	size_t next_file;
	struct mp_feed_pass *passes;
	int32_t pass_count;
	struct mp_slice slice;                    /* of the last pass, while it is read */
	struct mp_slice done[MP_FEED_LAYOUT_MAX]; /* the last slice of each layout: its reader decodes copies */
	int done_count;
	struct mp_sequence sequence;
	int64_t records; /* so far */
	struct mp_feed_sorting order;
	struct mp_feed_columns all;
	struct mp_feed_cut *cuts; /* records that two files share */
	size_t cut_count;
	unsigned char *cut_bytes;
	size_t cut_used;
	int32_t look_pass; /* the file that the feed went back to last, or -1 */
	int look_fd;
	int64_t look_start; /* of the piece read there; small: records come back in any order */
	size_t look_used;
	unsigned char look[MP_FEED_LOOK_SIZE + MP_RECORD_SIZE_MAX];
};

/* Opens a feed. `table` stays the caller's. Close the feed, also after an error. */
int mp_feed_open(
    struct mp_feed *feed, struct mp_load *load, const char *table, int64_t device_id, struct mp_error *err);
void mp_feed_close(struct mp_feed *feed);

/* Goes to the first record of a device, and forgets earlier records. */
void mp_feed_turn(struct mp_feed *feed, int64_t device_id);

/*
 * Wants the order of a time: the first of these columns of a part. Of equal times records come first whose second
 * column is not 0 (-1: no such column), then by the other columns. A note tells how many records all of these leave in
 * any order.
 */
void mp_feed_want_order(struct mp_feed *feed, const struct mp_join_table *part, const signed char *columns, int count);

/*
 * Reads the next record. Returns 1 with its place, 0 at the end, -1 on error. mp_feed_ahead ends with the first file;
 * it gives MP_FEED_AGAIN where the records are not in order: forget those before, and read all again, in their order.
 */
enum { MP_FEED_AGAIN = 2 };
int mp_feed_next(struct mp_feed *feed, int64_t *place, struct mp_error *err);
int mp_feed_ahead(struct mp_feed *feed, int64_t *place, struct mp_error *err);

/* The same in the order of recording, for feed_order.c; the layout by which the feed reads a file, or NULL. */
int mp_feed_read(struct mp_feed *feed, int64_t *place, struct mp_error *err);
const struct mp_layout *mp_feed_layout(const struct mp_feed *feed, const struct mp_job_file *file);

/*
 * put_in_order: looks whether the files are in order, and sorts the records if not; then mp_feed_next takes the places
 * of `order`. goes_on: whether the record that was read, or at the end of a file the files behind it, are in order.
 * recorded: the place of a record in the files.
 */
int mp_feed_put_in_order(struct mp_feed *feed, struct mp_error *err);
int mp_feed_sort(struct mp_feed *feed, struct mp_error *err);
bool mp_feed_goes_on(struct mp_feed *feed, bool ended);
int64_t mp_feed_recorded(struct mp_feed *feed, int64_t place);

/* Chooses columns of a part: `count` of them, from `first` on. */
struct mp_feed_columns mp_feed_choose(
    const struct mp_feed *feed, const struct mp_join_table *part, int first, int count);

/* Stores numbers of the last record of mp_feed_next. A column that its layout lacks, or that is text, is 0 and null. */
void mp_feed_numbers(struct mp_feed *feed, struct mp_feed_columns *columns, int64_t *values, bool *nulls);

/* keep: copies the last record of mp_feed_next. get: copies the record of a place; fails when the file has changed. */
void mp_feed_keep(const struct mp_feed *feed, struct mp_feed_record *record);
int mp_feed_get(struct mp_feed *feed, int64_t place, struct mp_feed_record *record, struct mp_error *err);

/* Returns a column of a copy; text is valid until the next call for the feed. */
struct mp_value mp_feed_kept(struct mp_feed *feed, const struct mp_feed_record *record, int column);

/* Stores numbers of a copy. */
void mp_feed_kept_numbers(struct mp_feed *feed, const struct mp_feed_record *record, struct mp_feed_columns *columns,
    int64_t *values, bool *nulls);

#endif
