/*
 * reference.h: the tables that a board's own tool made from a job: op_summary as CSV or as a JSON array.
 *
 * A table keeps the text of its file, and of each cell where it begins there; so its size is bounded. Titles become
 * meanings by schema/learn/titles.txt. The list owns all; free it with mp_references_free. A list that is read is
 * read-only; any thread. Functions that return int give 0, or -1 with err.
 */
#ifndef MP_LEARN_REFERENCE_H
#define MP_LEARN_REFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "raw/job.h"

/*
 * What a column says. The names of schema/learn/titles.txt are these in lower case, without MP_MEANS_. The ratio of
 * time is per cent of the table's sum, counters from MAC_BUSY to WLD are per cent of the task's cycles, DDR_* are
 * bytes. NOTHING: the title is unknown.
 */
enum mp_meaning {
	MP_MEANS_NOTHING,
	MP_MEANS_TASK_ID,
	MP_MEANS_LAYER_ID,
	MP_MEANS_LAYER_NAME,
	MP_MEANS_LAYER_TYPE,
	MP_MEANS_ORI_NAME,
	MP_MEANS_TIME,
	MP_MEANS_TIME_RATIO,
	MP_MEANS_MAC_BUSY,
	MP_MEANS_MAC_PPEN,
	MP_MEANS_VEC_BUSY,
	MP_MEANS_VEC_PPEN,
	MP_MEANS_DSTR,
	MP_MEANS_DTRANS,
	MP_MEANS_DLD,
	MP_MEANS_WLD,
	MP_MEANS_DDR_READ,
	MP_MEANS_DDR_WRITE,
	MP_MEANS_DDR_TOTAL,
	MP_MEANS_MEMORY_BOUND,
	MP_MEANS_COUNT
};

enum { MP_DECIMALS_MAX = 9, MP_NO_ROW = -1 };

struct mp_table_column {
	const char *title;
	enum mp_meaning meaning;
	int64_t unit;     /* how many ns or bytes one is; 1 for all others */
	int decimals;     /* the most of a cell in this and all columns that are rounded alike */
	int64_t *numbers; /* of a column that says numbers, row by row: times 10^decimals, or MP_NO_NUMBER; else NULL */
};

struct mp_table {
	char *name;                  /* of the file, below the job or as given */
	struct mp_identity identity; /* what the name says; -1 and "" what the name does not say */
	struct mp_table_column *columns;
	int column_count;
	int column_of[MP_MEANS_COUNT]; /* the column of a meaning, or -1 */
	int64_t row_count;             /* with the row of totals */
	int64_t total;                 /* the row of totals ("-" in the columns that identify), or MP_NO_ROW */
	char *text;                    /* of the file, changed: cells end with NUL */
	int64_t *numbers;              /* of all columns */
	uint32_t *cells;               /* row by row: where they begin in the text */
	size_t cell_count;
};

struct mp_references {
	struct mp_table *items; /* in order of name */
	size_t count;
	char **refused; /* sentences: which files are no references, and why */
	size_t refused_count;
	size_t own_count; /* of them: exports of msprof, with which nothing is lost */
};

/*
 * Read the references of a job: the files below `from` (files or directories), or those below summary of the job when
 * from_count is 0. `job` may be NULL when from_count is not 0. A file that is no reference, ours, unreadable or too
 * large is refused with a sentence; that is no error. A table without counters is passed over. An error leaves an
 * empty list.
 */
int mp_references_read(struct mp_references *refs, const struct mp_job *job, const char *const *from, size_t from_count,
    struct mp_error *err);
void mp_references_free(struct mp_references *refs);

/* Add a sentence to those of refused files. */
int mp_references_refuse(struct mp_references *refs, struct mp_error *err, const char *fmt, ...) MP_PRINTF(3, 4);

/* The text of a cell; "" when the table has no such column. */
static inline const char *mp_table_cell(const struct mp_table *t, int64_t row, enum mp_meaning meaning)
{
	int column = t->column_of[meaning];

	return column < 0 ? "" : t->text + t->cells[(size_t)row * (size_t)t->column_count + (size_t)column];
}

/* The number of a cell times 10^decimals of its column, below MP_NUMBER_MAX. Returns false when it is no such number.
 */
#define MP_NUMBER_MAX INT64_C(1000000000000000000)
#define MP_NO_NUMBER INT64_MIN
static inline bool mp_table_number(const struct mp_table *t, int64_t row, enum mp_meaning meaning, int64_t *value)
{
	int column = t->column_of[meaning];

	*value = column < 0 || !t->columns[column].numbers ? MP_NO_NUMBER : t->columns[column].numbers[row];
	return *value != MP_NO_NUMBER;
}

/* Whether the total of a time or size is the sum of what the rows say, after rounding. */
bool mp_is_sum_of_cells(const struct mp_table *t, enum mp_meaning meaning);

/* Read a decimal number with at most MP_DECIMALS_MAX decimals, exactly: "-12.50", "1.7e+15". */
bool mp_decimal_read(const char *text, int64_t *value, int *decimals);
__int128 mp_power_of_10(int exponent);

/* An exact number: num / den; den is 0 when there is no such number. */
struct mp_exact {
	__int128 num, den;
};

/* How a column may have come from exact numbers: a set of rules. */
enum { MP_RULE_ROUNDED = 1, MP_RULE_CUT = 2, MP_RULE_ANY = 3 };

/*
 * The rules by which an exact number is `value` / 10^decimals. Where two decimals are equally near, either is right: a
 * double may lie on both sides. For the same reason a number that was cut may be one less where nothing was cut off.
 */
unsigned mp_exact_rules(struct mp_exact exact, int64_t value, int decimals);

/* Write an exact number with so many decimals, for messages. */
void mp_exact_text(struct mp_exact exact, int decimals, char *text, size_t size);

/* The name of a meaning as titles.txt writes it, and layouts name the column of a counter. */
const char *mp_meaning_name(enum mp_meaning meaning);

#endif
