/* team.c: opens further connections to the file of a database. */
#define _GNU_SOURCE /* sched_getaffinity: the process may be bound to some processors */
#include "store/team.h"

#include <sched.h>
#include <string.h>

#include "store/connection.h"

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

/* Run `insert` with each row of `select`. The parameters have the names of the columns. */
static int copy_rows(struct mp_db *to, struct mp_db *from, const char *select, const char *insert, struct mp_error *err)
{
	struct mp_query *rows, *put = NULL;
	int status;

	if (mp_query_open(&rows, from, select, strlen(select), err))
		return -1;
	status = mp_query_open(&put, to, insert, strlen(insert), err);
	while (!status && (status = mp_query_next(rows, err)) == 1) {
		status = 0;
		for (int i = 0; !status && i < mp_query_column_count(rows); i++) {
			struct mp_value v = mp_query_value(rows, i);

			status = mp_query_bind(put, mp_query_title(rows, i), &v, err);
		}
		if (!status)
			status = mp_query_next(put, err);
		mp_query_rewind(put);
	}
	mp_query_close(put);
	mp_query_close(rows);
	return status;
}

/* Returns another connection with the same choice, or NULL on error. */
static struct mp_db *open_again(struct mp_db *db)
{
	struct mp_error err;
	struct mp_db *d;

	if (db->fd < 0 || mp_db_open_again(&d, db, &err))
		return NULL;
	if (mp_db_run(d, "PRAGMA cache_size=-1000; DELETE FROM temp.choice;", &err) == 0 &&
	    copy_rows(d, db, "SELECT * FROM temp.choice",
		"INSERT INTO temp.choice VALUES(:job, :label, :dir, :model_id, :iteration_id, :iteration_count, :chosen, :step, :each_step, :grouping, :opened_s)",
		&err) == 0 &&
	    copy_rows(d, db, "SELECT * FROM temp.unwanted", "INSERT INTO temp.unwanted VALUES(:layer)", &err) == 0 &&
	    copy_rows(d, db, "SELECT * FROM temp.time_range",
		"INSERT INTO temp.time_range VALUES(:clock, :from_ns, :to_ns)", &err) == 0 &&
	    copy_rows(d, db, "SELECT * FROM temp.wanted_device", "INSERT INTO temp.wanted_device VALUES(:device_id)",
		&err) == 0) {
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
