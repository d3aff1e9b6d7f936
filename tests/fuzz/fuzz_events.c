/*
 * fuzz_events.c: a file of events that a crashed process left, in a JOB (first byte even; the next two bits choose the
 * soc) or a PROF directory. The rest of the input is patches of a file of zeros: three bytes of offset, a byte of
 * length, and that many bytes. Whatever they are, the recovery ends, and a second recovery finds nothing more to write.
 * Without the highest bit of the first byte the file claims few names and rings: reading many takes most of the time.
 */
#include "fuzz.h"

#include <fcntl.h>
#include <ftw.h>
#include <stddef.h>
#include <sys/stat.h>

#include "recorder/arena.h"
#include "recorder/session.h"

enum { RESULT_MAX = 300, PATH_SIZE = 512, LARGE = 0x80, SMALL_PART = 64 * 1024 };

static char base[RESULT_MAX];

const char *__asan_default_options(void);

/* The file is read into 15 MB: freed memory is neither kept nor filled. */
const char *__asan_default_options(void)
{
	return "quarantine_size_mb=0:max_malloc_fill_size=0";
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)st, (void)type, (void)at;
	return remove(path);
}

static void remove_base(void)
{
	nftw(base, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* What the ended process told of its clocks and its soc. */
static void tell_facts(const char *data, unsigned soc)
{
	static const char *const socs[] = {"ss928", "dv500", "cv610", "another"};
	char path[PATH_SIZE + 48];
	FILE *f;

	snprintf(path, sizeof(path), "%s/recorder.json.0", data);
	f = fopen(path, "we");
	CHECK(f);
	fprintf(f,
	    "{\"soc\": \"%s\", \"clock_realtime_ns\": 1700000000000000001, \"clock_monotonic_ns\": 5, \"lost\": %-20d}\n",
	    socs[soc % 4], 0);
	CHECK(fclose(f) == 0);
}

/* Make an empty result, and return its part with the data. */
static void make_result(char part[PATH_SIZE], bool prof, unsigned soc)
{
	char path[PATH_SIZE + 16];

	if (!base[0]) {
		temp_path(base, sizeof(base), "fuzz-events.XXXXXX");
		CHECK(mkdtemp(base));
		CHECK(atexit(remove_base) == 0);
	}
	snprintf(part, PATH_SIZE, "%s/%s", base, prof ? "PROF_1" : "JOB1");
	nftw(part, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	CHECK(mkdir(part, 0700) == 0);
	if (prof) {
		strcat(part, "/host");
		CHECK(mkdir(part, 0700) == 0);
	}
	snprintf(path, sizeof(path), "%s/data", part);
	CHECK(mkdir(path, 0700) == 0);
	if (!prof)
		tell_facts(path, soc);
}

/* Let the head claim few bytes of names and rings. */
static void make_small(int fd)
{
	const off_t at = offsetof(struct mp_arena_head, name_bytes);
	uint32_t sizes[2];

	CHECK(pread(fd, sizes, sizeof(sizes), at) == sizeof(sizes));
	sizes[0] %= SMALL_PART;
	sizes[1] %= SMALL_PART;
	CHECK(pwrite(fd, sizes, sizeof(sizes), at) == sizeof(sizes));
}

/* The first byte of the input, and its patches. */
static void write_events(const char *part, const uint8_t *data, size_t size)
{
	char path[PATH_SIZE + 16];
	int fd;

	snprintf(path, sizeof(path), "%s/" MP_ARENA_FILE, part);
	fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	CHECK(fd >= 0 && ftruncate(fd, MP_ARENA_SIZE) == 0);
	CHECK(pwrite(fd, MP_ARENA_MAGIC, 8, 0) == 8);
	for (size_t at = 1; size - at >= 4;) {
		off_t offset = (data[at] | data[at + 1] << 8 | data[at + 2] << 16) % (MP_ARENA_SIZE - 256);
		size_t len = data[at + 3] < size - at - 4 ? data[at + 3] : size - at - 4;

		CHECK(pwrite(fd, data + at + 4, len, offset) == (ssize_t)len);
		at += 4 + len;
	}
	if (!(data[0] & LARGE))
		make_small(fd);
	close(fd);
}

static long long bytes; /* of all files with data */

static int add_size(const char *path, const struct stat *st, int type, struct FTW *at)
{
	(void)at;
	if (type == FTW_F && !strstr(path, MP_ARENA_FILE))
		bytes += (long long)st->st_size;
	return 0;
}

/* Recover the events, and return how many bytes of data the result has. */
static long long recover(const char *part, const char *result, const uint8_t *data, size_t size)
{
	struct mp_error err = {.text = ""};
	uint64_t events;

	write_events(part, data, size);
	if (mp_recover(result, result, &events, &err))
		CHECK(err.text[0]);
	bytes = 0;
	CHECK(nftw(part, add_size, 8, FTW_PHYS) == 0);
	return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char part[PATH_SIZE], result[PATH_SIZE];
	bool prof = size && data[0] & 1;
	long long first;

	if (!size)
		return 0;
	setenv("MSPROF_LOG", "off", 1);
	make_result(part, prof, data[0] >> 1);
	snprintf(result, sizeof(result), "%.*s", (int)(strlen(part) - (prof ? strlen("/host") : 0)), part);
	first = recover(part, result, data, size);
	CHECK(recover(part, result, data, size) == first);
	return 0;
}
