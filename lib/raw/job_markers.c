/*
 * job_markers.c: pairs .done markers with the raw files that they describe. A marker describes the file of its name, or
 * a portion of a file that several inferences share, whose name has no model.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/failure.h"
#include "base/vec.h"
#include "raw/job_info.h"
#include "raw/job_shared.h"

static bool ends_with(const char *name, const char *suffix)
{
	size_t n = strlen(name), s = strlen(suffix);

	return n > s && strcmp(name + n - s, suffix) == 0;
}

bool mp_job_is_done(const char *name)
{
	return ends_with(name, ".done");
}

bool mp_job_is_marker(const char *name)
{
	return ends_with(name, ".done") || ends_with(name, ".complete") || strncmp(name, "recorder.json.", 14) == 0;
}

/* The whole number behind "KEY:" at the beginning of a line, at most `max`; else -1. */
static int64_t told(const char *text, const char *key, int64_t max)
{
	size_t len = strlen(key);
	const char *at = text;
	char *end;
	unsigned long long number;

	while (at && len) {
		if (strncmp(at, key, len) == 0 && at[len] == ':' && at[len + 1] >= '0' && at[len + 1] <= '9') {
			errno = 0;
			number = strtoull(at + len + 1, &end, 10);
			return !errno && (*end == '\n' || !*end) && number <= (unsigned long long)max ? (int64_t)number
												      : -1;
		}
		at = strchr(at, '\n');
		if (at)
			at++;
	}
	return -1;
}

/* Read the text of a marker. What cannot be read, or is no text, is empty; what is too long ends with a whole line. */
static void read_text(const struct mp_job *job, const struct mp_job_file *file, char text[MP_MARKER_SIZE + 1])
{
	int fd = mp_job_open_file(job, file);
	ssize_t n = 0;

	if (fd >= 0) {
		n = read(fd, text, MP_MARKER_SIZE);
		close(fd); /* opened read-only: nothing can be lost */
	}
	text[n > 0 ? n : 0] = '\0';
	if (n > 0 && strlen(text) != (size_t)n) /* after a loss of power, a number before the NUL bytes may be cut */
		text[0] = '\0';
	else if (n == MP_MARKER_SIZE && file->size > n)
		text[strrchr(text, '\n') ? strrchr(text, '\n') + 1 - text : 0] = '\0';
}

/* Read what a marker says. */
static int read_marker(const struct mp_job *job, const struct mp_job_file *file, const struct mp_layout *l,
    struct mp_marker *m, struct mp_error *err)
{
	char text[MP_MARKER_SIZE + 1] = "";
	int64_t unit = l->done_unit == MP_UNIT_US ? 1000 : 1;

	*m = (struct mp_marker){.bytes = -1, .start_ns = -1, .identity = MP_NO_IDENTITY};
	read_text(job, file, text);
	if (text[0]) {
		m->text = strdup(text);
		if (!m->text)
			return mp_fail_memory(err, "markers");
	}
	m->bytes = told(text, l->done_bytes[0] ? l->done_bytes : "filesize", INT64_MAX);
	/* far enough from the end of the range for any sum of durations */
	m->start_ns = told(text, l->done_start, INT64_MAX / 4 / unit);
	m->start_ns *= m->start_ns < 0 ? 1 : unit;
	return 0;
}

static struct mp_job_file *find_file(struct mp_job *job, int part, const char *name, size_t len)
{
	size_t low = 0, high = job->file_count;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const char *at = job->files[mid].name;
		int order = job->files[mid].part - part;

		if (!order)
			order = strncmp(at, name, len);

		if (order == 0 && at[len] == '\0')
			return &job->files[mid];
		if (order < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

bool mp_layout_names_model(const struct mp_layout *l)
{
	for (int i = 0; i < l->file_count; i++)
		for (int k = 0; k < l->files[i].piece_count; k++)
			if (l->files[i].pieces[k].kind == MP_PIECE_TEXT && l->files[i].pieces[k].len) /* {model} */
				return true;
	return false;
}

static int add_marker(struct mp_job *job, struct mp_job_file *f, const struct mp_job_file *file,
    const struct mp_identity *id, struct mp_error *err)
{
	struct mp_marker *m;

	if (!mp_vec_room(f->markers, f->marker_count, 1))
		return mp_fail_memory(err, "markers");
	m = &f->markers[f->marker_count];
	if (read_marker(job, file, f->layout, m, err))
		return -1;
	m->identity = *id;
	f->marker_count++;
	f->has_done = true;
	if (m->start_ns > 0 && (!job->earliest_ns || m->start_ns < job->earliest_ns))
		job->earliest_ns = m->start_ns;
	return 0;
}

/* Give a marker to the file that it describes. A marker without a file means lost data. */
static int settle(struct mp_job *job, struct mp_job_file *marker, const struct mp_layouts *layouts,
    const struct mp_shared_files *shared, struct mp_error *err)
{
	size_t len = strlen(marker->name) - strlen(".done");
	struct mp_job_file *f = find_file(job, marker->part, marker->name, len);
	struct mp_identity id;
	const struct mp_layout *l;

	if (f)
		return f->layout ? add_marker(job, f, marker, &f->identity, err) : 0;
	l = mp_job_find_layout(layouts, job, marker->part, marker->name, len, &id);
	if (!l)
		return 0;
	f = mp_shared_find(shared, marker->part, l, &id);
	if (!f) {
		marker->doubtful = true;
		marker->remark = "its raw file is missing";
		return 0;
	}
	marker->remark = "describes a part of a file that several share";
	return add_marker(job, f, marker, &id, err);
}

/* Inferences lie in a shared file in the order of time. A marker without a start is that of the last one, most likely.
 */
static int by_start(const void *a, const void *b)
{
	const struct mp_marker *x = a, *y = b;

	if ((x->start_ns < 0) != (y->start_ns < 0))
		return x->start_ns < 0 ? 1 : -1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	if (x->identity.current_pic != y->identity.current_pic)
		return x->identity.current_pic < y->identity.current_pic ? -1 : 1;
	return strcmp(x->identity.model, y->identity.model);
}

static int settle_all(
    struct mp_job *job, const struct mp_layouts *layouts, const struct mp_shared_files *shared, struct mp_error *err)
{
	for (size_t i = 0; i < job->file_count; i++)
		if (job->files[i].state == MP_FILE_MARKER && mp_job_is_done(job->files[i].name) &&
		    settle(job, &job->files[i], layouts, shared, err))
			return -1;
	for (size_t i = 0; i < shared->count; i++) {
		struct mp_job_file *f = shared->files[i];

		if (f->marker_count)
			qsort(f->markers, f->marker_count, sizeof(*f->markers), by_start);
		f->doubtful = !f->marker_count;
		f->remark = f->marker_count ? NULL : "the model is unknown: no .done marker names it";
	}
	return 0;
}

int mp_job_settle_markers(struct mp_job *job, const struct mp_layouts *layouts, struct mp_error *err)
{
	struct mp_shared_files shared;
	int status = mp_shared_list(&shared, job, err);

	if (!status)
		status = settle_all(job, layouts, &shared, err);
	mp_shared_free(&shared);
	return status;
}
