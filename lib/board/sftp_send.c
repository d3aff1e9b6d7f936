/*
 * sftp_send.c: sends many files at once by sftp, each in pieces of 32 KiB without waiting
 * for their answers. Directories come first, their modes last: a directory may be read-only.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "board/sftp_internal.h"
#include "board/tree.h"

enum { TO_WRITE = 0x02 | 0x08 | 0x10 /* write, create, empty */ };

struct sending;

struct sent {
	struct sending *sending;
	struct mp_sftp_item *item; /* NULL: free */
	int fd;
	char handle[MP_SFTP_HANDLE_SIZE];
	size_t handle_len;
	int64_t at;
	size_t outstanding;
	bool closing;
};

struct sending {
	struct mp_sftp *sftp;
	const char *dir;
	struct mp_tree_dir from;
	struct mp_sftp_item *items;
	size_t count, next, active;
	struct sent files[MP_SFTP_FILES];
};

static void put_mode(struct mp_sftp *sftp, const struct mp_tree_entry *entry, bool with_time)
{
	mp_sftp_put_u32(sftp, MP_SFTP_HAS_MODE | (with_time ? MP_SFTP_HAS_TIMES : 0));
	mp_sftp_put_u32(sftp, entry->mode & 0777);
	if (with_time) {
		mp_sftp_put_u32(sftp, (uint32_t)entry->mtime_s);
		mp_sftp_put_u32(sftp, (uint32_t)entry->mtime_s);
	}
}

/* An answer that must be a success; the owner is the entry. */
static int must_succeed(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	const struct mp_tree_entry *entry = request->owner;

	mp_sftp_release(sftp, request);
	if (answer->type == MP_SFTP_STATUS && answer->status == MP_SFTP_OK)
		return 0;
	return mp_sftp_blame(answer, S_ISLNK(entry->mode) ? "make the link" : "set the mode of", entry->path, err);
}

static void own_entry(struct mp_sftp_request *request, const struct mp_tree_entry *entry)
{
	request->owner = (void *)(uintptr_t)entry;
	request->answered = must_succeed;
}

static int make_dirs(struct sending *s, struct mp_error *err)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct mp_tree_entry *entry = s->items[i].entry;

		if (!S_ISDIR(entry->mode))
			continue;
		/* It may be there: whether it is one shows when its mode is set. */
		(void)mp_sftp_begin(s->sftp, MP_SFTP_MKDIR);
		mp_sftp_put_path(s->sftp, s->dir, entry->path);
		mp_sftp_put_u32(s->sftp, MP_SFTP_HAS_MODE);
		mp_sftp_put_u32(s->sftp, 0700);
		mp_sftp_end_packet(s->sftp);
		if (mp_sftp_drain(s->sftp, err)) /* what is in it needs it */
			return -1;
	}
	return 0;
}

static int set_dir_modes(struct sending *s, struct mp_error *err)
{
	for (size_t i = s->count; i-- > 0;) {
		const struct mp_tree_entry *entry = s->items[i].entry;
		struct mp_sftp_request *request;

		if (!S_ISDIR(entry->mode))
			continue;
		while (!(request = mp_sftp_begin(s->sftp, MP_SFTP_SETSTAT)))
			if (mp_sftp_turn(s->sftp, err))
				return -1;
		own_entry(request, entry);
		mp_sftp_put_path(s->sftp, s->dir, entry->path);
		put_mode(s->sftp, entry, false);
		mp_sftp_end_packet(s->sftp);
		s->items[i].done = true;
	}
	return mp_sftp_drain(s->sftp, err);
}

/* OpenSSH takes the target first, against the standard, and everybody follows. */
static int make_link(struct sending *s, struct mp_sftp_item *item, struct mp_error *err)
{
	const struct mp_tree_entry *entry = item->entry;
	struct mp_sftp_request *request;

	(void)mp_sftp_begin(s->sftp, MP_SFTP_REMOVE);
	mp_sftp_put_path(s->sftp, s->dir, entry->path);
	mp_sftp_end_packet(s->sftp);
	if (mp_sftp_drain(s->sftp, err))
		return -1;
	request = mp_sftp_begin(s->sftp, MP_SFTP_SYMLINK);
	own_entry(request, entry);
	mp_sftp_put_bytes(s->sftp, entry->target, strlen(entry->target));
	mp_sftp_put_path(s->sftp, s->dir, entry->path);
	mp_sftp_end_packet(s->sftp);
	item->done = true;
	return mp_sftp_drain(s->sftp, err);
}

static int make_links(struct sending *s, struct mp_error *err)
{
	for (size_t i = 0; i < s->count; i++)
		if (S_ISLNK(s->items[i].entry->mode) && make_link(s, &s->items[i], err))
			return -1;
	return 0;
}

static int file_closed(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	struct sent *f = request->owner;
	struct mp_sftp_item *item = f->item;

	mp_sftp_release(sftp, request);
	if (answer->type != MP_SFTP_STATUS || answer->status != MP_SFTP_OK)
		return mp_sftp_blame(answer, "close", item->entry->path, err);
	close(f->fd);
	f->item = NULL;
	f->sending->active--;
	item->done = true;
	if (sftp->line.progress)
		sftp->line.progress->files++;
	return 0;
}

static int mode_set(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	struct sent *f = request->owner;

	mp_sftp_release(sftp, request);
	if (answer->type != MP_SFTP_STATUS || answer->status != MP_SFTP_OK)
		return mp_sftp_blame(answer, "set mode and time of", f->item->entry->path, err);
	request = mp_sftp_begin(sftp, MP_SFTP_CLOSE);
	request->owner = f;
	request->answered = file_closed;
	mp_sftp_put_bytes(sftp, f->handle, f->handle_len);
	mp_sftp_end_packet(sftp);
	return 0;
}

/* The time is set after the last write, or the last write would set it. */
static void end_file(struct sent *f)
{
	struct mp_sftp *sftp = f->sending->sftp;
	struct mp_sftp_request *request = mp_sftp_begin(sftp, MP_SFTP_FSETSTAT);

	f->closing = true;
	request->owner = f;
	request->answered = mode_set;
	mp_sftp_put_bytes(sftp, f->handle, f->handle_len);
	put_mode(sftp, f->item->entry, true);
	mp_sftp_end_packet(sftp);
}

static int piece_written(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	struct sent *f = request->owner;
	struct mp_progress *progress = sftp->line.progress;

	if (answer->type != MP_SFTP_STATUS || answer->status != MP_SFTP_OK)
		return mp_sftp_blame(answer, "write", f->item->entry->path, err);
	if (progress)
		progress->done += (int64_t)request->len;
	mp_sftp_release(sftp, request);
	f->outstanding--;
	if (f->outstanding == 0 && f->at == f->item->entry->size)
		end_file(f);
	return mp_progress_tell(progress, false, err);
}

static int send_piece(struct sent *f, struct mp_error *err)
{
	char bytes[MP_SFTP_CHUNK];
	struct mp_sftp *sftp = f->sending->sftp;
	const struct mp_tree_entry *entry = f->item->entry;
	int64_t left = entry->size - f->at;
	size_t want = left < MP_SFTP_CHUNK ? (size_t)left : MP_SFTP_CHUNK;
	struct mp_sftp_request *request;
	ssize_t n;

	do
		n = read(f->fd, bytes, want);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return mp_fail_errno(err, "cannot read '%s'", entry->path);
	if (n == 0)
		return mp_fail(err, "'%s' became shorter while it was sent", entry->path);
	request = mp_sftp_begin(sftp, MP_SFTP_WRITE);
	request->owner = f;
	request->answered = piece_written;
	request->len = (size_t)n;
	mp_sftp_put_bytes(sftp, f->handle, f->handle_len);
	mp_sftp_put_u64(sftp, (uint64_t)f->at);
	mp_sftp_put_bytes(sftp, bytes, (size_t)n);
	mp_sftp_end_packet(sftp);
	f->at += n;
	f->outstanding++;
	return 0;
}

static int file_opened(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	struct sent *f = request->owner;

	mp_sftp_release(sftp, request);
	if (answer->type != MP_SFTP_HANDLE)
		return mp_sftp_blame(answer, "create", f->item->entry->path, err);
	memcpy(f->handle, answer->bytes, answer->size);
	f->handle_len = answer->size;
	if (f->item->entry->size == 0)
		end_file(f);
	return 0;
}

/* The earlier file is removed first: it may be a program that runs, or read-only. */
static int file_removed(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	struct sent *f = request->owner;

	(void)answer;
	(void)err;
	mp_sftp_release(sftp, request);
	request = mp_sftp_begin(sftp, MP_SFTP_OPEN);
	request->owner = f;
	request->answered = file_opened;
	mp_sftp_put_path(sftp, f->sending->dir, f->item->entry->path);
	mp_sftp_put_u32(sftp, TO_WRITE);
	mp_sftp_put_u32(sftp, MP_SFTP_HAS_MODE);
	mp_sftp_put_u32(sftp, 0600);
	mp_sftp_end_packet(sftp);
	return 0;
}

static int start_file(struct sending *s, struct mp_error *err)
{
	struct mp_sftp_item *item = &s->items[s->next++];
	struct mp_sftp_request *request;
	struct sent *f = s->files;
	const char *name;
	int parent;

	if (!S_ISREG(item->entry->mode))
		return 0;
	parent = mp_tree_dir_enter(&s->from, item->entry->path, &name, err);
	if (parent < 0)
		return -1;
	while (f->item)
		f++;
	*f = (struct sent){.sending = s, .fd = openat(parent, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK)};
	if (f->fd < 0)
		return mp_fail_errno(err, "cannot open '%s'", item->entry->path);
	f->item = item;
	s->active++;
	request = mp_sftp_begin(s->sftp, MP_SFTP_REMOVE);
	request->owner = f;
	request->answered = file_removed;
	mp_sftp_put_path(s->sftp, s->dir, item->entry->path);
	mp_sftp_end_packet(s->sftp);
	return 0;
}

static int send_files(struct sending *s, struct mp_error *err)
{
	while (s->active || s->next < s->count) {
		for (size_t i = 0; i < MP_SFTP_FILES; i++) {
			struct sent *f = &s->files[i];

			while (f->item && f->handle_len && !f->closing && f->at < f->item->entry->size &&
			       s->sftp->in_flight < MP_SFTP_IN_FLIGHT)
				if (send_piece(f, err))
					return -1;
		}
		while (s->next < s->count && s->active < MP_SFTP_FILES && s->sftp->in_flight < MP_SFTP_IN_FLIGHT)
			if (start_file(s, err))
				return -1;
		if (s->active && mp_sftp_turn(s->sftp, err))
			return -1;
	}
	return 0;
}

int mp_sftp_send(
    struct mp_sftp *sftp, const char *dir, int infd, struct mp_sftp_item *items, size_t count, struct mp_error *err)
{
	struct sending *s = calloc(1, sizeof(*s));
	int status;

	if (!s)
		return mp_fail_memory(err, "an sftp transfer");
	s->sftp = sftp;
	s->dir = dir;
	s->items = items;
	s->count = count;
	mp_tree_dir_start(&s->from, infd, false);
	status = make_dirs(s, err) || send_files(s, err) || make_links(s, err) || set_dir_modes(s, err) ? -1 : 0;
	for (size_t i = 0; i < MP_SFTP_FILES; i++)
		if (s->files[i].item)
			close(s->files[i].fd);
	mp_tree_dir_close(&s->from);
	free(s);
	return status;
}
