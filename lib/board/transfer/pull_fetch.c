/*
 * pull_fetch.c: moves the wanted files of a JOB: most of them in one tar stream, partly fetched ones by tail; or all by
 * sftp. The next look verifies the files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "board/connection/pipe.h"
#include "board/transfer/archive.h"
#include "board/transfer/pull_internal.h"
#include "board/transfer/tree.h"

enum { BUFFER_SIZE = 256 * 1024, SLACK_BYTES = 256 << 20, HEADERS_BYTES = 8192 };

/* ---------------------------------------------------------------- tar */

struct tar_stream {
	struct mp_pull *pull;
	struct mp_archive_counts counts;
	int64_t before; /* progress at the beginning of the stream */
};

static ssize_t read_stream(void *user, void *bytes, size_t size, struct mp_error *err)
{
	struct tar_stream *s = user;

	s->pull->progress.done = s->before + s->counts.bytes;
	if (mp_progress_tell(&s->pull->progress, false, err))
		return -1;
	return mp_pipe_read(&s->pull->tar, bytes, size, err);
}

/* Take a file once and up to its listed size; a later look finds a file that grows. */
static int64_t limit_file(void *user, const char *path, int64_t size)
{
	struct tar_stream *s = user;
	const struct mp_tree_entry *entry = mp_tree_find(&s->pull->there, path);
	size_t index;

	if (!entry)
		return -1;
	index = (size_t)(entry - s->pull->there.entries);
	if (!s->pull->wanted[index])
		return -1;
	s->pull->wanted[index] = false;
	return size < entry->size ? size : entry->size;
}

static void count_file(void *user, const char *path, int64_t size, int64_t mtime_s)
{
	struct tar_stream *s = user;

	(void)path;
	(void)size;
	(void)mtime_s;
	s->pull->progress.files++;
}

/* The names for xargs -0, with the "./" of find, so that no name is an option. NULL: out of memory. */
static char *list_names(const struct mp_pull *pull, size_t *size)
{
	char *names, *at;

	*size = 0;
	for (size_t i = 0; i < pull->item_count; i++)
		if (!pull->items[i].done)
			*size += strlen(pull->items[i].entry->path) + 3;
	names = at = calloc(1, *size + 1);
	for (size_t i = 0; names && i < pull->item_count; i++)
		if (!pull->items[i].done)
			at += sprintf(at, "./%s", pull->items[i].entry->path) + 1;
	return names;
}

static int unpack_stream(struct tar_stream *s, struct mp_error *err)
{
	struct mp_pull *pull = s->pull;
	const struct mp_archive_source source = {read_stream, s};
	/* Files may grow meanwhile, and each has headers; a long name needs most. */
	const struct mp_archive_rules rules = {.size_max = 2 * pull->there_bytes + SLACK_BYTES,
	    .limit = limit_file,
	    .taken = count_file,
	    .user = s,
	    .watch = pull->options->watch};
	int status, code = 0;

	pull->tar.budget.bytes_max = rules.size_max + (int64_t)pull->there.count * HEADERS_BYTES;
	status = mp_archive_unpack(&source, pull->partfd, &rules, &s->counts, err);

	pull->progress.done = s->before + s->counts.bytes;
	pull->result->bytes += s->counts.bytes;
	pull->result->files += s->counts.files;
	pull->result->refused += s->counts.refused;
	if (status) {
		/* A stream that ends early is damaged; the stderr of the command has the reason. */
		mp_pipe_attribute(&pull->tar, err);
		return mp_pipe_blame(&pull->tar, err);
	}
	if (mp_pipe_finish(&pull->tar, &code, err))
		return -1;
	if (code) {
		mp_fail_board(&pull->complaint, "tar cannot read all of '%s' (exit status %d)",
		    mp_board_name(pull->board), pull->job, code);
		mp_pipe_blame(&pull->tar, &pull->complaint);
	}
	return 0;
}

/* Without xargs -0 the board sends all files, and unwanted files are skipped here. */
static int open_tar(struct mp_pull *pull, struct mp_error *err)
{
	struct mp_script script;

	mp_script_start(&script);
	mp_script_enter(&script, pull->job);
	mp_script_code(&script, pull->remote->xargs_null ? "exec xargs -0 tar cf -" : "exec tar cf - .");
	if (mp_script_check(&script, err))
		return -1;
	if (mp_pipe_open(&pull->tar, pull->board, script.text, pull->what, &pull->progress, err))
		return -1;
	mp_pipe_budget(&pull->tar, MP_BUDGET_TRANSFER);
	return 0;
}

static enum mp_transfer_way choose_way(const struct mp_pull *pull)
{
	if (pull->options->way != MP_TRANSFER_BEST)
		return pull->options->way;
	return pull->remote->tar ? MP_TRANSFER_TAR : MP_TRANSFER_SFTP;
}

void mp_pull_prepare_fetch(struct mp_pull *pull)
{
	struct mp_error ignored;

	if (choose_way(pull) == MP_TRANSFER_TAR && pull->remote->xargs_null && !pull->tar.command &&
	    mp_board_may_overlap(pull->board))
		(void)open_tar(pull, &ignored);
}

static int fetch_by_tar(struct mp_pull *pull, struct mp_error *err)
{
	struct tar_stream s = {.pull = pull, .before = pull->progress.done};
	size_t size = 0;
	char *names = list_names(pull, &size);
	int status = 0;

	if (!names)
		return mp_fail_memory(err, "a list of files");
	if (size && !pull->tar.command)
		status = open_tar(pull, err);
	if (size && !status) {
		if (pull->remote->xargs_null)
			mp_pipe_feed(&pull->tar, names, size);
		mp_pull_prepare_look(pull, pull->options->checksum && pull->remote->sha256sum);
		status = unpack_stream(&s, err);
		mp_pipe_close(&pull->tar);
	}
	free(names);
	return status;
}

/* ---------------------------------------------------------------- tail */

/* Returns 1 when the file is whole, 0 when the board sent less, -1 on error. */
static int copy_rest(struct mp_pull *pull, struct mp_pipe *pipe, struct mp_pull_file *file,
    const struct mp_tree_entry *entry, struct mp_error *err)
{
	char *bytes = malloc(BUFFER_SIZE);
	int status = 1;

	if (!bytes)
		return mp_fail_memory(err, "a buffer");
	while (status > 0 && file->at < entry->size) {
		int64_t left = entry->size - file->at;
		ssize_t n = mp_pipe_read(pipe, bytes, left < BUFFER_SIZE ? (size_t)left : BUFFER_SIZE, err);

		if (n <= 0) {
			status = n < 0 ? -1 : 0;
			break;
		}
		if (mp_pull_file_write(file, bytes, (size_t)n, err))
			status = -1;
		pull->progress.done += n;
		pull->result->bytes += n;
		if (status > 0 && mp_progress_tell(&pull->progress, false, err))
			status = -1;
	}
	free(bytes);
	return status;
}

static int continue_file(struct mp_pull *pull, struct mp_tree_dir *dir, struct mp_sftp_item *item, struct mp_error *err)
{
	const struct mp_tree_entry *entry = item->entry;
	struct mp_script script;
	struct mp_pipe pipe;
	struct mp_pull_file file;
	int status;

	if (mp_pull_file_begin(&file, dir, entry->path, item->offset, err))
		return -1;
	mp_script_start(&script);
	mp_script_enter(&script, pull->job);
	mp_script_code(&script, "exec tail -c +");
	mp_script_number(&script, item->offset + 1);
	mp_script_code(&script, " ./");
	mp_script_word(&script, entry->path);
	if (mp_script_check(&script, err) ||
	    mp_pipe_open(&pipe, pull->board, script.text, pull->what, &pull->progress, err)) {
		mp_pull_file_drop(&file);
		return -1;
	}
	mp_pipe_budget(&pipe, MP_BUDGET_TRANSFER);
	pipe.budget.bytes_max += entry->size;
	status = copy_rest(pull, &pipe, &file, entry, err);
	mp_pipe_close(&pipe); /* the bytes of a file that grew are dropped */
	if (status <= 0) {
		mp_pull_file_drop(&file);
		if (status == 0)
			mp_pull_file_forget(dir, entry->path);
		return status;
	}
	item->done = true;
	pull->wanted[entry - pull->there.entries] = false;
	pull->result->files++;
	pull->progress.files++;
	return mp_pull_file_end(&file, entry->mtime_s, err);
}

static int continue_files(struct mp_pull *pull, struct mp_error *err)
{
	struct mp_tree_dir dir;
	int status = 0;

	mp_tree_dir_start(&dir, pull->partfd, true);
	for (size_t i = 0; i < pull->item_count && !status; i++)
		if (pull->items[i].offset > 0)
			status = continue_file(pull, &dir, &pull->items[i], err);
	mp_tree_dir_close(&dir);
	return status;
}

/* ---------------------------------------------------------------- sftp */

static int fetch_by_sftp(struct mp_pull *pull, struct mp_error *err)
{
	struct mp_sftp *sftp = NULL;
	int64_t before = pull->progress.done;
	int status = mp_sftp_open(&sftp, pull->board, pull->remote, &pull->progress, err);

	if (!status)
		status = mp_sftp_fetch(sftp, pull->job, pull->partfd, pull->items, pull->item_count, err);
	mp_sftp_close(sftp);
	for (size_t i = 0; i < pull->item_count; i++)
		pull->result->files += pull->items[i].done;
	pull->result->bytes += pull->progress.done - before;
	return status;
}

/* ---------------------------------------------------------------- */

/* Check the space before every fetch, because a JOB may grow. A file needs whole blocks, less those of its beginning.
 */
static int check_space(const struct mp_pull *pull, struct mp_error *err)
{
	uint64_t need = 0, room;
	struct statvfs fs;

	if (fstatvfs(pull->partfd, &fs) || !fs.f_blocks || !fs.f_frsize)
		return 0; /* the first write will fail instead */
	for (size_t i = 0; i < pull->item_count; i++) {
		uint64_t left = (uint64_t)(pull->items[i].entry->size - pull->items[i].offset);

		need += left;
		if (left % fs.f_frsize)
			need += fs.f_frsize - left % fs.f_frsize;
	}
	room = (uint64_t)fs.f_bavail * fs.f_frsize;
	if (room >= need)
		return 0;
	return mp_fail(err, "'%s' needs %llu bytes, but only %llu are free in the output directory", pull->name,
	    (unsigned long long)need, (unsigned long long)room);
}

int mp_pull_fetch(struct mp_pull *pull, struct mp_error *err)
{
	enum mp_transfer_way way = choose_way(pull);
	int64_t need = 0;

	for (size_t i = 0; i < pull->item_count; i++) {
		if (way == MP_TRANSFER_TAR && !pull->remote->tail)
			pull->items[i].offset = 0;
		need += pull->items[i].entry->size - pull->items[i].offset;
	}
	pull->progress.total = pull->progress.done + need;
	pull->complaint.text[0] = '\0';
	if (check_space(pull, err))
		return -1;
	if (way == MP_TRANSFER_SFTP)
		return fetch_by_sftp(pull, err);
	return continue_files(pull, err) || fetch_by_tar(pull, err) ? -1 : 0;
}
