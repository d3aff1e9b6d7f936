/* export_trace.c: writes the merged trace of a job beside the files of its timeline; gathers the results of a process,
 * and writes them as one trace beside them. */
#include "export.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/door.h"
#include "base/packer.h"
#include "base/vec.h"
#include "import/job_db.h"
#include "process.h"
#include "raw/job.h"
#include "raw/layout.h"
#include "trace/trace.h"

static bool is_family(const char *family, enum mp_family one)
{
	return strcmp(family, mp_family_name(one)) == 0;
}

/*
 * Jobs of one clock for each file have both; later ones have a merged file of the vendor's form, which the guide's
 * style replaces.
 */
struct trace_choice export_trace_choice(const struct options *options, const char *family)
{
	const char *format = options->values[OPTION_FORMAT], *style = options->values[OPTION_STYLE];
	const bool separate = is_family(family, MP_FAMILY_SVP) || is_family(family, MP_FAMILY_ASCEND910);

	if (format && strcmp(format, "perfetto") == 0)
		return (struct trace_choice){.merged = true, .format = MP_TRACE_PERFETTO};
	if (separate)
		return (struct trace_choice){
		    .merged = !style || strcmp(style, "vendor") != 0, .files = true, .format = MP_TRACE_JSON};
	return (struct trace_choice){.merged = style && strcmp(style, "guide") == 0,
	    .files = !style || strcmp(style, "guide") != 0,
	    .format = MP_TRACE_JSON};
}

static int compress(const struct trace_file *f, struct mp_out *out, struct mp_error *err)
{
	if (f->format == MP_TRACE_PERFETTO)
		return mp_trace_pack(out, f->threads, err);
	return f->gzip ? mp_gzip_out(out, f->threads, err) : 0;
}

static int write_file(struct trace_file *f, const struct mp_reports *reports, struct mp_out *out, struct mp_error *err)
{
	const struct mp_trace_options options = {.format = f->format, .dirfd = f->dirfd, .progress = f->progress};

	if (compress(f, out, err) || mp_trace_write(reports, f->db, &options, out, &f->stats, err)) {
		mp_out_abort(out);
		return -1;
	}
	if (!f->stats.events) {
		mp_out_abort(out);
		return 0;
	}
	return mp_out_commit(out, err) ? -1 : 1;
}

int export_trace(struct trace_file *f, struct mp_error *err)
{
	const char *ending = f->format != MP_TRACE_JSON ? "pftrace" : f->gzip ? "json.gz" : "json";
	struct mp_reports reports;
	char label[4096];
	struct mp_out *out;
	int64_t bytes;
	int status = -1;

	snprintf(f->name, sizeof(f->name), "%s.%s", f->stem, ending);
	snprintf(label, sizeof(label), "%s/%s", f->label, f->name);
	if (mp_db_size(f->db, &bytes, err) || mp_reports_load(&reports, f->reports, f->family, MP_STYLE_DEFAULT, err))
		return -1;
	if (!mp_out_create(&out, f->dirfd, f->name, label, err)) {
		mp_out_limit(out, budget_output(bytes));
		mp_out_sync(out);
		status = write_file(f, &reports, out, err);
	}
	mp_reports_free(&reports);
	return status;
}

struct results {
	int (*work)(struct job_run *s, const struct mp_job *job);
	struct mp_job_process *items; /* a process for each result */
	size_t count;
	const struct mp_job_process *gathered; /* the process whose results are gathered now */
	struct mp_db *db;                      /* its events */
};

static int work_and_remember(struct job_run *s, const struct mp_job *job)
{
	struct results *r = s->user;
	struct mp_error err;

	if (!mp_vec_room(r->items, r->count, 1)) {
		mp_error_set_memory(&err, "the results of a process");
		return message_failure(&err);
	}
	r->count += mp_job_process(job, &r->items[r->count]);
	return r->work(s, job);
}

static int gather(struct job_run *s, const struct mp_job *job)
{
	struct results *r = s->user;
	struct mp_job_process process;
	struct facts facts;
	struct mp_error err;
	struct mp_db *db;
	int status;

	if (!mp_job_process(job, &process) || strcmp(process.identity, r->gathered->identity) != 0)
		return EXIT_OK;
	db = job_run_database(s, job, true);
	if (!db)
		return EXIT_FAILED;
	status = job_run_facts(s, db, &facts, &err) || mp_trace_process_add(r->db, db, facts.family, job->name, &err);
	if (status)
		message_failure(&err);
	mp_db_close(db);
	return status ? EXIT_FAILED : EXIT_OK;
}

/* Whether an earlier or a later result is of the same process as this one. */
static bool has_other(const struct results *r, size_t at, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (strcmp(r->items[i].identity, r->items[at].identity) == 0)
			return true;
	return false;
}

/* Another process may have had the same number: its trace has a further number. */
static void name_file(const struct results *r, char *stem, size_t size)
{
	size_t at = (size_t)(r->gathered - r->items);
	int same = 1;

	for (size_t i = 0; i < at; i++)
		same +=
		    r->items[i].pid == r->items[at].pid && !has_other(r, i, 0, i) && has_other(r, i, i + 1, r->count);
	if (same == 1)
		snprintf(stem, size, "process_%lld", (long long)r->items[at].pid);
	else
		snprintf(stem, size, "process_%lld_%d", (long long)r->items[at].pid, same);
}

/* Write the trace of the gathered process into a directory. */
static int write_trace(struct job_run *s, struct results *r, const char *dir, int dirfd)
{
	const char *format = s->options->values[OPTION_FORMAT];
	char stem[48];
	struct trace_file file = {.db = r->db,
	    .reports = "process_trace",
	    .family = "any",
	    .stem = stem,
	    .dirfd = dirfd,
	    .label = dir,
	    .format = export_trace_choice(s->options, "svp").format,
	    .threads = mp_team_processors(),
	    .gzip = format && strcmp(format, "json.gz") == 0};
	struct mp_error err;
	int status;

	name_file(r, stem, sizeof(stem));
	if (job_run_lock(s, dirfd, MP_OUT_PART, dir))
		return EXIT_FAILED;
	interrupt_removes(dirfd, MP_OUT_PART);
	status = export_trace(&file, &err);
	interrupt_removes(-1, MP_OUT_PART);
	if (status < 0)
		message_failure(&err);
	else if (status)
		message_info(s->options, "wrote the results of process %lld in one trace: '%s/%s'",
		    (long long)r->gathered->pid, dir, file.name);
	return status < 0 ? EXIT_FAILED : EXIT_OK;
}

static int write_beside(struct job_run *s, struct results *r)
{
	const char *const *values = s->options->values, *dir = values[OPTION_ELSEWHERE];
	struct mp_error err;
	int fd, status;

	if (!dir)
		dir = values[OPTION_DIR];
	fd = mp_named_dir(dir, &err);
	if (fd < 0)
		return message_failure(&err);
	status = write_trace(s, r, dir, fd);
	close(fd); /* nothing was written with it */
	return status;
}

static int export_process(const struct options *options, struct results *r)
{
	struct job_run s = {.options = options, .user = r};
	struct mp_error err;
	int status;

	if (mp_process_db_make(&r->db, &err))
		return message_failure(&err);
	status = job_run_all(&s, gather);
	if (status != EXIT_FAILED)
		status = write_beside(&s, r);
	mp_db_close(r->db);
	return status;
}

static bool is_part(const struct options *options)
{
	static const enum option_id parts[] = {OPTION_FROM_TIME, OPTION_TO_TIME, OPTION_DEVICE, OPTION_MODEL_ID,
	    OPTION_PICTURE, OPTION_ITERATION_ID, OPTION_ITERATION_COUNT, OPTION_REPORTS};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (options_has(options, parts[i]))
			return true;
	return false;
}

int export_processes(const struct options *options, int (*work)(struct job_run *s, const struct mp_job *job))
{
	static struct results r; /* large, and there is one: the stack is small */
	static struct job_run s;
	int status;

	r = (struct results){.work = work};
	s = (struct job_run){.options = options, .user = &r};
	status = job_run_all(&s, work_and_remember);
	for (size_t i = 0; status != EXIT_FAILED && !is_part(options) && i < r.count; i++) {
		r.gathered = &r.items[i];
		if (!has_other(&r, i, 0, i) && has_other(&r, i, i + 1, r.count))
			status = job_run_worse(status, export_process(options, &r));
	}
	free(r.items);
	return status;
}
