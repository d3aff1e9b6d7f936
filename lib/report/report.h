/*
 * report.h: the reports of schema/reports, and how to run a report.
 *
 * A report is SQL in a text file; docs/SCHEMA.md describes the form. The query @each gives one row for each section or
 * output file. The columns of that row become parameters of the query @rows, and the aliases of @rows are the column
 * titles. Columns named `heading`, or with a name that begins with '_', are not keys of the section. Reports borrow the
 * embedded text; free a list with mp_reports_free. Functions that return int give 0, or -1 with err, unless stated. A
 * database and its queries belong to one thread.
 */
#ifndef MP_REPORT_REPORT_H
#define MP_REPORT_REPORT_H

#include "base/error.h"
#include "report/writer.h"
#include "store/db.h"

enum { MP_REPORT_COLUMN_MAX = 128, MP_REPORT_USE_MAX = 4, MP_REPORT_LAYER_MAX = 48, MP_REPORT_THRESHOLD_MAX = 8 };

enum mp_style { MP_STYLE_DEFAULT, MP_STYLE_VENDOR };

/* A piece of SQL, with the texts to put before it. */
struct mp_sql {
	const char *use[MP_REPORT_USE_MAX];
	int use_count;
	char split[64];     /* "TABLE.COLUMN", an integer key by whose ranges the query may run; or "" */
	char within[3][32]; /* columns of @each: the first and the last key of its rows, and how many they are; or "" */
	const char *text;   /* NULL: the report has no such query */
	size_t len;
	bool is_included; /* @include added it to the report */
	const char *path; /* of the report */
	int line;         /* of the text in the report */
};

/* A number that queries use as the parameter :name. */
struct mp_threshold {
	char name[32];
	double value;
};

struct mp_report {
	const char *path; /* "reports/summary/op_summary.sql" */
	char family[48];  /* "any", or families separated by blanks */
	char style[16];   /* "default", "vendor", "any" */
	char title[64], vendor_title[64];
	char needs[64]; /* kinds of data, as in the table standing: it is withheld while one is contradicted; or "" */
	bool facts;     /* its queries read the tables of insight/advise.h */
	struct mp_threshold thresholds[MP_REPORT_THRESHOLD_MAX];
	int threshold_count;
	struct mp_sql each, tally, rows, why;      /* tally (mp_tally) runs before rows */
	struct mp_sql layers[MP_REPORT_LAYER_MAX]; /* further rows, with columns of their own */
	int layer_count;
	struct mp_report_table {
		char time[64];     /* the title of the column that "time" stands for in --sort; or "" */
		char decides[224]; /* titles of the columns that a narrow table keeps, by weight, with commas; or "" */
		char counters[64]; /* the title of the first column of counters; or "" */
		int64_t top;       /* the most rows in the terminal, unless the user says; 0: all */
		bool later;        /* the first screen of a terminal only names it */
		struct mp_sql columns; /* gives the SQL terms, with titles, that replace {columns} in @rows */
		struct mp_sql without; /* gives the titles of columns to leave out */
	} table;
	struct mp_report_output {
		char file[256];      /* its name, with {column} of @each */
		char json_file[256]; /* of a summary: the JSON file, when a trace has the usual name; or "" */
		char form[16]; /* "array" when each row of a timeline is an event and each column a key; "object" */
		struct mp_sql leave; /* of an array: words; included events whose name begins with one, or names one,
					are left out */
		bool crlf;
	} output;
	struct mp_report_tracks {             /* of a timeline or a trace */
		char process[64], thread[64]; /* their names */
		char beside[64];              /* the names of those with numbers from 2^32 on; or "" */
		char started[64];             /* an order in which the starts of each track usually ascend */
		char recorded[64];            /* an order in which the ends of each thread's events usually descend */
	} tracks;
	struct mp_report_rule {
		char advice[384], source[256], formula[192]; /* what to do; who says so; the bound of the saving */
		char start[96];                              /* what to start with, with {subject}, for the verdict */
		char several[160]; /* the subject of findings of one cause, with {count}; "": each stands alone */
		bool first;        /* its findings come first, whatever they save */
	} rule;
	struct mp_report_fleet { /* of rows for a fleet */
		char types[192]; /* the types of the columns (fleet/wire.h) */
		bool bulk;       /* they are many, and sent only on request */
	} fleet;
};

struct mp_reports {
	struct mp_report *items;
	size_t count;
};

/* Load the reports below reports/KIND/ for a family (NULL: any) and style, in order of file name. */
int mp_reports_load(
    struct mp_reports *list, const char *kind, const char *family, enum mp_style style, struct mp_error *err);
/* The same for all reports below a folder of schema/: "insight/rules". */
int mp_reports_load_folder(
    struct mp_reports *list, const char *folder, const char *family, enum mp_style style, struct mp_error *err);
void mp_reports_free(struct mp_reports *list);

/* The title of its tables. */
const char *mp_report_title(const struct mp_report *report, enum mp_style style);

/* Returns 1 when data that the report needs is contradicted, with the kinds of it in `why`; 0; or -1 with err. */
int mp_report_withheld(const struct mp_report *report, struct mp_db *db, char *why, size_t size, struct mp_error *err);

/* Bind the thresholds of a report to the parameters of their names. */
int mp_report_bind_thresholds(struct mp_query *to, const struct mp_report *report, struct mp_error *err);

/*
 * Prepare a query of a report and bind :style, and :split_first and :split_last to the whole range. `before` and
 * `after` are put around the SQL; "" for nothing.
 */
int mp_report_query(struct mp_query **q, struct mp_db *db, const struct mp_sql *sql, const char *before,
    const char *after, enum mp_style style, struct mp_error *err);

/* Like mp_report_query, for a query of many rows. */
int mp_report_rows(struct mp_query **q, struct mp_db *db, const struct mp_sql *sql, const char *before,
    const char *after, enum mp_style style, struct mp_error *err);

/*
 * A row of a query with its titles. Other threads than that of the connection may read the row. The row is valid until
 * the query moves.
 */
struct mp_report_row {
	int count;
	const char *titles[MP_REPORT_COLUMN_MAX];
	struct mp_value values[MP_REPORT_COLUMN_MAX];
};
int mp_report_row(struct mp_report_row *row, const struct mp_query *q, struct mp_error *err);

/*
 * Call `take` with each row of @each; or with the values of each row of a query that has so many columns, and the
 * columns of the row `each` for parameters (NULL: it has none). Like `take` they return 0, or -1 with err, which ends
 * them.
 */
typedef int mp_report_take(void *user, const struct mp_report_row *row, struct mp_error *err);
typedef int mp_report_take_values(void *user, const struct mp_value *values, struct mp_error *err);
int mp_report_each(
    const struct mp_report *report, struct mp_db *db, mp_report_take *take, void *user, struct mp_error *err);
int mp_report_values(const struct mp_sql *sql, struct mp_db *db, const struct mp_report_row *each, int columns,
    mp_report_take_values *take, void *user, struct mp_error *err);

/* The first and the last key of a query with @split. Returns 1, 0 without @split or rows, -1 with err. */
int mp_report_split(const struct mp_sql *sql, struct mp_db *db, int64_t *first, int64_t *last, struct mp_error *err);

/* A range of keys, and the number of rows in it. */
struct mp_report_range {
	int64_t first, last;
	uint64_t rows;
};

/* The range of the rows of a query for the current row of @each, where its @split names columns of it. */
bool mp_report_within(const struct mp_sql *sql, const struct mp_report_row *each, struct mp_report_range *range);

/* Bind each value of a row to the parameter of the same name. */
int mp_report_bind(struct mp_query *to, const struct mp_report_row *row, struct mp_error *err);

/* The column with this title; -1 when not found. */
int mp_report_find_title(const struct mp_report *report, const struct mp_query *rows, const char *name);

/* Copy the first name of a list separated by commas, without blanks around it. Returns where the next one begins. */
size_t mp_report_next_name(char *name, size_t size, const char *list);

/* Prepare @rows for a row of @each, with the columns of the options or without those of @without, sorted. */
struct mp_section_options;
int mp_report_open_rows(struct mp_query **rows, const struct mp_report *report, struct mp_db *db,
    const struct mp_report_row *each, const struct mp_section_options *options, struct mp_error *err);

/*
 * Replace {columns} in @rows by the terms of @columns, for the current row of `each`. The report then borrows *text,
 * which the caller frees. A report without @columns is unchanged.
 */
int mp_report_add_columns(struct mp_report *report, char **text, struct mp_db *db, const struct mp_query *each,
    enum mp_style style, struct mp_error *err);

/* An error of rows that no import makes, such as "row without a time". Returns -1. */
int mp_report_refuse_rows(const char *path, const char *what, struct mp_error *err);

/* Fill the {column} places of a template from the current row. A missing value becomes "unknown"; '/' becomes '_'. */
int mp_report_name(char *dst, size_t size, const char *pattern, const struct mp_query *row, struct mp_error *err);

/* The same for a row that is held. */
int mp_report_fill(char *dst, size_t size, const char *pattern, const struct mp_report_row *row, struct mp_error *err);

struct mp_section_options {
	enum mp_style style;
	const char *job;     /* name of the job, which becomes a key of every section; or NULL */
	const char *sort;    /* column to sort by, or NULL; a table without that column is not sorted */
	const char *columns; /* titles separated by commas: only these and the first; NULL: all but those of @without */
	int64_t top;         /* maximum number of rows, without a total; 0: all */
	struct mp_team *team; /* threads that may share the rows of a section, or NULL; with a team, `out` is the output
				 of the writer */
	struct mp_out *out;
	bool all;                 /* all columns, however narrow the table is */
	bool titles_only;         /* write sections without rows, and the titles of sections without data */
	bool only_rows;           /* leave sections without data out */
	bool anyway;              /* write tables of contradicted data, too: their headings say so */
	const char *contradicted; /* set by mp_report_show: kinds of contradicted data that the table is of, or NULL */
};

/* Write the section for the current row of `each`. */
int mp_report_section(const struct mp_report *report, struct mp_db *db, const struct mp_query *each,
    const struct mp_section_options *options, struct mp_writer *writer, struct mp_error *err);

/*
 * Set *has to whether the rows have a column of that name, in any spelling. When they do not, call `title` for each
 * title.
 */
int mp_report_has_column(const struct mp_report *report, struct mp_db *db, const char *name, bool *has,
    void (*title)(void *user, const char *title), void *user, struct mp_error *err);

/*
 * Write all sections of a report into one writer. Without sections, and when the report has @why, write one section
 * with the reason.
 */
int mp_report_show(const struct mp_report *report, struct mp_db *db, struct mp_section_options *options,
    struct mp_writer *writer, struct mp_error *err);

/*
 * Places in the SQL of reports that stand for the user's choice of a time range, devices, a model and a step:
 *   {range CLOCK START; END}   rows from START to END (ns, SQL terms) that touch the range; CLOCK is host or device
 *   {device ID}                rows of chosen devices; NULL is the host, which is always chosen
 *   {model ID}                 rows of the chosen model
 *   {step NUMBER}              rows of the chosen inference
 * Without such a choice a place is nothing, so that the text stays that of a report without places. No state.
 */

/*
 * Join `before`, the texts of `sql` and `after`, with each place replaced by a condition that begins with AND, for the
 * limits (enum mp_limit) of a database. Returns a text that the caller frees, or NULL with err.
 */
char *mp_report_text(
    const struct mp_sql *sql, const char *before, const char *after, unsigned limits, struct mp_error *err);

#endif
