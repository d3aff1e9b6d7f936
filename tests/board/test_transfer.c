/*
 * test_transfer.c: pushes and pulls with this machine as the board. The same bytes arrive once, whatever the names and
 * wherever the transfer was cut. Files that change or grow are fetched again; forbidden data of a board is refused.
 */
#include "transfer_support.h"

#include "board/transfer/transfer.h"

enum { BIG = 700 * 1024 + 123 };

static const enum mp_transfer_way ways[] = {MP_TRANSFER_TAR, MP_TRANSFER_SFTP};

/* ---------------------------------------------------------------- push */

static struct mp_push_result push(struct mp_push_options options)
{
	struct mp_push_result result;
	char real[MP_REMOTE_PATH];
	int fd = open_dir(in_top("project"));

	assert_ok(mp_remote_dir_make(board, in_top("place/the project"), real, &err), &err);
	assert_ok(mp_push_project(board, &remote, fd, real, &options, &result, &err), &err);
	close(fd);
	return result;
}

static const char *const odd_names[] = {"plain", "two words", "it's", "$(touch pwned)", "`id`", "new\nline", "-rf",
    "back\\slash", "\xc3\xbc", "\xff\xfe", "*", "~", "semi;colon", "\"quoted\"", " lead", "trail "};

static void make_project(void)
{
	char deep[256], path[640];

	make_dir(top, "project");
	make_dir(in_top("project"), "out");
	make_dir(in_top("project"), "odd 'dir'\n");
	for (size_t i = 0; i < COUNT(odd_names); i++) {
		write_random(in_top("project/out"), odd_names[i], i * 100, i);
		write_random(in_top("project/odd 'dir'\n"), odd_names[i], i, i);
	}
	write_random(in_top("project/out"), "big", BIG, 1);
	assert_int_equal(chmod(in_top("project/out/plain"), 0755), 0);
	assert_int_equal(chmod(in_top("project/out/big"), 0400), 0);
	assert_int_equal(symlink("big", in_top("project/out/link")), 0);
	assert_int_equal(symlink("../out/./big", in_top("project/out/link 2")), 0);
	memset(deep, 'd', 200);
	deep[200] = '\0';
	make_dir(in_top("project"), deep);
	assert_int_equal(mkdir(in_top("project/closed"), 0555), 0);
	snprintf(path, sizeof(path), "project/%s/%s", deep, deep);
	write_text(top, path, "deep");
	set_mtime(top, "project/out/big", 1000000000);
}

static void test_push_round_trip(void **state)
{
	(void)state;
	make_project();
	for (size_t w = 0; w < COUNT(ways); w++) {
		const struct mp_push_options options = {.way = ways[w]};
		const size_t all = 2 * COUNT(odd_names) + 4;
		struct mp_push_result r = push(options);

		assert_int_equal(r.files, all);
		assert_same_tree(in_top("project"), in_top("place/the project"), true);
		r = push(options);
		assert_int_equal(r.files, 0);
		assert_int_equal(r.bytes, 0);
		assert_int_equal(r.unchanged, all);
		assert_false(is_there(top, "place/the project/pwned"));
		remove_at(AT_FDCWD, in_top("place"));
	}
}

static void test_push_changes(void **state)
{
	static const struct timespec now = {.tv_sec = 1700000000};
	struct mp_push_result r;

	(void)state;
	make_project();
	for (size_t w = 0; w < COUNT(ways); w++) {
		struct mp_push_options options = {.way = ways[w]};

		push(options);
		write_random(in_top("project/out"), "plain", 77 + w, 9);    /* another size */
		set_mtime(top, "project/out/it's", 1600000000 + (time_t)w); /* another time, the same content */
		assert_int_equal(chmod(in_top("project/out/*"), 0711 + (mode_t)w), 0);
		assert_int_equal(unlink(in_top("project/out/link")), 0);
		assert_int_equal(symlink(w ? "plain" : "nig", in_top("project/out/link")), 0);
		options.checksum = true;
		options.dry_run = true;
		assert_int_equal(push(options).files, 3);
		options.checksum = false;
		assert_int_equal(push(options).files, 4);
		options.dry_run = false;
		r = push(options);
		assert_int_equal(r.files, 4);
		assert_same_tree(in_top("project"), in_top("place/the project"), true);
		/* the same size and time: only the content differs */
		write_random(in_top("project/out"), "plain", 77 + w, 10);
		assert_int_equal(
		    utimensat(AT_FDCWD, in_top("project/out/plain"), (const struct timespec[2]){now, now}, 0), 0);
		assert_int_equal(
		    utimensat(AT_FDCWD, in_top("place/the project/out/plain"), (const struct timespec[2]){now, now}, 0),
		    0);
		assert_int_equal(push(options).files, 0);
		options.checksum = true;
		assert_int_equal(push(options).files, 1);
		assert_same_tree(in_top("project"), in_top("place/the project"), true);
	}
}

static void count_note(void *user, const char *text)
{
	(void)text;
	++*(int *)user;
}

static void test_push_leaves_out(void **state)
{
	static const char *const patterns[] = {"*.o", "build/", "sub/only.txt"};
	int notes = 0;
	const struct mp_watch watch = {.note = count_note, .user = &notes};
	const struct mp_push_options options = {.excludes = patterns, .exclude_count = 3, .watch = &watch};
	char p[1024];

	(void)state;
	make_dir(top, "project");
	snprintf(p, sizeof(p), "%s/project", top);
	for (size_t i = 0; i < 5; i++)
		make_dir(p, ((const char *const[]){".git", "JOBABC", "build", "sub", "sub/build"})[i]);
	for (size_t i = 0; i < 8; i++)
		write_text(p,
		    ((const char *const[]){".git/x", "JOBABC/x", "build/x", "a.o", "sub/b.o", "sub/only.txt",
			"sub/build/x", "JOBS.txt"})[i],
		    "x");
	write_text(p, "only.txt", "x");
	assert_int_equal(symlink("/etc/passwd", below(p, "absolute")), 0);
	assert_int_equal(symlink("sub/../../x", below(p, "upward")), 0);
	assert_int_equal(mkfifo(below(p, "fifo"), 0600), 0);
	assert_int_equal(push(options).files, 2);
	assert_int_equal(notes, 3);
	assert_true(is_there(top, "place/the project/only.txt"));
	assert_true(is_there(top, "place/the project/JOBS.txt"));
	assert_true(is_there(top, "place/the project/sub"));
	assert_false(is_there(top, "place/the project/build"));
	assert_false(is_there(top, "place/the project/absolute"));
}

/* ---------------------------------------------------------------- pull */

static void make_job(void)
{
	make_dir(top, "board");
	make_dir(in_top("board"), "JOBX");
	make_dir(in_top("board/JOBX"), "data");
	make_dir(in_top("board/JOBX"), "empty");
	for (size_t i = 0; i < 40; i++) {
		char name[64];

		snprintf(name, sizeof(name), "aicore.0.net.16.1.1.1.%zu", i);
		write_random(in_top("board/JOBX/data"), name, i * 321, i);
		strcat(name, ".done");
		if (i % 2)
			write_text(in_top("board/JOBX/data"), name, "");
	}
	write_random(in_top("board/JOBX/data"), "big", BIG, 5);
	write_text(in_top("board/JOBX"), "info.json.0", "{}");
	write_text(in_top("board/JOBX/data"), "it's $(touch pwned) \xc3\xbc", "odd");
	write_text(in_top("board/JOBX/data"), "-rf", "odd");
	make_dir(top, "output");
}

static int try_pull(const struct mp_pull_options *options, struct mp_pull_result *result)
{
	int fd = open_dir(in_top("output"));
	char job[1024]; /* the watch may make many paths meanwhile */
	int status;

	snprintf(job, sizeof(job), "%s/board/JOBX", top);
	status = mp_pull_job(board, &remote, job, fd, options, result, &err);
	close(fd);
	return status;
}

static struct mp_pull_result pull(struct mp_pull_options options)
{
	struct mp_pull_result result;

	assert_ok(try_pull(&options, &result), &err);
	assert_false(is_there(top, "output/.JOBX.part"));
	assert_false(is_there(top, "output/.JOBX.journal"));
	return result;
}

static void assert_pulled(void)
{
	assert_same_tree(in_top("board/JOBX"), in_top("output/JOBX"), false);
}

static void test_pull_round_trip(void **state)
{
	(void)state;
	make_job();
	for (size_t w = 0; w < COUNT(ways); w++)
		for (int sums = 0; sums < 2; sums++) {
			const struct mp_pull_options options = {.way = ways[w], .checksum = sums};
			struct mp_pull_result r = pull(options);

			assert_int_equal(r.files, 64);
			assert_int_equal(r.refused, 0);
			assert_int_equal(r.summed, sums);
			assert_pulled();
			assert_true(pull(options).already);
			remove_at(AT_FDCWD, in_top("output/JOBX"));
		}
}

/* Boards with fewer tools: no xargs -0, no find ... {} +, no tail, no tool to list with. */
static void test_pull_from_poor_boards(void **state)
{
	(void)state;
	make_job();
	for (int i = 0; i < 4; i++) {
		struct mp_remote full = remote;

		remote.xargs_null = i != 0;
		remote.find_plus = i != 1;
		remote.tail = i != 2;
		remote.list = i != 3;
		pull((struct mp_pull_options){.checksum = i == 1});
		assert_pulled();
		remove_at(AT_FDCWD, in_top("output/JOBX"));
		remote = full;
	}
}

static bool stop_at(void *user, int64_t done, int64_t total, size_t files)
{
	(void)total;
	(void)files;
	return done < *(int64_t *)user;
}

/* Cut again and again, alternating between both ways: every byte is fetched about once, and all bytes are right. */
static void test_resume(void **state)
{
	(void)state;
	make_job();
	for (int64_t step = 1; step < BIG; step = step * 3 + 1000) {
		int64_t stop = step;
		const struct mp_watch watch = {.progress = stop_at, .user = &stop};
		struct mp_pull_options options = {.watch = &watch};
		struct mp_pull_result r = {0};
		int64_t bytes = 0;
		int cuts = 0;

		for (;; cuts++) {
			options.way = ways[cuts % 2];
			if (cuts >= 20)
				options.watch = NULL;
			if (!try_pull(&options, &r))
				break;
			assert_non_null(strstr(err.text, "interrupted"));
			assert_false(is_there(top, "output/JOBX"));
			bytes += r.bytes;
		}
		bytes += r.bytes;
		assert_true(cuts > 0);
		assert_pulled();
		/* a cut loses at most the small files under way */
		assert_true(bytes < BIG + 40 * 39 / 2 * 321 + 100 + (cuts + 1) * 40000);
		remove_at(AT_FDCWD, in_top("output/JOBX"));
	}
}

/* The beginning of a file is useless once the file has changed. */
static void test_resume_after_change(void **state)
{
	int64_t stop = BIG / 2;
	const struct mp_watch watch = {.progress = stop_at, .user = &stop};

	(void)state;
	make_job();
	for (size_t w = 0; w < COUNT(ways); w++) {
		struct mp_pull_result r;

		assert_refused(
		    try_pull(&(struct mp_pull_options){.watch = &watch, .way = ways[w]}, &r), &err, "interrupted");
		write_random(in_top("board/JOBX/data"), "big", BIG, 77 + w);
		set_mtime(top, "board/JOBX/data/big", 1500000000 + (time_t)w);
		pull((struct mp_pull_options){.way = ways[w]});
		assert_pulled();
		remove_at(AT_FDCWD, in_top("output/JOBX"));
	}
}

struct growing {
	int left; /* how often it still grows */
};

static bool grow(void *user, int64_t done, int64_t total, size_t files)
{
	struct growing *g = user;
	FILE *f;

	(void)done;
	(void)total;
	(void)files;
	if (g->left-- <= 0)
		return true;
	f = fopen(in_top("board/JOBX/data/big"), "ae");
	assert_non_null(f);
	fprintf(f, "more and more %d", g->left);
	fclose(f);
	return true;
}

static void test_growing(void **state)
{
	struct growing g = {3};
	const struct mp_watch watch = {.progress = grow, .user = &g};
	struct mp_pull_options options = {.watch = &watch};
	struct mp_pull_result r;

	(void)state;
	make_job();
	for (size_t w = 0; w < COUNT(ways); w++) {
		options.way = ways[w];
		g.left = 3;
		options.looks = 10;
		r = pull(options);
		assert_true(r.looks > 2 || g.left < 0);
		assert_pulled();
		remove_at(AT_FDCWD, in_top("output/JOBX"));
		g.left = 1 << 20;
		options.looks = 3;
		assert_refused(try_pull(&options, &r), &err, "keeps changing");
		assert_false(is_there(top, "output/JOBX"));
		assert_true(is_there(top, "output/.JOBX.journal"));
		g.left = 0;
		pull(options);
		assert_pulled();
		remove_at(AT_FDCWD, in_top("output/JOBX"));
	}
}

static struct mp_pull_result slices(bool sums)
{
	const struct mp_pull_options options = {.checksum = sums};
	struct mp_pull_result result;
	int fd = open_dir(in_top("output"));

	assert_ok(mp_pull_slices(board, &remote, in_top("board/JOBX"), fd, &options, &result, &err), &err);
	close(fd);
	return result;
}

static void test_slices(void **state)
{
	char *before;
	char *after;
	struct mp_pull_result r;

	(void)state;
	make_job();
	before = describe(in_top("board/JOBX"), false);
	assert_int_equal(slices(true).files, 40);
	assert_false(is_there(top, "board/JOBX/data/aicore.0.net.16.1.1.1.3"));
	assert_false(is_there(top, "board/JOBX/data/aicore.0.net.16.1.1.1.3.done"));
	assert_true(is_there(top, "board/JOBX/data/aicore.0.net.16.1.1.1.4"));
	assert_int_equal(slices(false).files, 0);
	write_text(in_top("board/JOBX/data"), "aicore.0.net.16.1.1.1.4.done", "");
	assert_int_equal(slices(false).files, 2);
	r = pull((struct mp_pull_options){0});
	assert_int_equal(r.files, 23);
	assert_int_equal(unlink(in_top("output/JOBX/data/aicore.0.net.16.1.1.1.4.done")), 0);
	after = describe(in_top("output/JOBX"), false);
	assert_string_equal(before, after);
	free(before);
	free(after);
}

/* Data removed from the board and lost here as well must be noticed. */
static void test_slice_lost(void **state)
{
	struct mp_pull_result r;

	(void)state;
	make_job();
	slices(false);
	assert_int_equal(unlink(in_top("output/.JOBX.part/data/aicore.0.net.16.1.1.1.3")), 0);
	assert_refused(try_pull(&(struct mp_pull_options){0}, &r), &err, "no longer in");
}

static void test_refused_kinds(void **state)
{
	(void)state;
	for (size_t w = 0; w < COUNT(ways); w++) {
		int notes = 0;
		const struct mp_watch watch = {.note = count_note, .user = &notes};
		struct mp_pull_result r;

		make_job();
		write_text(in_top("board/JOBX/data"), "new\nline", "x");
		write_text(in_top("board/JOBX/data"), "\x1b[31m", "x");
		write_text(in_top("board/JOBX/data"), ".big.part", "x");
		assert_int_equal(symlink("/etc/passwd", in_top("board/JOBX/data/link")), 0);
		assert_int_equal(mkfifo(in_top("board/JOBX/data/fifo"), 0600), 0);
		r = pull((struct mp_pull_options){.way = ways[w], .watch = &watch});
		assert_int_equal(r.refused, 5);
		assert_int_equal(notes, 5);
		assert_int_equal(r.files, 64);
		assert_false(is_there(top, "output/JOBX/data/link"));
		remove_at(AT_FDCWD, in_top("output"));
		remove_at(AT_FDCWD, in_top("board"));
	}
}

/* A link in place of one of our directories is not followed. */
static void test_links_here(void **state)
{
	struct mp_pull_result r;

	(void)state;
	make_job();
	make_dir(top, "elsewhere");
	make_dir(top, "output/.JOBX.part");
	assert_int_equal(symlink(in_top("elsewhere"), in_top("output/.JOBX.part/data")), 0);
	for (size_t w = 0; w < COUNT(ways); w++)
		assert_refused(
		    try_pull(&(struct mp_pull_options){.way = ways[w]}, &r), &err, "cannot open the directory");
	assert_int_equal(rmdir(in_top("elsewhere")), 0);
	remove_at(AT_FDCWD, in_top("output/.JOBX.part"));
	assert_int_equal(symlink(top, in_top("output/.JOBX.part")), 0);
	assert_refused(try_pull(&(struct mp_pull_options){0}, &r), &err, "not followed");
}

static void test_wrong_jobs(void **state)
{
	static const char *const paths[] = {"JOBX", "/a/b", "/a/JOB/..", "/a/JOB X", "/a/JOBX/", "/JOB\n"};
	struct mp_pull_result r;

	(void)state;
	make_dir(top, "output");
	for (size_t i = 0; i < COUNT(paths); i++) {
		int fd = open_dir(in_top("output"));

		assert_refused(mp_pull_job(board, &remote, paths[i], fd, &(struct mp_pull_options){0}, &r, &err), &err,
		    "is not the path of a JOB");
		close(fd);
	}
	assert_refused(try_pull(&(struct mp_pull_options){0}, &r), &err, "cannot list");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_push_round_trip, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_push_changes, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_push_leaves_out, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_pull_round_trip, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_pull_from_poor_boards, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_resume, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_resume_after_change, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_growing, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_slices, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_slice_lost, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_refused_kinds, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_links_here, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_wrong_jobs, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
