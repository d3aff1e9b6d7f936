/*
 * load_ahead.c: what follows a slice of a stream: the first bytes of the next slices. A slice hands what it read ahead
 * to the next one, so that each slice is opened a few times, however small the slices are.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "store/load.h"

struct mp_ahead {
	const struct mp_job_file *last; /* the slice that was read last; at first the owner */
	int64_t taken;                  /* bytes of it */
	bool ended, is_odd;             /* is_odd: a slice cannot be opened, or had not its size */
	unsigned char *bytes;
	size_t begin, end, room;
};

/* The slice is the next to be read: its bytes are behind nothing any more. */
static void pass(struct mp_ahead *a, const struct mp_job_file *file)
{
	size_t have = a->end - a->begin;

	if (a->last > file) {
		a->begin += file->size < (int64_t)have ? (size_t)file->size : have;
		return;
	}
	free(a->bytes);
	a->bytes = NULL;
	a->begin = a->end = a->room = 0;
	a->ended = false;
	a->last = file;
	a->taken = file->size;
}

static void let_go(struct mp_ahead **a)
{
	if (*a)
		free((*a)->bytes);
	free(*a);
	*a = NULL;
}

/* What is read ahead of a slice: what the slice before it left, or nothing. */
static struct mp_ahead *find(struct mp_load *load, const struct mp_job_file *file)
{
	struct mp_ahead **own = &load->ahead[file - load->job->files], **left;
	const struct mp_job_file *before = *own ? NULL : mp_load_find_slice(load, file, file->identity.slice - 1);

	if (!before)
		return *own;
	left = &load->ahead[before - load->job->files];
	if (*left && before < file && !(*left)->is_odd) {
		*own = *left;
		*left = NULL;
		pass(*own, file);
	} else {
		let_go(left);
	}
	return *own;
}

static bool make_room(struct mp_ahead *a, size_t more)
{
	size_t have = a->end - a->begin;
	unsigned char *bytes;

	if (a->end + more <= a->room)
		return true;
	if (a->begin)
		memmove(a->bytes, a->bytes + a->begin, have);
	a->begin = 0;
	a->end = have;
	if (have + more <= a->room / 4 * 3)
		return true;
	bytes = realloc(a->bytes, 2 * (have + more));
	if (!bytes)
		return false;
	a->bytes = bytes;
	a->room = 2 * (have + more);
	return true;
}

/* Read on in the last slice, up to `more` bytes of it. */
static int read_on(struct mp_load *load, struct mp_ahead *a, size_t more, struct mp_error *err)
{
	int fd = mp_job_open_file(load->job, a->last);
	ssize_t n;

	if (fd < 0) {
		a->ended = a->is_odd = true;
		return mp_is_machine_failure(errno)
			   ? mp_fail_errno(err, "cannot open '%s/%s'", load->job->path, a->last->name)
			   : 0;
	}
	n = mp_file_read(fd, a->bytes + a->end, more, (off_t)a->taken);
	close(fd);         /* read only: nothing to lose */
	n = n < 0 ? 0 : n; /* an error is told when the file is read */
	a->end += (size_t)n;
	a->taken += n;
	if ((size_t)n < more) {
		a->is_odd = true;
		a->taken = a->last->size;
	}
	return 0;
}

/* Go to the next slice; the last one is the end. */
static void go_on(struct mp_load *load, struct mp_ahead *a)
{
	const struct mp_job_file *next = mp_load_find_slice(load, a->last, a->last->identity.slice + 1);

	a->ended = !next || next <= a->last;
	if (!a->ended) {
		a->last = next;
		a->taken = 0;
	}
}

static int fill(struct mp_load *load, struct mp_ahead *a, size_t most, struct mp_error *err)
{
	while (!a->ended && a->end - a->begin < most) {
		size_t more = most - (a->end - a->begin);
		int64_t left = a->last->size - a->taken;

		if (left <= 0) {
			go_on(load, a);
			continue;
		}
		more = left < (int64_t)more ? (size_t)left : more;
		if (!make_room(a, more))
			return mp_fail_memory(err, "records across slices");
		if (read_on(load, a, more, err))
			return -1;
	}
	return 0;
}

int mp_load_ahead(struct mp_load *load, const struct mp_job_file *file, size_t most, unsigned char **bytes,
    size_t *size, struct mp_error *err)
{
	struct mp_ahead **own = &load->ahead[file - load->job->files], *a = find(load, file);

	*bytes = NULL;
	*size = 0;
	if (!most)
		return 0;
	if (!a && !(a = *own = calloc(1, sizeof(*a))))
		return mp_fail_memory(err, "records across slices");
	if (!a->last)
		*a = (struct mp_ahead){.last = file, .taken = file->size};
	if (fill(load, a, most, err))
		return -1;
	*size = a->end - a->begin < most ? a->end - a->begin : most;
	if (*size && !(*bytes = malloc(*size)))
		return mp_fail_memory(err, "records across slices");
	if (*size)
		memcpy(*bytes, a->bytes + a->begin, *size);
	return 0;
}

void mp_load_ahead_free(struct mp_load *load)
{
	for (size_t i = 0; load->ahead && i < load->job->file_count; i++)
		let_go(&load->ahead[i]);
	free(load->ahead);
	load->ahead = NULL;
}
