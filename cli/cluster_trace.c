/* cluster_trace.c: the archive of msprof cluster --trace, and the process that writes the trace of a rank. */
#include "job_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/dir.h"
#include "base/out.h"
#include "cluster/cluster.h"
#include "launch.h"
#include "process.h"
#include "report/timeline.h"
#include "trace/trace.h"

/* What an archive begins with: the name of its first file. */
#define ALL "training.pftrace"

enum { TAR_BLOCK = 512, COPY_SIZE = 1 << 16, SIZE_DIGITS = 11 };

int cluster_trace_open(struct cluster_trace *t, struct mp_error *err)
{
	t->all = mp_dir_unnamed_temporary();
	t->plan = t->all < 0 ? -1 : mp_dir_unnamed_temporary();
	return t->plan < 0 ? mp_fail_errno(err, "cannot make a temporary file") : 0;
}

void cluster_trace_close(struct cluster_trace *t)
{
	if (t->all >= 0)
		close(t->all); /* a temporary file */
	if (t->plan >= 0)
		close(t->plan); /* a temporary file */
}

static int choose(struct mp_db *cluster, const struct options *o, struct mp_error *err)
{
	int64_t ranks[OPTION_LIST_MAX];
	struct mp_cluster_choice choice = {.to_ns = INT64_MAX, .ranks = ranks, .count = o->devices.count};

	for (size_t i = 0; i < choice.count; i++)
		option_read_number(o->devices.items[i], strlen(o->devices.items[i]), &ranks[i]);
	if (options_has(o, OPTION_FROM_TIME))
		option_read_time(o->values[OPTION_FROM_TIME], &choice.from_ns);
	if (options_has(o, OPTION_TO_TIME))
		option_read_time(o->values[OPTION_TO_TIME], &choice.to_ns);
	return mp_cluster_choose(cluster, &choice, err);
}

static int64_t item_of(const struct ranks *ranks, int64_t doc)
{
	size_t i = 0;

	while (i < ranks->count && ranks->items[i].doc != doc)
		i++;
	return (int64_t)i;
}

static int write_plan(struct mp_out *out, struct mp_db *cluster, const struct ranks *ranks, struct mp_error *err)
{
	struct mp_cluster_rank rank;
	struct mp_query *q;
	int status;

	if (mp_cluster_ranks(&q, cluster, err))
		return -1;
	while ((status = mp_cluster_rank_next(q, &rank, err)) == 1) {
		rank.doc = item_of(ranks, rank.doc);
		mp_out_write(out, (const char *)&rank, sizeof(rank));
	}
	mp_query_close(q);
	return status;
}

int cluster_trace_plan(const struct cluster_trace *t, struct mp_db *cluster, const struct ranks *ranks,
    const struct options *o, struct mp_error *err)
{
	struct mp_out *out;
	int64_t events = 0;
	int status;

	if (choose(cluster, o, err) || mp_out_fd(&out, t->all, "a temporary file", err))
		return -1;
	if (mp_cluster_trace(cluster, out, &events, err)) {
		mp_out_abort(out);
		return -1;
	}
	if (mp_out_commit(out, err) || mp_out_fd(&out, t->plan, "a temporary file", err))
		return -1;
	status = events ? write_plan(out, cluster, ranks, err)
			: mp_fail(err, "no step and no collective operation is in the time of --from and --to");
	if (!status)
		return mp_out_commit(out, err);
	mp_out_abort(out);
	return -1;
}

/* The trace of a rank, in a process of its own. */

struct rank_trace {
	const struct mp_cluster_rank *rank;
	int fd;
};

static int want(struct mp_db *db, const struct mp_cluster_rank *rank, struct mp_error *err)
{
	return mp_db_want_time(db, "host", rank->from_ns, rank->to_ns, err) ||
		       mp_db_want_time(db, "device", rank->from_ns, rank->to_ns, err) ||
		       mp_db_want_device(db, rank->device_id, err)
		   ? -1
		   : 0;
}

static int write_rank(struct job_run *s, const struct mp_job *job, struct mp_db *db, struct mp_error *err)
{
	const struct rank_trace *t = s->user;
	const struct mp_trace_options options = {.format = MP_TRACE_PERFETTO, .dirfd = -1, .base_ns = t->rank->base_ns};
	struct mp_timeline_stats stats;
	struct mp_reports reports;
	struct mp_out *out;
	int64_t bytes;
	int status;

	if (job_run_choose(s, job, db, err) || want(db, t->rank, err) || mp_db_size(db, &bytes, err) ||
	    mp_reports_load(&reports, "trace", "prof", MP_STYLE_DEFAULT, err))
		return -1;
	status = mp_out_fd(&out, t->fd, "a temporary file", err);
	if (!status) {
		mp_out_limit(out, budget_output(bytes));
		if (mp_trace_pack(out, 1, err) || mp_trace_write(&reports, db, &options, out, &stats, err)) {
			mp_out_abort(out);
			status = -1;
		} else {
			status = mp_out_commit(out, err);
		}
	}
	mp_reports_free(&reports);
	return status;
}

static int trace_job(struct job_run *s, const struct mp_job *job)
{
	return job_run_use(s, job, job_run_database(s, job, true), write_rank);
}

/* The archive. */

static void put_octal(char *at, int digits, int64_t value)
{
	for (at[digits] = '\0'; digits; value >>= 3)
		at[--digits] = (char)('0' + (value & 7));
}

/* Begin a file of an archive: a header of the form that POSIX calls ustar. */
static void put_header(struct mp_out *out, const char *name, int64_t size)
{
	struct {
		char name[100], mode[8], uid[8], gid[8], size[12], time[12], sum[8], kind, link[100], magic[8];
		char owner[32], group[32], major[8], minor[8], prefix[155], rest[12];
	} header = {.kind = '0', .magic = "ustar"};
	unsigned sum = 0;

	_Static_assert(sizeof(header) == TAR_BLOCK, "the size of a header");
	snprintf(header.name, sizeof(header.name), "%s", name);
	put_octal(header.mode, 7, 0644);
	put_octal(header.uid, 7, 0);
	put_octal(header.gid, 7, 0);
	put_octal(header.size, SIZE_DIGITS, size);
	put_octal(header.time, 11, 0);
	memcpy(header.magic + 6, "00", 2);
	memset(header.sum, ' ', sizeof(header.sum));
	for (size_t i = 0; i < sizeof(header); i++)
		sum += ((const unsigned char *)&header)[i];
	put_octal(header.sum, 6, sum);
	mp_out_write(out, (const char *)&header, sizeof(header));
}

/* Fill the last block of a file of `size` bytes. */
static void put_rest(struct mp_out *out, int64_t size)
{
	static const char zeros[TAR_BLOCK];

	if (size % TAR_BLOCK)
		mp_out_write(out, zeros, (size_t)(TAR_BLOCK - size % TAR_BLOCK));
}

/* Append a temporary file. Returns 1, 0 for an empty one, or -1 with err. */
static int put_file(struct mp_out *out, const char *name, int fd, struct mp_error *err)
{
	const int64_t size = lseek(fd, 0, SEEK_END);
	static char bytes[COPY_SIZE];
	ssize_t n = 0;

	if (size <= 0)
		return size ? mp_fail_errno(err, "cannot read a temporary file") : 0;
	if (size >> 3 * SIZE_DIGITS)
		return mp_fail(
		    err, "'%s' is larger than a file of an archive may be: choose a time with --from and --to", name);
	put_header(out, name, size);
	for (int64_t at = 0; at < size && n >= 0; at += n) {
		n = mp_file_read(fd, bytes, (size_t)(size - at < COPY_SIZE ? size - at : COPY_SIZE), at);
		if (n <= 0)
			return mp_fail_errno(err, "cannot read a temporary file");
		mp_out_write(out, bytes, (size_t)n);
	}
	put_rest(out, size);
	return mp_out_error(out, err) ? -1 : 1;
}

/* A member of the manifest: whose file of the archive is. */
static void name_machine(struct mp_out *manifest, const char *file, const char *machine)
{
	const char *pieces[] = {"{\"path\": \"", file, "\", \"machine\": {\"name\": \"", machine, "\"}}"};

	for (size_t i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++)
		mp_out_text(manifest, pieces[i]);
}

struct archive {
	struct mp_out *out, *manifest;
	const struct cluster_trace *trace;
	const struct ranks *ranks;
	const struct options *options;
	int status; /* the worst of the ranks */
};

/* Start a process that writes the trace of a rank. Returns its file, or -1 with the error printed. */
static int start_rank(
    struct workers *w, const struct archive *a, const struct rank *item, const struct mp_cluster_rank *rank)
{
	struct rank_trace trace = {rank, mp_dir_unnamed_temporary()};
	static struct options mine; /* the stack is small */
	int started = trace.fd < 0 ? -1 : workers_start(w);

	if (started == 0) {
		mine = ranks_options(item, a->options);
		started = job_run_all(
		    &(struct job_run){.options = &mine, .wants.top = a->ranks->top, .user = &trace}, trace_job);
		_exit(fflush(NULL) ? EXIT_FAILED : started);
	}
	if (started > 0)
		return trace.fd;
	if (trace.fd >= 0)
		close(trace.fd); /* nothing was written */
	else
		message_error("cannot make a temporary file");
	return -1;
}

/* Write the traces of ranks at a time, and append them in their order. */
static int put_ranks(struct archive *a, const struct mp_cluster_rank *plan, size_t count, struct mp_error *err)
{
	struct workers workers = {.count = 0};
	int fds[WORKERS_MAX], status = 0;

	for (size_t i = 0; i < count; i++) {
		const bool has =
		    plan[i].doc >= 0 && (size_t)plan[i].doc < a->ranks->count && !a->ranks->items[plan[i].doc].is_file;

		fds[i] = has ? start_rank(&workers, a, &a->ranks->items[plan[i].doc], &plan[i]) : -1;
		if (has && fds[i] < 0)
			a->status = EXIT_FAILED;
	}
	while (workers.count)
		a->status = job_run_worse(a->status, workers_wait(&workers, NULL, NULL));
	for (size_t i = 0; i < count; i++) {
		char name[48], machine[32];

		if (fds[i] < 0)
			continue;
		snprintf(name, sizeof(name), "rank_%05lld.pftrace", (long long)plan[i].rank);
		snprintf(machine, sizeof(machine), "rank %lld", (long long)plan[i].rank);
		if (!status)
			status = put_file(a->out, name, fds[i], err);
		if (status > 0) {
			mp_out_text(a->manifest, ",\n");
			name_machine(a->manifest, name, machine);
		}
		status = status < 0 ? -1 : 0;
		close(fds[i]); /* a temporary file */
	}
	return status;
}

static int put_all(struct archive *a, int at_a_time, struct mp_error *err)
{
	static struct mp_cluster_rank plan[WORKERS_MAX]; /* the stack is small */
	ssize_t size;
	int status = put_file(a->out, ALL, a->trace->all, err) < 0 ? -1 : 0;

	mp_out_text(a->manifest, "{\"perfetto_manifest\": {\"version\": 1, \"files\": [\n");
	name_machine(a->manifest, ALL, "all ranks");
	for (off_t at = 0; !status && !interrupt_count(); at += size) {
		size = mp_file_read(a->trace->plan, plan, (size_t)at_a_time * sizeof(plan[0]), at);
		if (size <= 0)
			return size ? mp_fail_errno(err, "cannot read a temporary file") : 0;
		status = put_ranks(a, plan, (size_t)size / sizeof(plan[0]), err);
	}
	return status;
}

/* Append the manifest, which has each file by now, and the two blocks that end an archive. */
static int put_manifest(struct archive *a, int fd, struct mp_error *err)
{
	static const char zeros[2 * TAR_BLOCK];

	mp_out_text(a->manifest, "\n]}}\n");
	if (mp_out_flush(a->manifest, err) || put_file(a->out, "perfetto_manifest.json", fd, err) < 0)
		return -1;
	mp_out_write(a->out, zeros, sizeof(zeros));
	return 0;
}

static int write_archive(struct archive *a, int at_a_time, struct mp_error *err)
{
	int fd = mp_dir_unnamed_temporary();
	int status = fd < 0 ? mp_fail_errno(err, "cannot make a temporary file")
			    : mp_out_fd(&a->manifest, fd, "a temporary file", err);

	if (!status) {
		status = put_all(a, at_a_time, err) || put_manifest(a, fd, err) ? -1 : 0;
		mp_out_abort(a->manifest); /* its bytes are in the archive */
	}
	if (fd >= 0)
		close(fd); /* a temporary file */
	return status;
}

int cluster_trace_write(
    const struct cluster_trace *t, const struct ranks *ranks, const struct options *o, int at_a_time)
{
	struct archive a = {.trace = t, .ranks = ranks, .options = o, .status = EXIT_OK};
	struct whole_file file;
	struct mp_error err;
	int status = whole_file_open(&file, o->values[OPTION_TRACE], ALL, &err);

	if (!status) {
		a.out = file.out;
		status = write_archive(&a, at_a_time, &err);
		if (!status && interrupt_count())
			status = mp_fail(&err, "interrupted: '%s' is not written", o->values[OPTION_TRACE]);
		status = whole_file_close(&file, status, &err);
	}
	if (status)
		return message_failure(&err);
	message_info(o, "wrote '%s'", o->values[OPTION_TRACE]);
	return a.status;
}
