/* goturn.h: a published table of task times, and counters that explain the table. */
#ifndef GEN_GOTURN_H
#define GEN_GOTURN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "records.h"

enum { GOTURN_ROW_MAX = 64, GOTURN_CELL = 256, GOTURN_MHZ = 700 };

/* Columns of the table. */
enum goturn_column {
	COL_TASK,
	COL_LAYER_ID,
	COL_NAME,
	COL_TYPE,
	COL_ORI,
	COL_TIME,
	COL_TIME_RATIO,
	COL_RATIOS, /* eight, in the order of the counters' slots */
	COL_BOUND = COL_RATIOS + 8,
	COL_READ,
	COL_WRITE,
	COL_TOTAL,
	COL_COUNT
};

/* The counters, in the order of slots and columns. */
enum { COUNTERS = 8 };
enum goturn_counter { MAC_BUSY, MAC_PPEN, VEC_BUSY, VEC_PPEN, DSTR, DTRANS, DLD, WLD };

struct goturn_row {
	char text[COL_RATIOS][GOTURN_CELL]; /* the cells that identify the task */
	int64_t printed[COL_COUNT];         /* the numbers, in hundredths */
	int64_t ticks;
	int64_t low[COUNTERS], high[COUNTERS]; /* the range that the printed ratio and bound allow */
	int64_t value[COUNTERS];               /* the chosen values */
	int64_t read, write;                   /* bytes */
};

struct goturn_table {
	struct goturn_row total;
	struct goturn_row rows[GOTURN_ROW_MAX];
	int count;
};

/* Read the tab-separated table at `path`. */
int goturn_read(struct goturn_table *t, const char *path, struct mp_error *err);

/* Find ticks, counters and bytes that print like the table. An error names the row without a solution. */
int goturn_fit(struct goturn_table *t, struct mp_error *err);

#endif
