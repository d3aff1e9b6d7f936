/*
 * send.h: sends jobs to a process that loads them into an engine, or to a lake.
 *
 * What is sent is SQL: each text of schema/fleet/rows gives the rows of a table. The caller owns the descriptors of the
 * pipes, which must stay open as long as the sender; free it with mp_fleet_sender_free. Functions that return int give
 * 0, or -1 with err. One thread at a time.
 */
#ifndef MP_FLEET_SEND_H
#define MP_FLEET_SEND_H

#include <stdbool.h>

#include "fleet/url.h"
#include "store/db.h"

struct mp_fleet_sender;

/* What the caller hears of a load; any member but `user` must be set. */
struct mp_fleet_watch {
	void *user;
	void (*sent)(void *user, int64_t rows, int64_t tasks);     /* since the last call */
	void (*stored)(void *user, int64_t jobs);                  /* so many more are in the database */
	void (*failed)(void *user, int64_t jobs, const char *why); /* so many are not; `why` is foreign text */
};

struct mp_fleet_job {
	const char *run, *name, *label; /* label: "" for none */
	const char *labels;             /* what the user says of it, an object of JSON with texts */
	bool tasks;                     /* whole tasks, too */
};

/* The number of a job, which it keeps in every load. */
int64_t mp_fleet_job_number(const char *run, const char *name);

/* Begin. `to` and `from` are the pipes, which a lake has not; this waits until the other process is ready. */
int mp_fleet_sender_open(struct mp_fleet_sender **sender, int to, int from, const struct mp_fleet_url *url,
    const struct mp_fleet_watch *watch, struct mp_error *err);
void mp_fleet_sender_free(struct mp_fleet_sender *sender);

/* Send a job from its open database, which has its aggregates (insight/advise.h). A job that fails leaves nothing;
 * the sender then is ready for the next one. */
int mp_fleet_send_job(struct mp_fleet_sender *sender, struct mp_db *db, const char *family,
    const struct mp_fleet_job *job, struct mp_error *err);

/* Close `to`, which the caller must not close then, and wait for the last answers. */
int mp_fleet_send_end(struct mp_fleet_sender *sender, struct mp_error *err);

#endif
