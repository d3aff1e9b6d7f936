/*
 * joined_table.h: temp.joined_task, a virtual table of the joined tasks.
 *
 * An engine takes the rows from a row source while they are joined (store/row_source.h). Any other SQL reads them from
 * a temporary table, into which all tasks are joined first: that costs time, and gives the same rows. The rows are
 * joined once: after an engine has taken them, reading them again is an error.
 */
#ifndef MP_JOIN_JOINED_TABLE_H
#define MP_JOIN_JOINED_TABLE_H

#include "store/connection.h"
#include "store/row_source.h"

enum { MP_JOINED_COLUMN_MAX = 160 };

/* The table of a connection. */
struct mp_joined_table {
	struct mp_db *db;
	const struct mp_row_source *source;
	char names[MP_JOINED_COLUMN_MAX][64];
	int count;
	bool stored; /* the rows are in the temporary table */
};

/* Makes the table of `count` columns; *table stays in place until joined_task is dropped. Returns -1 on error. */
int mp_joined_table_make(struct mp_joined_table *table, struct mp_error *err);

/* Joins all tasks into the temporary table, once; reading the virtual table does so, too. Returns -1 on error. */
int mp_joined_table_store(struct mp_joined_table *table, struct mp_error *err);

#endif
