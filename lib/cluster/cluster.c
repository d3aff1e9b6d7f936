/* cluster.c: puts the rows of aggregates into one private database. */
#define _GNU_SOURCE /* stpcpy */
#include "cluster/cluster.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "report/formats.h"
#include "report/report.h"
#include "store/db.h"

/* Groups of a training form a grid of few dimensions. */
enum { STEPS_MAX = 16 };

int mp_cluster_open(struct mp_db **cluster, struct mp_error *err)
{
	if (mp_db_private(cluster, err))
		return -1;
	/* one transaction: nobody else reads it */
	if (mp_script_run_file(*cluster, "cluster/tables.sql", err) == 0 && mp_db_run(*cluster, "BEGIN", err) == 0)
		return 0;
	mp_db_close(*cluster);
	*cluster = NULL;
	return -1;
}

static int put_document(struct mp_db *db, const char *text, size_t len, struct mp_error *err)
{
	static const char sql[] = "UPDATE document SET id = id + 1, text = :text";

	return mp_db_put(db, sql, MP_VALUES(mp_text(text, len)), err);
}

int mp_cluster_add(struct mp_db *cluster, const char *path, const char *text, size_t len, struct mp_error *err)
{
	struct mp_error why;

	if (len > MP_AGGREGATE_SIZE_MAX)
		return mp_fail(err, "'%s' is larger than %d MiB: not an aggregate", path, MP_AGGREGATE_SIZE_MAX >> 20);
	if (len < strlen(MP_AGGREGATE_BEGIN) || memcmp(text, MP_AGGREGATE_BEGIN, strlen(MP_AGGREGATE_BEGIN)) != 0 ||
	    !mp_json_is_object(text, len))
		return mp_fail(err, "'%s' is not an aggregate of 'msprof aggregate'", path);
	if (mp_db_run(cluster, "SAVEPOINT aggregate", err))
		return -1;
	if (put_document(cluster, text, len, err) == 0) {
		if (mp_script_run_file(cluster, "cluster/load.sql", &why) == 0)
			return mp_db_run(cluster, "RELEASE aggregate", err);
		mp_error_set_kind(err, why.kind, "'%s' is not a valid aggregate: %s", path, why.text);
	}
	/* its first rows go, too */
	mp_db_run(cluster, "ROLLBACK TO aggregate; RELEASE aggregate", &why);
	return -1;
}

/* Run a script as long as it changes rows: clocks and stages are known by way of ranks that met others. */
static int spread(struct mp_db *cluster, const char *path, struct mp_error *err)
{
	int64_t changed = 1;
	int status = 0;

	for (int step = 0; !status && changed && step < STEPS_MAX; step++)
		status = mp_script_run_file(cluster, path, err) ||
				 mp_db_number(cluster, "SELECT changes()", 0, &changed, err)
			     ? -1
			     : 0;
	return status;
}

int mp_cluster_join(struct mp_db *cluster, struct mp_error *err)
{
	return mp_script_run_file(cluster, "cluster/join.sql", err) || spread(cluster, "cluster/stage.sql", err) ||
		       mp_script_run_file(cluster, "cluster/clocks.sql", err) ||
		       spread(cluster, "cluster/reach.sql", err) ||
		       mp_script_run_file(cluster, "cluster/judge.sql", err) ||
		       mp_script_run_file(cluster, "cluster/ended.sql", err) ||
		       mp_script_run_file(cluster, "cluster/groups.sql", err) ||
		       mp_script_run_file(cluster, "cluster/tell.sql", err)
		   ? -1
		   : 0;
}

int mp_cluster_doubt(struct mp_db *cluster, char *text, size_t size, struct mp_error *err)
{
	static const char sql[] =
	    "SELECT group_concat(text, '; ') FROM (SELECT text FROM doubt ORDER BY rowid LIMIT 2)";
	struct mp_query *q;
	int status = mp_query_ask(&q, cluster, sql, NULL, 0, err);

	text[0] = '\0';
	if (status == 1 && mp_query_value(q, 0).type == MP_TEXT)
		snprintf(text, size, "%.*s", (int)mp_text_of(mp_query_value(q, 0)).len, mp_query_text(q, 0));
	mp_query_close(q);
	return status < 0 ? -1 : 0;
}

/* Writes sections as members of a JSON object. */

void mp_rows_json_key(char key[MP_ROWS_KEY_SIZE], const char *title)
{
	size_t n = 0;

	for (; *title && n < MP_ROWS_KEY_SIZE - 8; title++) {
		if (*title == '%')
			n += (size_t)(stpcpy(key + n, "percent") - (key + n));
		else if (isalnum((unsigned char)*title))
			key[n++] = (char)tolower((unsigned char)*title);
		else if (n && key[n - 1] != '_' && *title != ')')
			key[n++] = '_';
	}
	key[n] = '\0';
}

static int section(struct mp_writer *w, const struct mp_section *s, struct mp_error *err)
{
	struct mp_rows_json *j = (struct mp_rows_json *)w;
	char key[MP_ROWS_KEY_SIZE];

	(void)err;
	mp_rows_json_key(key, s->title);
	mp_out_text(j->out, ",\n\"");
	mp_out_text(j->out, key);
	mp_out_text(j->out, "\": [");
	j->titles = s->titles;
	j->columns = s->column_count;
	j->has_row = false;
	return 0;
}

static int row(struct mp_writer *w, const struct mp_value *cells, struct mp_error *err)
{
	struct mp_rows_json *j = (struct mp_rows_json *)w;
	char key[MP_ROWS_KEY_SIZE];

	mp_out_text(j->out, j->has_row ? ",\n" : "\n");
	j->has_row = true;
	mp_out_char(j->out, j->objects ? '{' : '[');
	for (int i = 0; i < j->columns; i++) {
		if (i)
			mp_out_text(j->out, ", ");
		if (j->objects) {
			mp_rows_json_key(key, j->titles[i]);
			mp_out_char(j->out, '"');
			mp_out_text(j->out, key);
			mp_out_text(j->out, "\": ");
		}
		mp_put_value(j->out, &cells[i]);
	}
	mp_out_char(j->out, j->objects ? '}' : ']');
	return mp_out_error(j->out, err);
}

static int end(struct mp_writer *w, int64_t omitted, struct mp_error *err)
{
	struct mp_rows_json *j = (struct mp_rows_json *)w;

	(void)omitted;
	mp_out_char(j->out, ']');
	return mp_out_error(j->out, err);
}

void mp_rows_json_init(struct mp_rows_json *json, struct mp_out *out, bool objects)
{
	*json = (struct mp_rows_json){
	    .writer = {.section = section, .row = row, .end = end}, .out = out, .objects = objects};
}

/* Sums a rank up. */

int mp_aggregate_write(struct mp_db *db, const char *name, struct mp_out *out, struct mp_error *err)
{
	struct mp_section_options options = {.style = MP_STYLE_DEFAULT};
	struct mp_rows_json json;
	struct mp_reports reports;
	int status = 0;

	if (mp_reports_load_folder(&reports, "cluster/rank", "prof", MP_STYLE_DEFAULT, err))
		return -1;
	mp_rows_json_init(&json, out, false);
	mp_out_text(out, MP_AGGREGATE_BEGIN ",\n\"name\": ");
	mp_json_string(out, name, strlen(name));
	for (size_t i = 0; !status && i < reports.count; i++)
		status = mp_report_show(&reports.items[i], db, &options, &json.writer, err);
	mp_out_text(out, "}\n");
	mp_reports_free(&reports);
	return status ? -1 : mp_out_error(out, err);
}
