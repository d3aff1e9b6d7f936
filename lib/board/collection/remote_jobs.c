/* remote_jobs.c: lists the JOB directories of a board, and compares two lists. */
#include "board/collection/remote_jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board/collection/collection_sh.h"
#include "board/connection/script.h"

enum { ANSWER_MAX = 4 << 20 };

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_job(struct mp_remote_jobs *jobs, const char *path, size_t len, struct mp_error *err)
{
	char **more;

	if (path[0] != '/' || len >= MP_REMOTE_PATH || memchr(path, '\0', len))
		return 0;
	more = realloc(jobs->paths, (jobs->count + 1) * sizeof(*more));
	if (!more)
		return mp_fail_memory(err, "the list of JOBs");
	jobs->paths = more;
	more[jobs->count] = strndup(path, len);
	if (!more[jobs->count])
		return mp_fail_memory(err, "the list of JOBs");
	jobs->count++;
	return 0;
}

/* Each path ends in "//\n", which no path from find contains. */
static int parse_jobs(struct mp_remote_jobs *jobs, const char *answer, struct mp_error *err)
{
	const char *end;

	while ((end = strstr(answer, "//\n")) != NULL) {
		if (add_job(jobs, answer, (size_t)(end - answer), err))
			return -1;
		answer = end + 3;
	}
	return 0;
}

static void drop_twins(struct mp_remote_jobs *jobs)
{
	size_t kept = 0;

	if (jobs->count)
		qsort(jobs->paths, jobs->count, sizeof(jobs->paths[0]), by_text);
	for (size_t i = 0; i < jobs->count; i++) {
		if (kept && strcmp(jobs->paths[kept - 1], jobs->paths[i]) == 0)
			free(jobs->paths[i]);
		else
			jobs->paths[kept++] = jobs->paths[i];
	}
	jobs->count = kept;
}

int mp_remote_jobs_list(struct mp_remote_jobs *jobs, struct mp_board *board, const char *const *dirs, size_t dir_count,
    struct mp_error *err)
{
	struct mp_script script;
	char *answer;
	int status, result = -1;

	*jobs = (struct mp_remote_jobs){0};
	mp_script_start(&script);
	for (size_t i = 0; i < dir_count; i++)
		mp_script_directory_argument(&script, dirs[i]);
	mp_script_body(&script, mp_sh_list_jobs);
	answer = malloc(ANSWER_MAX);
	if (!answer)
		return mp_fail_memory(err, "the list of JOBs");
	if (mp_script_check(&script, err) ||
	    mp_board_run(board, script.text, "list its JOBs", answer, ANSWER_MAX, &status, err))
		goto out;
	result = parse_jobs(jobs, answer, err);
	drop_twins(jobs);
out:
	free(answer);
	if (result)
		mp_remote_jobs_free(jobs);
	return result;
}

void mp_remote_jobs_subtract(struct mp_remote_jobs *jobs, const struct mp_remote_jobs *earlier)
{
	size_t kept = 0;

	for (size_t i = 0; i < jobs->count; i++) {
		if (earlier->count && bsearch(&jobs->paths[i], earlier->paths, earlier->count, sizeof(char *), by_text))
			free(jobs->paths[i]);
		else
			jobs->paths[kept++] = jobs->paths[i];
	}
	jobs->count = kept;
}

int mp_remote_jobs_move(struct mp_remote_jobs *to, struct mp_remote_jobs *jobs, struct mp_error *err)
{
	char **more;

	if (!jobs->count)
		return 0;
	more = realloc(to->paths, (to->count + jobs->count) * sizeof(*more));
	if (!more)
		return mp_fail_memory(err, "the list of JOBs");
	to->paths = more;
	for (size_t i = 0; i < jobs->count; i++)
		more[to->count++] = jobs->paths[i];
	jobs->count = 0;
	drop_twins(to);
	return 0;
}

void mp_remote_jobs_free(struct mp_remote_jobs *jobs)
{
	for (size_t i = 0; i < jobs->count; i++)
		free(jobs->paths[i]);
	free(jobs->paths);
	*jobs = (struct mp_remote_jobs){0};
}
