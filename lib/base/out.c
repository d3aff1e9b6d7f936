/* out.c: the buffer, the partial file and the rename. Knows no format. */
#define _GNU_SOURCE /* syncfs */
#include "base/out.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/number.h"

enum { BUFFER_SIZE = 256 * 1024, RESERVE_MAX = 64 * 1024, NAME_SIZE = 512 };

struct mp_out {
	struct mp_out_room room; /* the free part of the buffer */
	int fd;
	int dirfd;                /* -1: the descriptor is the caller's */
	void (*full)(void *user); /* output kept in memory; else NULL */
	void *user;
	struct mp_out_filter *filter; /* owned, or NULL */
	int64_t limit, left;          /* bytes allowed in all, and bytes still allowed */
	bool failed, sync;
	struct mp_error error; /* the first error */
	char label[NAME_SIZE];
	char name[NAME_SIZE];
	size_t size;
	char buffer[];
};

static void empty_buffer(struct mp_out *o)
{
	o->room.at = o->buffer;
	o->room.end = o->buffer + o->size;
}

static struct mp_out *out_new(const char *label, size_t size, struct mp_error *err)
{
	struct mp_out *o = calloc(1, sizeof(*o) + size);

	if (!o) {
		mp_fail_memory(err, "an output buffer");
		return NULL;
	}
	o->fd = o->dirfd = -1;
	o->size = size;
	o->limit = o->left = INT64_MAX;
	empty_buffer(o);
	snprintf(o->label, sizeof(o->label), "%s", label);
	return o;
}

int mp_out_create(struct mp_out **out, int dirfd, const char *name, const char *label, struct mp_error *err)
{
	struct mp_out *o;

	*out = NULL;
	if (strlen(name) > 255)
		return mp_fail(err, "file name too long: '%s'", name);
	o = out_new(label, BUFFER_SIZE, err);
	if (!o)
		return -1;
	snprintf(o->name, sizeof(o->name), "%s", name);
	o->fd = mp_part_create(dirfd, MP_OUT_PART, label, err);
	if (o->fd < 0) {
		free(o);
		return -1;
	}
	o->dirfd = dirfd;
	*out = o;
	return 0;
}

int mp_out_fd(struct mp_out **out, int fd, const char *label, struct mp_error *err)
{
	*out = out_new(label, BUFFER_SIZE, err);
	if (!*out)
		return -1;
	(*out)->fd = fd;
	return 0;
}

int mp_out_keep(struct mp_out **out, size_t size, void (*full)(void *user), void *user, struct mp_error *err)
{
	*out = out_new("memory", size, err);
	if (!*out)
		return -1;
	(*out)->full = full;
	(*out)->user = user;
	return 0;
}

static void fail(struct mp_out *o)
{
	o->failed = true;
	mp_fail_errno(&o->error, "cannot write '%s'", o->label);
}

static void put(struct mp_out *o, const char *at, size_t left)
{
	while (left && !o->failed) {
		ssize_t n = write(o->fd, at, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			fail(o);
			return;
		}
		at += n;
		left -= (size_t)n;
	}
}

static void write_all(struct mp_out *o, const char *at, size_t left, bool last)
{
	if (!o->failed && (uint64_t)left > (uint64_t)o->left) {
		o->failed = true;
		mp_error_set_kind(&o->error, MP_ERROR_LIMIT, "'%s' would have more than %lld MiB", o->label,
		    (long long)(o->limit >> 20));
	}
	o->left -= o->failed ? 0 : (int64_t)left;
	if (!o->filter)
		put(o, at, left);
	else if (!o->failed && o->filter->pass(o->filter, at, left, last, put, o))
		fail(o);
}

static void flush_buffer(struct mp_out *o)
{
	size_t used = (size_t)(o->room.at - o->buffer);

	if (o->full) {
		o->full(o->user);
		return;
	}
	empty_buffer(o);
	write_all(o, o->buffer, used, false);
}

void mp_out_move(struct mp_out *out, struct mp_out *from)
{
	flush_buffer(out);
	write_all(out, from->buffer, (size_t)(from->room.at - from->buffer), false);
	empty_buffer(from);
	if (out->failed && !from->failed) {
		from->failed = true;
		from->error = out->error;
	}
}

const char *mp_out_kept(const struct mp_out *out, size_t *size)
{
	*size = (size_t)(out->room.at - out->buffer);
	return out->buffer;
}

void mp_out_limit(struct mp_out *out, int64_t bytes)
{
	out->limit = out->left = bytes;
}

void mp_out_sync(struct mp_out *out)
{
	out->sync = true;
}

void mp_out_through(struct mp_out *out, struct mp_out_filter *filter)
{
	out->filter = filter;
}

void mp_out_stop(struct mp_out *out)
{
	out->failed = true;
	mp_fail(&out->error, "'%s' was given up", out->label);
}

int mp_out_error(const struct mp_out *out, struct mp_error *err)
{
	if (!out->failed)
		return 0;
	*err = out->error;
	return -1;
}

char *mp_out_make_room(struct mp_out *out)
{
	flush_buffer(out);
	return out->room.at;
}

void mp_out_write_long(struct mp_out *out, const char *bytes, size_t size)
{
	while (size) {
		size_t n = size < RESERVE_MAX ? size : RESERVE_MAX;

		memcpy(mp_out_reserve(out, n), bytes, n);
		mp_out_advance(out, n);
		bytes += n;
		size -= n;
	}
}

void mp_out_text(struct mp_out *out, const char *text)
{
	mp_out_write(out, text, strlen(text));
}

void mp_out_int(struct mp_out *out, int64_t value)
{
	mp_out_advance(out, mp_number_int(mp_out_reserve(out, MP_NUMBER_SIZE), value));
}

void mp_out_restart(struct mp_out *out)
{
	empty_buffer(out);
	out->left = out->limit;
	if (out->filter)
		out->filter->restart(out->filter);
	if (!out->full && !out->failed && (ftruncate(out->fd, 0) || lseek(out->fd, 0, SEEK_SET) < 0)) {
		out->failed = true;
		mp_fail_errno(&out->error, "cannot empty '%s'", out->label);
	}
}

int mp_out_flush(struct mp_out *out, struct mp_error *err)
{
	flush_buffer(out);
	return mp_out_error(out, err);
}

int mp_out_commit(struct mp_out *out, struct mp_error *err)
{
	int status;

	flush_buffer(out);
	if (out->filter)
		write_all(out, NULL, 0, true);
	status = mp_out_error(out, err);
	if (out->dirfd >= 0 && !status) {
		status = mp_part_publish(out->dirfd, out->fd, MP_OUT_PART, out->name, out->sync, out->label, err);
		out->dirfd = -1;
	}
	mp_out_abort(out);
	return status;
}

void mp_out_abort(struct mp_out *out)
{
	if (!out)
		return;
	if (out->filter)
		out->filter->end(out->filter);
	if (out->dirfd >= 0)
		mp_part_discard(out->dirfd, out->fd, MP_OUT_PART);
	free(out);
}

/* ---- part files ---- */

int mp_part_create(int dirfd, const char *part, const char *label, struct mp_error *err)
{
	int fd;

	if (unlinkat(dirfd, part, 0) && errno != ENOENT)
		return mp_fail_errno(err, "cannot remove '%s' for '%s'", part, label);
	fd = mp_fd_keep(openat(dirfd, part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640));
	if (fd < 0)
		return mp_fail_errno(err, "cannot create '%s'", label);
	if (fchmod(fd, 0640) == 0) /* the umask may have removed bits */
		return fd;
	mp_fail_errno(err, "cannot set the mode of '%s'", label);
	mp_part_discard(dirfd, fd, part);
	return -1;
}

/* Bring the names of a directory to the disk. One that may not be read, or has no such call, cannot be. */
static int sync_names(int dirfd)
{
	int fd = openat(dirfd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), status;

	if (fd < 0)
		return errno == EACCES ? 0 : -1;
	status = fsync(fd) && errno != EINVAL ? -1 : 0;
	close(fd); /* nothing was written through it */
	return status;
}

int mp_part_publish(
    int dirfd, int fd, const char *part, const char *name, bool sync, const char *label, struct mp_error *err)
{
	int status = sync && fsync(fd) ? mp_fail_errno(err, "cannot write '%s'", label) : 0;

	if (close(fd) && !status)
		status = mp_fail_errno(err, "cannot close '%s'", label);
	if (!status && renameat(dirfd, part, dirfd, name))
		status = mp_fail_errno(err, "cannot rename '%s' to '%s'", part, label);
	if (status)
		unlinkat(dirfd, part, 0); /* the error was told */
	else if (sync && sync_names(dirfd))
		status = mp_fail_errno(err, "cannot write the directory of '%s'", label);
	return status;
}

int mp_part_sync_all(int dirfd, const char *label, struct mp_error *err)
{
	return syncfs(dirfd) ? mp_fail_errno(err, "cannot write '%s'", label) : 0;
}

void mp_part_discard(int dirfd, int fd, const char *part)
{
	close(fd); /* the content is discarded anyway */
	unlinkat(dirfd, part, 0);
}
