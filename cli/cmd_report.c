/* cmd_report.c: msprof report. A job as one HTML page to hand over. */
#include <stdio.h>
#include <string.h>

#include "compare/side.h"
#include "job_run.h"
#include "page/page.h"
#include "process.h"

enum { NAMES_SIZE = 512, NAMES_SHOWN = 8 };

struct report {
	const struct mp_side *base; /* or NULL */
	struct mp_side new;
	struct mp_diff diff;
};

/* A page is of one job: print which ones there are. */
static int refuse_several(struct job_run *s)
{
	char names[NAMES_SIZE] = "";
	size_t used = 0;

	for (size_t i = 0; i < s->found.count && i < NAMES_SHOWN && used < sizeof(names); i++)
		used +=
		    (size_t)snprintf(names + used, sizeof(names) - used, "%s'%s'", i ? ", " : "", s->found.paths[i]);
	message_error("a report is of one job, and '%s' has %zu: %s%s; write one of them after -dir",
	    s->options->values[OPTION_DIR], s->found.count, names, s->found.count > NAMES_SHOWN ? ", ..." : "");
	s->stop = true;
	return EXIT_FAILED;
}

/* The tables of a side have the names of those of the advice: they do not stay. */
static int compare(struct report *r, struct mp_db *db, const char *family, struct mp_error *err)
{
	if (!r->base)
		return 0;
	if (mp_side_begin(&r->new, 1, err) || mp_db_run(db, "BEGIN", err))
		return -1;
	return mp_side_read(&r->new, db, family, err) || mp_db_run(db, "ROLLBACK", err) ||
		       mp_diff_make(&r->diff, r->base, &r->new, err)
		   ? -1
		   : 0;
}

static int write_page(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	const struct options *o = s->options;
	struct report *r = s->user;
	struct whole_file file;
	struct facts facts;
	int64_t bytes;
	int status;

	if (job_run_facts(s, db, &facts, err) || job_run_notice(s, db, &facts, err) ||
	    job_run_choose(s, job, db, err) || compare(r, db, facts.family, err) || mp_db_size(db, &bytes, err) ||
	    whole_file_open(&file, o->values[OPTION_PAGE], "<!DOCTYPE html>", err))
		return -1;
	mp_out_limit(file.out, budget_output(bytes));
	status = whole_file_close(&file,
	    mp_page_write(&(struct mp_page){.db = db,
			      .family = facts.family,
			      .job = job->name,
			      .version = MSPROF_VERSION,
			      .diff = r->base ? &r->diff : NULL,
			      .base = o->values[OPTION_BASE],
			      .new = o->values[OPTION_DIR],
			      .dirfd = file.dirfd},
		file.out, err),
	    err);
	if (!status)
		message_info(o, "wrote '%s'", o->values[OPTION_PAGE]);
	return status;
}

static int report_job(struct job_run *s, const struct mp_job *job)
{
	return s->found.several ? refuse_several(s) : job_run_use(s, job, job_run_database(s, job, true), write_page);
}

static int run_report(const struct command *command, const struct options *o)
{
	struct mp_side base = {.runs = 0};
	struct report r = {.base = NULL};
	struct job_run s = {.options = o, .user = &r, .tells.assumed = true};
	int status = EXIT_OK;

	(void)command;
	if (options_has(o, OPTION_BASE)) {
		status = diff_side_read(&base, o, o->values[OPTION_BASE]);
		r.base = &base;
	}
	if (status != EXIT_FAILED)
		status = job_run_worse(status, job_run_all(&s, report_job));
	mp_diff_free(&r.diff);
	mp_side_free(&r.new);
	mp_side_free(&base);
	return status;
}

const struct command command_report = {
    .name = "report",
    .summary = "write one HTML page to hand over",
    .usages = {"[-dir] JOB [OPTION]..."},
    .needs = NEEDS_JOB,
    .confined = true,
    .options = {OPTIONS_JOB, TAKES(BASE), TAKES(PAGE), TAKES(LANG)},
    .run = run_report,
};
