/*
 * victim.c: an application that does with descriptors what it should not, while it records.
 *
 *   victim SEED NOTES HOW JOB|PROF [refused|older]
 *
 * It closes numbers that it did not open, one by one, all at once and from a second thread; duplicates files of its own
 * onto any number; opens its own files and directories, pipes and sockets, up to the last number; forks. It never
 * writes into the files below mine/, so who compares them finds what the recorder wrote. It counts in the mapped file
 * NOTES the calls that it has recorded, after each. HOW is its end: finalize, return, _exit or kill. With "refused" the
 * system refuses a table of descriptors to a thread, and with
 * "older" the call that gives an empty one. With PRELOADED the calls are those of the vendor's library.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef PRELOADED
int aclInit(const char *config);
int aclFinalize(void);
int aclmdlLoadFromFile(const char *path, uint32_t *model_id);
int aclrtMalloc(void **memory, size_t size, int policy);
int svp_acl_init(const char *config);
int svp_acl_finalize(void);
int svp_acl_mdl_load_from_mem(const void *model, size_t size, uint32_t *model_id);
int svp_acl_rt_malloc(void **memory, size_t size, int policy);
#else
#include <msprof_recorder.h>
#endif

#ifndef SYS_close_range
#define SYS_close_range 436
#endif

enum { STEPS = 120, OWN_FILES = 12, LOW = 48, FAILED = 9 };

static bool is_job, is_refused, is_older;
static uint64_t state;
static _Atomic uint64_t *notes; /* calls recorded; threads that record at the moment */
static atomic_bool done;

static uint64_t next(uint64_t *s)
{
	*s ^= *s << 13;
	*s ^= *s >> 7;
	return *s ^= *s << 17;
}

static int some(int count)
{
	return (int)((next(&state) >> 33) % (unsigned)count);
}

static void rest(long us)
{
	nanosleep(&(struct timespec){0, us * 1000}, NULL);
}

static void fail(int line)
{
	static const char text[] = "victim: see the line of the exit status\n";

	(void)!write(STDERR_FILENO, text, sizeof(text) - 1);
	_exit(line % 200 + 20);
}
#define CHECK(what) ((what) ? (void)0 : fail(__LINE__))

/* ---------------------------------------------------------------- recording */

static int begin(void)
{
#ifdef PRELOADED
	return is_job ? svp_acl_init("acl.json") : aclInit("acl.json");
#else
	return msprof_init("acl.json", is_job ? MSPROF_SVP : MSPROF_ASCEND);
#endif
}

static void finalize(void)
{
#ifdef PRELOADED
	is_job ? svp_acl_finalize() : aclFinalize();
#else
	msprof_finalize();
#endif
}

static void record(int count)
{
	for (int i = 0; i < count; i++) {
#ifdef PRELOADED
		void *memory;

		is_job ? svp_acl_rt_malloc(&memory, 8, 0) : aclrtMalloc(&memory, 8, 0);
		free(memory);
#else
		msprof_api_end(msprof_begin(), MSPROF_RUNTIME, msprof_name("own"), MSPROF_NO_MODEL);
#endif
		atomic_fetch_add(&notes[0], 1);
	}
}

/* The first event of a child makes a result of its own, if there is a descriptor left for it. */
static void mark_in_child(void)
{
#ifdef PRELOADED
	void *memory;

	is_job ? svp_acl_rt_malloc(&memory, 8, 0) : aclrtMalloc(&memory, 8, 0);
	free(memory);
#else
	msprof_mark("child");
#endif
}

/* Each model has a file of its own in a JOB. */
static void load(int number)
{
#ifdef PRELOADED
	uint32_t id;

	(void)number;
	is_job ? svp_acl_mdl_load_from_mem("m", 1, &id) : aclmdlLoadFromFile("m.om", &id);
#else
	char name[32];

	snprintf(name, sizeof(name), "model%d", number);
	msprof_model_loaded((uint32_t)number, name);
	msprof_api_end(msprof_begin(), MSPROF_MODEL, msprof_name("load"), (uint32_t)number);
#endif
}

static void *record_some(void *unused)
{
	(void)unused;
	atomic_fetch_add(&notes[1], 1);
	record(20);
	atomic_fetch_sub(&notes[1], 1);
	return NULL;
}

static void record_in_threads(int count)
{
	pthread_t ids[8];

	for (int i = 0; i < count; i++)
		CHECK(!pthread_create(&ids[i], NULL, record_some, NULL));
	for (int i = 0; i < count; i++)
		pthread_join(ids[i], NULL);
}

/* ---------------------------------------------------------------- descriptors */

static int own_file(int flags)
{
	char name[32];

	snprintf(name, sizeof(name), "mine/d%d/file%d", some(3), some(OWN_FILES));
	return open(name, flags);
}

static int own_directory(void)
{
	char name[32];

	snprintf(name, sizeof(name), "mine/d%d", some(3));
	return open(name, O_RDONLY | O_DIRECTORY);
}

static int most(void)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < 4096 ? (int)limit.rlim_cur : 4096;
}

static void close_from(int first)
{
	if (is_refused || is_older || syscall(SYS_close_range, first, ~0u, 0))
		for (int fd = first; fd < most(); fd++)
			close(fd);
}

static void use_up(void)
{
	for (int i = 0; i < 4096; i++)
		if ((i % 3 ? own_file(O_RDWR) : own_directory()) < 0)
			return;
}

static void fork_one(void)
{
	pid_t child = fork();
	int status;

	CHECK(child >= 0);
	if (child == 0) {
		if (some(2))
			close_from(some(4));
		for (int i = 0; i < 20; i++)
			own_file(O_RDWR);
		if (some(2))
			mark_in_child();
		finalize();
		if (some(2))
			_exit(0);
		exit(0);
	}
	CHECK(waitpid(child, &status, 0) == child && status == 0);
}

static void harm(int step)
{
	int ends[2], wide = some(4) ? LOW : most();

	switch (some(14)) {
	case 0:
	case 1:
	case 2:
		close(some(wide));
		break;
	case 3:
	case 4:
		dup2(own_file(O_RDWR), some(wide));
		break;
	case 5:
		dup2(own_directory(), some(wide));
		break;
	case 6:
		for (int i = some(20); i >= 0; i--)
			own_file(i % 2 ? O_RDWR : O_RDWR | O_APPEND);
		break;
	case 7:
		for (int i = some(8); i >= 0; i--)
			own_directory();
		break;
	case 8:
		(void)!pipe(ends);
		(void)!socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
		break;
	case 9:
		close_from(some(4));
		break;
	case 10:
		if (step % 4 == 0)
			use_up();
		break;
	case 11:
		fork_one();
		break;
	case 12:
		record_in_threads(1 + some(8));
		break;
	default:
		load(step);
		rest(some(3000));
	}
}

/* A second thread closes twice, now and then. */
static void *close_twice(void *seed)
{
	uint64_t own = (uint64_t)(uintptr_t)seed * 77 + 1;

	while (!atomic_load(&done)) {
		close((int)((next(&own) >> 33) % LOW));
		rest(300);
	}
	return NULL;
}

/* ---------------------------------------------------------------- what holds in between */

/* The thread that writes keeps no end of our pipe, and costs no lock of ours. */
static void check_begun(const int ends[2], int locked)
{
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct pollfd end = {.fd = ends[0], .events = POLLIN};
	int status;
	pid_t child;

	CHECK(close(ends[1]) == 0);
	CHECK(poll(&end, 1, 10000) == 1 && end.revents & POLLHUP);
	child = fork();
	if (child == 0)
		_exit(fcntl(locked, F_SETLK, &lock) == 0);
	CHECK(waitpid(child, &status, 0) == child && status == 0);
}

/* No file of a result is among our descriptors. */
static void check_table(void)
{
	const struct dirent *entry;
	char path[4096], link[300];
	DIR *dir = opendir("/proc/self/fd");

	while (dir && (entry = readdir(dir)) != NULL) {
		ssize_t n;

		snprintf(link, sizeof(link), "/proc/self/fd/%s", entry->d_name);
		n = readlink(link, path, sizeof(path) - 1);
		path[n > 0 ? n : 0] = '\0';
		CHECK(!strstr(path, "/out/"));
	}
	if (dir)
		closedir(dir);
}

/* Let the system refuse what gives a thread a table of descriptors. */
static void refuse(void)
{
	struct sock_filter code[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, is_older ? SYS_close_range : SYS_unshare, 1, 0),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
	struct sock_fprog filter = {sizeof(code) / sizeof(code[0]), code};

	CHECK(!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter));
	CHECK(syscall(SYS_close_range, 4096, 4096, 0) == -1 && errno == EPERM);
}

static void end(const char *how)
{
	if (strcmp(how, "kill") == 0)
		kill(getpid(), SIGKILL);
	if (strcmp(how, "_exit") == 0)
		_exit(0);
	if (strcmp(how, "finalize") == 0)
		finalize();
}

int main(int argc, char **argv)
{
	static const rlim_t limits[] = {64, 256, 1024, 4096};
	uint64_t seed = strtoull(argv[1], NULL, 10);
	int ends[2], fd = open(argv[2], O_RDWR | O_CREAT | O_TRUNC, 0600), locked;
	struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
	struct rlimit limit;
	pthread_t closer;

	is_job = strcmp(argv[4], "JOB") == 0;
	is_refused = argc > 5 && strcmp(argv[5], "refused") == 0;
	is_older = argc > 5 && !is_refused;
	state = seed * 2654435761u + 88172645463325252u;
	CHECK(fd >= 0 && !ftruncate(fd, 4096));
	notes = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	CHECK(notes != MAP_FAILED && !getrlimit(RLIMIT_NOFILE, &limit));
	limit.rlim_cur = limits[seed % 4];
	CHECK(!setrlimit(RLIMIT_NOFILE, &limit) && !pipe(ends));
	locked = own_file(O_RDWR);
	CHECK(fcntl(locked, F_SETLK, &lock) == 0);
	if (argc > 5)
		refuse();
	CHECK(!begin());
	check_begun(ends, locked);
	CHECK(!pthread_create(&closer, NULL, close_twice, (void *)(uintptr_t)seed));
	for (int step = 1; step <= STEPS; step++) {
		record(1 + some(20));
		harm(step);
		if (step == STEPS / 2)
			rest(300000); /* the thread that writes has its turn by itself */
	}
	atomic_store(&done, true);
	pthread_join(closer, NULL);
	if (!is_refused) {
		close_from(3);
		check_table();
	}
	record(3);
	end(argv[3]);
	return 0;
}
