/* team.c: opens further connections to the file of a database. */
#define _GNU_SOURCE /* sched_getaffinity: the process may be bound to some processors */
#include "store/team.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>

#include "store/connection.h"
#include "store/sink.h"

int mp_team_processors(void)
{
	cpu_set_t set;
	int count = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return count < MP_TEAM_MAX ? count : MP_TEAM_MAX;
}

void mp_team_begin(struct mp_team *team, struct mp_db *db, int wanted)
{
	if (db->plain & MP_PLAIN_THREADS)
		wanted = 1;
	*team = (struct mp_team){.dbs = {db}, .count = 1, .wanted = wanted < MP_TEAM_MAX ? wanted : MP_TEAM_MAX};
}

/* Copy the rows of a temporary table, which both connections have. */
static int copy_rows(struct mp_db *to, struct mp_db *from, const char *table, struct mp_error *err)
{
	char sql[64];
	struct mp_query *rows;
	int status;

	snprintf(sql, sizeof(sql), "SELECT * FROM temp.%s", table);
	if (mp_query_open(&rows, from, sql, strlen(sql), err))
		return -1;
	status = mp_sink_query(to, NULL, table, rows, err);
	mp_query_close(rows);
	return status;
}

/* Returns another connection with the same choice, or NULL on error and where only this one has the tables. */
static struct mp_db *open_again(struct mp_db *db)
{
	struct mp_error err;
	struct mp_db *d;

	if (db->fd < 0 || db->narrowed || mp_db_open_again(&d, db, &err))
		return NULL;
	if (mp_db_run(d, "PRAGMA cache_size=-1000; DELETE FROM temp.choice;", &err) == 0 &&
	    copy_rows(d, db, "choice", &err) == 0 && copy_rows(d, db, "unwanted", &err) == 0 &&
	    copy_rows(d, db, "time_range", &err) == 0 && copy_rows(d, db, "wanted_device", &err) == 0) {
		d->limits = db->limits;
		return d;
	}
	mp_db_close(d);
	return NULL;
}

void mp_team_grow(struct mp_team *team)
{
	while (team->count < team->wanted && (team->dbs[team->count] = open_again(team->dbs[0])))
		team->count++;
	team->wanted = team->count; /* do not try again after an error */
}

void mp_team_end(struct mp_team *team)
{
	while (team->count > 1)
		mp_db_close(team->dbs[--team->count]);
}
