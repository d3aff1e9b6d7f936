/* export_job.c: exports a kind of files of one job: opens, locks, writes, and says what came of it. */
#include "export.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/out.h"
#include "import/job_db.h"
#include "job_run.h"
#include "process.h"

int export_report(struct export *e, struct mp_error *err)
{
	struct mp_query *each;
	int status;

	if (mp_report_query(&each, e->db, &e->report->each, "", "", e->facts.style, err))
		return -1;
	while ((status = mp_query_next(each, err)) == 1)
		if (export_file(e, each, err)) {
			status = -1;
			break;
		}
	mp_query_close(each);
	return status;
}

/* Write the merged trace. */
static int export_merged(struct export *e, enum mp_trace_format format, struct mp_error *err)
{
	const struct mp_timeline_progress progress = {export_progress, e};
	struct trace_file file = {.db = e->db,
	    .reports = "trace",
	    .family = e->facts.family,
	    .stem = "trace",
	    .dirfd = e->dirfd,
	    .label = e->label,
	    .format = format,
	    .gzip = e->gzip,
	    .threads = e->team.wanted,
	    .progress = e->progress.active ? &progress : NULL};
	int status;

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

/* Say which data is in no export, and what the counters of tables are worth: unlike traces, these have no place for it.
 */
static int tell_left_out(const struct export *e, struct mp_error *err)
{
	static const char sql[] = "SELECT text, kind = 'counters' FROM note WHERE kind IN ('export', 'counters')";
	struct mp_query *q;
	int status;

	if (mp_query_open(&q, e->db, sql, sizeof(sql) - 1, err))
		return -1;
	while ((status = mp_query_next(q, err)) == 1) {
		const struct mp_value text = mp_text_of(mp_query_value(q, 0));

		if (!mp_query_int(q, 1))
			message_warning("'%s': %.*s", e->job->path, (int)text.len, text.text);
		else if (e->kind->is_table)
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
	int status = e->kept.label ? mp_made_read(&e->kept.made, e->kept.dirfd, err) : 0;
	struct mp_error ignored;

	mp_team_begin(&e->team, e->db, e->kind->prepare ? 1 : mp_team_processors());
	for (size_t i = 0; !status && i < e->reports.count; i++) {
		e->report = &e->reports.items[i];
		if (!rule || option_has_word(rule, ',', e->report->output.file, strlen(e->report->output.file)))
			status = e->kind->is_analysis ? export_analysis(e, err) : export_report(e, err);
	}
	if (!status && e->kind->is_analysis)
		status = export_analysis_write(e, err);
	if (!status && e->kind->finish)
		status = e->kind->finish(e, err);
	mp_team_end(&e->team);
	return export_kept_end(&e->kept, status ? &ignored : err) || status ? -1 : 0;
}

static int export_all(struct export *e, struct mp_error *err)
{
	struct trace_choice trace = {.files = true};
	int status = 0;

	if (job_run_facts(e->session, e->db, &e->facts, err) || job_run_notice(e->session, e->db, &e->facts, err) ||
	    job_run_compat(e->session, e->job, err))
		return -1;
	if (!e->facts.inference)
		return 0;
	if (mp_db_number(e->db, "SELECT total_int(records) FROM source", 0, &e->rows, err))
		return -1;
	if (tell_left_out(e, err) || export_choose(e, err))
		return -1;
	if (e->kind->is_trace) {
		trace = export_trace_choice(e->session->options, e->facts.family);
		progress_begin(&e->progress, options_has(e->session->options, OPTION_QUIET), "exporting", e->job->name);
	}
	if (mp_reports_load(&e->reports, e->name, e->facts.family, e->facts.style, err))
		return -1;
	if (e->kind->prepare)
		status = e->kind->prepare(e, err);
	if (!status && trace.files)
		status = export_reports(e, err);
	if (!status && e->files > EXPORT_SYNCED_MAX)
		status = mp_part_sync_all(e->dirfd, e->dir, err);
	if (!status && trace.merged)
		status = export_merged(e, trace.format, err);
	progress_end(&e->progress);
	mp_reports_free(&e->reports);
	if (status || export_kept_refuse(&e->kept, e->job->exports.path, err) ||
	    (!e->files && export_check_choice(e, err)))
		return -1;
	if (e->files)
		return 0;
	message_info(e->session->options, "'%s' has no data for '%s'%s: no file", e->job->path, e->kind->command->name,
	    has_time(e->session->options) ? " in the time of --from and --to" : "");
	return 0;
}

static void tell_result(const struct export *e)
{
	const struct options *o = e->session->options;

	if (e->files)
		message_info(o, "wrote %lld file%s to '%s/%s'", (long long)e->files, e->files == 1 ? "" : "s",
		    e->job->exports.path, e->dir);
	if (e->files && !e->events && has_time(o) && e->kind->is_trace)
		message_info(o, "no event is in the time of --from and --to: the files have names only");
	if (e->moved)
		message_info(o, "%lld of %lld events overlap others of their thread: they are on lanes of their own",
		    (long long)e->moved, (long long)e->events);
}

/* Make the directory, which a read-only job refuses before its data is parsed, open the database and lock both. */
static int open_output(struct export *e, struct mp_error *err)
{
	const struct mp_job *job = e->job;

	snprintf(e->label, sizeof(e->label), "%s/%s", job->exports.path, e->dir);
	e->dirfd = mp_dir_make(job->exports.dirfd, e->dir, e->label, err);
	if (e->dirfd < 0) {
		if (!job_output_refuse_readonly(job->exports.dirfd, job->exports.path))
			message_failure(err);
		return -1;
	}
	e->kept.dirfd = e->dirfd;
	e->kept.lists = e->kind->is_table;
	if (e->kind->is_guarded)
		e->kept.label = e->dir;
	if (!job_output_refuse_readonly(e->dirfd, e->label)) { /* that of an earlier export may be another's */
		e->db = job_run_database(e->session, job, true);
		if (e->db && job_run_lock(e->session, e->dirfd, MP_OUT_PART, e->label) == 0)
			return 0;
		mp_db_close(e->db);
	}
	close(e->dirfd);
	return -1;
}

int export_job(struct job_run *s, const struct mp_job *job, const struct export_kind *kind)
{
	const char *format = s->options->values[OPTION_FORMAT], *word = strrchr(kind->command->name, ' ');
	static struct export e; /* large, and there is one: the stack is small */
	struct mp_error err;
	int status;

	e = (struct export){.session = s,
	    .job = job,
	    .kind = kind,
	    .name = word ? word + 1 : kind->command->name,
	    /* other tools look for the exports of a PROF directory in one place */
	    .dir = job->family == MP_FAMILY_PROF && !kind->is_beside ? "mindstudio_profiler_output" : kind->dir,
	    .json = format && strcmp(format, "json") == 0,
	    .empty = options_has(s->options, OPTION_EMPTY),
	    .gzip = format && strcmp(format, "json.gz") == 0};
	if (open_output(&e, &err))
		return EXIT_FAILED;
	job_run_log(job, "Start exporting %s of \"%s\" ...", e.name, job->name);
	interrupt_removes(e.dirfd, MP_OUT_PART);
	status = export_all(&e, &err);
	interrupt_removes(-1, MP_OUT_PART);
	if (status) {
		status = message_failure(&err);
	} else {
		tell_result(&e);
		status = job_run_verdict(s, job, e.db);
	}
	mp_db_close(e.db);
	close(e.dirfd);
	return job_output_clear(s, job, status);
}
