/* made.c: the list of our own exports in a directory. */
#include "base/made.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/door.h"
#include "base/out.h"

#define LIST ".msprof"
#define COPY ".msprof.copy"

enum { LIST_SIZE_MAX = 4 << 20, CHUNK = 1 << 12 };
enum { FLAGS = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };

int mp_made_read(struct mp_made *made, int dirfd, struct mp_error *err)
{
	struct stat st;
	int fd = mp_dir_open_file(dirfd, LIST, &st);
	size_t size;

	*made = (struct mp_made){NULL, 0};
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
	if (made->fd > 0)
		close(made->fd); /* the list was written anew, or the error was told */
	*made = (struct mp_made){NULL, 0};
}

/* Returns whether a line has the name and the size. */
static bool has_line(const char *list, const char *name, int64_t size)
{
	const size_t len = strlen(name);

	for (const char *line = list; line && *line; line += *line == '\n') {
		char *end;
		const long long told = strtoll(line, &end, 10);
		const size_t rest = strcspn(end, "\n");

		if (*end == ' ' && rest == len + 1 && memcmp(end + 1, name, len) == 0 && size == told)
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

static bool is_ours(const struct mp_made *made, int dirfd, const char *name, const struct stat *st)
{
	return has_line(made->text, name, st->st_size) || is_our_trace(dirfd, name);
}

/* An export lists a file before it appears: what was there before the list was read, and is still there, was listed. */
bool mp_made_elsewhere(struct mp_made *made, int dirfd, const char *name)
{
	struct mp_made now;
	struct mp_error ignored;
	struct stat st, again;

	if (mp_dir_look(dirfd, name, &st) || !S_ISREG(st.st_mode) || is_ours(made, dirfd, name, &st))
		return false;
	if (mp_made_read(&now, dirfd, &ignored) == 0) { /* without memory the earlier list counts */
		free(made->text);
		made->text = now.text;
	}
	return !is_ours(made, dirfd, name, &st) && mp_dir_look(dirfd, name, &again) == 0 && again.st_ino == st.st_ino;
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

/* Put a copy of the list in its place, and open it. */
static int copy_list(const struct mp_made *made, int dirfd, struct mp_error *err)
{
	const char *text = made->text ? made->text : "";
	int fd;

	unlinkat(dirfd, COPY, 0); /* of a run that was killed */
	fd = mp_fd_keep(openat(dirfd, COPY, FLAGS | O_EXCL, 0640));
	if (fd >= 0 && mp_file_write(fd, text, strlen(text), 0) == 0 && renameat(dirfd, COPY, dirfd, LIST) == 0)
		return fd;
	mp_fail_errno(err, "cannot copy '%s'", LIST);
	if (fd >= 0)
		close(fd); /* the error was told */
	unlinkat(dirfd, COPY, 0);
	return -1;
}

/* Open the list to add lines. Where it has several names, as in a copy by links, the others keep what they have. */
static int open_list(const struct mp_made *made, int dirfd, struct mp_error *err)
{
	struct stat st;
	int fd = mp_fd_keep(openat(dirfd, LIST, FLAGS, 0640)), status;

	if (fd < 0)
		return mp_fail_errno(err, "cannot open '%s'", LIST);
	status = fstat(fd, &st) || !S_ISREG(st.st_mode) ? -1 : 0;
	if (!status && st.st_nlink == 1 && fchmod(fd, 0640) == 0)
		return fd;
	close(fd); /* nothing was written */
	return !status && st.st_nlink > 1 ? copy_list(made, dirfd, err)
					  : mp_fail(err, "'%s' is not a regular file of this user: remove it", LIST);
}

/* Add a line to the list in memory. Returns where it begins; a line that was cut before ends first. NULL: no memory */
static const char *append(struct mp_made *made, int64_t size, const char *name)
{
	const size_t used = made->text ? strlen(made->text) : 0, room = used + strlen(name) + 32;
	char *more = realloc(made->text, room);

	if (!more)
		return NULL;
	made->text = more;
	snprintf(
	    more + used, room - used, "%s%" PRId64 " %s\n", used && more[used - 1] != '\n' ? "\n" : "", size, name);
	return more + used;
}

int mp_made_add(struct mp_made *made, int dirfd, const char *as, const char *name, struct mp_error *err)
{
	const char *line;
	struct stat st;

	if (mp_dir_look(dirfd, as, &st))
		return mp_fail_errno(err, "cannot look at '%s'", as);
	if (!made->fd) {
		const int fd = open_list(made, dirfd, err);

		if (fd < 0)
			return -1;
		made->fd = fd;
	}
	if (has_line(made->text, name, st.st_size))
		return 0;
	line = append(made, st.st_size, name);
	if (!line)
		return mp_fail_memory(err, "a list of exports");
	errno = ENOSPC; /* where less is written than wanted */
	return write(made->fd, line, strlen(line)) == (ssize_t)strlen(line)
		   ? 0
		   : mp_fail_errno(err, "cannot write '%s'", LIST);
}

int mp_made_write(const struct mp_made *made, int dirfd, const char *label, struct mp_error *err)
{
	char path[4096], *line, *save = NULL;
	struct mp_out *out;
	struct stat st;

	if (!made->fd)
		return 0;
	snprintf(path, sizeof(path), "%s/" LIST, label);
	if (mp_out_create(&out, dirfd, LIST, path, err))
		return -1;
	for (line = strtok_r(made->text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char *name;
		const long long size = strtoll(line, &name, 10);

		if (*name != ' ' || mp_dir_look(dirfd, name + 1, &st) || st.st_size != size)
			continue;
		mp_out_text(out, line);
		mp_out_char(out, '\n');
	}
	return mp_out_commit(out, err);
}
