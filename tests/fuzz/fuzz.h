/* fuzz.h: shared by the fuzz targets. Include it first, because it needs memfd_create. */
#ifndef MP_TESTS_FUZZ_H
#define MP_TESTS_FUZZ_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/schema.h"
#include "raw/layout.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Only where replay.c is linked: there is no fuzzer, and an execution may take its time. */
extern const char fuzz_is_replay __attribute__((weak));

static inline bool is_replay(void)
{
	return &fuzz_is_replay != NULL;
}

/* Stop with a message: the fuzzer keeps the input. */
#define CHECK(condition)                                                                                               \
	do {                                                                                                           \
		if (!(condition)) {                                                                                    \
			fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                                \
			abort();                                                                                       \
		}                                                                                                      \
	} while (0)

/* NAME below $TMPDIR, for mkstemp or mkdtemp. */
static inline void temp_path(char *path, size_t size, const char *name)
{
	const char *base = getenv("TMPDIR");

	CHECK((size_t)snprintf(path, size, "%s/%s", base && *base ? base : "/tmp", name) < size);
}

/* Make a file in memory with these bytes. */
static inline int memory_file(const void *bytes, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	CHECK(fd >= 0);
	for (size_t at = 0; at < size;) {
		ssize_t n = pwrite(fd, (const char *)bytes + at, size - at, (off_t)at);

		CHECK(n > 0);
		at += (size_t)n;
	}
	return fd;
}

/* The embedded layouts, loaded once. */
static inline const struct mp_layouts *embedded_layouts(void)
{
	static struct mp_layouts set;
	struct mp_error err = {.text = ""};

	if (set.count)
		return &set;
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++)
		if (strncmp(f->path, "records/", 8) == 0)
			CHECK(mp_layouts_parse(&set, f->path, f->text, &err) == 0);
	CHECK(mp_layouts_finish(&set, &err) == 0);
	return &set;
}

#endif
