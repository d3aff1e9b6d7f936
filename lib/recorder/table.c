/* table.c: a table of descriptors for a thread, or numbers in the application's that are looked at before each use. */
#define _GNU_SOURCE /* unshare */
#include "recorder/table.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/thread.h"

#ifndef SYS_close_range
#define SYS_close_range 436 /* the same on all machines */
#endif
enum { UNSHARE = 2 /* CLOSE_RANGE_UNSHARE */, STANDARD = STDERR_FILENO + 1, HIGH_MOST = 4096, TRIED_MOST = 65536 };
/* What is closed in a table of our own; sanitizers report to standard error, from any thread. */
enum { FIRST = MP_SANITIZED ? STANDARD : 0 };

/* What a number of the application's table was when it was held. */
struct held {
	bool used;
	dev_t dev;
	ino_t ino;
};

struct holder {
	struct held items[HIGH_MOST]; /* by number */
};

enum mode { PLAIN, OWN, SHARED, GONE };

static _Thread_local enum mode mode __attribute__((tls_model("initial-exec")));
static _Thread_local struct holder *holder __attribute__((tls_model("initial-exec")));
static struct holder *leads[MP_TABLE_LEADS]; /* of the threads whose descriptors a child inherits */

/* The raw call: an application may have a close of its own, which counts its descriptors. */
static void discard(int fd)
{
	(void)!syscall(SYS_close, fd);
}

/* Close all but `kept`, as the system lists them. */
static bool close_listed(int kept)
{
	const struct dirent *entry;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/fd", (long)syscall(SYS_gettid));
	dir = opendir(path);
	while (dir && (entry = readdir(dir)) != NULL) {
		int fd = atoi(entry->d_name);

		if (entry->d_name[0] != '.' && fd >= FIRST && fd != kept && fd != dirfd(dir))
			discard(fd);
	}
	if (dir)
		closedir(dir);
	return dir != NULL;
}

static void close_each(int kept)
{
	struct rlimit limit;
	int most = TRIED_MOST;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < TRIED_MOST)
		most = (int)limit.rlim_cur;
	for (int fd = FIRST; fd < most; fd++)
		if (fd != kept)
			discard(fd);
}

/* One call is enough since Linux 5.9. */
static bool take_own(int kept)
{
	int behind = kept < FIRST ? FIRST : kept + 1;

	if (syscall(SYS_close_range, behind, ~0u, UNSHARE) == 0 &&
	    (kept <= FIRST || syscall(SYS_close_range, FIRST, kept - 1, 0) == 0))
		return true;
	if (unshare(CLONE_FILES))
		return false;
	for (int fd = FIRST; fd < STANDARD; fd++)
		if (fd != kept)
			discard(fd); /* room for the list, when the application has used all numbers */
	if (!close_listed(kept))
		close_each(kept);
	return true;
}

/* What writes to standard error in spite of us must not write into a file of a result. */
static void fill_standard(void)
{
	for (int fd = 0; fd < STANDARD; fd++) {
		int null = fcntl(fd, F_GETFD) < 0 ? open("/dev/null", O_RDWR | O_CLOEXEC) : fd;

		if (null != fd && null >= 0)
			discard(null);
	}
}

bool mp_table_is_own(void)
{
	return mode == OWN;
}

int mp_table_take(int kept)
{
	if (take_own(kept)) {
		mode = OWN;
		fill_standard();
		return kept;
	}
	holder = calloc(1, sizeof(*holder));
	mode = holder ? SHARED : GONE;
	return kept < 0 ? -1 : mp_fd_hold(fcntl(kept, F_DUPFD_CLOEXEC, STANDARD));
}

/* Move a descriptor to a number that the application does not reach soon. */
static int move_up(int fd)
{
	struct rlimit limit;
	int high = HIGH_MOST, moved;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < HIGH_MOST)
		high = (int)limit.rlim_cur;
	moved = fcntl(fd, F_DUPFD_CLOEXEC, high - high / 4);
	if (moved < 0)
		return mp_fd_keep(fd);
	close(fd); /* nothing was written by it */
	return moved;
}

static bool remember(int fd)
{
	struct stat st;

	errno = EMFILE;
	if (fd >= HIGH_MOST || fstat(fd, &st))
		return false;
	holder->items[fd] = (struct held){true, st.st_dev, st.st_ino};
	return true;
}

int mp_fd_hold(int fd)
{
	int code;

	if (fd < 0)
		return fd;
	if (mode != SHARED)
		return mp_fd_keep(fd);
	fd = move_up(fd);
	if (fd < 0 || remember(fd))
		return fd;
	code = errno;
	close(fd);
	errno = code;
	return -1;
}

static bool is_same(const struct holder *h, int fd)
{
	struct stat st;

	return fd >= 0 && fd < HIGH_MOST && h->items[fd].used && fstat(fd, &st) == 0 && st.st_dev == h->items[fd].dev &&
	       st.st_ino == h->items[fd].ino;
}

int mp_fd_use(int fd)
{
	if (mode == PLAIN || mode == OWN || (mode == SHARED && is_same(holder, fd)))
		return fd;
	errno = EBADF;
	return -1;
}

int mp_fd_drop(int fd)
{
	bool ours = fd >= 0 && mp_fd_use(fd) == fd;

	if (fd >= 0 && mode == SHARED && fd < HIGH_MOST)
		holder->items[fd].used = false;
	return ours ? close(fd) : 0;
}

void mp_table_end(void)
{
	for (int i = 0; i < MP_TABLE_LEADS; i++)
		if (leads[i] == holder)
			leads[i] = NULL;
	free(holder);
	holder = NULL;
	mode = PLAIN;
}

void mp_table_lead(enum mp_table_lead which)
{
	leads[which] = mode == SHARED ? holder : NULL;
}

void mp_table_leave(void)
{
	mode = GONE;
}

void mp_table_left(void)
{
	for (int i = 0; i < MP_TABLE_LEADS; i++) {
		for (int fd = 0; leads[i] && fd < HIGH_MOST; fd++)
			if (is_same(leads[i], fd))
				close(fd);
		leads[i] = NULL;
	}
	mode = PLAIN;
}
