/* session.c: a recording to files: locks, directories, and the writers behind one sink. Knows no record and no file format. */
#include "recorder/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/schema.h"
#include "recorder/job_writer.h"
#include "recorder/lock.h"
#include "recorder/log.h"
#include "recorder/recorder_internal.h"

enum { SPACE_LEAST_MB = 20 };

struct mp_session {
	struct mp_session *next; /* of the process */
	struct mp_sink sink;
	enum { RECORDING, STOPPED, ENDED } state; /* ENDED: without us, see enum mp_end */
	int dirfd, dir_lock;
	dev_t dev; /* of the directory */
	ino_t ino;
	struct mp_layouts layouts;
	size_t count; /* of writers and device locks */
	struct mp_job_writer *writers[MP_SESSION_DEVICE_MAX];
	int device_locks[MP_SESSION_DEVICE_MAX];
};

static int load_layouts(struct mp_layouts *layouts, struct mp_error *err)
{
	for (const struct mp_schema_file *f = mp_schema_files; f->path; f++)
		if (strncmp(f->path, "records/", 8) == 0 && mp_layouts_parse(layouts, f->path, f->text, err))
			return -1;
	return mp_layouts_finish(layouts, err);
}

static void on_event(void *state, const struct mp_event *event)
{
	struct mp_session *s = state;

	for (size_t i = 0; i < s->count; i++)
		mp_job_writer_event(s->writers[i], event);
}

static void on_flush(void *state)
{
	struct mp_session *s = state;

	for (size_t i = 0; s->state == RECORDING && i < s->count; i++)
		mp_job_writer_flush(s->writers[i]);
}

static void on_lost(void *state, uint64_t count)
{
	struct mp_session *s = state;

	for (size_t i = 0; i < s->count; i++)
		mp_job_writer_lost(s->writers[i], count);
}

static int stop_writers(struct mp_session *s, struct mp_error *err)
{
	int status = 0;
	struct mp_error first;

	for (size_t i = 0; i < s->count; i++)
		if (mp_job_writer_stop(s->writers[i], &first) && !status++)
			*err = first;
	s->state = STOPPED;
	return status ? MSPROF_WRITE_FILE : MSPROF_OK;
}

static int finish_writers(struct mp_session *s, struct mp_error *err)
{
	int status = 0;
	struct mp_error first;

	for (size_t i = 0; i < s->count; i++)
		if (mp_job_writer_finish(s->writers[i], &first) && !status++)
			*err = first;
	return status ? MSPROF_WRITE_FILE : MSPROF_OK;
}

static void close_devices(struct mp_session *s)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->device_locks[i] >= 0)
			close(s->device_locks[i]);
		s->device_locks[i] = -1;
	}
}

static void close_writers(struct mp_session *s)
{
	close_devices(s);
	for (size_t i = 0; i < s->count; i++)
		mp_job_writer_free(s->writers[i]);
	s->count = 0;
}

static void close_directory(struct mp_session *s)
{
	if (s->dir_lock >= 0)
		close(s->dir_lock);
	if (s->dirfd >= 0)
		close(s->dirfd);
	s->dir_lock = s->dirfd = -1;
}

/* Nobody stopped it: see enum mp_end. */
static void on_end(void *state, enum mp_end how)
{
	struct mp_session *s = state;
	struct mp_error err;

	if (how != MP_END_FORK && s->state == RECORDING && stop_writers(s, &err))
		mp_log(MP_LOG_ERROR, "%s", err.text);
	if (how == MP_END_SIGNAL && finish_writers(s, &err))
		mp_log(MP_LOG_ERROR, "%s", err.text);
	close_writers(s);
	close_directory(s);
	s->state = ENDED;
}

/*
 * Join the sessions of the process, with the lock of the directory: one of them may have it already. Leaving and
 * closing it are one step as well, so that none sees a lock of this process that no session has.
 */
static int join_sessions(struct mp_session *s, const char *label, struct mp_error *err)
{
	int code = MSPROF_OK;

	pthread_mutex_lock(&mp_recorder.lock);
	for (struct mp_session *other = mp_recorder.sessions; other && s->dir_lock < 0; other = other->next)
		if (other->dir_lock >= 0 && other->dev == s->dev && other->ino == s->ino)
			s->dir_lock = fcntl(other->dir_lock, F_DUPFD_CLOEXEC, 0);
	if (s->dir_lock < 0)
		code = mp_lock_directory(s->dirfd, label, &s->dir_lock, err);
	if (!code) {
		s->next = mp_recorder.sessions;
		mp_recorder.sessions = s;
	}
	pthread_mutex_unlock(&mp_recorder.lock);
	return code;
}

static void leave_sessions(struct mp_session *s)
{
	struct mp_session **at = &mp_recorder.sessions;

	pthread_mutex_lock(&mp_recorder.lock);
	while (*at && *at != s)
		at = &(*at)->next;
	if (*at)
		*at = s->next;
	close_directory(s);
	pthread_mutex_unlock(&mp_recorder.lock);
}

static int open_directory(struct mp_session *s, const char *dir, struct mp_error *err)
{
	struct statvfs space;
	struct stat st;
	uint64_t mb;

	s->dirfd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->dirfd < 0 || fstat(s->dirfd, &st)) {
		mp_error_set_errno(err, "cannot open the output directory '%s'", dir);
		return MSPROF_INVALID_FILE;
	}
	if (faccessat(s->dirfd, ".", W_OK | X_OK, AT_EACCESS)) {
		mp_error_set_errno(err, "cannot write to the output directory '%s'", dir);
		return MSPROF_INVALID_FILE;
	}
	s->dev = st.st_dev;
	s->ino = st.st_ino;
	if (fstatvfs(s->dirfd, &space) == 0) {
		mb = (uint64_t)space.f_bavail * space.f_frsize / (1024 * 1024);
		if (mb < SPACE_LEAST_MB) {
			mp_error_set(err,
			    "EK0204: Insufficient disk space. Reason: The remaining disk space of %s is %lluMB, which is less than "
			    "%dMB.",
			    dir, (unsigned long long)mb, SPACE_LEAST_MB);
			return MSPROF_STORAGE_OVER_LIMIT;
		}
	}
	return join_sessions(s, dir, err);
}

static int open_writers(struct mp_session *s, const struct mp_session_config *config, struct mp_error *err)
{
	int count = config->device_count ? config->device_count : 1;

	for (int i = 0; i < count; i++) {
		int device = config->device_count ? config->devices[i] : 0, code;

		s->device_locks[i] = -1;
		code = config->device_count ? mp_lock_device(device, &s->device_locks[i], err) : MSPROF_OK;
		if (code)
			return code;
		s->count++;
	}
	for (size_t i = 0; i < s->count; i++)
		if (mp_job_writer_open(&s->writers[i], s->dirfd, config->device_count ? config->devices[i] : 0, &s->layouts,
			config->members, err))
			return MSPROF_INVALID_FILE;
	return MSPROF_OK;
}

static void warn_of_umask(void)
{
	mode_t mask = umask(0027);

	umask(mask);
	if ((mask & 0027) != 0027)
		mp_log(MP_LOG_WARNING, "the umask is %04o: other files of this program may be open to others; umask 0027 is safe",
		    (unsigned)mask);
}

static void free_session(struct mp_session *s)
{
	close_writers(s);
	leave_sessions(s);
	mp_layouts_free(&s->layouts);
	free(s);
}

int mp_session_start(struct mp_session **session, const struct mp_session_config *config, struct mp_error *err)
{
	struct mp_session *s = calloc(1, sizeof(*s));
	int code;

	*session = NULL;
	if (!s) {
		mp_error_set(err, "out of memory for a recording");
		return MSPROF_BAD_ALLOC;
	}
	s->dirfd = s->dir_lock = -1;
	s->sink = (struct mp_sink){
	    .wanted = config->wanted, .state = s, .event = on_event, .flush = on_flush, .lost = on_lost, .end = on_end};
	code = open_directory(s, config->dir, err);
	if (!code && load_layouts(&s->layouts, err))
		code = MSPROF_FAILURE;
	if (!code)
		code = open_writers(s, config, err);
	if (!code && mp_recorder_attach(&s->sink, err))
		code = MSPROF_FAILURE;
	if (code) {
		free_session(s);
		return code;
	}
	warn_of_umask();
	*session = s;
	return MSPROF_OK;
}

int mp_session_stop(struct mp_session *s, struct mp_error *err)
{
	int code = MSPROF_OK;

	mp_recorder_quiet(&s->sink);
	pthread_mutex_lock(&mp_recorder.lock); /* a signal may end it at the same time */
	if (s->state == RECORDING)
		code = stop_writers(s, err);
	close_devices(s);
	pthread_mutex_unlock(&mp_recorder.lock);
	return code;
}

int mp_session_finish(struct mp_session *s, struct mp_error *err)
{
	int code, second = MSPROF_OK;
	struct mp_error other;

	if (!s)
		return MSPROF_OK;
	code = mp_session_stop(s, err);
	mp_recorder_detach(&s->sink);
	if (s->state == STOPPED)
		second = finish_writers(s, &other);
	if (!code && second)
		*err = other;
	free_session(s);
	return code ? code : second;
}

const char *mp_session_result(const struct mp_session *session, size_t at)
{
	return at < session->count ? mp_job_writer_name(session->writers[at]) : NULL;
}
