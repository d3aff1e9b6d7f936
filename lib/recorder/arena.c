/* arena.c: maps the memory, and puts a file below it when the first session begins. */
#define _GNU_SOURCE /* MAP_NORESERVE; /proc/self/fd for linkat */
#include "recorder/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/dir.h"
#include "recorder/log.h"
#include "recorder/shield.h"

enum { STEP = 64 * 1024, RING_MOST = 2 * 1024 * 1024, RING_LEAST = 8 * 1024, RINGS_WIDE = 10 * 1024 * 1024 };

static struct {
	pthread_mutex_t lock;
	char *memory;
	int fd;         /* of the file, or -1 */
	unsigned links; /* results that have the file */
	uint32_t names_reserved;
	bool names_closed; /* a name is missing: numbers of later names would be wrong */
	bool fresh;        /* nothing was added yet */
} arena = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

_Static_assert(sizeof(struct mp_arena_head) <= MP_ARENA_HEAD, "the head has room");

static struct mp_arena_head *head_of(void)
{
	return (struct mp_arena_head *)arena.memory;
}

static void *map(void *at, int fd)
{
	int flags = fd < 0 ? MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE : MAP_SHARED;

	return mmap(at, MP_ARENA_SIZE, PROT_READ | PROT_WRITE, flags | (at ? MAP_FIXED : 0), fd, 0);
}

static void begin(void)
{
	memcpy(head_of()->magic, MP_ARENA_MAGIC, sizeof(head_of()->magic));
	head_of()->pid = (uint32_t)getpid();
	arena.names_closed = false;
	arena.names_reserved = 0;
	arena.fresh = true;
}

int mp_arena_make(struct mp_error *err)
{
	int status = 0;
	void *memory;

	pthread_mutex_lock(&arena.lock);
	if (!arena.memory) {
		memory = map(NULL, -1);
		if (memory == MAP_FAILED) {
			status = mp_fail_errno(err, "cannot get memory for events");
		} else {
			arena.memory = memory;
			begin();
		}
	}
	if (!status && arena.fresh)
		status = 1;
	arena.fresh = false;
	pthread_mutex_unlock(&arena.lock);
	return status;
}

/*
 * Memory of a file without blocks would end the process on a full disk: blocks are reserved before. Memory of the
 * process needs no reservation.
 */
static bool reserve(int fd, size_t at, size_t size)
{
	struct mp_shield shield;
	int code;

	if (fd < 0)
		return true;
	mp_shield_raise(&shield);
	code = posix_fallocate(fd, (off_t)at, (off_t)size);
	mp_shield_lower(&shield);
	return code == 0;
}

static size_t size_of(const struct mp_ring *ring)
{
	return sizeof(*ring) + (size_t)(ring->mask + 1) * sizeof(struct mp_ring_slot);
}

/* The largest ring that an ended thread has left. */
static struct mp_ring *find_free(char *rings, size_t used)
{
	struct mp_ring *best = NULL;

	for (size_t at = 0; at < used; at += size_of((struct mp_ring *)(rings + at))) {
		struct mp_ring *ring = (struct mp_ring *)(rings + at);

		if (!ring->tid && (!best || ring->mask > best->mask))
			best = ring;
	}
	return best;
}

/*
 * Make a ring of a fifth of the room that is left, so that the first threads have room for bursts, and hundreds have a
 * small ring.
 */
static struct mp_ring *make_ring(char *rings, size_t used)
{
	size_t slots = RING_MOST / sizeof(struct mp_ring_slot), size;
	struct mp_ring *ring = (struct mp_ring *)(rings + used);

	while (slots * sizeof(struct mp_ring_slot) > RING_LEAST &&
	       (used >= RINGS_WIDE || slots * sizeof(struct mp_ring_slot) > (RINGS_WIDE - used) / 5))
		slots /= 2;
	size = sizeof(*ring) + slots * sizeof(struct mp_ring_slot);
	if (used + size > MP_ARENA_RINGS || !reserve(arena.fd, MP_ARENA_HEAD + MP_ARENA_NAMES + used, size))
		return NULL;
	memset(ring, 0, sizeof(*ring)); /* without the slots: memory that is never used is never touched */
	ring->mask = slots - 1;
	/* release: whoever reads the size finds the ring */
	atomic_store_explicit(&head_of()->ring_bytes, (uint32_t)(used + size), memory_order_release);
	return ring;
}

struct mp_ring *mp_arena_take(uint32_t tid)
{
	struct mp_ring *ring;
	char *rings;
	size_t used;

	if (!arena.memory)
		return NULL;
	rings = arena.memory + MP_ARENA_HEAD + MP_ARENA_NAMES;
	pthread_mutex_lock(&arena.lock);
	used = atomic_load_explicit(&head_of()->ring_bytes, memory_order_relaxed);
	ring = find_free(rings, used);
	if (!ring)
		ring = make_ring(rings, used);
	if (ring) {
		ring->tid = tid;
		memset(ring->name, 0, sizeof(ring->name));
		prctl(PR_GET_NAME, ring->name);
	}
	pthread_mutex_unlock(&arena.lock);
	return ring;
}

void mp_arena_give_back(struct mp_ring *ring)
{
	pthread_mutex_lock(&arena.lock);
	ring->tid = 0;
	pthread_mutex_unlock(&arena.lock);
}

static void add_name(const char *text, size_t len)
{
	uint32_t used = atomic_load_explicit(&head_of()->name_bytes, memory_order_relaxed);
	uint32_t end = used + (uint32_t)len + 1;

	if (end > MP_ARENA_NAMES)
		arena.names_closed = true;
	while (!arena.names_closed && end > arena.names_reserved) {
		arena.names_closed = !reserve(arena.fd, MP_ARENA_HEAD + arena.names_reserved, STEP);
		arena.names_reserved += STEP;
	}
	if (arena.names_closed)
		return;
	memcpy(arena.memory + MP_ARENA_HEAD + used, text, len);
	arena.memory[MP_ARENA_HEAD + end - 1] = '\0';
	atomic_store_explicit(&head_of()->name_bytes, end, memory_order_release);
}

void mp_arena_name(const char *text, size_t len)
{
	pthread_mutex_lock(&arena.lock);
	if (arena.memory && !arena.fresh)
		add_name(text, len);
	pthread_mutex_unlock(&arena.lock);
}

void mp_arena_model(uint32_t model_id, uint32_t name)
{
	uint32_t count;

	pthread_mutex_lock(&arena.lock);
	count = arena.memory && !arena.fresh ? atomic_load_explicit(&head_of()->model_count, memory_order_relaxed)
					     : MP_ARENA_MODELS;
	if (count < MP_ARENA_MODELS) {
		head_of()->models[count].model_id = model_id;
		head_of()->models[count].name = name;
		atomic_store_explicit(&head_of()->model_count, count + 1, memory_order_release);
	}
	pthread_mutex_unlock(&arena.lock);
}

/* Memory of a file on a server would stop the program when the server stops, or end it when the file is cut there. */
static bool is_local(int fd)
{
	static const unsigned long network[] = {0x6969 /* NFS */, 0x517b /* SMB */, 0xfe534d42 /* SMB 2 */,
	    0xff534d42 /* CIFS */, 0x65735546 /* FUSE */, 0x01021997 /* 9P */, 0x00c36400 /* Ceph */};
	struct statfs st;

	if (fstatfs(fd, &st))
		return false;
	for (size_t i = 0; i < sizeof(network) / sizeof(network[0]); i++)
		if (((unsigned long)st.f_type & 0xffffffff) == network[i])
			return false;
	return true;
}

/* Write the memory in use to the file, and reserve the blocks of all of it. */
static bool write_all(int fd)
{
	static const size_t starts[] = {0, MP_ARENA_HEAD, MP_ARENA_HEAD + MP_ARENA_NAMES};
	size_t sizes[] = {MP_ARENA_HEAD, arena.names_reserved, atomic_load(&head_of()->ring_bytes)};

	if (ftruncate(fd, MP_ARENA_SIZE))
		return false;
	for (int i = 0; i < 3; i++)
		if (sizes[i] && (!reserve(fd, starts[i], sizes[i]) || pwrite(fd, arena.memory + starts[i], sizes[i],
									  (off_t)starts[i]) != (ssize_t)sizes[i]))
			return false;
	return true;
}

/* A limit for the size of files is no signal here. */
static bool copy_to(int fd)
{
	struct mp_shield shield;
	bool done;

	mp_shield_raise(&shield);
	done = write_all(fd);
	mp_shield_lower(&shield);
	return done;
}

/*
 * Nothing is recorded at this time. A thread that is late with an event of an earlier session writes it to the memory
 * before or behind the exchange; its ring stays as it is or goes on by one event, which began too early to be wanted.
 */
static bool make_file(int dirfd)
{
	int fd = mp_fd_keep(openat(dirfd, MP_ARENA_FILE, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640));

	if (fd < 0)
		return false;
	if (!is_local(fd) || fchmod(fd, 0640) || flock(fd, LOCK_EX | LOCK_NB) || !copy_to(fd) ||
	    map(arena.memory, fd) == MAP_FAILED) {
		unlinkat(dirfd, MP_ARENA_FILE, 0);
		close(fd);
		return false;
	}
	if (arena.fd >= 0)
		close(arena.fd); /* the file of earlier sessions, which has no name any more */
	arena.fd = fd;
	return true;
}

static bool link_file(int dirfd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", arena.fd);
	return linkat(AT_FDCWD, path, dirfd, MP_ARENA_FILE, AT_SYMLINK_FOLLOW) == 0;
}

struct mp_arena_session *mp_arena_join(int dirfd, bool busy)
{
	struct mp_arena_session *entry = NULL;

	pthread_mutex_lock(&arena.lock);
	for (int i = 0; i < MP_ARENA_SESSIONS && !entry; i++)
		if (!head_of()->sessions[i].begin_ns && !head_of()->sessions[i].result[0])
			entry = &head_of()->sessions[i];
	if (!entry || !(arena.links ? link_file(dirfd) : !busy && make_file(dirfd)))
		entry = NULL;
	else
		arena.links++;
	pthread_mutex_unlock(&arena.lock);
	if (!entry)
		mp_log(MP_LOG_INFO, "events that wait to be written lie in memory only: a crash loses them");
	return entry;
}

void mp_arena_leave(int dirfd, struct mp_arena_session *session)
{
	if (!session)
		return;
	pthread_mutex_lock(&arena.lock);
	unlinkat(dirfd, MP_ARENA_FILE, 0); /* the user may have removed it, with the result */
	memset(session, 0, sizeof(*session));
	arena.links--;
	pthread_mutex_unlock(&arena.lock);
}

void mp_arena_before_fork(void)
{
	pthread_mutex_lock(&arena.lock);
}

void mp_arena_after_fork(void)
{
	pthread_mutex_unlock(&arena.lock);
}

/* The file is the parent's, and so is its lock, which ends only when both have closed it. */
void mp_arena_in_child(void)
{
	if (arena.fd >= 0)
		close(arena.fd);
	arena.fd = -1;
	arena.links = 0;
	if (arena.memory && map(arena.memory, -1) == MAP_FAILED)
		arena.memory = NULL; /* the child records nothing */
	else if (arena.memory)
		begin();
	pthread_mutex_unlock(&arena.lock);
}
