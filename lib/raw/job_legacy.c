/*
 * job_legacy.c: PROF directories of 2022: host and device_N are jobs of their own, each with the files of a JOB
 * directory.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "raw/job_info.h"

static int is_part(const struct dirent *entry)
{
	return strcmp(entry->d_name, "host") == 0 || strncmp(entry->d_name, "device_", 7) == 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

/* Count the names in the directory that only the layouts of one family know. */
static void count_names(int fd, const struct mp_layouts *layouts, size_t *of_2022, size_t *of_today)
{
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		const char *name = entry->d_name;
		struct mp_identity id;
		bool then = mp_job_name_layout(layouts, MP_FAMILY_ASCEND2022, name, strlen(name), &id) != NULL;
		bool today = mp_job_name_layout(layouts, MP_FAMILY_PROF, name, strlen(name), &id) != NULL;

		*of_2022 += then && !today;
		*of_today += today && !then;
	}
	if (dir)
		closedir(dir); /* opened read-only: nothing can be lost */
	else if (fd >= 0)
		close(fd);
}

/* Open the data/ of a part. Returns -1 without such a directory, or when a link is on the way. */
static int open_data(const char *path, const char *part)
{
	char whole[4096];
	int dirfd, fd;

	if (snprintf(whole, sizeof(whole), "%s/%s", path, part) >= (int)sizeof(whole))
		return -1;
	dirfd = open(whole, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (dirfd < 0)
		return -1;
	fd = openat(dirfd, "data", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	close(dirfd); /* opened read-only: nothing can be lost */
	return fd;
}

bool mp_job_is_legacy(const char *path, const struct mp_layouts *layouts)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_part, by_bytes);
	size_t of_2022 = 0, of_today = 0;

	for (int i = 0; i < count; i++) {
		count_names(open_data(path, entries[i]->d_name), layouts, &of_2022, &of_today);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return of_2022 && !of_today;
}
