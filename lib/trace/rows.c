/* rows.c: finds the columns of a trace report by their titles. */
#include "trace/rows.h"

#include <string.h>

int mp_trace_columns_named(const struct mp_query *rows, const char *title, size_t len)
{
	for (int i = 0; i < mp_query_column_count(rows); i++)
		if (strlen(mp_query_title(rows, i)) == len && memcmp(mp_query_title(rows, i), title, len) == 0)
			return i;
	return -1;
}

static int find(const struct mp_query *rows, const char *title)
{
	return mp_trace_columns_named(rows, title, strlen(title));
}

/* The columns with a prefix, which are adjacent. */
static int find_keys(struct mp_trace_keys *keys, const struct mp_query *rows, const char *prefix,
    const struct mp_report *report, struct mp_error *err)
{
	size_t len = strlen(prefix);

	keys->count = 0;
	for (int i = 0; i < mp_query_column_count(rows); i++) {
		const char *title = mp_query_title(rows, i);

		if (strncmp(title, prefix, len) != 0)
			continue;
		if (!keys->count)
			keys->first = i;
		if (i != keys->first + keys->count)
			return mp_fail(err, "schema/%s: the columns %s… are not adjacent", report->path, prefix);
		keys->titles[keys->count++] = title + len;
	}
	return 0;
}

int mp_trace_columns_find(
    struct mp_trace_columns *c, const struct mp_query *rows, const struct mp_report *report, struct mp_error *err)
{
	const int start = find(rows, "start_ns"), sample = find(rows, "time_ns");

	c->count = mp_query_column_count(rows);
	if (c->count > MP_REPORT_COLUMN_MAX)
		return mp_fail(err, "schema/%s: more than %d columns", report->path, MP_REPORT_COLUMN_MAX);
	c->kind = start >= 0 ? MP_TRACE_SLICES : sample >= 0 ? MP_TRACE_SAMPLES : MP_TRACE_PROCESSES;
	c->time = start >= 0 ? start : sample;
	c->layer = find(rows, "layer");
	c->process = find(rows, "process");
	c->track = find(rows, "track");
	c->name = find(rows, "name");
	c->dur = find(rows, "dur_ns");
	c->call = find(rows, "caller");
	c->launch = find(rows, "launch");
	c->process_name = find(rows, "_process");
	c->thread_name = find(rows, "_thread");
	c->rank = find(rows, "_rank");
	if (c->layer < 0 || c->process < 0 || c->name < 0 ||
	    (c->kind == MP_TRACE_SLICES && (c->track < 0 || c->dur < 0)))
		return mp_fail(err, "schema/%s: rows of a trace lack a column", report->path);
	return find_keys(&c->keys, rows, c->kind == MP_TRACE_SAMPLES ? "value." : "args.", report, err);
}
