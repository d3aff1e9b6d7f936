/* session.c: a recording to files: locks, directories, and the writers behind one sink. Knows no record and no file
 * format. */
#include "recorder/session.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/schema.h"
#include "recorder/environment.h"
#include "recorder/job_writer.h"
#include "recorder/lock.h"
#include "recorder/log.h"
#include "recorder/prof_writer.h"
#include "recorder/recorder_internal.h"

enum { SPACE_LEAST_MB = 20 };

struct mp_session {
	struct mp_session *next; /* of the process */
	struct mp_sink sink;
	enum { RECORDING, STOPPED, ENDED } state; /* ENDED: without us, see enum mp_end */
	bool shared;				  /* the directory, with other processes */
	int dirfd, dir_lock;
	dev_t dev; /* of the directory */
	ino_t ino;
	struct mp_layouts layouts;
	struct mp_prof_writer *prof; /* of MP_FORMAT_PROF, else */
	struct mp_job_writer *jobs[MP_SESSION_DEVICE_MAX];
	size_t job_count, lock_count;
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

	if (s->prof)
		mp_prof_writer_event(s->prof, event);
	for (size_t i = 0; i < s->job_count; i++)
		mp_job_writer_event(s->jobs[i], event);
}

static void on_flush(void *state)
{
	struct mp_session *s = state;

	if (s->state != RECORDING)
		return;
	if (s->prof)
		mp_prof_writer_flush(s->prof);
	for (size_t i = 0; i < s->job_count; i++)
		mp_job_writer_flush(s->jobs[i]);
}

static void on_lost(void *state, uint64_t count)
{
	struct mp_session *s = state;

	if (s->prof)
		mp_prof_writer_lost(s->prof, count);
	for (size_t i = 0; i < s->job_count; i++)
		mp_job_writer_lost(s->jobs[i], count);
}

static int stop_writers(struct mp_session *s, struct mp_error *err)
{
	int status = s->prof ? mp_prof_writer_stop(s->prof, err) : 0;
	struct mp_error other;

	for (size_t i = 0; i < s->job_count; i++)
		if (mp_job_writer_stop(s->jobs[i], &other) && !status) {
			status = -1;
			*err = other;
		}
	s->state = STOPPED;
	return status ? MSPROF_WRITE_FILE : MSPROF_OK;
}

static int finish_writers(struct mp_session *s, struct mp_error *err)
{
	int status = s->prof ? mp_prof_writer_finish(s->prof, err) : 0;
	struct mp_error other;

	for (size_t i = 0; i < s->job_count; i++)
		if (mp_job_writer_finish(s->jobs[i], &other) && !status) {
			status = -1;
			*err = other;
		}
	return status ? MSPROF_WRITE_FILE : MSPROF_OK;
}

static void close_devices(struct mp_session *s)
{
	while (s->lock_count)
		close(s->device_locks[--s->lock_count]);
}

static void close_writers(struct mp_session *s)
{
	close_devices(s);
	mp_prof_writer_free(s->prof);
	s->prof = NULL;
	while (s->job_count)
		mp_job_writer_free(s->jobs[--s->job_count]);
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
	if (s->dir_lock < 0 && !s->shared)
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
			    "Insufficient disk space. Reason: The remaining disk space of %s is %lluMB, which is less "
			    "than "
			    "%dMB.",
			    dir, (unsigned long long)mb, SPACE_LEAST_MB);
			return MSPROF_STORAGE_OVER_LIMIT;
		}
	}
	return join_sessions(s, dir, err);
}

static int lock_devices(struct mp_session *s, const struct mp_session_config *config, struct mp_error *err)
{
	for (int i = 0; i < config->device_count; i++) {
		int code = mp_lock_device(config->devices[i], &s->device_locks[i], err);

		if (code)
			return code;
		s->lock_count++;
	}
	return MSPROF_OK;
}

static int open_writers(struct mp_session *s, const struct mp_session_config *config, struct mp_error *err)
{
	static const int no_device[] = {0};
	const int *devices = config->device_count ? config->devices : no_device;
	size_t count = config->device_count ? (size_t)config->device_count : 1;

	if (config->format == MP_FORMAT_PROF)
		return mp_prof_writer_open(&s->prof, s->dirfd, ++mp_recorder.prof_count, &s->layouts,
		    config->storage_limit, config->members, err);
	for (; s->job_count < count; s->job_count++)
		if (mp_job_writer_open(&s->jobs[s->job_count], s->dirfd, devices[s->job_count], &s->layouts,
			config->storage_limit / count, config->members, err))
			return -1;
	return 0;
}

static void warn_of_umask(void)
{
	mode_t mask = umask(0027);

	umask(mask);
	if ((mask & 0027) != 0027)
		mp_log(MP_LOG_WARNING,
		    "the umask is %04o: other files of this program may be open to others; umask 0027 is safe",
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
	s->shared = config->results != NULL;
	s->sink = (struct mp_sink){.wanted = config->wanted,
	    .begin_ns = config->from_ns,
	    .until_ns = config->until_ns,
	    .state = s,
	    .event = on_event,
	    .flush = on_flush,
	    .lost = on_lost,
	    .end = on_end};
	code = open_directory(s, config->dir, err);
	if (!code && load_layouts(&s->layouts, err))
		code = MSPROF_FAILURE;
	if (!code)
		code = lock_devices(s, config, err);
	if (!code && open_writers(s, config, err))
		code = MSPROF_INVALID_FILE;
	if (!code && config->results && mp_environment_announce(config->results, mp_session_result(s, 0), err))
		code = MSPROF_INVALID_FILE;
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
	if (session->prof)
		return at == 0 ? mp_prof_writer_name(session->prof) : NULL;
	return at < session->job_count ? mp_job_writer_name(session->jobs[at]) : NULL;
}
