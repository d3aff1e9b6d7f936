/* recover.c: reads the file of a crashed process, and gives its events to the writers of results. */
#include "recorder/session.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/dir.h"
#include "raw/job.h"
#include "recorder/arena.h"
#include "recorder/data_file.h"
#include "recorder/log.h"
#include "recorder/recorder_internal.h"
#include "recorder/ring.h"
#include "recorder/writers.h"

struct recovery {
	int dirfd, hostfd, fd;      /* the directory that the path names; the part host/, or -1; the file */
	int ownfd;                  /* of a JOB: the directory with our files, the JOB itself in one from before 0.9 */
	char real[PATH_MAX];        /* the path without links */
	const char *name;           /* of the result, in it */
	struct mp_arena_head *head; /* of the file */
	char *text, *file_rings;    /* the names and the rings in it, as far as they are used */
	size_t text_size, file_rings_size;
	const char *names[MP_NAMES_MAX]; /* by number */
	struct mp_arena_session session;
	struct mp_result *result; /* that continues */
	struct mp_ring *rings;    /* of the file */
	struct mp_merge *merge;
	size_t ring_count;
	uint64_t events;
	uint64_t lost; /* that no thread found room for, and that the process did not tell any more */
};

/* The directory with the file: of a PROF directory its part host/. */
static int home_of(const struct recovery *r)
{
	return r->hostfd >= 0 ? r->hostfd : r->ownfd;
}

/* Others may make such a directory, as in /tmp: it counts where it is of the owner of the JOB, or root's. */
static void open_beside(struct recovery *r)
{
	char beside[PATH_MAX];
	struct mp_error err;
	struct stat job, own;

	snprintf(beside, sizeof(beside), "../" MP_JOB_BESIDE "%.255s", r->name);
	r->ownfd = mp_fd_keep(mp_dir_open(r->dirfd, beside, beside, &err));
	if (r->ownfd >= 0 &&
	    (fstat(r->dirfd, &job) || fstat(r->ownfd, &own) || (own.st_uid != job.st_uid && own.st_uid))) {
		close(r->ownfd); /* nothing was read */
		r->ownfd = -1;
	}
	if (r->ownfd < 0)
		r->ownfd = mp_fd_keep(fcntl(r->dirfd, F_DUPFD_CLOEXEC, 0));
}

/*
 * Open the directory with the file. A path may name the part host/ of a PROF directory, whose info.json has no number.
 */
static bool open_home(struct recovery *r, const char *top, const char *path)
{
	struct mp_error err;
	struct stat st;
	char *slash;

	r->dirfd = mp_fd_keep(mp_dir_open_below(top, path, &err));
	if (r->dirfd < 0 || !realpath(path, r->real))
		return false;
	slash = strrchr(r->real, '/');
	r->hostfd = mp_dir_open(r->dirfd, "host", "host", &err);
	if (r->hostfd < 0 && fstatat(r->dirfd, "info.json", &st, AT_SYMLINK_NOFOLLOW) == 0) {
		r->hostfd = mp_fd_keep(fcntl(r->dirfd, F_DUPFD_CLOEXEC, 0));
		*slash = '\0';
		slash = strrchr(r->real, '/');
	}
	r->name = slash ? slash + 1 : r->real;
	if (r->hostfd < 0)
		open_beside(r);
	return true;
}

/* Open and lock the file. Returns 1; 0 when it is missing or its process lives; -1 with err. */
static int open_file(struct recovery *r, struct mp_error *err)
{
	enum { FLAGS = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC };
	struct stat st;

	r->fd = mp_fd_keep(openat(home_of(r), MP_ARENA_FILE, O_RDWR | FLAGS));
	if (r->fd < 0 && errno == EACCES)
		r->fd = mp_fd_keep(openat(home_of(r), MP_ARENA_FILE, O_RDONLY | FLAGS));
	if (r->fd < 0)
		return errno == ENOENT ? 0 : mp_fail_errno(err, "cannot open '%s'", MP_ARENA_FILE);
	if (flock(r->fd, LOCK_EX | LOCK_NB))
		return errno == EWOULDBLOCK ? 0 : mp_fail_errno(err, "cannot lock '%s'", MP_ARENA_FILE);
	if (fstat(r->fd, &st))
		return mp_fail_errno(err, "cannot read '%s'", MP_ARENA_FILE);
	if (!S_ISREG(st.st_mode))
		return mp_fail(err, "'%s' is not a regular file", MP_ARENA_FILE);
	if (st.st_size != MP_ARENA_SIZE)
		return mp_fail(err, "'%s' has %lld bytes instead of %d: copy it again, or remove it", MP_ARENA_FILE,
		    (long long)st.st_size, MP_ARENA_SIZE);
	return 1;
}

/* Allocate memory at a line of the cache, and read a part of the file into it. */
static char *read_part(const struct recovery *r, size_t from, size_t size, struct mp_error *err)
{
	char *part;

	if (posix_memalign((void **)&part, MP_CACHE_LINE, size + 1)) {
		mp_fail_memory(err, MP_ARENA_FILE);
		return NULL;
	}
	for (size_t done = 0; done < size;) {
		ssize_t n = pread(r->fd, part + done, size - done, (off_t)(from + done));

		if (n <= 0) {
			if (n)
				mp_fail_errno(err, "cannot read '%s'", MP_ARENA_FILE);
			else
				mp_fail(err, "'%s' became shorter while it was read", MP_ARENA_FILE);
			free(part);
			return NULL;
		}
		done += (size_t)n;
	}
	return part;
}

/* Read the head, and of names and rings what the process used of their room. */
static int read_file(struct recovery *r, struct mp_error *err)
{
	r->head = (struct mp_arena_head *)read_part(r, 0, sizeof(*r->head), err);
	if (!r->head)
		return -1;
	if (memcmp(r->head->magic, MP_ARENA_MAGIC, sizeof(r->head->magic)) != 0)
		return mp_fail(err, "'%s' is of another version", MP_ARENA_FILE);
	r->text_size = atomic_load(&r->head->name_bytes);
	if (r->text_size > MP_ARENA_NAMES)
		r->text_size = MP_ARENA_NAMES;
	r->file_rings_size = atomic_load(&r->head->ring_bytes);
	if (r->file_rings_size > MP_ARENA_RINGS)
		r->file_rings_size = 0; /* no such rings */
	r->text = read_part(r, MP_ARENA_HEAD, r->text_size, err);
	if (r->text)
		r->file_rings = read_part(r, MP_ARENA_HEAD + MP_ARENA_NAMES, r->file_rings_size, err);
	return r->file_rings ? 0 : -1;
}

static void read_names(struct recovery *r)
{
	const char *at = r->text;
	size_t left = r->text_size;

	for (uint32_t number = 1; left && number < MP_NAMES_MAX; number++) {
		size_t len = strnlen(at, left);

		if (len == left || len > MSPROF_NAME_MAX)
			return;
		r->names[number] = at;
		at += len + 1;
		left -= len + 1;
	}
}

/*
 * Find the entry of the result by the name of its directory. A renamed result has the only entry. Returns 1; 0 without
 * any entry; -1 with err when a renamed result may have any of several entries.
 */
static int find_session(struct recovery *r, struct mp_error *err)
{
	const struct mp_arena_session *found = NULL;
	int count = 0;

	for (int i = 0; i < MP_ARENA_SESSIONS; i++) {
		struct mp_arena_session *s = &r->head->sessions[i];

		s->result[sizeof(s->result) - 1] = s->domains[sizeof(s->domains) - 1] = '\0';
		if (!s->begin_ns)
			continue;
		count++;
		if (!found || strcmp(s->result, r->name) == 0)
			found = s;
	}
	if (!found)
		return 0;
	if (count > 1 && strcmp(found->result, r->name) != 0)
		return mp_fail(err,
		    "'%s' has events of %d results, but not of '%s': give the directory its first name, such as '%s'",
		    MP_ARENA_FILE, count, r->name, found->result);
	r->session = *found;
	return 1;
}

static const char *name_text(void *state, uint32_t *number)
{
	const struct recovery *r = state;

	if (*number >= MP_NAMES_MAX || !r->names[*number]) {
		*number = 0;
		return "?";
	}
	return r->names[*number];
}

/* The last announcement counts. */
static const char *model_text(void *state, uint32_t model_id)
{
	struct recovery *r = state;
	uint32_t count = atomic_load(&r->head->model_count);

	if (model_id == MSPROF_NO_MODEL)
		return NULL;
	for (uint32_t i = count < MP_ARENA_MODELS ? count : MP_ARENA_MODELS; i--;)
		if (r->head->models[i].model_id == model_id) {
			uint32_t number = r->head->models[i].name;

			return name_text(r, &number);
		}
	return NULL;
}

/* Whether the next event of a ring is one that a thread can have put. */
static bool is_whole(const struct mp_ring *ring, uint64_t end)
{
	const struct mp_ring_slot *slot = &ring->memory->slots[ring->next & ring->mask];
	size_t least = slot->kind == MP_EVENT_DOMAIN_STAMP ? sizeof(uint64_t) : 0;

	return slot->kind <= MP_EVENT_OP_RANGE && slot->text_size >= least && slot->text_size < MP_RING_TEXT_SIZE &&
	       (slot->kind != MP_EVENT_CALL || (slot->type >= MSPROF_OP && slot->type <= MSPROF_OTHER)) &&
	       mp_ring_slots(slot->text_size) <= end - ring->next;
}

/* How many events of a ring were lost since the process told the number of them. */
static uint64_t untold(const struct mp_ring_memory *ring)
{
	const uint64_t most = (uint64_t)1 << 40; /* a larger number is damage */
	uint64_t count = atomic_load(&ring->lost) - atomic_load(&ring->lost_told);

	return count < most ? count : 0;
}

/* Whether the result wants an event. */
static bool is_ours(const struct recovery *r, unsigned what, const struct mp_event *e)
{
	const struct mp_arena_session *s = &r->session;

	return (what & s->wanted) && e->begin_ns >= s->begin_ns && (!s->until_ns || e->begin_ns < s->until_ns) &&
	       (e->kind != MP_EVENT_DOMAIN_STAMP ||
		   mp_session_wants_domain(s->domains, s->domains_excluded, e->domain_text));
}

/* Take the next event of the ring on top. One that is none ends the events of its ring. */
static void take(struct recovery *r, struct mp_merge **top, void (*use)(struct recovery *, const struct mp_event *))
{
	const struct mp_slot_texts texts = {.state = r, .name = name_text, .model = model_text};
	struct mp_ring *ring = (*top)->ring;
	struct mp_ring_slot slot;
	char text[MP_RING_TEXT_SIZE];
	struct mp_event e;

	if (!is_whole(ring, (*top)->end) || !mp_ring_take(ring, (*top)->end, &slot, text))
		ring->next = (*top)->end;
	else if (is_ours(r, mp_slot_event(&e, &texts, ring, &slot, text), &e))
		use(r, &e);
	mp_merge_next(top);
}

/* The ring behind `at` in the file, of *size bytes; NULL behind the last one that can be one. */
static struct mp_ring_memory *ring_at(struct recovery *r, size_t at, size_t *size)
{
	const size_t used = r->file_rings_size;
	struct mp_ring_memory *ring = (struct mp_ring_memory *)(r->file_rings + at);

	if (at + sizeof(*ring) >= used)
		return NULL;
	if (!ring->mask || ring->mask & (ring->mask + 1) || ring->mask >= MP_ARENA_RINGS)
		return NULL; /* a ring of one slot would move the next one off its alignment */
	*size = sizeof(*ring) + (size_t)(ring->mask + 1) * sizeof(struct mp_ring_slot);
	return *size > used - at ? NULL : ring;
}

/* Find the rings, and count what they lost. Returns 0, or -1 without memory. */
static int find_rings(struct recovery *r)
{
	const struct mp_ring_memory *memory;
	size_t at, size;

	for (at = 0; (memory = ring_at(r, at, &size)) != NULL; at += size) {
		r->lost += untold(memory);
		r->ring_count++;
	}
	r->merge = calloc(r->ring_count + 1, sizeof(*r->merge));
	if (!r->merge || posix_memalign((void **)&r->rings, MP_CACHE_LINE, (r->ring_count + 1) * sizeof(*r->rings))) {
		r->rings = NULL;
		return -1;
	}
	at = 0;
	for (size_t i = 0; i < r->ring_count; i++, at += size) {
		struct mp_ring_memory *m = ring_at(r, at, &size);

		r->rings[i] = (struct mp_ring){.mask = m->mask, .memory = m, .tid = m->tid};
		memcpy(r->rings[i].name, m->name, sizeof(m->name) - 1);
	}
	return 0;
}

/* Give the events of all rings to `use`, in the order of their ends. */
static void walk(struct recovery *r, void (*use)(struct recovery *, const struct mp_event *))
{
	struct mp_merge *top = NULL;

	for (size_t i = 0; i < r->ring_count; i++) {
		struct mp_ring *ring = &r->rings[i];
		uint64_t end = atomic_load(&ring->memory->head);

		ring->next = atomic_load(&ring->memory->tail);
		if (end - ring->next <= ring->mask + 1)
			mp_merge_add(&top, &r->merge[i], ring, end);
	}
	while (top)
		take(r, &top, use);
}

static void count_event(struct recovery *r, const struct mp_event *event)
{
	(void)event;
	r->events++;
}

static void write_event(struct recovery *r, const struct mp_event *event)
{
	r->result->event(r->result, event);
}

/* The device of a JOB, by the name of its control file. */
static int device_of(int dirfd)
{
	for (int device = 0; device < MP_SESSION_DEVICE_MAX; device++) {
		char name[MP_FACTS_NAME];
		struct stat st;

		mp_job_info_name(device, name);
		if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			return device;
	}
	return 0;
}

static int write_events(struct recovery *r, struct mp_error *err)
{
	const struct mp_layouts *layouts = mp_session_layouts(r->hostfd >= 0 ? MP_FORMAT_PROF : MP_FORMAT_JOB, err);
	int status = layouts ? 0 : -1;

	if (!status && r->hostfd >= 0)
		status = mp_prof_writer_continue(&r->result, r->hostfd, r->head->pid, (int64_t)r->events, layouts, err);
	else if (!status)
		status = mp_job_writer_continue(&r->result, r->dirfd, r->ownfd, device_of(r->dirfd), r->head->pid,
		    (int64_t)r->events, layouts, err);
	if (status)
		return -1;
	walk(r, write_event);
	return r->result->stop(r->result, err);
}

/* Open the control file with the number of lost events, for reading and writing. Returns -1 with err. */
static int open_facts(const struct recovery *r, char name[MP_FACTS_NAME], struct mp_error *err)
{
	struct stat st;
	int datafd, fd;

	if (r->hostfd >= 0) {
		snprintf(name, MP_FACTS_NAME, "info.json");
		return mp_data_file_reopen(r->hostfd, name, O_RDWR, &st, err);
	}
	mp_job_recorder_name(device_of(r->dirfd), name);
	datafd = mp_dir_open(r->ownfd, "data", "data", err);
	if (datafd < 0)
		return -1;
	fd = mp_data_file_reopen(datafd, name, O_RDWR, &st, err);
	close(datafd);
	return fd;
}

/* Add to the number of lost events in the text of a control file. Returns false when the text has no room for it. */
static bool add_lost(int fd, uint64_t lost)
{
	static const char before[] = "\"lost\": ";
	char text[4096], number[32];
	ssize_t size = pread(fd, text, sizeof(text) - 1, 0);
	size_t width;
	char *at;

	text[size > 0 ? size : 0] = '\0';
	at = strstr(text, before);
	if (!at)
		return false;
	at += sizeof(before) - 1;
	width = strspn(at, "0123456789 ");
	return width < sizeof(number) &&
	       (size_t)snprintf(number, sizeof(number), "%-*llu", (int)width,
		   (unsigned long long)(strtoull(at, NULL, 10) + lost)) == width &&
	       pwrite(fd, number, width, at - text) == (ssize_t)width;
}

/* Tell the loss in the control file. A file of another form stays, and so does one that is another file as well. */
static void tell_lost(const struct recovery *r)
{
	char name[MP_FACTS_NAME];
	struct mp_error err;
	int fd = open_facts(r, name, &err);

	if (fd < 0)
		mp_log(MP_LOG_WARNING, "%s: it does not tell that %llu more records were lost", err.text,
		    (unsigned long long)r->lost);
	else if (!add_lost(fd, r->lost))
		mp_log(MP_LOG_WARNING, "'%s' does not tell that %llu more records were lost", name,
		    (unsigned long long)r->lost);
	if (fd >= 0)
		close(fd); /* the number is told at once: nothing else can be lost */
}

static int recover(struct recovery *r, struct mp_error *err)
{
	int found = read_file(r, err) ? -1 : find_session(r, err);

	if (found < 0)
		return -1;
	read_names(r);
	if (found) {
		if (find_rings(r))
			return mp_fail_memory(err, MP_ARENA_FILE);
		walk(r, count_event);
	}
	if (r->events && write_events(r, err))
		return -1;
	if (unlinkat(home_of(r), MP_ARENA_FILE, 0)) /* another msprof may have been faster */
		return errno == ENOENT ? 0 : mp_fail_errno(err, "cannot remove '%s'", MP_ARENA_FILE);
	if (r->lost)
		tell_lost(r);
	return 0;
}

int mp_recover(const char *top, const char *path, uint64_t *events, struct mp_error *err)
{
	struct recovery *r = calloc(1, sizeof(*r));
	int status = 0;

	*events = 0;
	if (!r)
		return mp_fail_memory(err, "events of a crashed process");
	r->dirfd = r->hostfd = r->ownfd = r->fd = -1;
	if (open_home(r, top, path))
		status = open_file(r, err);
	if (status == 1)
		status = recover(r, err);
	*events = r->events;
	if (r->result)
		r->result->free(r->result);
	free(r->head);
	free(r->text);
	free(r->file_rings);
	free(r->rings);
	free(r->merge);
	for (int i = 0; i < 4; i++)
		if ((int[]){r->fd, r->hostfd, r->ownfd, r->dirfd}[i] >= 0)
			close((int[]){r->fd, r->hostfd, r->ownfd, r->dirfd}[i]); /* the lock ends with it */
	free(r);
	return status;
}
