/* export_job.c: writes the reports of a job into files below the job: traces, CSV or JSON. */
#include "export_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/gzip.h"
#include "base/part.h"
#include "budget.h"
#include "export_kept.h"
#include "export_limits.h"
#include "export_trace.h"
#include "interrupt.h"
#include "job_output.h"
#include "progress.h"
#include "report/csv.h"
#include "report/events.h"
#include "report/json.h"
#include "report/stacks.h"
#include "report/timeline.h"
#include "import/job_db.h"

/* So many files are synced one by one, each before its rename; more are synced together once all are there. */
enum { REPORTS_MAX = 65536, SYNCED_MAX = 64 };

struct export
{
	struct export_kept kept;
	struct job_run *session;
	const struct mp_job *job;
	struct mp_db *db;
	struct mp_team team; /* `db` and more connections to the same database */
	struct facts facts;
	struct mp_reports reports;
	const struct mp_report *report; /* the current one of `reports` */
	int dirfd;
	const char *kind; /* "timeline", "summary", "analyze" */
	const char *dir;  /* the directory of its files */
	bool json;
	bool gzip; /* JSON is compressed */
	struct progress progress;
	int64_t rows; /* an estimate, for progress */
	int64_t files, events, moved;
};

static int write_summary(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err)
{
	struct mp_section_options o = {.style = e->facts.style, .team = &e->team, .out = out};
	struct mp_json json;
	struct mp_csv csv;

	if (!e->json) {
		mp_csv_init(&csv, out, e->report->crlf);
		return mp_report_section(e->report, e->db, each, &o, &csv.writer, err);
	}
	mp_json_init(&json, out, false);
	if (mp_report_section(e->report, e->db, each, &o, &json.writer, err))
		return -1;
	mp_json_finish(&json);
	return 0;
}

static int write_object(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err)
{
	struct mp_section_options o = {.style = e->facts.style, .out = out};
	struct mp_object object;

	mp_object_init(&object, out);
	if (mp_report_section(e->report, e->db, each, &o, &object.writer, err))
		return -1;
	mp_object_finish(&object);
	return 0;
}

static void update_progress(void *user, int64_t events)
{
	struct export *e = user;

	progress_update(&e->progress, e->events + events, e->rows);
}

static int write_timeline(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err)
{
	struct mp_timeline_progress progress = {update_progress, e};
	struct mp_timeline_stats stats;
	const struct mp_timeline_progress *told = e->progress.active ? &progress : NULL;
	int status;

	if (strcmp(e->report->form, "array") == 0)
		status = mp_events_write(e->report, &e->team, each, e->facts.style, out, told, &stats, err);
	else
		status = mp_timeline_write(e->report, &e->team, each, e->facts.style, out, told, &stats, err);
	if (status)
		return -1;
	e->events += stats.events;
	e->moved += stats.moved;
	return 0;
}

static int write_stacks(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err)
{
	struct mp_timeline_progress progress = {update_progress, e};
	struct mp_timeline_stats stats;

	return mp_stacks_write(
	    e->report, e->db, each, e->facts.style, out, e->progress.active ? &progress : NULL, &stats, err);
}

/* How a kind of file is written, and what its name ends with. */
struct form {
	int (*write)(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err);
	const char *ending;
};

static struct form form_of(const struct export *e)
{
	if (strcmp(e->kind, "timeline") == 0)
		return (struct form){write_timeline, e->gzip ? ".json.gz" : ".json"};
	if (strcmp(e->kind, "stacks") == 0)
		return (struct form){write_stacks, ".folded"};
	if (strcmp(e->report->form, "object") == 0)
		return (struct form){write_object, ".json"};
	return (struct form){write_summary, e->json ? ".json" : ".csv"};
}

static int write_file(struct export *e, const struct mp_query *each, struct mp_error *err)
{
	const struct form form = form_of(e);
	const char *file = e->json && e->report->json_file[0] ? e->report->json_file : e->report->file;
	char name[512], label[4096];
	struct mp_out *out;
	int64_t bytes;
	size_t len;

	if (mp_report_name(name, sizeof(name), file, each, err))
		return -1;
	len = strlen(name);
	snprintf(name + len, sizeof(name) - len, "%s", form.ending);
	snprintf(label, sizeof(label), "%s/%s/%s", e->job->exports.path, e->dir, name);
	if (mp_db_size(e->db, &bytes, err) || mp_out_create(&out, e->dirfd, name, label, err))
		return -1;
	mp_out_limit(out, budget_output(bytes));
	if (e->files < SYNCED_MAX)
		mp_out_sync(out);
	if ((e->gzip && mp_gzip_out(out, e->team.wanted, err)) || form.write(e, each, out, err)) {
		mp_out_abort(out);
		return -1;
	}
	if (export_kept_commit(&e->kept, out, name, err))
		return -1;
	e->files++;
	return 0;
}

static int export_report(struct export *e, struct mp_error *err)
{
	struct mp_query *each;
	int status;

	if (mp_report_query(&each, e->db, &e->report->each, "", "", e->facts.style, err))
		return -1;
	while ((status = mp_query_next(each, err)) == 1)
		if (write_file(e, each, err)) {
			status = -1;
			break;
		}
	mp_query_close(each);
	return status;
}

/* Write the merged trace. */
static int export_merged(struct export *e, enum mp_trace_format format, struct mp_error *err)
{
	const struct mp_timeline_progress progress = {update_progress, e};
	char label[4096];
	struct trace_file file = {.db = e->db,
	    .reports = "trace",
	    .family = e->facts.family,
	    .stem = "trace",
	    .dirfd = e->dirfd,
	    .label = label,
	    .format = format,
	    .gzip = e->gzip,
	    .threads = e->team.wanted,
	    .progress = e->progress.active ? &progress : NULL};
	int status;

	snprintf(label, sizeof(label), "%s/%s", e->job->exports.path, e->dir);
	status = export_trace(&file, err);
	if (status < 0)
		return -1;
	if (!e->files) { /* else the same events are in its other files */
		e->events = file.stats.events;
		e->moved = file.stats.moved;
	}
	e->files += status;
	return 0;
}

static bool has_choice(const struct options *o)
{
	return options_has(o, OPTION_MODEL_ID) || options_has(o, OPTION_ITERATION_ID) ||
	       options_has(o, OPTION_ITERATION_COUNT) || options_has(o, OPTION_PICTURE);
}

/* Timelines of SS928 data can have one model and one inference alone (export_limits.c); its tables have all. */
static bool chooses_models(const struct export *e)
{
	return e->job->family == MP_FAMILY_SVP && strcmp(e->kind, "timeline") == 0;
}

/* After an export without files: -1 where the user chose a model or an iteration that does not exist. */
static int check_choice(const struct export *e, struct mp_error *err)
{
	const struct options *o = e->session->options;
	char model[64] = "";

	if (!has_choice(o) || chooses_models(e))
		return 0;
	if (options_has(o, OPTION_MODEL_ID))
		snprintf(model, sizeof(model), " of model %lld", (long long)options_number(o, OPTION_MODEL_ID));
	return mp_fail(err, "iteration %lld%s not found: 'msprof query' lists the iterations",
	    (long long)options_number(o, OPTION_ITERATION_ID), model);
}

/* Data of 2022 has files for each iteration: print that only the first was exported, where there are more. */
static int tell_rest(const struct export *e, struct mp_error *err)
{
	int64_t iterations = 0;

	if (e->job->family == MP_FAMILY_ASCEND2022 &&
	    mp_db_number(e->db, "SELECT max(iteration) FROM step", 0, &iterations, err))
		return -1;
	if (iterations > 1)
		message_info(e->session->options,
		    "'%s': iteration 1 of %lld is exported; --iteration-id and --iteration-count choose others, 'msprof query' lists them",
		    e->job->path, (long long)iterations);
	return 0;
}

/*
 * Warn about a choice of iterations for data without iterations. Where 2022 marked some, but not the begin of any, its
 * tool refuses the choice, and so do we.
 */
static int tell_choice(const struct export *e, struct mp_error *err)
{
	const struct options *o = e->session->options;
	bool is_2022 = e->job->family == MP_FAMILY_ASCEND2022;
	int64_t steps = 0, marks = 0;

	if (strcmp(e->kind, "stacks") == 0) /* these are of all calls */
		return 0;
	if (!has_choice(o))
		return tell_rest(e, err);
	if (chooses_models(e)) {
		if (options_has(o, OPTION_ITERATION_COUNT))
			message_warning(
			    "'%s': --iteration-count has no effect: --picture chooses one inference", e->job->path);
		return 0;
	}
	if (options_has(o, OPTION_PICTURE))
		return mp_fail(
		    err, "--picture chooses an inference of SS928 data: --iteration-id chooses an iteration");
	if ((is_2022 || e->job->family == MP_FAMILY_PROF) &&
	    mp_db_number(e->db, "SELECT count(*) FROM step", 0, &steps, err))
		return -1;
	if (is_2022 && mp_db_number(e->db, "SELECT count(*) FROM ts_step WHERE tag_id < 10000", 0, &marks, err))
		return -1;
	if (!steps && marks)
		return mp_fail(err,
		    "no iteration can be chosen: %lld marks of iterations, but none with a begin and an end:"
		    " without --model-id and --iteration-... the data is exported whole",
		    (long long)marks);
	if (!steps)
		message_warning("'%s': --model-id and --iteration-... have no effect: %s", e->job->path,
		    e->job->family == MP_FAMILY_SVP ? "each model and inference has tables of its own"
						    : "this data has no iterations and is exported whole");
	return 0;
}

/* Read a file of less than REPORTS_MAX bytes into `text`. */
static int read_reports(const char *path, char *text, struct mp_error *err)
{
	FILE *f = fopen(path, "re");
	size_t len;
	int status;

	if (!f)
		return mp_fail_errno(err, "cannot open '%s'", path);
	len = fread(text, 1, REPORTS_MAX - 1, f);
	status = ferror(f) ? mp_fail_errno(err, "cannot read '%s'", path)
		 : len == REPORTS_MAX - 1 || memchr(text, '\0', len)
		     ? mp_fail(err, "'%s' is not JSON of less than 64 KiB", path)
		     : 0;
	fclose(f); /* read only: nothing to lose */
	text[len] = '\0';
	return status;
}

/* Switch off the layers that the file of --reports names. */
static int take_reports(struct export *e, struct mp_error *err)
{
	const char *path = e->session->options->values[OPTION_REPORTS];
	struct mp_error why;
	char *text;
	int status;

	if (!path)
		return 0;
	text = malloc(REPORTS_MAX);
	if (!text)
		return mp_fail_memory(err, "the file of --reports");
	status = read_reports(path, text, err);
	if (!status && mp_db_unwanted(e->db, text, &why))
		status = mp_fail_because(err, &why, "'%s': %s", path, why.text);
	free(text);
	if (status)
		return -1;
	if (e->job->family != MP_FAMILY_PROF && strcmp(e->kind, "timeline") == 0)
		message_warning(
		    "'%s': --reports has no effect: only the timeline of a PROF directory has layers", e->job->path);
	return 0;
}

/* Say which data is in no export, and what the counters of tables are worth: unlike traces, these have no place for it.
 */
static int tell_left_out(const struct export *e, struct mp_error *err)
{
	static const char sql[] = "SELECT text, kind = 'counters' FROM note WHERE kind IN ('export', 'counters')";
	const bool has_tables = strcmp(e->kind, "summary") == 0;
	struct mp_query *q;
	int status;

	if (mp_query_open(&q, e->db, sql, sizeof(sql) - 1, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		const struct mp_value text = mp_text_of(mp_query_value(q, 0));

		if (!mp_query_int(q, 1))
			message_warning("'%s': %.*s", e->job->path, (int)text.len, text.text);
		else if (has_tables)
			message_info(e->session->options, "%.*s", (int)text.len, text.text);
	}
	mp_query_close(q);
	return status;
}

static bool has_time(const struct options *o)
{
	return options_has(o, OPTION_FROM_TIME) || options_has(o, OPTION_TO_TIME);
}

/* Write the files of all reports that the user wants. */
static int export_reports(struct export *e, struct mp_error *err)
{
	const char *rule = e->session->options->values[OPTION_RULE];
	int status = export_kept_begin(&e->kept, err);
	struct mp_error ignored;

	mp_team_begin(&e->team, e->db, mp_team_processors());
	for (size_t i = 0; !status && i < e->reports.count; i++) {
		e->report = &e->reports.items[i];
		if (!rule || option_has_word(rule, ',', e->report->file, strlen(e->report->file)))
			status = export_report(e, err);
	}
	mp_team_end(&e->team);
	return export_kept_end(&e->kept, status ? &ignored : err) || status ? -1 : 0;
}

static int export_all(struct export *e, struct mp_error *err)
{
	struct trace_choice trace = {.files = true};
	int status = 0;

	if (job_run_facts(e->session, e->db, &e->facts, err) || job_run_notice(e->session, e->db, &e->facts, err))
		return -1;
	if (!e->facts.inference)
		return 0;
	if (mp_db_number(e->db, "SELECT total_int(records) FROM source", 0, &e->rows, err))
		return -1;
	if (tell_left_out(e, err) || tell_choice(e, err) || job_run_choose(e->session, e->job, e->db, err) ||
	    export_limits(e->db, e->session->options, e->facts.family, chooses_models(e), err) || take_reports(e, err))
		return -1;
	if (strcmp(e->kind, "timeline") == 0) {
		trace = export_trace_choice(e->session->options, e->facts.family);
		progress_begin(&e->progress, options_has(e->session->options, OPTION_QUIET), "exporting", e->job->name);
	}
	if (mp_reports_load(&e->reports, e->kind, e->facts.family, e->facts.style, err))
		return -1;
	if (trace.files)
		status = export_reports(e, err);
	if (!status && e->files > SYNCED_MAX)
		status = mp_part_sync_all(e->dirfd, e->dir, err);
	if (!status && trace.merged)
		status = export_merged(e, trace.format, err);
	progress_end(&e->progress);
	mp_reports_free(&e->reports);
	if (status || export_kept_refuse(&e->kept, e->job->exports.path, err) || (!e->files && check_choice(e, err)))
		return -1;
	if (e->files)
		return 0;
	message_info(e->session->options, "'%s' has no data for '%s%s'%s: no file", e->job->path,
	    strcmp(e->kind, "analyze") == 0 ? "" : "export ", e->kind,
	    has_time(e->session->options) ? " in the time of --from and --to" : "");
	return 0;
}

/* The directory of the files: other tools look for the exports of a PROF directory in one place. */
static const char *output_dir(const struct mp_job *job, const char *kind)
{
	if (strcmp(kind, "analyze") == 0)
		return kind;
	return job->family == MP_FAMILY_PROF ? "mindstudio_profiler_output"
	       : strcmp(kind, "stacks") == 0 ? "timeline"
					     : kind;
}

static void tell_result(const struct export *e)
{
	const struct options *o = e->session->options;

	if (e->files)
		message_info(o, "wrote %lld file%s to '%s/%s'", (long long)e->files, e->files == 1 ? "" : "s",
		    e->job->exports.path, e->dir);
	if (e->files && !e->events && has_time(o) && strcmp(e->kind, "timeline") == 0)
		message_info(o, "no event is in the time of --from and --to: the files have names only");
	if (e->moved)
		message_info(o, "%lld of %lld events overlap others of their thread: they are on lanes of their own",
		    (long long)e->moved, (long long)e->events);
}

/* Make the directory, which a read-only job refuses before its data is parsed, open the database and lock both. */
static int open_output(struct export *e, struct mp_error *err)
{
	const struct mp_job *job = e->job;
	char label[4096];

	snprintf(label, sizeof(label), "%s/%s", job->exports.path, e->dir);
	e->dirfd = mp_dir_make(job->exports.dirfd, e->dir, label, err);
	if (e->dirfd < 0) {
		if (!job_output_refuse_readonly(job))
			message_failure(err);
		return -1;
	}
	e->kept.dirfd = e->dirfd;
	e->kept.lists = strcmp(e->kind, "summary") == 0;
	if (e->kept.lists || strcmp(e->kind, "timeline") == 0)
		e->kept.label = e->dir;
	e->db = job_run_database(e->session, job, true);
	if (e->db && job_run_lock(e->session, e->dirfd, MP_OUT_PART, label) == 0)
		return 0;
	mp_db_close(e->db);
	close(e->dirfd);
	return -1;
}

int export_job(struct job_run *s, const struct mp_job *job, const char *kind)
{
	const char *format = s->options->values[OPTION_FORMAT];
	struct export e = {.session = s,
	    .job = job,
	    .kind = kind,
	    .dir = output_dir(job, kind),
	    .json = format && strcmp(format, "json") == 0,
	    .gzip = format && strcmp(format, "json.gz") == 0};
	struct mp_error err;
	int status;

	if (open_output(&e, &err))
		return EXIT_FAILED;
	job_run_log(job, "Start exporting %s of \"%s\" ...", kind, job->name);
	interrupt_removes(e.dirfd, MP_OUT_PART);
	status = export_all(&e, &err);
	interrupt_removes(-1, MP_OUT_PART);
	if (status) {
		message_failure(&err);
		status = EXIT_FAILED;
	} else {
		tell_result(&e);
		status = job_run_verdict(s, job, e.db);
	}
	mp_db_close(e.db);
	close(e.dirfd);
	return job_output_clear(s, job, status);
}
