/* support.h: shared by the unit tests: cmocka, temporary directories and files, layouts. */
#ifndef MP_TESTS_SUPPORT_H
#define MP_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>

#include "base/schema.h"
#include "raw/layout.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Require 0; otherwise the test fails with the library's error. */
#define assert_ok(call, err)                                                                                           \
	do {                                                                                                           \
		(err)->text[0] = '\0';                                                                                 \
		if ((call) != 0)                                                                                       \
			fail_msg("%s: %s", #call, (err)->text);                                                        \
	} while (0)

/* Require -1 and an error that contains `part`. */
#define assert_refused(call, err, part)                                                                                \
	do {                                                                                                           \
		(err)->text[0] = '\0';                                                                                 \
		if ((call) != -1)                                                                                      \
			fail_msg("%s did not fail", #call);                                                            \
		if (!strstr((err)->text, part))                                                                        \
			fail_msg("\"%s\" does not say \"%s\"", (err)->text, part);                                     \
	} while (0)

/* A random number, the same in every run. */
static inline uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Skip the test when /proc is not mounted. */
static inline void needs_proc(void)
{
	if (access("/proc/self/exe", F_OK) != 0) {
		print_message("skipped: /proc is not mounted\n");
		skip();
	}
}

/* Make a directory below $TMPDIR. The caller removes the directory and frees the path. */
static inline char *temp_dir(void)
{
	const char *base = getenv("TMPDIR");
	char path[1024], *real;

	snprintf(path, sizeof(path), "%s/msprof-test.XXXXXX", base && *base ? base : "/tmp");
	assert_non_null(mkdtemp(path));
	real = realpath(path, NULL);
	assert_non_null(real);
	return real;
}

/* Remove the file or directory NAME and everything below it. */
static inline void remove_at(int dirfd, const char *name)
{
	int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
			remove_at(fd, entry->d_name);
	if (dir)
		closedir(dir);
	if (unlinkat(dirfd, name, dir ? AT_REMOVEDIR : 0))
		print_error("cannot remove %s\n", name);
}

/* Remove a directory of temp_dir() and everything below it, and free the path. */
static inline void remove_dir(char *path)
{
	assert_non_null(strstr(path, "/msprof-test."));
	assert_null(strstr(path, "/../"));
	remove_at(AT_FDCWD, path);
	free(path);
}

/* Returns DIR/NAME, valid until the eighth call after this one. */
static inline const char *below(const char *dir, const char *name)
{
	static char paths[8][2048];
	static unsigned next;
	char *path = paths[next++ % 8];

	snprintf(path, sizeof(paths[0]), "%s/%s", dir, name);
	return path;
}

static inline void write_file(const char *dir, const char *name, const void *bytes, size_t size)
{
	FILE *f = fopen(below(dir, name), "wbe");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, size, f), size);
	assert_int_equal(fclose(f), 0);
}

static inline void write_text(const char *dir, const char *name, const char *text)
{
	write_file(dir, name, text, strlen(text));
}

/* Returns the content of a file, NUL-terminated; the caller frees it. */
static inline char *read_text(const char *dir, const char *name)
{
	FILE *f = fopen(below(dir, name), "rbe");
	char *text = calloc(1, 1 << 20);
	size_t len;

	assert_non_null(f);
	assert_non_null(text);
	len = fread(text, 1, (1 << 20) - 1, f);
	assert_true(len < (1 << 20) - 1);
	fclose(f);
	return text;
}

/* Make a file without a name that contains these bytes. */
static inline int unnamed_file(const void *bytes, size_t size)
{
	int fd = (int)syscall(SYS_memfd_create, "unnamed", 0);

	assert_true(fd >= 0);
	for (size_t at = 0; at < size;) {
		ssize_t n = pwrite(fd, (const char *)bytes + at, size - at, (off_t)at);

		assert_true(n > 0);
		at += (size_t)n;
	}
	return fd;
}

/* Store the low `width` bytes of v at p, lowest first. */
static inline void put_le(unsigned char *p, size_t width, uint64_t v)
{
	for (size_t i = 0; i < width; i++)
		p[i] = (unsigned char)(v >> (8 * i));
}

/* Load the embedded layouts. */
static inline void load_embedded(struct mp_layouts *set)
{
	struct mp_error err;

	memset(set, 0, sizeof(*set));
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++)
		if (strncmp(f->path, "records/", 8) == 0)
			assert_ok(mp_layouts_parse(set, f->path + 8, f->text, &err), &err);
	assert_ok(mp_layouts_finish(set, &err), &err);
}

static inline const struct mp_layout *layout_named(const struct mp_layouts *set, const char *name)
{
	for (size_t i = 0; i < set->count; i++)
		if (strcmp(set->items[i]->name, name) == 0)
			return set->items[i];
	fail_msg("no layout '%s'", name);
	return NULL;
}

#endif
