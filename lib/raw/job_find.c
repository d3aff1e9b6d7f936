/* job_find.c: finds the jobs to treat when the user names a directory. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/failure.h"
#include "raw/job_info.h"

/*
 * The file type of NAME in the directory; 0: missing. What cannot be looked at counts
 * as a directory: a job must not be left out, and opening it tells what fails.
 */
static mode_t kind_of(const char *path, const char *name)
{
	char whole[4096];
	struct stat st;

	if (snprintf(whole, sizeof(whole), "%s/%s", path, name) >= (int)sizeof(whole))
		return 0;
	if (lstat(whole, &st) == 0)
		return st.st_mode & S_IFMT;
	return mp_is_machine_failure(errno) ? S_IFDIR : 0;
}

static bool has_directory(const char *path, const char *name)
{
	return kind_of(path, name) == S_IFDIR;
}

static bool is_link(const char *path, const char *name)
{
	return kind_of(path, name) == S_IFLNK;
}

static int is_part(const struct dirent *entry)
{
	return strcmp(entry->d_name, "host") == 0 || strncmp(entry->d_name, "device_", 7) == 0;
}

static bool has_data(const char *path, const char *below)
{
	char name[512];

	if (snprintf(name, sizeof(name), "%s%sdata", below, *below ? "/" : "") >= (int)sizeof(name))
		return false;
	return has_directory(path, name);
}

/* host/ or device_N/ below it: the parts of a PROF directory are not jobs of their own. */
static bool has_parts(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_part, NULL);
	bool found = false;

	for (int i = 0; i < count; i++) {
		found = found || has_directory(path, entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return found;
}

/*
 * A directory, not a link to one, named JOB... or PROF..., or with the contents of such a directory. Opening a
 * directory without data/ then reports the name.
 */
static bool is_job(const char *path, const char *below)
{
	char whole[4096];

	if (!has_directory(path, below))
		return false;
	if (strncmp(below, "JOB", 3) == 0 || strncmp(below, "PROF_", 5) == 0 || has_data(path, below))
		return true;
	return snprintf(whole, sizeof(whole), "%s/%s", path, below) < (int)sizeof(whole) && has_parts(whole);
}

static int add_path(char ***paths, size_t *count, const char *path, const char *below, struct mp_error *err)
{
	char **more = realloc(*paths, (*count + 1) * sizeof(char *));
	size_t size = strlen(path) + strlen(below) + 2;

	if (!more)
		return mp_fail_memory(err, "the list of jobs");
	*paths = more;
	more[*count] = malloc(size);
	if (!more[*count])
		return mp_fail_memory(err, "the list of jobs");
	snprintf(more[(*count)++], size, "%s%s%s", path, *below ? "/" : "", below);
	return 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Add the path, or the parts with data of a PROF directory of 2022. */
static int add_job(
    char ***paths, size_t *count, const char *path, const struct mp_layouts *layouts, struct mp_error *err)
{
	struct dirent **entries;
	int found, status = 0;

	if (has_data(path, "") || !mp_job_is_legacy(path, layouts))
		return add_path(paths, count, path, "", err);
	found = scandir(path, &entries, is_part, by_bytes);
	if (found < 0)
		return mp_fail_errno(err, "cannot open '%s'", path);
	for (int i = 0; i < found; i++) {
		if (!status && is_link(path, entries[i]->d_name))
			status = mp_fail(err, "'%s/%s' is a link: it is not followed", path, entries[i]->d_name);
		else if (!status && has_data(path, entries[i]->d_name))
			status = add_path(paths, count, path, entries[i]->d_name, err);
		free(entries[i]);
	}
	free(entries);
	return status;
}

static int add_below(char ***paths, size_t *count, const char *path, const char *below,
    const struct mp_layouts *layouts, struct mp_error *err)
{
	char whole[4096];

	if (snprintf(whole, sizeof(whole), "%s/%s", path, below) >= (int)sizeof(whole))
		return mp_fail(err, "path too long: '%s'", path);
	return add_job(paths, count, whole, layouts, err);
}

static int is_entry(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The path itself is given unless it is not a job and holds jobs. Opening it then reports what is wrong. */
int mp_job_find(const char *path, const struct mp_layouts *layouts, char ***paths, size_t *count, struct mp_error *err)
{
	struct dirent **entries = NULL;
	int entry_count, status = 0;

	*paths = NULL;
	*count = 0;
	if (has_data(path, "") || has_parts(path))
		return add_job(paths, count, path, layouts, err);
	entry_count = scandir(path, &entries, is_entry, by_bytes);
	if (entry_count < 0)
		return mp_fail_errno(err, "cannot open '%s'", path);
	for (int i = 0; i < entry_count; i++) {
		if (!status && is_job(path, entries[i]->d_name))
			status = add_below(paths, count, path, entries[i]->d_name, layouts, err);
		free(entries[i]);
	}
	free(entries);
	if (!status && *count == 0)
		status = add_path(paths, count, path, "", err);
	return status;
}

/* The path is a job: it was not given for the sake of the error alone. */
static bool is_whole_job(const char *path)
{
	return has_data(path, "") || has_parts(path);
}

/* Append the jobs in a directory, if there are any. */
static int add_jobs_in(
    char ***paths, size_t *count, const char *dir, const struct mp_layouts *layouts, struct mp_error *err)
{
	char **found = NULL;
	size_t found_count = 0;
	int status = mp_job_find(dir, layouts, &found, &found_count, err);

	for (size_t i = 0; i < found_count; i++) {
		if (!status && (strcmp(found[i], dir) != 0 || is_whole_job(dir)))
			status = add_path(paths, count, found[i], "", err);
		free(found[i]);
	}
	free(found);
	return status;
}

int mp_job_find_deep(const char *path, const struct mp_layouts *layouts, char ***paths, size_t *count, bool *nested,
    struct mp_error *err)
{
	struct dirent **entries = NULL;
	int status = mp_job_find(path, layouts, paths, count, err), entry_count;
	char **below = NULL, whole[4096];
	size_t below_count = 0;

	*nested = false;
	if (status || *count != 1 || strcmp((*paths)[0], path) != 0 || is_whole_job(path))
		return status;
	entry_count = scandir(path, &entries, is_entry, by_bytes);
	for (int i = 0; i < entry_count; i++) {
		if (!status && has_directory(path, entries[i]->d_name) &&
		    snprintf(whole, sizeof(whole), "%s/%s", path, entries[i]->d_name) < (int)sizeof(whole))
			status = add_jobs_in(&below, &below_count, whole, layouts, err);
		free(entries[i]);
	}
	free(entries);
	*nested = below_count > 0;
	for (size_t i = 0; *nested && i < *count; i++)
		free((*paths)[i]);
	if (*nested) {
		free(*paths);
		*paths = below;
		*count = below_count;
	} else {
		free(below);
	}
	return status;
}
