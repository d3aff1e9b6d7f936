/*
 * publish_watch.c: publishes jobs as they come into a directory.
 *
 * A job is whole when names, sizes and times of its files are those of the round before. What was published is noted in
 * a file of the directory, so that another start does not begin anew. The bytes of jobs are read by others, in their
 * sandbox.
 */
#include "publish.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/door.h"
#include "base/index.h"
#include "base/number.h"
#include "base/vec.h"
#include "job_run.h"

enum { DEPTH_MAX = 8, PAUSE_S = 10, RETRY_ROUNDS = 30 };

/* The variable of the environment with the seconds between two rounds. */
#define PAUSE_VARIABLE "MSPROF_WATCH_PAUSE"

static const char NOTES[] = ".msprof-published";

struct watched {
	uint64_t key;    /* a hash of the database and the path */
	uint64_t seen;   /* of names, sizes and times of files, in the round before */
	uint64_t stored; /* the same when it was published; 0: never */
	int wait;        /* rounds before the next try */
};

struct watch {
	struct publish_target *target;
	struct watched *jobs;
	size_t count;
	FILE *notes;
};

/* What msprof itself writes beside the data. */
static bool is_data(const void *user, const char *name)
{
	(void)user;
	return strcmp(name, "sqlite") != 0 && strcmp(name, "log") != 0;
}

/* Add names, sizes and times below a directory to a hash. */
static int add_tree(int dirfd, int depth, uint64_t *hash, struct mp_error *err)
{
	struct mp_dir_names names = {.count = 0};
	int status = mp_dir_list(&names, dirfd, is_data, NULL, "a job", err);

	for (size_t i = 0; i < names.count && !status; i++) {
		const char *name = names.items[i];
		struct stat st;

		if (mp_dir_look(dirfd, name, &st))
			continue;
		*hash = mp_fnv(*hash, name, strlen(name) + 1);
		if (S_ISDIR(st.st_mode) && depth < DEPTH_MAX) {
			int fd = mp_dir_open(dirfd, name, name, err);

			status = fd < 0 || add_tree(fd, depth + 1, hash, err) ? -1 : 0;
			if (fd >= 0)
				close(fd);
		} else if (S_ISREG(st.st_mode)) {
			const int64_t facts[] = {st.st_size, st.st_mtim.tv_sec, st.st_mtim.tv_nsec};

			*hash = mp_fnv(*hash, (const char *)facts, sizeof(facts));
		}
	}
	mp_dir_names_free(&names);
	return status;
}

/* The state of a job; 0 where it cannot be read now: it changes, or comes or goes. */
static uint64_t state_of(const char *top, const char *path)
{
	struct mp_error err;
	uint64_t hash = MP_FNV;
	int fd = mp_dir_open_below(top, path, &err);

	if (fd < 0 || add_tree(fd, 0, &hash, &err))
		hash = 0;
	if (fd >= 0)
		close(fd);
	return hash;
}

static struct watched *find_job(struct watch *w, uint64_t key)
{
	for (size_t i = 0; i < w->count; i++)
		if (w->jobs[i].key == key)
			return &w->jobs[i];
	if (!mp_vec_room(w->jobs, w->count, 1) || !w->jobs)
		return NULL;
	w->jobs[w->count] = (struct watched){.key = key};
	return &w->jobs[w->count++];
}

/* Read what was published before. Nobody else may watch the directory. */
static int open_notes(struct watch *w, const char *dir, struct mp_error *err)
{
	int dirfd = mp_named_dir(dir, err);
	int fd = dirfd < 0
		     ? -1
		     : openat(dirfd, NOTES, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
	uint64_t key, stored;
	struct stat st;

	if (dirfd < 0)
		return -1;
	close(dirfd);
	if (fd < 0)
		return mp_fail_errno(err, "cannot open '%s/%s'", dir, NOTES);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_nlink > 1) {
		close(fd); /* nothing was written */
		return mp_fail(err, "'%s/%s' is not a regular file, or has several names", dir, NOTES);
	}
	if (flock(fd, LOCK_EX | LOCK_NB)) {
		close(fd);
		return mp_fail(err, "another msprof watches '%s'", dir);
	}
	w->notes = fdopen(fd, "r+");
	if (!w->notes) {
		close(fd);
		return mp_fail_memory(err, "the notes");
	}
	while (fscanf(w->notes, "%" SCNx64 " %" SCNx64, &key, &stored) == 2) {
		struct watched *job = find_job(w, key);

		if (!job)
			return mp_fail_memory(err, "the notes");
		job->stored = stored;
	}
	return 0;
}

static int note(struct watch *w, const struct watched *job, struct mp_error *err)
{
	if (fseek(w->notes, 0, SEEK_END) ||
	    fprintf(w->notes, "%016" PRIx64 " %016" PRIx64 "\n", job->key, job->stored) < 0 || fflush(w->notes))
		return mp_fail_errno(err, "cannot write '%s'", NOTES);
	return 0;
}

/* Publish a job that does not change any more. Returns 0, or -1 with err where nothing can go on. */
static int take_job(struct watch *w, const char *path, bool nested, struct mp_error *err)
{
	const char *url = w->target->options->values[OPTION_URL];
	struct watched *job = find_job(w, mp_fnv(mp_fnv(MP_FNV, url, strlen(url) + 1), path, strlen(path)));
	uint64_t state = state_of(w->target->options->values[OPTION_DIR], path);
	struct publish_target one = *w->target;
	struct options options = *w->target->options;

	if (!job)
		return mp_fail_memory(err, "jobs");
	if (state != job->seen || !state) {
		job->seen = state;
		job->wait = 0;
		return 0;
	}
	if (state == job->stored || job->wait-- > 0)
		return 0;
	options.values[OPTION_DIR] = path;
	one.options = &options;
	one.nested = nested;
	if (publish_jobs(&one) == EXIT_FAILED) {
		job->wait = RETRY_ROUNDS;
		return 0;
	}
	job->stored = state;
	return note(w, job, err);
}

static int take_round(struct watch *w, struct mp_error *err)
{
	const struct options *o = w->target->options;
	struct mp_layouts layouts = {0};
	struct mp_found found = {.count = 0};
	int status = layouts_load(&layouts, o->values[OPTION_LAYOUTS], err) ||
			     mp_job_find(&found, o->values[OPTION_DIR], &layouts, true, err)
			 ? -1
			 : 0;

	for (size_t i = 0; i < found.count && !found.none && !status; i++)
		status = take_job(w, found.paths[i], found.nested, err);
	mp_found_free(&found);
	mp_layouts_free(&layouts);
	return status;
}

int publish_watch(struct publish_target *target)
{
	struct watch w = {.target = target};
	struct mp_error err;
	int64_t pause_s = PAUSE_S;
	int status = mp_number_setting(PAUSE_VARIABLE, "seconds", 1, 86400, PAUSE_S, &pause_s, &err) ||
			     open_notes(&w, target->options->values[OPTION_DIR], &err)
			 ? -1
			 : 0;

	if (!status)
		message_info(target->options, "watching '%s'", target->options->values[OPTION_DIR]);
	while (!status && (status = take_round(&w, &err)) == 0)
		sleep((unsigned)pause_s);
	message_failure(&err);
	if (w.notes)
		fclose(w.notes);
	free(w.jobs);
	return EXIT_FAILED;
}
