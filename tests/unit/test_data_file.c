/* test_data_file.c: a file of records that only grows, also when writes fail. */
#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "recorder/data_file.h"
#include "support.h"

static void put(struct mp_data_file *f, char c)
{
	memset(mp_data_file_room(f, 100), c, 100);
	mp_data_file_added(f, 100);
}

static off_t size_of(int dirfd, const char *name)
{
	struct stat st;

	assert_int_equal(fstatat(dirfd, name, &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	return st.st_size;
}

static int open_dir(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY);

	assert_true(fd >= 0);
	return fd;
}

static void records_are_written_when_asked_and_when_the_buffer_is_full(void **state)
{
	char *dir = temp_dir(), marker[32] = "";
	int dirfd = open_dir(dir), fd;
	struct mp_data_file f;
	struct mp_error err;

	(void)state;
	umask(0);
	assert_ok(mp_data_file_create(&f, dirfd, "calls", &err), &err);
	put(&f, 'a');
	assert_int_equal(size_of(dirfd, "calls"), 0);
	mp_data_file_flush(&f);
	assert_int_equal(size_of(dirfd, "calls"), 100);
	for (int i = 0; i < MP_DATA_BUFFER / 100 + 1; i++)
		put(&f, 'b');
	assert_int_equal(size_of(dirfd, "calls"), 100 + MP_DATA_BUFFER / 100 * 100);
	mp_data_file_close(&f);
	assert_int_equal(size_of(dirfd, "calls"), f.size);
	assert_int_equal(f.lost, 0);
	assert_ok(mp_data_file_mark(&f, dirfd, "starttime:1\n", &err), &err);
	fd = openat(dirfd, "calls.done", O_RDONLY);
	assert_true(read(fd, marker, sizeof(marker) - 1) > 0);
	close(fd);
	assert_string_equal(marker, "filesize:65700\nstarttime:1\n");
	assert_refused(mp_data_file_create(&f, dirfd, "calls", &err), &err, "'calls'");
	close(dirfd);
	remove_dir(dir);
}

static void a_failed_write_costs_its_records_and_leaves_whole_ones(void **state)
{
	char *dir = temp_dir();
	int dirfd = open_dir(dir);
	struct rlimit before, limit;
	struct mp_data_file f;
	struct mp_error err;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	assert_ok(mp_data_file_create(&f, dirfd, "calls", &err), &err);
	for (int i = 0; i < 5; i++)
		put(&f, 'a');
	mp_data_file_flush(&f);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	limit = before;
	limit.rlim_cur = 750; /* in the middle of a record */
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	for (int i = 0; i < 7; i++)
		put(&f, 'b');
	mp_data_file_flush(&f);
	assert_int_equal(f.lost, 7);
	assert_int_equal(f.failure, EFBIG);
	assert_int_equal(size_of(dirfd, "calls"), 500);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	put(&f, 'c'); /* there is room again */
	mp_data_file_close(&f);
	assert_int_equal(size_of(dirfd, "calls"), 600);
	assert_int_equal(f.lost, 7);
	close(dirfd);
	remove_dir(dir);
}

static void the_oldest_can_be_forgotten(void **state)
{
	char *dir = temp_dir(), *text;
	int dirfd = open_dir(dir);
	struct mp_data_file f;
	struct mp_error err;

	(void)state;
	assert_ok(mp_data_file_create(&f, dirfd, "calls", &err), &err);
	for (int i = 0; i < 10; i++)
		put(&f, (char)('0' + i));
	assert_int_equal(mp_data_file_trim(&f, dirfd, dirfd, 400), 0);
	assert_int_equal(size_of(dirfd, "calls"), 400);
	put(&f, 'x');
	mp_data_file_close(&f);
	text = read_text(dir, "calls");
	assert_int_equal(strlen(text), 500);
	for (int i = 0; i < 500; i++)
		assert_int_equal(text[i], "6789x"[i / 100]);
	free(text);
	assert_int_equal(faccessat(dirfd, ".msprof.part", F_OK, 0), -1);
	close(dirfd);
	remove_dir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(records_are_written_when_asked_and_when_the_buffer_is_full),
	    cmocka_unit_test(the_oldest_can_be_forgotten),
	    cmocka_unit_test(a_failed_write_costs_its_records_and_leaves_whole_ones),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
