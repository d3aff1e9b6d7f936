/*
 * session.c: a recording to files: locks, directories, and the writers behind one sink. Knows no record and no file
 * format.
 */
#include "recorder/session.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "recorder/arena.h"
#include "recorder/log.h"
#include "recorder/recorder_internal.h"
#include "recorder/table.h"
#include "recorder/writers.h"

struct mp_session {
	struct mp_event_sink sink;
	enum { RECORDING, STOPPED, ENDED } state; /* ENDED: by the recorder, see enum mp_end */
	char name[MP_PROF_NAME_SIZE]; /* of the first result: the writers may end before the session's owner asks */
	struct mp_result_place *place;
	struct mp_result *results[MP_SESSION_DEVICE_MAX]; /* a PROF directory, or JOBs */
	size_t result_count, lock_count;
	char *domains; /* see struct mp_session_config */
	bool domains_excluded;
	struct mp_host_samples *samples;                         /* NULL: there are none */
	struct mp_arena_session *entries[MP_SESSION_DEVICE_MAX]; /* by result; NULL: a crash loses its waiting events */
	size_t entry_count;
	int device_locks[MP_SESSION_DEVICE_MAX];
};

static bool has_word(const char *words, const char *word)
{
	for (size_t len; *words; words += len + (words[len] == ',')) {
		len = strcspn(words, ",");
		if (strlen(word) == len && memcmp(words, word, len) == 0)
			return true;
	}
	return false;
}

bool mp_session_wants_domain(const char *domains, bool excluded, const char *domain)
{
	return !domains || !*domains || has_word(domains, domain) != excluded;
}

static void on_event(void *state, const struct mp_event *event)
{
	struct mp_session *s = state;

	if (event->kind == MP_EVENT_DOMAIN_STAMP &&
	    !mp_session_wants_domain(s->domains, s->domains_excluded, event->domain_text))
		return;
	for (size_t i = 0; i < s->result_count; i++)
		s->results[i]->event(s->results[i], event);
}

static void on_sample(void *state, enum mp_host_sample kind, const char *line, size_t len)
{
	mp_prof_writer_sample(((struct mp_session *)state)->results[0], kind, line, len);
}

static int64_t on_tick(void *state)
{
	struct mp_session *s = state;

	return s->samples && s->state == RECORDING ? mp_samples_take(s->samples) : INT64_MAX;
}

static bool begin_samples(struct mp_session *s, const struct mp_session_config *config)
{
	struct mp_samples_request request = {.pid = getpid(),
	    .from_ns = (int64_t)config->from_ns,
	    .until_ns = (int64_t)config->until_ns,
	    .put = on_sample,
	    .state = s};

	memcpy(request.hz, config->samples_hz, sizeof(request.hz));
	if (config->format != MP_FORMAT_PROF || (!request.hz[0] && !request.hz[1] && !request.hz[2]))
		return true;
	s->samples = mp_samples_new(&request);
	return s->samples != NULL;
}

static void on_flush(void *state)
{
	struct mp_session *s = state;

	for (size_t i = 0; s->state == RECORDING && i < s->result_count; i++)
		s->results[i]->flush(s->results[i]);
}

static void on_lost(void *state, uint64_t count)
{
	struct mp_session *s = state;

	for (size_t i = 0; i < s->result_count; i++)
		s->results[i]->lost(s->results[i], count);
}

/* Let all results do the last or the last but one thing. The first error counts. */
static int end_writers(struct mp_session *s, bool finish, struct mp_error *err)
{
	struct mp_error other = {.text = ""};
	int status = 0;

	for (size_t i = 0; i < s->result_count; i++) {
		struct mp_result *r = s->results[i];

		if ((finish ? r->finish : r->stop)(r, status ? &other : err))
			status = -1;
	}
	if (!finish)
		s->state = STOPPED;
	return status ? MSPROF_WRITE_FILE : MSPROF_OK;
}

static void close_devices(struct mp_session *s)
{
	while (s->lock_count)
		mp_fd_drop(s->device_locks[--s->lock_count]);
}

static void close_writers(struct mp_session *s)
{
	close_devices(s);
	mp_samples_free(s->samples);
	s->samples = NULL;
	while (s->result_count) {
		struct mp_result *r = s->results[--s->result_count];

		r->free(r);
	}
}

static int result_dir(const struct mp_session *s, size_t at)
{
	return s->results[at]->dir(s->results[at]);
}

/* Keep the events that wait in files of the results. Call with the recorder's lock. */
static void keep_events(struct mp_session *s, const struct mp_session_config *config)
{
	for (const char *name; (name = mp_session_result(s, s->entry_count)) != NULL; s->entry_count++) {
		struct mp_arena_session *e = mp_arena_join(result_dir(s, s->entry_count), mp_recorder.sinks != NULL);

		s->entries[s->entry_count] = e;
		if (!e)
			continue;
		snprintf(e->result, sizeof(e->result), "%s", name);
		snprintf(e->domains, sizeof(e->domains), "%s", s->domains ? s->domains : "");
		e->domains_excluded = s->domains_excluded;
		e->wanted = config->wanted;
		e->until_ns = config->until_ns;
	}
}

/* From now on the events are the results'. What the thread that starts has begun before is the recorder's start. */
static void begin_entries(struct mp_session *s, const struct mp_session_config *config)
{
	if (config->started_ns && !config->from_ns)
		s->sink.begin_ns = config->started_ns;
	for (size_t i = 0; i < s->entry_count; i++)
		if (s->entries[i])
			atomic_store_explicit(&s->entries[i]->begin_ns, s->sink.begin_ns, memory_order_release);
}

/* All events are in the results: the files are no longer needed. */
static void end_entries(struct mp_session *s)
{
	for (size_t i = 0; i < s->entry_count; i++)
		mp_arena_leave(result_dir(s, i), s->entries[i]);
	s->entry_count = 0;
}

/* The process ends or forks while the session runs: see enum mp_end. */
static void on_end(void *state, enum mp_end how)
{
	struct mp_session *s = state;
	struct mp_error err;

	if (how == MP_END_FORK)
		s->entry_count = 0; /* the parent's */
	else if (s->state == RECORDING) {
		end_entries(s);
		if (end_writers(s, false, &err))
			mp_log(MP_LOG_ERROR, "%s", err.text);
	}
	if (how == MP_END_SIGNAL && end_writers(s, true, &err))
		mp_log(MP_LOG_ERROR, "%s", err.text);
	close_writers(s);
	mp_place_close(s->place);
	s->place = NULL;
	s->state = ENDED;
}

enum mp_session_format mp_session_format_of(enum msprof_profile profile)
{
	return profile == MSPROF_ASCEND ? MP_FORMAT_PROF : MP_FORMAT_JOB;
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

static int open_prof(struct mp_session *s, const struct mp_session_config *config, const struct mp_layouts *layouts,
    struct mp_error *err)
{
	char devices[4 * MP_SESSION_DEVICE_MAX] = "";
	size_t len = 0;

	for (int i = 0; i < config->device_count; i++)
		len += (size_t)snprintf(devices + len, sizeof(devices) - len, "%s%d", i ? "," : "", config->devices[i]);
	if (mp_prof_writer_open(&s->results[0], s->place->fd, ++mp_recorder.prof_count, layouts, config->storage_limit,
		devices, config->members, err))
		return -1;
	s->result_count = 1;
	return 0;
}

static int open_writers(struct mp_session *s, const struct mp_session_config *config, const struct mp_layouts *layouts,
    struct mp_error *err)
{
	static const int no_device[] = {0};
	const int *devices = config->device_count ? config->devices : no_device;
	size_t count = config->device_count ? (size_t)config->device_count : 1;
	int soc;

	if (config->format == MP_FORMAT_PROF)
		return open_prof(s, config, layouts, err);
	soc = mp_environment_soc(layouts);
	for (; s->result_count < count; s->result_count++)
		if (mp_job_writer_open(&s->results[s->result_count], s->place->fd, devices[s->result_count], layouts,
			soc, config->storage_limit / count, config->members, err))
			return -1;
	return 0;
}

/*
 * Read the umask of the process without setting it, because other threads may create files. Returns -1 when the system
 * does not tell.
 */
static int read_umask(void)
{
	FILE *status = fopen("/proc/self/status", "re");
	unsigned mask;
	char line[256];
	int found = -1;

	while (status && found < 0 && fgets(line, sizeof(line), status))
		if (sscanf(line, "Umask: %o", &mask) == 1)
			found = (int)mask;
	if (status)
		fclose(status); /* opened read-only: nothing can be lost */
	return found;
}

/* Print the umask, for users who ask; our own files are private whatever the umask. */
static void tell_umask(void)
{
	static atomic_flag said = ATOMIC_FLAG_INIT;
	int mask = read_umask();

	if (mask >= 0 && (mask & 0027) != 0027 && !atomic_flag_test_and_set(&said))
		mp_log(MP_LOG_INFO,
		    "the umask is %04o: other files of this program may be open to others; umask 0027 is safe",
		    (unsigned)mask);
}

static void free_session(struct mp_session *s)
{
	close_writers(s);
	pthread_mutex_lock(&mp_recorder.lock);
	mp_place_close(s->place);
	pthread_mutex_unlock(&mp_recorder.lock);
	free(s->domains);
	free(s);
}

/* Prepare the sink of a session. Returns NULL without memory. */
static struct mp_session *make_session(const struct mp_session_config *config)
{
	struct mp_session *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->sink = (struct mp_event_sink){.wanted = config->wanted,
	    .begin_ns = config->from_ns,
	    .until_ns = config->until_ns,
	    .state = s,
	    .event = on_event,
	    .flush = on_flush,
	    .lost = on_lost,
	    .tick = on_tick,
	    .end = on_end};
	s->domains = config->domains ? strdup(config->domains) : NULL;
	s->domains_excluded = config->domains_excluded != 0;
	if (s->domains || !config->domains)
		return s;
	free(s);
	return NULL;
}

/* Open all that the session needs, and attach it. */
static int begin(struct mp_session *s, const struct mp_session_config *config, struct mp_error *err)
{
	int code = mp_place_open(&s->place, config->dir, config->device_count > 0 && !config->shared, err);
	const struct mp_layouts *layouts = code ? NULL : mp_session_layouts(config->format, err);

	if (!code && !layouts)
		code = MSPROF_FAILURE;
	if (!code && !config->shared)
		code = lock_devices(s, config, err);
	if (!code && open_writers(s, config, layouts, err))
		code = MSPROF_INVALID_FILE;
	if (!code)
		snprintf(s->name, sizeof(s->name), "%s", mp_session_result(s, 0));
	if (!code && !begin_samples(s, config)) {
		mp_error_set_memory(err, "samples");
		code = MSPROF_BAD_ALLOC;
	}
	if (!code && config->results && mp_environment_announce(config->results, mp_session_result(s, 0), err))
		code = MSPROF_INVALID_FILE;
	pthread_mutex_lock(&mp_recorder.lock);
	if (!code && mp_recorder_remember(err) == 0)
		keep_events(s, config);
	pthread_mutex_unlock(&mp_recorder.lock);
	if (!code && mp_recorder_attach(&s->sink, err))
		code = MSPROF_FAILURE;
	return code;
}

/* What the flusher is asked to do, because it has the descriptors. */
struct session_errand {
	struct mp_session *session;
	const struct mp_session_config *config;
	struct mp_error *err;
};

static int start(void *state)
{
	struct session_errand *e = state;
	struct mp_session *s = make_session(e->config);
	int code;

	if (!s) {
		mp_error_set_memory(e->err, "a recording");
		return MSPROF_BAD_ALLOC;
	}
	code = begin(s, e->config, e->err);
	if (code) {
		end_entries(s);
		for (size_t i = 0; i < s->result_count; i++)
			s->results[i]->remove(s->results[i]);
		free_session(s);
		return code;
	}
	begin_entries(s, e->config);
	tell_umask();
	e->session = s;
	return MSPROF_OK;
}

int mp_session_start(struct mp_session **session, const struct mp_session_config *config, struct mp_error *err)
{
	struct session_errand e = {.config = config, .err = err};
	int code = mp_flusher_start(start, &e, MSPROF_FAILURE, err);

	*session = e.session;
	return code;
}

static int stop(void *state)
{
	const struct session_errand *e = state;
	struct mp_session *s = e->session;
	int code = MSPROF_OK;

	mp_recorder_quiet(&s->sink);
	pthread_mutex_lock(&mp_recorder.lock); /* a signal may end the session at the same time */
	if (s->state == RECORDING) {
		end_entries(s);
		code = end_writers(s, false, e->err);
	}
	close_devices(s);
	pthread_mutex_unlock(&mp_recorder.lock);
	return code;
}

int mp_session_stop(struct mp_session *session, struct mp_error *err)
{
	return mp_flusher_do(stop, &(struct session_errand){.session = session, .err = err}, MSPROF_OK);
}

static int finish(void *state)
{
	const struct session_errand *e = state;
	struct mp_session *s = e->session;
	int code = stop(state), second = MSPROF_OK;
	struct mp_error other = {.text = ""};

	mp_recorder_detach(&s->sink);
	if (s->state == STOPPED)
		second = end_writers(s, true, &other);
	if (!code && second)
		*e->err = other;
	free_session(s);
	return code ? code : second;
}

int mp_session_finish(struct mp_session *session, struct mp_error *err)
{
	if (!session)
		return MSPROF_OK;
	return mp_flusher_do(finish, &(struct session_errand){.session = session, .err = err}, MSPROF_OK);
}

const char *mp_session_result(const struct mp_session *session, size_t at)
{
	if (at == 0 && session->name[0])
		return session->name;
	return at < session->result_count ? session->results[at]->name : NULL;
}
