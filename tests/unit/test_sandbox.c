/*
 * test_sandbox.c: the remaining rights of a process in its sandbox. Each case is a process of its own, because the
 * sandbox is permanent.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/sandbox.h"
#include "support.h"

enum { SKIPPED = 77 };

static char *dir; /* with inside/ and outside/, each with a file and a directory */

static int make_dirs(void **state)
{
	(void)state;
	dir = temp_dir();
	assert_int_equal(mkdir(below(dir, "inside"), 0700), 0);
	assert_int_equal(mkdir(below(dir, "outside"), 0700), 0);
	assert_int_equal(mkdir(below(dir, "inside/dir"), 0700), 0);
	assert_int_equal(mkdir(below(dir, "outside/dir"), 0700), 0);
	write_text(dir, "inside/file", "text");
	write_text(dir, "outside/file", "text");
	return 0;
}

static int remove_dirs(void **state)
{
	(void)state;
	remove_dir(dir);
	return 0;
}

/* In a child: the first failed check ends the child with the number of its line. */
#define CHECK(what)                                                                                                    \
	do {                                                                                                           \
		if (!(what)) {                                                                                         \
			fprintf(stderr, "line %d: not so (errno %d): %s\n", __LINE__, errno, #what);                   \
			_exit(1);                                                                                      \
		}                                                                                                      \
	} while (0)

#define REFUSED(call, code) CHECK((errno = 0, (long)(call) == -1 && errno == (code)))

static unsigned may; /* of the next sandbox */

static void in_child(unsigned needed, void (*checks)(void), const struct mp_sandbox_place *places, size_t count)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		struct mp_error err;
		int done = mp_sandbox_enter(places, count, may, &err);

		CHECK(done >= 0);
		if (((unsigned)done & needed) != needed)
			_exit(SKIPPED);
		checks();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == SKIPPED) {
		print_message("skipped: the kernel, or a build with a sanitizer, has no such sandbox\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
}

static int open_at(const char *half, const char *name, int flags)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s/%s", dir, half, name);
	return open(path, flags | O_CLOEXEC, 0600);
}

static void check_inside(void)
{
	CHECK(open_at("inside", "file", O_RDWR) >= 0);
	CHECK(open_at("inside", "file", O_WRONLY | O_TRUNC) >= 0);
	CHECK(open_at("inside", "dir", O_RDONLY | O_DIRECTORY) >= 0);
	CHECK(open_at("inside", "new", O_WRONLY | O_CREAT | O_EXCL) >= 0);
	CHECK(open_at("inside", ".", O_TMPFILE | O_RDWR) >= 0);
	CHECK(rename(below(dir, "inside/new"), below(dir, "inside/newer")) == 0);
	CHECK(unlink(below(dir, "inside/newer")) == 0);
	CHECK(mkdir(below(dir, "inside/made"), 0700) == 0);
	CHECK(rmdir(below(dir, "inside/made")) == 0);
}

static void check_outside(void)
{
	const int of_proc = access("/proc/self", F_OK) ? ENOENT : EACCES; /* a small machine has not mounted it */
	int half = open_at("outside", ".", O_PATH);

	REFUSED(open_at("outside", "file", O_RDONLY), EACCES);
	REFUSED(open_at("outside", "file", O_WRONLY), EACCES);
	REFUSED(open_at("outside", ".", O_RDONLY | O_DIRECTORY), EACCES);
	REFUSED(open_at("outside", "new", O_WRONLY | O_CREAT), EACCES);
	REFUSED(openat(half, "file", O_RDONLY), EACCES);
	REFUSED(open("/etc/passwd", O_RDONLY), EACCES);
	REFUSED(open("/proc/self/mem", O_RDWR), of_proc);
	REFUSED(unlink(below(dir, "outside/file")), EACCES);
	REFUSED(rmdir(below(dir, "outside/dir")), EACCES);
	REFUSED(mkdir(below(dir, "outside/new"), 0700), EACCES);
	REFUSED(symlink("file", below(dir, "inside/link")), EACCES);
	REFUSED(mkfifo(below(dir, "inside/fifo"), 0600), EACCES);
	CHECK(rename(below(dir, "inside/file"), below(dir, "outside/moved")) == -1 &&
	      (errno == EACCES || errno == EXDEV));
	CHECK(
	    link(below(dir, "outside/file"), below(dir, "inside/linked")) == -1 && (errno == EACCES || errno == EXDEV));
}

static void check_files(void)
{
	check_inside();
	check_outside();
}

static void test_files(void **state)
{
	const struct mp_sandbox_place places[] = {
	    {below(dir, "inside"), MP_REACH_WRITE}, {below(dir, "missing"), MP_REACH_WRITE}};

	(void)state;
	in_child(MP_SANDBOX_FILES, check_files, places, COUNT(places));
}

static void check_link(void)
{
	CHECK(open(below(dir, "link/file"), O_RDONLY) >= 0);
	CHECK(open(below(dir, "outside/../inside/file"), O_RDONLY) >= 0);
	REFUSED(open(below(dir, "link/../outside/file"), O_RDONLY), EACCES);
}

static void test_place_behind_link(void **state)
{
	const struct mp_sandbox_place places[] = {{below(dir, "link"), MP_REACH_READ}};

	(void)state;
	assert_int_equal(symlink("inside", below(dir, "link")), 0);
	in_child(MP_SANDBOX_FILES, check_link, places, COUNT(places));
}

static void check_reach(void)
{
	CHECK(open_at("inside", "dir", O_RDONLY | O_DIRECTORY) >= 0);
	REFUSED(open_at("inside", "file", O_RDONLY), EACCES);
	CHECK(open_at("outside", "file", O_RDONLY) >= 0);
	REFUSED(open_at("outside", "file", O_WRONLY), EACCES);
	REFUSED(unlink(below(dir, "outside/file")), EACCES);
	CHECK(open(below(dir, "temporary/new"), O_RDWR | O_CREAT | O_EXCL, 0600) >= 0);
	CHECK(unlink(below(dir, "temporary/new")) == 0);
	REFUSED(open(below(dir, "temporary"), O_RDONLY | O_DIRECTORY), EACCES);
	REFUSED(mkdir(below(dir, "temporary/new"), 0700), EACCES);
	CHECK(open(below(dir, "single"), O_RDONLY) >= 0);
	REFUSED(open(below(dir, "single"), O_WRONLY), EACCES);
}

static void test_reach(void **state)
{
	const struct mp_sandbox_place places[] = {{below(dir, "inside"), MP_REACH_LIST},
	    {below(dir, "outside"), MP_REACH_READ}, {below(dir, "temporary"), MP_REACH_TEMPORARY},
	    {below(dir, "single"), MP_REACH_READ}};

	(void)state;
	assert_int_equal(mkdir(below(dir, "temporary"), 0700), 0);
	write_text(dir, "single", "text");
	in_child(MP_SANDBOX_FILES, check_reach, places, COUNT(places));
}

static void check_single(void)
{
	CHECK(open(below(dir, "written"), O_RDWR | O_TRUNC) >= 0);
	REFUSED(unlink(below(dir, "written")), EACCES);
	REFUSED(open(below(dir, "listed"), O_RDONLY), EACCES);
}

/* Of what a place allows, a file has what can be done with a file. */
static void test_single_files(void **state)
{
	const struct mp_sandbox_place places[] = {
	    {below(dir, "written"), MP_REACH_WRITE}, {below(dir, "listed"), MP_REACH_LIST}};

	(void)state;
	write_text(dir, "written", "text");
	write_text(dir, "listed", "text");
	in_child(MP_SANDBOX_FILES, check_single, places, COUNT(places));
}

/* A path that can be opened only when a descriptor is free: the rule must not be missing for lack of one. */
static void test_no_descriptor(void **state)
{
	const struct mp_sandbox_place places[] = {{dir, MP_REACH_READ}};
	struct mp_error err = {.text = ""};
	int status;
	pid_t pid = fork();

	(void)state;
	assert_true(pid >= 0);
	if (pid == 0) {
		if (syscall(444 /* landlock_create_ruleset */, NULL, 0, 1) < 1)
			_exit(SKIPPED);
		while (open("/", O_RDONLY | O_CLOEXEC) >= 0)
			;
		CHECK(close(STDIN_FILENO) == 0); /* for the set of rules */
		status = mp_sandbox_enter(places, COUNT(places), 0, &err);
		if (status == 0)
			_exit(SKIPPED);
		CHECK(status == -1 && strstr(err.text, "for the sandbox: Too many open files"));
		CHECK(access("/etc/passwd", R_OK) == 0);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == SKIPPED)
		skip();
	assert_int_equal(WEXITSTATUS(status), 0);
}

/* A pipe is no place that rules know, and can be opened without one. */
static void check_pipe(void)
{
	CHECK(open("/dev/fd/0", O_RDONLY) >= 0);
}

static void test_pipe(void **state)
{
	const struct mp_sandbox_place places[] = {{"/dev/fd/0", MP_REACH_READ}};
	int ends[2];

	(void)state;
	if (access("/dev/fd/0", F_OK))
		skip(); /* a small machine has not mounted /proc */
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(dup2(ends[0], STDIN_FILENO), STDIN_FILENO);
	in_child(MP_SANDBOX_FILES, check_pipe, places, COUNT(places));
	close(ends[0]);
	close(ends[1]);
}

static void check_programs(void)
{
	char *const words[] = {"true", NULL};

	REFUSED(execv("/bin/true", words), EPERM);
	REFUSED(syscall(SYS_execveat, AT_FDCWD, "/bin/true", words, NULL, 0), EPERM);
	REFUSED(fexecve(STDERR_FILENO, words, words), EPERM);
	REFUSED(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL), EPERM);
	REFUSED(syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0), EPERM);
	REFUSED(kill(getppid(), 0), EPERM);
	REFUSED(kill(-1, 0), EPERM);
	REFUSED(syscall(SYS_tgkill, getppid(), getppid(), 0), EPERM);
	REFUSED(syscall(434 /* pidfd_open */, getpid(), 0), EPERM);
	CHECK(kill(getpid(), 0) == 0);
	CHECK(signal(SIGUSR1, SIG_IGN) != SIG_ERR && raise(SIGUSR1) == 0);
}

static void test_programs(void **state)
{
	(void)state;
	in_child(MP_SANDBOX_CALLS, check_programs, NULL, 0);
}

static int listener; /* made before */

static void check_network(void)
{
	const struct sockaddr_in local = {
	    .sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
	const int families[] = {AF_INET, AF_INET6, AF_UNIX, AF_NETLINK, AF_PACKET};
	int pair[2];

	for (size_t i = 0; i < COUNT(families); i++)
		REFUSED(socket(families[i], SOCK_STREAM, 0), EPERM);
	REFUSED(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), EPERM);
	REFUSED(connect(listener, (const struct sockaddr *)&local, sizeof(local)), EPERM);
	REFUSED(bind(listener, (const struct sockaddr *)&local, sizeof(local)), EPERM);
	REFUSED(listen(listener, 1), EPERM);
	REFUSED(accept(listener, NULL, NULL), EPERM);
	REFUSED(sendto(listener, "", 1, 0, (const struct sockaddr *)&local, sizeof(local)), EPERM);
	REFUSED(syscall(425 /* io_uring_setup */, 1, NULL), EPERM);
}

static void test_network(void **state)
{
	(void)state;
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	in_child(MP_SANDBOX_CALLS, check_network, NULL, 0);
	close(listener);
}

/* A call that gets as far as the kernel's own refusal. */
#define REACHED(call) CHECK((errno = 0, (long)(call) != -1 || errno != EPERM))

static void check_client(void)
{
	const struct sockaddr_in local = {
	    .sin_family = AF_INET, .sin_port = htons(9), .sin_addr = {htonl(INADDR_LOOPBACK)}};
	const int others[] = {AF_UNIX, AF_NETLINK, AF_PACKET};
	char *const words[] = {"true", NULL};
	int pair[2];

	CHECK(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) >= 0);
	REACHED(socket(AF_INET6, SOCK_DGRAM, 0));
	REACHED(connect(listener, (const struct sockaddr *)&local, sizeof(local)));
	REACHED(sendto(listener, "", 1, MSG_NOSIGNAL, NULL, 0));
	CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
	REFUSED(socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair), EPERM);
	for (size_t i = 0; i < COUNT(others); i++)
		REFUSED(socket(others[i], SOCK_STREAM, 0), EPERM);
	REFUSED(bind(listener, (const struct sockaddr *)&local, sizeof(local)), EPERM);
	REFUSED(listen(listener, 1), EPERM);
	REFUSED(execv("/bin/true", words), EPERM);
	REFUSED(kill(getppid(), 0), EPERM);
	REFUSED(syscall(SYS_keyctl, -1), EPERM);
}

static void check_more(void)
{
	CHECK(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0) >= 0);
	REACHED(syscall(SYS_keyctl, -1));
	REFUSED(open("/etc/passwd", O_RDONLY), EACCES);
}

static void test_client(void **state)
{
	(void)state;
	listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	may = MP_MAY_CONNECT;
	in_child(MP_SANDBOX_CALLS, check_client, NULL, 0);
	may = MP_MAY_CONNECT | MP_MAY_CONNECT_HERE | MP_MAY_USE_KEYS;
	in_child(MP_SANDBOX_FILES | MP_SANDBOX_CALLS, check_more, NULL, 0);
	may = 0;
	close(listener);
}

static void check_system(void)
{
	int fd = open(below(dir, "inside/file"), O_RDWR);

	REFUSED(chmod(below(dir, "inside/file"), 0777), EPERM);
	REFUSED(chown(below(dir, "inside/file"), 0, 0), EPERM);
	REFUSED(truncate(below(dir, "inside/file"), 0), EPERM);
	REFUSED(utimensat(AT_FDCWD, below(dir, "inside/file"), NULL, 0), EPERM);
	REFUSED(syscall(SYS_mount, NULL, dir, "tmpfs", 0, NULL), EPERM);
	REFUSED(chroot(dir), EPERM);
	REFUSED(syscall(SYS_bpf, 0, NULL, 0), EPERM);
	REFUSED(ioctl(fd, TIOCSTI, "x"), EPERM);
	CHECK(fd < 0 || (fchmod(fd, 0600) == 0 && ftruncate(fd, 0) == 0));
#ifdef __x86_64__
	REFUSED(syscall(0x40000000 | SYS_getpid), EPERM);
#endif
}

static void test_system(void **state)
{
	const struct mp_sandbox_place places[] = {{dir, MP_REACH_WRITE}};

	(void)state;
	in_child(MP_SANDBOX_CALLS, check_system, places, COUNT(places));
}

static void *in_thread(void *user)
{
	(void)user;
	REFUSED(open("/etc/passwd", O_RDONLY), EACCES);
	REFUSED(socket(AF_INET, SOCK_STREAM, 0), EPERM);
	return NULL;
}

static void check_thread(void)
{
	pthread_t thread;

	CHECK(pthread_create(&thread, NULL, in_thread, NULL) == 0);
	CHECK(pthread_join(thread, NULL) == 0);
}

static void test_threads(void **state)
{
	(void)state;
	in_child(MP_SANDBOX_FILES | MP_SANDBOX_CALLS, check_thread, NULL, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_files, make_dirs, remove_dirs),
	    cmocka_unit_test_setup_teardown(test_place_behind_link, make_dirs, remove_dirs),
	    cmocka_unit_test_setup_teardown(test_reach, make_dirs, remove_dirs),
	    cmocka_unit_test_setup_teardown(test_single_files, make_dirs, remove_dirs),
	    cmocka_unit_test_setup_teardown(test_no_descriptor, make_dirs, remove_dirs),
	    cmocka_unit_test(test_pipe),
	    cmocka_unit_test(test_programs),
	    cmocka_unit_test(test_network),
	    cmocka_unit_test(test_client),
	    cmocka_unit_test_setup_teardown(test_system, make_dirs, remove_dirs),
	    cmocka_unit_test(test_threads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
