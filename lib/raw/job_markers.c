/*
 * job_markers.c: pairs .done markers with the raw files that they describe. A marker describes the file of its name, or
 * a portion of a file that several inferences share, whose name has no model.
 */
#include "raw/job_info.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/vec.h"

/*
 * Files that several inferences share, in order of part, layout, device, batch and number of pictures. A job may have
 * as many of them as markers, so each marker finds its file by halves. The list borrows the files of the job.
 */
struct shared_files {
	struct mp_job_file **files; /* sorted by what their names say */
	size_t count;
};

/* Returns whether the names of a layout's files may name a model. */
static bool names_model(const struct mp_layout *l)
{
	for (int i = 0; i < l->file_count; i++)
		for (int k = 0; k < l->files[i].piece_count; k++)
			if (l->files[i].pieces[k].kind == MP_PIECE_TEXT && l->files[i].pieces[k].len) /* {model} */
				return true;
	return false;
}

/* Returns whether several inferences share a file: its name lacks the model that other names of its layout have. */
static bool is_shared(const struct mp_job_file *f)
{
	return f->state == MP_FILE_RAW && f->identity.device_id >= 0 && !f->identity.model[0] && names_model(f->layout);
}

/* What the name of a file says, and a marker says, too; -1 where the name does not. */
struct facts {
	int part;
	uintptr_t layout;
	int64_t device_id, batch, input_pic_num;
};

static struct facts facts_of(int part, const struct mp_layout *l, const struct mp_identity *id)
{
	return (struct facts){part, (uintptr_t)l, id->device_id, id->batch < 0 ? -1 : id->batch,
	    id->input_pic_num < 0 ? -1 : id->input_pic_num};
}

#define ORDER(x, y) (((x) > (y)) - ((x) < (y)))

static int compare(const struct facts *a, const struct facts *b)
{
	const int orders[] = {ORDER(a->part, b->part), ORDER(a->layout, b->layout), ORDER(a->device_id, b->device_id),
	    ORDER(a->batch, b->batch), ORDER(a->input_pic_num, b->input_pic_num)};

	for (size_t i = 0; i < sizeof(orders) / sizeof(orders[0]); i++)
		if (orders[i])
			return orders[i];
	return 0;
}

static int compare_files(const void *a, const void *b)
{
	const struct mp_job_file *const *x = a, *const *y = b;
	const struct facts f = facts_of((*x)->part, (*x)->layout, &(*x)->identity),
			   g = facts_of((*y)->part, (*y)->layout, &(*y)->identity);
	int order = compare(&f, &g);

	return order ? order : ORDER(*x, *y);
}

/* List the shared files of a job, whose files stay where they are. Returns 0, or -1 with err. */
static int list_shared(struct shared_files *shared, struct mp_job *job, struct mp_error *err)
{
	*shared = (struct shared_files){NULL, 0};
	for (size_t i = 0; i < job->file_count; i++)
		shared->count += is_shared(&job->files[i]);
	if (!shared->count)
		return 0;
	shared->files = malloc(shared->count * sizeof(struct mp_job_file *));
	if (!shared->files)
		return mp_fail_memory(err, "shared files");
	shared->count = 0;
	for (size_t i = 0; i < job->file_count; i++)
		if (is_shared(&job->files[i]))
			shared->files[shared->count++] = &job->files[i];
	qsort(shared->files, shared->count, sizeof(struct mp_job_file *), compare_files);
	return 0;
}

static void free_shared(struct shared_files *shared)
{
	free(shared->files);
}

/* The first file with these facts, or NULL. */
static struct mp_job_file *find(const struct shared_files *shared, const struct facts *wanted)
{
	size_t low = 0, high = shared->count;

	while (low < high) {
		size_t mid = (low + high) / 2;
		const struct mp_job_file *f = shared->files[mid];
		const struct facts at = facts_of(f->part, f->layout, &f->identity);

		if (compare(&at, wanted) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	if (low < shared->count) {
		struct mp_job_file *f = shared->files[low];
		const struct facts at = facts_of(f->part, f->layout, &f->identity);

		if (compare(&at, wanted) == 0)
			return f;
	}
	return NULL;
}

/* The first file in the order of the job that a marker of an inference describes, or NULL. */
static struct mp_job_file *find_shared(
    const struct shared_files *shared, int part, const struct mp_layout *l, const struct mp_identity *id)
{
	struct mp_job_file *first = NULL;

	/* the name of a file may lack the batch, the number of pictures, or both */
	for (int lacks = 0; lacks < 4; lacks++) {
		struct facts wanted = facts_of(part, l, id);
		struct mp_job_file *f;

		if (lacks & 1)
			wanted.batch = -1;
		if (lacks & 2)
			wanted.input_pic_num = -1;
		f = find(shared, &wanted);
		if (f && (!first || f < first))
			first = f;
	}
	return first;
}

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
    const struct shared_files *shared, struct mp_error *err)
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
	f = find_shared(shared, marker->part, l, &id);
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
    struct mp_job *job, const struct mp_layouts *layouts, const struct shared_files *shared, struct mp_error *err)
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
	struct shared_files shared;
	int status = list_shared(&shared, job, err);

	if (!status)
		status = settle_all(job, layouts, &shared, err);
	free_shared(&shared);
	return status;
}
