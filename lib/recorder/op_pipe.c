/* op_pipe.c: the queue of records, and the thread that writes them. */
#include "recorder/op_record.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/thread.h"
#include "recorder/table.h"

enum { PIPE_RECORDS_FIRST = 256, PIPE_WRITE_SIZE = 4096, PIPE_POLL_MS = 20 };

struct mp_op_pipe {
	int fd;         /* the caller's, then that of the thread that writes; -1: it has none */
	bool own;       /* that thread has a table of descriptors */
	bool forgotten; /* the process is a child made by fork */
	dev_t device;
	ino_t inode;
	size_t record_size;
	pthread_t writer;
	pthread_mutex_t lock;
	pthread_cond_t wake, taken;
	/* guarded by the lock: */
	unsigned char *records; /* a circular buffer */
	size_t room, first, count;
	uint64_t dropped;
	bool ready, closing, broken;
	/* used by the writer: */
	int idle_ms; /* since the reader took something; time while this process was stopped does not count */
};

static bool is_closing(struct mp_op_pipe *p)
{
	bool closing;

	pthread_mutex_lock(&p->lock);
	closing = p->closing;
	pthread_mutex_unlock(&p->lock);
	return closing;
}

/* Wait until the pipe has room. Returns false when the pipe will never have room, or nobody waits any longer. */
static bool wait_for_room(struct mp_op_pipe *p)
{
	for (;;) {
		struct pollfd entry = {.fd = mp_fd_use(p->fd), .events = POLLOUT};
		int n = entry.fd < 0 ? -1 : poll(&entry, 1, PIPE_POLL_MS);

		if (n > 0 && !(entry.revents & POLLOUT))
			return false; /* the reader is gone */
		if (n > 0)
			return true;
		if (n < 0 && errno != EINTR)
			return false;
		if (p->idle_ms < MP_OP_PIPE_STALL_MS)
			p->idle_ms += PIPE_POLL_MS;
		else if (is_closing(p))
			return false;
	}
}

/* Write a chunk, which a pipe accepts in one piece. */
static bool write_chunk(struct mp_op_pipe *p, const unsigned char *bytes, size_t size)
{
	while (size) {
		ssize_t n;

		if (!wait_for_room(p))
			return false;
		n = write(mp_fd_use(p->fd), bytes, size);
		if (n < 0 && errno == EAGAIN)
			nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
		else if (n < 0 && errno != EINTR)
			return false;
		if (n <= 0)
			continue;
		bytes += n;
		size -= (size_t)n;
		p->idle_ms = 0;
	}
	return true;
}

/* Copy up to a chunk of records, which stay counted until written. Call with the lock. */
static size_t look_at_chunk(const struct mp_op_pipe *p, unsigned char chunk[PIPE_WRITE_SIZE])
{
	size_t n = PIPE_WRITE_SIZE / p->record_size;

	if (n > p->count)
		n = p->count;
	if (n > p->room - p->first)
		n = p->room - p->first;
	memcpy(chunk, p->records + p->first * p->record_size, n * p->record_size);
	return n;
}

static void *write_records(void *arg)
{
	struct mp_op_pipe *p = arg;
	unsigned char chunk[PIPE_WRITE_SIZE];

	pthread_mutex_lock(&p->lock);
	p->fd = mp_table_take(p->fd);
	p->own = mp_table_is_own();
	p->ready = true;
	pthread_cond_signal(&p->taken);
	while (!p->broken) {
		bool written;
		size_t n;

		if (!p->count && p->closing)
			break;
		if (!p->count) {
			pthread_cond_wait(&p->wake, &p->lock);
			p->idle_ms = 0;
			continue;
		}
		n = look_at_chunk(p, chunk);
		pthread_mutex_unlock(&p->lock);
		written = write_chunk(p, chunk, n * p->record_size);
		pthread_mutex_lock(&p->lock);
		if (!written) {
			p->broken = true;
			p->dropped += p->count;
			p->count = 0;
			break;
		}
		p->first = (p->first + n) % p->room;
		p->count -= n;
	}
	pthread_mutex_unlock(&p->lock);
	mp_fd_drop(p->fd);
	mp_table_end();
	return NULL;
}

static void release(struct mp_op_pipe *p)
{
	free(p->records);
	free(p);
}

static int look_at(struct mp_op_pipe *p, int fd, struct mp_error *err)
{
	int flags = fcntl(fd, F_GETFL);
	struct stat st;

	if (flags < 0 || fstat(fd, &st))
		return mp_fail_errno(err, "descriptor %d cannot be used", fd);
	if (!S_ISFIFO(st.st_mode))
		return mp_fail(err, "descriptor %d is not a pipe", fd);
	if ((flags & O_ACCMODE) == O_RDONLY)
		return mp_fail(err, "descriptor %d is not open for writing", fd);
	p->device = st.st_dev;
	p->inode = st.st_ino;
	p->fd = fd;
	return 0;
}

/* The caller may close its descriptor afterwards. */
static void wait_until_taken(struct mp_op_pipe *p)
{
	pthread_mutex_lock(&p->lock);
	while (!p->ready)
		pthread_cond_wait(&p->taken, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

int mp_op_pipe_open(struct mp_op_pipe **pipe, int fd, size_t record_size, struct mp_error *err)
{
	struct mp_op_pipe *p = calloc(1, sizeof(*p));
	int status;

	if (!p)
		return mp_fail_memory(err, "a pipe");
	p->record_size = record_size;
	p->room = PIPE_RECORDS_FIRST;
	p->records = malloc(p->room * record_size);
	if (!p->records || look_at(p, fd, err)) {
		if (!p->records)
			mp_error_set_memory(err, "a pipe");
		release(p);
		return -1;
	}
	pthread_mutex_init(&p->lock, NULL);
	pthread_cond_init(&p->wake, NULL);
	pthread_cond_init(&p->taken, NULL);
	status = mp_thread_start(&p->writer, write_records, p);
	if (status) {
		mp_error_set(err, "cannot start a thread: %s", strerror(status));
		release(p);
		return -1;
	}
	wait_until_taken(p);
	if (p->fd < 0) {
		mp_op_pipe_close(p);
		return mp_fail(err, "descriptor %d cannot be copied", fd);
	}
	*pipe = p;
	return 0;
}

bool mp_op_pipe_is(const struct mp_op_pipe *p, int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_dev == p->device && st.st_ino == p->inode;
}

/* Double the room, and move the records to its beginning. */
static bool grow(struct mp_op_pipe *p)
{
	size_t size = p->record_size, head = p->room - p->first;
	unsigned char *more;

	if (p->room >= MP_OP_PIPE_RECORDS_MAX)
		return false;
	more = malloc(2 * p->room * size);
	if (!more)
		return false;
	memcpy(more, p->records + p->first * size, head * size);
	memcpy(more + head * size, p->records, p->first * size);
	free(p->records);
	p->records = more;
	p->first = 0;
	p->room *= 2;
	return true;
}

void mp_op_pipe_put(struct mp_op_pipe *p, const void *record)
{
	pthread_mutex_lock(&p->lock);
	if (p->broken || (p->count == p->room && !grow(p))) {
		p->dropped++;
	} else {
		memcpy(p->records + (p->first + p->count) % p->room * p->record_size, record, p->record_size);
		p->count++;
	}
	pthread_mutex_unlock(&p->lock);
}

void mp_op_pipe_wake(struct mp_op_pipe *p)
{
	pthread_cond_signal(&p->wake);
}

uint64_t mp_op_pipe_close(struct mp_op_pipe *p)
{
	uint64_t dropped;

	if (p->forgotten) {
		release(p);
		return 0;
	}
	pthread_mutex_lock(&p->lock);
	p->closing = true;
	pthread_mutex_unlock(&p->lock);
	pthread_cond_signal(&p->wake);
	pthread_join(p->writer, NULL);
	dropped = p->dropped;
	pthread_mutex_destroy(&p->lock);
	pthread_cond_destroy(&p->wake);
	pthread_cond_destroy(&p->taken);
	release(p);
	return dropped;
}

void mp_op_pipe_forget(struct mp_op_pipe *p)
{
	if (!p->own && !p->forgotten && mp_op_pipe_is(p, p->fd))
		close(p->fd);
	p->forgotten = true;
}
