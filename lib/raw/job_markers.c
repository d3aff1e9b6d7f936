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

#include "base/index.h"
#include "base/vec.h"

/*
 * The first file of the job of each part, layout, device, batch and number of pictures that several inferences share. A
 * job may have as many of them as markers, so each marker finds its file by an index.
 */
struct shared_files {
	struct mp_job *job;
	struct mp_index index; /* of the files of the job */
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
	const struct mp_job *job;
	int part;
	const struct mp_layout *layout;
	int64_t device_id, batch, input_pic_num;
};

static bool has_facts(const void *key, uint32_t item)
{
	const struct facts *k = key;
	const struct mp_job_file *f = &k->job->files[item];

	return f->part == k->part && f->layout == k->layout && f->identity.device_id == k->device_id &&
	       f->identity.batch == k->batch && f->identity.input_pic_num == k->input_pic_num;
}

/* The place of the first file with these facts, see mp_index_find. */
static uint32_t *find_place(struct shared_files *shared, const struct facts *wanted)
{
	uint64_t hash = mp_hash_mix((uint64_t)wanted->part, (uintptr_t)wanted->layout);

	hash = mp_hash_mix(mp_hash_mix(hash, (uint64_t)wanted->device_id), (uint64_t)wanted->batch);
	return mp_index_find(
	    &shared->index, shared->count, mp_hash_mix(hash, (uint64_t)wanted->input_pic_num), has_facts, wanted);
}

static int list_shared(struct shared_files *shared, struct mp_job *job, struct mp_error *err)
{
	*shared = (struct shared_files){.job = job};
	for (size_t i = 0; i < job->file_count; i++) {
		const struct mp_job_file *f = &job->files[i];
		const struct facts facts = {
		    job, f->part, f->layout, f->identity.device_id, f->identity.batch, f->identity.input_pic_num};
		uint32_t *place = is_shared(f) ? find_place(shared, &facts) : NULL;

		if (is_shared(f) && !place)
			return mp_fail_memory(err, "shared files");
		if (!place || *place)
			continue;
		*place = (uint32_t)i + 1;
		shared->count++;
	}
	/* a search makes no room then */
	return mp_index_grow(&shared->index, shared->count) ? 0 : mp_fail_memory(err, "shared files");
}

/* The first file in the order of the job that a marker of an inference describes, or NULL. */
static struct mp_job_file *find_shared(
    struct shared_files *shared, int part, const struct mp_layout *l, const struct mp_identity *id)
{
	uint32_t first = UINT32_MAX;

	/* the name of a file may lack the batch, the number of pictures, or both */
	for (int lacks = 0; lacks < 4; lacks++) {
		const struct facts wanted = {shared->job, part, l, id->device_id, lacks & 1 ? -1 : id->batch,
		    lacks & 2 ? -1 : id->input_pic_num};
		const uint32_t *place = find_place(shared, &wanted);

		if (place && *place && *place - 1 < first)
			first = *place - 1;
	}
	return first < UINT32_MAX ? &shared->job->files[first] : NULL;
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
    struct shared_files *shared, struct mp_error *err)
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
    struct mp_job *job, const struct mp_layouts *layouts, struct shared_files *shared, struct mp_error *err)
{
	for (size_t i = 0; i < job->file_count; i++)
		if (job->files[i].state == MP_FILE_MARKER && mp_job_is_done(job->files[i].name) &&
		    settle(job, &job->files[i], layouts, shared, err))
			return -1;
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_job_file *f = &job->files[i];

		if (!is_shared(f))
			continue;
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
	mp_index_free(&shared.index);
	return status;
}
