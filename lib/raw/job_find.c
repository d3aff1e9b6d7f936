/* job_find.c: which directories to treat when the user names one. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "raw/job.h"

static bool has_directory(const char *path, const char *name)
{
	char whole[4096];
	struct stat st;

	if (snprintf(whole, sizeof(whole), "%s/%s", path, name) >= (int)sizeof(whole))
		return false;
	return lstat(whole, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool has_data(const char *path, const char *below)
{
	char name[512];

	if (snprintf(name, sizeof(name), "%s%sdata", below, *below ? "/" : "") >= (int)sizeof(name))
		return false;
	return has_directory(path, name);
}

/* A directory, not a link to one, that is called JOB... or holds data/: one without data/ is then refused by name. */
static bool is_job(const char *path, const char *below)
{
	if (!has_directory(path, below))
		return false;
	return strncmp(below, "JOB", 3) == 0 || has_data(path, below);
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

static int is_entry(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* The path itself unless it holds jobs and is none; opening it then says what is wrong. */
int mp_job_find(const char *path, char ***paths, size_t *count, struct mp_error *err)
{
	struct dirent **entries = NULL;
	int entry_count, status = 0;

	*paths = NULL;
	*count = 0;
	/* a PROF directory holds data/ in its parts, but they are no jobs: opening it says so */
	if (has_data(path, "") || has_directory(path, "host") || has_directory(path, "device_0"))
		return add_path(paths, count, path, "", err);
	entry_count = scandir(path, &entries, is_entry, by_bytes);
	if (entry_count < 0)
		return mp_fail_errno(err, "cannot open '%s'", path);
	for (int i = 0; i < entry_count; i++) {
		if (!status && is_job(path, entries[i]->d_name))
			status = add_path(paths, count, path, entries[i]->d_name, err);
		free(entries[i]);
	}
	free(entries);
	if (!status && *count == 0)
		status = add_path(paths, count, path, "", err);
	return status;
}
