/* complete_job.c: asks the database of a job for values. Completion never waits, imports or complains. */
#include "complete_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/schema.h"
#include "base/text.h"
#include "confine.h"
#include "import/job_db.h"

/* Open the directory of the database of the first job; -1: no word names a job that was parsed. */
static int open_first(int count, char **words, const char **job)
{
	struct mp_error ignored;

	for (int i = 0; i < count; i++) {
		const char *value = words[i][0] == '-' ? strchr(words[i], '=') : NULL; /* bash alone parts "-dir=JOB" */
		int jobfd, dirfd;

		*job = value ? value + 1 : words[i];
		jobfd = mp_named_dir(*job, &ignored);
		dirfd = jobfd < 0 ? -1 : mp_dir_open(jobfd, "sqlite", "sqlite", &ignored);
		if (jobfd >= 0)
			close(jobfd); /* nothing was written with it */
		if (dirfd >= 0)
			return dirfd;
	}
	return -1;
}

/* A name that may be anything: whether a terminal and a shell take it as it is, between quotes. */
static bool is_plain(const char *text, size_t len)
{
	char safe[256];

	return len < sizeof(safe) && mp_sanitise(safe, sizeof(safe), text, len) == len &&
	       memcmp(safe, text, len) == 0 && strcspn(safe, "'\"`$\\") == len;
}

static void put_rows(struct mp_db *db, const char *sql, struct mp_error *err)
{
	struct mp_query *q;

	if (mp_query_open(&q, db, sql, strlen(sql), err))
		return;
	while (mp_query_next(q, err) > 0) {
		struct mp_value value = mp_query_value(q, 0);

		if (value.type == MP_INT)
			printf("%" PRId64 "\n", value.i);
		else if (value.type == MP_TEXT && is_plain(value.text, value.len))
			printf("%.*s\n", (int)value.len, value.text);
	}
	mp_query_close(q);
}

void complete_job(const struct option_row *row, int count, char **words)
{
	struct options of_job = {.sides = {.count = 0}};
	struct mp_error err;
	struct mp_db *db;
	const char *job, *sql;
	char family[32], path[128];
	int dirfd = open_first(count, words, &job);

	if (dirfd < 0)
		return;
	of_job.values[OPTION_DIR] = job;
	if (confine(&of_job, &err) == 0 && mp_db_open(&db, dirfd, "msprof.db", job, &err) == 0) {
		if (mp_job_db_meta(db, "family", family, sizeof(family), &err) == 0) {
			snprintf(path, sizeof(path), "complete/%s/%s.sql", family, option_bare(row->names[0]));
			sql = mp_schema_text(path);
			if (!sql) {
				snprintf(path, sizeof(path), "complete/%s.sql", option_bare(row->names[0]));
				sql = mp_schema_text(path);
			}
			if (sql)
				put_rows(db, sql, &err);
		}
		mp_db_close(db);
	}
	close(dirfd);
}
