/*
 * test_gzip.c: compressed outputs: the same bytes come back, whatever the pieces and the threads; nothing is written
 * twice.
 */
#include "out_support.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <zlib.h>

#include "base/packer.h"

#define TEST(function) cmocka_unit_test(function)

enum { SIZE = 3 << 20 };

static char text[SIZE];
static struct mp_error err;

/* Lines that compress, with numbers that do so less. */
static int fill(void **state)
{
	uint32_t random = 1;

	(void)state;
	for (size_t i = 0; i < SIZE; i++) {
		random = random * 1664525 + 1013904223;
		text[i] = i % 40 < 30 ? "{\"name\":\"a call\",\"ph\":\"X\",\"ts\":"[i % 40]
				      : (char)('0' + (random >> 24) % 10);
	}
	return 0;
}

/* Write the text in pieces, and return the size of the file. */
static off_t write_pieces(int fd, size_t piece, size_t size, int threads)
{
	struct mp_out *out;
	struct stat st;

	assert_ok(mp_out_fd(&out, fd, "test", &err), &err);
	assert_ok(mp_gzip_out(out, threads, &err), &err);
	for (int pass = 0; pass < threads; pass++) {
		if (pass)
			mp_out_restart(out);
		for (size_t at = 0; at < size; at += piece)
			mp_out_write(out, text + at, size - at < piece ? size - at : piece);
	}
	assert_ok(mp_out_commit(out, &err), &err);
	assert_int_equal(fstat(fd, &st), 0);
	return st.st_size;
}

static void assert_text(int fd, size_t size)
{
	char *back = malloc(SIZE + 1);
	gzFile file;
	int copy = dup(fd);

	assert_non_null(back);
	assert_int_equal(lseek(copy, 0, SEEK_SET), 0);
	file = gzdopen(copy, "rb");
	assert_non_null(file);
	assert_int_equal(gzread(file, back, SIZE + 1), size);
	assert_memory_equal(back, text, size);
	assert_int_equal(gzclose(file), Z_OK);
	free(back);
}

static void test_pieces(void **state)
{
	static const size_t pieces[] = {SIZE, 100, 65536, 100003, 1 << 20};
	char *first = NULL, *other = malloc(SIZE);
	off_t size = 0;

	(void)state;
	assert_non_null(other);
	for (size_t i = 0; i < COUNT(pieces); i++) {
		int fd = unnamed_file("", 0);
		off_t now = write_pieces(fd, pieces[i], SIZE, 1 + (int)i % 4);

		assert_true(now < SIZE / 3);
		assert_text(fd, SIZE);
		assert_int_equal(pread(fd, other, SIZE, 0), now);
		if (!first) {
			first = malloc(SIZE);
			assert_non_null(first);
			memcpy(first, other, (size_t)now);
			size = now;
		}
		assert_int_equal(now, size);
		assert_memory_equal(first, other, (size_t)size);
		close(fd);
	}
	assert_memory_equal(first, "\x1f\x8b\x08\0\0\0\0\0", 8); /* no name and no time */
	free(first);
	free(other);
}

static void test_nothing(void **state)
{
	int fd = unnamed_file("", 0);

	(void)state;
	assert_true(write_pieces(fd, 1, 0, 2) > 0);
	assert_text(fd, 0);
	close(fd);
}

/* The limit is that of the text; a disk that is full is an error, and what is given up is no leak. */
static void test_errors(void **state)
{
	int fd = unnamed_file("", 0), full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	struct mp_out *out;

	(void)state;
	assert_ok(mp_out_fd(&out, fd, "test", &err), &err);
	assert_ok(mp_gzip_out(out, 3, &err), &err);
	mp_out_limit(out, 1 << 20);
	mp_out_write(out, text, SIZE);
	assert_refused(mp_out_commit(out, &err), &err, "'test' would have more than 1 MiB");
	close(fd);
	if (full < 0)
		return;
	assert_ok(mp_out_fd(&out, full, "test", &err), &err);
	assert_ok(mp_gzip_out(out, 3, &err), &err);
	mp_out_write(out, text, SIZE);
	assert_refused(mp_out_commit(out, &err), &err, "No space left on device");
	assert_ok(mp_out_fd(&out, full, "test", &err), &err);
	assert_ok(mp_gzip_out(out, 3, &err), &err);
	mp_out_abort(out);
	close(full);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(test_pieces),
	    TEST(test_nothing),
	    TEST(test_errors),
	};

	return cmocka_run_group_tests(tests, fill, NULL);
}
