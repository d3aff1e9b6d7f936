/* export_trace.c: writes the merged trace of a job beside the files of its timeline. */
#include "export_trace.h"

#include <stdio.h>
#include <string.h>

#include "base/gzip.h"
#include "budget.h"
#include "raw/layout.h"

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
	char name[64], label[4096];
	struct mp_out *out;
	int64_t bytes;
	int status = -1;

	snprintf(name, sizeof(name), "%s.%s", f->stem, ending);
	snprintf(label, sizeof(label), "%s/%s", f->label, name);
	if (mp_db_size(f->db, &bytes, err) || mp_reports_load(&reports, f->reports, f->family, MP_STYLE_DEFAULT, err))
		return -1;
	if (!mp_out_create(&out, f->dirfd, name, label, err)) {
		mp_out_limit(out, budget_output(bytes));
		mp_out_sync(out);
		status = write_file(f, &reports, out, err);
	}
	mp_reports_free(&reports);
	return status;
}
