/*
 * reference.h: the tables that a board's own tool made from a job: CSV, JSON, chrome traces and SQLite files.
 *
 * A reference is read as a whole, so its size is bounded. Titles become meanings by schema/learn/titles.txt. The list
 * owns tables and texts; free it with mp_references_free. A list that is read is read-only; any thread. Functions that
 * return int give 0, or -1 with err.
 */
#ifndef MP_LEARN_REFERENCE_H
#define MP_LEARN_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "raw/job.h"

/* What a column says. The names of schema/learn/titles.txt are these in lower case, without MP_MEANS_. */
enum mp_meaning {
	MP_MEANS_NOTHING, /* the title is unknown */
	MP_MEANS_TASK_ID,
	MP_MEANS_STREAM_ID,
	MP_MEANS_TASK_TYPE,
	MP_MEANS_LAYER_ID,
	MP_MEANS_LAYER_NAME,
	MP_MEANS_LAYER_TYPE,
	MP_MEANS_ORI_NAME,
	MP_MEANS_EVENT_NAME, /* of a trace: a name of a call, or names of layers */
	MP_MEANS_START,      /* of a task or call; a moment */
	MP_MEANS_TIME,       /* of a task or call; a duration */
	MP_MEANS_TIME_SHARE, /* per cent of the table's sum */
	MP_MEANS_MAC_BUSY,   /* this and the seven below: per cent of the task's cycles */
	MP_MEANS_MAC_PPEN,
	MP_MEANS_VEC_BUSY,
	MP_MEANS_VEC_PPEN,
	MP_MEANS_DSTR,
	MP_MEANS_DTRANS,
	MP_MEANS_DLD,
	MP_MEANS_WLD,
	MP_MEANS_BOUND,
	MP_MEANS_READ, /* bytes, as the two below */
	MP_MEANS_WRITE,
	MP_MEANS_TOTAL,
	MP_MEANS_PID,
	MP_MEANS_TID,
	MP_MEANS_KIND,      /* of a call: op, model, runtime, others */
	MP_MEANS_CALL_NAME, /* of a call, in tables */
	MP_MEANS_COUNT,     /* this and those below: statistics of tasks or calls */
	MP_MEANS_SUM,
	MP_MEANS_AVERAGE,
	MP_MEANS_MINIMUM,
	MP_MEANS_MAXIMUM,
	MP_MEANS_COUNT_OF /* how many meanings there are */
};

/* A cell. `text` is never NULL. `value` is a number times 10^decimals, if the text or value is a decimal number. */
struct mp_cell {
	const char *text;
	int64_t value;
	bool is_number;
	unsigned char decimals; /* as written, 0 to 9 */
};

struct mp_reference_column {
	const char *title;
	enum mp_meaning meaning;
	int64_t unit; /* how many ns or bytes one is; 1 for all others */
	int decimals; /* the most decimals of a cell, without zeros at the end */
};

enum mp_reference_kind {
	MP_TABLE_OTHER,
	MP_TABLE_TASKS,     /* a row a task */
	MP_TABLE_CALLS,     /* a row a call */
	MP_TABLE_TASK_SUMS, /* a row a type of layers (op_statistic) */
	MP_TABLE_CALL_SUMS  /* a row a name of calls (acl_statistic) */
};

struct mp_reference {
	const char *name; /* of the file, below the job or as given; of SQLite files with ":TABLE" behind it */
	enum mp_reference_kind kind;
	bool is_trace;
	struct mp_identity identity; /* what the name says; -1 and "" what the name does not say */
	struct mp_reference_column *columns;
	int column_count;
	struct mp_cell *cells;       /* row by row */
	size_t row_count;            /* without the row of totals */
	const struct mp_cell *total; /* the row of totals ("-" in the columns that identify), or NULL */
};

struct mp_references {
	struct mp_reference *items; /* in order of name */
	size_t count;
	char **refused; /* sentences: which files are no references, and why */
	size_t refused_count;
	void *memory; /* what the texts lie in */
};

/*
 * Read the references of a job: the files below `from` (files or directories), or below summary, timeline and sqlite of
 * the job when from_count is 0. `job` may be NULL when from_count is not 0. A file that is no reference, ours,
 * unreadable or too large is refused with a sentence; that is no error. An error leaves an empty list.
 */
int mp_references_read(struct mp_references *refs, const struct mp_job *job, const char *const *from, size_t from_count,
    struct mp_error *err);
void mp_references_free(struct mp_references *refs);

/* The index of the column with this meaning, or -1. */
int mp_reference_column(const struct mp_reference *ref, enum mp_meaning meaning);

/* A cell of a row. */
static inline const struct mp_cell *mp_reference_cell(const struct mp_reference *ref, size_t row, int column)
{
	return &ref->cells[row * (size_t)ref->column_count + (size_t)column];
}

/* The decimals of a number without the zeros at its end. */
int mp_cell_decimals(const struct mp_cell *cell);

/* The name of a meaning as titles.txt writes it, for messages. */
const char *mp_meaning_name(enum mp_meaning meaning);

#endif
