/* export_files.c: writes the files of an export: traces, stacks, CSV or JSON; and keeps those of other tools. */
#include "export.h"

#include <stdio.h>
#include <string.h>

#include "base/packer.h"
#include "printer.h"
#include "process.h"
#include "report/formats.h"
#include "report/timeline.h"

int export_kept_end(struct export_kept *k, struct mp_error *err)
{
	const int status = k->lists ? mp_made_write(&k->made, k->dirfd, k->label, err) : 0;

	mp_made_free(&k->made);
	return status;
}

static void tell_foreign(struct export_kept *k, const char *name)
{
	if (!k->foreign++)
		snprintf(k->first, sizeof(k->first), "%s", name);
}

static bool is_foreign(struct export_kept *k, const char *name)
{
	return k->label && mp_made_elsewhere(&k->made, k->dirfd, name);
}

bool export_kept_is_foreign(struct export_kept *k, const char *name)
{
	const bool foreign = is_foreign(k, name);

	if (foreign)
		tell_foreign(k, name);
	return foreign;
}

int export_kept_add(struct export_kept *k, const char *name, struct mp_error *err)
{
	return k->lists ? mp_made_add(&k->made, k->dirfd, name, name, err) : 0;
}

/* The job keeps what it was delivered with. No word where ours would be the same. */
static int keep_foreign(struct export_kept *k, struct mp_out *out, const char *name, struct mp_error *err)
{
	const int status = mp_out_flush(out, err);

	if (!status && !mp_made_same(k->dirfd, name, MP_OUT_PART))
		tell_foreign(k, name);
	mp_out_abort(out);
	return status;
}

int export_kept_commit(struct export_kept *k, struct mp_out *out, const char *name, struct mp_error *err)
{
	const size_t len = strlen(name);
	const bool packed = len > 3 && strcmp(name + len - 3, ".gz") == 0; /* no other tool writes these */

	if (!packed && is_foreign(k, name))
		return keep_foreign(k, out, name, err);
	if (k->lists && (mp_out_flush(out, err) || mp_made_add(&k->made, k->dirfd, MP_OUT_PART, name, err))) {
		mp_out_abort(out);
		return -1;
	}
	return mp_out_commit(out, err);
}

int export_kept_refuse(const struct export_kept *k, const char *path, struct mp_error *err)
{
	char more[64] = "";

	if (!k->foreign)
		return 0;
	if (k->foreign > 1)
		snprintf(more, sizeof(more), " (and %lld more)", (long long)k->foreign - 1);
	return mp_fail(err,
	    "'%s/%s/%s'%s is of another tool and stays as it is: export to another directory with --output DIR, or move it away",
	    path, k->label, k->first, more);
}

static int write_summary(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err)
{
	struct mp_section_options o = {.style = e->facts.style, .team = &e->team, .out = out};
	struct mp_json json;
	struct mp_csv csv;

	if (!e->json) {
		if (options_has(e->session->options, OPTION_BOM))
			mp_out_text(out, CSV_BOM);
		mp_csv_init(&csv, out, e->report->output.crlf);
		csv.empty = e->empty;
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

int export_write_tables(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err)
{
	return strcmp(e->report->output.form, "object") == 0 ? write_object(e, each, out, err)
							     : write_summary(e, each, out, err);
}

void export_progress(void *user, int64_t events)
{
	struct export *e = user;

	progress_update(&e->progress, e->events + events, e->rows);
}

int export_write_timeline(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err)
{
	struct mp_timeline_progress progress = {export_progress, e};
	struct mp_timeline_stats stats;
	const struct mp_timeline_progress *told = e->progress.active ? &progress : NULL;
	int status;

	if (strcmp(e->report->output.form, "array") == 0)
		status = mp_events_write(e->report, &e->team, each, e->facts.style, out, told, &stats, err);
	else
		status = mp_timeline_write(e->report, &e->team, each, e->facts.style, out, told, &stats, err);
	if (status)
		return -1;
	e->events += stats.events;
	e->moved += stats.moved;
	return 0;
}

int export_write_stacks(struct export *e, const struct mp_query *each, struct mp_out *out, struct mp_error *err)
{
	struct mp_timeline_progress progress = {export_progress, e};
	struct mp_timeline_stats stats;

	return mp_stacks_write(
	    e->report, e->db, each, e->facts.style, out, e->progress.active ? &progress : NULL, &stats, err);
}

/* What the name of a file ends with. */
static const char *ending_of(const struct export *e)
{
	if (e->kind->ending)
		return e->kind->ending;
	if (e->kind->is_trace)
		return e->gzip ? ".json.gz" : ".json";
	return e->json || e->report->output.form[0] ? ".json" : ".csv";
}

int export_file(struct export *e, const struct mp_query *each, struct mp_error *err)
{
	const char *file =
	    e->json && e->report->output.json_file[0] ? e->report->output.json_file : e->report->output.file;
	char name[512], label[4096];
	struct mp_out *out;
	int64_t bytes;
	size_t len;

	if (mp_report_name(name, sizeof(name), file, each, err))
		return -1;
	len = strlen(name);
	snprintf(name + len, sizeof(name) - len, "%s", ending_of(e));
	snprintf(label, sizeof(label), "%s/%s/%s", e->job->exports.path, e->dir, name);
	if (mp_db_size(e->db, &bytes, err) || mp_out_create(&out, e->dirfd, name, label, err))
		return -1;
	mp_out_limit(out, budget_output(bytes));
	if (e->files < EXPORT_SYNCED_MAX)
		mp_out_sync(out);
	if ((e->gzip && mp_gzip_out(out, e->team.wanted, err)) || e->kind->write(e, each, out, err)) {
		mp_out_abort(out);
		return -1;
	}
	if (export_kept_commit(&e->kept, out, name, err))
		return -1;
	e->files++;
	return 0;
}
