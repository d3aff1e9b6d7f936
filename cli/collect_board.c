/* collect_board.c: one board: logs in, collects, parses the fetched jobs. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect_plan.h"
#include "process.h"

#define LOCK_NAME ".msprof.lock"

int collect_worse(int a, int b)
{
	static const int order[] = {EXIT_CONNECTION, EXIT_PROGRAM};

	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++)
		if (a == order[i] || b == order[i])
			return order[i];
	if (a >= 128 || b >= 128)
		return a > b ? a : b;
	if (a == EXIT_FAILED || b == EXIT_FAILED)
		return EXIT_FAILED;
	return a > b ? a : b;
}

/* Read an ini; 0, or EXIT_FAILED with the error printed. An ini that others can read is a warning, with --strict an
 * error. */
static int read_ini(const struct collect_plan *plan, struct mp_board_config *config, const char *ini)
{
	struct mp_error err;

	if (mp_board_ini_read(config, ini, &err))
		return message_failure(&err);
	if (!config->readable_by_others)
		return 0;
	if (options_has(plan->options, OPTION_STRICT)) {
		message_error("'%s' can be read by others, and may give away a password: chmod 600 it", ini);
		mp_board_config_free(config);
		return -1;
	}
	message_warning(
	    "'%s' can be read by others, and may give away a password: chmod 600 it, or delete it after use", ini);
	return 0;
}

/* The last holder removes the lock file. A process that opened the removed file tries again with the new one. */
static int take_lock(int dirfd, const char *path)
{
	struct stat ours, there;
	int fd;

	for (;;) {
		fd = openat(dirfd, LOCK_NAME, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0640);
		if (fd < 0) {
			message_error("cannot write to '%s': %s", path, strerror(errno));
			return -1;
		}
		if (flock(fd, LOCK_EX | LOCK_NB)) {
			message_error("another profiling task is using '%s' (it holds '%s')", path, LOCK_NAME);
			close(fd);
			return -1;
		}
		if (fstat(fd, &ours) == 0 && fstatat(dirfd, LOCK_NAME, &there, AT_SYMLINK_NOFOLLOW) == 0 &&
		    ours.st_ino == there.st_ino)
			return fd;
		close(fd);
	}
}

/* Create a directory for results if needed, open and lock it; -1 with the error printed. The caller closes *lock. */
static int open_output(const char *path, int *lock)
{
	int fd;

	if (mkdir(path, 0750) && errno != EEXIST) {
		message_error("cannot make the directory '%s': %s", path, strerror(errno));
		return -1;
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0) {
		message_error("cannot open the directory '%s': %s", path, strerror(errno));
		return -1;
	}
	*lock = take_lock(fd, path);
	if (*lock >= 0)
		return fd;
	close(fd);
	return -1;
}

/* Connect to the board; config NULL: this machine. 0, or the exit status with the error printed. */
static int reach(const struct collect_plan *plan, const struct mp_board_config *config, struct mp_board **board)
{
	const struct mp_board_ask ask = collect_ask(plan);
	enum mp_board_failure failure = MP_BOARD_FINE;
	struct mp_error err;

	if (config ? mp_board_connect(board, config, &ask, &failure, &err) : mp_board_local(board, budget_end, &err)) {
		message_failure(&err);
		if (interrupt_count())
			return interrupt_status();
		return config ? EXIT_CONNECTION : EXIT_FAILED;
	}
	if (config)
		message_info(plan->options, "connected to '%s'", mp_board_name(*board));
	return 0;
}

static int status_of(unsigned outcome, bool strict)
{
	if (outcome & MP_COLLECT_LOST)
		return EXIT_CONNECTION;
	if (outcome & MP_COLLECT_PROGRAM)
		return EXIT_PROGRAM;
	if (outcome & MP_COLLECT_INTERRUPTED)
		return interrupt_status();
	if (outcome & MP_COLLECT_FAILED)
		return EXIT_FAILED;
	return outcome & MP_COLLECT_DAMAGED ? strict ? EXIT_FAILED : EXIT_DAMAGED : EXIT_OK;
}

/* Complete the list of a dry run: the library does not know the name of the directory. */
static void tell_rest(const struct collect_plan *plan, const struct mp_collect_options *options, const char *output)
{
	char text[4200];

	snprintf(text, sizeof(text), "put them into '%s'", output);
	options->events->note(options->events->user, MP_COLLECT_PLAN, text);
	if (options_has(plan->options, OPTION_ALL))
		options->events->note(options->events->user, MP_COLLECT_PLAN, "import, export and show each");
}

/* Run import, both exports and show on a job, as if the user had typed them. */
static int parse_job(struct options *o, const char *output, const char *job)
{
	static const struct command *const steps[] = {&command_import, &command_export_all, &command_show};
	char path[4096];
	int status = EXIT_OK;

	snprintf(path, sizeof(path), "%s%s%s", output, output[strlen(output) - 1] == '/' ? "" : "/", job);
	o->values[OPTION_DIR] = path;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		int step = steps[i]->run(steps[i], o);

		status = collect_worse(status, step);
		if (step == EXIT_FAILED)
			break; /* the other steps would fail in the same way */
	}
	return status;
}

static int parse_jobs(const struct collect_plan *plan, const struct mp_collect *collect, const char *output)
{
	struct options o = *plan->options;
	struct mp_error err;
	const bool repeats = options_number(&o, OPTION_REPEAT) > 1;
	const char *job;
	int status = EXIT_OK;
	size_t count = 0;

	o.values[OPTION_DIR] = output;
	if (options_has(&o, OPTION_ALL) && confine(&o, &err)) { /* the connection is closed; only files remain */
		return message_failure(&err);
	}
	for (; (job = mp_collect_job(collect, count)) != NULL; count++) {
		if (options_has(plan->options, OPTION_ALL) && interrupt_count() < 2)
			status = collect_worse(status, parse_job(&o, output, job));
		else if (!options_has(plan->options, OPTION_ALL) && !repeats)
			message_info(plan->options, "next: msprof show -dir '%s%s%s'", output,
			    output[strlen(output) - 1] == '/' ? "" : "/", job);
	}
	if (repeats && count)
		message_info(
		    plan->options, "next: msprof diff OTHER '%s' compares these runs with those in OTHER", output);
	return status;
}

/*
 * Where this machine has no home that can be written, like a board whose root is read-only, the project is copied to a
 * place beside the results. Its name begins as those of msprof's own files do, which are never sent.
 */
static const char *choose_places(const char *output, char path[PATH_MAX])
{
	const char *home = getenv("HOME");
	size_t len;

	if ((home && access(home, W_OK | X_OK) == 0) || !realpath(output, path))
		return NULL;
	len = strlen(path);
	snprintf(path + len, PATH_MAX - len, "%s.msprof.places", len > 1 ? "/" : "");
	return path;
}

/* The password is wiped before anything runs on the board. */
static int connect_and_run(const struct collect_plan *plan, const char *ini, const char *output,
    struct mp_collect_options *options, struct mp_board_config *config)
{
	bool resume = options_has(plan->options, OPTION_RESUME);
	struct mp_collect *collect = NULL;
	struct mp_board *board = NULL;
	struct mp_error err;
	int status;

	options->remote_dir = config->remote_dir;
	if (budget_patience(&options->patience_percent, &err) || budget_begin(BUDGET_MEMORY_MIB, BUDGET_BY_INPUT, &err))
		return message_failure(&err);
	if (!resume && (status = mp_collect_prepare(&collect, options, &err)) != 0) {
		message_failure(&err);
		budget_end();
		return status > 0 ? EXIT_USAGE : EXIT_FAILED;
	}
	status = reach(plan, ini ? config : NULL, &board);
	mp_secret_wipe(&config->pwd);
	if (!status) {
		unsigned outcome =
		    resume ? mp_collect_resume(&collect, options, board) : mp_collect_run(collect, board);

		if (options->dry_run && !outcome)
			tell_rest(plan, options, output);
		status = status_of(outcome, options_has(plan->options, OPTION_STRICT));
	}
	mp_board_close(board);
	budget_end();
	interrupt_forget();
	if (collect)
		status = collect_worse(status, parse_jobs(plan, collect, output));
	if (collect && mp_collect_failure(collect))
		message_error("%s", mp_collect_failure(collect));
	mp_collect_free(collect);
	return status;
}

int collect_board(const struct collect_plan *plan, const char *ini, const char *output)
{
	const struct options *o = plan->options;
	struct collect_display voice;
	const struct mp_collect_events events = collect_callbacks(&voice, plan);
	struct mp_board_config config = {0};
	struct mp_collect_options options = {.argv = (const char *const *)plan->words,
	    .events = &events,
	    .project = o->values[OPTION_PROJECT],
	    .acl_json = o->values[OPTION_ACL_JSON],
	    .mount = o->values[OPTION_MOUNT],
	    .overrides = plan->overrides,
	    .excludes = o->excludes.items,
	    .exclude_count = o->excludes.count,
	    .label = o->values[OPTION_NAME],
	    .timeout_s = plan->timeout_s,
	    .repeat = options_has(o, OPTION_REPEAT) ? (int)options_number(o, OPTION_REPEAT) : 1,
	    .discard = options_has(o, OPTION_DISCARD) ? (int)options_number(o, OPTION_DISCARD) : 0,
	    .checksum = options_has(o, OPTION_CHECKSUM),
	    .board_stats = options_has(o, OPTION_BOARD_STATS),
	    .outfd = -1,
	    .output = output,
	    .stream = options_has(o, OPTION_STREAM),
	    .clean = options_has(o, OPTION_CLEAN),
	    .dry_run = options_has(o, OPTION_DRY_RUN)};
	char places[PATH_MAX];
	int lock = -1, status = EXIT_FAILED;

	if (ini && read_ini(plan, &config, ini))
		return EXIT_FAILED;
	if (options_has(o, OPTION_RESUME) && access(output, F_OK)) {
		message_error("--resume: cannot open the directory '%s': %s", output, strerror(errno));
		mp_board_config_free(&config);
		return EXIT_FAILED;
	}
	if (!options.dry_run)
		options.outfd = open_output(output, &lock);
	if (!ini)
		options.places = choose_places(output, places);
	if (options.dry_run || options.outfd >= 0)
		status = connect_and_run(plan, ini, output, &options, &config);
	mp_board_config_free(&config);
	if (options.outfd >= 0) {
		unlinkat(options.outfd, LOCK_NAME, 0);
		close(lock);
		close(options.outfd);
	}
	return status;
}
