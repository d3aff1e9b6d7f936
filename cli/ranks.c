/* ranks.c: finds ranks, and runs a process for each that is to be summed up. */
#define _GNU_SOURCE /* asprintf */
#include "ranks.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "aggregate.h"
#include "cluster/cluster.h"
#include "interrupt.h"
#include "job_run.h"
#include "layouts.h"
#include "workers.h"

/* Append a text, which the list then owns; NULL: memory was short. */
static int append(char ***list, size_t *count, char *text, struct mp_error *err)
{
	char **more = text ? realloc(*list, (*count + 1) * sizeof(*more)) : NULL;

	if (!more) {
		free(text);
		return mp_fail_memory(err, "the ranks");
	}
	*list = more;
	more[(*count)++] = text;
	return 0;
}

static bool is_aggregate(const char *path)
{
	char begin[sizeof(MP_AGGREGATE_BEGIN)];
	/* nonblocking: a FIFO of that name must not block */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	ssize_t n = fd < 0 ? -1 : read(fd, begin, strlen(MP_AGGREGATE_BEGIN));

	if (fd >= 0)
		close(fd); /* read only: no error matters */
	return n == (ssize_t)strlen(MP_AGGREGATE_BEGIN) && memcmp(begin, MP_AGGREGATE_BEGIN, (size_t)n) == 0;
}

/* Keep the jobs of a directory that can be opened: a directory without jobs is found itself. */
static int find_jobs(struct ranks *r, const char *dir, const struct mp_layouts *layouts, struct mp_error *err)
{
	char **paths = NULL;
	size_t count = 0;
	int status = mp_job_find(dir, layouts, &paths, &count, err);

	for (size_t i = 0; i < count; i++) {
		struct mp_error ignored;
		struct mp_job *job = NULL;

		if (!status && (strcmp(paths[i], dir) != 0 || mp_job_open(&job, dir, layouts, NULL, &ignored) == 0)) {
			status = append(&r->jobs, &r->job_count, paths[i], err);
			paths[i] = NULL;
		}
		mp_job_close(job);
		free(paths[i]);
	}
	free(paths);
	return status;
}

static int find_below(
    struct ranks *r, const char *path, const struct mp_layouts *layouts, bool deep, struct mp_error *err)
{
	size_t len = strlen(path);
	struct stat st;

	if (stat(path, &st))
		return 0; /* gone, or a link to nothing */
	if (S_ISDIR(st.st_mode))
		return deep ? find_jobs(r, path, layouts, err) : 0;
	if (len > 5 && strcmp(path + len - 5, ".json") == 0 && is_aggregate(path))
		return append(&r->files, &r->file_count, strdup(path), err);
	return 0;
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int ranks_find(struct ranks *r, const char *top, struct mp_error *err)
{
	struct mp_layouts layouts = {0};
	struct dirent **entries = NULL;
	bool deep = false;
	int count = -1, status;

	memset(r, 0, sizeof(*r));
	status = layouts_load(&layouts, NULL, err) || find_jobs(r, top, &layouts, err) ? -1 : 0;
	if (!status && (count = scandir(top, &entries, visible, alphasort)) < 0)
		status = mp_fail_errno(err, "cannot read '%s'", top);
	deep = r->job_count == 0;
	for (int i = 0; i < count; i++) {
		char *path = NULL;

		if (!status && asprintf(&path, "%s/%s", top, entries[i]->d_name) < 0) {
			path = NULL;
			status = mp_fail_memory(err, "the ranks");
		}
		if (!status)
			status = find_below(r, path, &layouts, deep, err);
		free(path);
		free(entries[i]);
	}
	free(entries);
	mp_layouts_free(&layouts);
	return status;
}

/* In a process of its own: the options of cluster that concern a rank. */
static int aggregate_one(const struct options *o, const char *job, const char *file)
{
	struct options mine = {.values = {[OPTION_DIR] = job, [OPTION_AGGREGATE] = file, [OPTION_QUIET] = ""}};
	int status;

	mine.values[OPTION_FREQUENCY] = o->values[OPTION_FREQUENCY];
	mine.values[OPTION_FAMILY] = o->values[OPTION_FAMILY];
	mine.values[OPTION_LAYOUTS] = o->values[OPTION_LAYOUTS];
	mine.values[OPTION_NO_WAIT] = o->values[OPTION_NO_WAIT];
	mine.values[OPTION_STRICT] = o->values[OPTION_STRICT];
	status = aggregate_run(&mine);
	return fflush(NULL) ? EXIT_FAILED : status;
}

static int make_scratch(struct ranks *r, struct mp_error *err)
{
	const char *tmp = getenv("TMPDIR");

	if (asprintf(&r->scratch, "%s/msprof_cluster_XXXXXX", tmp && *tmp ? tmp : "/tmp") < 0) {
		r->scratch = NULL;
		return mp_fail_memory(err, "a directory");
	}
	if (mkdtemp(r->scratch))
		return 0;
	mp_error_set_errno(err, "cannot make the directory '%s'", r->scratch);
	free(r->scratch);
	r->scratch = NULL;
	return -1;
}

/* Start a process that sums the job up. Returns 0, or -1 with the error printed. */
static int start_one(struct ranks *r, const struct options *o, size_t job, struct workers *workers)
{
	char *file = NULL;
	struct mp_error err;
	int status;

	if (asprintf(&file, "%s/%zu.json", r->scratch, job) < 0)
		file = NULL;
	if (append(&r->files, &r->file_count, file, &err)) {
		message_error("%s", err.text);
		return -1;
	}
	status = workers_start(workers);
	if (status == 0)
		_exit(aggregate_one(o, r->jobs[job], r->files[r->file_count - 1]));
	return status < 0 ? -1 : 0;
}

int ranks_aggregate(struct ranks *r, const struct options *o, int at_a_time)
{
	struct workers workers = {.count = 0};
	size_t started = 0, done = 0;
	int worst = EXIT_OK;
	struct mp_error err;

	r->given = r->file_count;
	if (r->job_count && make_scratch(r, &err)) {
		message_error("%s", err.text);
		return EXIT_FAILED;
	}
	while (workers.count || (started < r->job_count && !interrupt_count())) {
		if (workers.count < at_a_time && started < r->job_count && !interrupt_count()) {
			if (start_one(r, o, started++, &workers) == 0)
				continue;
			worst = EXIT_FAILED;
		} else {
			worst = job_run_worse(worst, workers_wait(&workers, NULL, NULL));
		}
		done++;
		if (done % 10 == 0 || done == r->job_count)
			message_info(o, "%zu of %zu ranks are summed up", done, r->job_count);
	}
	return worst;
}

/* Jobs are summed up in their order. */
const char *ranks_source(const struct ranks *r, size_t file)
{
	return file < r->given ? r->files[file] : r->jobs[file - r->given];
}

void ranks_free(struct ranks *r)
{
	for (size_t i = 0; i < r->job_count; i++)
		free(r->jobs[i]);
	for (size_t i = 0; i < r->file_count; i++) {
		if (r->scratch && strncmp(r->files[i], r->scratch, strlen(r->scratch)) == 0)
			unlink(r->files[i]); /* one that was not made is not there */
		free(r->files[i]);
	}
	if (r->scratch)
		rmdir(r->scratch);
	free(r->scratch);
	free(r->jobs);
	free(r->files);
}
