/* test_door.c: what lies below a directory of somebody else: links, pipes, devices, lists, paths that change. */
#include "support.h"

#include <errno.h>
#include <sys/inotify.h>

#include "base/door.h"
#include "raw/job.h"

/* A directory with one of each kind of name, open. */
struct kinds {
	char *dir;
	int fd;
};

static const char *const refused[] = {"link", "dangling", "directory", "fifo", "missing"};

static void make_kinds(struct kinds *k)
{
	k->dir = temp_dir();
	write_text(k->dir, "file", "0123456789");
	assert_int_equal(mkdir(below(k->dir, "directory"), 0700), 0);
	assert_int_equal(mkfifo(below(k->dir, "fifo"), 0600), 0);
	assert_int_equal(symlink("file", below(k->dir, "link")), 0);
	assert_int_equal(symlink("none", below(k->dir, "dangling")), 0);
	assert_int_equal(symlink("directory", below(k->dir, "other")), 0);
	k->fd = open(k->dir, O_RDONLY | O_DIRECTORY);
	assert_true(k->fd >= 0);
}

static void remove_kinds(struct kinds *k)
{
	close(k->fd);
	remove_dir(k->dir);
}

/* Only the regular file is opened, and its reads wait: opens are those that the kernel tells. */
static void test_files(void **state)
{
	static const int codes[] = {ELOOP, ELOOP, EINVAL, EINVAL, ENOENT};
	static const char *const texts[] = {"'x' is a link: it is not followed", "'x' is a link: it is not followed",
	    "'x' is not a regular file", "'x' is not a regular file", "cannot open 'x': No such file"};
	struct mp_error err;
	struct kinds k;
	struct stat st;
	char seen[4096], text[16];
	int watch, fd;

	(void)state;
	make_kinds(&k);
	watch = inotify_init1(IN_NONBLOCK);
	assert_true(watch >= 0);
	assert_true(inotify_add_watch(watch, k.dir, IN_OPEN) >= 0);
	for (size_t i = 0; i < COUNT(refused); i++) {
		assert_int_equal(mp_dir_open_file(k.fd, refused[i], &st), -1);
		assert_int_equal(errno, codes[i]);
		assert_refused(mp_file_refuse("x", &err), &err, texts[i]);
	}
	assert_int_equal(read(watch, seen, sizeof(seen)), -1); /* no open */
	fd = mp_dir_open_file(k.fd, "file", &st);
	assert_true(fd > STDERR_FILENO);
	assert_true(read(watch, seen, sizeof(seen)) > 0);
	assert_int_equal(st.st_size, 10);
	assert_int_equal(fcntl(fd, F_GETFL) & O_NONBLOCK, 0);
	assert_int_equal(mp_file_read(fd, text, sizeof(text), 4), 6);
	assert_memory_equal(text, "456789", 6);
	close(fd);
	close(watch);
	fd = mp_named_file(below(k.dir, "link"), NULL);
	assert_true(fd > STDERR_FILENO);
	close(fd);
	assert_int_equal(mp_named_file(below(k.dir, "fifo"), NULL), -1);
	assert_int_equal(errno, EINVAL);
	remove_kinds(&k);
}

static bool is_long(const void *user, const char *name)
{
	return strlen(name) > *(const size_t *)user;
}

static void test_lists(void **state)
{
	static const char *const all[] = {"dangling", "directory", "fifo", "file", "link", "other"};
	struct mp_dir_names names;
	struct mp_error err;
	const size_t five = 5;
	struct kinds k;

	(void)state;
	make_kinds(&k);
	for (int again = 0; again < 2; again++) { /* a list leaves the descriptor as it was */
		assert_ok(mp_dir_list(&names, k.fd, NULL, NULL, "x", &err), &err);
		assert_int_equal(names.count, COUNT(all));
		for (size_t i = 0; i < COUNT(all); i++)
			assert_string_equal(names.items[i], all[i]);
		mp_dir_names_free(&names);
	}
	assert_ok(mp_dir_list(&names, k.fd, is_long, &five, "x", &err), &err);
	assert_int_equal(names.count, 2);
	mp_dir_names_free(&names);
	assert_refused(mp_dir_list(&names, -1, NULL, NULL, "x", &err), &err, "cannot list 'x': ");
	mp_dir_names_free(&names);
	assert_int_equal(mp_dir_type(k.fd, "link", "x", &err), S_IFLNK);
	assert_int_equal(mp_dir_type(k.fd, "missing", "x", &err), 0);
	assert_refused(mp_dir_type(-1, "file", "x", &err), &err, "cannot look at 'x': ");
	remove_kinds(&k);
}

/* Below the user's directory no link is followed, wherever it is; the user's directory may be one. */
static void test_below(void **state)
{
	static const char *const fine[] = {
	    "", "/", "/directory", "//directory//", "/directory/./deep", "/directory/deep/"};
	static const char *const bad[] = {"/other", "/other/", "/other/deep", "/directory/deep/up"};
	struct mp_error err;
	struct kinds k;
	char top[1024], path[2048];

	(void)state;
	make_kinds(&k);
	assert_int_equal(mkdir(below(k.dir, "directory/deep"), 0700), 0);
	assert_int_equal(symlink("..", below(k.dir, "directory/deep/up")), 0);
	assert_int_equal(symlink(".", below(k.dir, "top")), 0);
	for (int slash = 0; slash < 2; slash++) {
		snprintf(top, sizeof(top), "%s/top%s", k.dir, slash ? "/" : "");
		for (size_t i = 0; i < COUNT(fine); i++) {
			int fd;

			snprintf(path, sizeof(path), "%s%s", top, fine[i]);
			fd = mp_dir_open_below(top, path, &err);
			if (fd < 0)
				fail_msg("%s: %s", path, err.text);
			close(fd);
		}
		for (size_t i = 0; i < COUNT(bad); i++) {
			snprintf(path, sizeof(path), "%s%s", top, bad[i]);
			assert_refused(mp_dir_open_below(top, path, &err), &err, "is a link: it is not followed");
		}
		snprintf(path, sizeof(path), "%s/none/deep", top);
		assert_refused(mp_dir_open_below(top, path, &err), &err, "/none': No such file");
	}
	remove_kinds(&k);
}

/* A job that was found, and gives way to a link before it is opened. */
static void test_swapped_job(void **state)
{
	char *dir = temp_dir();
	struct mp_job_options options = {.top = dir};
	struct mp_layouts layouts;
	struct mp_found found;
	struct mp_error err;
	struct mp_job *job;

	(void)state;
	load_embedded(&layouts);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(
		    mkdir(below(dir, ((const char *[]){"JOBA", "JOBA/data", "JOBB", "JOBB/data"})[i]), 0700), 0);
	write_text(dir, "JOBA/info.json.0", "{}");
	write_text(dir, "JOBB/info.json.0", "{}");
	assert_ok(mp_job_find(&found, dir, &layouts, false, &err), &err);
	assert_int_equal(found.count, 2);
	assert_ok(mp_job_open(&job, found.paths[0], &layouts, &options, &err), &err);
	mp_job_close(job);
	assert_int_equal(rename(below(dir, "JOBA"), below(dir, "real")), 0);
	assert_int_equal(symlink("real", below(dir, "JOBA")), 0);
	assert_refused(
	    mp_job_open(&job, found.paths[0], &layouts, &options, &err), &err, "JOBA' is a link: it is not followed");
	mp_found_free(&found);
	mp_layouts_free(&layouts);
	remove_dir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_files), cmocka_unit_test(test_lists),
	    cmocka_unit_test(test_below), cmocka_unit_test(test_swapped_job)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
