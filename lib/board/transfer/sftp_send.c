/*
 * sftp_send.c: sends many files at once by sftp, each in pieces of 32 KiB without waiting for the answers.
 *
 * A server must act as if it handled the requests for a file in order, so only the handle of an opened file is awaited.
 * Directories come first and their modes last, because a directory may be read-only.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "board/transfer/sftp.h"
#include "board/transfer/tree.h"

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

/* The handler of answers that must be a success; the owner is the entry. */
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

/* Begin a request; wait for a slot if necessary. NULL on error. */
static struct mp_sftp_request *begin_waiting(struct mp_sftp *sftp, enum mp_sftp_type type, struct mp_error *err)
{
	struct mp_sftp_request *request;

	while (!(request = mp_sftp_begin(sftp, type)))
		if (mp_sftp_turn(sftp, err))
			return NULL;
	return request;
}

static int make_dirs(struct sending *s, struct mp_error *err)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct mp_tree_entry *entry = s->items[i].entry;

		if (!S_ISDIR(entry->mode))
			continue;
		/* The directory may exist; setting its mode fails if it is something else. */
		if (!begin_waiting(s->sftp, MP_SFTP_MKDIR, err))
			return -1;
		mp_sftp_put_path(s->sftp, s->dir, entry->path);
		mp_sftp_put_u32(s->sftp, MP_SFTP_HAS_MODE);
		mp_sftp_put_u32(s->sftp, 0700);
		mp_sftp_end_packet(s->sftp);
	}
	return mp_sftp_drain(s->sftp, err); /* files need their directories */
}

static int set_dir_modes(struct sending *s, struct mp_error *err)
{
	for (size_t i = s->count; i-- > 0;) {
		const struct mp_tree_entry *entry = s->items[i].entry;
		struct mp_sftp_request *request;

		if (!S_ISDIR(entry->mode))
			continue;
		request = begin_waiting(s->sftp, MP_SFTP_SETSTAT, err);
		if (!request)
			return -1;
		own_entry(request, entry);
		mp_sftp_put_path(s->sftp, s->dir, entry->path);
		put_mode(s->sftp, entry, false);
		mp_sftp_end_packet(s->sftp);
		s->items[i].done = true;
	}
	return mp_sftp_drain(s->sftp, err);
}

/* OpenSSH expects the target first, against the standard, and other servers follow OpenSSH. */
static int make_link(struct sending *s, struct mp_sftp_item *item, struct mp_error *err)
{
	const struct mp_tree_entry *entry = item->entry;
	struct mp_sftp_request *request;

	if (item->replaces) {
		if (!begin_waiting(s->sftp, MP_SFTP_REMOVE, err))
			return -1;
		mp_sftp_put_path(s->sftp, s->dir, entry->path);
		mp_sftp_end_packet(s->sftp);
	}
	request = begin_waiting(s->sftp, MP_SFTP_SYMLINK, err);
	if (!request)
		return -1;
	own_entry(request, entry);
	mp_sftp_put_bytes(s->sftp, entry->target, strlen(entry->target));
	mp_sftp_put_path(s->sftp, s->dir, entry->path);
	mp_sftp_end_packet(s->sftp);
	item->done = true;
	return 0;
}

static int make_links(struct sending *s, struct mp_error *err)
{
	for (size_t i = 0; i < s->count; i++)
		if (S_ISLNK(s->items[i].entry->mode) && make_link(s, &s->items[i], err))
			return -1;
	return mp_sftp_drain(s->sftp, err);
}

/* The handler for requests of a file that must succeed. The last answer, in any order, completes the file. */
static int step_done(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	struct sent *f = request->owner;
	struct mp_progress *progress = sftp->pipe.progress;

	if (answer->type != MP_SFTP_STATUS || answer->status != MP_SFTP_OK)
		return mp_sftp_blame(
		    answer, request->len ? "write" : "set mode and time of", f->item->entry->path, err);
	if (progress)
		progress->done += (int64_t)request->len;
	mp_sftp_release(sftp, request);
	f->outstanding--;
	if (f->closing && f->outstanding == 0) {
		close(f->fd);
		f->item->done = true;
		f->item = NULL;
		f->sending->active--;
		if (progress)
			progress->files++;
	}
	return mp_progress_tell(progress, false, err);
}

static struct mp_sftp_request *begin_step(struct sent *f, enum mp_sftp_type type)
{
	struct mp_sftp_request *request = mp_sftp_begin(f->sending->sftp, type);

	request->owner = f;
	request->answered = step_done;
	mp_sftp_put_bytes(f->sending->sftp, f->handle, f->handle_len);
	f->outstanding++;
	return request;
}

/* Set the time after the last write, which would change it. */
static void end_file(struct sent *f)
{
	struct mp_sftp *sftp = f->sending->sftp;

	f->closing = true;
	(void)begin_step(f, MP_SFTP_FSETSTAT);
	put_mode(sftp, f->item->entry, true);
	mp_sftp_end_packet(sftp);
	(void)begin_step(f, MP_SFTP_CLOSE);
	mp_sftp_end_packet(sftp);
}

static int send_bytes(struct sent *f, char *bytes, struct mp_error *err)
{
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
	request = begin_step(f, MP_SFTP_WRITE);
	request->len = (size_t)n;
	mp_sftp_put_u64(sftp, (uint64_t)f->at);
	mp_sftp_put_bytes(sftp, bytes, (size_t)n);
	mp_sftp_end_packet(sftp);
	f->at += n;
	return 0;
}

static int send_piece(struct sent *f, struct mp_error *err)
{
	char *bytes = malloc(MP_SFTP_CHUNK);
	int status = bytes ? send_bytes(f, bytes, err) : mp_fail_memory(err, "a piece of a file");

	free(bytes);
	return status;
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
	return 0;
}

/* Remove the earlier file first: it may be a running program, or read-only. */
static void ask_open(struct sent *f)
{
	struct mp_sftp *sftp = f->sending->sftp;
	struct mp_sftp_request *request;

	if (f->item->replaces) {
		(void)mp_sftp_begin(sftp, MP_SFTP_REMOVE);
		mp_sftp_put_path(sftp, f->sending->dir, f->item->entry->path);
		mp_sftp_end_packet(sftp);
	}
	request = mp_sftp_begin(sftp, MP_SFTP_OPEN);
	request->owner = f;
	request->answered = file_opened;
	mp_sftp_put_path(sftp, f->sending->dir, f->item->entry->path);
	mp_sftp_put_u32(sftp, TO_WRITE);
	mp_sftp_put_u32(sftp, MP_SFTP_HAS_MODE);
	mp_sftp_put_u32(sftp, 0600);
	mp_sftp_end_packet(sftp);
}

static int start_file(struct sending *s, struct mp_error *err)
{
	struct mp_sftp_item *item = &s->items[s->next++];
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
	*f = (struct sent){.sending = s, .fd = mp_dir_open_file(parent, name, NULL)};
	if (f->fd < 0)
		return mp_file_refuse(item->entry->path, err);
	f->item = item;
	s->active++;
	ask_open(f);
	return 0;
}

static bool has_room(const struct mp_sftp *sftp, size_t requests)
{
	return sftp->in_flight + requests <= MP_SFTP_IN_FLIGHT;
}

static int send_more(struct mp_sftp *sftp, struct sent *f, struct mp_error *err)
{
	if (!f->item || !f->handle_len || f->closing)
		return 0;
	while (f->at < f->item->entry->size && has_room(sftp, 1))
		if (send_piece(f, err))
			return -1;
	if (f->at == f->item->entry->size && has_room(sftp, 2))
		end_file(f);
	return 0;
}

static int send_files(struct sending *s, struct mp_error *err)
{
	while (s->active || s->next < s->count) {
		for (size_t i = 0; i < MP_SFTP_FILES; i++)
			if (send_more(s->sftp, &s->files[i], err))
				return -1;
		while (s->next < s->count && s->active < MP_SFTP_FILES && has_room(s->sftp, 2))
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
