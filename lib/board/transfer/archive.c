/* archive.c: makes a tar stream of listed files. Knows neither boards nor the destination of the stream. */
#include "board/transfer/archive.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"

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
