/* export_analysis.c: what collectives moved: each report is computed once, for its JSON file and for the database. */
#include <stdio.h>
#include <string.h>

#include "export.h"
#include "import/db_export.h"

/* Keep the rows of the report in the temporary table of its file's name. */
static int keep_rows(const struct export *e, struct mp_error *err)
{
	struct mp_query *q;
	char before[512];
	int status;

	snprintf(before, sizeof(before), "CREATE TEMP TABLE \"%s\" AS ", e->report->output.file);
	if (mp_report_query(&q, e->db, &e->report->rows, before, "", e->facts.style, err))
		return -1;
	status = mp_query_next(q, err);
	mp_query_close(q);
	return status;
}

/* Returns 1 where the report has data, 0 where not, -1 with err. */
static int has_data(const struct export *e, struct mp_error *err)
{
	struct mp_query *each;
	int status;

	if (mp_report_query(&each, e->db, &e->report->each, "", "", e->facts.style, err))
		return -1;
	status = mp_query_next(each, err);
	mp_query_close(each);
	return status;
}

int export_analysis_keep(struct export *e, const struct mp_report *report, struct mp_error *err)
{
	const struct mp_report *before = e->report;
	char sql[512];
	int status;

	e->report = report;
	status = has_data(e, err);
	snprintf(sql, sizeof(sql), "CREATE TEMP TABLE \"%s\"(key TEXT, json TEXT);", report->output.file);
	if (status >= 0)
		status = status ? keep_rows(e, err) : mp_db_run(e->db, sql, err);
	e->report = before;
	return status;
}

int export_analysis(struct export *e, struct mp_error *err)
{
	const char *type = e->session->options->values[OPTION_TYPE];
	char rows[512];
	int status = has_data(e, err);

	if (status != 1)
		return status;
	if (keep_rows(e, err))
		return -1;
	e->analysed = true;
	if (type && strcmp(type, "db") == 0)
		return 0;
	snprintf(
	    rows, sizeof(rows), "SELECT \"key\", \"json\" FROM temp.\"%s\" ORDER BY rowid", e->report->output.file);
	e->again = *e->report;
	e->again.rows = (struct mp_sql){.text = rows, .len = strlen(rows), .path = e->report->path};
	e->report = &e->again;
	status = export_report(e, err);
	e->again.rows = (struct mp_sql){0}; /* it borrowed `rows` */
	return status;
}

int export_analysis_write(struct export *e, struct mp_error *err)
{
	if (!e->analysed)
		return 0;
	e->files++;
	return mp_db_analysis(e->db, e->job->family, e->dirfd, e->label, err);
}
