/*
 * job_find.c: finds the jobs to treat when the user names a directory. Links below it are not followed. In PROF
 * directories of 2022, host and device_N are jobs of their own, each with the files of a JOB directory.
 */
#include "raw/job_info.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/vec.h"

struct finder {
	struct mp_found *found;
	const struct mp_layouts *layouts;
	struct mp_error *err;
};

/*
 * What cannot be looked at counts as a directory: a job must not be left out, and opening it tells what fails.
 */
static bool has_directory(int dirfd, const char *name)
{
	struct mp_error told_later;
	int type = mp_dir_type(dirfd, name, name, &told_later);

	return type < 0 || type == S_IFDIR;
}

static bool is_visible(const void *user, const char *name)
{
	(void)user;
	return name[0] != '.';
}

/* Whether a name is that of a part of a PROF directory, for mp_dir_list. */
static bool is_part(const void *unused, const char *name)
{
	(void)unused;
	return strcmp(name, "host") == 0 || strncmp(name, "device_", 7) == 0;
}

/* host/ or device_N/ below it: the parts of a PROF directory are not jobs of their own. */
static bool has_parts(int dirfd)
{
	struct mp_error told_later;
	struct mp_dir_names names;
	bool found = false;

	if (mp_dir_list(&names, dirfd, is_part, NULL, "a job", &told_later) == 0)
		for (size_t i = 0; i < names.count; i++)
			found = found || has_directory(dirfd, names.items[i]);
	mp_dir_names_free(&names);
	return found;
}

static bool is_whole(int dirfd)
{
	return has_directory(dirfd, "data") || has_parts(dirfd);
}

bool mp_job_was_imported(int dirfd)
{
	struct mp_error told_later;
	struct stat st;
	int fd = mp_dir_open(dirfd, "sqlite", "sqlite", &told_later);
	bool is = fd >= 0 && mp_dir_look(fd, "msprof.db", &st) == 0;

	if (fd >= 0)
		close(fd); /* only looked at */
	return is;
}

/* Whether what lies below a directory is something; what cannot be opened is nothing. */
static bool is_below(int dirfd, const char *name, bool (*is)(int dirfd))
{
	struct mp_error told_later;
	int fd = mp_dir_open(dirfd, name, name, &told_later);
	bool found = fd >= 0 && is(fd);

	if (fd >= 0)
		close(fd); /* only looked at */
	return found;
}

/*
 * A directory, not a link to one, named JOB... or PROF..., or with the contents of such a directory. Opening a
 * directory without data/ then reports the name.
 */
static bool is_job(int dirfd, const char *name)
{
	return strncmp(name, MP_JOB_BESIDE "JOB", sizeof(MP_JOB_BESIDE "JOB") - 1) != 0 && has_directory(dirfd, name) &&
	       (strncmp(name, "JOB", 3) == 0 || strncmp(name, "PROF_", 5) == 0 || is_below(dirfd, name, is_whole));
}

static int add_path(struct finder *f, const char *path, const char *below)
{
	struct mp_found *found = f->found;
	size_t size = strlen(path) + strlen(below) + 2;
	char *copy = malloc(size);

	if (!copy || !mp_vec_room(found->paths, found->count, 1)) {
		free(copy);
		return mp_fail_memory(f->err, "the list of jobs");
	}
	found->paths[found->count++] = copy;
	snprintf(copy, size, "%s%s%s", path, *below ? "/" : "", below);
	return 0;
}

static bool has_data(int dirfd)
{
	return has_directory(dirfd, "data");
}

/* Add the path of a directory, or the parts with data of a PROF directory of 2022. */
static int add_job(struct finder *f, int dirfd, const char *path)
{
	struct mp_dir_names names;
	int status;

	if (has_data(dirfd) || !mp_job_is_legacy(dirfd, f->layouts))
		return add_path(f, path, "");
	status = mp_dir_list(&names, dirfd, is_part, NULL, path, f->err);
	for (size_t i = 0; !status && i < names.count; i++)
		if (mp_dir_is_link(dirfd, names.items[i]))
			status = mp_fail(f->err, "'%s/%s' is a link: it is not followed", path, names.items[i]);
		else if (is_below(dirfd, names.items[i], has_data))
			status = add_path(f, path, names.items[i]);
	mp_dir_names_free(&names);
	return status;
}

/* Do something with the directory NAME below a path, if it is one. */
static int go_below(struct finder *f, int dirfd, const char *path, const char *name,
    int (*work)(struct finder *f, int dirfd, const char *path))
{
	char whole[4096];
	int fd, status;

	if (snprintf(whole, sizeof(whole), "%s/%s", path, name) >= (int)sizeof(whole))
		return mp_fail(f->err, "path too long: '%s'", path);
	fd = mp_dir_open(dirfd, name, whole, f->err);
	if (fd < 0)
		return work == add_job ? add_path(f, whole, "") : -1; /* opening the job then tells the same */
	status = work(f, fd, whole);
	close(fd); /* only looked at */
	return status;
}

/* The same with each directory for which `is` holds. */
static int go_below_each(struct finder *f, int dirfd, const char *path, bool (*is)(int dirfd, const char *name),
    int (*work)(struct finder *f, int dirfd, const char *path))
{
	struct mp_dir_names names;
	int status = mp_dir_list(&names, dirfd, is_visible, NULL, path, f->err);

	for (size_t i = 0; !status && i < names.count; i++)
		if (is(dirfd, names.items[i]))
			status = go_below(f, dirfd, path, names.items[i], work);
	mp_dir_names_free(&names);
	return status;
}

/* Add the jobs in a directory. */
static int find_in(struct finder *f, int dirfd, const char *path)
{
	return go_below_each(f, dirfd, path, is_job, add_job);
}

/* A directory without the name of a job may hold nothing but a database. */
static int find_deeper(struct finder *f, int dirfd, const char *path)
{
	return mp_job_was_imported(dirfd) ? add_path(f, path, "") : find_in(f, dirfd, path);
}

int mp_job_find(
    struct mp_found *found, const char *path, const struct mp_layouts *layouts, bool deep, struct mp_error *err)
{
	struct finder f = {found, layouts, err};
	int dirfd = mp_named_dir(path, err), status;

	*found = (struct mp_found){.count = 0};
	if (dirfd < 0)
		return -1;
	status = is_whole(dirfd) ? add_job(&f, dirfd, path) : find_in(&f, dirfd, path);
	if (!status && !found->count && mp_job_was_imported(dirfd))
		status = add_path(&f, path, "");
	if (!status && !found->count && deep) {
		status = go_below_each(&f, dirfd, path, has_directory, find_deeper);
		found->nested = found->count > 0;
	}
	found->none = !found->count;
	if (!status && found->none)
		status = add_path(&f, path, "");
	close(dirfd); /* only looked at */
	return status;
}

void mp_found_free(struct mp_found *found)
{
	for (size_t i = 0; i < found->count; i++)
		free(found->paths[i]);
	free(found->paths);
	*found = (struct mp_found){.count = 0};
}

/* Names that only the layouts of one family know. */
struct counts {
	const struct mp_layouts *layouts;
	size_t of_2022, of_today;
};

static void count_names(struct counts *counts, int datafd)
{
	struct mp_error told_later;
	struct mp_dir_names names;

	(void)mp_dir_list(&names, datafd, NULL, NULL, "data", &told_later); /* names read before an error count */
	for (size_t i = 0; i < names.count; i++) {
		const char *name = names.items[i];
		struct mp_identity id;
		bool then = mp_job_name_layout(counts->layouts, MP_FAMILY_ASCEND2022, name, strlen(name), &id) != NULL;
		bool today = mp_job_name_layout(counts->layouts, MP_FAMILY_PROF, name, strlen(name), &id) != NULL;

		counts->of_2022 += then && !today;
		counts->of_today += today && !then;
	}
	mp_dir_names_free(&names);
}

/* Open the data/ of a part. Returns -1 without such a directory, or when a link is on the way. */
static int open_data(int dirfd, const char *part)
{
	struct mp_error told_later;
	int partfd = mp_dir_open(dirfd, part, part, &told_later);
	int fd = partfd < 0 ? -1 : mp_dir_open(partfd, "data", "data", &told_later);

	if (partfd >= 0)
		close(partfd); /* opened read-only: nothing can be lost */
	return fd;
}

bool mp_job_is_legacy(int dirfd, const struct mp_layouts *layouts)
{
	struct counts counts = {.layouts = layouts};
	struct mp_error told_later;
	struct mp_dir_names names;

	if (mp_dir_list(&names, dirfd, is_part, NULL, "a job", &told_later) == 0)
		for (size_t i = 0; i < names.count; i++) {
			int fd = open_data(dirfd, names.items[i]);

			if (fd < 0)
				continue;
			count_names(&counts, fd);
			close(fd); /* opened read-only: nothing can be lost */
		}
	mp_dir_names_free(&names);
	return counts.of_2022 && !counts.of_today;
}
