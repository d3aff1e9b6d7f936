/* arena.c: maps the memory, and puts a file below it when the first session begins. */
#define _GNU_SOURCE /* MAP_NORESERVE; /proc/self/fd for linkat */
#include "recorder/arena.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "recorder/log.h"
#include "recorder/recorder_internal.h"
#include "recorder/table.h"

enum { STEP = 64 * 1024, RING_MOST = 2 * 1024 * 1024, RING_LEAST = 8 * 1024, RINGS_WIDE = 10 * 1024 * 1024 };

static struct {
	pthread_mutex_t lock;
	char *memory;
	int fd; /* of the file, or -1 */
	struct mp_ring *rings;
	uint32_t name_bytes, ring_bytes, model_count; /* in the head are copies: see ring.h */
	bool taken[MP_ARENA_SESSIONS];
	unsigned links; /* results that have the file */
	uint32_t names_reserved;
	size_t rings_reserved; /* bytes of rings that have blocks in the file */
	bool names_closed;     /* a name is missing: numbers of later names would be wrong */
	bool begun;            /* names and models are added */
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

/* Write the copy of what the process knows of a ring. */
static void copy_ring(const struct mp_ring *ring)
{
	struct mp_ring_memory *m = ring->memory;

	m->mask = ring->mask;
	m->tid = ring->tid;
	memcpy(m->name, ring->name, sizeof(m->name));
	atomic_store(&m->lost, atomic_load(&ring->lost));
	atomic_store(&m->lost_told, ring->lost_told);
	atomic_store(&m->tail, atomic_load(&ring->tail));
	atomic_store(&m->head, atomic_load(&ring->head));
}

/* What others have done to an earlier file is undone. Names and models are to be added again. */
static void begin(void)
{
	memcpy(head_of()->magic, MP_ARENA_MAGIC, sizeof(head_of()->magic));
	head_of()->pid = (uint32_t)getpid();
	memset(head_of()->sessions, 0, sizeof(head_of()->sessions));
	arena.names_closed = false;
	arena.name_bytes = arena.model_count = 0;
	atomic_store(&head_of()->name_bytes, 0);
	atomic_store(&head_of()->model_count, 0);
	atomic_store(&head_of()->ring_bytes, arena.ring_bytes);
	for (const struct mp_ring *ring = arena.rings; ring; ring = ring->older)
		copy_ring(ring);
	arena.begun = true;
}

int mp_arena_make(struct mp_error *err)
{
	int status = 0;
	void *memory;

	pthread_mutex_lock(&arena.lock);
	if (!arena.memory) {
		memory = map(NULL, -1);
		if (memory == MAP_FAILED)
			status = mp_fail_errno(err, "cannot get memory for events");
		else
			arena.memory = memory;
	}
	if (!status && !arena.links) {
		begin();
		status = 1;
	}
	pthread_mutex_unlock(&arena.lock);
	return status;
}

/* Memory of a file without blocks would end the process on a full disk: blocks are reserved before. */
static bool reserve(int fd, size_t at, size_t size)
{
	struct mp_shield shield;
	int code;

	mp_shield_raise(&shield);
	code = posix_fallocate(mp_fd_use(fd), (off_t)at, (off_t)size);
	mp_shield_lower(&shield);
	return code == 0;
}

/* The largest ring that an ended thread has left. */
static struct mp_ring *find_free(void)
{
	struct mp_ring *best = NULL;

	for (struct mp_ring *ring = arena.rings; ring; ring = ring->older)
		if (!ring->tid && (!best || ring->mask > best->mask))
			best = ring;
	return best;
}

static size_t size_of(size_t slots)
{
	return sizeof(struct mp_ring_memory) + slots * sizeof(struct mp_ring_slot);
}

/*
 * The slots of a further ring: a fifth of the room that is left, so that the first threads have room for bursts, and
 * hundreds have a small ring. 0: there is no room.
 */
static size_t next_slots(size_t used)
{
	size_t slots = RING_MOST / sizeof(struct mp_ring_slot);

	while (slots * sizeof(struct mp_ring_slot) > RING_LEAST &&
	       (used >= RINGS_WIDE || slots * sizeof(struct mp_ring_slot) > (RINGS_WIDE - used) / 5))
		slots /= 2;
	return used + size_of(slots) > MP_ARENA_RINGS ? 0 : slots;
}

/* Make a ring where the file has blocks for it. */
static struct mp_ring *make_ring(void)
{
	size_t used = arena.ring_bytes, slots = next_slots(used), end = used + size_of(slots);
	struct mp_ring *ring;

	if (!slots || (arena.fd >= 0 && end > arena.rings_reserved) ||
	    posix_memalign((void **)&ring, MP_CACHE_LINE, sizeof(*ring)))
		return NULL;
	memset(ring, 0, sizeof(*ring));
	ring->mask = slots - 1;
	ring->memory = (struct mp_ring_memory *)(arena.memory + MP_ARENA_HEAD + MP_ARENA_NAMES + used);
	ring->older = arena.rings;
	arena.rings = ring;
	arena.ring_bytes = (uint32_t)end;
	return ring;
}

/* Reserve the blocks of the next ring. Call with the lock. */
static void prepare_ring(void)
{
	size_t slots = next_slots(arena.ring_bytes), end = arena.ring_bytes + size_of(slots);

	if (slots && arena.fd >= 0 && end > arena.rings_reserved &&
	    reserve(arena.fd, MP_ARENA_HEAD + MP_ARENA_NAMES + arena.rings_reserved, end - arena.rings_reserved))
		arena.rings_reserved = end;
}

/* Who wants a ring, and the ring. */
struct want {
	uint32_t tid;
	char name[MP_THREAD_NAME];
	void (*free_rings)(void);
	bool is_early; /* no memory was asked for yet: nothing records */
	struct mp_ring *ring;
};

/* The flusher may reserve blocks, in the same step: other threads take rings, too. */
static struct mp_ring *take(struct want *want, bool may_reserve)
{
	struct mp_ring *ring;

	pthread_mutex_lock(&arena.lock);
	want->is_early = !arena.memory;
	ring = want->is_early ? NULL : find_free();
	if (!ring && !want->is_early) {
		if (may_reserve)
			prepare_ring();
		ring = make_ring();
	}
	if (ring) {
		ring->tid = want->tid;
		memcpy(ring->name, want->name, sizeof(ring->name));
		copy_ring(ring);
		/* release: whoever reads the size finds the ring */
		atomic_store_explicit(&head_of()->ring_bytes, arena.ring_bytes, memory_order_release);
	}
	pthread_mutex_unlock(&arena.lock);
	return ring;
}

/* Reserve blocks for names to come. Call with the lock. */
static void prepare_names(void)
{
	while (arena.names_reserved < MP_ARENA_NAMES && arena.name_bytes + STEP / 2 > arena.names_reserved &&
	       reserve(arena.fd, MP_ARENA_HEAD + arena.names_reserved, STEP))
		arena.names_reserved += STEP;
}

void mp_arena_prepare(void)
{
	pthread_mutex_lock(&arena.lock);
	if (arena.memory && arena.fd >= 0)
		prepare_names();
	pthread_mutex_unlock(&arena.lock);
	if (mp_bus_was_hit())
		mp_log(MP_LOG_WARNING, "somebody cut '%s': events that waited are lost, and a crash would lose more",
		    MP_ARENA_FILE);
}

/* Reserve blocks; without success write what waits, which frees the rings of ended threads. */
static int make_room(void *state)
{
	struct want *want = state;

	want->ring = take(want, true);
	if (want->ring)
		return 0;
	want->free_rings();
	want->ring = take(want, true);
	return 0;
}

struct mp_ring *mp_arena_take(uint32_t tid, void (*free_rings)(void))
{
	struct want want = {.tid = tid, .free_rings = free_rings};

	prctl(PR_GET_NAME, want.name);
	mp_bus_admit();
	want.ring = take(&want, false);
	if (!want.ring && !want.is_early)
		mp_flusher_do(make_room, &want, 0);
	return want.ring;
}

void mp_arena_give_back(struct mp_ring *ring)
{
	pthread_mutex_lock(&arena.lock);
	ring->tid = ring->memory->tid = 0;
	pthread_mutex_unlock(&arena.lock);
}

static void add_name(const char *text, size_t len)
{
	uint32_t used = arena.name_bytes, end = used + (uint32_t)len + 1;

	if (end > MP_ARENA_NAMES || (arena.fd >= 0 && end > arena.names_reserved))
		arena.names_closed = true;
	if (arena.names_closed)
		return;
	memcpy(arena.memory + MP_ARENA_HEAD + used, text, len);
	arena.memory[MP_ARENA_HEAD + end - 1] = '\0';
	arena.name_bytes = end;
	atomic_store_explicit(&head_of()->name_bytes, end, memory_order_release);
}

/*
 * Names come faster than the flusher reserves blocks for them: give it a processor for a while, but no more, because it
 * may want the lock of the caller. Call with the lock.
 */
static void wait_for_blocks(uint32_t size)
{
	enum { NAP_NS = 200000, NAPS = 250 };
	int error = errno; /* of the application */

	for (int i = 0; i < NAPS && arena.fd >= 0 && size > arena.names_reserved; i++) {
		pthread_mutex_unlock(&arena.lock);
		mp_flusher_call();
		nanosleep(&(struct timespec){0, NAP_NS}, NULL);
		pthread_mutex_lock(&arena.lock);
	}
	errno = error;
}

void mp_arena_name(const char *text, size_t len)
{
	pthread_mutex_lock(&arena.lock);
	if (arena.begun) {
		if (!arena.names_closed)
			wait_for_blocks(arena.name_bytes + (uint32_t)len + 1);
		add_name(text, len);
	}
	pthread_mutex_unlock(&arena.lock);
}

void mp_arena_model(uint32_t model_id, uint32_t name)
{
	uint32_t count;

	pthread_mutex_lock(&arena.lock);
	count = arena.model_count;
	if (arena.begun && count < MP_ARENA_MODELS) {
		head_of()->models[count].model_id = model_id;
		head_of()->models[count].name = name;
		arena.model_count = count + 1;
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
	const size_t sizes[] = {MP_ARENA_HEAD, arena.name_bytes, arena.ring_bytes};

	if (ftruncate(fd, MP_ARENA_SIZE))
		return false;
	for (int i = 0; i < 3; i++)
		if (sizes[i] && (!reserve(fd, starts[i], sizes[i]) || pwrite(fd, arena.memory + starts[i], sizes[i],
									  (off_t)starts[i]) != (ssize_t)sizes[i]))
			return false;
	arena.names_reserved = (uint32_t)sizes[1];
	arena.rings_reserved = sizes[2];
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
	int fd = mp_fd_hold(
	    openat(mp_fd_use(dirfd), MP_ARENA_FILE, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640));

	if (fd < 0)
		return false;
	if (!is_local(fd) || fchmod(fd, 0640) || flock(fd, LOCK_EX | LOCK_NB) || !copy_to(fd) ||
	    map(arena.memory, fd) == MAP_FAILED) {
		unlinkat(mp_fd_use(dirfd), MP_ARENA_FILE, 0);
		mp_fd_drop(fd);
		return false;
	}
	mp_bus_guard(arena.memory, MP_ARENA_SIZE);
	mp_fd_drop(arena.fd); /* the file of earlier sessions, which has no name any more */
	arena.fd = fd;
	prepare_names();
	return true;
}

static bool link_file(int dirfd)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%ld/fd/%d", (long)syscall(SYS_gettid), mp_fd_use(arena.fd));
	return linkat(AT_FDCWD, path, mp_fd_use(dirfd), MP_ARENA_FILE, AT_SYMLINK_FOLLOW) == 0;
}

struct mp_arena_session *mp_arena_join(int dirfd, bool busy)
{
	struct mp_arena_session *entry = NULL;
	int i = 0;

	pthread_mutex_lock(&arena.lock);
	while (i < MP_ARENA_SESSIONS && arena.taken[i])
		i++;
	if (i < MP_ARENA_SESSIONS && (arena.links ? link_file(dirfd) : !busy && make_file(dirfd))) {
		entry = &head_of()->sessions[i];
		arena.taken[i] = true;
		arena.links++;
	}
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
	unlinkat(mp_fd_use(dirfd), MP_ARENA_FILE, 0); /* the user may have removed it, with the result */
	memset(session, 0, sizeof(*session));
	arena.taken[session - head_of()->sessions] = false;
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

/* The file is the parent's, and so is its lock: see mp_table_left. */
void mp_arena_in_child(void)
{
	arena.fd = -1;
	arena.links = 0;
	arena.begun = false;
	memset(arena.taken, 0, sizeof(arena.taken));
	arena.rings_reserved = arena.names_reserved = arena.ring_bytes = 0;
	while (arena.rings) { /* threads used them that are not in the child, and this one will not */
		struct mp_ring *ring = arena.rings;

		arena.rings = ring->older;
		free(ring);
	}
	if (arena.memory && map(arena.memory, -1) == MAP_FAILED)
		arena.memory = NULL; /* the child records nothing */
	pthread_mutex_unlock(&arena.lock);
}
