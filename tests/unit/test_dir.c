/* test_dir.c: directories made step by step: modes, links on the way, and obstacles. */
#include "support.h"

#include <fcntl.h>

#include "base/dir.h"

static mode_t mode_of(const char *path)
{
	struct stat st;

	assert_int_equal(stat(path, &st), 0);
	return st.st_mode & 07777;
}

static void test_modes(void **state)
{
	static const mode_t masks[] = {0, 0022, 0077};
	char *dir = temp_dir(), path[512], *real;
	struct mp_error err;

	(void)state;
	assert_int_equal(chmod(dir, 0711), 0);
	for (size_t i = 0; i < COUNT(masks); i++) {
		mode_t before = umask(masks[i]);

		snprintf(path, sizeof(path), "%s//n%zu/./b/c//", dir, i);
		assert_ok(mp_dir_make_path(&real, path, &err), &err);
		umask(before);
		snprintf(path, sizeof(path), "%s/n%zu/b/c", dir, i);
		assert_string_equal(real, path);
		assert_int_equal(mode_of(path), 0750);
		snprintf(path, sizeof(path), "%s/n%zu", dir, i);
		assert_int_equal(mode_of(path), 0750);
		free(real);
	}
	assert_int_equal(mode_of(dir), 0711); /* the directory existed before */
	remove_dir(dir);
}

static void test_links_and_others(void **state)
{
	char *dir = temp_dir(), path[512], link[512], *real;
	struct mp_error err;
	int fd;

	(void)state;
	snprintf(path, sizeof(path), "%s/real", dir);
	snprintf(link, sizeof(link), "%s/link", dir);
	assert_int_equal(mkdir(path, 0700), 0);
	assert_int_equal(symlink("real", link), 0);
	snprintf(link, sizeof(link), "%s/link/new", dir);
	assert_ok(mp_dir_make_path(&real, link, &err), &err);
	snprintf(path, sizeof(path), "%s/real/new", dir);
	assert_string_equal(real, path);
	free(real);
	snprintf(link, sizeof(link), "%s/nowhere", dir);
	assert_int_equal(symlink("none/at/all", link), 0);
	assert_refused(mp_dir_make_path(&real, link, &err), &err, "cannot make the directory '");
	assert_null(real);
	snprintf(path, sizeof(path), "%s/file", dir);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
	assert_true(fd >= 0);
	close(fd);
	snprintf(path, sizeof(path), "%s/file/below", dir);
	assert_refused(mp_dir_make_path(&real, path, &err), &err, "/file': Not a directory");
	assert_refused(mp_dir_make_path(&real, "", &err), &err, "the path of a directory is empty");
	remove_dir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_modes), cmocka_unit_test(test_links_and_others)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
