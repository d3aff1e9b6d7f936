/*
 * sftp_fetch.c: fetches many files at once by sftp, each in pieces of 32 KiB that are requested ahead.
 * Pieces are written in order: an unfinished file is always a beginning.
 */
#include <stdlib.h>
#include <string.h>

#include "board/transfer/sftp.h"
#include "board/transfer/tree.h"

struct fetch;

struct fetched {
	struct fetch *fetch;
	struct mp_sftp_item *item; /* NULL: free */
	struct mp_pull_file file;
	char handle[MP_SFTP_HANDLE_SIZE];
	size_t handle_len; /* 0: not open yet */
	int64_t asked;     /* requested up to here */
	size_t outstanding;
	bool short_of; /* the board has fewer bytes than listed */
};

struct fetch {
	struct mp_sftp *sftp;
	const char *dir;
	struct mp_tree_dir place;
	struct mp_sftp_item *items;
	size_t count, next, active;
	struct fetched files[MP_SFTP_FILES];
};

static int end_file(struct fetched *f, struct mp_error *err)
{
	struct mp_sftp_item *item = f->item;
	struct mp_progress *progress = f->fetch->sftp->pipe.progress;

	mp_sftp_close_handle(f->fetch->sftp, f->handle, f->handle_len);
	f->item = NULL;
	f->fetch->active--;
	if (f->short_of) {
		mp_pull_file_drop(&f->file);
		mp_pull_file_forget(&f->fetch->place, item->entry->path);
		return 0;
	}
	item->done = true;
	if (progress)
		progress->files++;
	return mp_pull_file_end(&f->file, item->entry->mtime_s, err);
}

static int piece_came(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err);

static void ask_piece(struct fetched *f, int64_t offset, size_t len)
{
	struct mp_sftp *sftp = f->fetch->sftp;
	struct mp_sftp_request *request = mp_sftp_begin(sftp, MP_SFTP_READ);

	request->answered = piece_came;
	request->owner = f;
	request->offset = offset;
	request->len = len;
	mp_sftp_put_bytes(sftp, f->handle, f->handle_len);
	mp_sftp_put_u64(sftp, (uint64_t)offset);
	mp_sftp_put_u32(sftp, (uint32_t)len);
	mp_sftp_end_packet(sftp);
	f->outstanding++;
}

/* Write the next piece; request again the bytes that the server left out. */
static int write_piece(
    struct fetched *f, struct mp_sftp_request *request, const char *bytes, size_t size, struct mp_error *err)
{
	struct mp_progress *progress = f->fetch->sftp->pipe.progress;
	int64_t offset = request->offset + (int64_t)size;
	size_t left = request->len - size;
	int status = mp_pull_file_write(&f->file, bytes, size, err);

	mp_sftp_release(f->fetch->sftp, request);
	f->outstanding--;
	if (status)
		return -1;
	if (left)
		ask_piece(f, offset, left);
	if (!progress)
		return 0;
	progress->done += (int64_t)size;
	return mp_progress_tell(progress, false, err);
}

/* Write the pieces that came early and are next now. */
static int write_held(struct fetched *f, struct mp_error *err)
{
	struct mp_sftp *sftp = f->fetch->sftp;

	for (size_t i = 0; i < MP_SFTP_IN_FLIGHT; i++) {
		struct mp_sftp_request *request = &sftp->requests[i];
		char *held = request->held;
		int status;

		if (!request->used || request->owner != f || !held || request->offset != f->file.at)
			continue;
		request->held = NULL;
		status = write_piece(f, request, held, request->held_len, err);
		free(held);
		if (status)
			return -1;
		i = (size_t)-1; /* start again: the next piece may be in any slot */
	}
	return 0;
}

static int hold_piece(struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	request->held = malloc(answer->size);
	if (!request->held)
		return mp_fail_memory(err, "a piece of a file");
	memcpy(request->held, answer->bytes, answer->size);
	request->held_len = answer->size;
	return 0;
}

/* After an early end no piece is written, but all answers must arrive. */
static void drop_held(struct fetched *f)
{
	struct mp_sftp *sftp = f->fetch->sftp;

	for (size_t i = 0; i < MP_SFTP_IN_FLIGHT; i++)
		if (sftp->requests[i].used && sftp->requests[i].owner == f && sftp->requests[i].held) {
			mp_sftp_release(sftp, &sftp->requests[i]);
			f->outstanding--;
		}
}

static int piece_came(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	struct fetched *f = request->owner;
	bool is_end = answer->type == MP_SFTP_STATUS && answer->status == MP_SFTP_EOF;

	if (!is_end && answer->type != MP_SFTP_DATA)
		return mp_sftp_blame(answer, "read", f->item->entry->path, err);
	if (!is_end && (answer->size == 0 || answer->size > request->len))
		return mp_fail(err, "the board sends %zu bytes of '%s' where %zu were asked for", answer->size,
		    f->item->entry->path, request->len);
	if (is_end || f->short_of) {
		f->short_of = true;
		mp_sftp_release(sftp, request);
		f->outstanding--;
		drop_held(f);
	} else if (request->offset != f->file.at) {
		if (hold_piece(request, answer, err))
			return -1;
	} else if (write_piece(f, request, answer->bytes, answer->size, err) || write_held(f, err)) {
		return -1;
	}
	if (f->outstanding == 0 && (f->short_of || f->file.at == f->item->entry->size))
		return end_file(f, err);
	return 0;
}

static int file_opened(
    struct mp_sftp *sftp, struct mp_sftp_request *request, const struct mp_sftp_answer *answer, struct mp_error *err)
{
	struct fetched *f = request->owner;
	const char *path = f->item->entry->path;

	mp_sftp_release(sftp, request);
	if (answer->type == MP_SFTP_STATUS && answer->status == MP_SFTP_NO_SUCH_FILE) {
		f->item = NULL; /* vanished meanwhile: the next look finds out */
		f->fetch->active--;
		return 0;
	}
	if (answer->type != MP_SFTP_HANDLE)
		return mp_sftp_blame(answer, "open", path, err);
	memcpy(f->handle, answer->bytes, answer->size);
	f->handle_len = answer->size;
	return mp_pull_file_begin(&f->file, &f->fetch->place, path, f->item->offset, err);
}

/* Nothing to request: an empty file, or a file whose beginning is all of it. */
static int take_empty(struct fetch *fetch, struct mp_sftp_item *item, struct mp_error *err)
{
	struct mp_pull_file file;

	if (mp_pull_file_begin(&file, &fetch->place, item->entry->path, item->offset, err))
		return -1;
	item->done = true;
	if (fetch->sftp->pipe.progress)
		fetch->sftp->pipe.progress->files++;
	return mp_pull_file_end(&file, item->entry->mtime_s, err);
}

static int start_file(struct fetch *fetch, struct mp_error *err)
{
	struct mp_sftp_item *item = &fetch->items[fetch->next++];
	struct mp_sftp_request *request;
	struct fetched *f = fetch->files;

	if (item->done)
		return 0;
	if (item->entry->size == item->offset)
		return take_empty(fetch, item, err);
	while (f->item)
		f++;
	*f = (struct fetched){.fetch = fetch, .item = item, .asked = item->offset, .file = {.fd = -1}};
	fetch->active++;
	request = mp_sftp_begin(fetch->sftp, MP_SFTP_OPEN);
	request->answered = file_opened;
	request->owner = f;
	mp_sftp_put_path(fetch->sftp, fetch->dir, item->entry->path);
	mp_sftp_put_u32(fetch->sftp, 1); /* to read */
	mp_sftp_put_u32(fetch->sftp, 0);
	mp_sftp_end_packet(fetch->sftp);
	return 0;
}

static void ask_more(struct fetched *f)
{
	while (f->item && f->handle_len && !f->short_of && f->asked < f->item->entry->size &&
	       f->fetch->sftp->in_flight < MP_SFTP_IN_FLIGHT) {
		int64_t left = f->item->entry->size - f->asked;
		size_t len = left < MP_SFTP_CHUNK ? (size_t)left : MP_SFTP_CHUNK;

		ask_piece(f, f->asked, len);
		f->asked += (int64_t)len;
	}
}

static int fetch_all(struct fetch *fetch, struct mp_error *err)
{
	while (fetch->active || fetch->next < fetch->count) {
		for (size_t i = 0; i < MP_SFTP_FILES; i++)
			ask_more(&fetch->files[i]);
		while (fetch->next < fetch->count && fetch->active < MP_SFTP_FILES &&
		       fetch->sftp->in_flight < MP_SFTP_IN_FLIGHT)
			if (start_file(fetch, err))
				return -1;
		if (fetch->active && mp_sftp_turn(fetch->sftp, err))
			return -1;
	}
	return mp_sftp_drain(fetch->sftp, err);
}

int mp_sftp_fetch(
    struct mp_sftp *sftp, const char *dir, int outfd, struct mp_sftp_item *items, size_t count, struct mp_error *err)
{
	struct fetch *fetch = calloc(1, sizeof(*fetch));
	int status;

	if (!fetch)
		return mp_fail_memory(err, "an sftp transfer");
	fetch->sftp = sftp;
	fetch->dir = dir;
	fetch->items = items;
	fetch->count = count;
	/* a server that answers with single bytes sends more of headers than of data */
	for (size_t i = 0; i < count; i++)
		sftp->pipe.budget.bytes_max += 2 * (items[i].entry->size - items[i].offset);
	mp_tree_dir_start(&fetch->place, outfd, true);
	status = fetch_all(fetch, err);
	for (size_t i = 0; i < MP_SFTP_FILES; i++)
		if (fetch->files[i].item)
			mp_pull_file_drop(&fetch->files[i].file);
	mp_tree_dir_close(&fetch->place);
	free(fetch);
	return status;
}
