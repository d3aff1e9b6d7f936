/* layout_read.c: reads a directory of .rec files into a set of layouts. */
#include "raw/layout.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LAYOUT_FILE_MAX = 1024 * 1024 };

static int is_layout(const struct dirent *entry)
{
	size_t len = strlen(entry->d_name);

	return len > 4 && strcmp(entry->d_name + len - 4, ".rec") == 0;
}

static int by_bytes(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static int read_file(struct mp_layouts *set, const char *dir, const char *name, struct mp_error *err)
{
	char path[4096];
	char *text = NULL;
	struct stat st;
	FILE *f;
	int fd;
	size_t len = 0;
	int status;

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
		return mp_fail(err, "path too long: '%s'", dir);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (fd < 0)
		return mp_fail_errno(err, "cannot open '%s'", path);
	f = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) ? fdopen(fd, "r") : NULL;
	if (!f) {
		close(fd);
		return mp_fail(err, "'%s' is not a regular file", path);
	}
	text = malloc(LAYOUT_FILE_MAX + 1);
	if (text)
		len = fread(text, 1, LAYOUT_FILE_MAX + 1, f);
	if (!text)
		status = mp_fail_memory(err, "layouts");
	else if (ferror(f))
		status = mp_fail_errno(err, "cannot read '%s'", path);
	else if (len > LAYOUT_FILE_MAX)
		status = mp_fail(err, "'%s' is larger than 1 MiB", path);
	else if (memchr(text, '\0', len))
		status = mp_fail(err, "'%s' holds a NUL byte", path);
	else {
		text[len] = '\0';
		status = mp_layouts_parse(set, name, text, err);
	}
	fclose(f); /* opened read-only: nothing can be lost */
	free(text);
	return status;
}

int mp_layouts_read(struct mp_layouts *set, const char *dir, struct mp_error *err)
{
	struct dirent **entries;
	int count = scandir(dir, &entries, is_layout, by_bytes);
	int status = 0;

	if (count < 0)
		return mp_fail_errno(err, "cannot list '%s'", dir);
	if (count == 0)
		status = mp_fail(err, "no .rec file in '%s'", dir);
	for (int i = 0; i < count; i++) {
		if (!status)
			status = read_file(set, dir, entries[i]->d_name, err);
		free(entries[i]);
	}
	free(entries);
	return status;
}
