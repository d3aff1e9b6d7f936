/*
 * fuzz_job.h: whole jobs for fuzz targets: files packed into one input.
 *
 * A packed job is a list of files. Each file is a byte with the length of its name, the name below the job, two bytes
 * of size (low byte first), and its bytes. pack.py packs a directory. Names that lead out of the job are skipped. The
 * job is in a directory in memory, where there is one, that is removed with the process.
 */
#ifndef MP_TESTS_FUZZ_JOB_H
#define MP_TESTS_FUZZ_JOB_H

#include "fuzz_sqlite.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "import/import.h"
#include "raw/job.h"

const char *__asan_default_options(void);

/* Freed memory is watched only for a while, so that a job does not need new pages for everything. */
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=16:malloc_context_size=8:max_malloc_fill_size=0:allocator_release_to_os_interval_ms=-1";
}

static char job_base[256], job_path[300]; /* below $TMPDIR; JOBFUZZ in it */

static void remove_below(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			remove_below(fd, entry->d_name);
	if (dir)
		closedir(dir);
	unlinkat(dirfd, name, dir ? AT_REMOVEDIR : 0);
}

static void remove_base(void)
{
	remove_below(AT_FDCWD, job_base);
}

/* Nothing has to survive the machine; the recorder and imports sync what they write. */
int fsync(int fd)
{
	(void)fd;
	return 0;
}

static void make_base(void)
{
	const char *place = getenv("TMPDIR");

	if (job_base[0])
		return;
	take_over_memory();
	snprintf(job_base, sizeof(job_base), "%.200s/msprof-fuzz.XXXXXX", place && *place ? place : "/tmp");
	CHECK(mkdtemp(job_base));
	snprintf(job_path, sizeof(job_path), "%s/JOBFUZZ", job_base);
	atexit(remove_base);
}

/* Names of at most three parts; no part begins with a dot. */
static bool is_name(const char *name)
{
	int parts = 1;

	for (const char *c = name; *c; c++) {
		if (*c == '/' && ++parts > 3)
			return false;
		if (*c == '/' && (c == name || !c[1] || c[1] == '/'))
			return false;
		if (*c == '.' && (c == name || c[-1] == '/'))
			return false;
	}
	return *name != '\0';
}

static void write_job_file(int jobfd, char *name, const uint8_t *bytes, size_t size)
{
	int fd;

	for (char *slash = strchr(name, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdirat(jobfd, name, 0700);
		*slash = '/';
	}
	fd = openat(jobfd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return; /* a file has the name of the directory */
	CHECK(write(fd, bytes, size) == (ssize_t)size);
	close(fd);
}

/* Unpack the job anew. */
static void unpack_job(const uint8_t *data, size_t size)
{
	int jobfd;

	make_base();
	remove_below(AT_FDCWD, job_path);
	CHECK(mkdir(job_path, 0700) == 0);
	jobfd = open(job_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	CHECK(jobfd >= 0);
	for (size_t at = 0; at < size;) {
		char name[256];
		size_t len = data[at++], bytes;

		if (size - at < len + 2)
			break;
		memcpy(name, data + at, len);
		name[len] = '\0';
		at += len;
		bytes = data[at] | (size_t)data[at + 1] << 8;
		at += 2;
		bytes = bytes < size - at ? bytes : size - at;
		if (is_name(name))
			write_job_file(jobfd, name, data + at, bytes);
		at += bytes;
	}
	close(jobfd);
}

#endif
