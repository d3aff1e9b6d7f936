/*
 * job_legacy.c: PROF directories of 2022: host and device_N are jobs of their own, each with the files of a JOB
 * directory.
 */
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "raw/job_info.h"

bool mp_job_is_part(const void *unused, const char *name)
{
	(void)unused;
	return strcmp(name, "host") == 0 || strncmp(name, "device_", 7) == 0;
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

	if (mp_dir_list(&names, dirfd, mp_job_is_part, NULL, "a job", &told_later) == 0)
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
