/* ranks.c: finds ranks, and runs a process for each that is to be summed up. */
#define _GNU_SOURCE /* asprintf */
#include "job_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/out.h"
#include "base/vec.h"
#include "cluster/cluster.h"
#include "launch.h"
#include "process.h"

/* Append a rank, which then owns the path; NULL: memory was short. */
static int append(struct ranks *r, char *path, bool is_file, struct mp_error *err)
{
	if (!path || !mp_vec_room(r->items, r->count, 1)) {
		free(path);
		return mp_fail_memory(err, "the ranks");
	}
	r->items[r->count++] = (struct rank){.path = path, .is_file = is_file};
	return 0;
}

static bool is_aggregate(int dirfd, const char *name)
{
	char begin[sizeof(MP_AGGREGATE_BEGIN)];
	const size_t len = strlen(MP_AGGREGATE_BEGIN);
	int fd = mp_dir_open_file(dirfd, name, NULL);
	bool is =
	    fd >= 0 && mp_file_read(fd, begin, len, 0) == (ssize_t)len && memcmp(begin, MP_AGGREGATE_BEGIN, len) == 0;

	if (fd >= 0)
		close(fd); /* read only: no error matters */
	return is;
}

static bool is_visible(const void *user, const char *name)
{
	(void)user;
	return name[0] != '.';
}

/* Add the aggregates in TOP, and say which names in it are links. */
static int find_files(struct ranks *r, struct mp_error *err)
{
	struct mp_dir_names names;
	int status = mp_dir_list(&names, r->topfd, is_visible, NULL, r->top, err);

	for (size_t i = 0; !status && i < names.count; i++) {
		const char *name = names.items[i], *dot = strrchr(name, '.');
		char *path = NULL;

		if (mp_dir_is_link(r->topfd, name))
			message_warning("'%s/%s' is a link: it is not followed", r->top, name);
		else if (dot && strcmp(dot, ".json") == 0 && is_aggregate(r->topfd, name))
			status = asprintf(&path, "%s/%s", r->top, name) < 0 ? mp_fail_memory(err, "the ranks")
									    : append(r, path, true, err);
	}
	mp_dir_names_free(&names);
	return status;
}

/* Add the directories of ranks. */
static int find_jobs(struct ranks *r, struct mp_error *err)
{
	struct mp_layouts layouts = {0};
	struct mp_found found = {.count = 0};
	int status = layouts_load(&layouts, NULL, err) || mp_job_find(&found, r->top, &layouts, true, err) ? -1 : 0;

	for (size_t i = 0; !status && !found.none && i < found.count; i++) {
		status = append(r, found.paths[i], false, err);
		found.paths[i] = NULL;
	}
	mp_found_free(&found);
	mp_layouts_free(&layouts);
	return status;
}

int ranks_find(struct ranks *r, const char *top, struct mp_error *err)
{
	*r = (struct ranks){.top = top, .topfd = mp_named_dir(top, err), .made = -1};
	return r->topfd < 0 || find_files(r, err) || find_jobs(r, err) ? -1 : 0;
}

struct options ranks_options(const struct rank *rank, const struct options *o)
{
	struct options mine = {.values = {[OPTION_DIR] = rank->path, [OPTION_QUIET] = ""}};

	mine.values[OPTION_FREQUENCY] = o->values[OPTION_FREQUENCY];
	mine.values[OPTION_LAYOUTS] = o->values[OPTION_LAYOUTS];
	mine.values[OPTION_NO_WAIT] = o->values[OPTION_NO_WAIT];
	mine.values[OPTION_STRICT] = o->values[OPTION_STRICT];
	return mine;
}

/* In a process of its own. */
static int aggregate_one(const struct ranks *r, const struct rank *rank, const struct options *o, int fd)
{
	const struct options mine = ranks_options(rank, o);
	int status = aggregate_to(&mine, r->top, fd);

	return fflush(NULL) ? EXIT_FAILED : status;
}

/* The processes that sum ranks up, in the order of struct workers, each with a file of its own. */
struct makers {
	struct workers workers;
	struct {
		struct rank *rank;
		int fd;
	} items[WORKERS_MAX];
	struct mp_out *out; /* the file of all aggregates */
	int64_t size;
};

/* Start a process that sums the rank up. Returns 0, or another number with the error printed. */
static int start_one(struct makers *m, const struct ranks *r, struct rank *rank, const struct options *o)
{
	int fd = mp_dir_unnamed_temporary(), started;
	struct mp_error err;

	if (fd < 0) {
		mp_error_set_errno(&err, "cannot make a temporary file");
		return message_failure(&err);
	}
	started = workers_start(&m->workers);
	if (started == 0)
		_exit(aggregate_one(r, rank, o, fd));
	if (started < 0) {
		close(fd); /* nothing was written */
		return -1;
	}
	m->items[m->workers.count - 1].rank = rank;
	m->items[m->workers.count - 1].fd = fd;
	return 0;
}

/* Append what a process wrote, and close its file. */
static int take(struct makers *m, struct rank *rank, int fd, struct mp_error *err)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = size > 0 && size <= MP_AGGREGATE_SIZE_MAX ? malloc((size_t)size) : NULL;
	int status = 0;

	if (size > 0 && !text) {
		status = mp_fail(err, "the aggregate of '%s' is too large", rank->path);
	} else if (size < 0 || (text && mp_file_read(fd, text, (size_t)size, 0) != size)) {
		status = mp_fail(err, "cannot read the aggregate of '%s'", rank->path);
	} else if (text) {
		mp_out_write(m->out, text, (size_t)size);
		rank->at = m->size;
		rank->size = (size_t)size;
		m->size += size;
	}
	free(text);
	close(fd); /* its bytes were taken */
	return status;
}

/* Wait for a process, and take what it wrote. */
static int take_one(struct makers *m)
{
	int status = workers_wait(&m->workers, NULL, NULL), place = m->workers.left;
	struct mp_error err;

	if (place < 0)
		return status;
	if (take(m, m->items[place].rank, m->items[place].fd, &err))
		status = message_failure(&err);
	m->items[place] = m->items[m->workers.count];
	return status;
}

static int make_all(struct makers *m, struct ranks *r, const struct options *o, int at_a_time)
{
	size_t next = 0, done = 0, jobs = 0, summed = 0;
	int worst = EXIT_OK;

	for (size_t i = 0; i < r->count; i++)
		jobs += !r->items[i].is_file;
	next = r->count - jobs;
	while (m->workers.count || (next < r->count && !interrupt_count())) {
		if (m->workers.count < at_a_time && next < r->count && !interrupt_count()) {
			if (start_one(m, r, &r->items[next++], o) == 0)
				continue;
			worst = EXIT_FAILED;
		} else {
			int status = take_one(m);

			summed += status == EXIT_OK || status == EXIT_DAMAGED;
			worst = job_run_worse(worst, status);
		}
		done++;
		if (done % 10 == 0 || done == jobs)
			message_info(o, "%zu of %zu ranks are summed up", summed, jobs);
	}
	return worst;
}

int ranks_aggregate(struct ranks *r, const struct options *o, int at_a_time)
{
	struct makers m = {.size = 0};
	struct mp_error err;
	int status;

	r->made = mp_dir_unnamed_temporary();
	if (r->made < 0)
		mp_error_set_errno(&err, "cannot make a temporary file");
	if (r->made < 0 || mp_out_fd(&m.out, r->made, "a temporary file", &err))
		return message_failure(&err);
	status = make_all(&m, r, o, at_a_time);
	if (mp_out_commit(m.out, &err))
		status = message_failure(&err);
	return status;
}

/* Read `size` bytes of a file at a place. */
static int read_text(int fd, int64_t at, size_t size, char **text, const char *path, struct mp_error *err)
{
	*text = malloc(size + 1);
	if (!*text)
		return mp_fail_memory(err, "the ranks");
	if (mp_file_read(fd, *text, size, at) == (ssize_t)size)
		return 0;
	free(*text);
	*text = NULL;
	return mp_fail(err, "cannot read '%s'", path);
}

int ranks_read(const struct ranks *r, const struct rank *rank, char **text, size_t *len, struct mp_error *err)
{
	struct stat st;
	int fd, status;

	*text = NULL;
	*len = rank->size;
	if (!rank->is_file)
		return rank->size ? read_text(r->made, rank->at, rank->size, text, rank->path, err) : 0;
	fd = mp_dir_open_file(r->topfd, strrchr(rank->path, '/') + 1, &st);
	if (fd < 0)
		return mp_file_refuse(rank->path, err);
	*len = (size_t)st.st_size;
	status = st.st_size > MP_AGGREGATE_SIZE_MAX
		     ? mp_fail(err, "'%s' is not a file of at most %d MiB", rank->path, MP_AGGREGATE_SIZE_MAX >> 20)
		     : read_text(fd, 0, *len, text, rank->path, err);
	close(fd); /* read only: no error matters */
	return status;
}

void ranks_free(struct ranks *r)
{
	for (size_t i = 0; i < r->count; i++)
		free(r->items[i].path);
	free(r->items);
	if (r->topfd >= 0)
		close(r->topfd); /* read only: no error matters */
	if (r->made >= 0)
		close(r->made); /* a temporary file */
}
