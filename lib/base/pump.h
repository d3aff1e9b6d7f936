/*
 * pump.h: rows of numbers in batches; a thread makes batches while the consumer stores earlier batches.
 *
 * The thread does not touch the database. When the thread needs the database, mp_pump_call runs a function on the
 * consumer's thread. With one processor there is no thread, and the results are the same. The pump owns thread and
 * batches; free with mp_pump_stop.
 */
#ifndef MP_BASE_PUMP_H
#define MP_BASE_PUMP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

enum { MP_PUMP_BATCHES = 3 };

/* The source of the rows. */
struct mp_pump_rows {
	void *user;
	int columns;
	/*
	 * Make the next row and tell which values are NULL. Returns 1 for a row, 0 at the end, -1 on error. Called by
	 * the thread.
	 */
	int (*next)(void *user, int64_t *values, bool *nulls, struct mp_error *err);
	/*
	 * Both may be NULL. The thread calls `begin` when it begins a batch; the consumer calls `take` when it takes
	 * the batch. Data kept by batch number is used by one of them at a time.
	 */
	void (*begin)(void *user, int batch);
	int (*take)(void *user, int batch, struct mp_error *err);
};

struct mp_pump;

/*
 * Start a pump. `threaded` tells whether the work is worth a thread. Returns 0, or -1 when out of memory; stop the pump
 * then, too.
 */
int mp_pump_start(struct mp_pump **pump, const struct mp_pump_rows *rows, bool threaded, struct mp_error *err);

/* Move to the next row. Returns 1 for a row, 0 at the end, -1 on error. */
int mp_pump_next(struct mp_pump *pump, struct mp_error *err);

/* The values of the current row, and which of them are NULL; valid until the next row. */
const int64_t *mp_pump_row(const struct mp_pump *pump, const bool **nulls);

/* End the thread at once, and free. NULL is allowed. */
void mp_pump_stop(struct mp_pump *pump);

/*
 * Called by the thread: run `function` on the consumer's thread and wait for its result. A call by the consumer runs
 * the function directly.
 */
int mp_pump_call(
    struct mp_pump *pump, int (*function)(void *user, struct mp_error *err), void *user, struct mp_error *err);

/* Work the consumer runs while it waits for rows, before later calls of mp_pump_call. */
struct mp_pump_job {
	int (*function)(void *user, struct mp_error *err);
	void *user;
	struct mp_error err;
	int status;
	bool begun, done;
};

/* Called by the thread, for one job at a time: ask for the job, and wait for its status. */
void mp_pump_ask(struct mp_pump *pump, struct mp_pump_job *job);
int mp_pump_wait(struct mp_pump *pump, struct mp_pump_job *job, struct mp_error *err);

#endif
