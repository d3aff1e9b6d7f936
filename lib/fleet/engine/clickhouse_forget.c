/*
 * clickhouse_forget.c: removes rows of loads: those that were replaced or cut, and those of jobs that are forgotten.
 *
 * A mutation removes rows some time later. Nobody sees those of loads that no job tells as its own.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/schema.h"
#include "fleet/engine/clickhouse.h"

/* Loads that are removed at a time: ClickHouse takes statements of up to 256 KiB. */
enum { DAY_S = 86400, LOADS_MAX = 4000, PAUSE_MS = 20, TTL_SINCE = 1906 /* version 19.6 */ };

/* Tables with rows of jobs, but that which tells the load of a job. */
static int shard_tables(struct mp_clickhouse *c, char *names, size_t size, struct mp_error *err)
{
	const char *text;
	char sql[256];

	snprintf(sql, sizeof(sql),
	    "SELECT name FROM system.tables WHERE database = '%s' AND match(name, '_shard$') AND name <> 'job_shard'",
	    c->database);
	if (mp_http_read(c->http, sql, &text, err))
		return -1;
	if (*text && text[strlen(text) - 1] != '\n')
		return mp_fail(err, "an answer that ClickHouse does not give: is it another server?");
	return snprintf(names, size, "%s", text) < (int)size ? 0 : mp_fail(err, "too many tables");
}

int mp_clickhouse_pairs(struct mp_clickhouse *c, const char *sql, char **pairs, struct mp_error *err)
{
	size_t size = strlen(sql) + 256;
	char *listed = malloc(size);
	const char *text;
	int status = listed ? 0 : mp_fail_memory(err, "a statement");

	*pairs = NULL;
	if (!status) {
		snprintf(listed, size,
		    "SELECT arrayStringConcat(groupArray(concat('(', toString(job), ',', toString(load), ')')), ',') "
		    "FROM (%s)",
		    sql);
		status = mp_http_read(c->http, listed, &text, err);
	}
	free(listed);
	if (status)
		return -1;
	if (strspn(text, "(),0123456789") != strcspn(text, "\n"))
		return mp_fail(err, "an answer that ClickHouse does not give: is it another server?");
	if (*text == '\n' || !*text)
		return 0;
	*pairs = strndup(text, strcspn(text, "\n"));
	return *pairs ? 0 : mp_fail_memory(err, "a statement");
}

int mp_clickhouse_remove(struct mp_clickhouse *c, const char *pairs, struct mp_error *err)
{
	size_t size = strlen(pairs) + 512;
	char names[4096], *sql = malloc(size);
	int status = sql ? shard_tables(c, names, sizeof(names), err) : mp_fail_memory(err, "a statement");

	for (const char *name = names; !status && *name; name += strcspn(name, "\n") + 1) {
		snprintf(sql, size, "ALTER TABLE %s.%.*s DELETE WHERE (job, load) IN (%s)", c->database,
		    (int)strcspn(name, "\n"), name, pairs);
		status = mp_clickhouse_run(c, sql, err);
	}
	free(sql);
	return status;
}

/* Rows of loads that began more than a day ago, and that no job tells as its load. */
static int sweep_table(struct mp_clickhouse *c, const char *name, int len, struct mp_error *err)
{
	int64_t before_ns = ((int64_t)time(NULL) - DAY_S) * 1000000000;
	char sql[512], *pairs;
	int status;

	snprintf(sql, sizeof(sql),
	    "SELECT DISTINCT job, load FROM %s.%.*s WHERE load < %" PRId64
	    " AND (job, load) NOT IN (SELECT job, load FROM %s.job_shard FINAL) LIMIT %d",
	    c->database, len, name, before_ns, c->database, LOADS_MAX);
	status = mp_clickhouse_pairs(c, sql, &pairs, err) || (pairs && mp_clickhouse_remove(c, pairs, err)) ? -1 : 0;
	free(pairs);
	return status;
}

int mp_clickhouse_sweep(void *connection, struct mp_error *err)
{
	struct mp_clickhouse *c = connection;
	char names[4096];
	int status = shard_tables(c, names, sizeof(names), err);

	for (const char *name = names; !status && *name; name += strcspn(name, "\n") + 1)
		status = sweep_table(c, name, (int)strcspn(name, "\n"), err);
	return status;
}

/* Remove the rows that tell loads, and wait until they are gone. */
static int remove_told(struct mp_clickhouse *c, const char *pairs, struct mp_error *err)
{
	const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000};
	size_t size = strlen(pairs) + 256;
	char *sql = malloc(size);
	int64_t limit_ms, left = 1;
	int status = sql ? mp_patience_limit(&limit_ms, err) : mp_fail_memory(err, "a statement");

	if (!status) {
		snprintf(sql, size, "ALTER TABLE %s.job_shard DELETE WHERE (job, load) IN (%s)", c->database, pairs);
		status = mp_clickhouse_run(c, sql, err);
	}
	for (int64_t waited_ms = 0; !status && left; waited_ms += PAUSE_MS) {
		snprintf(sql, size, "SELECT count() FROM %s.job_shard WHERE (job, load) IN (%s)", c->database, pairs);
		status = mp_http_number(c->http, sql, &left, err);
		if (!status && left && waited_ms >= limit_ms)
			status = mp_fail(err, "ClickHouse does not remove rows of %s.job_shard", c->database);
		if (!status && left)
			nanosleep(&pause, NULL);
	}
	free(sql);
	return status;
}

/* From now on the server removes jobs itself, where its version can. */
static int keep(struct mp_clickhouse *c, int days, struct mp_error *err)
{
	const char *text;
	char *rest;
	long version;

	if (mp_http_read(c->http, "SELECT version()", &text, err))
		return -1;
	version = strtol(text, &rest, 10) * 100;
	version += *rest == '.' ? strtol(rest + 1, NULL, 10) : 0;
	c->days = days;
	return version >= TTL_SINCE ? mp_clickhouse_script(c, mp_schema_text("fleet/clickhouse/keep.sql"), err) : 0;
}

int mp_clickhouse_forget(void *connection, const struct mp_forget *which, int64_t *jobs, struct mp_error *err)
{
	struct mp_clickhouse *c = connection;
	char quoted[1024], condition[1100], sql[1400], *pairs = NULL;
	int status;

	if (which->run && mp_clickhouse_quote(c, quoted, sizeof(quoted), which->run, err))
		return -1;
	if (which->run)
		snprintf(condition, sizeof(condition), "run = %s", quoted);
	else
		snprintf(condition, sizeof(condition), "published < now() - %" PRId64, (int64_t)which->days * DAY_S);
	snprintf(sql, sizeof(sql), "SELECT count() FROM %s.job_current WHERE %s", c->database, condition);
	status = mp_http_number(c->http, sql, jobs, err);
	snprintf(sql, sizeof(sql), "SELECT job, load FROM %s.job_shard WHERE %s LIMIT %d", c->database, condition,
	    LOADS_MAX);
	while (!status && (status = mp_clickhouse_pairs(c, sql, &pairs, err)) == 0 && pairs) {
		status = remove_told(c, pairs, err) || mp_clickhouse_remove(c, pairs, err) ? -1 : 0;
		free(pairs);
	}
	return status || which->run ? status : keep(c, which->days, err);
}
