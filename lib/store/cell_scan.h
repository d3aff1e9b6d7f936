/*
 * cell_scan.h: the rows of a statement read from its tables' b-trees (btree.h), where its conditions are cells, too.
 * Used by cells.c and cell_row.c.
 *
 * For a SELECT from one table, or from one and for each of its rows that row of another whose key it has, in the order
 * of the first one's key, in a file that does not change. What is no such statement stays SQLite's, as does one whose
 * parameters are texts: SQLite would convert them.
 */
#ifndef MP_STORE_CELL_SCAN_H
#define MP_STORE_CELL_SCAN_H

#include "store/cell_select.h"

struct mp_cell_scan;

/*
 * Begin: tables are there, conditions are nodes of c; *scan is NULL where this is no statement for it. Then, with
 * the statement prepared: whether it is one after all. Its columns must stay as they are from then on.
 */
int mp_cell_scan_open(struct mp_cell_scan **scan, struct mp_cells *c, const struct mp_select *s,
    const struct mp_cell_source *source, struct mp_error *err);
bool mp_cell_scan_settle(struct mp_cell_scan *scan, struct mp_cells *c);

/* The nodes that it needs. */
int mp_cell_scan_nodes(const struct mp_cell_scan *scan, const int **nodes);

/* Before the first row: whether the parameters allow it. */
bool mp_cell_scan_begin(struct mp_cell_scan *scan, const struct mp_cells *c);

/* Set the columns to the next row, whatever the conditions say of it: 1; 0: no more; -1: error. */
int mp_cell_scan_next(struct mp_cell_scan *scan, struct mp_error *err);

/* Whether the row meets the conditions. */
bool mp_cell_scan_passes(const struct mp_cell_scan *scan, struct mp_cells *c);

void mp_cell_scan_close(struct mp_cell_scan *scan);

#endif
