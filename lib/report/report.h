/*
 * report.h: the reports of schema/reports and how one is run.
 *
 * A report is SQL in a text file (docs/SCHEMA.md describes the form). Its query @each gives
 * one row for each section or output file; these columns become parameters of
 * the query @rows, whose aliases are the column titles. Columns whose name begins with '_'
 * and `heading` are not keys of the section.
 * Reports borrow the embedded text; a list is freed with mp_reports_free.
 */
#ifndef MP_REPORT_REPORT_H
#define MP_REPORT_REPORT_H

#include "report/writer.h"
#include "store/db.h"
#include "store/team.h"

enum { MP_REPORT_COLUMN_MAX = 128, MP_REPORT_USE_MAX = 4, MP_REPORT_LAYER_MAX = 24 };

enum mp_style { MP_STYLE_DEFAULT, MP_STYLE_VENDOR };

/* A stretch of SQL: texts that belong before it, and itself. */
struct mp_sql {
	const char *use[MP_REPORT_USE_MAX];
	int use_count;
	char split[64];   /* "TABLE.COLUMN", an integer key by whose ranges the query may be run; or "" */
	const char *text; /* NULL: the report has no such section */
	size_t len;
};

struct mp_report {
	const char *path; /* "reports/summary/op_summary.sql" */
	char family[48];  /* "any", or families separated by blanks */
	char style[16];   /* "default", "vendor", "any" */
	char title[64], vendor_title[64];
	char time[64];                /* the title of the column that "time" means in --sort; or "" */
	char file[256];               /* name of an output file, with {column} of @each */
	char json_file[256];          /* of a summary in JSON, where a trace bears that name; or "" */
	char process[64], thread[64]; /* of a timeline: names of its tracks */
	char recorded[64];            /* of a timeline: the order in which each thread's ends normally never increase */
	char form[16];                /* of a timeline: "array" when its rows are the events, column by column */
	bool crlf;
	struct mp_sql columns;                /* its rows, SQL terms with their titles, stand in @rows for {columns} */
	struct mp_sql each, tally, rows, why; /* tally: see store/tally.h; run before rows */
	struct mp_sql
	    layers[MP_REPORT_LAYER_MAX]; /* of a timeline in the array form: more rows, with columns of their own */
	int layer_count;
	struct mp_sql without; /* titles of columns that the rows do without */
};

struct mp_reports {
	struct mp_report *items;
	size_t count;
};

/* The reports below reports/KIND/ and its folders that fit a family (NULL: any) and style, in order of file name. */
int mp_reports_load(
    struct mp_reports *list, const char *kind, const char *family, enum mp_style style, struct mp_error *err);
void mp_reports_free(struct mp_reports *list);

/* Prepare one part of a report, with :style bound, and :split_first and :split_last for all of its range. `before` and
 * `after` wrap the SQL; "" for none. */
int mp_report_query(struct mp_query **q, struct mp_db *db, const struct mp_sql *sql, const char *before,
    const char *after, enum mp_style style, struct mp_error *err);

/* The same for a part of many rows. */
int mp_report_rows(struct mp_query **q, struct mp_db *db, const struct mp_sql *sql, const char *before,
    const char *after, enum mp_style style, struct mp_error *err);

/* A row of a query and its titles, for threads other than that of its connection, too; valid as long as the row is. */
struct mp_report_row {
	int count;
	const char *titles[MP_REPORT_COLUMN_MAX];
	struct mp_value values[MP_REPORT_COLUMN_MAX];
};
int mp_report_row(struct mp_report_row *row, const struct mp_query *q, struct mp_error *err);

/* Give each value of a row to the parameter of its name. */
int mp_report_bind(struct mp_query *to, const struct mp_report_row *row, struct mp_error *err);

/* The column of that title; -1: there is none. */
int mp_report_find_title(const struct mp_report *report, const struct mp_query *rows, const char *name);

/* Prepare @rows for that row of @each: without the columns that @without names, sorted as the options say. */
struct mp_section_options;
int mp_report_open_rows(struct mp_query **rows, const struct mp_report *report, struct mp_db *db,
    const struct mp_report_row *each, const struct mp_section_options *options, struct mp_error *err);

/*
 * Where the report has @columns: its rows with the terms of that query, for the current row of `each`, in place of
 * {columns}. They borrow *text, which the caller frees.
 */
int mp_report_add_columns(struct mp_report *report, char **text, struct mp_db *db, const struct mp_query *each,
    enum mp_style style, struct mp_error *err);

/* Fill a {column} template from the current row. A value that does not exist reads "unknown"; '/' becomes '_'. */
int mp_report_name(char *dst, size_t size, const char *pattern, const struct mp_query *row, struct mp_error *err);

struct mp_section_options {
	enum mp_style style;
	const char *job;  /* name of the job, as a key of every section, or NULL */
	const char *sort; /* column to sort by, or NULL; tables without it keep their order */
	int64_t top;      /* rows at most, not counting a total; 0: all */
	struct mp_team
	    *team; /* threads that may share the rows of a section, or NULL; then `out` is what the writer writes to */
	struct mp_out *out;
	bool titles_only; /* sections without their rows, and titles of those that have no data */
};

/* Write the section that the current row of `each` stands for. */
int mp_report_section(const struct mp_report *report, struct mp_db *db, const struct mp_query *each,
    const struct mp_section_options *options, struct mp_writer *writer, struct mp_error *err);

/* Whether the rows have that column, however it is written. Where they have not, `title` gets their titles. */
int mp_report_has_column(const struct mp_report *report, struct mp_db *db, const char *name, bool *has,
    void (*title)(void *user, const char *title), void *user, struct mp_error *err);

/* All sections of a report into one writer; where there are none, one that says why, if the report has a @why. */
int mp_report_show(const struct mp_report *report, struct mp_db *db, struct mp_section_options *options,
    struct mp_writer *writer, struct mp_error *err);

#endif
