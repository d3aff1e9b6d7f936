/*
 * pump.h: rows of numbers in batches, made by a thread of their own while those before are stored. Internal to the
 * store.
 *
 * The thread does not touch the database: what it needs there is done by the thread that takes the batches, see
 * mp_on_main. With one processor there is no thread, and all else is the same.
 */
#ifndef MP_STORE_PUMP_H
#define MP_STORE_PUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { MP_PUMP_BATCHES = 3 };

/* What makes rows. */
struct mp_pump_rows {
	void *user;
	int columns;
	/* The next row, and which of its values are NULL: 1; 0: there are no more; -1: error. Called by the thread. */
	int (*next)(void *user, int64_t *values, bool *nulls, struct mp_error *err);
	/* Both may be NULL: a batch is begun, by the thread, and its rows are there, to the one that takes it. What is
	   kept by batch is of one of them at a time. */
	void (*begin)(void *user, int batch);
	int (*take)(void *user, int batch, struct mp_error *err);
};

struct mp_pump;

/* `threaded`: there is enough to do for a thread. Fails without memory. */
int mp_pump_start(struct mp_pump **pump, const struct mp_pump_rows *rows, bool threaded, struct mp_error *err);

/* The next row: 1; 0: all were given; -1: error. */
int mp_pump_next(struct mp_pump *pump, struct mp_error *err);

/* The values of the current row, and which of them are NULL; valid until the next one. */
const int64_t *mp_pump_row(const struct mp_pump *pump, const bool **nulls);

/* Ends the thread, whatever it does. NULL is fine. */
void mp_pump_stop(struct mp_pump *pump);

/* Called by the thread: let `function` run where the database may be used, and wait for it. Called there, too: it just
 * runs. */
int mp_pump_call(
    struct mp_pump *pump, int (*function)(void *user, struct mp_error *err), void *user, struct mp_error *err);

/* Something that the one who takes the rows does while there are none, and before all that the thread lets it do from
 * then on. */
struct mp_pump_job {
	int (*function)(void *user, struct mp_error *err);
	void *user;
	struct mp_error err;
	int status;
	bool begun, done;
};

/* Called by the thread, about one job at a time: have it done, and wait for that: its status. */
void mp_pump_ask(struct mp_pump *pump, struct mp_pump_job *job);
int mp_pump_wait(struct mp_pump *pump, struct mp_pump_job *job, struct mp_error *err);

#endif
