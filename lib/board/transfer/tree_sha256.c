/*
 * tree_sha256.c: the sha256 of a file, by libarchive, whose mtree format sums up the bytes written to it.
 * No other linked library has a public and fast digest.
 */
#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "board/transfer/tree.h"

enum { READ_SIZE = 256 * 1024, ANSWER_SIZE = 512 };

static int feed(struct archive *a, int fd, const char *label, struct mp_error *err)
{
	char *bytes = malloc(READ_SIZE);
	off_t at = 0;
	int status = 0;

	if (!bytes)
		return mp_fail_memory(err, "a checksum");
	for (;;) {
		ssize_t n = pread(fd, bytes, READ_SIZE, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			status = mp_fail_errno(err, "cannot read '%s'", label);
		if (n <= 0)
			break;
		if (archive_write_data(a, bytes, (size_t)n) != n) {
			status = mp_fail(err, "'%s' changed while it was summed up", label);
			break;
		}
		at += n;
	}
	free(bytes);
	return status;
}

static int take_digest(const char *answer, char *text, struct mp_error *err)
{
	const char *digest = strstr(answer, "sha256digest=");

	if (!digest || strspn(digest + 13, "0123456789abcdef") < 64)
		return mp_fail(err, "this libarchive has no sha256");
	memcpy(text, digest + 13, 64);
	text[64] = '\0';
	return 0;
}

int mp_tree_sha256(int fd, const char *label, char text[MP_SHA256_TEXT], struct mp_error *err)
{
	struct archive *a = archive_write_new();
	struct archive_entry *entry = archive_entry_new();
	char answer[ANSWER_SIZE] = "";
	size_t used = 0;
	struct stat st;
	int status = -1;

	if (!a || !entry) {
		mp_fail_memory(err, "a checksum");
		goto out;
	}
	if (fstat(fd, &st)) {
		mp_fail_errno(err, "cannot inspect '%s'", label);
		goto out;
	}
	archive_entry_set_pathname(entry, "file");
	archive_entry_set_filetype(entry, AE_IFREG);
	archive_entry_set_size(entry, st.st_size);
	if (archive_write_set_format_mtree(a) || archive_write_set_options(a, "!all,sha256") ||
	    archive_write_open_memory(a, answer, sizeof(answer) - 1, &used) || archive_write_header(a, entry)) {
		mp_fail(err, "cannot compute the sum of '%s': %s", label, archive_error_string(a));
		goto out;
	}
	if (feed(a, fd, label, err))
		goto out;
	archive_write_close(a);
	answer[used < sizeof(answer) ? used : sizeof(answer) - 1] = '\0';
	status = take_digest(answer, text, err);
out:
	archive_entry_free(entry);
	archive_write_free(a);
	return status;
}
