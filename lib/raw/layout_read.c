/* layout_read.c: reads a directory of .rec files into a set of layouts. */
#include "raw/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"

enum { LAYOUT_FILE_MAX = 1024 * 1024 };

static bool is_layout(const void *user, const char *name)
{
	size_t len = strlen(name);

	(void)user;
	return len > 4 && strcmp(name + len - 4, ".rec") == 0;
}

static int read_file(struct mp_layouts *set, int dirfd, const char *dir, const char *name, struct mp_error *err)
{
	char path[4096], *text = NULL;
	ssize_t len = 0;
	int fd, status;

	if (snprintf(path, sizeof(path), "%s/%s", dir, name) >= (int)sizeof(path))
		return mp_fail(err, "path too long: '%s'", dir);
	fd = mp_dir_open_file(dirfd, name, NULL);
	if (fd < 0)
		return mp_file_refuse(path, err);
	text = malloc(LAYOUT_FILE_MAX + 1);
	if (text)
		len = mp_file_read(fd, text, LAYOUT_FILE_MAX + 1, 0);
	if (!text)
		status = mp_fail_memory(err, "layouts");
	else if (len < 0)
		status = mp_fail_errno(err, "cannot read '%s'", path);
	else if (len > LAYOUT_FILE_MAX)
		status = mp_fail(err, "'%s' is larger than 1 MiB", path);
	else if (memchr(text, '\0', (size_t)len))
		status = mp_fail(err, "'%s' holds a NUL byte", path);
	else {
		text[len] = '\0';
		status = mp_layouts_parse(set, name, text, err);
	}
	close(fd); /* opened read-only: nothing can be lost */
	free(text);
	return status;
}

int mp_layouts_read(struct mp_layouts *set, const char *dir, struct mp_error *err)
{
	int fd = mp_named_dir(dir, err), status;
	struct mp_dir_names names;

	if (fd < 0)
		return -1;
	status = mp_dir_list(&names, fd, is_layout, NULL, dir, err);
	if (!status && !names.count)
		status = mp_fail(err, "no .rec file in '%s'", dir);
	set->reads_given = true;
	for (size_t i = 0; !status && i < names.count; i++)
		status = read_file(set, fd, dir, names.items[i], err);
	set->reads_given = false;
	mp_dir_names_free(&names);
	close(fd); /* opened read-only: nothing can be lost */
	return status;
}
