/*
 * feed.h: the records of one table's files as one stream that is read on when it is needed, for joins while reading.
 *
 * A feed belongs to one device, or to the host (-1). It reads each file once, slice after slice, and sees to it that
 * what was read is accounted for. A record has a place, by which it is found again. Internal to the store; one thread.
 */
#ifndef MP_STORE_FEED_H
#define MP_STORE_FEED_H

#include "prof/joins.h"
#include "store/load.h"

enum { MP_FEED_COLUMN_MAX = 32, MP_FEED_LAYOUT_MAX = 4, MP_FEED_LOOK_SIZE = 16384 };

/* A reading of a file by one layout. */
struct mp_feed_pass {
	const struct mp_job_file *file;
	const struct mp_layout *layout;
};

/* A record that was kept: of the layout whose columns these are. */
struct mp_feed_record {
	const struct mp_layout *layout;
	unsigned char bytes[MP_RECORD_SIZE_MAX];
};

/* A record that was kept whole: its bytes begin at `at` of cut_bytes. */
struct mp_feed_cut {
	size_t at;
	int32_t pass;
};

/* Some columns of a feed's table, asked for together. */
struct mp_feed_columns {
	int count;
	signed char of_table[MP_FEED_COLUMN_MAX], of_layout[MP_FEED_COLUMN_MAX]; /* -1: it has none */
	const struct mp_layout *layout;                                          /* of of_layout */
};

struct mp_feed {
	struct mp_load *load;
	const char *table;
	int64_t device_id;
	char columns[MP_FEED_COLUMN_MAX][MP_NAME_SIZE]; /* of the table */
	int column_count;
	size_t next_file;
	struct mp_feed_pass *passes;
	int32_t pass_count, pass_room;
	struct mp_slice slice;                    /* of the last pass, while it is read */
	struct mp_slice done[MP_FEED_LAYOUT_MAX]; /* the last one of each layout: its reader decodes what was kept */
	int done_count;
	struct mp_sequence sequence;
	int64_t records; /* so far */
	struct mp_feed_columns all;
	struct mp_feed_cut *cuts; /* records that no place can name */
	size_t cut_count, cut_room;
	unsigned char *cut_bytes;
	size_t cut_used, cut_size;
	int32_t look_pass; /* which file was gone back to last, or -1 */
	int look_fd;
	int64_t
	    look_start; /* of what was read there; a small piece: records are asked for in any order, even backwards */
	size_t look_used;
	unsigned char look[MP_FEED_LOOK_SIZE + MP_RECORD_SIZE_MAX];
};

/* Where the database may be used: it knows the columns of the table. */
int mp_feed_open(
    struct mp_feed *feed, struct mp_load *load, const char *table, int64_t device_id, struct mp_error *err);
void mp_feed_close(struct mp_feed *feed);

/* To the first record of a device; what was read before is forgotten, and its memory given back. */
void mp_feed_turn(struct mp_feed *feed, int64_t device_id);

/* The next record and its place: 1; 0: no more; -1: error. mp_feed_ahead goes no further than the end of the first
 * file. */
int mp_feed_next(struct mp_feed *feed, int64_t *place, struct mp_error *err);
int mp_feed_ahead(struct mp_feed *feed, int64_t *place, struct mp_error *err);

/* The number of that column of the table; -1: it has none. */
int mp_feed_column(const struct mp_feed *feed, const char *name);

/* Chooses columns of a part: `count` of them, from `first` on. */
struct mp_feed_columns mp_feed_choose(
    const struct mp_feed *feed, const struct mp_join_table *part, int first, int count);

/* Numbers of the record that mp_feed_next gave last: 0 and null where its layout lacks a column, or it is no number. */
void mp_feed_numbers(struct mp_feed *feed, struct mp_feed_columns *columns, int64_t *values, bool *nulls);

/* Keep the record that mp_feed_next gave last, or get the one of a place: fails when the file is not what it was. */
void mp_feed_keep(const struct mp_feed *feed, struct mp_feed_record *record);
int mp_feed_get(struct mp_feed *feed, int64_t place, struct mp_feed_record *record, struct mp_error *err);

/* A column of a kept record; text is valid until the next call of any function of the feed. */
struct mp_value mp_feed_kept(struct mp_feed *feed, const struct mp_feed_record *record, int column);

/* Numbers of a kept record. */
void mp_feed_kept_numbers(struct mp_feed *feed, const struct mp_feed_record *record, struct mp_feed_columns *columns,
    int64_t *values, bool *nulls);

#endif
