/*
 * archive.c: makes a tar stream of listed files, and takes files out of one. Knows neither boards nor the other end of
 * the stream.
 *
 * A stream that is unpacked is not trusted. libarchive only parses it; the code here checks every name, type and size
 * before it makes a file.
 */
#include "board/transfer/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "board/transfer/tree.h"

enum { BLOCK_SIZE = 128 * 1024 };

struct mp_archive {
	struct archive *a;
	struct archive_entry *entry;
	struct mp_archive_sink sink;
	struct mp_error error; /* error of the sink */
	bool failed;
	char bytes[BLOCK_SIZE];
};

static la_ssize_t write_block(struct archive *a, void *user, const void *bytes, size_t size)
{
	struct mp_archive *archive = user;

	if (archive->failed || archive->sink.write(archive->sink.user, bytes, size, &archive->error)) {
		archive->failed = true;
		archive_set_error(a, EIO, "the stream broke");
		return -1;
	}
	return (la_ssize_t)size;
}

static int fail_archive(struct mp_archive *archive, const char *path, struct mp_error *err)
{
	if (archive->failed)
		*err = archive->error;
	else
		mp_fail(err, "cannot pack '%s': %s", path, archive_error_string(archive->a));
	return -1;
}

int mp_archive_open(struct mp_archive **archive, const struct mp_archive_sink *sink, struct mp_error *err)
{
	struct mp_archive *archive_new = calloc(1, sizeof(*archive_new));

	*archive = NULL;
	if (!archive_new)
		return mp_fail_memory(err, "an archive");
	archive_new->sink = *sink;
	archive_new->a = archive_write_new();
	archive_new->entry = archive_entry_new();
	if (!archive_new->a || !archive_new->entry) {
		mp_archive_free(archive_new);
		return mp_fail_memory(err, "an archive");
	}
	if (archive_write_set_format_gnutar(archive_new->a) || archive_write_add_filter_none(archive_new->a) ||
	    archive_write_set_bytes_per_block(archive_new->a, BLOCK_SIZE) ||
	    archive_write_set_bytes_in_last_block(archive_new->a, 1) ||
	    archive_write_open(archive_new->a, archive_new, NULL, write_block, NULL)) {
		fail_archive(archive_new, "", err);
		mp_archive_free(archive_new);
		return -1;
	}
	*archive = archive_new;
	return 0;
}

static int add_header(struct mp_archive *archive, const struct mp_tree_entry *entry, struct mp_error *err)
{
	struct archive_entry *e = archive_entry_clear(archive->entry);
	int rc;

	archive_entry_set_pathname(e, entry->path);
	archive_entry_set_mode(e, (entry->mode & S_IFMT) | (entry->mode & 0777));
	archive_entry_set_size(e, entry->size);
	mp_archive_set_mtime(e, entry->mtime_s);
	if (entry->target)
		archive_entry_set_symlink(e, entry->target);
	rc = archive_write_header(archive->a, e);
	return rc == ARCHIVE_OK || rc == ARCHIVE_WARN ? 0 : fail_archive(archive, entry->path, err);
}

static int add_content(
    struct mp_archive *archive, int fd, const struct mp_tree_entry *entry, int64_t *bytes_done, struct mp_error *err)
{
	int64_t left = entry->size;

	while (left > 0) {
		ssize_t n = read(fd, archive->bytes, left < BLOCK_SIZE ? (size_t)left : BLOCK_SIZE);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return mp_fail_errno(err, "cannot read '%s'", entry->path);
		if (n == 0)
			return mp_fail(err, "'%s' became shorter while it was sent", entry->path);
		if (archive_write_data(archive->a, archive->bytes, (size_t)n) != n)
			return fail_archive(archive, entry->path, err);
		left -= n;
		*bytes_done += n;
	}
	return 0;
}

int mp_archive_add(struct mp_archive *archive, struct mp_tree_dir *dir, const struct mp_tree_entry *entry,
    int64_t *bytes_done, struct mp_error *err)
{
	const char *name;
	int parent, fd, status;

	if (!S_ISREG(entry->mode))
		return add_header(archive, entry, err);
	parent = mp_tree_dir_enter(dir, entry->path, &name, err);
	if (parent < 0)
		return -1;
	fd = mp_dir_open_file(parent, name, NULL); /* something else may have replaced the file */
	if (fd < 0)
		return mp_file_refuse(entry->path, err);
	status = add_header(archive, entry, err);
	if (!status)
		status = add_content(archive, fd, entry, bytes_done, err);
	close(fd);
	return status;
}

int mp_archive_finish(struct mp_archive *archive, struct mp_error *err)
{
	return archive_write_close(archive->a) == ARCHIVE_OK ? 0 : fail_archive(archive, "", err);
}

void mp_archive_free(struct mp_archive *archive)
{
	if (!archive)
		return;
	archive->failed = true; /* an incomplete archive must not get its end */
	archive_entry_free(archive->entry);
	archive_write_free(archive->a);
	free(archive);
}

enum { WINDOW_SIZE = 256 * 1024 };

struct unpack {
	const struct mp_archive_source *source;
	const struct mp_archive_rules *rules;
	struct mp_archive_counts *counts;
	struct mp_error *err;
	struct mp_error source_error;
	struct archive *a;
	struct mp_tree_dir dir;
	int64_t announced;
	bool source_failed;
	char window[WINDOW_SIZE];
};

static la_ssize_t read_window(struct archive *a, void *user, const void **bytes)
{
	struct unpack *u = user;
	ssize_t n = u->source->read(u->source->user, u->window, sizeof(u->window), &u->source_error);

	*bytes = u->window;
	if (n < 0) {
		u->source_failed = true;
		archive_set_error(a, EIO, "the stream broke");
	}
	return n;
}

static int fail_stream(struct unpack *u)
{
	const char *reason = archive_error_string(u->a);

	if (u->source_failed) {
		*u->err = u->source_error;
		return -1;
	}
	return mp_fail(u->err, "damaged tar stream: %s", reason ? reason : "unknown reason");
}

static int refuse(struct unpack *u, const char *path, const char *reason)
{
	u->counts->refused++;
	mp_watch_note(u->rules->watch, "'%.400s' refused: %s", path, reason);
	return 0;
}

/* Copy the first limit bytes; libarchive skips the rest. */
static int copy_content(struct unpack *u, struct mp_pull_file *file, int64_t limit)
{
	for (;;) {
		const void *bytes;
		size_t size;
		la_int64_t offset;
		int rc = archive_read_data_block(u->a, &bytes, &size, &offset);

		if (rc == ARCHIVE_EOF)
			break;
		if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
			return fail_stream(u);
		if (file->at >= limit)
			continue;
		if (offset != file->at)
			return mp_fail(u->err, "damaged tar stream: a hole in '%s'", file->path);
		if ((int64_t)size > limit - file->at)
			size = (size_t)(limit - file->at);
		if (mp_pull_file_write(file, bytes, size, u->err))
			return -1;
		u->counts->bytes += (int64_t)size;
	}
	if (file->at != limit)
		return mp_fail(u->err, "damaged tar stream: '%s' is shorter than announced", file->path);
	return 0;
}

static int take_file(struct unpack *u, struct archive_entry *entry, const char *path, int64_t limit)
{
	int64_t mtime_s = mp_archive_mtime(entry);
	struct mp_pull_file file;

	if (mp_pull_file_begin(&file, &u->dir, path, 0, u->err))
		return -1;
	if (copy_content(u, &file, limit)) {
		mp_pull_file_drop(&file);
		return -1;
	}
	if (mp_pull_file_end(&file, mtime_s, u->err))
		return -1;
	u->counts->files++;
	if (u->rules->taken)
		u->rules->taken(u->rules->user, path, limit, mtime_s);
	return 0;
}

static const char *kind_reason(struct archive_entry *entry)
{
	if (archive_entry_hardlink(entry) || archive_entry_symlink(entry))
		return "a link";
	if (archive_entry_filetype(entry) != AE_IFREG)
		return "neither file nor directory";
	if (archive_entry_sparse_count(entry) > 0)
		return "a file with holes";
	if (!archive_entry_size_is_set(entry) || archive_entry_size(entry) < 0)
		return "no size";
	return NULL;
}

static int take_entry(struct unpack *u, struct archive_entry *entry)
{
	const char *given = archive_entry_pathname(entry), *reason;
	char path[MP_TREE_PATH];
	size_t len = given ? strlen(given) : 0;
	int64_t size, limit;

	while (len >= 2 && given[0] == '.' && given[1] == '/') { /* tar keeps the "./" of find */
		given += 2;
		len -= 2;
	}
	if (archive_entry_filetype(entry) == AE_IFDIR)
		return 0; /* the first file makes its directory; empty directories come from the listing */
	if (!given)       /* a name of unknown encoding */
		given = "";
	reason = mp_tree_name_reason(given, len);
	if (!reason)
		reason = kind_reason(entry);
	if (reason)
		return refuse(u, given, reason);
	memcpy(path, given, len + 1);
	size = archive_entry_size(entry);
	if (size > u->rules->size_max - u->announced)
		return mp_fail(u->err, "'%s': the stream announces more than the %lld bytes expected", path,
		    (long long)u->rules->size_max);
	u->announced += size;
	limit = u->rules->limit ? u->rules->limit(u->rules->user, path, size) : size;
	if (limit < 0)
		return 0;
	return take_file(u, entry, path, limit < size ? limit : size);
}

static int take_all(struct unpack *u)
{
	for (;;) {
		struct archive_entry *entry;
		int rc = archive_read_next_header(u->a, &entry);

		if (rc == ARCHIVE_EOF)
			return u->source_failed ? fail_stream(u) : 0;
		if (rc != ARCHIVE_OK && rc != ARCHIVE_WARN)
			return fail_stream(u);
		if (take_entry(u, entry))
			return -1;
	}
}

/* Several archives may follow each other: xargs runs tar more than once for a long list. */
int mp_archive_unpack(const struct mp_archive_source *source, int outfd, const struct mp_archive_rules *rules,
    struct mp_archive_counts *counts, struct mp_error *err)
{
	struct unpack *u = calloc(1, sizeof(*u));
	int status = -1;

	if (!u)
		return mp_fail_memory(err, "an archive");
	u->source = source;
	u->rules = rules;
	u->counts = counts;
	u->err = err;
	mp_tree_dir_start(&u->dir, outfd, true);
	u->a = archive_read_new();
	if (!u->a) {
		mp_fail_memory(err, "an archive");
		goto out;
	}
	if (archive_read_support_format_tar(u->a) || archive_read_support_format_empty(u->a) ||
	    archive_read_set_options(u->a, "tar:read_concatenated_archives") ||
	    archive_read_open(u->a, u, NULL, read_window, NULL)) {
		fail_stream(u);
		goto out;
	}
	status = take_all(u);
	while (!status && !u->source_failed && read_window(u->a, u, &(const void *){NULL}) > 0)
		continue; /* padding after the end */
	if (!status && u->source_failed)
		status = fail_stream(u);
out:
	archive_read_free(u->a);
	mp_tree_dir_close(&u->dir);
	free(u);
	return status;
}
