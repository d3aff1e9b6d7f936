/* job_markers.c: compares .done markers with the raw files beside them, and finds the identity of short-named files. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "raw/job_info.h"

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
	return ends_with(name, ".done") || ends_with(name, ".complete");
}

/* "filesize:896", or -1 */
static int64_t marker_says(const struct mp_job *job, const struct mp_job_file *marker)
{
	char text[64] = "";
	int fd = mp_job_open_file(job, marker);
	ssize_t n;
	long long size = -1;

	if (fd < 0)
		return -1;
	n = read(fd, text, sizeof(text) - 1);
	close(fd); /* opened read-only: nothing can be lost */
	if (n <= 0 || sscanf(text, "filesize:%18lld", &size) != 1)
		return -1;
	return size;
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

/* Pair each file with its marker; the files are in order of name. */
static void pair_markers(struct mp_job *job)
{
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_job_file *marker = &job->files[i];
		size_t len = strlen(marker->name);
		struct mp_job_file *f;

		if (marker->state != MP_FILE_MARKER || !mp_job_is_done(marker->name))
			continue;
		f = find_file(job, marker->part, marker->name, len - strlen(".done"));
		if (f) {
			f->has_done = true;
			f->marker_size = marker_says(job, marker);
		}
	}
}

static bool names_model(const struct mp_layout *l)
{
	for (int i = 0; i < l->file_count; i++)
		for (int k = 0; k < l->files[i].piece_count; k++)
			if (l->files[i].pieces[k].kind == MP_PIECE_TEXT && l->files[i].pieces[k].len) /* {model} */
				return true;
	return false;
}

/* Returns whether a file's name lacks the model, while other names of its layout have one. */
static bool is_short(const struct mp_job_file *f)
{
	return f->state == MP_FILE_RAW && f->identity.device_id >= 0 && !f->identity.model[0] && names_model(f->layout);
}

/* Find .done markers without a raw file, and the identity of the missing file. */
static void find_orphans(struct mp_job *job, const struct mp_layouts *layouts)
{
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_job_file *f = &job->files[i];
		size_t len = strlen(f->name);

		if (f->state == MP_FILE_MARKER && mp_job_is_done(f->name) && !find_file(job, f->part, f->name, len - 5))
			f->layout = mp_job_find_layout(layouts, job, f->part, f->name, len - 5, &f->identity);
	}
}

/* The orphan marker that names a model for the layout and device of f. *count receives the number of such markers. */
static struct mp_job_file *find_marker_of(struct mp_job *job, const struct mp_job_file *f, int *count)
{
	struct mp_job_file *found = NULL;

	*count = 0;
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_job_file *marker = &job->files[i];

		if (marker->state != MP_FILE_MARKER || marker->layout != f->layout || !marker->identity.model[0] ||
		    marker->identity.device_id != f->identity.device_id)
			continue;
		++*count;
		found = marker;
	}
	return found;
}

/*
 * A short-named file takes the identity of the only .done marker of its layout and device without a raw file. With
 * several markers or several files all are doubtful.
 */
static void settle_short_names(struct mp_job *job)
{
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_job_file *f = &job->files[i], *marker;
		int orphans, rivals = 0;

		if (!is_short(f))
			continue;
		for (size_t k = 0; k < job->file_count; k++)
			rivals += job->files[k].layout == f->layout && is_short(&job->files[k]) &&
				  job->files[k].identity.device_id == f->identity.device_id;
		marker = find_marker_of(job, f, &orphans);
		if (marker && orphans == 1 && rivals == 1) {
			f->identity = marker->identity;
			f->has_done = true;
			f->marker_size = marker_says(job, marker);
			marker->remark = "names the data of a short-named file";
			continue;
		}
		f->doubtful = true;
		f->remark = orphans ? "several files or markers could belong together: the model is in doubt"
				    : "the model is unknown: no .done marker names it";
	}
}

/* A marker whose raw file is missing means lost data. The identity of the missing file is no longer needed. */
static void check_orphans(struct mp_job *job)
{
	for (size_t i = 0; i < job->file_count; i++) {
		struct mp_job_file *f = &job->files[i];

		if (f->state != MP_FILE_MARKER || !f->layout)
			continue;
		if (!f->remark) {
			f->doubtful = true;
			f->remark = "its raw file is missing";
		}
		f->layout = NULL;
		f->identity = MP_NO_IDENTITY;
	}
}

void mp_job_settle_markers(struct mp_job *job, const struct mp_layouts *layouts)
{
	pair_markers(job);
	find_orphans(job, layouts);
	settle_short_names(job);
	check_orphans(job);
}
