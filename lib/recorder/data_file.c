/*
 * data_file.c: appends whole records, and finds records of a fixed size by a hash. Knows nothing about their content.
 */
#include "recorder/data_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/vec.h"
#include "recorder/log.h"
#include "recorder/table.h"

static int create(int dirfd, const char *name, struct mp_error *err)
{
	int fd = mp_fd_hold(openat(mp_fd_use(dirfd), name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640));

	if (fd < 0)
		return mp_fail_errno(err, "cannot create '%s'", name);
	if (fchmod(fd, 0640)) { /* regardless of the umask */
		mp_fail_errno(err, "cannot set the mode of '%s'", name);
		mp_fd_drop(fd);
		return -1;
	}
	return fd;
}

int mp_data_file_create(struct mp_data_file *file, int dirfd, const char *name, struct mp_error *err)
{
	memset(file, 0, sizeof(*file));
	file->fd = -1;
	if (strlen(name) >= sizeof(file->name))
		return mp_fail(err, "file name too long: '%s'", name);
	snprintf(file->name, sizeof(file->name), "%s", name);
	file->buffer = malloc(MP_DATA_BUFFER);
	if (!file->buffer)
		return mp_fail_memory(err, name);
	file->fd = create(dirfd, name, err);
	if (file->fd >= 0)
		return 0;
	free(file->buffer);
	file->buffer = NULL;
	return -1;
}

int mp_data_file_reopen(int dirfd, const char *name, int mode, struct stat *st, struct mp_error *err)
{
	int fd = mp_fd_hold(openat(mp_fd_use(dirfd), name, mode | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));

	if (fd < 0)
		return mp_fail_errno(err, "cannot open '%s'", name);
	if (fstat(fd, st) == 0 && S_ISREG(st->st_mode) && (mode == O_RDONLY || st->st_nlink == 1))
		return fd;
	mp_fd_drop(fd); /* nothing was written */
	return mp_fail(err, "'%s' is not a regular file, or has several names: replace it by a copy", name);
}

/* Where the last whole line of a file ends. -1: it cannot be read. */
static int64_t end_of_lines(int fd, int64_t size)
{
	char c = '\n';

	while (size && pread(fd, &c, 1, (off_t)size - 1) == 1 && c != '\n')
		size--;
	return size && c != '\n' ? -1 : size;
}

int mp_data_file_append(struct mp_data_file *file, int dirfd, const char *name, size_t size, struct mp_error *err)
{
	struct stat st;

	memset(file, 0, sizeof(*file));
	file->buffer = malloc(MP_DATA_BUFFER);
	if (!file->buffer)
		return mp_fail_memory(err, name);
	snprintf(file->name, sizeof(file->name), "%.*s", (int)sizeof(file->name) - 1, name);
	file->fd = mp_data_file_reopen(dirfd, name, O_RDWR, &st, err);
	if (file->fd >= 0) {
		file->size = size ? st.st_size - st.st_size % (int64_t)size : end_of_lines(file->fd, st.st_size);
		if (file->size >= 0 && (file->size == st.st_size || ftruncate(file->fd, file->size) == 0))
			return 0;
		mp_error_set_errno(err, "cannot read '%s', or cut its end", name);
	}
	mp_data_file_abandon(file);
	return -1;
}

/* Write the buffer. Returns how many bytes were written. */
static size_t write_gathered(struct mp_data_file *file)
{
	struct mp_shield shield;
	size_t done = 0;

	mp_shield_raise(&shield);
	while (done < file->used) {
		ssize_t n = pwrite(
		    mp_fd_use(file->fd), file->buffer + done, file->used - done, (off_t)(file->size + (int64_t)done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			if (!file->failure)
				file->failure = n < 0 ? errno : ENOSPC;
			break;
		}
		done += (size_t)n;
	}
	mp_shield_lower(&shield);
	return done;
}

void mp_data_file_flush(struct mp_data_file *file)
{
	size_t done = file->used ? write_gathered(file) : 0;

	if (done == file->used) {
		file->size += (int64_t)done;
	} else {
		file->lost += file->records;
		if (done && ftruncate(mp_fd_use(file->fd), file->size) && !file->failure)
			file->failure = errno; /* the rest is damage that import reports, unless overwritten later */
	}
	file->used = 0;
	file->records = 0;
}

/* Copy the last `keep` bytes into the file `to`, through the buffer. */
static int copy_tail(struct mp_data_file *file, int from, int to, int64_t keep)
{
	for (int64_t done = 0; done < keep;) {
		size_t want = keep - done < MP_DATA_BUFFER ? (size_t)(keep - done) : MP_DATA_BUFFER;
		ssize_t n = pread(from, file->buffer, want, (off_t)(file->size - keep + done));

		if (n <= 0 || pwrite(mp_fd_use(to), file->buffer, (size_t)n, (off_t)done) != n)
			return -1;
		done += n;
	}
	return 0;
}

int mp_data_file_trim(struct mp_data_file *file, int dirfd, int tmpfd, int64_t keep)
{
	static const char tmp[] = ".msprof.part";
	struct mp_error err;
	int from, to, status;

	mp_data_file_flush(file);
	from = openat(mp_fd_use(dirfd), file->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (from < 0)
		return -1;
	to = create(tmpfd, tmp, &err);
	status =
	    to < 0 || copy_tail(file, from, to, keep) || renameat(mp_fd_use(tmpfd), tmp, mp_fd_use(dirfd), file->name);
	close(from); /* opened read-only: nothing can be lost */
	if (!status) {
		mp_fd_drop(file->fd); /* its content is no longer needed */
		file->fd = to;
		file->size = keep;
		return 0;
	}
	if (to >= 0) {
		mp_fd_drop(to);
		unlinkat(mp_fd_use(tmpfd), tmp, 0);
	}
	return -1;
}

void mp_data_file_close(struct mp_data_file *file)
{
	if (file->fd < 0)
		return;
	mp_data_file_flush(file);
	if (mp_fd_drop(file->fd) && !file->failure)
		file->failure = errno;
	file->fd = -1;
	free(file->buffer);
	file->buffer = NULL;
}

void mp_data_file_abandon(struct mp_data_file *file)
{
	file->used = 0;
	file->records = 0;
	mp_data_file_close(file);
}

int mp_data_file_tell(const char *name, int dirfd, const char *text, struct mp_error *err)
{
	char marker[MP_DATA_NAME + 8];
	size_t len = strlen(text);
	int fd;

	snprintf(marker, sizeof(marker), "%s.done", name);
	fd = create(dirfd, marker, err);
	if (fd < 0)
		return -1;
	if (write(mp_fd_use(fd), text, len) != (ssize_t)len) {
		mp_fail_errno(err, "cannot write '%s'", marker);
		mp_fd_drop(fd);
		unlinkat(mp_fd_use(dirfd), marker, 0);
		return -1;
	}
	return mp_fd_drop(fd) ? mp_fail_errno(err, "cannot write '%s'", marker) : 0;
}

int mp_data_file_mark(const struct mp_data_file *file, int dirfd, const char *lines, struct mp_error *err)
{
	char text[160];

	snprintf(text, sizeof(text), "filesize:%lld\n%.100s", (long long)file->size, lines);
	return mp_data_file_tell(file->name, dirfd, text, err);
}

int64_t mp_record_set_add(
    struct mp_record_set *seen, int dirfd, const char *name, int64_t end, int64_t most, struct mp_error *err)
{
	int64_t size = (int64_t)seen->size, count = end / size < most ? end / size : most;
	struct stat st;
	unsigned char *at;
	int fd;

	if (!mp_vec_grow(&seen->records, seen->count, (size_t)count, seen->size))
		return mp_fail_memory(err, name);
	fd = mp_data_file_reopen(dirfd, name, O_RDONLY, &st, err);
	if (fd < 0)
		return -1;
	at = seen->records + seen->count * seen->size;
	for (int64_t done = 0; done < count * size;) {
		ssize_t n = pread(fd, at + done, (size_t)(count * size - done), (off_t)(end - count * size + done));

		if (n <= 0) {
			mp_fail_errno(err, "cannot read '%s'", name);
			mp_fd_drop(fd);
			return -1;
		}
		done += n;
	}
	mp_fd_drop(fd); /* opened read-only: nothing can be lost */
	seen->count += (size_t)count;
	return count;
}

/* A record to look up. */
struct key {
	const struct mp_record_set *seen;
	const void *record;
};

static bool same(const void *key, uint32_t item)
{
	const struct key *k = key;
	const struct mp_record_set *seen = k->seen;

	return memcmp(seen->records + item * seen->size, k->record, seen->size) == 0;
}

/* The place of the number of the first equal record, + 1; NULL: memory was short. */
static uint32_t *find(struct mp_record_set *seen, const void *record)
{
	const struct key key = {seen, record};

	return mp_index_find(&seen->index, seen->different, mp_hash_bytes(record, seen->size), same, &key);
}

/* Equal records share a slot, so that many of them do not make searches long. */
static bool make_index(struct mp_record_set *seen)
{
	uint32_t *slot = NULL;

	seen->left = calloc(seen->count, sizeof(*seen->left));
	for (size_t i = 0; seen->left && i < seen->count; i++) {
		slot = find(seen, seen->records + i * seen->size);
		if (!slot)
			break;
		if (!*slot) {
			*slot = (uint32_t)i + 1;
			seen->different++;
		}
		seen->left[*slot - 1]++;
	}
	if (slot)
		return true;
	free(seen->left);
	seen->left = NULL;
	mp_index_free(&seen->index);
	seen->different = 0;
	return false;
}

bool mp_record_set_take(struct mp_record_set *seen, const void *record)
{
	const uint32_t *slot;

	if (!seen->count || (!seen->left && !make_index(seen)))
		return false;
	slot = find(seen, record);
	if (!slot || !*slot || !seen->left[*slot - 1])
		return false;
	seen->left[*slot - 1]--;
	return true;
}

void mp_record_set_free(struct mp_record_set *seen)
{
	free(seen->records);
	free(seen->left);
	mp_index_free(&seen->index);
	memset(seen, 0, sizeof(*seen));
}
