/* pump.c: two threads with a few batches between them. Knows no column. */
#include "base/pump.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/thread.h"

enum { ROWS = 512 };

struct pump_batch {
	int rows;
	int status;      /* 1: more batches follow; 0: the last batch; -1: error */
	int64_t *values; /* by row and column */
	bool *nulls;
};

/* A call that runs on the consumer's thread. */
struct request {
	int (*function)(void *user, struct mp_error *err);
	void *user;
	struct mp_error *err;
	int status;
	bool done;
};

struct mp_pump {
	struct mp_pump_rows of;
	struct pump_batch batches[MP_PUMP_BATCHES];
	struct pump_batch *at; /* the batch being read, or NULL */
	int row;
	bool threaded;
	pthread_t thread, owner; /* owner: the consumer's thread */
	pthread_mutex_t lock;    /* guards all members below */
	pthread_cond_t changed;
	uint64_t filled, taken; /* number of batches */
	struct request *request;
	struct mp_pump_job *job;
	bool stop;
	struct mp_error err; /* of a batch with an error */
};

static void fill(struct mp_pump *p, struct pump_batch *b)
{
	size_t columns = (size_t)p->of.columns;

	if (p->of.begin)
		p->of.begin(p->of.user, (int)(b - p->batches));
	for (b->rows = 0; b->rows < ROWS; b->rows++) {
		size_t at = (size_t)b->rows * columns;

		b->status = p->of.next(p->of.user, b->values + at, b->nulls + at, &p->err);
		if (b->status != 1)
			break;
	}
}

static void *run(void *user)
{
	struct mp_pump *p = user;
	struct pump_batch *b;
	bool stop, more = true;

	while (more) {
		pthread_mutex_lock(&p->lock);
		while (p->filled - p->taken == MP_PUMP_BATCHES && !p->stop)
			pthread_cond_wait(&p->changed, &p->lock);
		stop = p->stop;
		b = &p->batches[p->filled % MP_PUMP_BATCHES];
		pthread_mutex_unlock(&p->lock);
		if (stop)
			break;
		fill(p, b);
		more = b->status == 1;
		pthread_mutex_lock(&p->lock);
		p->filled++;
		pthread_cond_broadcast(&p->changed);
		pthread_mutex_unlock(&p->lock);
	}
	return NULL;
}

int mp_pump_call(struct mp_pump *p, int (*function)(void *user, struct mp_error *err), void *user, struct mp_error *err)
{
	struct request r = {function, user, err, -1, false};

	if (!p->threaded || pthread_equal(pthread_self(), p->owner))
		return function(user, err);
	pthread_mutex_lock(&p->lock);
	p->request = &r;
	pthread_cond_broadcast(&p->changed);
	while (!r.done && !p->stop)
		pthread_cond_wait(&p->changed, &p->lock);
	p->request = NULL;
	pthread_mutex_unlock(&p->lock);
	return r.done ? r.status : mp_fail(err, "given up");
}

void mp_pump_ask(struct mp_pump *p, struct mp_pump_job *job)
{
	if (!p->threaded) {
		job->status = job->function(job->user, &job->err);
		job->done = true;
		return;
	}
	pthread_mutex_lock(&p->lock);
	p->job = job;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

int mp_pump_wait(struct mp_pump *p, struct mp_pump_job *job, struct mp_error *err)
{
	pthread_mutex_lock(&p->lock);
	while (!job->done && !p->stop)
		pthread_cond_wait(&p->changed, &p->lock);
	p->job = NULL;
	pthread_mutex_unlock(&p->lock);
	if (!job->done)
		return mp_fail(err, "given up");
	if (job->status)
		*err = job->err;
	return job->status;
}

/* Run a function without the lock, because the other thread waits or does other work. */
static void serve(struct mp_pump *p, int (*function)(void *user, struct mp_error *err), void *user,
    struct mp_error *err, int *status, bool *done)
{
	pthread_mutex_unlock(&p->lock);
	*status = function(user, err);
	pthread_mutex_lock(&p->lock);
	*done = true;
	pthread_cond_broadcast(&p->changed);
}

/* Until a batch is ready, run the functions that the other thread asks for. */
static void wait_for_batch(struct mp_pump *p)
{
	pthread_mutex_lock(&p->lock);
	while (p->filled == p->taken) {
		struct request *r = p->request;
		struct mp_pump_job *job = p->job;

		if (job && !job->begun) { /* before later calls, so that the order never depends on timing */
			job->begun = true;
			serve(p, job->function, job->user, &job->err, &job->status, &job->done);
		} else if (r && !r->done) {
			serve(p, r->function, r->user, r->err, &r->status, &r->done);
		} else {
			pthread_cond_wait(&p->changed, &p->lock);
		}
	}
	pthread_mutex_unlock(&p->lock);
}

static void release_batch(struct mp_pump *p)
{
	pthread_mutex_lock(&p->lock);
	p->taken++;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	p->at = NULL;
}

static int take_batch(struct mp_pump *p, struct mp_error *err)
{
	if (p->threaded)
		wait_for_batch(p);
	else
		fill(p, &p->batches[0]);
	p->at = &p->batches[p->taken % MP_PUMP_BATCHES];
	p->row = -1;
	return p->of.take ? p->of.take(p->of.user, (int)(p->at - p->batches), err) : 0;
}

int mp_pump_next(struct mp_pump *p, struct mp_error *err)
{
	while (!p->at || ++p->row >= p->at->rows) {
		int status = p->at ? p->at->status : 1;

		if (status < 0)
			*err = p->err;
		if (status != 1)
			return status;
		if (p->at && p->threaded)
			release_batch(p);
		if (take_batch(p, err))
			return -1;
	}
	return 1;
}

const int64_t *mp_pump_row(const struct mp_pump *p, const bool **nulls)
{
	size_t at = (size_t)p->row * (size_t)p->of.columns;

	*nulls = p->at->nulls + at;
	return p->at->values + at;
}

int mp_pump_start(struct mp_pump **pump, const struct mp_pump_rows *rows, bool threaded, struct mp_error *err)
{
	struct mp_pump *p = calloc(1, sizeof(*p));
	size_t cells = (size_t)ROWS * (size_t)rows->columns;

	*pump = p;
	if (!p)
		return mp_fail_memory(err, "rows");
	p->of = *rows;
	p->owner = pthread_self();
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->changed, NULL);
	for (int i = 0; i < MP_PUMP_BATCHES; i++) {
		p->batches[i].values = malloc(cells * sizeof(*p->batches[i].values) + 1);
		p->batches[i].nulls = malloc(cells * sizeof(*p->batches[i].nulls) + 1);
		if (!p->batches[i].values || !p->batches[i].nulls)
			return mp_fail_memory(err, "rows");
	}
	p->threaded = threaded && sysconf(_SC_NPROCESSORS_ONLN) > 1;
	if (p->threaded && mp_thread_start(&p->thread, run, p))
		p->threaded = false;
	return 0;
}

void mp_pump_stop(struct mp_pump *p)
{
	if (!p)
		return;
	if (p->threaded) {
		pthread_mutex_lock(&p->lock);
		p->stop = true;
		pthread_cond_broadcast(&p->changed);
		pthread_mutex_unlock(&p->lock);
		pthread_join(p->thread, NULL);
	}
	for (int i = 0; i < MP_PUMP_BATCHES; i++) {
		free(p->batches[i].values);
		free(p->batches[i].nulls);
	}
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->changed);
	free(p);
}
