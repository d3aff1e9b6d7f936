/* made.c: the list of our own exports in a directory. */
#include "base/made.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/out.h"

#define LIST ".msprof"

enum { LIST_SIZE_MAX = 4 << 20, CHUNK = 1 << 12 };

int mp_made_read(struct mp_made *made, int dirfd, struct mp_error *err)
{
	struct stat st;
	int fd = mp_dir_open_file(dirfd, LIST, &st);
	size_t size;

	made->text = NULL;
	if (fd < 0)
		return 0;
	size = st.st_size > LIST_SIZE_MAX ? 0 : (size_t)st.st_size;
	made->text = calloc(1, size + 1);
	if (!made->text)
		mp_fail_memory(err, "a list of exports");
	else if (mp_file_read(fd, made->text, size, 0) != (ssize_t)size)
		made->text[0] = '\0';
	close(fd); /* only read */
	return made->text ? 0 : -1;
}

void mp_made_free(struct mp_made *made)
{
	free(made->text);
	made->text = NULL;
}

/* Returns whether a line has the name, with this size or any (-1). */
static bool has_line(const char *list, const char *name, int64_t size)
{
	const size_t len = strlen(name);

	for (const char *line = list; line && *line; line += *line == '\n') {
		char *end;
		const long long told = strtoll(line, &end, 10);
		const size_t rest = strcspn(end, "\n");

		if (*end == ' ' && rest == len + 1 && memcmp(end + 1, name, len) == 0 && (size < 0 || size == told))
			return true;
		line = end + rest;
	}
	return false;
}

/* Traces are not listed: ours have a line break behind the bracket of the events, and no blanks. */
static bool is_our_trace(int dirfd, const char *name)
{
	static const char *const begins[] = {"[\n{", "{\"traceEvents\":[\n"};
	const size_t len = strlen(name);
	char head[32] = "";
	int fd = len > 5 && strcmp(name + len - 5, ".json") == 0 ? mp_dir_open_file(dirfd, name, NULL) : -1;

	if (fd < 0)
		return false;
	if (mp_file_read(fd, head, sizeof(head) - 1, 0) < 0)
		head[0] = '\0';
	close(fd); /* only read */
	return strncmp(head, begins[0], strlen(begins[0])) == 0 || strncmp(head, begins[1], strlen(begins[1])) == 0;
}

bool mp_made_here(const struct mp_made *made, int dirfd, const char *name)
{
	struct stat st;

	return mp_dir_look(dirfd, name, &st) == 0 &&
	       (has_line(made->text, name, st.st_size) || is_our_trace(dirfd, name));
}

bool mp_made_elsewhere(const struct mp_made *made, int dirfd, const char *name)
{
	struct stat st;

	return mp_dir_look(dirfd, name, &st) == 0 && S_ISREG(st.st_mode) && !mp_made_here(made, dirfd, name);
}

/* Compare the bytes of two open files. */
static bool is_same(int fd, int other)
{
	char bytes[2][CHUNK];
	ssize_t n = CHUNK;

	for (off_t at = 0; n == CHUNK; at += n) {
		n = mp_file_read(fd, bytes[0], CHUNK, at);
		if (n < 0 || mp_file_read(other, bytes[1], CHUNK, at) != n ||
		    memcmp(bytes[0], bytes[1], (size_t)n) != 0)
			return false;
	}
	return true;
}

bool mp_made_same(int dirfd, const char *name, const char *other)
{
	const int fd = mp_dir_open_file(dirfd, name, NULL), fd_other = mp_dir_open_file(dirfd, other, NULL);
	const bool same = fd >= 0 && fd_other >= 0 && is_same(fd, fd_other);

	if (fd >= 0)
		close(fd); /* only read, both */
	if (fd_other >= 0)
		close(fd_other);
	return same;
}

int mp_made_add(struct mp_made *made, int dirfd, const char *name, struct mp_error *err)
{
	const size_t used = made->text ? strlen(made->text) : 0, room = used + strlen(name) + 32;
	struct stat st;
	char *more;

	if (mp_dir_look(dirfd, name, &st))
		return mp_fail_errno(err, "cannot look at '%s'", name);
	more = realloc(made->text, room);
	if (!more)
		return mp_fail_memory(err, "a list of exports");
	made->text = more;
	snprintf(more + used, room - used, "%" PRId64 " %s\n", (int64_t)st.st_size, name);
	return 0;
}

/* Write the lines of an earlier list whose names the new one lacks, and whose files are still there. */
static void write_earlier(struct mp_out *out, struct mp_made *earlier, const struct mp_made *made, int dirfd)
{
	char *line, *save = NULL;
	struct stat st;

	for (line = strtok_r(earlier->text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		const char *name = strchr(line, ' ');

		if (!name || has_line(made->text, name + 1, -1) || mp_dir_look(dirfd, name + 1, &st))
			continue;
		mp_out_text(out, line);
		mp_out_char(out, '\n');
	}
}

int mp_made_write(const struct mp_made *made, int dirfd, const char *label, struct mp_error *err)
{
	struct mp_made earlier;
	char path[4096];
	struct mp_out *out;

	if (!made->text)
		return 0;
	snprintf(path, sizeof(path), "%s/" LIST, label);
	if (mp_made_read(&earlier, dirfd, err) || mp_out_create(&out, dirfd, LIST, path, err)) {
		mp_made_free(&earlier);
		return -1;
	}
	if (earlier.text)
		write_earlier(out, &earlier, made, dirfd);
	mp_out_text(out, made->text);
	mp_made_free(&earlier);
	return mp_out_commit(out, err);
}
