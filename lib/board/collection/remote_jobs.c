/* remote_jobs.c: lists the JOB directories of a board, and compares two lists. */
#include "board/collection/collect_internal.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "board/connection/pipe.h"

enum { ANSWER_MAX = 4 << 20, TRIES = 3 };

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct mp_remote_job *)a)->path, ((const struct mp_remote_job *)b)->path);
}

static int by_identity(const void *a, const void *b)
{
	const struct mp_remote_job *x = a, *y = b;

	if (x->device != y->device)
		return x->device < y->device ? -1 : 1;
	if (x->inode != y->inode)
		return x->inode < y->inode ? -1 : 1;
	return (x->mtime_s > y->mtime_s) - (x->mtime_s < y->mtime_s);
}

int mp_remote_jobs_add(
    struct mp_remote_jobs *jobs, const struct mp_remote_job *job, const char *path, struct mp_error *err)
{
	if (!mp_vec_room(jobs->items, jobs->count, 1))
		return mp_fail_memory(err, "the list of JOBs");
	jobs->items[jobs->count] = *job;
	jobs->items[jobs->count].path = strdup(path);
	if (!jobs->items[jobs->count].path)
		return mp_fail_memory(err, "the list of JOBs");
	jobs->count++;
	return 0;
}

int mp_remote_jobs_add_place(struct mp_remote_jobs *jobs, const char *path, uint64_t device, struct mp_error *err)
{
	struct mp_remote_place *place = &jobs->places[jobs->place_count];

	if (jobs->place_count == MP_REMOTE_PLACES)
		return mp_fail(err, "more than %d directories with JOBs", MP_REMOTE_PLACES);
	*place = (struct mp_remote_place){strdup(path), device};
	if (!place->path)
		return mp_fail_memory(err, "the list of JOBs");
	jobs->place_count++;
	return 0;
}

const char *mp_remote_numbers(const char *text, int64_t *numbers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *end;

		if (*text != '-' && !(*text >= '0' && *text <= '9'))
			return NULL;
		errno = 0;
		numbers[i] = (int64_t)strtoull(text, &end, 10); /* inodes may need all bits */
		if (*end != ' ' || errno)
			return NULL;
		text = end + 1;
	}
	return text;
}

/* A path that is too long is in no list, and so never new. */
static int take_job(struct mp_remote_jobs *jobs, const char *below, const int64_t *numbers, struct mp_error *err)
{
	const struct mp_remote_job job = {
	    .device = (uint64_t)numbers[0], .inode = (uint64_t)numbers[1], .mtime_s = numbers[2]};
	const char *place = jobs->places[jobs->place_count - 1].path;
	char path[MP_REMOTE_PATH];

	if (snprintf(path, sizeof(path), "%s/%s", place[1] ? place : "", below) >= (int)sizeof(path))
		return 0;
	return mp_remote_jobs_add(jobs, &job, path, err);
}

/*
 * Take a record of list_jobs.sh. *open: of the last place nothing is known yet, not even that find can list it. Returns
 * 1 for the last record, 0 for others, -1 on error.
 */
static int take_record(struct mp_remote_jobs *jobs, const char *text, bool *open, struct mp_error *err)
{
	const char *rest;
	int64_t n[3];

	if (!*open && strcmp(text, "end") == 0)
		return 1;
	if (!*open && strncmp(text, "place /", 7) == 0) {
		*open = true;
		return mp_remote_jobs_add_place(jobs, text + 6, 0, err);
	}
	if (!*open && strncmp(text, "missing ", 8) == 0) {
		rest = mp_remote_numbers(text + 8, n, 1);
		return rest && *rest == '/' ? mp_remote_jobs_add_place(jobs, rest, (uint64_t)n[0], err)
					    : mp_fail(err, "unexpected answer");
	}
	rest = jobs->place_count ? mp_remote_numbers(text, n, 3) : NULL;
	if (rest && *open && strcmp(rest, ".") == 0) {
		*open = false;
		jobs->places[jobs->place_count - 1].device = (uint64_t)n[0];
		return 0;
	}
	if (rest && !*open && strncmp(rest, "./", 2) == 0 && rest[2])
		return take_job(jobs, rest + 2, n, err);
	return mp_fail(err, "unexpected answer");
}

/* The "//" and newline that end the first record, whose names may have newlines; NULL: no record is whole. */
static char *find_end(char *answer)
{
	for (char *at = answer; (at = strchr(at, '\n')) != NULL; at++)
		if (at - answer >= 2 && at[-1] == '/' && at[-2] == '/')
			return at - 2;
	return NULL;
}

/* Only an answer that ends with the record "end", and has each directory, is a list. */
static int parse(struct mp_remote_jobs *jobs, char *answer, size_t dir_count, struct mp_error *err)
{
	bool open = false;
	char *end;
	int last = 0;

	while (!last && (end = find_end(answer)) != NULL) {
		*end = '\0';
		last = take_record(jobs, answer, &open, err);
		answer = end + 3;
	}
	if (last < 0)
		return -1;
	return last && !*answer && jobs->place_count == dir_count ? 0 : mp_fail(err, "the answer is not whole");
}

static void drop_twins(struct mp_remote_jobs *jobs)
{
	size_t kept = 0;

	if (jobs->count)
		qsort(jobs->items, jobs->count, sizeof(jobs->items[0]), by_path);
	for (size_t i = 0; i < jobs->count; i++) {
		if (kept && strcmp(jobs->items[kept - 1].path, jobs->items[i].path) == 0)
			free(jobs->items[i].path);
		else
			jobs->items[kept++] = jobs->items[i];
	}
	jobs->count = kept;
}

/* Read the whole answer. Returns the exit status, or -1. An answer that does not fit is cut, and so not whole. */
static int read_answer(struct mp_pipe *pipe, char *answer, struct mp_error *err)
{
	size_t len = 0;
	int status = 0;
	ssize_t n = 1;

	while (len < ANSWER_MAX - 1 && n > 0) {
		n = mp_pipe_read(pipe, answer + len, ANSWER_MAX - 1 - len, err);
		if (n < 0)
			return -1;
		len += (size_t)n;
	}
	answer[len] = '\0';
	return mp_pipe_finish(pipe, &status, err) ? -1 : status;
}

/* Returns 0, 1 when another try may help, -1 on error. */
static int try_list(
    struct mp_remote_jobs *jobs, struct mp_pipe *pipe, char *answer, size_t dir_count, struct mp_error *err)
{
	const char *name = mp_board_name(pipe->board);
	struct mp_error why;
	int status = read_answer(pipe, answer, err);

	if (status < 0)
		return -1;
	if (status > 0) {
		mp_fail_board(err, "cannot %s (exit status %d)", name, pipe->budget.what, status);
		mp_pipe_blame(pipe, err);
		return 1;
	}
	if (parse(jobs, answer, dir_count, &why))
		return mp_fail_because(err, &why, "board '%s': cannot %s: %s", name, pipe->budget.what, why.text);
	drop_twins(jobs);
	return 0;
}

/* A directory that goes while it is searched fails a try: the program may be at work. */
int mp_remote_jobs_list(struct mp_remote_jobs *jobs, struct mp_board *board, const struct mp_remote *remote,
    const char *const *dirs, size_t dir_count, const struct mp_watch *watch, struct mp_error *err)
{
	struct mp_progress progress = {.watch = watch};
	struct mp_script script;
	char what[512], *answer;
	int status = 1;

	*jobs = (struct mp_remote_jobs){0};
	snprintf(what, sizeof(what), "list the JOBs below '%.400s'", dirs[0]);
	mp_script_start(&script);
	mp_script_argument(&script, remote->list ? remote->find_plus ? "stat find_plus" : "stat" : "");
	for (size_t i = 0; i < dir_count; i++)
		mp_script_directory_argument(&script, dirs[i]);
	mp_script_body(&script, mp_sh_list_jobs);
	answer = malloc(ANSWER_MAX);
	if (!answer)
		return mp_fail_memory(err, "the list of JOBs");
	if (mp_script_check(&script, err))
		status = -1;
	for (int i = 0; i < TRIES && status > 0; i++) {
		struct mp_pipe pipe = {0};

		status = -1;
		if (!mp_pipe_open(&pipe, board, script.text, what, &progress, err)) {
			mp_pipe_budget(&pipe, MP_BUDGET_LISTING);
			status = try_list(jobs, &pipe, answer, dir_count, err);
		}
		mp_pipe_close(&pipe);
	}
	free(answer);
	if (!status)
		return 0;
	mp_remote_jobs_free(jobs);
	return -1;
}

static bool is_below(const char *path, const char *place)
{
	size_t len = strlen(place);

	return strcmp(place, "/") == 0 || (strncmp(path, place, len) == 0 && path[len] == '/');
}

/* known: the JOBs of the earlier list, by identity */
static bool is_created(
    const struct mp_remote_job *job, const struct mp_remote_jobs *earlier, const struct mp_remote_job *known)
{
	bool within = false;

	if (!job->device || !job->inode)
		return false;
	for (size_t i = 0; i < earlier->place_count; i++)
		within |= earlier->places[i].device == job->device && is_below(job->path, earlier->places[i].path);
	return within && !(earlier->count && bsearch(job, known, earlier->count, sizeof(*known), by_identity));
}

int mp_remote_jobs_subtract(struct mp_remote_jobs *jobs, const struct mp_remote_jobs *earlier, struct mp_error *err)
{
	struct mp_remote_job *known = calloc(earlier->count + 1, sizeof(*known));
	size_t kept = 0;

	if (!known)
		return mp_fail_memory(err, "the list of JOBs");
	for (size_t i = 0; i < earlier->count; i++)
		known[i] = earlier->items[i];
	qsort(known, earlier->count, sizeof(*known), by_identity);
	for (size_t i = 0; i < jobs->count; i++) {
		struct mp_remote_job *job = &jobs->items[i];

		if (earlier->count && bsearch(job, earlier->items, earlier->count, sizeof(*job), by_path)) {
			free(job->path);
			continue;
		}
		job->created = is_created(job, earlier, known);
		jobs->items[kept++] = *job;
	}
	jobs->count = kept;
	free(known);
	return 0;
}

int mp_remote_jobs_move(struct mp_remote_jobs *to, struct mp_remote_jobs *jobs, struct mp_error *err)
{
	if (!mp_vec_room(to->items, to->count, jobs->count))
		return mp_fail_memory(err, "the list of JOBs");
	for (size_t i = 0; i < jobs->count; i++)
		to->items[to->count++] = jobs->items[i];
	jobs->count = 0;
	drop_twins(to);
	for (size_t i = 0; i < to->place_count; i++)
		free(to->places[i].path);
	memcpy(to->places, jobs->places, sizeof(to->places));
	to->place_count = jobs->place_count;
	jobs->place_count = 0;
	return 0;
}

void mp_remote_jobs_free(struct mp_remote_jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++)
		free(jobs->items[i].path);
	for (size_t i = 0; i < jobs->place_count; i++)
		free(jobs->places[i].path);
	free(jobs->items);
	*jobs = (struct mp_remote_jobs){0};
}
