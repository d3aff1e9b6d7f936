/*
 * fuzz_database.c: the database of a job with damage, read by every reader. The first byte selects the job (the seeds
 * of fuzz_job), the second how much of the file is cut off. Changes follow: three bytes of offset, one byte of content.
 */
#include "fuzz_job.h"

enum { BASE_MAX = 16 };

static struct base {
	uint8_t *job, *database;
	size_t job_size, database_size;
} bases[BASE_MAX];
static unsigned count, current = BASE_MAX; /* the job that is unpacked */

static uint8_t *slurp(int dirfd, const char *name, size_t *size)
{
	int fd = openat(dirfd, name, O_RDONLY | O_CLOEXEC);
	struct stat st;
	uint8_t *bytes;

	CHECK(fd >= 0 && fstat(fd, &st) == 0);
	*size = (size_t)st.st_size;
	bytes = malloc(*size + 1);
	CHECK(bytes && read(fd, bytes, *size) == (ssize_t)*size);
	close(fd);
	return bytes;
}

static void add_base(int seeds, const char *name)
{
	const struct mp_import_options options = {.tool_version = "fuzz"};
	struct base *b = &bases[count];
	struct mp_error err = {""};
	struct mp_job *job;

	b->job = slurp(seeds, name, &b->job_size);
	unpack_job(b->job, b->job_size);
	CHECK(mp_job_open(&job, job_path, embedded_layouts(), 0, &err) == 0);
	CHECK(mp_import(job, embedded_layouts(), &options, &err) == 0);
	b->database = slurp(job->dirfd, "sqlite/msprof.db", &b->database_size);
	mp_job_close(job);
	count++;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct dirent **entries;
	int found = scandir(FUZZ_SEEDS "/fuzz_job", &entries, NULL, by_name);
	int seeds = open(FUZZ_SEEDS "/fuzz_job", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	(void)argc;
	(void)argv;
	CHECK(found > 0 && seeds >= 0);
	for (int i = 0; i < found; i++) {
		if (entries[i]->d_name[0] != '.' && count < BASE_MAX)
			add_base(seeds, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	close(seeds);
	return 0;
}

/* Write the database of the base with the changes of the input. */
static void write_database(const struct base *b, const uint8_t *data, size_t size)
{
	size_t used = b->database_size - b->database_size * data[1] / 256;
	uint8_t *file = malloc(used);
	char path[400];
	int fd;

	CHECK(file);
	memcpy(file, b->database, used);
	for (size_t i = 2; i + 4 <= size; i += 4)
		file[(data[i] | (size_t)data[i + 1] << 8 | (size_t)data[i + 2] << 16) % used] = data[i + 3];
	snprintf(path, sizeof(path), "%s/sqlite/msprof.db", job_path);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CHECK(fd >= 0 && write(fd, file, used) == (ssize_t)used);
	close(fd);
	free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct mp_error err = {""};
	struct mp_job *job;
	char dir[400];

	if (size < 2)
		return -1;
	if (current != data[0] % count) {
		current = data[0] % count;
		unpack_job(bases[current].job, bases[current].job_size);
		snprintf(dir, sizeof(dir), "%s/sqlite", job_path);
		CHECK(mkdir(dir, 0700) == 0);
	}
	write_database(&bases[current], data, size);
	CHECK(mp_job_open(&job, job_path, embedded_layouts(), 0, &err) == 0);
	read_database(job, size % 2 ? MP_STYLE_VENDOR : MP_STYLE_DEFAULT);
	mp_job_close(job);
	return 0;
}
