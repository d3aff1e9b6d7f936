/* publish_jobs.c: readers, each a process in a sandbox that takes the next job, reads it, and sends it to an
 * msprof-publish of its own. The first process waits, and shows how far they are. Shards have their jobs as a sorted
 * list. */
#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "publish.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/vec.h"
#include "fleet/send.h"
#include "job_run.h"
#include "launch.h"
#include "terminal.h"

/* How far readers are: one line on a terminal after half a second of work, at most five times a second; at the end a
 * message. */

/* What all readers count, in memory that they share. */
struct publish_counts {
	atomic_size_t next[MP_FLEET_SHARD_MAX]; /* of the jobs of a shard, the first that no reader took */
	atomic_llong rows, tasks, stored;
};

struct publish_progress {
	struct publish_counts *counts;
	size_t jobs;
	struct progress line;
};

/* "3 of 10 jobs, 1234 rows, 0.5 M rows/s": tasks where there are any, else rows. */
static void describe(const struct publish_progress *p, char *text, size_t size)
{
	long long tasks = atomic_load(&p->counts->tasks), rows = atomic_load(&p->counts->rows);
	long long amount = tasks ? tasks : rows;
	struct timespec now;
	double seconds;

	clock_gettime(CLOCK_MONOTONIC, &now);
	seconds = (double)(now.tv_sec - p->line.begun.tv_sec) + (double)(now.tv_nsec - p->line.begun.tv_nsec) / 1e9;
	snprintf(text, size, "%lld of %zu jobs, %lld %s, %.2f M/s", (long long)atomic_load(&p->counts->stored), p->jobs,
	    amount, tasks ? "tasks" : "rows", seconds > 0 ? (double)amount / seconds / 1e6 : 0.0);
}

static void show_progress(void *user)
{
	struct publish_progress *p = user;
	char text[160];

	if (!progress_is_due(&p->line))
		return;
	describe(p, text, sizeof(text));
	fprintf(stderr, "\r\033[Kpublishing: %s", text);
	fflush(stderr);
}

int publish_shards_add(struct publish_shards *s, int64_t shard, const int64_t *jobs, size_t count, struct mp_error *err)
{
	if (shard < 0 || shard >= s->shards)
		return mp_fail(err, "msprof-publish gave an unknown answer");
	if (!mp_vec_room(s->known, s->count, count))
		return mp_fail_memory(err, "jobs");
	for (size_t i = 0; i < count; i++)
		s->known[s->count++] = (struct publish_known){jobs[i], shard};
	return 0;
}

static int by_job(const void *a, const void *b)
{
	const struct publish_known *x = a, *y = b;

	return (x->job > y->job) - (x->job < y->job);
}

void publish_shards_sort(struct publish_shards *s)
{
	if (s->count)
		qsort(s->known, s->count, sizeof(*s->known), by_job);
}

static int publish_shards_find(const struct publish_shards *s, int64_t job)
{
	const struct publish_known key = {.job = job};
	const struct publish_known *found = s->count ? bsearch(&key, s->known, s->count, sizeof(key), by_job) : NULL;

	return (int)(found ? found->shard : job % s->shards);
}

void publish_shards_free(struct publish_shards *s)
{
	free(s->known);
	memset(s, 0, sizeof(*s));
}

/* What a reader does; `counts` is shared by all. */
struct reader {
	const struct publish_target *target;
	struct publish_counts *counts;
	int shard;
	size_t next;   /* of the jobs of this shard, the one that this reader takes */
	size_t passed; /* jobs of this shard that were taken by a reader */
	bool has_next; /* it was not reached yet */
	struct loader loader;
	struct mp_fleet_sender *sender;
	char **sent; /* the paths of jobs that are not answered yet, in their order */
	size_t sent_count;
	bool failed; /* jobs are not stored */
};

/* Returns 0, or -1 when out of memory. */
static int remember(struct reader *r, const char *path)
{
	char *copy = strdup(path);

	if (!copy || !mp_vec_room(r->sent, r->sent_count, 1)) {
		free(copy);
		return -1;
	}
	r->sent[r->sent_count++] = copy;
	return 0;
}

/* Forget jobs: answers come in the order in which jobs were sent. */
static void forget_first(struct reader *r, size_t jobs)
{
	if (jobs > r->sent_count)
		jobs = r->sent_count;
	for (size_t i = 0; i < jobs; i++)
		free(r->sent[i]);
	r->sent_count -= jobs;
	memmove(r->sent, r->sent + jobs, r->sent_count * sizeof(*r->sent));
}

static void note_sent(void *user, int64_t rows, int64_t tasks)
{
	struct reader *r = user;

	atomic_fetch_add(&r->counts->rows, rows);
	atomic_fetch_add(&r->counts->tasks, tasks);
}

static void note_stored(void *user, int64_t jobs)
{
	struct reader *r = user;

	atomic_fetch_add(&r->counts->stored, jobs);
	forget_first(r, (size_t)jobs);
}

static void note_failed(void *user, int64_t jobs, const char *why)
{
	struct reader *r = user;

	r->failed = true;
	for (int64_t i = 0; i < jobs && r->sent_count; i++) {
		message_error("'%s': %s: nothing of the job is stored", r->sent[0], why);
		forget_first(r, 1);
	}
}

/* A directory of a PROF directory of 2022 is known by both names. */
static char *name_of(char *path)
{
	char *slash = strrchr(path, '/'), *above;

	if (strcmp(slash + 1, "host") != 0 && strncmp(slash + 1, "device_", 7) != 0)
		return slash + 1;
	above = memrchr(path, '/', (size_t)(slash - path));
	return above && strncmp(above + 1, "PROF_", 5) == 0 ? above + 1 : slash + 1;
}

/*
 * What a job is known by: its run and its name, which lie in `path` then. Where a run is given for jobs in several
 * directories, the names begin with these: the ranks of a training may have one name.
 */
static struct mp_fleet_job identify(const struct options *o, char *path, bool nested)
{
	struct mp_fleet_job job = {.label = "", .tasks = options_has(o, OPTION_TASKS)};
	char *name = name_of(path), *run;

	if (nested && options_has(o, OPTION_RUN))
		name = (char *)memrchr(path, '/', (size_t)(name - 1 - path)) + 1;
	name[-1] = '\0';
	run = strrchr(path, '/');
	job.name = name;
	job.run = options_has(o, OPTION_RUN) ? o->values[OPTION_RUN] : run ? run + 1 : "";
	return job;
}

static bool is_of_shard(const struct job_run *s, size_t number)
{
	const struct reader *r = s->user;
	char *path = r->target->url->host_count > 1 ? realpath(s->found.paths[number], NULL) : NULL;
	bool is = true;

	if (path) {
		const struct mp_fleet_job job = identify(s->options, path, s->found.nested || r->target->nested);

		is = publish_shards_find(&r->target->shards, mp_fleet_job_number(job.run, job.name)) == r->shard;
	}
	free(path);
	return is;
}

/* Each job of a shard is taken by one of its readers. */
static bool wants_job(struct job_run *s, size_t number)
{
	struct reader *r = s->user;

	if (!is_of_shard(s, number))
		return false;
	if (!r->has_next)
		r->next = atomic_fetch_add(&r->counts->next[r->shard], 1);
	r->has_next = r->passed++ != r->next;
	return !r->has_next;
}

static int send_job(
    struct job_run *s, const struct mp_job *job, struct mp_db *db, const char *family, struct mp_error *err)
{
	struct reader *r = s->user;
	char *path = strdup(job->real_path);
	struct mp_fleet_job sent;
	int status;

	if (!path || remember(r, job->path)) {
		free(path);
		return mp_fail_memory(err, "a path");
	}
	sent = identify(s->options, path, s->found.nested || r->target->nested);
	sent.label = job->label;
	sent.labels = r->target->labels;
	status = mp_fleet_send_job(r->sender, db, family, &sent, err);
	if (status && r->sent_count) /* no answer will come */
		free(r->sent[--r->sent_count]);
	free(path);
	return status;
}

static int publish_database(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	struct facts facts;

	return job_run_choose(s, job, db, err) || job_run_facts(s, db, &facts, err) ||
		       job_aggregates(db, job, facts.family, err) || send_job(s, job, db, facts.family, err)
		   ? -1
		   : 0;
}

static int publish_job(struct job_run *s, const struct mp_job *job)
{
	return job_run_use(s, job, job_run_database(s, job, true), publish_database);
}

/* A lake has none. */
static int end_loader(struct reader *r)
{
	return r->target->url->engine == MP_FLEET_LAKE ? 0 : loader_end(&r->loader);
}

static int begin_reader(struct reader *r, const struct options *o, struct mp_error *err)
{
	const struct mp_fleet_watch watch = {r, note_sent, note_stored, note_failed};
	const struct mp_fleet_url *url = r->target->url;
	char shard[16];
	const char *const words[] = {"load", o->values[OPTION_URL], shard, NULL};

	snprintf(shard, sizeof(shard), "%d", r->shard);
	if (url->engine != MP_FLEET_LAKE && loader_start(&r->loader, words, err))
		return -1;
	if (mp_fleet_sender_open(&r->sender, r->loader.to, r->loader.from, url, &watch, err) == 0)
		return 0;
	end_loader(r);
	return -1;
}

/* The work of a reader. Returns its exit status. */
static int read_jobs(struct reader *r, const struct options *options)
{
	struct options quiet = *options;
	struct job_run s = {
	    .options = &quiet, .wants.deep = true, .user = r, .wants.takes = wants_job, .tells.of_path = true};
	struct mp_error err;
	int status;

	quiet.values[OPTION_QUIET] = ""; /* the lines of several readers would mix */
	if (r->target->url->engine == MP_FLEET_LAKE)
		quiet.values[OPTION_OUTPUT] = r->target->url->path; /* what the sandbox lets it write */
	signal(SIGPIPE, SIG_IGN);
	if (begin_reader(r, options, &err))
		return message_failure(&err);
	status = job_run_all(&s, publish_job);
	if (mp_fleet_send_end(r->sender, &err)) {
		if (!r->sent_count)
			message_failure(&err);
		note_failed(r, (int64_t)r->sent_count, err.text);
	}
	free(r->sent);
	r->loader.to = -1; /* closed */
	mp_fleet_sender_free(r->sender);
	if (end_loader(r) != 0)
		r->failed = true;
	return r->failed ? EXIT_FAILED : status;
}

/* Start a reader, whose process ends here. Returns 0, or -1 with the error printed. */
static int start_reader(struct workers *workers, struct reader *r, const struct options *options)
{
	int started = workers_start(workers), status;

	if (started != 0)
		return started < 0 ? -1 : 0;
	status = read_jobs(r, options);
	fflush(stdout);
	_exit(status);
}

/* Count the jobs below -dir; 0, or -1 with the error printed. */
static int count_jobs(const struct options *o, size_t *count)
{
	struct mp_layouts layouts = {0};
	struct mp_found found = {.count = 0};
	struct mp_error err;
	int status = layouts_load(&layouts, o->values[OPTION_LAYOUTS], &err) ||
			     mp_job_find(&found, o->values[OPTION_DIR], &layouts, true, &err)
			 ? -1
			 : 0;

	if (status)
		message_failure(&err);
	*count = found.count;
	mp_found_free(&found);
	mp_layouts_free(&layouts);
	return status;
}

/* As many readers as jobs at most; of several shards each needs one at least. */
static int reader_count(const struct options *o, const struct mp_fleet_url *url, size_t jobs)
{
	int64_t wanted =
	    options_has(o, OPTION_WORKERS) ? options_number(o, OPTION_WORKERS) : sysconf(_SC_NPROCESSORS_ONLN);

	if (wanted < 1)
		wanted = 1;

	if (wanted > (int64_t)jobs)
		wanted = (int64_t)jobs;
	if (wanted < url->host_count)
		wanted = url->host_count;
	return wanted > WORKERS_MAX ? WORKERS_MAX : (int)wanted;
}

int publish_jobs(const struct publish_target *target)
{
	const struct options *o = target->options;
	struct publish_counts *counts =
	    mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct workers workers = {.count = 0};
	struct publish_progress progress = {.counts = counts};
	int readers, status = EXIT_OK;
	char text[160];

	if (counts == MAP_FAILED)
		return message_error("out of memory");
	if (count_jobs(o, &progress.jobs))
		return EXIT_FAILED;
	readers = reader_count(o, target->url, progress.jobs);
	progress_begin(&progress.line, options_has(o, OPTION_QUIET), "publishing", "");
	for (int i = 0; i < readers && !status; i++) {
		struct reader r = {.target = target, .counts = counts, .shard = i % target->url->host_count};

		status = start_reader(&workers, &r, o) ? EXIT_FAILED : EXIT_OK;
	}
	while (workers.count)
		status = job_run_worse(status, workers_wait(&workers, show_progress, &progress));
	progress_end(&progress.line);
	describe(&progress, text, sizeof(text));
	message_info(o, "published %s", text);
	munmap(counts, sizeof(*counts));
	return status;
}
