/*
 * archive_unpack.c: takes files out of a tar stream that is not trusted. libarchive only parses the stream; the code
 * here checks every name, type and size before it makes a file.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "board/transfer/archive.h"
#include "board/transfer/pull_file.h"

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
