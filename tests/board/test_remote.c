/*
 * test_remote.c: work on a board besides transfers: directories, space, programs, JOB lists; and the answers of a board
 * that lies.
 */
#include "transfer_support.h"

#include <signal.h>
#include <time.h>

#include "board/collection/collect_internal.h"
#include "board/connection/pipe.h"

static void test_dir_make(void **state)
{
	static const char *const names[] = {"a", "a/b c", "it's", "$(touch pwned)", "-p", "new\nline", "\"q\"", "x\n"};
	char real[MP_REMOTE_PATH], *was = getcwd(NULL, 0);
	struct stat st;

	(void)state;
	assert_int_equal(chdir(top), 0);
	for (size_t i = 0; i < COUNT(names); i++) {
		assert_ok(mp_remote_dir_make(board, in_top(names[i]), real, &err), &err);
		assert_string_equal(real, in_top(names[i]));
		assert_int_equal(stat(real, &st), 0);
		assert_int_equal(st.st_mode & 0777, 0750);
		assert_ok(mp_remote_dir_make(board, names[i], real, &err), &err);
		assert_string_equal(real, in_top(names[i]));
	}
	assert_false(is_there(top, "pwned"));
	assert_int_equal(chdir(was), 0);
	free(was);
	setenv("HOME", top, 1);
	assert_ok(mp_remote_dir_make(board, "~/h 'x'", real, &err), &err);
	assert_string_equal(real, in_top("h 'x'"));
	assert_ok(mp_remote_dir_make(board, "~", real, &err), &err);
	assert_string_equal(real, top);
	write_text(top, "file", "x");
	assert_refused(mp_remote_dir_make(board, in_top("file/x"), real, &err), &err, "cannot make the directory '");
	assert_non_null(strstr(err.text, "/file/x'"));
}

static void test_space(void **state)
{
	int64_t bytes;

	(void)state;
	assert_ok(mp_remote_space(board, top, &bytes, &err), &err);
	assert_true(bytes > 4096);
	assert_ok(mp_remote_space(board, in_top("none"), &bytes, &err), &err);
	assert_int_equal(bytes, -1);
}

static void sleep_ms(long ms)
{
	nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

static int wait_for_end(struct mp_pipe *pipe)
{
	char bytes[1024];
	int status = -1;

	for (int i = 0; i < 600; i++) {
		ssize_t n;

		do
			n = mp_pipe_peek(pipe, MP_STDOUT, bytes, sizeof(bytes), &err);
		while (n > 0);
		do
			n = mp_pipe_peek(pipe, MP_STDERR, bytes, sizeof(bytes), &err);
		while (n > 0);
		if (mp_command_finish(pipe->command, &status, &err))
			return status;
		assert_ok(mp_command_wait(pipe->command, false, 50, &err), &err);
	}
	fail_msg("the command does not end");
	return -1;
}

static int run_program(const char *const *argv)
{
	struct mp_pipe pipe;
	char dir[1024], pid_file[1024], group_file[1024];
	const struct mp_remote_program program = {.dir = dir,
	    .argv = argv,
	    .pid_file = pid_file,
	    .group_file = group_file,
	    .mark = top,
	    .stats_file = "stats"};
	int status;

	snprintf(dir, sizeof(dir), "%s/a dir", top);
	snprintf(pid_file, sizeof(pid_file), "%s/it's pid", top);
	snprintf(group_file, sizeof(group_file), "%s/it's group", top);
	assert_ok(mp_remote_program_start(&pipe, board, &remote, &program, &err), &err);
	status = wait_for_end(&pipe);
	mp_pipe_drop(&pipe);
	return status;
}

static void test_program(void **state)
{
	static const char script[] = "#!/bin/sh\numask >../umask\npwd >../pwd\nprintf '%s|' \"$@\" >../args\n"
				     "cat \"../it's pid\" >../pid\necho $$ >../own\nexit 7\n";
	char *args, *pid, *own, *mask;

	(void)state;
	make_dir(top, "a dir");
	write_text(top, "a dir/main prog", script);
	assert_int_equal(chmod(in_top("a dir/main prog"), 0755), 0);
	for (int i = 0; i < 2; i++) {
		remote.setsid = i == 0;
		assert_int_equal(
		    run_program((const char *const[]){"./main prog", "a b", "$(x)", "it's", "", "-n", "\n", NULL}), 7);
		args = read_text(top, "args");
		pid = read_text(top, "pid");
		own = read_text(top, "own");
		mask = read_text(top, "umask");
		assert_string_equal(args, "a b|$(x)|it's||-n|\n|");
		assert_string_equal(mask, "0027\n");
		if (i == 0)
			assert_string_equal(pid, own);
		assert_false(is_there(top, "it's pid"));
		assert_true(is_there(top, "it's group"));
		free(args);
		free(pid);
		free(own);
		free(mask);
	}
	assert_int_equal(run_program((const char *const[]){"./none", NULL}), 127);
	write_text(top, "a dir/noexec", "x");
	assert_int_equal(run_program((const char *const[]){"./noexec", NULL}), 126);
	remove_at(AT_FDCWD, in_top("a dir"));
	assert_int_equal(run_program((const char *const[]){"./main", NULL}), 100);
}

static bool is_written(const char *name)
{
	struct stat st;

	return stat(in_top(name), &st) == 0 && st.st_size > 0;
}

static bool is_alive(const char *name)
{
	char *text = read_text(top, name), path[64];
	bool alive;

	snprintf(path, sizeof(path), "/proc/%ld/exe", strtol(text, NULL, 10));
	free(text);
	alive = access(path, F_OK) == 0;
	return alive;
}

/* The file names the group that contains the program and its children. */
static void test_program_group(void **state)
{
	static const char script[] =
	    "(echo up >b; while :; do sleep 0.1; done) & echo $! >c; echo $$ >p; while :; do sleep 0.1; done";
	static const char *const argv[] = {"sh", "-c", script, NULL};
	char pid_file[1024], group_file[1024];
	const struct mp_remote_program program = {.dir = top,
	    .argv = argv,
	    .pid_file = pid_file,
	    .group_file = group_file,
	    .mark = top,
	    .stats_file = "stats"};
	struct mp_pipe pipe;

	(void)state;
	needs_proc();
	snprintf(pid_file, sizeof(pid_file), "%s/pid", top);
	snprintf(group_file, sizeof(group_file), "%s/group", top);
	for (int i = 0; i < 2; i++) {
		char *group;

		remote.setsid = i == 0;
		assert_ok(mp_remote_program_start(&pipe, board, &remote, &program, &err), &err);
		for (int k = 0; k < 1200 && !(is_written("b") && is_written("c") && is_written("p")); k++)
			sleep_ms(50);
		assert_true(is_alive("p"));
		assert_true(is_alive("c"));
		group = read_text(top, "group");
		assert_true(strtol(group, NULL, 10) > 1);
		assert_int_equal(kill(-(pid_t)strtol(group, NULL, 10), SIGKILL), 0);
		free(group);
		assert_true(wait_for_end(&pipe) >= 128);
		mp_pipe_drop(&pipe);
		assert_false(is_alive("p"));
		for (int k = 0; k < 100 && is_alive("c"); k++)
			sleep_ms(50);
		assert_false(is_alive("c"));
		assert_int_equal(unlink(in_top("b")) | unlink(in_top("c")) | unlink(in_top("p")), 0);
		(void)unlink(in_top("pid"));
	}
}

static void list_jobs(struct mp_remote_jobs *jobs, const char *const *dirs, size_t count)
{
	assert_ok(mp_remote_jobs_list(jobs, board, &remote, dirs, count, NULL, &err), &err);
}

static void test_jobs(void **state)
{
	const char *dirs[4];
	struct mp_remote_jobs before, after;

	(void)state;
	make_dir(top, "a b");
	make_dir(top, "a b/JOBONE");
	make_dir(top, "a b/JOBONE/JOBINNER");
	make_dir(top, "a b/deep");
	write_text(top, "a b/JOBFILE", "");
	dirs[0] = in_top("a b");
	dirs[1] = top;
	dirs[2] = in_top("none");
	dirs[3] = in_top("a b/../a b/deep");
	list_jobs(&before, dirs, 4);
	assert_int_equal(before.count, 1);
	make_dir(top, "a b/deep/JOBTWO");
	make_dir(top, "JOBTHREE\n");
	list_jobs(&after, dirs, 4);
	assert_int_equal(after.count, 3);
	assert_ok(mp_remote_jobs_subtract(&after, &before, &err), &err);
	assert_int_equal(after.count, 2);
	assert_string_equal(after.items[0].path, in_top("JOBTHREE\n"));
	assert_string_equal(after.items[1].path, in_top("a b/deep/JOBTWO"));
	mp_remote_jobs_free(&before);
	mp_remote_jobs_free(&after);
}

/* The JOBs below a place that were not in the first list, as "NAME+" when certainly created since, else "NAME-". */
static void expect_new(const struct mp_remote_jobs *before, const char *dir, const char *wanted)
{
	struct mp_remote_jobs after;
	char found[256] = "";

	list_jobs(&after, &dir, 1);
	assert_ok(mp_remote_jobs_subtract(&after, before, &err), &err);
	for (size_t i = 0; i < after.count; i++) {
		const struct mp_remote_job *job = &after.items[i];

		snprintf(found + strlen(found), sizeof(found) - strlen(found), "%s%c ", strrchr(job->path, '/') + 1,
		    job->created ? '+' : '-');
	}
	assert_string_equal(found, wanted);
	mp_remote_jobs_free(&after);
}

/* The place may be called as a JOB is, be missing at first, or get another name; JOBs may be moved. */
static void test_created_jobs(void **state)
{
	const char *dir = in_top("JOBS/out/profiling");
	struct mp_remote_jobs before;

	(void)state;
	make_dir(top, "JOBS");
	list_jobs(&before, &dir, 1); /* the directory does not exist: so all that is there later was created since */
	make_dir(top, "JOBS/out");
	make_dir(top, "JOBS/out/profiling");
	make_dir(top, "JOBS/out/profiling/JOBA");
	expect_new(&before, dir, "JOBA+ ");
	expect_new(&before, in_top("JOBS"), "JOBA+ ");
	mp_remote_jobs_free(&before);
	list_jobs(&before, &dir, 1);
	make_dir(top, "JOBS/out/profiling/JOBB");
	assert_int_equal(rename(in_top("JOBS/out/profiling/JOBA"), in_top("JOBS/out/profiling/JOBMOVED")), 0);
	expect_new(&before, dir, "JOBB+ JOBMOVED- ");
	assert_int_equal(rename(in_top("JOBS/out/profiling"), in_top("JOBS/out/old")), 0);
	make_dir(top, "JOBS/out/profiling");
	make_dir(top, "JOBS/out/profiling/JOBC");
	expect_new(&before, dir, "JOBC+ ");
	expect_new(&before, in_top("JOBS/out/old"), "JOBB- JOBMOVED- "); /* no place of the first list */
	/* as if a card had been mounted there meanwhile, or the list were of an earlier version */
	before.places[0].device++;
	expect_new(&before, dir, "JOBC- ");
	free(before.places[0].path);
	before.place_count = 0;
	expect_new(&before, dir, "JOBC- ");
	mp_remote_jobs_free(&before);
}

/* What is not there is known by the next directory above it: where that cannot be searched nothing is known. */
static void test_no_list(void **state)
{
	const char *dir = in_top("place"), *none = in_top("place/file/none");
	struct mp_remote_jobs jobs;

	(void)state;
	make_dir(top, "place");
	make_dir(top, "place/JOBA");
	make_dir(top, "place/closed");
	write_text(top, "place/file", "");
	assert_refused(mp_remote_jobs_list(&jobs, board, &remote, &none, 1, NULL, &err), &err, "cannot list the JOBs");
	assert_int_equal(jobs.count + jobs.place_count, 0);
	if (geteuid() == 0)
		return; /* root may read everything */
	assert_int_equal(chmod(in_top("place/closed"), 0), 0);
	assert_refused(mp_remote_jobs_list(&jobs, board, &remote, &dir, 1, NULL, &err), &err, "exit status");
	assert_non_null(strstr(err.text, "closed"));
	assert_int_equal(chmod(in_top("place/closed"), 0755), 0);
	list_jobs(&jobs, &dir, 1);
	assert_int_equal(jobs.count, 1);
	mp_remote_jobs_free(&jobs);
}

/* ---------------------------------------------------------------- boards that lie */

/* Replace a program of the board by a script. */
static void fake(const char *name, const char *script)
{
	char text[4096], path[256];

	snprintf(path, sizeof(path), "bin/%s", name);
	snprintf(text, sizeof(text), "#!/bin/sh\n%s\n", script);
	write_text(top, path, text);
	assert_int_equal(chmod(in_top(path), 0755), 0);
}

static void test_lying_lists(void **state)
{
	static const char *const lists[] = {"echo nonsense", "echo '81a4 5 0 ./../evil//'",
	    "echo '81a4 5 0 /etc/evil//'", "echo '81a4 -5 0 ./evil//'", "echo '81a4 99999999999999999999 0 ./evil//'",
	    "echo '81a4 5 0 evil//'", "echo '81a4 9223372036854775807 0 ./evil//'",
	    "echo '41ed 5 0 .//'; echo '81a4 5 0 ./unfinished'", "exit 1", "head -c 200000 /dev/zero",
	    "yes | head -c 200000", "printf '41ed 0 0 .//\\nend//\\nmore//\\n'", "printf '41ed 0 0 .//\\nfailed//\\n'",
	    ""};
	char *path = strdup(getenv("PATH")), with_ours[4096], job[1024];
	struct mp_pull_result r;

	(void)state;
	make_dir(top, "bin");
	make_dir(top, "JOBX");
	make_dir(top, "output");
	snprintf(with_ours, sizeof(with_ours), "%s/bin:%s", top, path);
	snprintf(job, sizeof(job), "%s/JOBX", top);
	for (size_t i = 0; i < COUNT(lists); i++) {
		int fd = open_dir(in_top("output")), status;

		fake("stat", lists[i]);
		setenv("PATH", with_ours, 1);
		status = mp_pull_job(board, &remote, job, fd, &(struct mp_pull_options){.looks = 1}, &r, &err);
		setenv("PATH", path, 1);
		close(fd);
		if (status != -1)
			fail_msg("list %zu passed", i);
		assert_false(is_there(top, "evil"));
		assert_false(is_there(top, "output/JOBX"));
	}
	free(path);
}

/* Whatever find says: a list is whole, or there is none. Boards may lack stat, and a find that knows "+". */
static void test_lying_job_lists(void **state)
{
	static const char *const finds[] = {"exit 254", "exit 0", "echo nonsense", "printf '1 2 3 ./JOBX//\\n'",
	    "printf '1 2 3 .//\\n1 2 3 ./JOBX//'", "printf '1 2 3 .//\\n1 2 3 JOBX//\\n'",
	    "printf '1 2 3 .//\\n1 2 ./JOBX//\\n'", "printf '1 2 3 .//\\n1 2 3 4 ./JOBX//\\n'",
	    "printf '1 2 3 .//\\nx 2 3 ./JOBX//\\n'", "printf '1 2 3 .//\\n 1 2 3 ./JOBX//\\n'",
	    "printf '1 2 3 .//\\nend//\\n'", "printf '1 2 3 .//\\nplace /x//\\n'", "printf '1 2 3 .//\\nfailed//\\n'",
	    "head -c 5000000 /dev/zero", "echo '1 2 3 .//'; yes '1 2 3 ./JOBX//' | head -c 5000000", "kill -9 $$",
	    "/usr/bin/find \"$@\"; exit 1"};
	char *path = strdup(getenv("PATH")), with_ours[4096];
	const char *dir = in_top("place");
	struct mp_remote_jobs jobs;

	(void)state;
	make_dir(top, "bin");
	make_dir(top, "place");
	make_dir(top, "place/JOBX");
	snprintf(with_ours, sizeof(with_ours), "%s/bin:%s", top, path);
	for (size_t i = 0; i < COUNT(finds); i++) {
		int status;

		fake("find", finds[i]);
		setenv("PATH", with_ours, 1);
		status = mp_remote_jobs_list(&jobs, board, &remote, &dir, 1, NULL, &err);
		setenv("PATH", path, 1);
		if (status != -1)
			fail_msg("list %zu passed", i);
		assert_non_null(strstr(err.text, "cannot list the JOBs below"));
		assert_int_equal(jobs.count + jobs.place_count, 0);
	}
	remove_at(AT_FDCWD, in_top("bin/find"));
	for (int i = 0; i < 4; i++) {
		remote.list = i & 1;
		remote.find_plus = i & 2;
		list_jobs(&jobs, &dir, 1);
		assert_int_equal(jobs.count, 1);
		assert_string_equal(jobs.items[0].path, in_top("place/JOBX"));
		assert_int_equal(jobs.items[0].inode != 0, remote.list);
		mp_remote_jobs_free(&jobs);
	}
	free(path);
}

/* The listing is true, the content is not. */
static void test_lying_tar(void **state)
{
	static const char *const tars[] = {"exit 0", "exit 1", "echo nonsense", "head -c 100000 /dev/zero",
	    "cat /dev/zero | head -c 30000000", "kill -9 $$", "cd /; /bin/tar cf - ./etc/passwd",
	    "/bin/tar cf - ./file --transform 's/file/..\\/evil/' -P", "/bin/tar cf - ./file | head -c 700",
	    "/bin/tar cf - ./file ./file ./file --hard-dereference"};
	char *path = strdup(getenv("PATH")), with_ours[4096], job[1024];
	struct mp_pull_result r;

	(void)state;
	make_dir(top, "bin");
	make_dir(top, "JOBX");
	make_dir(top, "output");
	write_random(in_top("JOBX"), "file", 3000, 1);
	snprintf(with_ours, sizeof(with_ours), "%s/bin:%s", top, path);
	snprintf(job, sizeof(job), "%s/JOBX", top);
	for (size_t i = 0; i < COUNT(tars); i++) {
		int fd = open_dir(in_top("output")), status;

		fake("tar", tars[i]);
		setenv("PATH", with_ours, 1);
		status = mp_pull_job(board, &remote, job, fd, &(struct mp_pull_options){.looks = 1}, &r, &err);
		setenv("PATH", path, 1);
		close(fd);
		if (status != (i + 1 == COUNT(tars) ? 0 : -1))
			fail_msg("tar %zu: %d", i, status);
		assert_false(is_there(top, "evil"));
		assert_false(is_there(top, "output/evil"));
	}
	assert_same_tree(in_top("JOBX"), in_top("output/JOBX"), false);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_dir_make, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_space, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_program, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_program_group, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_jobs, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_created_jobs, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_no_list, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_lying_lists, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_lying_job_lists, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_lying_tar, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
