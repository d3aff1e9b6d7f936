/*
 * test_recorder.c: threads that record while sessions start and stop. Every event is in a file or counted as lost.
 * `make check-tsan` runs this program under the thread sanitizer.
 */

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "recorder/session.h"
#include "recorder/recorder.h"
#include "support.h"

enum { THREADS = 16, EACH = 3000, ROUNDS = 6, RECORD_SIZE = 128 };

static char *dir;
static _Atomic bool ends;

/* Replaces the C library's umask, and counts calls: the umask belongs to all threads of the process. */
static int masks_set;
mode_t umask(mode_t mask)
{
	masks_set++;
	return (mode_t)syscall(SYS_umask, mask);
}

static int setup(void **state)
{
	(void)state;
	dir = temp_dir();
	umask(0027);
	return setenv("XDG_RUNTIME_DIR", dir, 1) || setenv("MSPROF_LOG", "error", 1);
}

static int teardown(void **state)
{
	(void)state;
	remove_dir(dir);
	return 0;
}

static void *record(void *arg)
{
	uint32_t model_id = *(uint32_t *)arg;
	char name[32];

	for (int i = 0; i < EACH; i++) {
		uint64_t begin = msprof_begin();

		snprintf(name, sizeof(name), "call %d", i % 300);
		if (i % 100 == 0)
			msprof_range_end(begin, name);
		else if (i % 101 == 0)
			msprof_op_publish(
			    &(struct msprof_op){begin, begin + 5, model_id, msprof_name(name), msprof_name("T")});
		else if (i % 3)
			msprof_api_end(begin, MSPROF_RUNTIME, msprof_name(name), model_id);
		else
			msprof_model_executed(begin, msprof_name(name), model_id);
	}
	return NULL;
}

static void *meddle(void *unused)
{
	(void)unused;
	for (uint32_t i = 0; !ends; i++) {
		msprof_model_loaded(1000 + i % 5, i % 2 ? "one" : "other");
		msprof_model_unloaded(1000 + i % 3);
		if (i % 16 == 0)
			mp_recorder_drain();
		nanosleep(&(struct timespec){0, 200000}, NULL);
	}
	return NULL;
}

/* Start and stop another session on its own device, again and again. */
static void *start_and_stop(void *unused)
{
	struct mp_session_config config = {
	    .dir = dir, .device_count = 1, .devices = {63}, .wanted = MP_WANT_CALLS, .members = ""};
	struct mp_session *session;
	struct mp_error err;

	(void)unused;
	while (!ends)
		if (mp_session_start(&session, &config, &err) || mp_session_finish(session, &err))
			return "failed";
	return NULL;
}

static uint64_t records_in(const char *job)
{
	char path[2048];
	uint64_t bytes = 0;
	struct dirent *entry;
	struct stat st;
	DIR *data;

	snprintf(path, sizeof(path), "%s/msprof.%s/data", dir, job);
	data = opendir(path);
	assert_non_null(data);
	while ((entry = readdir(data)))
		if (strncmp(entry->d_name, "msprof_api.", 11) == 0 && !strstr(entry->d_name, ".done")) {
			assert_int_equal(fstatat(dirfd(data), entry->d_name, &st, 0), 0);
			assert_int_equal(st.st_size % RECORD_SIZE, 0);
			bytes += (uint64_t)st.st_size;
		}
	closedir(data);
	return bytes / RECORD_SIZE;
}

/* What a job says of events that found no room. */
static uint64_t lost_in(const char *job, int device)
{
	char path[2048], text[4096];
	const char *at;
	ssize_t len;
	int fd;

	snprintf(path, sizeof(path), "%s/msprof.%s/data/recorder.json.%d", dir, job, device);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	len = read(fd, text, sizeof(text) - 1);
	assert_true(len > 0);
	close(fd);
	text[len] = '\0';
	at = strstr(text, "\"lost\": ");
	assert_non_null(at);
	return strtoull(at + 8, NULL, 10);
}

static void one_round(const struct mp_session_config *config)
{
	uint32_t models[THREADS];
	pthread_t ids[THREADS];
	struct mp_session *session;
	struct mp_error err;
	char jobs[2][40];

	assert_ok(mp_session_start(&session, config, &err), &err);
	for (uint32_t i = 0; i < THREADS; i++) {
		models[i] = i % 4 ? i % 4 : MSPROF_NO_MODEL;
		assert_int_equal(pthread_create(&ids[i], NULL, record, &models[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(ids[i], NULL);
	assert_ok(mp_session_stop(session, &err), &err);
	for (size_t i = 0; i < 2; i++)
		snprintf(jobs[i], sizeof(jobs[i]), "%s", mp_session_result(session, i));
	assert_null(mp_session_result(session, 2));
	assert_ok(mp_session_finish(session, &err), &err);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(records_in(jobs[i]) + lost_in(jobs[i], config->devices[i]), THREADS * EACH);
}

static void every_event_is_written_or_counted(void **state)
{
	struct mp_session_config config = {.dir = dir,
	    .device_count = 2,
	    .devices = {0, 5},
	    .wanted = MP_WANT_CALLS | MP_WANT_OPS | MP_WANT_STAMPS,
	    .members = "\"switch\": \"on\""};
	pthread_t meddler, starter;
	void *failure;

	(void)state;
	for (uint32_t i = 1; i < 4; i++)
		assert_int_equal(msprof_model_loaded(i, "model"), 0);
	ends = false;
	assert_int_equal(pthread_create(&meddler, NULL, meddle, NULL), 0);
	assert_int_equal(pthread_create(&starter, NULL, start_and_stop, NULL), 0);
	for (int i = 0; i < ROUNDS; i++)
		one_round(&config);
	ends = true;
	pthread_join(meddler, NULL);
	pthread_join(starter, &failure);
	assert_null(failure);
}

static void a_device_is_recorded_once_at_a_time_a_directory_by_one_process(void **state)
{
	struct mp_session_config config = {
	    .dir = dir, .device_count = 1, .devices = {7}, .wanted = MP_WANT_CALLS, .members = ""};
	struct mp_session *first, *second;
	struct mp_error err;

	(void)state;
	masks_set = 0;
	assert_ok(mp_session_start(&first, &config, &err), &err);
	assert_int_equal(masks_set, 0);
	assert_int_equal(mp_session_start(&second, &config, &err), MSPROF_ALREADY_RUN);
	assert_non_null(strstr(err.text, "device 7"));
	config.devices[0] = 8;
	assert_ok(mp_session_start(&second, &config, &err), &err);
	assert_ok(mp_session_stop(first, &err), &err);
	config.devices[0] = 7; /* free after the stop */
	assert_ok(mp_session_finish(second, &err), &err);
	assert_ok(mp_session_start(&second, &config, &err), &err);
	assert_ok(mp_session_finish(first, &err), &err);
	assert_ok(mp_session_finish(second, &err), &err);
}

static void mark(const char *domain)
{
	uint64_t now = mp_recorder_now();

	mp_recorder_domain_stamp(&(struct mp_domain_stamp){.type = MP_STAMP_MARK,
	    .begin_ns = now,
	    .end_ns = now,
	    .domain = msprof_name(domain),
	    .message = "x",
	    .message_size = 1});
}

static void a_job_has_the_marks_of_the_domains_that_were_chosen(void **state)
{
	const struct {
		const char *domains;
		int excluded;
		uint64_t records;
	} cases[] = {{NULL, 0, 6}, {"", 1, 6}, {"load", 0, 1}, {"load,train", 0, 3}, {"load", 1, 5}, {"loa", 0, 0}};
	struct mp_error err;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct mp_session_config config = {.dir = dir,
		    .wanted = MP_WANT_STAMPS,
		    .members = "",
		    .domains = cases[i].domains,
		    .domains_excluded = cases[i].excluded};
		struct mp_session *session;
		char job[40];

		assert_ok(mp_session_start(&session, &config, &err), &err);
		for (int n = 0; n < 6; n++)
			mark(n == 0 ? "load" : n < 3 ? "train" : "default");
		snprintf(job, sizeof(job), "%s", mp_session_result(session, 0));
		assert_ok(mp_session_finish(session, &err), &err);
		assert_int_equal(records_in(job), cases[i].records);
	}
}

/* The flusher, busy with the end, sees the signal when there is no sink any longer. */
static void flush_for_long(void *unused)
{
	(void)unused;
	if (ends) {
		nanosleep(&(struct timespec){0, 600000000}, NULL);
		kill(getpid(), SIGINT);
	}
}

static void end_nothing(void *unused, enum mp_end how)
{
	(void)unused, (void)how;
}

static void a_signal_that_comes_while_the_last_session_ends_is_not_forgotten(void **state)
{
	struct mp_event_sink sink = {.flush = flush_for_long, .end = end_nothing};
	struct mp_error err;
	int status;
	pid_t child = fork();

	(void)state;
	assert_true(child >= 0);
	if (child == 0) {
		ends = false;
		signal(SIGINT, SIG_DFL);
		if (mp_recorder_attach(&sink, &err))
			_exit(1);
		ends = true;
		mp_recorder_detach(&sink);
		nanosleep(&(struct timespec){60, 0}, NULL);
		_exit(2);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

static void a_limit_of_the_storage_costs_the_oldest(void **state)
{
	enum { CALLS = 3000, LIMIT = 64 * 1024, PASS = 100 };
	struct mp_session_config config = {.dir = dir, .wanted = MP_WANT_CALLS, .storage_limit = LIMIT, .members = ""};
	unsigned long long lost, aged;
	struct mp_session *session;
	char *info, job[40], path[512];
	struct mp_error err;

	(void)state;
	assert_ok(mp_session_start(&session, &config, &err), &err);
	snprintf(job, sizeof(job), "%s", mp_session_result(session, 0));
	for (int i = 0; i < CALLS; i++) {
		msprof_api_end(msprof_begin(), MSPROF_MODEL, msprof_name("call"), MSPROF_NO_MODEL);
		if (i % PASS == 0)
			mp_recorder_drain();
		assert_true(records_in(job) * RECORD_SIZE <= LIMIT + PASS * RECORD_SIZE);
	}
	assert_ok(mp_session_finish(session, &err), &err);
	snprintf(path, sizeof(path), "%s/msprof.%s/data", dir, job);
	info = read_text(path, "recorder.json.0");
	assert_int_equal(sscanf(strstr(info, "\"lost\""), "\"lost\": %llu , \"aged\": %llu", &lost, &aged), 2);
	free(info);
	assert_int_equal(records_in(job) + lost + aged, CALLS);
	assert_true(aged > 0 && records_in(job) * RECORD_SIZE >= LIMIT / 2 - RECORD_SIZE);
}

static int count;
static void count_event(void *unused, const struct mp_event *event)
{
	(void)unused;
	count += event->kind == MP_EVENT_CALL;
}
static void flush_nothing(void *unused)
{
	(void)unused;
}

static void a_sink_gets_what_it_wants_between_attach_and_detach(void **state)
{
	struct mp_event_sink sink = {.wanted = MP_WANT_MODEL_CALLS, .event = count_event, .flush = flush_nothing};
	uint64_t early, begin;
	struct mp_error err;

	(void)state;
	assert_false(mp_recorder_active());
	assert_int_equal(msprof_begin(), 0);
	early = mp_recorder_now();
	assert_ok(mp_recorder_attach(&sink, &err), &err);
	assert_true(mp_recorder_active());
	begin = msprof_begin();
	msprof_api_end(begin, MSPROF_MODEL, 0, 1);
	msprof_api_end(begin, MSPROF_RUNTIME, 0, 1); /* not wanted */
	msprof_api_end(early, MSPROF_MODEL, 0, 1);   /* began before */
	msprof_api_end(0, MSPROF_MODEL, 0, 1);
	msprof_api_end(begin, (enum msprof_api_type)9, 0, 1);
	mp_recorder_quiet(&sink);
	msprof_api_end(begin, MSPROF_MODEL, 0, 1); /* ends after */
	mp_recorder_detach(&sink);
	assert_int_equal(count, 1);
	assert_false(mp_recorder_active());
}

static void arguments_are_checked(void **state)
{
	(void)state;
	assert_int_equal(msprof_name(NULL), 0);
	assert_int_equal(msprof_name(""), 0);
	assert_int_equal(msprof_op_publish(NULL), MSPROF_INVALID_PARAM);
	assert_int_equal(msprof_op_publish(&(struct msprof_op){.begin_ns = 2, .end_ns = 1}), MSPROF_INVALID_PARAM);
	assert_int_equal(msprof_model_loaded(1, NULL), MSPROF_INVALID_PARAM);
	assert_int_equal(msprof_model_loaded(MSPROF_NO_MODEL, "m"), MSPROF_INVALID_PARAM);
	assert_int_equal(msprof_model_unloaded(99999), MSPROF_INVALID_PARAM);
	msprof_mark(NULL);
	msprof_range_end(1, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    /* first, because it forks while there is one thread */
	    cmocka_unit_test(a_signal_that_comes_while_the_last_session_ends_is_not_forgotten),
	    cmocka_unit_test(a_sink_gets_what_it_wants_between_attach_and_detach),
	    cmocka_unit_test(arguments_are_checked),
	    cmocka_unit_test(a_device_is_recorded_once_at_a_time_a_directory_by_one_process),
	    cmocka_unit_test(a_job_has_the_marks_of_the_domains_that_were_chosen),
	    cmocka_unit_test(a_limit_of_the_storage_costs_the_oldest),
	    cmocka_unit_test(every_event_is_written_or_counted),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
