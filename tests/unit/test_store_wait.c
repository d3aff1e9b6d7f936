/* test_store_wait.c: an import waits for another import of the same job while that makes progress. */
#include "store_support.h"

#include <sys/file.h>

/* Another process with the lock, as seen from poll to poll. */
struct other {
	struct job_test *job;
	int fd, polls, busy, until; /* it makes progress for `busy` polls, and ends after `until` polls */
};

static void poll_other(void *user)
{
	struct other *o = user;
	char text[16];

	if (++o->polls <= o->busy) {
		snprintf(text, sizeof(text), "%.*s", o->polls, "===============");
		write_text(o->job->dir, "sqlite/.msprof.db.part", text);
	}
	if (o->polls == o->until)
		assert_int_equal(close(o->fd), 0);
}

static int wait_for(struct job_test *t, struct other *o, bool only_first)
{
	struct mp_import_options options = import_options;

	o->job = t;
	o->polls = 0;
	o->fd = open(below(t->dir, "sqlite"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_int_equal(flock(o->fd, LOCK_EX | LOCK_NB), 0);
	options.wait = (struct mp_wait){.polls = 3, .pause = poll_other, .user = o};
	options.only_first = only_first;
	return mp_import(t->job, &t->layouts, &options, &t->err);
}

/* Waits while the other process makes progress, and a little longer. */
static void test_wait(void **state)
{
	struct job_test *t = *state;
	struct other o = {.busy = 10, .until = 12};
	struct stat before, after;

	write_job(t);
	job_open(t);
	assert_ok(mp_import(t->job, &t->layouts, &import_options, &t->err), &t->err);
	assert_int_equal(stat(below(t->dir, "sqlite/msprof.db"), &before), 0);
	assert_int_equal(wait_for(t, &o, true), 1); /* the existing database suffices */
	assert_int_equal(o.polls, 12);
	assert_int_equal(stat(below(t->dir, "sqlite/msprof.db"), &after), 0);
	assert_int_equal(after.st_ino, before.st_ino);
	assert_ok(wait_for(t, &o, false), &t->err);
	assert_int_equal(stat(below(t->dir, "sqlite/msprof.db"), &after), 0);
	assert_int_not_equal(after.st_ino, before.st_ino);
	o = (struct other){.busy = 5, .until = 100};
	assert_refused(wait_for(t, &o, false), &t->err, "another msprof is importing into '");
	assert_non_null(strstr(t->err.text, "makes no progress"));
	assert_int_equal(o.polls, 8);
	assert_int_equal(close(o.fd), 0);
}

/* The other process removes the database with its directory, as --clear does, and then lets go. */
static void remove_all(void *user)
{
	struct other *o = user;

	if (o->polls++)
		return;
	assert_int_equal(unlink(below(o->job->dir, "sqlite/msprof.db")), 0);
	assert_int_equal(rmdir(below(o->job->dir, "sqlite")), 0);
	assert_int_equal(close(o->fd), 0);
}

static void test_removed_meanwhile(void **state)
{
	struct job_test *t = *state;
	struct other o = {.job = t};
	struct mp_import_options options = import_options;
	struct mp_db *db = NULL;

	write_job(t);
	job_open(t);
	for (int removes = 0; removes < 2; removes++) {
		o.polls = 0;
		assert_ok(mp_import(t->job, &t->layouts, &import_options, &t->err), &t->err);
		o.fd = open(below(t->dir, "sqlite"), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_int_equal(flock(o.fd, LOCK_EX | LOCK_NB), 0);
		options.wait = (struct mp_wait){.polls = 3, .pause = remove_all, .user = &o};
		options.opened = &db;
		if (removes) {
			assert_ok(mp_job_db_remove(t->job, &options.wait, &t->err), &t->err);
			assert_int_equal(access(below(t->dir, "sqlite"), F_OK), -1);
			assert_ok(mp_job_db_remove(t->job, &options.wait, &t->err), &t->err); /* nothing is left */
			continue;
		}
		assert_ok(mp_import(t->job, &t->layouts, &options, &t->err), &t->err);
		assert_int_equal(access(below(t->dir, "sqlite/msprof.db"), F_OK), 0);
		assert_non_null(db);
		mp_db_close(db);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(test_wait, job_setup, job_teardown),
	    cmocka_unit_test_setup_teardown(test_removed_meanwhile, job_setup, job_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
