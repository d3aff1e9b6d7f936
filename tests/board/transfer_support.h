/* transfer_support.h: shared by the tests of transfers: this machine as the board, and directories to compare. */
#ifndef MP_TESTS_TRANSFER_SUPPORT_H
#define MP_TESTS_TRANSFER_SUPPORT_H

#include "../unit/support.h"

#include <sys/stat.h>

#include "board/transfer/transfer.h"

static struct mp_board *board;
static struct mp_remote remote;
static struct mp_error err;
static char *top; /* a directory for one test */

static inline int setup(void **state)
{
	(void)state;
	top = temp_dir();
	assert_ok(mp_board_local(&board, NULL, &err), &err);
	assert_ok(mp_remote_probe(&remote, board, &err), &err);
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	mp_board_close(board);
	remove_dir(top);
	return 0;
}

/* Returns TOP/NAME, valid until the thirty-second call after this one. */
static inline const char *in_top(const char *name)
{
	static char paths[32][1024];
	static unsigned next;
	char *path = paths[next++ % 32];

	snprintf(path, sizeof(paths[0]), "%s/%s", top, name);
	return path;
}

static inline int open_dir(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_true(fd >= 0);
	return fd;
}

static inline void make_dir(const char *dir, const char *name)
{
	assert_int_equal(mkdir(below(dir, name), 0755), 0);
}

/* Write a file of random bytes. */
static inline void write_random(const char *dir, const char *name, size_t size, uint64_t seed)
{
	unsigned char *bytes = malloc(size + 8);

	assert_non_null(bytes);
	for (size_t i = 0; i < size; i += 8) {
		uint64_t v = next_random(&seed);

		memcpy(bytes + i, &v, 8);
	}
	write_file(dir, name, bytes, size);
	free(bytes);
}

static inline void set_mtime(const char *dir, const char *name, time_t s)
{
	const struct timespec times[2] = {{.tv_sec = s}, {.tv_sec = s}};

	assert_int_equal(utimensat(AT_FDCWD, below(dir, name), times, AT_SYMLINK_NOFOLLOW), 0);
}

/* Describe a tree, with the sum of each file, as one text; the caller frees it. modes: with permissions and times. */
static inline char *describe(const char *path, bool modes)
{
	static const size_t size = 1 << 20;
	char *text = calloc(1, size), sum[MP_SHA256_TEXT];
	struct mp_tree tree;
	size_t len = 0;
	int dirfd = open_dir(path);

	assert_non_null(text);
	assert_ok(mp_tree_list_local(&tree, dirfd, NULL, NULL, &err), &err);
	for (size_t i = 0; i < tree.count; i++) {
		const struct mp_tree_entry *e = &tree.entries[i];

		sum[0] = '\0';
		if (S_ISREG(e->mode)) {
			int fd = openat(dirfd, e->path, O_RDONLY | O_CLOEXEC);

			assert_ok(mp_tree_sha256(fd, e->path, sum, &err), &err);
			close(fd);
		}
		len += (size_t)snprintf(text + len, size - len, "%s %s %s %o %lld\n", e->path, sum,
		    e->target ? e->target : "", modes ? e->mode : e->mode & S_IFMT,
		    modes && S_ISREG(e->mode) ? (long long)e->mtime_s : 0);
		assert_true(len < size);
	}
	mp_tree_free(&tree);
	close(dirfd);
	return text;
}

static inline void assert_same_tree(const char *a, const char *b, bool modes)
{
	char *x = describe(a, modes), *y = describe(b, modes);

	assert_string_equal(x, y);
	free(x);
	free(y);
}

static inline bool is_there(const char *dir, const char *name)
{
	struct stat st;

	return lstat(below(dir, name), &st) == 0;
}

#endif
