/* cmd_learn.c: msprof learn. Finds where a board's hardware puts its counters, from the tables of its own tool. */
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "job_run.h"
#include "learn/learn.h"
#include "printer.h"
#include "terminal.h"

#define FILE_NAME "learned.rec"

/* Returns 1 when the file has this text, 0 when it is missing, -1 with err when it differs. */
static int compare(int dirfd, const char *label, const char *text, struct mp_error *err)
{
	size_t len = strlen(text);
	int fd = mp_dir_open_file(dirfd, FILE_NAME, NULL);
	char *old;
	bool same;

	if (fd < 0)
		return errno == ENOENT ? 0 : mp_file_refuse(label, err);
	old = malloc(len + 1);
	same = old && mp_file_read(fd, old, len + 1, 0) == (ssize_t)len && memcmp(old, text, len) == 0;
	close(fd); /* only read */
	if (!old)
		return mp_fail_memory(err, label);
	free(old);
	return same ? 1
		    : mp_fail(err, "'%s' exists and differs: use --force to replace it, or another --output", label);
}

static int write_file(const char *dir, const char *text, bool force, struct mp_error *err)
{
	int dirfd = mp_dir_walk(dir, err), same;
	char label[4096];
	struct mp_out *out;

	if (dirfd < 0)
		return -1;
	snprintf(label, sizeof(label), "%s/%s", dir, FILE_NAME);
	same = force ? 0 : compare(dirfd, label, text, err);
	if (same == 0) {
		same = mp_out_create(&out, dirfd, FILE_NAME, label, err);
		if (same == 0) {
			mp_out_sync(out);
			mp_out_text(out, text);
			same = mp_out_commit(out, err);
		}
	}
	close(dirfd); /* nothing was written to it */
	return same < 0 ? -1 : 0;
}

/* Say how it ended, and what to do next. */
static int conclude(
    const struct options *o, const struct mp_job *job, const struct mp_learned *learned, const char *dir)
{
	char job_word[DIR_WORD_MAX], layouts_word[DIR_WORD_MAX], why[MP_DOUBTS_SIZE];

	for (size_t i = 0; i < learned->refs.refused_count; i++)
		message_warning("%s", learned->refs.refused[i]);
	if (learned->is_guess)
		message_warning("'%s': tables of the board's own tool not found %s%s", job->path,
		    o->froms.count ? "in what --from names" : "below summary",
		    learned->text    ? ": what is printed is guessed from the records; name tables with --from"
		    : o->froms.count ? ""
				     : "; name tables with --from");
	if (learned->not_searched[0])
		message_warning(
		    "'%s': the search was given up, because it would take very long: %s; name one table with --from, "
		    "or take a job with fewer inferences",
		    job->path, learned->not_searched);
	if (!learned->text) {
		message_error("'%s': nothing was learned: %s", job->path, learned->sentence);
		return learned->not_searched[0] ? EXIT_DAMAGED : EXIT_FAILED;
	}
	message_info(o, "'%s/" FILE_NAME "' has the layout: msprof show -dir %s --layouts %s", dir,
	    dir_word(job_word, job->path), dir_word(layouts_word, dir));
	if (learned->is_proven)
		return EXIT_OK;
	if (!learned->is_guess)
		message_warning("'%s': the layout is not proven: %s", job->path, mp_learned_doubts(learned, why));
	return EXIT_DAMAGED;
}

/* Print the tables on standard output. */
static int print_learned(const struct mp_learned *learned, const struct options *o, struct mp_error *err)
{
	struct printer printer;
	struct mp_error later;
	int status;

	if (printer_open(&printer, o, "learn", err))
		return -1;
	status = learn_tables_print(learned, printer.writer, err);
	if (printer_close(&printer, status ? &later : err))
		return -1;
	return status;
}

static int learn_job(struct job_run *s, const struct mp_job *job)
{
	const struct options *o = s->options;
	const char *dir = o->values[OPTION_OUTPUT];
	struct mp_learn_options lo = {.from = o->froms.items, .from_count = o->froms.count};
	struct mp_learned learned;
	struct progress progress;
	struct mp_error err;
	int status;

	if (s->found.several || job->family != MP_FAMILY_SVP) {
		message_error(s->found.several
				  ? "'%s' has several jobs: learn takes one"
				  : "'%s' is a job of Ascend, whose layouts are published: learn has nothing to find",
		    s->found.several ? o->values[OPTION_DIR] : job->path);
		s->stop = true;
		return EXIT_FAILED;
	}
	if (progress_begin(&progress, options_has(o, OPTION_QUIET), "learning", job->path)) {
		lo.progress = progress_update;
		lo.progress_user = &progress;
	}
	status = mp_learn(&learned, job, &lo, &err);
	progress_end(&progress);
	if (status)
		return message_failure_of(job->path, &err);
	if (print_learned(&learned, o, &err) ||
	    (learned.text && write_file(dir, learned.text, options_has(o, OPTION_FORCE), &err))) {
		status = message_failure(&err);
	} else {
		status = conclude(o, job, &learned, dir);
	}
	mp_learned_free(&learned);
	return status;
}

static int run_learn(const struct command *command, const struct options *options)
{
	struct options with_output = *options;
	iconv_t gbk = iconv_open("UTF-8", "GB18030"); /* the C library reads its tables now: the sandbox hides them */
	int status;

	(void)command;
	if (!options_has(options, OPTION_OUTPUT))
		with_output.values[OPTION_OUTPUT] = "layouts";
	status = job_run_each(&with_output, learn_job);
	if (gbk != (iconv_t)-1)
		iconv_close(gbk); /* nothing is pending in it */
	return status;
}

const struct command command_learn = {
    .name = "learn",
    .summary = "find a board's counters from its own tool's tables",
    .usages = {"[-dir] JOB [OPTION]..."},
    .formats = "table json",
    .needs = NEEDS_JOB,
    .options = {TAKES(DIR), TAKES(FROM), TAKES(OUTPUT), TAKES(FORCE), TAKES(FORMAT), TAKES(QUIET), TAKES(HELP)},
    .run = run_learn,
};
